package blocks

// configFields maps the names of parameters in errors to the fields of Config.
var configFields = map[string]string{
	"start":            "Start",
	"alpha":            "StepSize",
	"m":                "Frequencies",
	"steps":            "Steps",
	"order":            "Order",
	"blockorder":       "BlockOrder",
	"schedule":         "Schedule",
	"horizon":          "Horizon",
	"lipschitz":        "Lipschitz",
	"strong convexity": "StrongConvexity",
	"batch":            "Batch",
}
