package fronts

import (
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/study/zdt"
)

// A solution counts as weakly Pareto-optimal if ω ≤ stopped and its distance from the Pareto set is > away.
const (
	stopped = 1e-9
	away    = 0.05
)

// weak returns the objectives of a run's solutions that are stationary but away from the Pareto set.
func (s *Scene) weak(row timeline.Row) (points [][]float64) {
	s.solutionsOf(row, func(x, f []float64, omega float64) {
		if omega <= stopped && s.front.excess(x) > away {
			points = append(points, f)
		}
	})
	return points
}

// factKinds are facts of a method's solutions at the marker. They are NaN if the method does not run.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "front", Text: "The hypervolume of the whole front.",
		Label: "hypervolume of the whole front",
		Value: func(s *Scene, _ int) float64 { return s.front.optimum(s.reference()) }},
	{Name: "hypervolume", Of: []string{"method"}, Text: "The area that the method’s solutions dominate up to the reference point.",
		Label:    "hypervolume",
		OfMethod: ofRun((*Scene).volumeAt)},
	{Name: "kinds", Of: []string{"method"}, Text: "The number of distinct solutions of the method.",
		Label:    "kinds of solutions",
		OfMethod: ofRun(func(s *Scene, run *timeline.Run) float64 { return float64(s.kindsAt(run)) })},
	{Name: "excess", Of: []string{"method"}, Text: "The mean distance of the method’s solutions from the Pareto set.",
		Label:    "mean distance from the Pareto set",
		OfMethod: ofRun((*Scene).meanExcess)},
	{Name: "weak", Of: []string{"method"}, Text: "The number of the method’s solutions that have stopped before they reach the Pareto set.",
		Label:    "solutions that are only weakly Pareto optimal",
		OfMethod: ofRun(func(s *Scene, run *timeline.Run) float64 { return float64(len(s.weak(s.at(run)))) })},
	{Name: "bp", Of: []string{"method"}, Text: "The number of backpropagations so far.",
		Label: "backpropagations", Unit: "backpropagations",
		OfMethod: ofRun(func(s *Scene, run *timeline.Run) float64 { return runs.Spent(s.at(run)) })},
}

// ofRun turns a function of a run into a fact of a method.
func ofRun(value func(s *Scene, run *timeline.Run) float64) func(s *Scene, method string, _ int) float64 {
	return runs.OfFirst(func(s *Scene, r timeline.Track) float64 { return value(s, r.Run) })
}

// MethodResult describes a method's solutions at its latest round.
type MethodResult struct {
	Hypervolume float64     `json:"hypervolume"`
	Kinds       int         `json:"kinds"`  // number of solutions that are more than 0.01 apart in some objective
	Excess      []float64   `json:"excess"` // of each solution: Σ_{i≥2} x_i, or the distance from the Pareto set
	Weak        int         `json:"weak"`   // stationary solutions away from the Pareto set
	F           [][]float64 `json:"f"`
}

// Results returns the methods' solutions, the reference point, and the table if it has been displayed.
func (s *Scene) Results() any {
	runs := map[string]MethodResult{}
	for _, run := range s.Timeline().Runs() {
		row := run.Kept(run.Len() - 1)
		r := MethodResult{Hypervolume: volume(pointsOf(row), s.reference()), Kinds: zdt.Kinds(pointsOf(row)), Weak: len(s.weak(row))}
		s.solutionsOf(row, func(x, f []float64, _ float64) {
			r.Excess = append(r.Excess, s.front.excess(x))
			r.F = append(r.F, []float64{f[0], f[1]})
		})
		runs[run.Name] = r
	}
	out := map[string]any{"runs": runs, "reference": s.reference(), "front": s.front.optimum(s.reference())}
	if s.table != nil {
		out["table"] = s.table.Records()
	}
	return out
}
