package federatedclients

import (
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// factKinds say how well each method's solutions serve the clients at the marker; they are NaN for a method that does not run.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "accuracy", Of: []string{"method"}, Text: "The test accuracy, mean of the clients.",
		Label:    "test accuracy, mean of the clients",
		OfMethod: marked(func(_ *Scene, row timeline.Row) float64 { return accuracy(row) })},
	{Name: "worst", Of: []string{"method"}, Text: "The test accuracy of the worst fifth of the clients.",
		Label:    "test accuracy of the worst fifth of the clients",
		OfMethod: marked(func(_ *Scene, row timeline.Row) float64 { return worstFifth(row) })},
	{Name: "divergence", Of: []string{"method"}, Text: "How much predictions diverge, mean of pairs of solutions.",
		Label:    "divergence of predictions, mean of pairs of solutions",
		OfMethod: marked(func(_ *Scene, row timeline.Row) float64 { return divergence(row) })},
	{Name: "largest", Of: []string{"method"}, Text: "The share of the clients that chose one solution, the largest.",
		Label:    "share of the clients that chose one solution, the largest",
		OfMethod: marked(func(s *Scene, row timeline.Row) float64 { return most(row, s.values.M) })},
	{Name: "oracle", Of: []string{"method"}, Text: "The training loss of the best solution, mean of the clients.",
		Label:    "training loss of the best solution, mean of the clients",
		OfMethod: marked(func(_ *Scene, row timeline.Row) float64 { return row.Number(plans.OracleLoss) })},
	{Name: "bp", Of: []string{"method"}, Text: "The local trainings that it has spent.",
		Label: "local trainings", Unit: "trainings",
		OfMethod: marked(func(s *Scene, row timeline.Row) float64 { return float64(row.BP * s.values.M) })},
}

// marked returns a fact of a method, computed from its run's row at the marker.
func marked(value func(s *Scene, row timeline.Row) float64) func(s *Scene, method string, _ int) float64 {
	return runs.OfFirst(func(s *Scene, r timeline.Track) float64 { return value(s, s.Timeline().AtMarker(whole(r.Run))) })
}
