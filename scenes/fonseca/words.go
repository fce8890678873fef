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
	Question: "Must every step compute new weights?",
	Summary: "Ten walkers want to be near two villages at once, but read the map only at every fourth step. They come to rest on the " +
		"thick curve, the front: there, getting nearer to one village means getting farther from the other. Each step mixes the gradients " +
		"of the two goals by weights. PSMGD recomputes these weights only at the ticks. The dots are walkers that start all over the plane.",
	Try: "Let the runs end, then set the period R to 32: they start again, and with such old weights most points drift to the ends of " +
		"the front.",
	Done: "Most points are now at an end of the front, as with fixed weights.",
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
	{Sign: "k", Text: "The iteration: the number of steps a run has taken. A run starts at k = 0.", Source: "PSMGD, Algorithm 1"},
	{Sign: "x", Text: "A point: the variables that the steps change.", Source: "Fonseca and Fleming 1996"},
	{Sign: "f₁, f₂", Text: "The two goals, both to be minimised. Their minima are at different points, and between these the goals conflict.",
		Source: "Fonseca and Fleming 1996; the PSMGD paper prints x_d inside the sum, a slip for xᵢ"},
	{Sign: "λ", Text: "The weights: how much each goal’s gradient counts in a step. They are at least 0 and sum to 1.",
		Source: "PSMGD, Algorithm 1, line 4; its equation (2) omits that the weights are at least 0"},
	{Sign: "λ̂", Text: "The weights that a refresh computes: those of the shortest mixture of the gradients.",
		Source: "PSMGD, Algorithm 1, line 4"},
	{Sign: "ω", Text: "How much both goals can still improve together: the length of the shortest mixture of the exact gradients. It is " +
		"0 only where no step helps both goals.", Source: "Désidéri 2012"},
	{Sign: "BP", Text: "The cost: the number of single-function gradients computed. A refresh costs one per goal; any other step costs one.",
		Source: "PSMGD, Table 1"},
	{Sign: "R", Text: "The period: every R-th step computes new weights.", Source: "PSMGD, Algorithm 1"},
	{Sign: "η", Text: "The step size: how far a step goes along its direction.", Source: "PSMGD, Algorithm 1"},
	{Sign: "α", Text: "The weight momentum: the share of the previous weights kept when new weights are computed.",
		Source: "PSMGD, Algorithm 1, line 5"},
	{Sign: "σ", Text: "The standard deviation of the noise in each entry of each gradient.", Source: "test problem"},
	{Sign: "age", Text: "The mean age of the weights in use, η(Rα/(1 − α) + (R − 1)/2). Below about 1 no run collapses because of it; " +
		"above about 3.4 nearly all runs do.", Source: "measured here"},
}

