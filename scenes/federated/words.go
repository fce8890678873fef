package federated

import (
	"paretoplay/scenes/race/plans"
	"paretoplay/scenes/scene"
)

// About is what is known of the scene without making one.
var About = scene.About{
	ID:       "federated",
	Title:    "Federated clients",
	Question: "Can a few models serve many clients that differ?",
	Summary: "Twenty clients train models on data of their own, and each takes the model of five that is best on its validation samples. Each " +
		"line is a method: the accuracy of its clients, the worst served first.",
	Try:     "Play, and select another method: its plan says who trains what. Then give each method a single solution.",
	Paper:   "Many-Objective Multi-Solution Transport, section 6.2",
	Hero:    "clients",
	Keys:    []string{"method", "m", "rho2", "localepochs"},
	Methods: Methods,
	Symbols: symbols,
	Presets: presets,
	Several: true,
	New:     func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = plans.Methods(offered...)

var symbols []scene.Symbol

var presets []scene.Preset
