package blocks

import (
	"fmt"

	"paretoplay/scenes/exchange"
	"paretoplay/scenes/lesson/condition"
	"paretoplay/scenes/race/sweeps"
	"paretoplay/scenes/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "blocks",
	Title:    "One block, one objective",
	Question: "What becomes of a step that moves one block for one goal?",
	Summary: "Each short line is a step that moves one of two variables, downhill for one of two goals: it ends in a dot for the first, in " +
		"a square for the second. The second has three turns for every one of the first, and so the run is led, this way and that, to near the " +
		"plus sign, where a mixture is least in which it counts three times as much.",
	Try:   "Give the first goal three turns, too: the plus sign slides along the thick curve, and the runs follow it.",
	Tried: condition.Changed("m"),
	DataSummary: "Your objectives, one after the other: each step moves one block of the variables, downhill for one of them. How often " +
		"each has its turn says how much it counts where the runs end.",
	DataTry: "Give the objectives other frequencies, and see which of them the runs come nearer to. Where the runs fly apart, make the " +
		"steps shorter.",
	Data: &scene.DataWords{Button: "Bring your own objectives", Title: "Your own objectives",
		Example: "{\"Q\": [[[2, 0.6], [0.6, 1]], [[1, 0], [0, 2]]],\n \"c\": [[-1, 0], [1, 0]], \"m\": [1, 2]}",
		Format: fmt.Sprintf("JSON, {\"Q\": q×n×n, \"c\": q×n} for f_k = ½(x − c)ᵀQ(x − c), up to %d objectives of up to %d variables, and if "+
			"you like \"blocks\" (lists of variables, from 0), \"m\" and \"x0\". What you bring stays in this browser; a link to what you see "+
			"holds only its SHA-256.", exchange.MaxBowls, exchange.MaxBowlVariables)},
	Paper:     "Block-SMOO, Algorithm 1; the bowls are ours",
	Group:     scene.OneBlock,
	Hero:      "plane",
	Keys:      []string{"m", "alpha", "partition"},
	Counts:    "step",
	Methods:   Methods,
	Symbols:   symbols,
	Presets:   presets,
	Facts:     factKinds.Help(),
	Equations: sweeps.Equations(),
	New:       func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = sweeps.Methods()

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "k", Text: "The step: one block down the gradient of one objective. k = 0 is the start.", Source: "Block-SMOO, Algorithm 1"},
	{Sign: "t", Text: "The outer iteration, from 0: every block has had every turn once in it, s·p steps.",
		Source: "Block-SMOO, Algorithm 1"},
	{Sign: "x", Text: "The variables; x_b are those of block b. There are s blocks.", Source: "Block-SMOO, section 1"},
	{Sign: "m", Text: "The frequencies: how often each objective has its turn on a block. 0 leaves it out.", Source: "Block-SMOO, section 2"},
	{Sign: "p", Text: "The turns of a block, the sum of the frequencies.", Source: "Block-SMOO, section 2"},
	{Sign: "F_m", Text: "The mixture that is made small: the sum of the objectives with weights m_k/p.", Source: "Block-SMOO, section 2"},
	{Sign: "x*", Text: "Where F_m is least, a point of the Pareto set.", Source: "Block-SMOO, Assumption 3.3"},
	{Sign: "π", Text: "The order of the objectives’ turns on a block.", Source: "Block-SMOO, section 2"},
	{Sign: "σ", Text: "The noise: the standard deviation of every coordinate of every gradient. The paper’s σ is two other things, the " +
		"order of the blocks and a bound of all gradients, which no quadratic has; the bounds here take the longest gradient on a run’s way.",
		Source: "Block-SMOO, Algorithm 1 and Assumption 3.2"},
	{Sign: "α", Text: "The step size. The theorems have 1/√T for T outer iterations, and 2/(μ(t + 1)), which is never below 2/L at " +
		"first. A remark on Theorem 3.3 prints 1/√T where its rate is 1/T.", Source: "Block-SMOO, Theorems 3.1 to 3.3"},
	{Sign: "L, μ", Text: "The steepest curvature of any objective, and the flattest of F_m.", Source: "Block-SMOO, Assumptions 3.1 and 3.4"},
	{Sign: "T, Δ", Text: "The number of outer iterations, and the farthest from x* that one of them begins.",
		Source: "Block-SMOO, Assumption 3.3"},
	{Sign: "bound", Text: "Theorem 3.1’s proof loses a factor p in (B.1), for the turns of a block add up to p times the gradient of F_m; " +
		"the bound that keeps it is ours.", Source: "Block-SMOO, appendix B"},
	{Sign: "bias", Text: "How far from x* outer iterations begin on average, in the long run.", Source: "measured here"},
	{Sign: "width", Text: "The largest distance of two points of an outer iteration.", Source: "measured here"},
}

// all are all methods.
const all = sweeps.BlockSMOO + "," + sweeps.WeightedSum + "," + sweeps.FunctionAlternate + "," + sweeps.BlockAlternate