// presets are the one-click cards.
var presets = []scene.Preset{
	{ID: "middle", Title: "Can fixed weights reach the middle?", Selected: "ls-5",
		Keys:   []string{"method", "ls.weights", "ls.lambda", "problem"},
		Lead:   "Nearly all runs with fixed weights drift to an end of the front; most of MGDA’s stop in between.",
		Text:   "The front bulges away from the origin, so a fixed weighted sum is smallest at an end, marked “least”.",
		Seeds:  "At least 19 of the 20 runs of linear scalarization stop at an end of the front; at most 6 of MGDA’s do from the same starts.",
		Values: map[string]string{"method": "mgda,ls", "starts": "20"}},
	{ID: "settle", Title: "When do the weights settle?", Selected: "mgda-1", Hero: "weights", Keys: []string{"eta", "method", "seed"},
		Lead:       "After the first eighth of the iterations, the weights of most runs hardly change.",
		Text:       "The weights settle within about 5/η iterations. So why recompute them?",
		Seeds:      "After 5/η steps, the weights of at least six of the ten runs stay within 0.01 of their final values, with η = 1, ½ and ¼.",
		References: []axes.Reference{axes.Upright("weights", 5, "5/η iterations")},
		Values:     map[string]string{"method": "mgda", "eta": "1", "budget": "40", "speed": "10"}},
	{ID: "period", Title: "The same front for five eighths of the cost", Selected: "psmgd-1", Hero: "weights",
		Keys: []string{"R", "method", "axis"},
		Lead: "Most of PSMGD’s weights settle where MGDA’s do, and its runs finish at five eighths of the cost.",
		Text: "Recomputing the weights only at every fourth step saves three eighths of the cost, and both methods end along the Pareto set.",
		Seeds: "From each start, the two runs end within 0.16 of each other. Counted in backpropagations, PSMGD reaches the front first from " +
			"at least nine of the ten starts.",
		References: []axes.Reference{axes.Upright("weights", 250, "PSMGD ends"), axes.Upright("weights", 400, "MGDA ends")},
		Values:     map[string]string{"method": "psmgd,mgda", "axis": "backpropagations"}},
	{ID: "collapse", Title: "Momentum brings the collapse back", Selected: "psmgd-1", Keys: []string{"momentum", "R", "eta"},
		Lead: "With old weights, PSMGD’s points drift to the ends of the front, as if the weights were fixed.",
		Text: "With a weight momentum of 0.9, every refresh keeps nine tenths of the previous weights. The paper does not report the drift; we " +
			"found it here.",
		Seeds:  "At least 18 of the 20 runs stop at an end of the front, as with fixed weights; without momentum at most 7 do.",
		Values: map[string]string{"momentum": "0.9", "starts": "20"}},
	{ID: "map", Title: "How old may weights be?", Hero: "staleness-2", Keys: []string{"view", "R", "eta", "momentum"},
		Lead: "With young weights, few of a cell’s 60 runs collapse to the front’s ends; with old weights, most do.",
		Text: "Above the line α(1 + 2η/e)ᴿ = 1, momentum makes the balance itself unstable. Click a cell to run it.",
		Seeds: "With any random starts, few runs collapse below a mean age of 1.1, and most collapse above 3.4. On the maps here, at least 15 " +
			"runs collapse in every cell above the line, and at most 4 below it, except for α = 0.",
		Values: map[string]string{"view": "staleness"}},
	{ID: "noise", Title: "Do the runs settle under noise?", Selected: "psmgd-1", Hero: "decision", Keys: []string{"sigma", "eta", "method"},
		Lead:   "Under noise the runs never settle; they wander around the Pareto set, the thick line.",
		Text:   "Every gradient entry carries noise with standard deviation 0.1, the same for all methods. The step size is constant.",
		Seeds:  "In their second half, all runs stay within 0.1 of the Pareto set.",
		Values: map[string]string{"method": "psmgd,mgda", "sigma": "0.1", "eta": "0.1"}},
	{ID: "favourite", Title: "Does noise average out?", Selected: "mgda-1", Keys: []string{"sigma", "method", "budget"},
		Lead: "Noise drives most of MGDA’s runs to the ends of the front; MoDo’s runs stay in the middle.",
		Text: "With σ = 0, MGDA’s runs stay in the middle. MoDo uses separate samples for its weights, at three times the cost. The view “map " +
			"of noise” shows more methods.",
		Seeds: "Six runs in 30 variables start near the middle. With MGDA, five or six drift to the ends; with fixed weights, all do; with " +
			"MoDo, or with MGDA without noise, none do.",
		Values: map[string]string{"method": "mgda,modo", "d": "30", "region": "0.3", "starts": "6", "sigma": "0.1", "eta": "0.1",
			"budget": "400", "speed": "60"}},
	{ID: "plateau", Title: "Is a flat region a good one?", Selected: "psmgd-1", Hero: "decision",
		Keys:   []string{"region", "starts", "method"},
		Lead:   "Many points far out hardly move, although both goals could still improve there.",
		Text:   "Far out, a gradient is nearly 0, and so is ω, although the point is not Pareto-optimal.",
		Seeds:  "At least 8 of the 20 runs move less than 0.2.",
		Values: map[string]string{"region": "3", "starts": "20"}},
}
