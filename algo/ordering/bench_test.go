package ordering_test

import (
	"fmt"
	"testing"
	"time"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/algo/problem"
)

// unvalued is a problem whose exact losses cost nothing. A stepper evaluates the exact losses in every step, so their
// cost would otherwise hide the cost of the step itself.
type unvalued struct{ ordering.Problem }

func (unvalued) Values(f, _ []float64) { clear(f) }

// BenchmarkOrdering compares three costs for two least-squares objectives with MGDA and the greedy rule: an example's
// gradients, the whole update (gradients, weights, move) on given orders, and the additional cost of the orders. Runs
// alternate epoch by epoch, and the fastest epochs are compared to reduce the effect of other load on the machine.
func BenchmarkOrdering(b *testing.B) {
	for _, batch := range []int{1, 64} {
		for _, d := range []int{10, 1000, 100_000} {
			examples := min(64, max(2, 1_600_000/d/batch))
			p, err := problem.RandomLeastSquares(problem.LeastSquaresConfig{
				Objectives: 2, Examples: batch * examples, Variables: d, Condition: 4, Heterogeneity: 1, Noise: 0.5, Seed: 1,
			})
			if err != nil {
				b.Fatal(err)
			}
			for _, k := range balancing() {
				b.Run(fmt.Sprintf("batch=%d/d=%d/%v", batch, d, k), func(b *testing.B) {
					c := ordering.Config{
						Problem: unvalued{p}, Start: make([]float64, d), Batch: batch, Own: true, StepSize: 0.1 / float64(d), Seed: 1,
					}
					given := newRun(b, c)
					c.Kind = k
					balanced := newRun(b, c)
					gradients, update, whole := time.Hour, time.Hour, time.Hour
					jac, x := algo.NewJacobian(2, d), make([]float64, d)
					sample := &algo.Sample{Batch: make([]int, batch)}
					epoch := func(step func(k int)) time.Duration {
						start := time.Now()
						for k := range examples {
							step(k)
						}
						return time.Since(start)
					}
					b.ReportAllocs()
					for b.Loop() {
						gradients = min(gradients, epoch(func(k int) {
							for i := range sample.Batch {
								sample.Batch[i] = k*batch + i
							}
							p.JacobianAt(jac, x, sample)
						}))
						update = min(update, epoch(func(int) { steps(b, given, 1) }))
						whole = min(whole, epoch(func(int) { steps(b, balanced, 1) }))
					}
					count := float64(examples)
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(float64(gradients)/count, "gradients-ns/step")
					b.ReportMetric(float64(update)/count, "update-ns/step")
					b.ReportMetric(float64(whole-update)/count, "ordering-ns/step")
					b.ReportMetric(float64(whole-update)/float64(update), "ordering/update")
					b.ReportMetric(float64(whole-update)/float64(gradients), "ordering/gradients")
				})
			}
		}
	}
}
