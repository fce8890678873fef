package ordering

// configFields are the fields of Config by the names that errors give their parameters.
var configFields = map[string]string{
	"start":         "Start",
	"alpha":         "StepSize",
	"batch":         "Batch",
	"order":         "Kind",
	"first order":   "First",
	"centring":      "Centring",
	"sign rule":     "Signs",
	"schedule":      "Schedule",
	"horizon":       "Horizon",
	"constants":     "Constants",
	"fixed weights": "FixedWeights",
	"period R":      "Period",
}
