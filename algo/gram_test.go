package algo_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"paretoplay/algo"
)

func random(rows, cols int) *algo.Jacobian {
	r := rand.New(rand.NewPCG(uint64(rows), uint64(cols)))
	j := algo.NewJacobian(rows, cols)
	for i := range j.Data {
		j.Data[i] = r.NormFloat64()
	}
	return j
}

// TestGram compares with the sum of products, on both sides of every length at
// which the method changes.
func TestGram(t *testing.T) {
	for _, cols := range []int{1, 2, 31, 32, 33, 1023, 1024, 1025, 2500} {
		for _, rows := range []int{1, 2, 5} {
			j := random(rows, cols)
			got := make([]float64, rows*rows)
			for i := range got {
				got[i] = math.NaN()
			}
			j.Gram(got)
			for i := range rows {
				for k := range rows {
					var want, size float64
					for c, v := range j.Row(i) {
						want += v * j.Row(k)[c]
						size += math.Abs(v * j.Row(k)[c])
					}
					if !(math.Abs(got[i*rows+k]-want) <= 1e-14*size) {
						t.Errorf("%d×%d: entry %d,%d is %g, want %g", rows, cols, i, k, got[i*rows+k], want)
					}
					if got[i*rows+k] != got[k*rows+i] {
						t.Errorf("%d×%d: entries %d,%d differ from their mirror images", rows, cols, i, k)
					}
				}
			}
			if a := testing.AllocsPerRun(10, func() { j.Gram(got) }); a != 0 {
				t.Errorf("%d×%d: %v allocations", rows, cols, a)
			}
		}
	}
}

func BenchmarkGram(b *testing.B) {
	for _, rows := range []int{2, 3, 10, 30} {
		for _, cols := range []int{2, 10, 1000, 100_000} {
			j := random(rows, cols)
			gram := make([]float64, rows*rows)
			b.Run(fmt.Sprintf("S=%d/d=%d", rows, cols), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					j.Gram(gram)
				}
			})
		}
	}
}
