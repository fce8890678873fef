package transport

import (
	"math"

	ot "paretoplay/algo/transport"
	"paretoplay/scenes/race"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// Facts implements scene.Scene.
func (s *Scene) Facts() []scene.Fact { return s.facts }

// newFacts are those of the optimum, NaN while there are no costs, and those of every
// solver, NaN where it does not work.
func (s *Scene) newFacts() []scene.Fact {
	known := func(value func() float64) func() float64 {
		return func() float64 {
			if len(s.task.Cost) == 0 {
				return math.NaN()
			}
			return value()
		}
	}
	out := []scene.Fact{
		{Name: "optimum", Label: "objective of the optimum", Value: known(func() float64 { return s.goal })},
		{Name: "optimum.nonzeros", Label: "cells of the optimum that carry mass", Unit: "cells",
			Value: known(func() float64 { return float64(nonZeros(s.best.Mass)) })},
		{Name: "optimum.whole", Label: "largest entries of the optimum’s rows, together",
			Value: known(func() float64 { return ot.RowMaxima(s.best.Mass, s.values.M) })},
	}
	for _, m := range Methods {
		add := func(name, label, unit string, value func(timeline.Row) float64) {
			out = append(out, scene.Fact{Name: name + "." + m.ID, Label: m.Title + ": " + label, Unit: unit, Value: func() float64 {
				r := s.Timeline().FindFrom(m.ID, 0)
				if r.Run == nil {
					return math.NaN()
				}
				return value(s.Timeline().AtMarker(r))
			}})
		}
		add("iteration", "iterations", "iterations", func(r timeline.Row) float64 { return float64(r.K) })
		add("error", "marginal error", "", func(r timeline.Row) float64 { return r.F[0] })
		add("gap", "distance of the objective to the optimum", "", func(r timeline.Row) float64 { return r.F[1] })
		add("cost", "cost", "", func(r timeline.Row) float64 { return r.Number(recordedCost) })
		add("bound", "what its potentials bound every cost by", "", func(r timeline.Row) float64 { return r.Number(recordedBound) })
		add("whole", "largest entries of the rows, together", "", func(r timeline.Row) float64 { return r.Number(recordedWhole) })
		add("nonzeros", "cells that carry mass", "cells", func(r timeline.Row) float64 { return float64(nonZeros(r.X)) })
		add("elsewhere", "mass that the optimum carries elsewhere", "", func(r timeline.Row) float64 { return s.elsewhere(r.X) })
	}
	return out
}

// elsewhere is how much mass a plan carries in other cells than the optimum does.
func (s *Scene) elsewhere(mass []float64) float64 {
	var sum float64
	for i, v := range mass {
		sum += math.Abs(v-s.best.Mass[i]) / 2
	}
	return sum
}

// Result is where a solver is at its latest iteration.
type Result struct {
	Solver        string  `json:"solver"`
	K             int     `json:"k"`
	Status        string  `json:"status"`
	Cost          float64 `json:"cost"`
	Objective     float64 `json:"objective"` // cost + τR
	MarginalError float64 `json:"marginal_error"`
	Gap           float64 `json:"gap"` // |objective − that of the optimum|
	NonZeros      int     `json:"nonzeros"`
	Whole         float64 `json:"whole"` // Σ_i max_j Γ_ij
}

// Optimum is a plan of least objective; where τ > 0 the best that a search finds.
type Optimum struct {
	Objective float64     `json:"objective"`
	Cost      float64     `json:"cost"`
	Plan      [][]float64 `json:"plan"`
	U         []float64   `json:"u"`
	V         []float64   `json:"v"`
}

// Results says what the least objective is and how near each solver has come to it.
func (s *Scene) Results() any {
	results := []Result{}
	for _, r := range s.Timeline().Tracks() {
		row := race.Latest(s.Timeline(), r)
		cost, whole := row.Number(recordedCost), row.Number(recordedWhole)
		results = append(results, Result{Solver: r.Method, K: row.K, Status: r.Status().String(), Cost: cost, Objective: cost - s.tau*whole,
			MarginalError: row.F[0], Gap: row.F[1], NonZeros: nonZeros(row.X), Whole: whole})
	}
	out := map[string]any{"runs": results, "tau": s.tau, "optimum": nil}
	if len(s.task.Cost) > 0 {
		best := Optimum{Objective: s.goal, Cost: s.best.Cost, U: s.best.U, V: s.best.V}
		for i := range s.values.N {
			best.Plan = append(best.Plan, s.best.Mass[i*s.values.M:(i+1)*s.values.M])
		}
		out["optimum"] = best
	}
	return out
}
