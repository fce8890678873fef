package sweep

import (
	"math"

	"paretoplay/internal/engine/scene"
)

// factKinds lists the facts about the vectors that are done at the marker. Facts are NaN for a method that does not
// run.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "done", Text: "The number of vectors whose runs have ended by the time of the marker.",
		Label: "vectors done", Unit: "vectors",
		Value: func(s *Scene, _ int) float64 { return float64(s.done()) }},
	{Name: "vectors", Text: "The number of vectors in the sweep.",
		Label: "vectors in all", Unit: "vectors",
		Value: func(s *Scene, _ int) float64 { return float64(len(s.grid.vectors)) }},
	{Name: "front", Of: []string{"method"}, Text: "The number of the method’s points that no other point of the same method dominates.",
		Label: "points on the method’s own front", Unit: "points",
		OfMethod: ofRun(func(_ *Scene, m *summary, run int) float64 { return float64(m.count(run, overtaken)) })},
	{Name: "kept", Of: []string{"method"}, Text: "The number of the method’s points that no point of any method dominates.",
		Label: "points that no point dominates", Unit: "points",
		OfMethod: ofRun(func(_ *Scene, m *summary, run int) float64 { return float64(m.count(run, kept)) })},
	{Name: "diverged", Of: []string{"method"}, Text: "The number of vectors for which the method diverged. They are not plotted.",
		Label: "vectors for which the method diverged", Unit: "vectors",
		OfMethod: ofRun(func(s *Scene, _ *summary, run int) float64 { return float64(s.diverged(run)) })},
	{Name: "purity", Of: []string{"method"}, Text: "The share of the method’s front that no point of another method dominates.",
		Label:    "purity",
		OfMethod: quality(viewPurity)},
	{Name: "gamma", Of: []string{"method"}, Text: "The largest gap in the method’s front.",
		Label:    "spread Γ",
		OfMethod: quality(viewGamma)},
	{Name: "delta", Of: []string{"method"}, Text: "How uneven the gaps in the method’s front are.",
		Label:    "spread Δ",
		OfMethod: quality(viewDelta)},
	{Name: "mean", Of: []string{"method"}, Text: "The mean over all losses and all points of the method.",
		Label:    "mean loss",
		OfMethod: quality(viewMean)},
	{Name: "excess", Of: []string{"method"}, Text: "The relative excess of F_m over its minimum at the runs’ ends; mean " +
		"over the vectors in which every objective has turns.",
		Label:    "relative excess of F_m over its minimum",
		OfMethod: ofRun(func(s *Scene, _ *summary, run int) float64 { return s.meanExcess(s.ends[run], s.done()) })},
}

// ofRun returns a function for a fact that is computed from the summary of a method's run.
func ofRun(value func(s *Scene, m *summary, run int) float64) func(s *Scene, method string, _ int) float64 {
	return func(s *Scene, method string, _ int) float64 {
		for run, e := range s.ends {
			if e.run.Method == method {
				return value(s, s.summary(s.done()), run)
			}
		}
		return math.NaN()
	}
}

func quality(view string) func(s *Scene, method string, _ int) float64 {
	return ofRun(func(_ *Scene, m *summary, run int) float64 { return m.quality(view, run) })
}
