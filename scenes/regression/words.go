package regression

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
	ID:       "regression",
	Title:    "Reduced-rank regression",
	Question: "Is it cheaper to learn one block and one goal at a time?",
	Summary: "A weather office learns five forecasts from the same hundred readings. Should it learn all forecasts at every step, or a " +
		"part of one forecast at a time? Each line shows a method that learns five responses from a hundred features: its error on unseen " +
		"data, against the multiplications for its gradients.",
	Try:   "Give each method its own step size. Then the weighted sum, which is third with equal steps, is first.",
	Done:  "Now the weighted sum is the first to reach an error of 0.01.",
	Tried: condition.And(condition.Is("stepsizes", "own"), isFirst("blocksmoo"), isFirst("functionalternate"), isFirst("blockalternate")),
	DataSummary: "Each line shows a method that learns to predict your responses from the other columns: its error on the last 30 % of " +
		"the rows, against the multiplications for its gradients.",
	DataTry: "Change the rank, the number of mixtures of the columns from which all responses are predicted.",
	Data: &scene.DataWords{Button: "Load your own table", Title: "Your own table",
		Example: "hour,wind,PM2.5,PM10\n1,N,21,40\n2,NE,24,47\n3,N,19,38\n4,S,30,61\n",
		Format: fmt.Sprintf("A table with a heading row, earliest data first. Choose the columns to predict under Responses. The first 70 %% of "+
			"the rows are for learning and the rest for tests; all columns are standardised by the learning rows. A column of words becomes one "+
			"column for each distinct word but one, at most %d columns in all. Rows with a missing value are left out, and at most %d "+
			"numbers are read. Your table stays in this browser; a link to this view contains only its SHA-256 and the names of the responses.",
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

// isFirst returns the condition that the weighted sum reached a test loss of 0.01 with fewer multiplications than the given method.
func isFirst(beside string) *condition.Tree {
	return condition.Below(condition.Fact("reach.weightedsum.hundredth"), condition.Fact("reach."+beside+".hundredth"))
}

// Methods lists the scene's methods in the order of lists and legends.
var Methods = sweeps.Methods()

// symbols explains the symbols on screen.
var symbols = []scene.Symbol{
	{Sign: "U, V", Text: "The factors: x·U is a set of r mixtures of the features, and x·U·V predicts the " +
		"responses.", Source: "Block-SMOO, section " +
		"4.1"},
	{Sign: "f_k", Text: "The loss of response k: the mean squared prediction error. The paper prints the sum instead of the mean.",
		Source: "Block-SMOO, equation (4.1)"},
	{Sign: "m_k", Text: "How often response k has its turn on a block. p is the sum of all m_k.", Source: "Block-SMOO, Algorithm 1"},
	{Sign: "F", Text: "The sum of the losses with weights m_k/p. All methods lower it.", Source: "Block-SMOO, section 3"},
	{Sign: "α", Text: "The step size.", Source: "Block-SMOO, Algorithm 1"},
	{Sign: "r", Text: "The rank: the number of columns of U.", Source: "Block-SMOO, section 4.1"},
	{Sign: "σ", Text: "The standard deviation of the noise in the responses.", Source: "Block-SMOO, equation (4.2)"},
	{Sign: "ma", Text: "Multiply-adds: the multiplications in a run’s gradients, each with an addition, counted by " +
		"formula.", Source: "ours; the paper reports seconds"},
}

// noiseVariance is the variance of the noise on the card about noise.
const noiseVariance = 1

// presets lists the one-click cards. The times and ratios on the cards are measured on 20 seeds of data, starts and
// batches. They are medians, or geometric means of paired runs with standard errors.
var presets = []scene.Preset{
	{ID: "equal", Title: "Which method is first with equal steps?", Keys: []string{"alpha", "method", "axis"},
		Lead: "With equal steps Function-Alternate reaches a test loss of 1 first, followed by Block-SMOO and then the weighted sum.",
		Text: "A step down one response’s gradient costs a third as much as a step down all gradients. Function-Alternate, which only " +
			"splits the responses, gains most; Block-Alternate, which only splits the variables, comes last.",
		Seeds: "With α = 0.01 for all, a test loss of 1 takes Function-Alternate 4.3 million multiply-adds, Block-SMOO 8.2, the weighted sum " +
			"12.6 and Block-Alternate 20.1 (medians of 20 draws). Block-SMOO is 1.60 ± 0.08 times as fast as the weighted sum, and " +
			"Function-Alternate 1.91 ± 0.09 times as fast as Block-SMOO.",
		Values: map[string]string{"seeds": "3"}},
	{ID: "best", Title: "And each method at its best?", Keys: []string{"stepsizes", "weightedsum.alpha", "blocksmoo.alpha"},
		Lead: "With each method at its best step size, the weighted sum is first to reach a test loss of 0.01.",
		Text: "Block-SMOO’s early lead exists only with equal steps. At its best Block-SMOO comes after Function-Alternate, and long after the " +
			"weighted sum, which can take longer steps.",
		Seeds: "Each method uses the largest step size of the paper’s grid with which at most one of 20 draws diverges. A test loss of 0.01 " +
			"takes the weighted sum 4.3 million multiply-adds, Function-Alternate 6.6, Block-SMOO 13.2 and Block-Alternate 15.5 (medians); " +
			"Block-SMOO takes 3.1 ± 0.1 times as long as the weighted sum.",
		Values: map[string]string{"stepsizes": sweeps.BestSteps, "seeds": "3"}},
	{ID: "large", Title: "Why not long steps for all methods?", Keys: []string{"alpha", "method"}, Selected: sweeps.WeightedSum + "-1",
		Lead: "With longer steps for all methods, Block-SMOO and Function-Alternate diverge, and the weighted sum is at its best.",
		Text: "In the weighted sum each response’s gradient counts for a fifth; alone it counts in full.",
		Seeds: "With α = 0.05 Block-SMOO and Function-Alternate diverge on all 20 draws, Block-Alternate on 8, and the weighted sum on " +
			"none.",
		Values: map[string]string{"alpha": "0.05"}},
	{ID: "shared", Title: "What if the steps on V share a batch?", Keys: []string{"share", "stepsizes", "method"},
		Lead: "With one batch per visit, Block-SMOO reaches a test loss of 0.01 sooner, but not before the weighted sum.",
		Text: "Shared batches are not in the paper: all steps of a visit to V use one batch, so X·U is computed once.",
		Seeds: "To reach 0.01, Block-SMOO is 1.73 ± 0.05 times as fast as with fresh batches. With each method at its best, the weighted sum " +
			"is still 1.77 ± 0.04 times as fast (means of 20 draws).",
		Values: map[string]string{"share": "true", "stepsizes": sweeps.BestSteps, "seeds": "3"}},
	{ID: "savings", Title: "What does splitting save?", Hero: "cost", Keys: []string{"share", "partition", "batch", "d"},
		Lead: "One response’s gradient costs a third as much as all responses’ gradients, and splitting the variables saves almost nothing.",
		Text: "Its relative cost is 0.321 on U and V together and 0.317 on U alone, because every part needs the errors on the whole batch. " +
			"Only if the steps of a visit to V share their batch, as here, do all but the first cost little: 0.0093.",
		Values: map[string]string{"share": "true", "alpha": "0.005"}},
	{ID: "finer", Title: "Is finer better?", Hero: "where", Keys: []string{"partition", "m", "share"},
		Lead: "If each row of V is a separate block, most steps move few variables at full price.",
		Text: "So Block-SMOO takes about twice as long to reach a test loss of 0.01. Longer visits to a block do not help either.",
		Seeds: "Block-SMOO takes 2.0 ± 0.1 times as long to reach 0.01. With four turns per response instead of two, it takes 1.18 ± 0.03 " +
			"times as long to reach 100; with eight turns 4 of 20 draws diverge.",
		Values: map[string]string{"partition": rowBlocks, "work": "40"}},
	{ID: "noise", Title: "Who stops where?", Keys: []string{"sigma", "alpha", "batch"},
		Lead: "At the same step size the weighted sum stops nearest to the noise, which no method can predict.",
		Text: "With noise of standard deviation 1 no test loss can be far below 1. " +
			"Gradients of single responses keep shaking U and V more than the weighted sum’s does.",
		Seeds: "Least squares has a mean loss of 1.03 over 40 draws. At the median, the weighted sum ends 1 % above it, Block-SMOO 9 % and " +
			"Function-Alternate 10 %.",
		References: []axes.Reference{axes.Level("loss", noiseVariance, "the variance of the noise")},
		Values:     map[string]string{"sigma": "1", "work": "40"}},
}
