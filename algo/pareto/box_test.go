package pareto_test

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/pareto"
)

// zdt1 is the problem of Zitzler, Deb & Thiele (2000) with 30 variables in [0, 1]:
// f_1 = x_1, f_2 = g·(1 − √(f_1/g)), g = 1 + 9/29·Σ_{i≥2} x_i.
type zdt1 struct{ lo, hi []float64 }

func newZDT1() *zdt1 {
	p := &zdt1{make([]float64, 30), make([]float64, 30)}
	for i := range p.hi {
		p.hi[i] = 1
	}
	return p
}

func (*zdt1) Dims() (n, m int)             { return 30, 2 }
func (p *zdt1) Bounds() (lo, hi []float64) { return p.lo, p.hi }
func (p *zdt1) Values(f, x []float64)      { g := p.g(x); f[0], f[1] = x[0], g-math.Sqrt(x[0]*g) }
func (p *zdt1) Jacobian(j *algo.Jacobian, x []float64) {
	g, x1 := p.g(x), max(x[0], 1e-12)
	clear(j.Data)
	j.Data[0] = 1
	second := j.Row(1)
	for i := range second {
		second[i] = 9.0 / 29 * (1 - math.Sqrt(x1/g)/2)
	}
	second[0] = -math.Sqrt(g/x1) / 2
}

func (*zdt1) g(x []float64) float64 {
	var sum float64
	for _, v := range x[1:] {
		sum += v
	}
	return 1 + 9*sum/29
}

// TestStationarityInABox: at a point of ZDT1's front all variables but the first
// are at their lower bound, which the gradient of the second objective would cross.
func TestStationarityInABox(t *testing.T) {
	p := newZDT1()
	x := make([]float64, 30)
	x[0] = 0.5
	algotest.Problem(t, p, x)
	if omega := pareto.StationarityOf(p)(x); omega > 1e-15 {
		t.Errorf("ω = %v on the front, want 0", omega)
	}
	free := pareto.StationarityOf(struct{ algo.Problem }{p})
	if omega := free(x); math.Abs(omega-0.535) > 1e-3 {
		t.Errorf("without the box ω = %v, want 0.535", omega)
	}
	inside := make([]float64, 30)
	for i := range inside {
		inside[i] = 0.3
	}
	if a, b := pareto.StationarityOf(p)(inside), free(inside); a != b || a == 0 {
		t.Errorf("inside the box ω = %v, without the box %v", a, b)
	}
	inside[0] = 0 // where f_1 cannot fall
	if omega := pareto.StationarityOf(algo.Exact(p))(inside); omega != 0 {
		t.Errorf("ω = %v where the first objective is minimal, want 0", omega)
	}
}
