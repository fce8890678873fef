package blocksteps

import (
	"fmt"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene"
)

// About describes the scene to the page.
var About = scene.About{
	ID:       "blocks",
	Title:    "One block, one objective",
	Question: "Where do steps lead if each moves one block for one goal?",
	Summary: "Two cooks take turns seasoning one soup, one spice at a time. Each short line is one such turn: a step that moves one of " +
		"two variables downhill for one of two goals. It ends in a dot for the first goal and a square for the second. The second goal has " +
		"three turns for every turn of the first. So the run zigzags close to the plus sign, the minimum of a mixture that counts the " +
		"second goal three times as much.",
	Try:  "Give the first goal three turns, too. The plus sign slides along the thick curve, and the runs follow it.",
	Done: "Both goals count the same now, and the runs are beside the plus sign, where the goals’ mean is least.",
	Tried: condition.And(condition.Is("m", "3,3"), condition.FactAtMost("distance.blocksmoo", 0.2),
		condition.FactAtMost("distance.weightedsum", 0.2)),
	DataSummary: "Your objectives take turns: each step moves one block of the variables downhill for one objective. How often each " +
		"objective has its turn decides how much the runs’ end points favour it.",
	DataTry: "Change the objectives’ frequencies, and see which objective’s minimum the runs get closer to. If the runs diverge, use " +
		"shorter steps.",
	Data: &scene.DataWords{Button: "Load your own objectives", Title: "Your own objectives",
		Example: "{\"Q\": [[[2, 0.6], [0.6, 1]], [[1, 0], [0, 2]]],\n \"c\": [[-1, 0], [1, 0]], \"m\": [1, 2]}",
		Format: fmt.Sprintf("A JSON file {\"Q\": q×n×n, \"c\": q×n} for f_k = ½(x − c)ᵀQ(x − c), with up to %d objectives of up to %d "+
			"variables. It may also contain \"blocks\" (lists of variables, counted from 0), \"m\" and \"x0\". Your file stays in this "+
			"browser; a link to this view contains only its SHA-256.", data.MaxBowls, data.MaxBowlVariables)},
	Takes:     data.Quadratics,
	Brought:   []string{"q", "m", "partition", "start"},
	Paper:     "Block-SMOO, Algorithm 1, on our own bowls",
	Group:     scene.OneBlock,
	Hero:      "plane",
	Beside:    []string{"frequencies", "curve"},
	Keys:      []string{"m", "alpha", "partition"},
	Counts:    "step",
	Methods:   Methods,
	Symbols:   symbols,
	Presets:   presets,
	Facts:     factKinds.Help(),
	Equations: sweeps.Equations(),
	New:       func() scene.Scene { return New() },
}

// Methods lists the scene's methods in the order of lists and legends.
var Methods = sweeps.Methods()

// symbols explains the symbols on screen.
var symbols = []scene.Symbol{
	{Sign: "k", Text: "The step: one block moves down the gradient of one objective. k = 0 is the start.", Source: "Block-SMOO, Algorithm 1"},
	{Sign: "t", Text: "The outer iteration, counted from 0: s·p steps in which every block gets all its turns.",
		Source: "Block-SMOO, Algorithm 1"},
	{Sign: "x", Text: "The variables. x_b are the variables of block b; there are s blocks.", Source: "Block-SMOO, section 1"},
	{Sign: "m", Text: "The frequencies: how often each objective has its turn on a block. 0 leaves the " +
		"objective out.", Source: "Block-SMOO, section 2"},
	{Sign: "p", Text: "The number of turns on a block: the sum of the frequencies.", Source: "Block-SMOO, section 2"},
	{Sign: "F_m", Text: "The mixture to minimise: the sum of the objectives with weights m_k/p.", Source: "Block-SMOO, section 2"},
	{Sign: "x*", Text: "The minimiser of F_m, a point of the Pareto set.", Source: "Block-SMOO, Assumption 3.3"},
	{Sign: "π", Text: "The order of the objectives’ turns on a block.", Source: "Block-SMOO, section 2"},
	{Sign: "σ", Text: "The noise: the standard deviation of every coordinate of every gradient. The paper uses σ for the order of the " +
		"blocks and for a bound on all gradients. Quadratics have no such bound, so the longest gradient along a run replaces it here.",
		Source: "Block-SMOO, Algorithm 1 and Assumption 3.2"},
	{Sign: "α", Text: "The step size. The theorems use 1/√T for T outer iterations, and 2/(μ(t + 1)), which is at least 2/L at first. " +
		"A remark on Theorem 3.3 gives the rate 1/√T, although the theorem’s rate is 1/T.", Source: "Block-SMOO, Theorems 3.1 to 3.3"},
	{Sign: "L, μ", Text: "The largest curvature of any objective, and the smallest curvature of F_m.",
		Source: "Block-SMOO, Assumptions 3.1 and 3.4"},
	{Sign: "T, Δ", Text: "The number of outer iterations, and the largest distance from x* at which an outer iteration begins.",
		Source: "Block-SMOO, Assumption 3.3"},
	{Sign: "bound", Text: "The proof of Theorem 3.1 loses a factor p in (B.1): the turns of a block add up to p times the gradient of " +
		"F_m. The bound that keeps the factor is ours.", Source: "Block-SMOO, appendix B"},
	{Sign: "bias", Text: "The distance from x* to the mean of the points where outer iterations begin, in the long run.",
		Source: "measured here"},
	{Sign: "width", Text: "The largest distance between two points of an outer iteration.", Source: "measured here"},
}

