package blocksteps

import (
	"fmt"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "blocks",
	Title:    "One block, one objective",
	Question: "What becomes of a step that moves one block for one goal?",
	Summary: "Two cooks season one soup in turns, one spice at a time. Each short line is such a turn, a step that moves one of two " +
		"variables, downhill for one of two goals: it ends in a dot for the first, in a square for the second. The second has " +
		"three turns for every one of the first, and so the run is led, this way and that, to near the plus sign, where a " +
		"mixture is least in which it counts three times as much.",
	Try:  "Give the first goal three turns, too: the plus sign slides along the thick curve, and the runs follow it.",
	Done: "Both goals count the same now: the plus sign is where their mean is least, and the runs are beside it.",
	Tried: condition.And(condition.Is("m", "3,3"), condition.FactAtMost("distance.blocksmoo", 0.2),
		condition.FactAtMost("distance.weightedsum", 0.2)),
	DataSummary: "Your objectives, one after the other: each step moves one block of the variables, downhill for one of them. How often " +
		"each has its turn says how much it counts where the runs end.",
	DataTry: "Give the objectives other frequencies, and see which of them the runs come nearer to. Where the runs fly apart, make the " +
		"steps shorter.",
	Data: &scene.DataWords{Button: "Bring your own objectives", Title: "Your own objectives",
		Example: "{\"Q\": [[[2, 0.6], [0.6, 1]], [[1, 0], [0, 2]]],\n \"c\": [[-1, 0], [1, 0]], \"m\": [1, 2]}",
		Format: fmt.Sprintf("JSON, {\"Q\": q×n×n, \"c\": q×n} for f_k = ½(x − c)ᵀQ(x − c), up to %d objectives of up to %d variables, and if "+
			"you like \"blocks\" (lists of variables, from 0), \"m\" and \"x0\". What you bring stays in this browser; a link to what you see "+
			"holds only its SHA-256.", data.MaxBowls, data.MaxBowlVariables)},
	Takes:     data.Quadratics,
	Brought:   []string{"q", "m", "partition", "start"},
	Paper:     "Block-SMOO, Algorithm 1; the bowls are ours",
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

// onePercent is a hundredth of F_m's height above its minimum at the start, with m = (1, 3).
const onePercent = 0.0384

// presets are the one-click cards. Their statements about seeds are means and standard errors over 20 seeds, which draw the orders.
var presets = []scene.Preset{
	{ID: "steer", Title: "Where do the frequencies steer it?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "frequencies", Keys: []string{"m", "method", "alpha"},
		Lead: "The shares of the turns act as weights, and a goal with more turns ends smaller.",
		Text: "The paper’s example has five turns for the first goal, fifteen for the second. The runs go to where ¼f₁ + ¾f₂ is least, and " +
			"stay near. Drag the shares, and the runs end somewhere else on the front.",
		References: []axes.Reference{axes.Upright("frequencies", 0.25, "(15, 5)"), axes.Upright("frequencies", 0.5, "(10, 10)")},
		Values:     map[string]string{"m": "5,15", "alpha": "0.02", "budget": "800", "speed": "200"}},
	{ID: "ways", Title: "One mixture, three ways there?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "curve", Keys: []string{"m", "alpha", "view", "zoom"},
		Lead: "The more turns an outer iteration has, the farther off and the wider the run goes round.",
		Text: "m = (1, 3), (2, 6) and (5, 15) make the same mixture small, and in the contiguous order no run comes to rest where it is least. " +
			"There more turns are like longer steps. With new orders for every block, as in the paper, they do not lead farther off on average.",
		Seeds: "In the contiguous order outer iterations begin 0.059, 0.15 and 0.39 away and are 0.18, 0.35 and 0.82 wide; (5, 15) with α = " +
			"0.02 instead of 0.1 is 0.17 wide. With new orders they begin 0.03, 0.03 and 0.02 away on average, a single one 0.04, 0.06 and 0.12 " +
			"away (root mean square, 20 seeds).",
		Values: map[string]string{"order": "contiguous", "blockorder": "listed", "budget": "400", "zoom": zoomEnd,
			"view": viewBias}},
	{ID: "order", Title: "Does a random order cure it?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "plane", Keys: []string{"order", "m", "zoom", "view"},
		Lead: "New orders for every block lead the run to all sides, and on average hardly off the plus sign.",
		Text: "In the contiguous order it stays on one side. So take the average of all iterates: there the mixture is almost at its least " +
			"value.",
		Seeds: "On average outer iterations begin 0.02 away from the plus sign, in the contiguous order 0.39, and a single one begins 0.120 ± " +
			"0.001 away (root mean square). At the average the mixture is 0.0004 above its least value, at the last iterate 0.007 ± 0.002 (20 " +
			"seeds).",
		Values: map[string]string{"m": "5,15", "budget": "4000", "zoom": zoomEnd, "view": viewOutputs, "speed": "1000"}},
	{ID: "whose", Title: "Is it the blocks, or the turns?", Selected: sweeps.FunctionAlternate + "-1",
		Hero: "curve", Keys: []string{"method", "axis", "alpha", "m"},
		Lead: "Methods that take turns among the goals stay off, and those that follow the mixture come to rest.",
		Text: "Function-Alternate moves all variables in every step and stays as far off as Block-SMOO: it is the turns of the goals, not the " +
			"blocks. At first those that take turns are ahead; but with α = 0.2 the weighted sum is almost level with them.",
		References: []axes.Reference{axes.Level("curve", onePercent, "1 % of the first gap")},
		Values:     map[string]string{"method": all, "order": "contiguous", "blockorder": "listed", "axis": "coordinates"}},
	{ID: "theorems", Title: "What do the theorems promise?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "curve", Keys: []string{"m", "schedule", "view"},
		Lead: "The theorems’ bounds hold, and lie many thousand times above what they bound.",
		Text: "Theorem 3.1 bounds ‖∇F_m‖² of a random iterate, Theorem 3.2 F_m of the average one. With more turns the bounds rise, and what " +
			"they bound falls. The proof of 3.1 loses a factor p; with it that bound is a tenth here.",
		Seeds: "They are 18 000 and 100 000 times too large (geometric means of 20 seeds), with m = (5, 15) 940 000 and 3 400 000 times; there " +
			"the factor p in (B.1) makes Theorem 3.1’s bound a twentieth.",
		Values: map[string]string{"schedule": "invsqrt", "budget": "3200", "view": viewBounds, "speed": "500"}},
	{ID: "printed", Title: "How long may the first steps be?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "curve", Keys: []string{"schedule", "m", "view"},
		Lead: "The theorem’s first steps are so long that they lead runs far beyond where they start.",
		Text: "Theorem 3.3’s steps begin with 2/μ = 1.98, where 1/L is 0.44, p times on every block. Runs come back, but the average remembers " +
			"it. Our steps of the same order, never above 1/(pL), hardly lead them farther off than they start.",
		Seeds: "The printed steps lead runs 37 ± 5 away from where they are to go, 2.5 from the start, and with m = (5, 15) 89 000 ± 19 000 " +
			"(geometric means of 40 seeds); ours 2.51 away at most, on average.",
		References: []axes.Reference{axes.Level("curve", 100*onePercent, "where it starts")},
		Values:     map[string]string{"schedule": "printed", "budget": "800", "view": viewOutputs, "speed": "200"}},
	{ID: "jacobi", Title: "And if all blocks move at once?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "plane", Keys: []string{"update", "m", "alpha"},
		Lead: "Even if all blocks move at once, the run ends up on the same way to and fro.",
		Text: "That is beyond the paper: no block sees what the others did in the same outer iteration. In the contiguous order every block " +
			"comes back to where it began, so that it does not matter who saw it. But an outer iteration leaves 0.27 of the way there, where " +
			"blocks see each other 0.16.",
		Values: map[string]string{"m": "5,15", "update": "jacobi", "order": "contiguous", "blockorder": "listed", "budget": "400"}},
	{ID: "three", Title: "And with three goals?", Selected: sweeps.BlockSMOO + "-1",
		Hero: "frequencies", Keys: []string{"m", "q", "alpha"},
		Lead: "Every way to share the turns among three goals has a place of its own in the Pareto set.",
		Text: "Three shares are a point of a triangle: drag it, or take it with Enter and use the arrow keys. In a corner " +
			"one goal has all turns; in the middle all count alike. The Pareto set is an area now.",
		Values: map[string]string{"q": "3", "m": "6,6,6", "alpha": "0.02", "budget": "720", "speed": "200"}},
}
