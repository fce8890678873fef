package regression

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
	ID:       "regression",
	Title:    "Reduced-rank regression",
	Question: "Is it cheaper to learn one block and one goal at a time?",
	Summary: "A weather office learns five forecasts from the same hundred readings: all at every step, or a part of one at a time? " +
		"Each line is a method that learns five responses from a hundred features: how large its error on other data is, for the " +
		"multiplications that its gradients took.",
	Try:   "Give each method a step size of its own: then the weighted sum, third with equal steps, is first.",
	Done:  "The weighted sum is the first whose error is 0.01 now.",
	Tried: condition.And(condition.Is("stepsizes", "own"), isFirst("blocksmoo"), isFirst("functionalternate"), isFirst("blockalternate")),
	DataSummary: "Each line is a method that learns to predict your responses from the other columns: how large its error on the last 30 % " +
		"of the rows is, for the multiplications that its gradients took.",
	DataTry: "Change the rank: it says from how many mixtures of the columns all responses are predicted.",
	Data: &scene.DataWords{Button: "Bring your own table", Title: "Your own table",
		Example: "hour,wind,PM2.5,PM10\n1,N,21,40\n2,NE,24,47\n3,N,19,38\n4,S,30,61\n",
		Format: fmt.Sprintf("A table with a heading, earliest row first. Say under Responses which columns are to be predicted. The first 70 %% "+
			"of the rows are learnt from, by which all columns are standardised; the others are for tests. A column of words becomes a column for "+
			"each word but one, at most %d columns in all; a row without a value in some column is left out, at most %d numbers are read. What you "+
			"bring stays in this browser; a link to what you see holds only its SHA-256 and the names of the responses.",
			maxFeatures, data.MaxNumbers)},
	Takes:      data.Rows,
	Paper:      "Block-SMOO, section 4 and Figure 1, scaled down",
	Group:      scene.OneBlock,
	Hero:       "loss",
	Beside:     []string{"where", "cost"},
	Keys:       []string{"responses", "stepsizes", "alpha", "share", "axis"},
	Comparison: &scene.Comparison{Fact: "loss", Log: true, Step: "alpha", Baseline: "weightedsum"},
	Counts:     "step",
	Methods:    Methods,
	Symbols:    symbols,
	Presets:    presets,
	Facts:      factKinds.Help(),
	Equations:  sweeps.Equations(),
	New:        func() scene.Scene { return New() },
}

// isFirst says that the weighted sum reached a test loss of 0.01 with fewer multiplications than a method.
func isFirst(beside string) *condition.Tree {
	return condition.Below(condition.Fact("reach.weightedsum.hundredth"), condition.Fact("reach."+beside+".hundredth"))
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = sweeps.Methods()

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "U, V", Text: "The factors: x·U are r mixtures of the features, and x·U·V predicts the responses.", Source: "Block-SMOO, section " +
		"4.1"},
	{Sign: "f_k", Text: "The loss of response k: the mean square of what it is mispredicted by. The paper prints the sum.",
		Source: "Block-SMOO, equation (4.1)"},
	{Sign: "m_k", Text: "How often response k has its turn on a block; p is the sum.", Source: "Block-SMOO, Algorithm 1"},
	{Sign: "F", Text: "The weighted sum of the losses with weights m_k/p, which all methods lower.", Source: "Block-SMOO, section 3"},
	{Sign: "α", Text: "The step size.", Source: "Block-SMOO, Algorithm 1"},
	{Sign: "r", Text: "The rank: how many columns U has.", Source: "Block-SMOO, section 4.1"},
	{Sign: "σ", Text: "The standard deviation of the noise in the responses.", Source: "Block-SMOO, equation (4.2)"},
	{Sign: "ma", Text: "Multiplications, each with its addition, of a run’s gradients, by formula.", Source: "ours; the paper has seconds"},
}

// noiseVariance is the variance of the card on noise.
const noiseVariance = 1

