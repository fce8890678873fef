package networktasks

import "paretoplay/algo/descent"

// tunedEta holds step sizes by optimizer, method and number of tasks. Each is the candidate with the lowest mean loss
// on the validation pairs over three draws, after 500 steps with Adam or 300 plain steps.
var tunedEta = map[string]map[string]map[string]float64{
	string(descent.Adam): {
		psmgd:     {"2": 0.005, "8": 0.005, "20": 0.02, "40": 0.002},
		mgda:      {"2": 0.005, "8": 0.01, "20": 0.01, "40": 0.005},
		ls:        {"2": 0.002, "8": 0.01, "20": 0.01, "40": 0.01},
		"cagrad":  {"2": 0.005, "8": 0.02, "20": 0.02, "40": 0.005},
		"upgrad":  {"2": 0.002, "8": 0.01, "20": 0.02, "40": 0.01},
		"nashmtl": {"2": 0.002, "8": 0.01, "20": 0.01, "40": 0.01},
		"famo":    {"2": 0.002, "8": 0.01, "20": 0.02, "40": 0.01},
		"uw":      {"2": 0.002, "8": 0.01, "20": 0.01, "40": 0.01},
		"rlw":     {"2": 0.002, "8": 0.01, "20": 0.01, "40": 0.005},
	},
	string(descent.Plain): {
		psmgd:     {"2": 0.2, "8": 0.5, "20": 1, "40": 0.3},
		mgda:      {"2": 0.5, "8": 0.3, "20": 0.5, "40": 0.3},
		ls:        {"2": 0.5, "8": 1, "20": 1, "40": 1},
		"cagrad":  {"2": 0.3, "8": 0.5, "20": 1, "40": 1},
		"upgrad":  {"2": 0.3, "8": 1, "20": 1, "40": 1},
		"nashmtl": {"2": 0.3, "8": 0.3, "20": 0.3, "40": 0.1},
		"famo":    {"2": 0.3, "8": 1, "20": 1, "40": 2},
		"uw":      {"2": 0.2, "8": 0.2, "20": 0.1, "40": 0.1},
		"rlw":     {"2": 0.2, "8": 0.3, "20": 1, "40": 1},
	},
}

// tuned returns a method's tuned step size.
func tuned(optimizer, method, tasks string) float64 { return tunedEta[optimizer][method][tasks] }
