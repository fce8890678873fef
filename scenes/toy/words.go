package toy

import (
	"paretoplay/scenes/lesson/condition"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/race/smooth"
	"paretoplay/scenes/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "toy",
	Title:    "Toy race: ways to weigh gradients",
	Question: "Who reaches the front, where on it, and at what price?",
	Summary: "Methods race from the same start points down to the thick line at the bottom, where neither of two goals can gain any more " +
		"unless the other loses; the two upper starts lie above narrow valleys. How a method weighs the two gradients decides whether it gets " +
		"there, where it ends, and what it pays.",
	Try: "See who is caught in the valleys above. Then drag the upper left start down to the height of the lower one: from there every " +
		"method arrives.",
	Tried:     condition.Dragged("start"),
	Paper:     "Liu et al. 2021 (CAGrad), appendix B",
	Group:     scene.TwoGoals,
	Hero:      "decision",
	Keys:      []string{"method", "startset", "scale", "R"},
	Methods:   Methods,
	Symbols:   symbols,
	Presets:   presets,
	Facts:     factKinds.Help(),
	Equations: smooth.Equations(),
	Several:   true,
	New:       func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = smooth.Methods()

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "k", Text: "The iteration, how many steps a run has made: k = 0 is its start.", Source: "CAGrad, Algorithm 1"},
	{Sign: "x", Text: "A point: the two variables that the steps move.", Source: "CAGrad, appendix B, where they are θ"},
	{Sign: "f₁, f₂", Text: "The two goals, both to be made small: narrow valleys above x₂ = 0, wide basins around (−7, −8) and (7, −8) below.",
		Source: "CAGrad, appendix B"},
	{Sign: "λ", Text: "The weights: how much each goal’s gradient counts in a step. The picture shows the first one’s share, since those of " +
		"some methods do not add up to 1.", Source: "PSMGD, equation (2)"},
	{Sign: "gap", Text: "The distance to the front: by how much both goals, the first divided by its scale, can fall at once; 0 on it.",
		Source: "additive ε-indicator, Zitzler et al. 2003"},
	{Sign: "ω", Text: "What common descent is left, the length of the shortest mixture of the exact gradients: 0 where no step helps both " +
		"goals, and only there.", Source: "Désidéri 2012"},
	{Sign: "BP", Text: "The price: gradients of one function that have been computed. Weighing costs one for each goal, a step with weights " +
		"that are kept one.", Source: "PSMGD, Table 1"},
	{Sign: "R", Text: "The period: PSMGD computes new weights at every R-th step.", Source: "PSMGD, Algorithm 1"},
	{Sign: "η", Text: "The step size, with which Adam’s update is multiplied: 0.001 in the papers.", Source: "Kingma & Ba 2015, Algorithm 1"},
	{Sign: "α", Text: "The weight momentum: how much of the former weights is kept when new ones are computed.",
		Source: "PSMGD, Algorithm 1, line 5"},
	{Sign: "β", Text: "The heavy ball’s memory: the share of the former velocity that it keeps.", Source: "Polyak 1964"},
	{Sign: "c", Text: "CAGrad’s radius: how far its direction may be from the mean gradient, relative to its length.",
		Source: "CAGrad, equation (4)"},
	{Sign: "γ", Text: "FAMO’s decay: how strongly its weights are pulled back to equal ones.", Source: "FAMO, Algorithm 1"},
	{Sign: "scale", Text: "The unit of the first goal, which it is multiplied by: 1 in CAGrad, 0.1 in Nash-MTL, FAMO and FairGrad.",
		Source: "published code of FAMO"},
	{Sign: "σ", Text: "The noise: the standard deviation in each entry of each gradient.", Source: "test problem"},
}

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "stall", Title: "The plain mean gets stuck in a valley", Selected: "ls-1", Keys: []string{"method", "optimizer", "startset"},
		Text: "From the two upper starts linear scalarization slips between the steep walls of a valley and hardly gets on: after 30,000 " +
			"iterations both runs are still above x₂ = 2.5. Between them its gradient gets thousands of times as long as MGDA’s direction " +
			"ever is, and Adam divides every step by the lengths that it has seen. MGDA is at the front after 18,000.",
		Values: map[string]string{"method": "mgda,ls", "budget": "30000"}},
	{ID: "early", Title: "MGDA stops where it meets the front", Selected: "mgda-2", Hero: "objective",
		Keys: []string{"method", "startset", "cagrad.c"},
		Text: "MGDA stops where it first meets the Pareto set. From the lower left start that is its very end: f₁ has fallen from 4.1 to " +
			"−0.4, where −20 is possible. CAGrad goes on along the set to the middle.",
		Values: map[string]string{"method": "mgda,cagrad", "startset": "all", "budget": "20000"}},
	{ID: "middle", Title: "Who stays near the mean finds the middle", Selected: "cagrad-1",
		Keys: []string{"cagrad.c", "method", "startset"},
		Text: "CAGrad stays near the mean gradient, so it ends where the mean of the losses is lowest, from all three starts. Through the " +
			"valleys it takes its time: more than 50,000 iterations.",
		Values: map[string]string{"method": "cagrad", "budget": "100000", "speed": "20000"}},
	{ID: "cost", Title: "The same front for five eighths of the cost", Selected: "psmgd-1", Hero: "gap",
		Keys:   []string{"R", "axis", "startset"},
		Text:   "PSMGD and MGDA end along the same set. Over backpropagations PSMGD is there first: with R = 4 it pays 5 where MGDA pays 8.",
		Values: map[string]string{"method": "psmgd,mgda", "startset": "famo", "budget": "20000", "axis": panel.Backpropagations}},
	{ID: "scale", Title: "What if one goal is ten times smaller?", Selected: "famo-1", Hero: "objective",
		Keys: []string{"scale", "method", "startset"},
		Text: "Here f₁ is ten times smaller. Linear scalarization and CAGrad follow the larger loss: from four of the five starts they end at " +
			"x₁ = −5.7, and from (9, 9) they have not arrived after 50,000 iterations. IMTL-G and FAMO care for relative progress: all their " +
			"runs arrive, IMTL-G’s within 5.3 of the middle, FAMO’s within 1.8.",
		Values: map[string]string{"method": "ls,cagrad,imtlg,famo", "startset": "famo", "scale": "0.1", "budget": "50000", "speed": "20000"}},
	{ID: "newcomers", Title: "Shares, cone, worst goal: who arrives?", Selected: "stch-1", Keys: []string{"method", "startset", "stch.mu"},
		Text: "STCH goes down the larger loss: from all three starts it arrives within 15,000 iterations, and ends in the middle, where " +
			"both losses are −15.1. ConFIG, with equal shares of both gradients, and DualProj, the mean moved into the cone, need more than " +
			"35,000 from above. ExcessMTL is still in both valleys after 60,000.",
		Values: map[string]string{"method": "config,dualproj,stch,excessmtl", "budget": "60000", "speed": "20000"}},
	{ID: "all", Title: "Twenty-two methods: who gets through?", Selected: "psmgd-1",
		Keys: []string{"method", "tolerance", "eta"},
		Text: "Twenty-two methods from the upper left, where the way leads through a narrow valley. Nine are at the front within 35,000 " +
			"iterations, seven are still in the valley after 50,000. Which are they, and where do the others end?",
		Values: map[string]string{"starts": "1", "budget": "50000", "speed": "20000",
			"method": everyone}},
}

// everyone are the methods that the card compares: those that make sense here and move one point at a time. Its text
// counts them, so a later method does not join by itself.
const everyone = "psmgd,mgda,crmogm,ls,rlw,pcgrad,gradvac,graddrop,cagrad,imtlg,nashmtl,famo,fairgrad,sdmgrad,moco,modo,upgrad," +
	"alignedmtl,config,dualproj,stch,excessmtl"
