package transport

// configFields maps parameter names, as errors show them, to the fields of Config.
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
