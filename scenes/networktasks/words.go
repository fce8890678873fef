package networktasks

import (
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/scene"
)

// About describes the scene to the page.
var About = scene.About{
	ID:       "network",
	Title:    "Forty tasks, one network",
	Question: "Is it worth weighing forty tasks at every step?",
	Summary: "A pupil learns forty subjects at once. Is it worth checking before every lesson which subject needs the most work? Each " +
		"method trains a network that answers forty questions about a picture of two digits. Filled squares are right answers. Beside them " +
		"are the training costs.",
	Try:       "Choose two tasks instead of forty, and see how much less of the cost can be saved.",
	Done:      "A step of MGDA now costs two backpropagations instead of forty.",
	Tried:     condition.And(condition.Is("S", "2"), condition.FactAtLeast("backpropagations.mgda", 2)),
	Paper:     "PSMGD: Periodic Stochastic Multi-Gradient Descent, section 5, on a network of our own",
	Group:     scene.ManyGoals,
	Hero:      "reading",
	Beside:    []string{"curve", "age"},
	Keys:      []string{"S", "R", "method", "stepsizes", "axis"},
	Counts:    "step",
	Methods:   Methods,
	Symbols:   symbols,
	Presets:   presets,
	Facts:     factKinds.Help(),
	Equations: equations,
	New:       func() scene.Scene { return New() },
}

// symbols explains the symbols on screen.
var symbols = []scene.Symbol{
	{Sign: "S", Text: "The number of tasks. Each has its own loss.", Source: "PSMGD, section 3"},
	{Sign: "R", Text: "The period: PSMGD computes new weights every R steps.", Source: "PSMGD, Algorithm 1"},
	{Sign: "α", Text: "The share of the old weights in the new ones at a refresh.", Source: "PSMGD, Algorithm 1, line 5"},
	{Sign: "η", Text: "The step size.", Source: "PSMGD, Algorithm 1"},
	{Sign: "θ", Text: "The parameters of the trunk, which all tasks share. Each task’s head has its own " +
		"parameters.", Source: "worked out here"},
	{Sign: "f_s", Text: "The mean cross-entropy of task s.", Source: "worked out here"},
	{Sign: "BP", Text: "Backpropagations: gradients of one scalar function.", Source: "PSMGD, section 5"},
}

// presets lists the one-click cards.
var presets = []scene.Preset{
	{ID: "forty", Title: "What do forty tasks cost?", Hero: "curve", Keys: []string{"method", "R", "axis", "measure"},
		Lead: "Equal weights are ahead of MGDA and PSMGD, at a fortieth of MGDA’s backpropagations.",
		Text: "A step of MGDA costs forty backpropagations, a step of PSMGD six on average. Add UPGrad: on average it is at most one " +
			"percentage point behind equal weights, at MGDA’s price.",
		Seeds: "After 100 steps the test accuracy is 0.850 with equal weights, 0.859 with UPGrad, 0.816 with PSMGD and 0.814 with MGDA (means " +
			"of 20 seeds).",
		Values: map[string]string{"budget": "100"}},
	{ID: "rest", Title: "Can weights be reused?", Hero: "curve", Keys: []string{"R", "momentum", "axis"},
		Lead:   "With weights up to seven steps old, PSMGD learns as much as MGDA does.",
		Text:   "Step for step PSMGD’s and MGDA’s curves coincide, and they still do if you raise R to 32.",
		Values: map[string]string{"method": "psmgd,mgda", "axis": "iterations", "budget": "80"}},
	{ID: "noise", Title: "What are fresh weights worth?", Hero: "age", Keys: []string{"method", "S", "R"},
		Lead:   "After a single step MGDA’s weights have changed almost as much as after sixty-four.",
		Text:   "Every step uses another batch of 64 pictures. Weights drawn at random each step change about as much as MGDA’s.",
		Values: map[string]string{"method": "mgda,rlw", "S": "8", "budget": "150"}},
	{ID: "two", Title: "And with two tasks?", Hero: "curve", Keys: []string{"S", "stepsizes", "eta", "axis"},
		Lead:   "With two tasks and one step size all three methods learn equally fast, and MGDA’s weights double the cost.",
		Text:   "With forty tasks, much can be saved; with two tasks, very little: PSMGD’s step costs 1.1 backpropagations instead of two.",
		Values: map[string]string{"S": "2", "stepsizes": equalSteps, "eta": "0.1", "budget": "100"}},
	{ID: "same", Title: "And with one step size for all methods?", Hero: "curve", Keys: []string{"stepsizes", "eta", "measure"},
		Lead:   "With the same small step size, equal weights lead MGDA by less than one percentage point of accuracy.",
		Text:   "On other cards, equal weights lead mostly because they can take longer steps: η = 1 instead of 0.3.",
		Values: map[string]string{"method": "mgda,ls", "stepsizes": equalSteps, "eta": "0.1", "budget": "60", "axis": "iterations"}},
	{ID: "adam", Title: "And with Adam?", Hero: "curve", Keys: []string{"optimizer", "stepsizes", "method", "R"},
		Lead: "With Adam, MGDA comes close to equal weights, and PSMGD is behind at first.",
		Text: "Adam takes steps of about equal length, however short the trunk’s direction is. Each method uses the step size tuned for 500 " +
			"steps: 0.002 for PSMGD and 0.005 for MGDA.",
		Values: map[string]string{"optimizer": "adam", "budget": "80"}},
	{ID: "features", Title: "What does the first layer see?", Hero: "features", Keys: []string{"activation", "hidden1", "budget"},
		Lead:   "After 150 steps the first layer still looks for its random initial patterns.",
		Text:   "Yet the network answers most of the forty questions better than by guessing.",
		Values: map[string]string{"method": "ls", "budget": "150"}},
}
