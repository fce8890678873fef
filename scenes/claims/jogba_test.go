package claims

// othersJoGBa are numbers of each claim with which it would have another verdict.
var othersJoGBa = map[string][]Number{
	"balanced":        exactly(0.2, 0.9, 0.2, 0.9, 0.2, 0.9, 0.2, 0.9, 0.2, 0.9),
	"jogba-first":     exactly(1.2, 1.3, 1.2, 1.3, 1.2, 1.3, 1.2, 1.3, 1.2, 1.3),
	"own-orders":      exactly(0.9, 0.95, 0.9, 0.95, 0.9, 0.95),
	"separate-strays": exactly(1, 2, 3),
	"order-rates":     exactly(-0.5, 0.05, -0.66, 0.05),
	"order-bounds":    exactly(18, 29, 0.003, 30),
	"order-time":      exactly(3, 3, 3, 3, 3, 3),
	"flipflop":        exactly(20, 0, 33),
}
