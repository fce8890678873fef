package fonseca

import (
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "fonseca",
	Title:    "Fonseca: periodic weights",
	Question: "Must the weights be computed anew at every step?",
	Summary: "Ten walkers want to be near two villages at once, and look at the map only at every fourth step: they come to rest on the " +
		"thick curve, the front, where one village gets nearer only if the other gets farther. Each step mixes the gradients of " +
		"the two goals by weights, which PSMGD computes anew only where the ticks are. " +
		"Dots are walkers from everywhere.",
	Try: "Let the runs end, then set the period R to 32: they start again, and with weights that old most points roll off to the ends of " +
		"the front.",
	Done: "Most points lie at an end of the front now, as they do with fixed weights.",
	Tried: condition.And(condition.AtLeast("R", 32),
		condition.Below(condition.Fact("runs.psmgd"), condition.Times(2, condition.Fact("collapsed.psmgd")))),
	Paper:  "PSMGD: Periodic Stochastic Multi-Gradient Descent",
	Group:  scene.TwoGoals,
	Hero:   "objective",
	Tally:  &scene.Tally{Fact: "collapsed", Word: "collapsed"},
	Beside: []string{"decision", "weights"},
	Keys:   []string{"method", "R", "eta", "momentum", "problem"},
	Comparison: &scene.Comparison{Fact: "gap", Log: true, Step: "eta", Baseline: "ls",
		Values: map[string]string{"ls.weights": "equal"}},
	Methods:   Methods,
	Symbols:   symbols,
	Presets:   presets,
	Facts:     factKinds.Help(),
	Equations: smooth.Equations(),
	Several:   true,
	Opens:     map[string]string{"swarm": "3000"},
	New:       func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = smooth.Methods()

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "k", Text: "The iteration, how many steps a run has made: k = 0 is its start.", Source: "PSMGD, Algorithm 1"},
	{Sign: "x", Text: "A point: the variables that the steps move.", Source: "Fonseca and Fleming 1996"},
	{Sign: "f₁, f₂", Text: "The two goals, both to be made small; each is lowest at its own point, so they conflict between the two.",
		Source: "Fonseca and Fleming 1996; the PSMGD paper prints x_d inside the sum, a slip for xᵢ"},
	{Sign: "λ", Text: "The weights: how much each goal’s gradient counts in a step. They are not negative and add up to 1.",
		Source: "PSMGD, Algorithm 1, line 4; its equation (2) leaves out that they are not negative"},
	{Sign: "λ̂", Text: "The weights that a refresh computes: those of the shortest mixture of the gradients.",
		Source: "PSMGD, Algorithm 1, line 4"},
	{Sign: "ω", Text: "What common descent is left, the length of the shortest mixture of the exact gradients: 0 where no step helps both " +
		"goals, and only there.", Source: "Désidéri 2012"},
	{Sign: "BP", Text: "The price: gradients of one function that have been computed. A refresh costs one for each goal, any other step one.",
		Source: "PSMGD, Table 1"},
	{Sign: "R", Text: "The period: new weights at every R-th step.", Source: "PSMGD, Algorithm 1"},
	{Sign: "η", Text: "The step size: how far a step goes along its direction.", Source: "PSMGD, Algorithm 1"},
	{Sign: "α", Text: "The weight momentum: how much of the former weights is kept when new ones are computed.",
		Source: "PSMGD, Algorithm 1, line 5"},
	{Sign: "σ", Text: "The noise: the standard deviation in each entry of each gradient.", Source: "test problem"},
	{Sign: "age", Text: "How old the weights in use are on average, η(Rα/(1 − α) + (R − 1)/2): below about 1 no run collapses because of " +
		"it, above about 3.4 nearly all do.", Source: "measured here"},
}

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "middle", Title: "Can fixed weights reach the middle?", Selected: "ls-5",
		Keys:   []string{"method", "ls.weights", "ls.lambda", "problem"},
		Lead:   "Nearly all runs with fixed weights roll off to an end of the front; most of MGDA’s stop between.",
		Text:   "The front bulges away from the origin, so a fixed weighted sum is least at an end, marked “least”.",
		Seeds:  "19 or all 20 runs of linear scalarization end at an end, of MGDA’s from the same starts 6 or fewer.",
		Values: map[string]string{"method": "mgda,ls", "starts": "20"}},
	{ID: "settle", Title: "When do the weights settle?", Selected: "mgda-1", Hero: "weights", Keys: []string{"eta", "method", "seed"},
		Lead:       "After the first eighth of the way the weights of most runs hardly change any more.",
		Text:       "They settle within about 5/η iterations. Why compute them every time?",
		Seeds:      "From there on the weights of six runs of ten or more stay within 0.01 of where they end, with η = 1, ½ and ¼.",
		References: []axes.Reference{axes.Upright("weights", 5, "5/η iterations")},
		Values:     map[string]string{"method": "mgda", "eta": "1", "budget": "40", "speed": "10"}},
	{ID: "period", Title: "The same front for five eighths of the cost", Selected: "psmgd-1", Hero: "weights",
		Keys: []string{"R", "method", "axis"},
		Lead: "Most of PSMGD’s weights settle where MGDA’s do, and its runs are paid three eighths earlier.",
		Text: "New weights at every fourth step alone save that much, and both methods end along the same set.",
		Seeds: "From each start the two end within 0.16 of each other. Over backpropagations PSMGD is there first, from all ten starts or " +
			"all but one.",
		References: []axes.Reference{axes.Upright("weights", 250, "PSMGD is paid"), axes.Upright("weights", 400, "MGDA is paid")},
		Values:     map[string]string{"method": "psmgd,mgda", "axis": "backpropagations"}},
	{ID: "collapse", Title: "Momentum brings the collapse back", Selected: "psmgd-1", Keys: []string{"momentum", "R", "eta"},
		Lead: "With old weights PSMGD’s points roll off to the ends of the front, as if the weights were fixed.",
		Text: "A weight momentum of 0.9 keeps nine tenths of the former weights at every refresh. This is a finding of ours, not the paper’s.",
		Seeds: "18 of the 20 runs or more end at an end, as many as with fixed weights; without momentum 7 or " +
			"fewer.",
		Values: map[string]string{"momentum": "0.9", "starts": "20"}},
	{ID: "map", Title: "How old may weights be?", Hero: "staleness-2", Keys: []string{"view", "R", "eta", "momentum"},
		Lead: "With young weights few of a cell’s 60 runs collapse to the ends of the front, with old ones most.",
		Text: "Above the line α(1 + 2η/e)ᴿ = 1 momentum makes the balance itself unstable. Click a cell to run it.",
		Seeds: "With any draw of the starts few runs collapse below a mean age of 1.1, and most above 3.4. On the maps here 15 runs or " +
			"more do in every cell above the line, below it 4 at most, but for α = 0.",
		Values: map[string]string{"view": "staleness"}},
	{ID: "noise", Title: "Do the runs settle under noise?", Selected: "psmgd-1", Hero: "decision", Keys: []string{"sigma", "eta", "method"},
		Lead:   "Under noise the runs never settle but wander about the Pareto set, the thick line.",
		Text:   "Every gradient entry carries noise of deviation 0.1, the same for all methods, and the step size stays as it is.",
		Seeds:  "In their second half all runs stay within 0.1 of the set.",
		Values: map[string]string{"method": "psmgd,mgda", "sigma": "0.1", "eta": "0.1"}},
	{ID: "favourite", Title: "Does noise average out?", Selected: "mgda-1", Keys: []string{"sigma", "method", "budget"},
		Lead: "Noise drives most of MGDA’s runs to the ends of the front; MoDo’s stay in the middle.",
		Text: "With σ = 0 MGDA’s stay as well. MoDo’s weights see samples of " +
			"their own, for three times the cost. The view “map of noise” counts it for more methods.",
		Seeds: "Of six runs in 30 variables from near the middle, five or six of MGDA’s drift to the ends, all with fixed weights, none of " +
			"MGDA’s without noise, and none of MoDo’s.",
		Values: map[string]string{"method": "mgda,modo", "d": "30", "region": "0.3", "starts": "6", "sigma": "0.1", "eta": "0.1",
			"budget": "400", "speed": "60"}},
	{ID: "plateau", Title: "Is a flat place a good place?", Selected: "psmgd-1", Hero: "decision",
		Keys:   []string{"region", "starts", "method"},
		Lead:   "Many points far out hardly move, although both goals could still gain there.",
		Text:   "A gradient is nearly 0 far out, and with it ω, without the point being Pareto-optimal.",
		Seeds:  "8 of the 20 runs or more move less than 0.2.",
		Values: map[string]string{"region": "3", "starts": "20"}},
}
