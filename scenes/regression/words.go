package regression

import (
	"fmt"

	"paretoplay/scenes/exchange"
	"paretoplay/scenes/race/sweeps"
	"paretoplay/scenes/scene"
)

// About is what is known of the scene without making one.
var About = scene.About{
	ID:       "regression",
	Title:    "Reduced-rank regression",
	Question: "Is it cheaper to learn one block and one goal at a time?",
	Summary: "Each line is a method that learns to predict five responses from a hundred features: how large its error on other data is, for " +
		"the multiplications that its gradients took.",
	Try: "Give each method a step size of its own: then the weighted sum, third with equal steps, is first.",
	DataSummary: "Each line is a method that learns to predict your responses from the other columns: how large its error on the last 30 % of " +
		"the rows is, for the multiplications that its gradients took.",
	DataTry: "Change the rank: it says from how many mixtures of the columns all responses are predicted.",
	Data: &scene.DataWords{Button: "Bring your own table", Title: "Your own table",
		Example: "hour,wind,PM2.5,PM10\n1,N,21,40\n2,NE,24,47\n3,N,19,38\n4,S,30,61\n",
		Form: fmt.Sprintf("CSV with a heading, earliest row first. Say under Responses which columns are to be predicted. The first 70 %% of the "+
			"rows are learnt from, by which all columns are standardised; the others are for tests. A column of words becomes a column for each "+
			"word but one, at most %d columns in all; a row without a value in some column is left out, at most %d numbers are read. What you "+
			"bring stays in this browser; a link to what you see holds only its SHA-256.", maxFeatures, exchange.MaxNumbers)},
	Paper:     "Block-SMOO, section 4 and Figure 1, scaled down",
	Group:     scene.OneBlock,
	Hero:      "loss",
	Keys:      []string{"method", "stepsizes", "alpha", "share", "axis"},
	Methods:   Methods,
	Symbols:   symbols,
	Presets:   presets,
	Facts:     factHelp,
	Equations: sweeps.Equations(),
	New:       func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = sweeps.Methods()

var symbols = []scene.Symbol{}
var presets = []scene.Preset{}
var factHelp = []scene.FactHelp{}
