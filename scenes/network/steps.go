package network

// tunedEta are step sizes by method, for each number of tasks: of those that were tried, the one with the least loss on
// the validation pairs after 300 steps.
var tunedEta = map[string]map[string]float64{
	psmgd:     {"2": 0.2, "8": 0.5, "20": 1, "40": 0.3},
	mgda:      {"2": 0.5, "8": 0.3, "20": 0.5, "40": 0.3},
	ls:        {"2": 0.5, "8": 1, "20": 1, "40": 1},
	"cagrad":  {"2": 0.3, "8": 0.5, "20": 1, "40": 1},
	"upgrad":  {"2": 0.3, "8": 1, "20": 1, "40": 1},
	"nashmtl": {"2": 0.3, "8": 0.3, "20": 0.3, "40": 0.1},
	"famo":    {"2": 0.3, "8": 1, "20": 1, "40": 2},
	"uw":      {"2": 0.2, "8": 0.2, "20": 0.1, "40": 0.1},
	"rlw":     {"2": 0.2, "8": 0.3, "20": 1, "40": 1},
}

// tuned is a method's own step size.
func tuned(method, tasks string) float64 { return tunedEta[method][tasks] }
