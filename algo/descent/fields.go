package descent

// configFields maps parameter names in errors to fields of Config and MOOSVGDConfig.
var configFields = map[string]string{
	"start":              "Start",
	"starts":             "Starts",
	"eta":                "StepSize",
	"momentum":           "Momentum",
	"momentum schedule":  "MomentumSchedule",
	"period R":           "Period",
	"fixed weights":      "FixedWeights",
	"batch b0":           "Batch",
	"step size schedule": "StepSizeSchedule",
	"lipschitz":          "Lipschitz",
	"strong convexity":   "StrongConvexity",
	"horizon":            "Horizon",
	"repulsion a":        "Repulsion",
}