// all lists all methods in the parameter's format.
const all = sweeps.BlockSMOO + "," + sweeps.WeightedSum + "," + sweeps.FunctionAlternate + "," + sweeps.BlockAlternate

// onePercent is a hundredth of F_m's height above its minimum at the start, with m = (1, 3).
const onePercent = 0.0384

// presets lists the one-click cards. Their statements about seeds are means and standard errors over 20 seeds of the
// random orders.
var presets = []scene.Preset{
	{ID: "steer", Title: "Where do the frequencies steer the runs?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "frequencies", Keys: []string{"m", "method", "alpha"},
		Lead: "The shares of the turns act as weights, so a goal with more turns ends with a smaller loss.",
		Text: "The paper’s example has five turns for the first goal and fifteen for the second. The runs go to where ¼f₁ + ¾f₂ is least, " +
			"and stay near that point. Drag the shares, and the runs end somewhere else on the front.",
		References: []axes.Reference{axes.Upright("frequencies", 0.25, "(15, 5)"), axes.Upright("frequencies", 0.5, "(10, 10)")},
		Values:     map[string]string{"m": "5,15", "alpha": "0.02", "budget": "800", "speed": "200"}},
	{ID: "ways", Title: "One mixture, three ways to reach it?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "curve", Keys: []string{"m", "alpha", "view", "zoom"},
		Lead: "The more turns an outer iteration has, the farther from the plus sign and the more widely the run circles.",
		Text: "m = (1, 3), (2, 6) and (5, 15) minimise the same mixture. In the contiguous order no run comes to rest where the mixture is " +
			"least. More turns then act like longer steps. With new orders for every block, as in the paper, more turns do not lead farther " +
			"off on average.",
		Seeds: "In the contiguous order outer iterations begin 0.059, 0.15 and 0.39 from the plus sign and are 0.18, 0.35 and 0.82 wide; " +
			"(5, 15) with α = 0.02 instead of 0.1 is 0.17 wide. With new orders their mean start is 0.03, 0.03 and 0.02 away, and a single " +
			"iteration begins 0.04, 0.06 and 0.12 away (root mean square, 20 seeds).",
		Values: map[string]string{"order": "contiguous", "blockorder": "listed", "budget": "400", "zoom": zoomEnd,
			"view": viewBias}},
	{ID: "order", Title: "Does a random order help?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "plane", Keys: []string{"order", "m", "zoom", "view"},
		Lead: "With new orders for every block, the run surrounds the plus sign, so the run’s mean is close to it.",
		Text: "In the contiguous order the run stays on one side of the plus sign. With new orders, the average iterate makes the mixture " +
			"almost as small as it can be.",
		Seeds: "The mean start of outer iterations is 0.02 away from the plus sign, against 0.39 in the contiguous order. A single iteration " +
			"begins 0.120 ± 0.001 away (root mean square). At the average iterate the mixture is 0.0004 above its minimum, at the last iterate " +
			"0.007 ± 0.002 (20 seeds).",
		Values: map[string]string{"m": "5,15", "budget": "4000", "zoom": zoomEnd, "view": viewOutputs, "speed": "1000"}},
	{ID: "whose", Title: "Which matters: the blocks, or the turns?", Selected: sweeps.FunctionAlternate + "-1",
		Hero: "curve", Keys: []string{"method", "axis", "alpha", "m"},
		Lead: "Methods that take turns among the goals stay away from the minimum; methods that follow the mixture rest there.",
		Text: "Function-Alternate moves all variables in every step and stays as far away as Block-SMOO: the cause is the turns, not the " +
			"blocks. At first the methods that take turns are ahead, but with α = 0.2 the weighted sum is almost level with them.",
		References: []axes.Reference{axes.Level("curve", onePercent, "1 % of the initial gap")},
		Values:     map[string]string{"method": all, "order": "contiguous", "blockorder": "listed", "axis": "coordinates"}},
	{ID: "theorems", Title: "What do the theorems promise?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "curve", Keys: []string{"m", "schedule", "view"},
		Lead: "The theorems’ bounds hold, but they are many thousands of times too large.",
		Text: "Theorem 3.1 bounds ‖∇F_m‖² at a random iterate, and Theorem 3.2 bounds F_m at the average iterate. With more turns the bounds " +
			"rise, but the bounded quantities fall. The proof of Theorem 3.1 loses a factor p; with that factor its bound falls to a tenth here.",
		Seeds: "The bounds are 18,000 and 100,000 times too large (geometric means of 20 seeds); with m = (5, 15), they are 940,000 and " +
			"3,400,000 times too large. For this m, the factor p in (B.1) reduces Theorem 3.1’s bound to a twentieth.",
		Values: map[string]string{"schedule": "invsqrt", "budget": "3200", "view": viewBounds, "speed": "500"}},
	{ID: "printed", Title: "How long may the first steps be?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "curve", Keys: []string{"schedule", "m", "view"},
		Lead: "The theorem’s first steps are so long that they lead runs far beyond their start.",
		Text: "Theorem 3.3’s steps begin with 2/μ = 1.98, although 1/L is 0.44, and are repeated p times on every block. Runs come back, but " +
			"the average still contains the detour. Our steps of the same order, never above 1/(pL), hardly lead runs farther away than their " +
			"start.",
		Seeds: "The start is 2.5 away from the minimiser. The printed steps lead runs 37 ± 5 away from it, and with m = (5, 15) 89,000 ± " +
			"19,000 away (geometric means of 40 seeds); our steps lead them at most 2.51 away, on average.",
		References: []axes.Reference{axes.Level("curve", 100*onePercent, "where it starts")},
		Values:     map[string]string{"schedule": "printed", "budget": "800", "view": viewOutputs, "speed": "200"}},
	{ID: "jacobi", Title: "What if all blocks move at once?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "plane", Keys: []string{"update", "m", "alpha"},
		Lead: "Even if all blocks move at once, the run ends up oscillating on the same path as if they alternated.",
		Text: "This variant is not in the paper: no block sees the other blocks’ moves in the same outer iteration. In the contiguous order " +
			"every block comes back to where it began, so it does not matter whether others saw its moves. But after an outer iteration 0.27 of " +
			"the distance to that path is left, and 0.16 if blocks see each other’s moves.",
		Values: map[string]string{"m": "5,15", "update": "jacobi", "order": "contiguous", "blockorder": "listed", "budget": "400"}},
	{ID: "three", Title: "And with three goals?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "frequencies", Keys: []string{"m", "q", "alpha"},
		Lead: "Every way to share the turns among three goals leads to a different point of the Pareto set.",
		Text: "Three shares are a point in a triangle: drag it, or select it with Enter and use the arrow keys. In a corner one goal has all " +
			"turns; in the middle all goals count the same. The Pareto set is an area now.",
		Values: map[string]string{"q": "3", "m": "6,6,6", "alpha": "0.02", "budget": "720", "speed": "200"}},
}
