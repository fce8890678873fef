package claims

import "slices"

// othersMosT are numbers of each claim with which it would have another verdict.
var othersMosT = map[string][]Number{
	"few-entries":       exactly(23, 34, 23, 34),
	"sparse":            exactly(5, 75, 6, 5, 75),
	"specialists":       exactly(1.4, 0.2, 1.5, 0.9, 1.4, 0.2, 1.5, 0.9),
	"collapse":          exactly(5, 27, 2, 60, 1, 100),
	"collapse-clusters": exactly(5, 1, 1, 5, 1, 1),
	"two-kinds":         exactly(3, 4),
	"theorem-1":         exactly(0.9),
	"theorem-2":         exactly(1.5, 2),
	"row-maxima":        exactly(-0.1, 0.1, -0.1),
	"any-solver":        exactly(0.1, 0.1, 1, 0.1, 0.1, 1),
	"accuracy":          exactly(slices.Repeat([]float64{1}, 30)...),
	"fairness":          exactly(slices.Repeat([]float64{1}, 25)...),
	"diversity":         exactly(slices.Repeat([]float64{2}, 6)...),
	"random-weights":    exactly(1, 1, 1, 1, 1, 1),
	"own-weights":       exactly(1, 1, 1, 1, 1, 1),
	"curriculum":        exactly(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
	"regularisation":    exactly(1, 1, 1, 1, 1, 1),
	"transport-time":    exactly(0.5, 0.5, 0.5),
	"hypervolume":       exactly(1, 1, 1, 1, 1),
	"more-epo":          exactly(1, 1, 1, 1, 1, 1),
	"extended-time":     exactly(2, 2, 2),
	"fair":              exactly(1, 1, 1, 1, 1),
	"ten-mixtures":      exactly(1, 1, 1),
}
