package bilevel_test

import (
	"fmt"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
)

func benchmarkSteps(b *testing.B, s algo.Stepper) {
	b.Helper()
	b.ReportAllocs()
	if _, err := s.Step(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if status, err := s.Step(); status != algo.Running || err != nil {
			b.Fatal(status, err)
		}
	}
}

func BenchmarkFORUM(b *testing.B) {
	for _, multiplier := range []bilevel.Multiplier{bilevel.AsPublished, bilevel.ExactDual} {
		b.Run(string(multiplier), func(b *testing.B) {
			c := paperForum([]float64{0, 0, 3})
			c.Multiplier = multiplier
			benchmarkSteps(b, newForum(b, c))
		})
	}
}

func BenchmarkFORUMAgainstT(b *testing.B) {
	for _, steps := range []int{1, 16, 128, 1024} {
		b.Run(fmt.Sprint(steps), func(b *testing.B) {
			c := paperForum([]float64{0, 0, 3})
			c.Loop.Steps = steps
			benchmarkSteps(b, newForum(b, c))
		})
	}
}

func BenchmarkFORUMAgainstM(b *testing.B) {
	for _, m := range []int{1, 2, 3, 5, 10, 20} {
		b.Run(fmt.Sprint(m), func(b *testing.B) {
			c := paperForum([]float64{0, 0, 3})
			c.Problem, c.Upper.StepSize = bowls(m, 1, 1), 0.01
			benchmarkSteps(b, newForum(b, c))
		})
	}
}

func BenchmarkBOME(b *testing.B) { benchmarkSteps(b, newBOME(b, bome([]float64{0, 0, 3}))) }

func BenchmarkBVFIM(b *testing.B) { benchmarkSteps(b, newBVFIM(b, bvfim([]float64{0, 0, 3}))) }

func BenchmarkKKT(b *testing.B) {
	b.ReportAllocs()
	m := bilevel.NewMeasures(bowls(5, 1, 1))
	z := []float64{0, 0, 3}
	for b.Loop() {
		m.KKT(z)
	}
}