// presets are the one-click cards. Their statements about times and ratios are over 20 seeds, which draw data, starts and batches:
// medians, and geometric means of paired runs with standard errors.
var presets = []scene.Preset{
	{ID: "equal", Title: "Who is first with equal steps?", Keys: []string{"alpha", "method", "axis"},
		Lead: "With equal steps Function-Alternate is first to a test loss of 1, and Block-SMOO before the weighted sum.",
		Text: "A step down one response’s gradient costs a third of one down all. Function-Alternate, which parts no variables, gains most; " +
			"Block-Alternate, which parts them only, comes last.",
		Seeds: "With α = 0.01 for all, a test loss of 1 takes Function-Alternate 4.3 million multiply-adds, Block-SMOO 8.2, the weighted sum " +
			"12.6 and Block-Alternate 20.1 (medians of 20 draws). Block-SMOO is 1.60 ± 0.08 times sooner than the weighted sum, and " +
			"Function-Alternate another 1.91 ± 0.09 times.",
		Values: map[string]string{"seeds": "3"}},
	{ID: "best", Title: "And each at its best?", Keys: []string{"stepsizes", "weightedsum.alpha", "blocksmoo.alpha"},
		Lead: "With each method at its best step size, the weighted sum is first to a test loss of 0.01.",
		Text: "Block-SMOO’s early lead is one of equal steps. At its best it comes after Function-Alternate and long after the weighted sum, " +
			"which can take longer steps.",
		Seeds: "Each method has the largest step size of the paper’s grid with which at most one draw of 20 diverges. A test loss of 0.01 " +
			"takes the weighted sum 4.3 million multiply-adds, Function-Alternate 6.6, Block-SMOO 13.2 and Block-Alternate 15.5 (medians); " +
			"Block-SMOO is 3.1 ± 0.1 times later than the weighted sum.",
		Values: map[string]string{"stepsizes": sweeps.BestSteps, "seeds": "3"}},
	{ID: "large", Title: "Why not long steps for all?", Keys: []string{"alpha", "method"}, Selected: sweeps.WeightedSum + "-1",
		Lead:   "With longer steps for all, Block-SMOO and Function-Alternate fly apart, and the weighted sum is at its best.",
		Text:   "In the weighted sum a response’s gradient counts a fifth; alone it counts in full.",
		Seeds:  "With α = 0.05 Block-SMOO and Function-Alternate diverge on all of 20 draws, Block-Alternate on 8, the weighted sum on none.",
		Values: map[string]string{"alpha": "0.05"}},
	{ID: "shared", Title: "What if the steps on V share a batch?", Keys: []string{"share", "stepsizes", "method"},
		Lead: "If all steps of a visit share a batch, Block-SMOO comes sooner, but not before the weighted sum.",
		Text: "Beyond the paper: all steps of a visit to V see one batch, so that X·U is computed once.",
		Seeds: "Block-SMOO then comes to 0.01 1.73 ± 0.05 times sooner than with fresh batches. With each method at its best the weighted sum " +
			"is still 1.77 ± 0.04 times sooner (means of 20 draws).",
		Values: map[string]string{"share": "true", "stepsizes": sweeps.BestSteps, "seeds": "3"}},
	{ID: "savings", Title: "What does splitting save?", Hero: "cost", Keys: []string{"share", "partition", "batch", "d"},
		Lead: "One response’s gradient costs a third of all responses’, and parting the variables saves next to nothing.",
		Text: "It is 0.321 on U and V together and 0.317 on U alone, for every part needs the errors on the whole batch. Only when the steps " +
			"of a visit to V share their batch, as here, do all but the first cost little, 0.0093.",
		Values: map[string]string{"share": "true", "alpha": "0.005"}},
	{ID: "finer", Title: "Is finer better?", Hero: "where", Keys: []string{"partition", "m", "share"},
		Lead: "With each row of V a block of its own, most steps move few variables at full price.",
		Text: "So Block-SMOO takes about twice as long to a test loss of 0.01. Longer visits to a block do not help either.",
		Seeds: "It takes 2.0 ± 0.1 times as long to 0.01. With four turns for each response in the place of two it takes 1.18 ± 0.03 times as " +
			"long to 100, and with eight 4 draws of 20 diverge.",
		Values: map[string]string{"partition": rowBlocks, "work": "40"}},
	{ID: "noise", Title: "Who stops where?", Keys: []string{"sigma", "alpha", "batch"},
		Lead: "At the same step size the weighted sum stops nearest to the noise, which nobody can predict.",
		Text: "With noise of standard deviation 1 nobody’s test loss can be far below 1. Single responses’ gradients keep shaking U and " +
			"V more.",
		Seeds: "Least squares has 1.03 in the mean of 40 draws. In the median the weighted sum ends 1 % above it, Block-SMOO 9 % and " +
			"Function-Alternate 10 %.",
		References: []axes.Reference{axes.Level("loss", noiseVariance, "the variance of the noise")},
		Values:     map[string]string{"sigma": "1", "work": "40"}},
}
