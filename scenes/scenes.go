// Package scenes lists the scenes in their order.
package scenes

import (
	"paretoplay/internal/engine/scene"
	"paretoplay/scenes/bilevelcost"
	"paretoplay/scenes/bilevelpaths"
	"paretoplay/scenes/blocksteps"
	"paretoplay/scenes/cleaning"
	"paretoplay/scenes/clusters"
	"paretoplay/scenes/fairness"
	"paretoplay/scenes/federatedclients"
	"paretoplay/scenes/fonseca"
	"paretoplay/scenes/fronts"
	"paretoplay/scenes/gradientlab"
	"paretoplay/scenes/networktasks"
	"paretoplay/scenes/ownproblem"
	"paretoplay/scenes/regression"
	"paretoplay/scenes/sampleorder"
	"paretoplay/scenes/sweep"
	"paretoplay/scenes/toymap"
	"paretoplay/scenes/traininglog"
	"paretoplay/scenes/transportplan"
)

// All lists the scenes in the page's order, grouped as on the contents page. Every list of scenes uses this order.
var All = scene.List{
	fonseca.About, // two goals; a link that names no scene opens the first scene
	toymap.About,
	fronts.About,

	gradientlab.About, // one step

	ownproblem.About, // your own
	traininglog.About,

	clusters.About, // many goals
	transportplan.About,
	fairness.About,
	federatedclients.About,
	networktasks.About,

	bilevelpaths.About, // two levels
	bilevelcost.About,
	cleaning.About,

	sampleorder.About, // the order of the data

	blocksteps.About, // one block at a time
	regression.About,
	sweep.About,
}
