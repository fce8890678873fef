package quadratics_test

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/problem/quadratics"
)

// three returns three quadratics in two variables.
func three(t testing.TB, sigma float64) *quadratics.Problem {
	t.Helper()
	p, err := quadratics.New(sigma,
		quadratics.Quadratic{A: []float64{2, 0.5, 0.5, 1}, Center: []float64{1, 0}},
		quadratics.Quadratic{A: []float64{1, 0, 0, 4}, Center: []float64{-1, 0.5}},
		quadratics.Quadratic{A: []float64{1, -0.2, -0.2, 1}, Center: []float64{0, -1}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestQuadraticsConformance(t *testing.T) {
	for _, sigma := range []float64{0, 0.3} {
		algotest.Problem(t, three(t, sigma), []float64{1, 0}, []float64{100, -50})
	}
}

func TestQuadraticsByHand(t *testing.T) {
	p, err := quadratics.New(0,
		quadratics.Quadratic{A: []float64{2, 0, 0, 1}, Center: []float64{1, 0}},
		quadratics.Quadratic{A: []float64{1, 0, 0, 3}, Center: []float64{-1, 2}},
	)
	if err != nil {
		t.Fatal(err)
	}
	f := make([]float64, 2)
	p.Values(f, []float64{2, 1})
	// ½(2·1² + 1²) and ½(3² + 3·1²).
	if f[0] != 1.5 || f[1] != 6 {
		t.Errorf("f(2, 1) = %v, want [1.5 6]", f)
	}
	x := make([]float64, 2)
	if err := p.ParetoPoint(x, []float64{0.5, 0.5}); err != nil {
		t.Fatal(err)
	}
	// diag(1.5, 2)⁻¹ (½(2−1), ½(0+6)).
	if math.Abs(x[0]-1.0/3) > 1e-15 || math.Abs(x[1]-1.5) > 1e-15 {
		t.Errorf("Pareto point at λ = ½ is %v, want [1/3 1.5]", x)
	}
	if p.Lipschitz() != 3 || p.StrongConvexity() != 1 {
		t.Errorf("L = %v, μ = %v, want 3 and 1", p.Lipschitz(), p.StrongConvexity())
	}
	front, err := p.Front(3)
	if err != nil {
		t.Fatal(err)
	}
	p.Values(f, x)
	if front[0][0] > 1e-30 || front[2][1] > 1e-30 || math.Abs(front[1][0]-f[0])+math.Abs(front[1][1]-f[1]) > 1e-15 {
		t.Errorf("front %v does not go from the minimum of f1 through %v to that of f2", front, f)
	}
}

func TestQuadraticsParetoPointIsStationary(t *testing.T) {
	p := three(t, 0)
	jac, g, x := algo.NewJacobian(3, 2), make([]float64, 2), make([]float64, 2)
	for _, w := range [][]float64{{1, 0, 0}, {0.2, 0.3, 0.5}, {0, 0.9, 0.1}} {
		if err := p.ParetoPoint(x, w); err != nil {
			t.Fatal(err)
		}
		p.Jacobian(jac, x)
		jac.Combine(g, w)
		if math.Hypot(g[0], g[1]) > 1e-14 {
			t.Errorf("w = %v: the weighted gradient at %v is %v", w, x, g)
		}
	}
	for _, w := range [][]float64{{0, 0, 0}, {1, -1, 1}, {1, math.NaN(), 0}, {1, math.Inf(1), 0}} {
		if err := p.ParetoPoint(x, w); err == nil {
			t.Errorf("weights %v are accepted", w)
		}
	}
	if _, err := p.Front(5); err == nil {
		t.Error("the front of three objectives is accepted as a curve")
	}
}

func TestNewQuadraticsCopies(t *testing.T) {
	q := quadratics.Quadratic{A: []float64{1}, Center: []float64{0}}
	p, err := quadratics.New(0, q)
	if err != nil {
		t.Fatal(err)
	}
	q.A[0], q.Center[0] = 5, 5
	f := make([]float64, 1)
	if p.Values(f, []float64{2}); f[0] != 2 {
		t.Errorf("f(2) = %v after the caller changed its slices, want 2", f[0])
	}
}

func TestNewQuadraticsRefuses(t *testing.T) {
	ok := quadratics.Quadratic{A: []float64{1, 0, 0, 1}, Center: []float64{0, 0}}
	for name, c := range map[string]struct {
		sigma      float64
		objectives []quadratics.Quadratic
	}{
		"none":           {0, nil},
		"no variables":   {0, []quadratics.Quadratic{{}}},
		"lengths":        {0, []quadratics.Quadratic{ok, {A: []float64{1}, Center: []float64{0}}}},
		"not symmetric":  {0, []quadratics.Quadratic{{A: []float64{1, 0.1, 0, 1}, Center: []float64{0, 0}}}},
		"indefinite":     {0, []quadratics.Quadratic{{A: []float64{1, 2, 2, 1}, Center: []float64{0, 0}}}},
		"singular":       {0, []quadratics.Quadratic{{A: []float64{1, 0, 0, 0}, Center: []float64{0, 0}}}},
		"not finite":     {0, []quadratics.Quadratic{{A: []float64{1, 0, 0, math.Inf(1)}, Center: []float64{0, 0}}}},
		"center NaN":     {0, []quadratics.Quadratic{{A: ok.A, Center: []float64{math.NaN(), 0}}}},
		"negative sigma": {-1, []quadratics.Quadratic{ok}},
	} {
		if _, err := quadratics.New(c.sigma, c.objectives...); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
