package ordering

// configFields maps the parameter names in errors to the fields of Config.
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
