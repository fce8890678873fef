package blocks

import (
	"paretoplay/scenes/race/sweeps"
	"paretoplay/scenes/scene"
)

// About is what is known of the scene without making one.
var About = scene.About{
	ID:        "blocks",
	Title:     "One block, one objective",
	Question:  "What becomes of a step that moves one block for one goal?",
	Summary:   "Each short line is a step: it moves one of the two variables, for one of the two goals.",
	Try:       "Drag the frequencies.",
	Paper:     "Block-SMOO, Algorithm 1; the bowls are ours",
	Group:     scene.OneBlock,
	Hero:      "plane",
	Keys:      []string{"m", "alpha", "partition"},
	Methods:   Methods,
	Equations: sweeps.Equations(),
	Facts:     factHelp,
	New:       func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = sweeps.Methods()
