package network

import (
	"paretoplay/scenes/lesson/condition"
	"paretoplay/scenes/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "network",
	Title:    "Forty tasks, one network",
	Question: "Is it worth weighing forty tasks at every step?",
	Summary: "Each method trains a network that answers forty questions about a picture of two digits: filled squares are right answers. " +
		"Beside it is what the training took.",
	Try:       "Choose two tasks in the place of forty, and see how much less there is to save.",
	Tried:     condition.Changed("S"),
	Paper:     "PSMGD: Periodic Stochastic Multi-Gradient Descent, section 5, on a network of our own",
	Group:     scene.ManyGoals,
	Hero:      "reading",
	Keys:      []string{"S", "R", "method", "stepsizes", "axis"},
	Counts:    "step",
	Methods:   Methods,
	Symbols:   symbols,
	Presets:   presets,
	Facts:     factKinds.Help(),
	Equations: equations,
	New:       func() scene.Scene { return New() },
}

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "S", Text: "The number of tasks, each with a loss of its own.", Source: "PSMGD, section 3"},
	{Sign: "R", Text: "PSMGD computes new weights every R steps.", Source: "PSMGD, Algorithm 1"},
	{Sign: "α", Text: "The share of the former weights at a refresh.", Source: "PSMGD, Algorithm 1, line 5"},
	{Sign: "η", Text: "The step size.", Source: "PSMGD, Algorithm 1"},
	{Sign: "θ", Text: "The parameters of the trunk, which all tasks share; those of a task’s head are its own.", Source: "worked out here"},
	{Sign: "f_s", Text: "The mean cross-entropy of task s.", Source: "worked out here"},
	{Sign: "BP", Text: "Backpropagations: gradients of one scalar function.", Source: "PSMGD, section 5"},
}

// presets are the one-click cards.
var presets = []scene.Preset{}
