package bilevel

// configFields maps the names of parameters in errors to the fields of the methods' Configs.
var configFields = map[string]string{
	"problem":             "Problem",
	"start":               "Start",
	"mu":                  "Upper.StepSize",
	"step size muomega":   "Upper.OmegaStepSize",
	"lower steps T":       "Loop.Steps",
	"lower step size eta": "Loop.StepSize",
	"lower optimizer":     "Loop.Optimizer",
	"rho":                 "Rho",
	"decay":               "Decay",
	"shrink r":            "Shrink",
	"mode":                "Mode",
	"averaging":           "Averaging",
	"multiplier":          "Multiplier",
	"variant":             "Variant",
	"epoch":               "Epoch",
}
