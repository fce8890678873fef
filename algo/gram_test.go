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

// TestGram compares Gram with plain sums of products, for lengths just below and above every change of algorithm.
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

// TestCombine compares Combine with exact sums of small integers, for lengths just below and above the change of
// algorithm.
func TestCombine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, cols := range []int{1, 2, 31, 32, 33, 1001} {
		j := algo.NewJacobian(4, cols)
		for i := range j.Data {
			j.Data[i] = float64(r.IntN(9) - 4)
		}
		w := []float64{2, 0, -3, 0.5}
		got := make([]float64, cols)
		for c := range got {
			got[c] = math.NaN()
		}
		j.Combine(got, w)
		for c, v := range got {
			if want := 2*j.Row(0)[c] - 3*j.Row(2)[c] + 0.5*j.Row(3)[c]; v != want {
				t.Errorf("%d columns: entry %d is %g, want %g", cols, c, v, want)
			}
		}
		if a := testing.AllocsPerRun(10, func() { j.Combine(got, w) }); a != 0 {
			t.Errorf("%d columns: %v allocations", cols, a)
		}
	}
}

func TestFinite(t *testing.T) {
	for length := range 20 {
		v := make([]float64, length)
		for i := range v {
			v[i] = math.MaxFloat64
		}
		if !algo.Finite(v) {
			t.Errorf("%d finite numbers are not", length)
		}
		for i := range v {
			for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				v[i] = bad
				if algo.Finite(v) {
					t.Errorf("%g at %d of %d is finite", bad, i, length)
				}
			}
			v[i] = -math.MaxFloat64
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
