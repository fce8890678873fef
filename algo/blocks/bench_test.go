package blocks_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/problem"
)

// BenchmarkStep measures a step on two quadratics in the plane.
func BenchmarkStep(b *testing.B) {
	base := blocks.Config{Problem: pair(b, 0), Start: []float64{1, 2}, Blocks: [][]int{{0}, {1}}, Frequencies: []int{1, 3}, StepSize: 0.05}
	noisy := base
	noisy.Problem = pair(b, 0.1)
	jacobi := base
	jacobi.Update = blocks.Jacobi
	for _, c := range []struct {
		name   string
		config blocks.Config
	}{
		{"blocksmoo", base}, {"noisy", noisy}, {"jacobi", jacobi}, {"functionalternate", blocks.FunctionAlternate(base)},
		{"blockalternate", blocks.BlockAlternate(base)}, {"weightedsum", blocks.WeightedSum(base)},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := newRun(b, c.config)
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

// unvalued is a problem whose exact losses take no time. A stepper evaluates the exact losses in every step, so their
// time would otherwise hide the time of the step itself.
type unvalued struct{ *problem.LeastSquares }

func (unvalued) Values(f, _ []float64) { clear(f) }

// BenchmarkPart compares steps on five least-squares objectives in 400 variables, with batches of 64. The steps
// follow one objective on a part of the variables, one objective on all variables, or the weighted sum.
func BenchmarkPart(b *testing.B) {
	const variables, objectives = 400, 5
	p, err := problem.RandomLeastSquares(problem.LeastSquaresConfig{
		Objectives: objectives, Examples: 1024, Variables: variables, Condition: 4, Heterogeneity: 1, Noise: 0.1, Seed: 1,
	})
	if err != nil {
		b.Fatal(err)
	}
	base := blocks.Config{
		Problem: unvalued{p}, Start: make([]float64, variables), Frequencies: []int{2, 2, 2, 2, 2}, Batch: 64, StepSize: 1e-4,
	}
	parts := func(size int) blocks.Config {
		c := base
		for lo := 0; lo < variables; lo += size {
			block := make([]int, size)
			for i := range block {
				block[i] = lo + i
			}
			c.Blocks = append(c.Blocks, block)
		}
		return c
	}
	for _, c := range []struct {
		name   string
		config blocks.Config
	}{
		{"weightedsum", blocks.WeightedSum(base)}, {"functionalternate", blocks.FunctionAlternate(base)},
		{"blocks=2", parts(200)}, {"blocks=10", parts(40)}, {"blocks=10 together", blocks.BlockAlternate(parts(40))},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := newRun(b, c.config)
			steps(b, s, 1)
			before := s.View()
			b.ReportAllocs()
			for b.Loop() {
				if status, _ := s.Step(); status != algo.Running {
					b.Fatal(status)
				}
			}
			after := s.View()
			coordinates := after.Cost.GradientCoordinates - before.Cost.GradientCoordinates
			b.ReportMetric(float64(coordinates)/float64(after.K-before.K), "coordinates/op")
		})
	}
}

// unvaluedFactors is a reduced-rank regression whose exact losses take no time.
type unvaluedFactors struct{ *problem.ReducedRank }

func (unvaluedFactors) Values(f, _ []float64) { clear(f) }

// BenchmarkPartialStep compares, at the size of Block-SMOO's experiments, a step of each block along each objective
// with a step along the weighted sum. It reports the median time, and the number of multiplications according to the
// formulas. "V,shared" is a step on V with the batch of the previous step, so that X·U is available.
func BenchmarkPartialStep(b *testing.B) {
	const variables, objectives, rank, batch = 400, 5, 3, 512
	const u, all = variables * rank, (variables + objectives) * rank
	data, _, err := problem.RandomRegression(problem.RegressionConfig{
		Train: 1 << 12, Test: 1, Features: variables, Responses: objectives, TrueRank: rank, Noise: 0.05, Seed: 1,
	})
	if err != nil {
		b.Fatal(err)
	}
	indices := make([]int, all)
	for i := range indices {
		indices[i] = i
	}
	factors := map[string][]int{"U": indices[:u], "V": indices[u:], "V,shared": indices[u:]}
	measure := func(name string, p *problem.ReducedRank, c blocks.Config, before, multiplications int) {
		b.Run(name, func(b *testing.B) {
			c.Problem, c.Start, c.Batch, c.StepSize = unvaluedFactors{p}, p.Start(1, 0), batch, 1e-6
			s := newRun(b, c)
			steps(b, s, s.OuterSteps())
			taken := make([]time.Duration, 0, 1<<16)
			b.ReportAllocs()
			for b.Loop() {
				steps(b, s, before)
				begun := time.Now()
				steps(b, s, 1)
				taken = append(taken, time.Since(begun))
			}
			slices.Sort(taken)
			b.ReportMetric(float64(taken[len(taken)/2].Nanoseconds()), "ns/op")
			b.ReportMetric(float64(multiplications), "ma/op")
		})
	}
	posed := func(kept bool) *problem.ReducedRank {
		p, err := problem.NewReducedRank(data, problem.ReducedRankConfig{Rank: rank, KeepProduct: kept})
		if err != nil {
			b.Fatal(err)
		}
		return p
	}
	p := posed(false)
	measure("weighted sum", p, blocks.WeightedSum(blocks.Config{Frequencies: []int{1, 1, 1, 1, 1}}), 0, p.WeightedWork(batch, 0, all, false))
	for _, block := range []string{"U", "V", "V,shared"} {
		for k := range objectives {
			// The steps of the other block come first and are untimed. With a shared batch, the block's own first step
			// is also untimed.
			c := blocks.Config{Frequencies: make([]int, objectives), BlockOrder: blocks.ListedBlocks}
			p, before := posed(block == "V,shared"), 1
			c.Frequencies[k] = 1
			if c.Blocks = [][]int{factors["U"], factors["V"]}; block == "U" {
				c.Blocks = [][]int{factors["V"], factors["U"]}
			}
			if block == "V,shared" {
				c.Frequencies[k], c.Shared, before = 2, []bool{false, true}, 3
			}
			lo, hi := factors[block][0], factors[block][0]+len(factors[block])
			measure(fmt.Sprintf("%s/objective=%d", block, k+1), p, c, before, p.Work(batch, k, lo, hi, true))
		}
	}
}

// BenchmarkCycle measures the computation of cycles, for quadratics in n variables.
func BenchmarkCycle(b *testing.B) {
	for _, n := range []int{2, 20} {
		b.Run(fmt.Sprint("n=", n), func(b *testing.B) {
			objectives := make([]problem.QuadraticObjective, 2)
			start, parts := make([]float64, n), make([][]int, n)
			for k := range objectives {
				q := &objectives[k]
				q.A, q.Center = make([]float64, n*n), make([]float64, n)
				for i := range n {
					q.A[i*n+i], q.Center[i] = 1+float64(i+k)/float64(n), float64(1-2*k)
					parts[i] = []int{i}
				}
			}
			p, err := problem.NewQuadratics(0, objectives...)
			if err != nil {
				b.Fatal(err)
			}
			c := blocks.Config{
				Problem: p, Start: start, Blocks: parts, Frequencies: []int{1, 3}, Order: blocks.Cyclic,
				BlockOrder: blocks.ListedBlocks, StepSize: 0.05,
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := blocks.NewCycle(c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
