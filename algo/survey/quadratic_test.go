package survey

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestQuadratic checks that solutions satisfy the Karush–Kuhn–Tucker conditions. It includes nearly parallel
// planes, many planes that meet at the start, and an M that is almost zero.
func TestQuadratic(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var s quadratic
	unsolved := 0
	for trial := range 3000 {
		n := 1 + random.IntN(6)
		s.reset(n)
		steep := math.Pow(10, float64(random.IntN(7)-3))
		bend := math.Pow(10, float64(-random.IntN(10)))
		for c := range n {
			s.low[c], s.high[c] = -random.Float64(), random.Float64()
			if random.IntN(4) == 0 {
				s.low[c] = 0
			}
			if random.IntN(4) == 0 {
				s.high[c] = 0
			}
		}
		factor := make([]float64, n*n)
		for i := range factor {
			factor[i] = random.NormFloat64()
		}
		for r := range n {
			for c := range n {
				sum := 0.0
				for k := range n {
					sum += factor[r*n+k] * factor[c*n+k]
				}
				s.m[r*n+c] = bend * sum
			}
			s.m[r*n+r] += 1e-9
		}
		base := make([]float64, n)
		for range 1 + random.IntN(4*n) {
			a := make([]float64, n)
			near := []float64{1, 1, 1e-3, 1e-7}[random.IntN(4)]
			for c := range a {
				a[c] = steep*near*random.NormFloat64() + base[c]
			}
			if random.IntN(3) == 0 {
				copy(base, a)
			}
			v := 0.0
			if random.IntN(2) == 0 {
				v = -random.Float64()
			}
			s.plane(v, a)
		}
		if !s.solve() {
			unsolved++
			continue
		}
		all := 0.0
		for k := range s.v {
			if s.at(k) > s.z+1e-12*(1+steep) {
				t.Errorf("%d: plane %d is %g above the greatest", trial, k, s.at(k)-s.z)
			}
			if l := s.lambda[k]; l < -1e-9 || l > 1e-9 && s.at(k) < s.z-1e-9*(1+steep) {
				t.Errorf("%d: multiplier %g of plane %d, %g below", trial, l, k, s.z-s.at(k))
			}
			all += s.lambda[k]
		}
		if math.Abs(all-1) > 1e-9 {
			t.Errorf("%d: multipliers add up to %g", trial, all)
		}
		for c := range n {
			g := 0.0
			for e := range n {
				g += s.m[c*n+e] * s.d[e]
			}
			for k := range s.v {
				g += s.lambda[k] * s.slope(k)[c]
			}
			if s.d[c] < s.low[c] || s.d[c] > s.high[c] {
				t.Errorf("%d: variable %d is at %g, from %g to %g", trial, c, s.d[c], s.low[c], s.high[c])
			}
			if tiny := 1e-9 * (1 + steep); g > tiny && s.d[c] > s.low[c] || g < -tiny && s.d[c] < s.high[c] {
				t.Errorf("%d: slope %g of variable %d at %g, from %g to %g", trial, g, c, s.d[c], s.low[c], s.high[c])
			}
		}
	}
	if unsolved > 3 {
		t.Errorf("%d programs are not solved", unsolved)
	}
}
