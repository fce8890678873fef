package sweep

import (
	"paretoplay/scenes/race/sweeps"
	"paretoplay/scenes/scene"
)

// About is what is known of the scene without making one.
var About = scene.About{
	ID:        "sweep",
	Title:     "Sweep the front",
	Question:  "Where does each choice of frequencies end?",
	Summary:   "TODO",
	Try:       "TODO",
	Paper:     "Block-SMOO, section 4.5, Figure 2 and Table 1; the data are ours",
	Group:     scene.OneBlock,
	Hero:      "front",
	Keys:      []string{"method", "passes", "alpha", "r", "p"},
	Methods:   Methods,
	Symbols:   symbols,
	Facts:     factHelp,
	Equations: equations(),
	New:       func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = sweeps.Methods()

var symbols = []scene.Symbol{}

var factHelp = []scene.FactHelp{}
