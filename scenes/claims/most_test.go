package claims

// othersMosT are numbers of each claim with which it would have another verdict.
var othersMosT = map[string][]Number{
	"few-entries":    exactly(24, 23),
	"sparse":         exactly(0.2, 0.8, 6),
	"specialists":    exactly(1.4, 0.2, 1.1, 0.3),
	"collapse":       exactly(5, 1, 1, 5, 1, 1),
	"two-kinds":      exactly(3, 4),
	"theorem-1":      exactly(6e-5, 5e-5),
	"accuracy":       exactly(5, 2, 1, 1, 1, 1),
	"own-weights":    exactly(-1, -1, -1, 0.1, 0.1, 0.1),
	"curriculum":     exactly(-3, -3, -3, 1, 1, 1),
	"regularisation": exactly(-1, -1, -1, 2, 2, 2),
	"transport-time": exactly(0.5, 0.6, 1.2),
	"hypervolume":    exactly(1, 1, 1, 1, 1, 5, 6, 6),
	"fair":           exactly(0.9, 0.5, 0.4, 0.3),
	"ten-mixtures":   exactly(0.99, 0.98),
}
