package minnorm

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"paretoplay/algo"
)

// BenchmarkSolution compares the time for the point of least norm and its weights, including the Gramian, with the
// time for the Gramian alone.
func BenchmarkSolution(b *testing.B) {
	const n = 1000
	for _, m := range []int{2, 3, 10, 30} {
		for _, kind := range []struct {
			name string
			make func(r *rand.Rand, m, n int) *algo.Jacobian
		}{
			{"gaussian", gaussian},
			{"shifted", families[1].make},
			{"stationary to 1e-6", func(r *rand.Rand, m, n int) *algo.Jacobian { return nearStationary(r, m, n, 1e-6) }},
			{"stationary", func(r *rand.Rand, m, n int) *algo.Jacobian { return nearStationary(r, m, n, 0) }},
		} {
			j := kind.make(rand.New(rand.NewPCG(23, uint64(m))), m, n)
			gram, weights, direction := make([]float64, m*m), make([]float64, m), make([]float64, n)
			var s Solver
			b.Run(fmt.Sprintf("%s/S=%d", kind.name, m), func(b *testing.B) {
				b.ReportAllocs()
				// Measure both in turn and keep the fastest time of each, so that other load on the machine affects
				// both.
				products, all := time.Hour, time.Hour
				for b.Loop() {
					start := time.Now()
					j.Gram(gram)
					middle := time.Now()
					s.SolveJacobian(weights, j)
					j.Combine(direction, weights)
					products, all = min(products, middle.Sub(start)), min(all, time.Since(middle))
				}
				b.ReportMetric(float64(products.Nanoseconds()), "ns/Gramian")
				b.ReportMetric(float64(all.Nanoseconds()), "ns/solution")
				b.ReportMetric(float64(all)/float64(products), "Gramians")
			})
		}
	}
}
