package problem_test

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/problem"
)

func newTwoQuadratics(t testing.TB, d int, sigma float64) *problem.TwoQuadratics {
	t.Helper()
	p, err := problem.NewTwoQuadratics(d, sigma)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTwoQuadraticsConformance compares the gradients with finite differences, among other checks.
func TestTwoQuadraticsConformance(t *testing.T) {
	for _, d := range []int{1, 2, 3, 10, 30} {
		for _, sigma := range []float64{0, 0.3} {
			algotest.Problem(t, newTwoQuadratics(t, d, sigma))
		}
	}
	algotest.Problem(t, newTwoQuadratics(t, 2, 0), []float64{40, -40}, []float64{math.Sqrt2 / 2, math.Sqrt2 / 2})
}

// TestTwoQuadraticsIsFonsecaInOtherUnits checks that Fonseca's objectives are 1 − exp(−4·f) everywhere, and that the
// gradients have the same directions. The same points must count as ends of both fronts.
func TestTwoQuadraticsIsFonsecaInOtherUnits(t *testing.T) {
	for _, d := range []int{1, 2, 30} {
		p, other := newTwoQuadratics(t, d, 0), newFonseca(t, d, 0)
		f, g := make([]float64, 2), make([]float64, 2)
		a, b := algo.NewJacobian(2, d), algo.NewJacobian(2, d)
		x := make([]float64, d)
		for i := range 50 {
			for j := range x {
				x[j] = 1.2 * math.Sin(float64(7*i+3*j*j+1))
			}
			p.Values(f, x)
			other.Values(g, x)
			p.Jacobian(a, x)
			other.Jacobian(b, x)
			for k := range 2 {
				if want := 1 - math.Exp(-4*f[k]); math.Abs(g[k]-want) > 1e-14 {
					t.Errorf("d = %d: f%d is %v and %v", d, k+1, f[k], g[k])
				}
				for c, v := range a.Row(k) {
					if want := 4 * math.Exp(-4*f[k]) * v; math.Abs(b.Row(k)[c]-want) > 1e-13 {
						t.Errorf("d = %d: ∂f%d is %v, Fonseca’s %v", d, k+1, a.Row(k), b.Row(k))
					}
				}
			}
			if p.DistanceToParetoSet(x) != other.DistanceToParetoSet(x) {
				t.Errorf("d = %d: the distances to the set differ at %v", d, x)
			}
		}
		if end := 1 - math.Exp(-4*p.End()); math.Abs(end-other.End()) > 1e-15 {
			t.Errorf("an end is %v in Fonseca’s units", end)
		}
	}
}

// TestTwoQuadraticsFront checks that √f1 + √f2 = 1 on the Pareto set, and that weighted sums have their documented
// minimisers.
func TestTwoQuadraticsFront(t *testing.T) {
	for _, d := range []int{1, 2, 7} {
		p := newTwoQuadratics(t, d, 0)
		_, hi := p.ParetoInterval()
		x, f, jac := make([]float64, d), make([]float64, 2), algo.NewJacobian(2, d)
		for i, want := range p.Front(11) {
			p.ParetoPoint(x, hi*(1-float64(i)/5))
			p.Values(f, x)
			if math.Abs(f[0]-want[0])+math.Abs(f[1]-want[1]) > 1e-15 || math.Abs(math.Sqrt(f[0])+math.Sqrt(f[1])-1) > 1e-15 {
				t.Errorf("d = %d: %v and %v", d, f, want)
			}
		}
		sum := make([]float64, d)
		for _, lambda := range []float64{0, 0.1, 0.5, 0.9, 1} {
			p.ParetoPoint(x, (2*lambda-1)*hi)
			p.Jacobian(jac, x)
			jac.Combine(sum, []float64{lambda, 1 - lambda})
			for _, v := range sum {
				if math.Abs(v) > 1e-16 {
					t.Errorf("d = %d, λ = %v: the gradient of the sum is %v", d, lambda, sum)
				}
			}
		}
	}
}

// TestTwoQuadraticsBoundary checks that the boundary is the image of the line through the minimisers, and has no jump
// in the visible part. Outside that part, a corner must close the boundary.
func TestTwoQuadraticsBoundary(t *testing.T) {
	p := newTwoQuadratics(t, 2, 0)
	loop := p.AttainableBoundary(50)
	if n := len(loop); n != 152 || loop[n-1][0] != loop[0][0] || loop[n-1][1] != loop[n-2][1] {
		t.Fatalf("%d points, from %v to %v", len(loop), loop[0], loop[len(loop)-2:])
	}
	for i, f := range loop[:151] {
		r1, r2 := math.Sqrt(f[0]), math.Sqrt(f[1])
		if on := min(math.Abs(r1+r2-1), math.Abs(math.Abs(r1-r2)-1)); on > 1e-12 {
			t.Errorf("point %d, %v, is %v off", i, f, on)
		}
		if i > 0 && max(f[0], f[1]) < 2 {
			if step := math.Hypot(f[0]-loop[i-1][0], f[1]-loop[i-1][1]); step > 0.3 {
				t.Errorf("the loop jumps by %v at point %d", step, i)
			}
		}
	}
}

func TestNewTwoQuadraticsRefuses(t *testing.T) {
	for _, c := range []struct {
		d     int
		sigma float64
	}{{0, 0}, {31, 0}, {2, -1}, {2, math.NaN()}} {
		if _, err := problem.NewTwoQuadratics(c.d, c.sigma); err == nil {
			t.Errorf("NewTwoQuadratics(%v, %v) is accepted", c.d, c.sigma)
		}
	}
}
