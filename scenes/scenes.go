// Package scenes is the ordered list of scenes.
package scenes

import (
	"paretoplay/scenes/bilevel"
	"paretoplay/scenes/bilevelcost"
	"paretoplay/scenes/blocks"
	"paretoplay/scenes/cleaning"
	"paretoplay/scenes/clusters"
	"paretoplay/scenes/fairness"
	"paretoplay/scenes/federated"
	"paretoplay/scenes/fonseca"
	"paretoplay/scenes/fronts"
	"paretoplay/scenes/lab"
	"paretoplay/scenes/log"
	"paretoplay/scenes/network"
	"paretoplay/scenes/ordering"
	"paretoplay/scenes/regression"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/sweep"
	"paretoplay/scenes/toy"
	"paretoplay/scenes/transport"
	"paretoplay/scenes/yours"
)

// All is every scene in the order of the page.
var All = scene.List{
	fonseca.About,
	lab.About,
	toy.About,
	bilevel.About,
	bilevelcost.About,
	cleaning.About,
	clusters.About,
	fronts.About,
	transport.About,
	fairness.About,
	federated.About,
	network.About,
	ordering.About,
	blocks.About,
	regression.About,
	sweep.About,
	yours.About, log.About,
}
