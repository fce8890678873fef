package transport

import (
	"paretoplay/algo/param"
	"paretoplay/scenes/scene"
)

// About is what is known of the scene without making one.
var About = scene.About{
	ID:       "transport",
	Title:    "Transport",
	Question: "How does one find the cheapest plan?",
	Summary: "Masses of rows are carried to columns as cheaply as can be. Sinkhorn and IPOT scale rows and columns in turn, an iteration at a " +
		"time: one comes to a blurred plan, the other to an exact one.",
	Try:     "todo",
	Paper:   "MosT, section 3.1",
	Hero:    "plan",
	Keys:    []string{"solver", "eps", "beta", "cost"},
	Methods: Methods,
	Symbols: symbols,
	Presets: presets,
	New:     func() scene.Scene { return New() },
}

// Methods are the solvers in the order of lists and legends.
var Methods = []param.Method{
	{ID: ipot, Title: "IPOT", Paper: "Xie et al. 2020, Algorithm 1",
		Help: "Proximal steps, each with one scaling of rows and columns, to an exact plan whatever β is."},
	{ID: sinkhorn, Title: "Sinkhorn", Paper: "Cuturi 2013", Help: "Scales rows and columns in turn, to a plan that ε blurs."},
	{ID: exact, Title: "Exact", Paper: "Dantzig 1951", Help: "The transportation simplex: every iteration brings one entry in and one out."},
}

var symbols = []scene.Symbol{}

var presets = []scene.Preset{}
