package blocks_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/blocks"
	"paretoplay/algo/problem"
)

// sweepVectors contains vectors with different sums, some with objectives that have no turns.
var sweepVectors = [][]int{{1, 0, 0}, {2, 1, 1}, {0, 3, 2}, {0, 0, 1}}

// sweeps returns configurations of all kinds of sweeps, with four passes of three steps per run: ten examples in
// batches of three.
func sweeps(t testing.TB) map[string]blocks.SweepConfig {
	t.Helper()
	base := blocks.Config{
		Problem: examples(t), Start: []float64{1, 0, -1, 2}, Blocks: [][]int{{0, 2}, {1}, {3}}, StepSize: 0.02, Batch: 3, Seed: 4, StartIndex: 1,
	}
	jacobi := base
	jacobi.Update = blocks.Jacobi
	all := map[string]blocks.SweepConfig{}
	for name, run := range map[string]blocks.Config{
		"blocksmoo": base, "jacobi": jacobi, "weightedsum": blocks.WeightedSum(base), "functionalternate": blocks.FunctionAlternate(base),
		"blockalternate": blocks.BlockAlternate(base),
	} {
		all[name] = blocks.SweepConfig{Run: run, Vectors: sweepVectors, Passes: 4}
		all[name+" by outer iterations"] = blocks.SweepConfig{Run: run, Vectors: sweepVectors, Passes: 4, Outer: true}
	}
	return all
}

