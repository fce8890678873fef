package transportplan

import (
	"math"

	ot "paretoplay/algo/transport"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// factKinds are facts of the optimum and of every solver. They are NaN while there are no costs, or if the solver does not run.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "optimum", Text: "The objective of the best plan.",
		Label: "objective of the optimum",
		Value: ofOptimum(func(s *Scene) float64 { return s.goal })},
	{Name: "optimum", Of: []string{"nonzeros or whole"}, Text: "The number of the best plan’s cells that carry mass, or the sum of its " +
		"rows’ largest entries.",
		Label: "%s", Unit: "cells",
		Over:  []scene.FactArgument{{Name: "nonzeros", Label: "cells of the optimum that carry mass"}},
		Value: ofOptimum(func(s *Scene) float64 { return float64(nonZeros(s.best.Mass)) })},
	{Name: "optimum", Label: "%s",
		Over:  []scene.FactArgument{{Name: "whole", Label: "sum of the largest entries of the optimum’s rows"}},
		Value: ofOptimum(func(s *Scene) float64 { return ot.RowMaxima(s.best.Mass, s.values.M) })},
	{Name: "iteration", Of: []string{"solver"}, Text: "The number of iterations of the solver so far.",
		Label: "iterations", Unit: "iterations",
		OfMethod: runs.OfFirstRow[*Scene](func(r timeline.Row) float64 { return float64(r.K) })},
	{Name: "error", Of: []string{"solver"}, Text: "The total difference between the row and column sums of the solver’s plan and the masses.",
		Label:    "marginal error",
		OfMethod: runs.OfFirstRow[*Scene](func(r timeline.Row) float64 { return r.F[0] })},
	{Name: "gap", Of: []string{"solver"}, Text: "The absolute difference between the objectives of the solver’s plan and the best plan.",
		Label:    "distance of the objective from the optimum",
		OfMethod: runs.OfFirstRow[*Scene](func(r timeline.Row) float64 { return r.F[1] })},
	{Name: "cost", Of: []string{"solver"}, Text: "The cost of the solver’s plan.",
		Label:    "cost",
		OfMethod: runs.OfFirstRow[*Scene](func(r timeline.Row) float64 { return r.Number(recordedCost) })},
	{Name: "bound", Of: []string{"solver"}, Text: "The lower bound on every plan’s cost that the solver’s potentials prove.",
		Label:    "lower bound on every plan’s cost, from the potentials",
		OfMethod: runs.OfFirstRow[*Scene](func(r timeline.Row) float64 { return r.Number(recordedBound) })},
	{Name: "whole", Of: []string{"solver"}, Text: "The sum of the largest entries of the rows of the solver’s plan.",
		Label:    "sum of the largest entries of the rows",
		OfMethod: runs.OfFirstRow[*Scene](func(r timeline.Row) float64 { return r.Number(recordedRowMaxima) })},
	{Name: "nonzeros", Of: []string{"solver"}, Text: "The number of cells of the solver’s plan that carry mass.",
		Label: "cells that carry mass", Unit: "cells",
		OfMethod: runs.OfFirstRow[*Scene](func(r timeline.Row) float64 { return float64(nonZeros(r.X)) })},
	{Name: "elsewhere", Of: []string{"solver"}, Text: "The mass that must move to other cells to turn the solver’s plan into the best plan.",
		Label: "mass that the optimum carries elsewhere",
		OfMethod: runs.OfFirst(func(s *Scene, r timeline.Track) float64 {
			return s.elsewhere(s.Timeline().AtMarker(r).X)
		})},
}

// ofOptimum turns a function of the optimum into a fact. The fact is NaN while there are no costs.
func ofOptimum(value func(s *Scene) float64) func(s *Scene, _ int) float64 {
	return func(s *Scene, _ int) float64 {
		if len(s.task.Cost) == 0 {
			return math.NaN()
		}
		return value(s)
	}
}

// elsewhere returns how much of a plan's mass would have to move to other cells to give the optimum.
func (s *Scene) elsewhere(mass []float64) float64 {
	var sum float64
	for i, v := range mass {
		sum += float64(math.Abs(v-s.best.Mass[i]) / 2)
	}
	return sum
}

// Result is the state of one solver at its latest iteration.
type Result struct {
	Solver        string  `json:"solver"`
	K             int     `json:"k"`
	Status        string  `json:"status"`
	Cost          float64 `json:"cost"`
	Objective     float64 `json:"objective"` // cost + τR
	MarginalError float64 `json:"marginal_error"`
	Gap           float64 `json:"gap"` // |objective − the optimum's|
	NonZeros      int     `json:"nonzeros"`
	RowMaxima     float64 `json:"whole"` // Σ_i max_j Γ_ij
}

// Optimum is a plan with the smallest objective. If τ > 0, it is the best plan that a search finds.
type Optimum struct {
	Objective float64     `json:"objective"`
	Cost      float64     `json:"cost"`
	Plan      [][]float64 `json:"plan"`
	U         []float64   `json:"u"`
	V         []float64   `json:"v"`
}

// Results returns the optimum and each solver's latest state.
func (s *Scene) Results() any {
	results := []Result{}
	for _, r := range s.Timeline().Tracks() {
		row := runs.Latest(s.Timeline(), r)
		cost, rowMaxima := row.Number(recordedCost), row.Number(recordedRowMaxima)
		results = append(results, Result{Solver: r.Method, K: row.K, Status: r.Status().String(), Cost: cost,
			Objective:     cost - float64(s.tau*rowMaxima),
			MarginalError: row.F[0], Gap: row.F[1], NonZeros: nonZeros(row.X), RowMaxima: rowMaxima})
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
