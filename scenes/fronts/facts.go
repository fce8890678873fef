package fronts

import (
	"math"

	"paretoplay/scenes/experiment/zdt"
	"paretoplay/scenes/race"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// A solution that no longer moves and is not on the front is weakly Pareto optimal: ω is
// at most this, and it is away from the Pareto set by more than that.
const (
	stopped = 1e-9
	away    = 0.05
)

// weak is how many of a run's solutions are stationary and away from the Pareto set.
func (s *Scene) weak(row timeline.Row) (count int) {
	s.solutionsOf(row, func(x, _ []float64, omega float64) {
		if omega <= stopped && s.front.excess(x) > away {
			count++
		}
	})
	return count
}

// Facts implements scene.Scene: by method what its solutions come to at the marker, NaN
// where it does not run.
func (s *Scene) Facts() []scene.Fact { return s.facts }

func (s *Scene) listFacts() []scene.Fact {
	out := []scene.Fact{{Name: "front", Label: "hypervolume of the whole front",
		Value: func() float64 { return s.front.optimum(s.reference()) }}}
	for _, m := range Methods {
		add := func(name, label, unit string, value func(run *timeline.Run) float64) {
			out = append(out, scene.Fact{Name: name + "." + m.ID, Label: m.Title + ": " + label, Unit: unit, Value: func() float64 {
				if r := s.Timeline().FindFrom(m.ID, 0); r.Run != nil {
					return value(r.Run)
				}
				return math.NaN()
			}})
		}
		add("hypervolume", "hypervolume", "", s.volumeAt)
		add("kinds", "kinds of solutions", "", func(run *timeline.Run) float64 { return float64(s.kindsAt(run)) })
		add("excess", "mean distance from the Pareto set", "", s.meanExcess)
		add("weak", "solutions that are weakly Pareto optimal only", "", func(run *timeline.Run) float64 { return float64(s.weak(s.at(run))) })
		add("bp", "backpropagations", "backpropagations", func(run *timeline.Run) float64 { return race.Spent(s.at(run)) })
	}
	return out
}

// MethodResult is what a method's solutions have come to at its latest round.
type MethodResult struct {
	Hypervolume float64     `json:"hypervolume"`
	Kinds       int         `json:"kinds"`  // further apart than 0.01 in some objective
	Excess      []float64   `json:"excess"` // of each solution: Σ_{i≥2} x_i, or the distance from the Pareto set
	Weak        int         `json:"weak"`   // stationary solutions away from the Pareto set
	F           [][]float64 `json:"f"`
}

// Results says what the methods' solutions have come to, and below which point, and the
// table where it has been shown.
func (s *Scene) Results() any {
	runs := map[string]MethodResult{}
	for _, run := range s.Timeline().Runs() {
		row := run.Kept(run.Len() - 1)
		r := MethodResult{Hypervolume: volume(pointsOf(row), s.reference()), Kinds: zdt.Kinds(pointsOf(row)), Weak: s.weak(row)}
		s.solutionsOf(row, func(x, f []float64, _ float64) {
			r.Excess = append(r.Excess, s.front.excess(x))
			r.F = append(r.F, []float64{f[0], f[1]})
		})
		runs[run.Name] = r
	}
	out := map[string]any{"runs": runs, "reference": s.reference(), "front": s.front.optimum(s.reference())}
	if s.table != nil {
		out["table"] = s.table.Cells()
	}
	return out
}