func newSweep(t testing.TB, c blocks.SweepConfig) *blocks.Sweep {
	t.Helper()
	s, err := blocks.NewSweep(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSweepConformance(t *testing.T) {
	for name, c := range sweeps(t) {
		t.Run(name, func(t *testing.T) {
			for _, passes := range []int{30, 3} {
				c.Vectors, c.Passes = slices.Repeat(sweepVectors, 20), passes
				algotest.Stepper(t, func() algo.Stepper { return newSweep(t, c) })
				c.Run.StepSize = 1e100
				algotest.Stepper(t, func() algo.Stepper { return newSweep(t, c) })
			}
		})
	}
}

// TestSweepIsRuns checks that every run equals a separate run with its vector bit for bit, and has the same cost. A run
// that has ended must be shown until the next pass.
func TestSweepIsRuns(t *testing.T) {
	for name, c := range sweeps(t) {
		s := newSweep(t, c)
		var spent algo.Cost
		for i, m := range c.Vectors {
			alone := c.Run
			alone.Frequencies = m
			run, perPass := newRun(t, alone), 3
			if c.Outer {
				perPass *= run.OuterSteps()
			}
			if v := run.View(); i == 0 && (!slices.Equal(s.View().X, v.X) || !slices.Equal(s.View().F, v.F) || s.Pass() != 0) {
				t.Errorf("%s begins at %v", name, s.View())
			}
			for pass := range c.Passes {
				if s.Finished() != i {
					t.Errorf("%s: %d runs have ended before pass %d of run %d", name, s.Finished(), pass, i)
				}
				steps(t, s, 1)
				if status, err := run.Advance(perPass); status != algo.Running || err != nil {
					t.Fatal(status, err)
				}
				v, want := s.View(), run.View()
				index, frequencies := s.Vector()
				if !slices.Equal(v.X, want.X) || !slices.Equal(v.F, want.F) || index != i || !slices.Equal(frequencies, m) || s.Pass() != pass+1 ||
					!slices.Equal(v.Weights, run.Weights()) || v.StepSize != want.StepSize || v.Refreshed != (pass == 0) || v.Direction != nil {
					t.Fatalf("%s, m = %v, pass %d: %+v, want %+v; vector %d, %v, pass %d", name, m, pass+1, v, want, index, frequencies, s.Pass())
				}
				total := algo.Cost{Backpropagations: spent.Backpropagations + want.Cost.Backpropagations,
					GradientCoordinates: spent.GradientCoordinates + want.Cost.GradientCoordinates}
				if v.Cost != total {
					t.Errorf("%s, m = %v: cost %+v, want %+v", name, m, v.Cost, total)
				}
			}
			spent = s.View().Cost
		}
		before := slices.Clone(s.View().X)
		if status, err := s.Step(); status != algo.Budget || err != nil || s.View().K != 16 || !slices.Equal(s.View().X, before) ||
			s.Finished() != 4 {
			t.Errorf("%s: a step after the last is %v, %v and leads to %+v", name, status, err, s.View())
		}
	}
}

// TestSweepWithoutBatches checks that, without batches, a pass is one step on a finite sum or on any other problem.
func TestSweepWithoutBatches(t *testing.T) {
	for _, p := range []algo.Partial{examples(t), trio(t, 0.1)} {
		s := newSweep(t, blocks.SweepConfig{
			Run:     blocks.FunctionAlternate(blocks.Config{Problem: p, Start: []float64{1, 0, -1, 2}, StepSize: 0.02}),
			Vectors: [][]int{{1, 1, 1}}, Passes: 7,
		})
		steps(t, s, 7)
		if got := s.View().Cost.Backpropagations; got != 7 {
			t.Errorf("7 passes take %d backpropagations", got)
		}
	}
}

// broken is a problem that returns a limited number of finite gradients, and then gradients that are not finite.
type broken struct {
	*problem.DiagonalSum
	left, only int
}

func (p *broken) GradientAt(dst []float64, i, lo, hi int, x []float64, s *algo.Sample) {
	p.DiagonalSum.GradientAt(dst, i, lo, hi, x, s)
	if p.left--; p.left < 0 && p.left >= -p.only {
		dst[0] = math.Inf(-1)
	}
}

// TestSweepDiverges checks that a run that diverges stays at its last whole pass, at no further cost. The next run
// must equal a separate run with its vector. A copy that is loaded in between must behave the same.
func TestSweepDiverges(t *testing.T) {
	for _, passes := range []int{2, 3} {
		c := sweeps(t)["blocksmoo"]
		c.Passes = passes
		whole := newSweep(t, c)
		p := &broken{DiagonalSum: examples(t), left: 2*3 + 1, only: 1} // 3 passes of the first run, 2 of the second
		c.Run.Problem = p
		s := newSweep(t, c)
		steps(t, s, 2)
		steps(t, whole, 2)
		lost := 2 / passes
		for k := 2; k < len(sweepVectors)*passes; k++ {
			before := slices.Clone(s.View().X)
			if k == lost*passes {
				before = c.Run.Start
			}
			cost := s.View().Cost
			steps(t, s, 1)
			steps(t, whole, 1)
			v, now := s.View(), k/passes
			if index, _ := s.Vector(); index != now || s.Diverged() != (now == lost) || v.K != k+1 || v.Diverged != (algo.Divergence{}) {
				t.Fatalf("%d passes: after pass %d the run of vector %d has diverged: %v; %+v", passes, k+1, index, s.Diverged(), v)
			}
			copied := newSweep(t, c)
			var saved algo.Snapshot
			s.Save(&saved)
			copied.Load(&saved)
			if copied.Diverged() != s.Diverged() || !slices.Equal(copied.View().X, v.X) {
				t.Errorf("%d passes: loaded after pass %d it has diverged: %v, at %v", passes, k+1, copied.Diverged(), copied.View().X)
			}
			if now != lost {
				if !slices.Equal(v.X, whole.View().X) || !slices.Equal(v.F, whole.View().F) {
					t.Errorf("%d passes: after pass %d the sweep is at %v, want %v", passes, k+1, v.X, whole.View().X)
				}
				continue
			}
			if !slices.Equal(v.X, before) || !algo.Finite(v.F) || k > 2 && v.Cost != cost {
				t.Errorf("%d passes: pass %d of a run that diverges leads from %v to %v, cost %+v after %+v", passes, k+1, before, v.X, v.Cost, cost)
			}
		}
		if status, err := s.Step(); status != algo.Budget || err != nil {
			t.Errorf("%d passes: the sweep ends with %v, %v", passes, status, err)
		}
	}
}

// TestSweepSchedule checks that runs whose schedules depend on the vector equal separate runs.
func TestSweepSchedule(t *testing.T) {
	c := blocks.Config{Problem: trio(t, 0), Start: []float64{1, 0, -1, 2}, Blocks: [][]int{{0, 1}, {2, 3}}, StepSize: 1, Schedule: blocks.Safe}
	s := newSweep(t, blocks.SweepConfig{Run: c, Vectors: [][]int{{3, 0, 1}, {0, 1, 0}}, Passes: 5})
	for _, m := range [][]int{{3, 0, 1}, {0, 1, 0}} {
		c.Frequencies = m
		run := newRun(t, c)
		for range 5 {
			steps(t, s, 1)
			steps(t, run, 1)
			if v, want := s.View(), run.View(); v.StepSize != want.StepSize || !slices.Equal(v.X, want.X) {
				t.Errorf("m = %v: α = %v leads to %v, want %v to %v", m, v.StepSize, v.X, want.StepSize, want.X)
			}
		}
	}
}

func TestSweepRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*blocks.SweepConfig)
	}{
		{"vectors", func(c *blocks.SweepConfig) { c.Vectors = nil }},
		{"passes", func(c *blocks.SweepConfig) { c.Passes = 0 }},
		{"passes", func(c *blocks.SweepConfig) { c.Passes = math.MaxInt }},
		{"shared", func(c *blocks.SweepConfig) { c.Run.Shared = []bool{true, false, false} }},
		{"m", func(c *blocks.SweepConfig) { c.Run.Frequencies = []int{1, 1, 1} }},
		{"m", func(c *blocks.SweepConfig) { c.Vectors = [][]int{{1, 1, 1}, {1, 1}} }},
		{"m[2]", func(c *blocks.SweepConfig) { c.Vectors = [][]int{{1, 1, 1}, {1, 1, -1}} }},
		{"alpha", func(c *blocks.SweepConfig) { c.Run.StepSize = 0 }},
		{"schedule", func(c *blocks.SweepConfig) {
			c.Run.Problem, c.Run.Batch, c.Run.Schedule = algo.Exact(still{4, 3}), 0, blocks.Safe
		}},
	} {
		config := sweeps(t)["blocksmoo"]
		c.change(&config)
		_, err := blocks.NewSweep(config)
		refused(t, err, c.name)
	}
	if _, err := blocks.NewSweep(blocks.SweepConfig{Vectors: sweepVectors, Passes: 1}); err != algo.ErrNoProblem {
		t.Errorf("without a problem: %v", err)
	}
}

