package blocks_test

import (
	"fmt"
	"testing"

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

// unvalued is a problem whose exact losses, which a stepper looks at in every step, cost
// nothing, so that they do not hide what the step itself costs.
type unvalued struct{ *problem.LeastSquares }

func (unvalued) Values(f, _ []float64) { clear(f) }

// BenchmarkPart compares, on five least-squares objectives in 400 variables and batches of
// 64, a step along one objective on a part of the variables with one along all of them, and
// along the weighted sum.
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

// BenchmarkCycle measures where runs end, for quadratics in n variables.
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
