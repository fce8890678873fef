package fonseca

import (
	"paretoplay/scenes/race/smooth"
	"paretoplay/scenes/scene"
)

// About is what is known of the scene without making one.
var About = scene.About{
	ID:       "fonseca",
	Title:    "Fonseca: periodic weights",
	Question: "Must the weights be computed anew at every step?",
	Summary: "Points descend on two objectives at once, Fonseca and Fleming’s f₁ and f₂. Each step follows a weighted sum of the two " +
		"gradients, and PSMGD computes the weights anew only every R iterations: the ticks show when.",
	Try: "Set R to 32, then press Reset and Play: with weights that old most points roll off to the ends of the front. Then drag a start " +
		"point.",
	Paper:   "PSMGD: Periodic Stochastic Multi-Gradient Descent",
	Group:   scene.TwoGoals,
	Hero:    "decision",
	Keys:    []string{"method", "R", "eta", "momentum"},
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
	{Sign: "k", Text: "The iteration: k = 0 is the start point.", Source: "Algorithm 1"},
	{Sign: "x", Text: "The variables, a point of the decision space.", Source: "Fonseca and Fleming 1996"},
	{Sign: "f₁, f₂", Text: "The two objectives, both to be made small; each is lowest at its own point, so they conflict between the " +
		"two. The PSMGD paper prints x_d inside the sum, a slip for xᵢ.", Source: "Fonseca and Fleming 1996"},
	{Sign: "λ", Text: "The weights of the objectives’ gradients: not negative, with sum 1. Equation (2) leaves out that they are not " +
		"negative; Algorithm 1 says so.", Source: "PSMGD, equation (2) and Algorithm 1, line 4"},
	{Sign: "λ̂", Text: "The weights of the shortest convex combination of the gradients at a refresh.", Source: "PSMGD, Algorithm 1, line 4"},
	{Sign: "ω", Text: "The length of the shortest convex combination of the exact gradients; it is 0 at Pareto-stationary points and " +
		"only there.", Source: "Désidéri 2012"},
	{Sign: "BP", Text: "Backpropagations spent so far: gradients of one scalar function. A refresh costs one for each objective, any " +
		"other iteration one.", Source: "PSMGD, Table 1"},
	{Sign: "R", Text: "The period: new weights every R iterations.", Source: "PSMGD, Algorithm 1"},
	{Sign: "η", Text: "The step size: x ← x − η·direction, or η times what the optimizer makes of the direction.",
		Source: "PSMGD, Algorithm 1"},
	{Sign: "α", Text: "The weight momentum: the share of the former weights at a refresh.", Source: "PSMGD, Algorithm 1, line 5"},
	{Sign: "σ", Text: "The standard deviation of the noise in each entry of each gradient.", Source: "test problem"},
	{Sign: "age", Text: "The mean age of the weights in use, η·(Rα/(1 − α) + (R − 1)/2): below about 1 no run collapses because of it, " +
		"above about 3.4 nearly all do.", Source: "measured here"},
}

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "middle", Title: "Linear scalarization misses the middle", Selected: "mgda-1",
		Text: "The front bulges away from the origin, so a fixed weighted sum rolls off to one of its ends: all 20 runs of linear " +
			"scalarization do. MGDA from the same starts stays along it: 2 of its 20 runs end at an end, with other seeds 1 to 7.",
		Values: map[string]string{"method": "mgda,ls", "starts": "20"}},
	{ID: "settle", Title: "MGDA’s weights settle", Selected: "mgda-1",
		Text: "Look at the weights: after about 5/η iterations, here five, those of all ten runs stay within 0.01 of where they end; with " +
			"other seeds a few runs take longer. Why compute them every time?",
		Values: map[string]string{"method": "mgda", "eta": "1", "budget": "40", "speed": "10"}},
	{ID: "period", Title: "R = 4: the same set for 5/8 of the cost", Selected: "psmgd-1",
		Text: "PSMGD and MGDA end along the same set, from each start within 0.16 of each other. Over backpropagations PSMGD is there first: " +
			"it pays 5 where MGDA pays 8.",
		Values: map[string]string{"method": "psmgd,mgda", "axis": "backpropagations"}},
	{ID: "collapse", Title: "Momentum brings the collapse back", Selected: "psmgd-1",
		Text: "With α = 0.9 the weights are so old that they act as fixed ones: PSMGD rolls off to the ends like linear scalarization, " +
			"in all 20 runs. This is a finding of ours, not the paper’s.",
		Values: map[string]string{"momentum": "0.9", "starts": "20"}},
	{ID: "map", Title: "The map of stale weights",
		Text: "For each R, α and η: the share of 60 runs that collapsed to the ends of the front. What orders the cells is the mean age " +
			"of the weights. Above the line, where α(1 + 2η/e)ᴿ is more than 1, momentum makes the balance itself unstable: there 15 runs or " +
			"more collapse, below it 4 at most, but for α = 0. Click a cell to run it.",
		Values: map[string]string{"view": "staleness"}},
	{ID: "noise", Title: "Noise", Selected: "psmgd-1",
		Text: "Every gradient entry carries noise of deviation 0.1, the same for all methods. With a constant step size the runs do not " +
			"settle: they wander about the Pareto set, no farther than 0.1 from it.",
		Values: map[string]string{"method": "psmgd,mgda", "sigma": "0.1", "eta": "0.1"}},
	{ID: "favourite", Title: "Noise has a favourite", Selected: "mgda-1",
		Text: "Six starts near the middle, in 30 variables. Noise lengthens both gradients, which draws MGDA’s weights towards ½: all its " +
			"runs drift to the ends, as with fixed weights; without noise none does. MoDo’s weights see samples of their own, and its runs stay, " +
			"for three times the cost. The view “map of noise” counts it for more methods.",
		Values: map[string]string{"method": "mgda,modo", "d": "30", "region": "0.3", "starts": "6", "sigma": "0.1", "eta": "0.1",
			"budget": "400", "speed": "200"}},
	{ID: "plateau", Title: "The plateau", Selected: "psmgd-1",
		Text:   "Far out both gradients vanish and ω is nearly 0 without being Pareto-optimal: 12 of the 20 runs move less than 0.2.",
		Values: map[string]string{"region": "3", "starts": "20"}},
}
