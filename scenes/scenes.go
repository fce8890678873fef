// Package scenes is the ordered list of scenes.
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

// All is every scene in the order of the page.
var All = scene.List{
	fonseca.About,
	gradientlab.About,
	toymap.About,
	bilevelpaths.About,
	bilevelcost.About,
	cleaning.About,
	clusters.About,
	fronts.About,
	transportplan.About,
	fairness.About,
	federatedclients.About,
	networktasks.About,
	sampleorder.About,
	blocksteps.About,
	regression.About,
	sweep.About,
	ownproblem.About, traininglog.About,
}
