package ordering

import (
	"fmt"

	"paretoplay/scenes/exchange"
	"paretoplay/scenes/race/orders"
	"paretoplay/scenes/scene"
)

// About is what is known of the scene without making one.
var About = scene.About{
	ID:       "ordering",
	Title:    "The order of the samples",
	Question: "Does it matter in which order samples are visited?",
	Summary: "Each method visits the same samples from the same start, in an order of its own: every sample once in an epoch. In a random " +
		"order an epoch’s gradients, less their mean, stray from zero; orders that balance them stay near it.",
	Try: "Switch an order off and on, or make the steps longer, and see how far each run is from a stationary point at the end.",
	DataSummary: "Each method visits your samples from the same start, in an order of its own: every sample once in an epoch. In a random " +
		"order an epoch’s gradients, less their mean, stray from zero; orders that balance them stay near it.",
	DataTry: "Let the first epoch keep the order of your file, and see whether the orders that balance leave it.",
	Data: &scene.DataWords{Button: "Bring your own samples", Title: "Your own samples",
		Example: "{\"A\": [[[1, 0], [0, 1], [1, 1]]],\n \"y\": [[1, 2, 2]]}",
		Form: fmt.Sprintf("JSON, {\"A\": M×K×d, \"y\": M×K} for least squares ½(A·w − y)², or {\"D\": M×K×d, \"C\": M×K×d} for bowls "+
			"½ Σ D(w − C)²: lists of up to %d objectives, each of up to %d samples of up to %d numbers. What you bring stays in this browser; a "+
			"link to what you see holds only its SHA-256.", exchange.MaxObjectives, exchange.MaxSamples, exchange.MaxVariables)},
	Paper:   "Joint Gradient Balancing (JoGBa), Algorithm 1",
	Group:   scene.TheOrder,
	Hero:    "walk",
	Keys:    []string{"method", "weighting", "alpha"},
	Methods: Methods,
	New:     func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = orders.Methods()
