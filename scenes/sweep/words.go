package sweep

import (
	"strings"

	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "sweep",
	Title:    "Sweep the front",
	Question: "Where does each choice of frequencies end?",
	Summary: "Three workshops share the hours of one machine, and here all ways to share them are tried, one after the other. Every " +
		"point is where a run has ended that gave each of three losses its own number of turns. The brighter a point, the " +
		"smaller the mean of its losses; a hollow one is dominated: another point is better in all goals.",
	Try: "Pause the sweep when you like: it goes on from there. Point at a point to see whose turns it had, and drag beside it to turn " +
		"the front.",
	Done:   "This is the same front from another side.",
	Tried:  condition.Dragged(kinds.CameraHandle),
	Paper:  "Block-SMOO, section 4.5, Figure 2 and Table 1; the data are ours",
	Group:  scene.OneBlock,
	Hero:   "front",
	Beside: []string{"vectors", "quality"},
	Keys:   []string{"method", "passes", "alpha", "r", "p"},

	Counts:    "pass",
	Methods:   Methods,
	Symbols:   symbols,
	Presets:   presets,
	Facts:     factKinds.Help(),
	Equations: equations(),
	New:       func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = sweeps.Methods()

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "m", Text: "The frequencies: how many turns each objective has on every block, in each outer iteration.",
		Source: "Block-SMOO, Algorithm 1"},
	{Sign: "p", Text: "How many turns there are together: the sum of m.", Source: "Block-SMOO, Algorithm 1"},
	{Sign: "f_k", Text: "The loss of objective k: the mean of the squared errors of response k. Responses have size 1, so that saying 0 " +
		"always makes it 1.", Source: "Block-SMOO, section 4.1, which prints the sum"},
	{Sign: "F_m", Text: "What a run minimises: the sum of the losses with the weights m_k/p, over the examples to learn from.",
		Source: "Block-SMOO, equation (2.1)"},
	{Sign: "k", Text: "The iteration of the time line: one pass of the run that is due. When it had its passes, the next vector’s begins.",
		Source: "ours"},
	{Sign: "α", Text: "The step size.", Source: "Block-SMOO, Algorithm 1"},
	{Sign: "r", Text: "The number of directions that all responses are predicted from: U has r columns, V r rows.",
		Source: "Block-SMOO, equation (4.1)"},
	{Sign: "U, V", Text: "The two blocks: U makes r numbers of the features, V three responses of these.",
		Source: "Block-SMOO, equation (4.1)"},
	{Sign: "purity", Text: "The share of a method’s front that no point of another method dominates.", Source: "Bandyopadhyay et al. 2004"},
	{Sign: "Γ", Text: "The largest gap in a front, in any one loss, the ends of all fronts included.", Source: "Custódio et al. 2011"},
	{Sign: "Δ", Text: "How uneven the gaps are: 0 where all are equal.", Source: "Custódio et al. 2011"},
	{Sign: "BP", Text: "Backpropagations: gradients on one batch, of one objective or of the weighted sum.", Source: "PSMGD, Table 1"},
}

// all lists the names of the methods.
var all = strings.Join([]string{sweeps.BlockSMOO, sweeps.WeightedSum, sweeps.FunctionAlternate, sweeps.BlockAlternate}, ",")

// presets are the one-click cards. Their statements about draws are over as many seeds.
var presets = []scene.Preset{
	{ID: "front", Title: "Do frequencies reach the front?",
		Lead: "Both methods’ runs end near the grey sheet, where the mixture of each vector is least.",
		Text: "One direction is to serve three responses, so that every vector has an optimum of its own. Block-SMOO ends farther from its " +
			"optima than the weighted sum, and so more of its points are dominated.",
		Seeds:  "The weighted sum is 0.01 % above its least, Block-SMOO 1.5 %; their purities are 1.00 and 0.88 (medians of 20 draws).",
		Values: map[string]string{}},
	{ID: "methods", Title: "Is it the blocks, or the functions?",
		Lead: "Here Block-SMOO stays above its optima mostly because objectives take turns, hardly because blocks do.",
		Text: "Block-Alternate moves one block at a time as Block-SMOO does, but down the gradient of the weighted sum. Function-Alternate " +
			"moves all variables, for one objective at a time.",
		Seeds:  "Block-Alternate ends 0.3 % above its least, Function-Alternate 1.0 % and Block-SMOO 1.5 % (medians of ten draws).",
		Values: map[string]string{"method": all}, Hero: "run"},
	{ID: "alpha", Title: "Does it go away with smaller steps?",
		Lead: "With smaller steps and more passes Block-SMOO ends nearer to its optima, but not as near as the weighted sum.",
		Text: "The paper’s step size, 0.02, and 50 passes in place of 20, so that the runs come as far. With 20 passes Block-SMOO does not get " +
			"as far.",
		Seeds:  "Block-SMOO ends 0.7 % above its least, not 1.5 %, and its purity is 0.94, not 0.88 (medians of 20 draws).",
		Values: map[string]string{"alpha": "0.02", "passes": "50"}, Keys: []string{"alpha", "passes", "method", "loss"}},
	{ID: "full", Title: "What if no one has to give way?", Keys: []string{"r", "passes", "view", "alpha"},
		Lead: "Where one point is best for all, the front only says whose runs are further on.",
		Text: "Three directions for three responses: every vector without a zero has the same optimum. The front that is left are runs that " +
			"are not finished.",
		Seeds: "With 5 passes Block-SMOO’s purity is 0.08 and the weighted sum’s 1.00 (means of ten draws). With 20 passes Block-SMOO’s is " +
			"below the weighted sum’s and, as the draw has it, between 0 and 0.7.",
		Values: map[string]string{"r": "3"}},
	{ID: "pass", Title: "What is a pass?", Keys: []string{"pass", "r", "passes", "alpha"},
		Lead: "Whose front is better depends on what a pass is, an outer iteration or a step.",
		Text: "Here a batch counts for a whole outer iteration, in which Block-SMOO makes 20 steps and the weighted sum one. The paper states " +
			"neither what a pass is nor r.",
		Seeds: "Block-SMOO’s purity is 1.00 and the weighted sum’s 0.05; counted by steps they are 0.09 and 1.00 (medians of ten draws). The " +
			"paper has 0.69 and 0.51.",
		Values: map[string]string{"r": "3", "alpha": "0.02", "pass": passOuter}},
	{ID: "zeros", Title: "What if an objective has no turns?", Keys: []string{"p", "loss", "view", "method"},
		Lead: "Where an objective has no turns, points lie apart from the sheet, along the walls of the box.",
		Text: "30 of the 66 vectors have a zero. Nothing moves that objective’s column of V, and its loss stays about where it is when one " +
			"says 0, at 1. Yet most of these points are on the front.",
		Seeds:  "That loss ends between 0.5 and 1.8.",
		Values: map[string]string{"view": viewGamma}},
	{ID: "many", Title: "And with the paper’s 231 vectors?", Keys: []string{"p", "method", "passes", "alpha"},
		Lead:   "Here the points stand closer, and more of Block-SMOO’s front is dominated than with fewer vectors.",
		Text:   "Twenty turns to share out, as in Figure 2, make 231 vectors. A small difference is enough to be dominated.",
		Seeds:  "Block-SMOO’s purity falls from 0.87 to 0.74, the weighted sum’s stays near 1 (means of ten draws).",
		Values: map[string]string{"p": "20", "speed": "1000"}},
}
