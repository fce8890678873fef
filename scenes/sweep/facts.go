package sweep

import (
	"math"

	"paretoplay/scenes/scene"
)

// Facts implements scene.Scene: of the vectors that are done at the marker; NaN for a method that
// does not run.
func (s *Scene) Facts() []scene.Fact { return s.facts }

func (s *Scene) listFacts() []scene.Fact {
	out := []scene.Fact{
		{Name: "done", Label: "vectors done", Unit: "vectors", Value: func() float64 { return float64(s.done()) }},
		{Name: "vectors", Label: "vectors in all", Unit: "vectors", Value: func() float64 { return float64(len(s.grid.vectors)) }},
	}
	for _, m := range Methods {
		add := func(name, label, unit string, value func(m *summary, run int) float64) {
			out = append(out, scene.Fact{Name: name + "." + m.ID, Label: m.Title + ": " + label, Unit: unit, Value: func() float64 {
				for run, e := range s.ends {
					if e.run.Method == m.ID {
						return value(s.summary(s.done()), run)
					}
				}
				return math.NaN()
			}})
		}
		add("front", "points on its own front", "points", func(m *summary, run int) float64 { return float64(m.count(run, overtaken)) })
		add("kept", "points that no point dominates", "points", func(m *summary, run int) float64 { return float64(m.count(run, kept)) })
		for _, view := range []struct{ name, label string }{
			{viewPurity, "purity"}, {viewGamma, "spread Γ"}, {viewDelta, "spread Δ"}, {viewMean, "mean loss"},
		} {
			add(view.name, view.label, "", func(m *summary, run int) float64 { return m.quality(view.name, run) })
		}
		add("excess", "F_m above its least, as a share", "", func(_ *summary, run int) float64 { return s.meanExcess(s.ends[run], s.done()) })
	}
	return out
}
