package problem_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/problem"
)

// three returns a problem with three quadratics in two variables.
func three(t testing.TB, sigma float64) *problem.Quadratics {
	t.Helper()
	p, err := problem.NewQuadratics(sigma,
		problem.QuadraticObjective{A: []float64{2, 0.5, 0.5, 1}, Center: []float64{1, 0}},
		problem.QuadraticObjective{A: []float64{1, 0, 0, 4}, Center: []float64{-1, 0.5}},
		problem.QuadraticObjective{A: []float64{1, -0.2, -0.2, 1}, Center: []float64{0, -1}},
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
	p, err := problem.NewQuadratics(0,
		problem.QuadraticObjective{A: []float64{2, 0, 0, 1}, Center: []float64{1, 0}},
		problem.QuadraticObjective{A: []float64{1, 0, 0, 3}, Center: []float64{-1, 2}},
	)
	if err != nil {
		t.Fatal(err)
	}
	f := make([]float64, 2)
	p.Values(f, []float64{2, 1})
	// The values are ½(2·1² + 1²) and ½(3² + 3·1²).
	if f[0] != 1.5 || f[1] != 6 {
		t.Errorf("f(2, 1) = %v, want [1.5 6]", f)
	}
	x := make([]float64, 2)
	if err := p.ParetoPoint(x, []float64{0.5, 0.5}); err != nil {
		t.Fatal(err)
	}
	// The minimiser is diag(1.5, 2)⁻¹ (½(2−1), ½(0+6)).
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
		t.Errorf("front %v does not go from f1's minimum through %v to f2's", front, f)
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
	q := problem.QuadraticObjective{A: []float64{1}, Center: []float64{0}}
	p, err := problem.NewQuadratics(0, q)
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
	ok := problem.QuadraticObjective{A: []float64{1, 0, 0, 1}, Center: []float64{0, 0}}
	for name, c := range map[string]struct {
		sigma      float64
		objectives []problem.QuadraticObjective
	}{
		"none":           {0, nil},
		"no variables":   {0, []problem.QuadraticObjective{{}}},
		"lengths":        {0, []problem.QuadraticObjective{ok, {A: []float64{1}, Center: []float64{0}}}},
		"not symmetric":  {0, []problem.QuadraticObjective{{A: []float64{1, 0.1, 0, 1}, Center: []float64{0, 0}}}},
		"indefinite":     {0, []problem.QuadraticObjective{{A: []float64{1, 2, 2, 1}, Center: []float64{0, 0}}}},
		"singular":       {0, []problem.QuadraticObjective{{A: []float64{1, 0, 0, 0}, Center: []float64{0, 0}}}},
		"not finite":     {0, []problem.QuadraticObjective{{A: []float64{1, 0, 0, math.Inf(1)}, Center: []float64{0, 0}}}},
		"center NaN":     {0, []problem.QuadraticObjective{{A: ok.A, Center: []float64{math.NaN(), 0}}}},
		"negative sigma": {-1, []problem.QuadraticObjective{ok}},
	} {
		if _, err := problem.NewQuadratics(c.sigma, c.objectives...); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// spread returns a symmetric n×n matrix with the given eigenvalues. It applies random reflections to a diagonal
// matrix.
func spread(rng *rand.Rand, eigenvalues []float64) []float64 {
	n := len(eigenvalues)
	a := make([]float64, n*n)
	for i, v := range eigenvalues {
		a[i*n+i] = v
	}
	for range n {
		u, square := make([]float64, n), 0.0
		for i := range u {
			u[i] = rng.NormFloat64()
			square += u[i] * u[i]
		}
		au, uau := make([]float64, n), 0.0
		for r := range n {
			for c := range n {
				au[r] += a[r*n+c] * u[c]
			}
			uau += u[r] * au[r]
		}
		for r := range n {
			for c := range r + 1 {
				a[r*n+c] += (4*u[r]*uau*u[c]/square - 2*u[r]*au[c] - 2*au[r]*u[c]) / square
				a[c*n+r] = a[r*n+c]
			}
		}
	}
	return a
}

// TestQuadraticsConvexity checks that the smallest and largest eigenvalues are the prescribed ones, in any unit, and
// for sums of matrices too.
func TestQuadraticsConvexity(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for _, unit := range []float64{1, 1e-150, 1e8, 1e150} {
		for n := 1; n <= 20; n++ {
			eigenvalues := make([]float64, n)
			for i := range eigenvalues {
				eigenvalues[i] = unit * (1 + rng.Float64()*float64(i*i))
			}
			a := spread(rng, eigenvalues)
			least, most := slices.Min(eigenvalues), slices.Max(eigenvalues)
			identity := make([]float64, n*n)
			for i := range n {
				identity[i*n+i] = 5 * most
			}
			p, err := problem.NewQuadratics(0, problem.QuadraticObjective{A: a, Center: make([]float64, n)},
				problem.QuadraticObjective{A: identity, Center: make([]float64, n)})
			if err != nil {
				t.Fatalf("n = %d: %v", n, err)
			}
			const tolerance = 1e-13
			if got := p.StrongConvexity(); math.Abs(got-least) > tolerance*most {
				t.Errorf("n = %d: μ = %v, want %v", n, got, least)
			}
			if got := p.Lipschitz(); math.Abs(got-5*most) > tolerance*most {
				t.Errorf("n = %d: L = %v, want %v", n, got, 5*most)
			}
			got, err := p.WeightedConvexity([]float64{0.25, 0.75})
			if want := 0.25*least + 3.75*most; err != nil || math.Abs(got-want) > 4*tolerance*most {
				t.Errorf("n = %d: μ of the weighted sum is %v, %v, want %v", n, got, err, want)
			}
		}
	}
	for _, w := range [][]float64{{0, 0, 0}, {1, -1, 1}, {1, math.NaN(), 0}} {
		var refused *algo.RangeError
		if _, err := three(t, 0).WeightedConvexity(w); !errors.As(err, &refused) {
			t.Errorf("weights %v: %v, want a RangeError", w, err)
		}
	}
}

// TestQuadraticsInOtherUnits checks that a small eigenvalue is as accurate as a large one if a matrix differs from a
// well-conditioned one only by the units of its variables.
func TestQuadraticsInOtherUnits(t *testing.T) {
	const small = 1e-9
	// diag(1, small)·(1 ½; ½ 1)·diag(1, small) has the determinant ¾·small² and the trace 1 + small².
	p, err := problem.NewQuadratics(0, problem.QuadraticObjective{
		A: []float64{1, small / 2, small / 2, small * small}, Center: []float64{3, -7},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := 0.75 * small * small
	if got := p.StrongConvexity(); math.Abs(got-want) > 1e-14*want {
		t.Errorf("μ = %v, want %v", got, want)
	}
	x := make([]float64, 2)
	if err := p.ParetoPoint(x, []float64{1e-200}); err != nil || math.Abs(x[0]-3) > 1e-9 || math.Abs(x[1]+7) > 1e-9 {
		t.Errorf("the minimiser is %v, %v, want [3 -7]", x, err)
	}
}
