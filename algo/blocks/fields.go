package blocks

// configFields are the fields of Config by the names that errors give their parameters.
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
