package problem_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/problem"
)

func newToy(t testing.TB, scale, sigma float64) *problem.Toy {
	t.Helper()
	p, err := problem.NewToy(scale, sigma)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestToyConformance(t *testing.T) {
	for _, scale := range []float64{1, 0.1} {
		for _, sigma := range []float64{0, 0.3} {
			// The points are the starts, a kink of both gates, and the floor of a valley.
			points := append(problem.ToyStarts(), []float64{3, 0}, []float64{-7 + 2*math.Tanh(1), 1})
			algotest.Problem(t, newToy(t, scale, sigma), points...)
		}
	}
}

// TestToyGradients checks that the Jacobian agrees with finite differences in the whole window, except at the kinks:
// x2 = 0 and the bottoms of the valleys.
func TestToyGradients(t *testing.T) {
	p := newToy(t, 0.1, 0)
	jac, f, difference := algo.NewJacobian(2, 2), make([]float64, 2), make([]float64, 2)
	checked := 0
	for i := range 41 {
		for j := range 41 {
			x := []float64{-10 + 0.5*float64(i) + 0.013, -10 + 0.5*float64(j) + 0.171}
			u1 := 0.5*(-x[0]-7) + math.Tanh(x[1])
			u2 := 0.5*(-x[0]+3) - math.Tanh(x[1]) + 2
			if min(math.Abs(u1), math.Abs(u2)) < 0.01 {
				continue
			}
			checked++
			p.Jacobian(jac, x)
			for k := range f {
				fd.Gradient(difference, func(x []float64) float64 {
					p.Values(f, x)
					return f[k]
				}, x, &fd.Settings{Formula: fd.Central})
				for c, want := range difference {
					// Near a valley, the third derivative grows like 1/u³, and so does the error of the finite differences.
					if got := jac.Row(k)[c]; !(math.Abs(got-want) <= 1e-7*max(1, math.Abs(want))) {
						t.Errorf("∂f%d/∂x%d at %v is %v, finite differences give %v", k+1, c+1, x, got, want)
					}
				}
			}
		}
	}
	if checked < 1600 {
		t.Errorf("%d points checked, want 1600", checked)
	}
}

func TestToyOracle(t *testing.T) {
	data, err := os.ReadFile("testdata/toy_cagrad.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Starts [][]float64
		Points []struct {
			X, F []float64
			Grad [][]float64
		}
	}
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	if len(oracle.Points) != 35 {
		t.Fatalf("%d points, want 35", len(oracle.Points))
	}
	near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-12*max(1, math.Abs(want)) }
	for _, scale := range []float64{1, 0.1} {
		p := newToy(t, scale, 0)
		jac, f := algo.NewJacobian(2, 2), make([]float64, 2)
		for _, point := range oracle.Points {
			p.Values(f, point.X)
			p.Jacobian(jac, point.X)
			factors := []float64{scale, 1} // the points are given for scale 1
			for i, want := range point.F {
				if !near(f[i], factors[i]*want) {
					t.Errorf("scale %v, x = %v: f%d = %v, want %v", scale, point.X, i+1, f[i], factors[i]*want)
				}
				for c, want := range point.Grad[i] {
					if !near(jac.Row(i)[c], factors[i]*want) {
						t.Errorf("scale %v, x = %v: ∂f%d/∂x%d = %v, want %v", scale, point.X, i+1, c+1, jac.Row(i)[c], factors[i]*want)
					}
				}
			}
		}
	}
	starts := problem.ToyStarts()
	if len(starts) != len(oracle.Starts) {
		t.Errorf("%d starts, want %d", len(starts), len(oracle.Starts))
	}
	for _, want := range oracle.Starts {
		if !slices.ContainsFunc(starts, func(s []float64) bool { return slices.Equal(s, want) }) {
			t.Errorf("%v is not among the starts %v", want, starts)
		}
	}
}

