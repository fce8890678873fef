package claims

// othersFORUM are numbers of each claim with which it would have another verdict.
var othersFORUM = map[string][]Number{
	"solutions":   exactly(1e-9, 0.1),
	"first-order": exactly(10, 20, 20),
	"memory":      exactly(310, 620, 450, 4290, 450),
	"time":        exactly(0.9, 0.8),
	"dual":        exactly(1),
	"cleaning":    exactly(2.2, 0.4, 2.4, 0.4, 2, 0.6, 2, 0.6),
	"pull":        exactly(0.5, 0.4, 0.8, 0.5),
}
