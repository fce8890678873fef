package minnorm

import (
	"fmt"
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
)

// drawn returns m rows of n numbers. Each number is the sum of 12 consecutive draws of a seed, minus 6, so it is
// approximately normal. Kind "shifted" adds 0.5 to all numbers. Kind "scales" multiplies row i by a power of 10. Its
// exponent, from −4 to 4, comes from a further draw.
func drawn(kind string, seed, m, n int) *algo.Jacobian {
	j := algo.NewJacobian(m, n)
	for k := range j.Data {
		for d := range 12 {
			j.Data[k] += algotest.Draw(seed, 12*k+d)
		}
		j.Data[k] -= 6
		if kind == "shifted" {
			j.Data[k] += 0.5
		}
	}
	if kind == "scales" {
		for i := range m {
			by := math.Pow(10, 8*algotest.Draw(seed, 12*m*n+i)-4)
			for c := range j.Row(i) {
				j.Row(i)[c] *= by
			}
		}
	}
	return j
}

// BenchmarkGramian solves from the Gramian alone, for seeds 1 to 4 in turn, with rows of 100 numbers or of the given
// length. "square" is the square of the least norm for seed 1. bench/peers compares these times with those of other
// libraries.
func BenchmarkGramian(b *testing.B) {
	for _, kind := range []string{"normal", "shifted", "scales"} {
		for _, m := range []int{10, 30, 50, 100, 200} {
			for _, n := range []int{100, 1000} {
				name := fmt.Sprintf("%s/%d", kind, m)
				if n != 100 {
					name += fmt.Sprintf("x%d", n)
				}
				b.Run(name, func(b *testing.B) {
					var grams [4][]float64
					for k := range grams {
						grams[k] = make([]float64, m*m)
						drawn(kind, 1+k, m, n).Gram(grams[k])
					}
					var s Solver
					w := make([]float64, m)
					used := 0
					b.ReportAllocs()
					k := 0
					for b.Loop() {
						s.Solve(w, grams[k%4])
						k++
					}
					for _, x := range w {
						if x > 0 {
							used++
						}
					}
					b.ReportMetric(float64(used), "rows")
					s.Solve(w, grams[0])
					b.ReportMetric(square(grams[0], w), "square")
				})
			}
		}
	}
}
