package transport

// configFields are the fields of Config by the names that errors give their parameters.
var configFields = map[string]string{
	"starts":          "Starts",
	"eta":             "StepSize",
	"K":               "Inner",
	"horizon":         "Horizon",
	"mixtures":        "Mixtures",
	"plan as weights": "PlanAsWeights",
	"tau":             "Tau",
	"temperature":     "Temperature",
	"weight decay":    "WeightDecay",
}