// TestGrid checks that every vector occurs once, and that neighbours differ by one moved turn.
func TestGrid(t *testing.T) {
	for _, c := range []struct{ p, q, want int }{
		{1, 1, 1}, {5, 1, 1}, {4, 2, 5}, {1, 3, 3}, {10, 3, 66}, {20, 3, 231}, {5, 4, 56}, {6, 5, 210},
	} {
		all := blocks.Grid(c.p, c.q)
		seen := map[string]bool{}
		for i, m := range all {
			sum, away := 0, 0
			for k, v := range m {
				sum += v
				if v < 0 {
					t.Errorf("p = %d, q = %d: %v", c.p, c.q, m)
				}
				if i > 0 {
					away += max(v-all[i-1][k], all[i-1][k]-v)
				}
			}
			if len(m) != c.q || sum != c.p || i > 0 && away != 2 {
				t.Errorf("p = %d, q = %d: %v after %v", c.p, c.q, m, all[max(i-1, 0)])
			}
			seen[fmt.Sprint(m)] = true
		}
		first, last := make([]int, c.q), make([]int, c.q)
		first[0], last[c.q-1] = c.p, c.p
		if len(all) != c.want || len(seen) != c.want || !slices.Equal(all[0], first) || !slices.Equal(all[c.want-1], last) {
			t.Errorf("p = %d, q = %d: %d vectors, %d of them different, from %v to %v; want %d", c.p, c.q, len(all), len(seen), all[0],
				all[len(all)-1], c.want)
		}
	}
}

// BenchmarkSweep measures a pass of the sweep on the scene's regression.
func BenchmarkSweep(b *testing.B) {
	train, _, err := problem.RandomRegression(problem.RegressionConfig{Train: 1024, Test: 256, Features: 20, Responses: 3, TrueRank: 3,
		Noise: 0.05, UnitResponses: true, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	p, err := problem.NewReducedRank(train, problem.ReducedRankConfig{Rank: 1})
	if err != nil {
		b.Fatal(err)
	}
	base := blocks.Config{Problem: p, Start: p.Start(1, 0), StepSize: 0.05, Batch: 32, Blocks: [][]int{make([]int, 20), {20, 21, 22}}}
	for i := range base.Blocks[0] {
		base.Blocks[0][i] = i
	}
	for name, run := range map[string]blocks.Config{"blocksmoo": base, "weightedsum": blocks.WeightedSum(base)} {
		b.Run(name, func(b *testing.B) {
			s := newSweep(b, blocks.SweepConfig{Run: run, Vectors: blocks.Grid(10, 3), Passes: 1 << 20})
			steps(b, s, 1)
			b.ReportAllocs()
			for b.Loop() {
				if status, _ := s.Step(); status != algo.Running {
					b.Fatal(status)
				}
			}
		})
	}
}
