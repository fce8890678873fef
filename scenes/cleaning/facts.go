package cleaning

import (
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// factKinds are the facts of every method at the marker. They are NaN if the method does not run.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "accuracy", Of: []string{"method"}, Text: "The mean test accuracy of the method’s model on both data sets.",
		Label:    "test accuracy, mean of both data sets",
		OfMethod: runs.OfFirstRow[*Scene](accuracy)},
	{Name: "selection", Of: []string{"method"}, Text: "The accuracy of the method’s model on the second clean validation set.",
		Label:    "accuracy on validation 2, mean of both data sets",
		OfMethod: runs.OfFirstRow[*Scene](selection)},
	{Name: "auc", Of: []string{"method"}, Text: "How reliably samples with wrong labels weigh less than those with right labels: 1 means " +
		"perfect detection, ½ means none.",
		Label:    "detection of wrong labels",
		OfMethod: runs.OfFirstRow[*Scene](detection)},
	{Name: "clean", Of: []string{"method"}, Text: "The mean weight of samples with right labels.",
		Label:    "mean weight of samples with right labels",
		OfMethod: runs.OfFirstRow[*Scene](cleanWeight)},
	{Name: "corrupted", Of: []string{"method"}, Text: "The mean weight of samples with wrong labels.",
		Label:    "mean weight of samples with wrong labels",
		OfMethod: runs.OfFirstRow[*Scene](corruptedWeight)},
	{Name: "bp", Of: []string{"method"}, Text: "The number of gradients computed so far.",
		Label: "gradients so far", Unit: "gradients",
		OfMethod: runs.OfFirstRow[*Scene](runs.Spent)},
	{Name: "hvp", Of: []string{"method"}, Text: "The number of Hessian-vector products computed so far.",
		Label: "Hessian-vector products so far", Unit: "products",
		OfMethod: runs.OfFirstRow[*Scene](twolevel.ProductsOf)},
	{Name: "chosen", Of: []string{"method"}, Text: "The reported iteration, chosen among the iterations up to the marker.",
		Label: "reported iteration up to the marker",
		OfMethod: runs.OfFirst(func(s *Scene, r timeline.Track) float64 {
			return float64(s.reportedBy(r.Run, s.Timeline().Marker()).k)
		})},
}

// These functions read numbers from a row, for facts and curves.
func accuracy(r timeline.Row) float64        { return mean(marksOf(r).accuracy) }
func selection(r timeline.Row) float64       { return marksOf(r).selection }
func detection(r timeline.Row) float64       { return marksOf(r).auc }
func cleanWeight(r timeline.Row) float64     { return marksOf(r).clean }
func corruptedWeight(r timeline.Row) float64 { return marksOf(r).corrupted }
