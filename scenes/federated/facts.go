package federated

import (
	"math"

	"paretoplay/scenes/race/plans"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// Facts implements scene.Scene: how the clients do with each method's solutions at the
// marker; NaN for a method that does not run.
func (s *Scene) Facts() []scene.Fact { return s.facts }

func (s *Scene) listFacts() []scene.Fact {
	var out []scene.Fact
	for _, m := range Methods {
		add := func(name, label, unit string, value func(row timeline.Row) float64) {
			out = append(out, scene.Fact{Name: name + "." + m.ID, Label: m.Title + ": " + label, Unit: unit, Value: func() float64 {
				if r := s.Timeline().FindFrom(m.ID, 0); r.Run != nil {
					return value(s.Timeline().AtMarker(whole(r.Run)))
				}
				return math.NaN()
			}})
		}
		add("accuracy", "test accuracy, mean of the clients", "", accuracy)
		add("worst", "test accuracy of the worst fifth of the clients", "", worstFifth)
		add("divergence", "divergence of predictions, mean of pairs of solutions", "", divergence)
		add("largest", "share of the clients that chose one solution, the largest", "",
			func(row timeline.Row) float64 { return most(row, s.values.M) })
		add("oracle", "training loss of the best solution, mean of the clients", "",
			func(row timeline.Row) float64 { return row.Number(plans.OracleLoss) })
		add("bp", "local trainings", "trainings", func(row timeline.Row) float64 { return float64(row.BP * s.values.M) })
	}
	return out
}
