package claims

// othersBlockSMOO are numbers of each claim with which it would have another verdict.
var othersBlockSMOO = map[string][]Number{
	"alternation-bounds": exactly(10, 0.5, 10, 17, 10),
	"lost-factor":        exactly(1, 1),
	"frequencies":        exactly(0, 0, 0, 0),
	"cheaper-steps":      exactly(1.1, 0.3, 1.2, 0.1),
	"early-descent":      exactly(4, 6, 2, 3),
	"outpaced":           exactly(4, 5, 6, 3, 4, 5),
	"two-turns":          exactly(14, 12, 14, 15),
	"early-full-size":    exactly(0.9, 0.6, 0.9, 0.8),
	"purity-full-size":   exactly(0.7, 0.5, 0.7, 0.5),
	"purity":             exactly(0.9, 0.8, 1, 0.1),
	"spread":             exactly(0.6, 0.5, 1.2, 1.21),
}
