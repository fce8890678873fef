package ordering

import (
	"paretoplay/scenes/race/orders"
	"paretoplay/scenes/scene"
)

// About is what is known of the scene without making one.
var About = scene.About{
	ID:       "ordering",
	Title:    "The order of the samples",
	Question: "Does it matter in which order samples are visited?",
	Summary:  "",
	Try:      "",
	Paper:    "Joint Gradient Balancing (JoGBa), Algorithm 1",
	Group:    scene.TheOrder,
	Hero:     "walk",
	Keys:     []string{"method", "weighting", "alpha"},
	Methods:  Methods,
	New:      func() scene.Scene { return New() },
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = orders.Methods()
