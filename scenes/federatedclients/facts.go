package federatedclients

import (
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// factKinds are facts about how well each method's solutions serve the clients at the marker. They are NaN if the method does not run.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "accuracy", Of: []string{"method"}, Text: "The mean test accuracy of the clients.",
		Label:    "mean test accuracy of the clients",
		OfMethod: marked(func(_ *Scene, row timeline.Row) float64 { return accuracy(row) })},
	{Name: "worst", Of: []string{"method"}, Text: "The test accuracy of the worst fifth of the clients.",
		Label:    "test accuracy of the worst fifth of the clients",
		OfMethod: marked(func(_ *Scene, row timeline.Row) float64 { return worstFifth(row) })},
	{Name: "divergence", Of: []string{"method"}, Text: "The divergence of predictions, averaged over pairs of solutions.",
		Label:    "divergence of predictions, mean over pairs of solutions",
		OfMethod: marked(func(_ *Scene, row timeline.Row) float64 { return divergence(row) })},
	{Name: "largest", Of: []string{"method"}, Text: "The largest share of clients that chose the same solution.",
		Label:    "largest share of clients that chose the same solution",
		OfMethod: marked(func(s *Scene, row timeline.Row) float64 { return most(row, s.values.M) })},
	{Name: "oracle", Of: []string{"method"}, Text: "The training loss of each client’s best solution, averaged over the clients.",
		Label:    "training loss of the best solution, mean over clients",
		OfMethod: marked(func(_ *Scene, row timeline.Row) float64 { return row.Number(plans.OracleLoss) })},
	{Name: "bp", Of: []string{"method"}, Text: "The number of local training runs so far.",
		Label: "local training runs", Unit: "training runs",
		OfMethod: marked(func(s *Scene, row timeline.Row) float64 { return float64(row.BP * s.values.M) })},
}

// marked turns a function of a run's row at the marker into a fact of a method.
func marked(value func(s *Scene, row timeline.Row) float64) func(s *Scene, method string, _ int) float64 {
	return runs.OfFirst(func(s *Scene, r timeline.Track) float64 { return value(s, s.Timeline().AtMarker(whole(r.Run))) })
}
