package toy

import (
	"strings"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race/smooth"
	"paretoplay/scenes/scene"
)

// About is what is known of the scene without making one.
var About = scene.About{
	ID:       "toy",
	Title:    "Toy race: ways to weigh gradients",
	Question: "Who reaches the front, where on it, and at what price?",
	Summary: "Methods race from the same start points to the Pareto set of two objectives that pull apart; the two upper starts lie above " +
		"narrow valleys. How a method weighs the two gradients decides whether it gets there, where it ends, and what it pays.",
	Try: "Play, and see who is caught in the valleys above. Then drag a start point, or switch the time axis to backpropagations and " +
		"change R.",
	Paper:   "Liu et al. 2021 (CAGrad), appendix B",
	Group:   scene.TwoGoals,
	Hero:    "decision",
	Keys:    []string{"method", "startset", "scale", "R"},
	Methods: Methods,
	Symbols: symbols,
	Presets: presets,
	Several: true,
	New:     func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = smooth.Methods()

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "k", Text: "The iteration: k = 0 is the start point.", Source: "CAGrad, Algorithm 1"},
	{Sign: "x", Text: "The two variables, θ in the papers.", Source: "CAGrad, appendix B"},
	{Sign: "f₁, f₂", Text: "The two objectives: logarithmic valleys above x₂ = 0, wide basins around (−7, −8) and (7, −8) below.",
		Source: "CAGrad, appendix B"},
	{Sign: "λ", Text: "The weights of the two gradients; the picture shows the first one’s share, since some methods’ weights have " +
		"another sum than 1.", Source: "PSMGD, equation (2)"},
	{Sign: "gap", Text: "By how much both objectives, the first divided by its scale, can fall at once before they reach the front; 0 on " +
		"the front.", Source: "additive ε-indicator, Zitzler et al. 2003"},
	{Sign: "ω", Text: "The length of the shortest convex combination of the exact gradients; it is 0 at Pareto-stationary points and " +
		"only there.", Source: "Désidéri 2012"},
	{Sign: "BP", Text: "Backpropagations spent so far: gradients of one scalar function. Weighing costs one for each objective, a step " +
		"with weights that are kept one.", Source: "PSMGD, Table 1"},
	{Sign: "R", Text: "The period: PSMGD computes new weights every R iterations.", Source: "PSMGD, Algorithm 1"},
	{Sign: "η", Text: "The step size, with which Adam’s update is multiplied: 0.001 in the papers.", Source: "Kingma & Ba 2015, Algorithm 1"},
	{Sign: "α", Text: "The weight momentum: the share of the former weights at a refresh.", Source: "PSMGD, Algorithm 1, line 5"},
	{Sign: "β", Text: "The share of the former velocity that the heavy ball keeps.", Source: "Polyak 1964"},
	{Sign: "c", Text: "CAGrad’s radius: how far its direction may be from the mean gradient, relative to its length.",
		Source: "CAGrad, equation (4)"},
	{Sign: "γ", Text: "FAMO’s decay of the logits: how strongly its weights are pulled back to equal ones.", Source: "FAMO, Algorithm 1"},
	{Sign: "scale", Text: "What the first objective is multiplied by: 1 in CAGrad, 0.1 in Nash-MTL, FAMO and FairGrad.",
		Source: "published code of FAMO"},
	{Sign: "σ", Text: "The standard deviation of the noise in each entry of each gradient.", Source: "test problem"},
}

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "stall", Title: "Linear scalarization stalls", Selected: "ls-1",
		Text: "From the two upper starts linear scalarization slips between the steep walls of a valley and hardly gets on: after 30,000 " +
			"iterations both runs are still above x₂ = 2.5. Between them its gradient gets thousands of times as long as MGDA’s direction " +
			"ever is, and Adam divides every step by the lengths that it has seen. MGDA is at the front after 18,000.",
		Values: map[string]string{"method": "mgda,ls", "budget": "30000"}},
	{ID: "early", Title: "MGDA stops early", Selected: "mgda-2",
		Text: "MGDA stops where it first meets the Pareto set. From the lower left start that is its very end: f₁ has fallen from 4.1 to " +
			"−0.4, where −20 is possible. CAGrad goes on along the set to the middle.",
		Values: map[string]string{"method": "mgda,cagrad", "startset": "all", "budget": "20000"}},
	{ID: "middle", Title: "CAGrad finds the middle", Selected: "cagrad-1",
		Text: "CAGrad stays near the mean gradient, so it ends where the mean of the losses is lowest, from all three starts. Through the " +
			"valleys it takes its time: more than 50,000 iterations.",
		Values: map[string]string{"method": "cagrad", "budget": "100000"}},
	{ID: "cost", Title: "PSMGD pays less", Selected: "psmgd-1",
		Text:   "PSMGD and MGDA end along the same set. Over backpropagations PSMGD is there first: with R = 4 it pays 5 where MGDA pays 8.",
		Values: map[string]string{"method": "psmgd,mgda", "startset": "famo", "budget": "20000", "axis": panel.Backpropagations}},
	{ID: "scale", Title: "Losses of unlike scale", Selected: "famo-1",
		Text: "Here f₁ is ten times smaller. Linear scalarization and CAGrad follow the larger loss: from four of the five starts they end at " +
			"x₁ = −5.7, and from (9, 9) they have not arrived after 50,000 iterations. IMTL-G and FAMO care for relative progress: all their " +
			"runs arrive, IMTL-G’s within 5.3 of the middle, FAMO’s within 1.8.",
		Values: map[string]string{"method": "ls,cagrad,imtlg,famo", "startset": "famo", "scale": "0.1", "budget": "50000"}},
	{ID: "all", Title: "Everyone from one start", Selected: "psmgd-1",
		Text: "Eighteen methods from the upper left, where the way leads through a narrow valley. Eight are at the front within 35,000 " +
			"iterations, six are still in the valley after 50,000. Which are they, and where do the others end?",
		Values: map[string]string{"starts": "1", "budget": "50000",
			"method": strings.Join(everyone(), ",")}},
}

// everyone are the methods that make sense here and move one point at a time.
func everyone() []string {
	var out []string
	for _, m := range Methods {
		if absent[m.ID] == "" && m.ID != "moosvgd" {
			out = append(out, m.ID)
		}
	}
	return out
}
