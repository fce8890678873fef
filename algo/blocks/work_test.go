package blocks_test

import (
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/problem"
)

// TestWork checks that Work adds up the problem's formulas for the steps and is part of snapshots, and that StepsFor
// predicts Work. If a block shares a batch, the product from its first step must be available to its other steps.
func TestWork(t *testing.T) {
	const d, q, r, batch = 20, 3, 2, 16
	train, _, err := problem.RandomRegression(problem.RegressionConfig{
		Train: 100, Test: 1, Features: d, Responses: q, TrueRank: r, Noise: 0.05, Seed: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	u, v := make([]int, d*r), make([]int, r*q)
	for i := range u {
		u[i] = i
	}
	for i := range v {
		v[i] = d*r + i
	}
	base := blocks.Config{Blocks: [][]int{u, v}, Frequencies: []int{1, 0, 2}, StepSize: 0.001, Batch: batch, Seed: 1}
	jacobi, all := base, base
	jacobi.Update, all.Batch = blocks.Jacobi, 0
	shared := base
	shared.Shared = []bool{false, true}
	const (
		half  = d*r + batch*2*d + r*d // for U or V, through w = U V_k
		first = batch*d*r + batch*2*r // for V through X U
	)
	for name, c := range map[string]struct {
		config blocks.Config
		keep   bool
		outer  int // multiplications in an outer iteration
	}{
		"blocksmoo": {base, false, 2 * 3 * half}, "jacobi": {jacobi, false, 2 * 3 * half},
		"all examples":      {all, false, 2 * 3 * (2*d*r + 100*2*d)},
		"shared":            {shared, true, 3*half + first + 2*batch*2*r},
		"functionalternate": {blocks.FunctionAlternate(base), false, 3 * (half + r*d)},
		"blockalternate":    {blocks.BlockAlternate(base), false, 3 * batch * (d*r + r*q + r*(q+d) + d*r + r*q + q*r)},
		"weightedsum":       {blocks.WeightedSum(base), false, batch * (d*r + r*q + r*(q+d) + q*r)},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := problem.NewReducedRank(train, problem.ReducedRankConfig{Rank: r, KeepProduct: c.keep})
			if err != nil {
				t.Fatal(err)
			}
			c.config.Problem, c.config.Start = p, p.Start(1, 0)
			s, loaded := newRun(t, c.config), newRun(t, c.config)
			steps(t, s, 3*s.OuterSteps())
			if s.Work() != 3*c.outer {
				t.Errorf("%d multiplications, want %d", s.Work(), 3*c.outer)
			}
			steps(t, s, 1)
			var snapshot algo.Snapshot
			s.Save(&snapshot)
			loaded.Load(&snapshot)
			want := newRun(t, c.config)
			for s.View().K < 40 {
				if known, spent := loaded.StepsFor(s.Work(), 1000); known != s.View().K || spent != s.Work() {
					t.Fatalf("%d steps are known to take %d multiplications, %d took %d", known, spent, s.View().K, s.Work())
				}
				steps(t, s, 1)
				steps(t, loaded, 1)
			}
			steps(t, want, 40)
			if s.Work() != loaded.Work() || s.Work() != want.Work() || distance(want.View().X, loaded.View().X) != 0 {
				t.Error("a snapshot, or having looked ahead, makes another run")
			}
			if got, _ := s.StepsFor(s.Work(), 7); got != 7 {
				t.Errorf("%d steps are more than were asked for", got)
			}
		})
	}
	s := newRun(t, blocks.Config{Problem: pair(t, 0), Start: []float64{1, 2}, Frequencies: []int{1, 1}, StepSize: 0.1})
	steps(t, s, 3)
	if k, spent := s.StepsFor(1, 9); s.Work() != 0 || k != 9 || spent != 0 {
		t.Error("a problem without formulas counts multiplications")
	}
}