// presets are the one-click cards. What they say of seeds is of 20, which draw the orders: the
// mean and its standard error.
var presets = []scene.Preset{
	{ID: "steer", Title: "Where do the frequencies steer it?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "frequencies", Keys: []string{"m", "method", "alpha"},
		Text: "The paper’s example: five turns for the first goal, fifteen for the second. The runs go to where ¼f₁ + ¾f₂ is least, f₁ = 1.07 " +
			"and f₂ = 0.23, and stay near. With ten turns each that is at 0.51 and 0.55, with (15, 5) at 0.19 and 1.09: the shares of the turns " +
			"are weights. Drag them, and the runs end somewhere else on the front.",
		Values: map[string]string{"m": "5,15", "alpha": "0.02", "budget": "800", "speed": "200"}},
	{ID: "ways", Title: "One mixture, three ways there?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "curve", Keys: []string{"m", "alpha", "view", "zoom"},
		Text: "m = (1, 3), (2, 6) and (5, 15) make the same mixture small, and none comes to rest where it is least. In the contiguous " +
			"order outer iterations end up all alike, to and fro: they begin 0.059, 0.15 and 0.39 away and are 0.18, 0.35 and 0.82 wide. There m " +
			"scaled is α scaled: (5, 15) with α = 0.02 instead of 0.1 is 0.17 wide. With new orders for every block, as in the paper, more turns " +
			"do not lead farther off on average, 0.03, 0.03 and 0.02, but a single outer iteration begins 0.04, 0.06 and 0.12 away (root mean " +
			"square, 20 seeds).",
		Values: map[string]string{"order": "contiguous", "blockorder": "listed", "budget": "400", "zoom": zoomEnd,
			"view": viewBias, "speed": "60"}},
	{ID: "order", Title: "Does a random order cure it?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "plane", Keys: []string{"order", "m", "zoom", "view"},
		Text: "New orders for every block lead to all sides: on average outer iterations begin 0.02 away from the plus sign, in the " +
			"contiguous order 0.39. But a single one begins 0.120 ± 0.001 away (root mean square). So take the average of all: there the mixture " +
			"is 0.0004 above its least value, at the last iterate 0.007 ± 0.002 (20 seeds).",
		Values: map[string]string{"m": "5,15", "budget": "4000", "zoom": zoomEnd, "view": viewOutputs, "speed": "1000"}},
	{ID: "whose", Title: "Is it the blocks, or the turns?", Selected: sweeps.FunctionAlternate + "-1",
		Hero: "curve", Keys: []string{"method", "axis", "alpha", "m"},
		Text: "Function-Alternate moves all variables in every step and stays 0.064 off, Block-SMOO 0.059: it is the turns of the goals, not " +
			"the blocks. The other two follow the mixture itself and rest where it is least. To 1 % of the first gap they take 76 coordinates of " +
			"gradients, those that take turns 33 and 34; but with α = 0.2 the weighted sum takes 36.",
		Values: map[string]string{"method": all, "order": "contiguous", "blockorder": "listed", "axis": "coordinates"}},
	{ID: "theorems", Title: "What do the theorems promise?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "curve", Keys: []string{"m", "schedule", "view"},
		Text: "Theorem 3.1 bounds ‖∇F_m‖² of a random iterate, Theorem 3.2 F_m of the average one. Both hold, and are 18 000 and 100 000 times " +
			"too large (geometric means of 20 seeds); with m = (5, 15) 940 000 and 3 400 000 times: they rise with p, what they bound falls. " +
			"(B.1) loses a factor p; with it Theorem 3.1’s bound is a tenth of that here, a twentieth with (5, 15).",
		Values: map[string]string{"schedule": "invsqrt", "budget": "3200", "view": viewBounds, "speed": "500"}},
	{ID: "printed", Title: "How long may the first steps be?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "curve", Keys: []string{"schedule", "m", "view"},
		Text: "Theorem 3.3’s steps begin with 2/μ = 1.98, where 1/L is 0.44, p times on every block. That leads runs 32 away from where they " +
			"are to go, 2.5 from the start, and with m = (5, 15) 90 000 (geometric means of 20 seeds). They come back, but the average remembers " +
			"it. Our steps of the same order, never above 1/(pL), lead them 2.51 away at most, on average (20 seeds).",
		Values: map[string]string{"schedule": "printed", "budget": "800", "view": viewOutputs, "speed": "200"}},
	{ID: "jacobi", Title: "And if all blocks move at once?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "plane", Keys: []string{"update", "m", "alpha"},
		Text: "That is beyond the paper: no block sees what the others did in the same outer iteration. In the contiguous order it ends up on " +
			"the same way to and fro: there every block comes back to where it began, so that it does not matter who saw it. But an outer " +
			"iteration leaves 0.27 of the way there, where blocks see each other 0.16.",
		Values: map[string]string{"m": "5,15", "update": "jacobi", "order": "contiguous", "blockorder": "listed", "budget": "400",
			"speed": "60"}},
	{ID: "three", Title: "And with three goals?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "frequencies", Keys: []string{"m", "q", "alpha"},
		Text: "Three shares are a point of a triangle: drag it, or use the arrow keys. In a corner one goal has all turns; in the middle the " +
			"mixture is least at f = (1.14, 0.57, 1.24). Every point of the triangle has a place of its own in the Pareto set, which is an area " +
			"now.",
		Values: map[string]string{"q": "3", "m": "6,6,6", "alpha": "0.02", "budget": "720", "speed": "200"}},
}
