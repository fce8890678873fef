package sweep

import (
	"strings"

	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene"
)

// About describes the scene to the page.
var About = scene.About{
	ID:       "sweep",
	Title:    "Sweep the front",
	Question: "Where does each choice of frequencies lead?",
	Summary: "Three workshops share the hours of one machine. This scene tries all ways to share them, one after the other. Every point " +
		"is the end of a run that gave each of three losses a certain number of turns. The brighter a point, the smaller the mean of its " +
		"losses. A hollow point is dominated: another point is better in all goals.",
	Try: "Pause the sweep whenever you like; it continues where it stopped. Hover over a point to see how its turns were shared, and drag " +
		"the background to turn the front.",
	Done:   "This is the same front, seen from another side.",
	Tried:  condition.Dragged(kinds.CameraHandle),
	Paper:  "Block-SMOO, section 4.5, Figure 2 and Table 1, on our own data",
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

// Methods lists the scene's methods in the order of lists and legends.
var Methods = sweeps.Methods()

// symbols explains the symbols on screen.
var symbols = []scene.Symbol{
	{Sign: "m", Text: "The frequencies: how many turns each objective has on every block in each outer iteration.",
		Source: "Block-SMOO, Algorithm 1"},
	{Sign: "p", Text: "The total number of turns: the sum of m.", Source: "Block-SMOO, Algorithm 1"},
	{Sign: "f_k", Text: "The loss of objective k: the mean squared error of response k. Responses are scaled to a mean square of 1, so " +
		"always predicting 0 gives a loss of 1.", Source: "Block-SMOO, section 4.1, which prints the sum instead of the mean"},
	{Sign: "F_m", Text: "The sum that a run minimises: the losses with weights m_k/p, over the training examples.",
		Source: "Block-SMOO, equation (2.1)"},
	{Sign: "k", Text: "The iteration of the time line: one pass of the current run. After all its passes, the next vector’s run begins.",
		Source: "ours"},
	{Sign: "α", Text: "The step size.", Source: "Block-SMOO, Algorithm 1"},
	{Sign: "r", Text: "The number of directions from which all responses are predicted. U has r columns, V has r rows.",
		Source: "Block-SMOO, equation (4.1)"},
	{Sign: "U, V", Text: "The two blocks: U maps the features to r numbers, and V maps these to three responses.",
		Source: "Block-SMOO, equation (4.1)"},
	{Sign: "purity", Text: "The share of a method’s front that no point of another method dominates.", Source: "Bandyopadhyay et al. 2004"},
	{Sign: "Γ", Text: "The largest gap in a front, in any single loss. The ends of all fronts are included.", Source: "Custódio et al. 2011"},
	{Sign: "Δ", Text: "How uneven the gaps in a front are. It is 0 if all gaps are equal.", Source: "Custódio et al. 2011"},
	{Sign: "BP", Text: "Backpropagations: gradients on one batch, of one objective or of the weighted sum.", Source: "PSMGD, Table 1"},
}

// all lists the names of the methods.
var all = strings.Join([]string{sweeps.BlockSMOO, sweeps.WeightedSum, sweeps.FunctionAlternate, sweeps.BlockAlternate}, ",")

// presets lists the one-click cards. Where a statement mentions a number of draws, that is the number of seeds.
var presets = []scene.Preset{
	{ID: "front", Title: "Do the frequencies lead to the front?",
		Lead: "Runs of Block-SMOO and the weighted sum end near the grey sheet, where each vector’s weighted sum is smallest.",
		Text: "One direction has to serve three responses, so every vector has a different optimum. Block-SMOO ends farther from its optima " +
			"than the weighted sum does, so more of its points are dominated.",
		Seeds:  "The weighted sum ends 0.01 % above its minimum, Block-SMOO 1.5 %; their purities are 1.00 and 0.88 (medians of 20 draws).",
		Values: map[string]string{}},
	{ID: "methods", Title: "Which alternation matters: blocks or functions?",
		Lead: "Here Block-SMOO stays above its optima mostly because objectives take turns, and hardly because blocks do.",
		Text: "Block-Alternate moves one block at a time, as Block-SMOO does, but down the gradient of the weighted sum. Function-Alternate " +
			"moves all variables, for one objective at a time.",
		Seeds:  "Block-Alternate ends 0.3 % above its minimum, Function-Alternate 1.0 % and Block-SMOO 1.5 % (medians of ten draws).",
		Values: map[string]string{"method": all}, Hero: "run"},
	{ID: "alpha", Title: "Do smaller steps end closer to the optima?",
		Lead: "With smaller steps and more passes Block-SMOO ends closer to its optima, but not as close as the weighted sum.",
		Text: "The step size is the paper’s, 0.02. There are 50 passes instead of 20, to get as far as with larger steps. With 20 passes " +
			"Block-SMOO does not get as far.",
		Seeds:  "Block-SMOO ends 0.7 % above its minimum, not 1.5 %, and its purity is 0.94, not 0.88 (medians of 20 draws).",
		Values: map[string]string{"alpha": "0.02", "passes": "50"}, Keys: []string{"alpha", "passes", "method", "loss"}},
	{ID: "full", Title: "What if no objective has to give way?", Keys: []string{"r", "passes", "view", "alpha"},
		Lead: "If one point is best for all objectives, the front only shows which method’s runs have got further.",
		Text: "With three directions for three responses, every vector without a zero has the same optimum. The remaining front consists of " +
			"runs that have not converged.",
		Seeds: "With 5 passes Block-SMOO’s purity is 0.08 and the weighted sum’s 1.00 (means of ten draws). With 20 passes Block-SMOO’s " +
			"purity is below the weighted sum’s, between 0 and 0.7 depending on the draw.",
		Values: map[string]string{"r": "3"}},
	{ID: "pass", Title: "What is a pass?", Keys: []string{"pass", "r", "passes", "alpha"},
		Lead: "Which front is better depends on whether a pass counts outer iterations or steps.",
		Text: "Here one batch serves a whole outer iteration, in which Block-SMOO takes 20 steps and the weighted sum takes one. The paper " +
			"states neither what a pass is nor the value of r.",
		Seeds: "Block-SMOO’s purity is 1.00 and the weighted sum’s 0.05; if passes count steps the purities are 0.09 and 1.00 (medians of ten " +
			"draws). The paper reports 0.69 and 0.51.",
		Values: map[string]string{"r": "3", "alpha": "0.02", "pass": passOuter}},
	{ID: "zeros", Title: "What if an objective has no turns?", Keys: []string{"p", "loss", "view", "method"},
		Lead: "If an objective has no turns, points lie away from the sheet, along the walls of the box.",
		Text: "30 of the 66 vectors have a zero. Nothing moves the idle objective’s column of V, so its loss stays at about 1, as if it always " +
			"predicted 0. Yet most of these points are on the front.",
		Seeds:  "The loss of an objective without turns ends between 0.5 and 1.8.",
		Values: map[string]string{"view": viewGamma}},
	{ID: "many", Title: "What changes with the paper’s 231 vectors?", Keys: []string{"p", "method", "passes", "alpha"},
		Lead:   "Here the points are closer together, and more of Block-SMOO’s front is dominated than with fewer vectors.",
		Text:   "Sharing twenty turns, as in Figure 2, gives 231 vectors. A small difference is enough for a point to be dominated.",
		Seeds:  "Block-SMOO’s purity falls from 0.87 to 0.74; the weighted sum’s stays near 1 (means of ten draws).",
		Values: map[string]string{"p": "20", "speed": "1000"}},
}
