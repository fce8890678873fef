package claims

// othersJoGBa contains, for each claim, numbers that change its verdict.
var othersJoGBa = map[string][]Number{
	"balanced":        exactly(0.9, 0.9, 0.9, 0.9, 0.9),
	"jogba-first":     exactly(0.9, 0.9, 0.9, 0.9, 0.9, 0.9),
	"grab-random":     exactly(1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
	"separate-random": exactly(1.1, 1.1, 1.1, 1.1, 1.1),
	"joint-random":    exactly(1.1, 1.1, 1.1, 1.1, 1.1),
	"own-flipflop":    exactly(1.1, 0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.9),
	"smaller-bound":   exactly(1, 2, 1.2, 1, 2, 1.2),
	"separate-slower": exactly(1.2, 1.2, 1.2, 1.2, 1.2),
	"own-orders":      exactly(0.9, 0.9, 0.9, 0.9),
	"separate-strays": exactly(1, 2, 3, 1, 2, 3),
	"stays-near":      exactly(0.1, 0.1),
	"order-rates":     exactly(-0.66, -0.5, -0.16, -0.66, -0.5, -0.16, -0.66, -0.5, -0.16, -0.66, -0.5, -0.16),
	"order-bounds":    exactly(18, 20, 29, 30),
	"order-time":      exactly(3, 3, 3, 1, 1, 1),
	"flipflop":        exactly(2, 2, 2, 2, 2, 2),
	"random-flipflop": exactly(0.9, 0.9, 0.9, 0.9, 0.9),
}
