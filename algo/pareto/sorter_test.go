package pareto

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSorter compares the order with the result of a stable sort, for few and many keys, spread and crowded keys, equal
// keys, and keys at the ends of the range.
func TestSorter(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	var s sorter
	for name, draw := range map[string]func() float64{
		"even":      r.Float64,
		"both ways": r.NormFloat64,
		"orders":    func() float64 { return math.Exp(300 * r.NormFloat64()) },
		"ties":      func() float64 { return float64(r.IntN(5)) - 2 },
		"equal":     func() float64 { return 7 },
		"zeros":     func() float64 { return []float64{0, math.Copysign(0, -1)}[r.IntN(2)] },
		"crowded":   func() float64 { return 1 + float64(r.IntN(1<<30))*0x1p-52*float64(r.IntN(2)) },
		"one far":   func() float64 { return []float64{r.Float64(), r.Float64(), 1e300}[r.IntN(3)] },
		"crossing":  func() float64 { return 1e-300 * r.NormFloat64() * math.Exp(r.NormFloat64()) },
		"ends": func() float64 {
			return []float64{math.Inf(-1), math.Inf(1), 0, math.Copysign(0, -1), 5e-324, -5e-324}[r.IntN(6)]
		},
		"descending": func() func() float64 {
			v := 1.0
			return func() float64 { v -= 0x1p-50; return v }
		}(),
	} {
		for _, n := range []int{0, 1, 2, fewKeys, fewKeys + 1, 200, someKeys + 1, manyKeys, manyKeys + 1, 30_000} {
			keys, want := make([]float64, n), make([]int32, n)
			for i := range keys {
				keys[i], want[i] = draw(), int32(i)
			}
			slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
			got := make([]int32, n)
			if s.sort(got, keys); !slices.Equal(got, want) {
				t.Errorf("%s, %d keys: another order than a stable sort's", name, n)
			}
		}
	}
}