func TestToyFront(t *testing.T) {
	for _, scale := range []float64{1, 0.1} {
		p := newToy(t, scale, 0)
		lo, hi := p.ParetoInterval()
		front := p.Front(29)
		x, f, jac, g := make([]float64, 2), make([]float64, 2), algo.NewJacobian(2, 2), make([]float64, 2)
		for i, want := range front {
			at := hi + (lo-hi)*float64(i)/28
			p.ParetoPoint(x, at)
			p.Values(f, x)
			if x[0] != at || math.Abs(f[0]-want[0])+math.Abs(f[1]-want[1]) > 1e-12 {
				t.Errorf("t = %v: point %v with values %v, front point %v", at, x, f, want)
			}
			// The point is stationary for the weight that corresponds to x1.
			p.Jacobian(jac, x)
			w := (at - lo) / (hi - lo)
			jac.Combine(g, []float64{w / scale, 1 - w})
			if math.Hypot(g[0], g[1]) > 1e-14 {
				t.Errorf("t = %v: weighted gradient %v", at, g)
			}
			if i > 0 && !(f[0] > front[i-1][0] && f[1] < front[i-1][1]) {
				t.Errorf("front points %v and %v are not in order", front[i-1], f)
			}
		}
		// The papers' line is correct in the middle of the Pareto set, but the ends of the set are lower.
		for at, want := range map[float64]float64{lo: -8.43446, hi: -8.43446, 0: problem.ToyPaperX2} {
			p.ParetoPoint(x, at)
			if math.Abs(x[1]-want) > 1e-4 {
				t.Errorf("the set is at x2 = %v for x1 = %v, want %v", x[1], at, want)
			}
		}
		// No grid point in the window dominates a front point.
		bounds := p.LowerBounds()
		for i := range 201 {
			for j := range 201 {
				x[0], x[1] = -10+0.1*float64(i), -10+0.1*float64(j)
				p.Values(f, x)
				if !(f[0] > bounds[0] && f[1] > bounds[1]) {
					t.Fatalf("values %v at %v are not above the bounds %v", f, x, bounds)
				}
				for _, on := range front {
					if f[0] <= on[0]-1e-9 && f[1] <= on[1]-1e-9 {
						t.Fatalf("%v with values %v dominates the front point %v", x, f, on)
					}
				}
			}
		}
	}
}

func TestToyKinks(t *testing.T) {
	p := newToy(t, 1, 0)
	jac, f := algo.NewJacobian(2, 2), make([]float64, 2)
	// At x2 = 0 both gates are 0, but the slopes of both count, so ∂f_i/∂x2 = ½(l_i − s_i).
	x := []float64{3, 0}
	p.Jacobian(jac, x)
	want := (math.Log(5) + 6 - (16+6.4)/10 + 20) / 2
	if jac.Row(0)[0] != 0 || math.Abs(jac.Row(0)[1]-want) > 1e-14 {
		t.Errorf("∇f1 at %v is %v, want (0, %v)", x, jac.Row(0), want)
	}
	// If |u| is below its minimum, the valley is flat.
	x = []float64{-7 + 2*math.Tanh(1), 1}
	p.Values(f, x)
	p.Jacobian(jac, x)
	if c := math.Tanh(0.5); math.Abs(f[0]-(math.Log(5e-6)+6)*c) > 1e-12 || jac.Row(0)[0] != 0 {
		t.Errorf("at the bottom of the valley %v: f1 = %v, ∇f1 = %v", x, f[0], jac.Row(0))
	}
	for _, scale := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := problem.NewToy(scale, 0); err == nil {
			t.Errorf("scale %v is accepted", scale)
		}
	}
	if _, err := problem.NewToy(1, -1); err == nil {
		t.Error("a negative noise level is accepted")
	}
	defer func() {
		if recover() == nil {
			t.Error("a Pareto point beyond the end is accepted")
		}
	}()
	p.ParetoPoint(x, 7.1)
}

func BenchmarkToyJacobian(b *testing.B) {
	p, jac, x := newToy(b, 0.1, 0), algo.NewJacobian(2, 2), []float64{-3, 2}
	b.ReportAllocs()
	for b.Loop() {
		p.Jacobian(jac, x)
	}
}
