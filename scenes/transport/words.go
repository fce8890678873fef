package transport

import (
	"paretoplay/algo/param"
	ot "paretoplay/algo/transport"
	"paretoplay/scenes/scene"
)

// About is what is known of the scene without making one.
var About = scene.About{
	ID:       "transport",
	Title:    "Transport: who carries what to whom",
	Question: "How is mass carried from here to there at the least cost?",
	Summary:  "Each solver’s plan says how much of the mass of each row goes to each column. An exact one is sparse.",
	Try:      "Play, then drag a bar.",
	Paper:    "MosT, section 3.1; Xie et al. 2020",
	Hero:     "plans",
	Keys:     []string{"solver", "eps", "beta", "costs"},
	Methods:  Methods,
	New:      func() scene.Scene { return New() },
}

// Methods are the solvers in the order of lists and legends.
var Methods = methods()

func methods() []param.Method {
	var out []param.Method
	for _, m := range ot.Methods {
		out = append(out, m.Method)
	}
	return out
}
