package problem_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/problem"
)

func newFonseca(t testing.TB, d int, sigma float64) *problem.Fonseca {
	t.Helper()
	p, err := problem.NewFonseca(d, sigma)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFonsecaConformance(t *testing.T) {
	for _, d := range []int{1, 2, 3, 10, 30} {
		for _, sigma := range []float64{0, 0.3} {
			algotest.Problem(t, newFonseca(t, d, sigma))
		}
	}
	// These points are on the plateau and at a minimiser.
	algotest.Problem(t, newFonseca(t, 2, 0), []float64{40, -40}, []float64{math.Sqrt2 / 2, math.Sqrt2 / 2})
}

// closeTo reports whether got equals want to a relative accuracy of 1e-12, or within 1e-15 if want is smaller than
// 1e-3. The reference values were computed as 1 − exp(·), whose rounding error does not become smaller near 0.
func closeTo(got, want float64) bool {
	return math.Abs(got-want) <= 1e-12*max(math.Abs(want), 1e-3)
}

func TestFonsecaOracle(t *testing.T) {
	data, err := os.ReadFile("testdata/fonseca.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Points []struct {
			D     int         `json:"d"`
			X     []float64   `json:"x"`
			F     []float64   `json:"F"`
			Grad  [][]float64 `json:"grad"`
			OnSet bool        `json:"on_pareto_set"`
		} `json:"points"`
	}
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	if len(oracle.Points) != 30 {
		t.Fatalf("%d points, want 30", len(oracle.Points))
	}
	for _, point := range oracle.Points {
		p := newFonseca(t, point.D, 0)
		f, jac := make([]float64, 2), algo.NewJacobian(2, point.D)
		p.Values(f, point.X)
		p.Jacobian(jac, point.X)
		for i := range f {
			if !closeTo(f[i], point.F[i]) {
				t.Errorf("x = %v: f%d = %v, want %v", point.X, i+1, f[i], point.F[i])
			}
			for c, want := range point.Grad[i] {
				if got := jac.Row(i)[c]; !closeTo(got, want) {
					t.Errorf("x = %v: ∂f%d/∂x%d = %v, want %v", point.X, i+1, c+1, got, want)
				}
			}
		}
		if on := p.DistanceToParetoSet(point.X) < 1e-12; on != point.OnSet {
			t.Errorf("x = %v: on the Pareto set %v, want %v", point.X, on, point.OnSet)
		}
	}
}

// TestGap checks that the gap is δ if both objectives are δ above the front. Beyond the ends of the front, the gap
// must be measured to the nearer end. Far out, where both objectives are 1, the gap must be measured to the middle of
// the front.
func TestGap(t *testing.T) {
	for _, d := range []int{1, 2, 7} {
		quadratics, err := problem.NewTwoQuadratics(d, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []interface {
			ParetoInterval() (lo, hi float64)
			FrontPoint(f []float64, t float64)
			Gap(f []float64) float64
		}{newFonseca(t, d, 0), quadratics} {
			lo, hi := p.ParetoInterval()
			f := make([]float64, 2)
			for i := range 21 {
				for _, above := range []float64{0, 1e-9, 0.3} {
					p.FrontPoint(f, lo+(hi-lo)*float64(i)/20)
					f[0], f[1] = f[0]+above, f[1]+above
					if gap := p.Gap(f); math.Abs(gap-above) > 1e-15 {
						t.Errorf("d = %d, point %d: %g above the front the gap is %g", d, i, above, gap)
					}
				}
			}
			p.FrontPoint(f, hi)
			f[0], f[1] = f[0]+0.2, f[1]+0.5
			if gap := p.Gap(f); math.Abs(gap-0.2) > 1e-15 {
				t.Errorf("d = %d: beside the end the gap is %g", d, gap)
			}
		}
		if gap := newFonseca(t, d, 0).Gap([]float64{1, 1}); math.Abs(gap-math.Exp(-1)) > 1e-15 {
			t.Errorf("d = %d: far out the gap is %g", d, gap)
		}
	}
}

func TestFonsecaFront(t *testing.T) {
	for _, d := range []int{1, 2, 7} {
		p := newFonseca(t, d, 0)
		lo, hi := p.ParetoInterval()
		x, f, jac := make([]float64, d), make([]float64, 2), algo.NewJacobian(2, d)
		front := p.Front(11)
		for i, want := range front {
			at := hi + (lo-hi)*float64(i)/10
			p.ParetoPoint(x, at)
			p.Values(f, x)
			if math.Abs(f[0]-want[0])+math.Abs(f[1]-want[1]) > 1e-14 {
				t.Errorf("d = %d, t = %v: front point %v, values %v", d, at, want, f)
			}
			// The point is Pareto-stationary: the gradients are opposite, or one is zero.
			p.Jacobian(jac, x)
			g, h := jac.Row(0), jac.Row(1)
			for c := range d {
				if g[c]*h[c] > 1e-15 || math.Abs(g[0]*h[c]-g[c]*h[0]) > 1e-14 {
					t.Errorf("d = %d, t = %v: gradients %v and %v are not opposite", d, at, g, h)
				}
			}
			if !p.Attainable(want[0], want[1], 1e-9) {
				t.Errorf("d = %d: front point %v is not attainable", d, want)
			}
			if e := p.DistanceToParetoSet(x); e > 1e-15 {
				t.Errorf("d = %d, t = %v: distance %v to the Pareto set", d, at, e)
			}
		}
		// In the middle, the front is above the chord between its ends, so it is concave.
		if mid := front[5]; mid[0]+mid[1] <= front[0][0]+front[0][1] {
			t.Errorf("d = %d: the middle %v of the front is below the chord of its ends", d, mid)
		}
		// A step to the side increases both objectives.
		if d > 1 {
			p.ParetoPoint(x, 0)
			x[0] += 0.1
			x[1] -= 0.1
			if got, want := p.DistanceToParetoSet(x), 0.1*math.Sqrt2; math.Abs(got-want) > 1e-15 {
				t.Errorf("distance %v, want %v", got, want)
			}
		}
		p.ParetoPoint(x, 3*hi)
		if got, want := p.DistanceToParetoSet(x), 2.0; math.Abs(got-want) > 1e-14 {
			t.Errorf("distance beyond the end %v, want %v", got, want)
		}
	}
}

func TestFonsecaAttainableSet(t *testing.T) {
	for _, d := range []int{1, 2, 5} {
		p := newFonseca(t, d, 0)
		x, f := make([]float64, d), make([]float64, 2)
		state := uint64(1)
		uniform := func() float64 {
			state = state*6364136223846793005 + 1442695040888963407
			return float64(state>>11)/(1<<52) - 1 // in [−1, 1)
		}
		for range 500 {
			for i := range x {
				x[i] = 1.5 / math.Sqrt(float64(d)) * uniform()
			}
			p.Values(f, x)
			if !p.Attainable(f[0], f[1], 1e-9) {
				t.Fatalf("d = %d: the values %v of %v are said not to be attainable", d, f, x)
			}
		}
		loop := p.AttainableBoundary(50)
		if len(loop) != 151 {
			t.Fatalf("%d points, want 151", len(loop))
		}
		for i, f := range loop {
			if i == 0 || i == len(loop)-1 {
				if f[0] != 1 || f[1] != 1 {
					t.Errorf("point %d of the loop is %v, want (1, 1)", i, f)
				}
				continue
			}
			// Near (1, 1), 1 − f has lost most digits of the distance.
			if f[0] < 0.999 && f[1] < 0.999 && !p.Attainable(f[0], f[1], 1e-6) {
				t.Errorf("d = %d: boundary point %v is said not to be attainable", d, f)
			}
			beyond := []float64{0.99 * f[0], 0.99 * f[1]}
			if i < 50 || i > 100 { // the outer parts are upper bounds for the farther objective
				beyond = []float64{f[0], f[1]}
				far := 0
				if i > 100 {
					far = 1
				}
				beyond[far] += 0.5 * (1 - beyond[far])
			}
			if f[0] < 0.999 && f[1] < 0.999 && p.Attainable(beyond[0], beyond[1], 1e-9) {
				t.Errorf("d = %d: %v, beyond the boundary point %v, is said to be attainable", d, beyond, f)
			}
		}
		for i := range 3 * 50 {
			if step := math.Hypot(loop[i+1][0]-loop[i][0], loop[i+1][1]-loop[i][1]); step > 0.15 {
				t.Errorf("d = %d: the loop jumps by %v at point %d", d, step, i)
			}
		}
		// Equal distances of 1.5 form a triangle that is not flat.
		inside := 1 - math.Exp(-1.5*1.5)
		if got, want := p.Attainable(inside, inside, 1e-9), d > 1; got != want {
			t.Errorf("d = %d: (%v, %v) attainable %v, want %v", d, inside, inside, got, want)
		}
		for _, f := range [][2]float64{{0, 0.5}, {-0.1, 0.9}, {1, 1}, {math.NaN(), 0.5}, {0.1, 1 - 1e-9}} {
			if p.Attainable(f[0], f[1], 1e-9) {
				t.Errorf("d = %d: %v is said to be attainable", d, f)
			}
		}
	}
}

func TestFonsecaLipschitz(t *testing.T) {
	p := newFonseca(t, 2, 0)
	a, b := algo.NewJacobian(2, 2), algo.NewJacobian(2, 2)
	largest := 0.0
	for i := range 41 {
		for j := range 41 {
			x := []float64{-2 + 0.1*float64(i), -2 + 0.1*float64(j)}
			for _, h := range [][]float64{{1e-4, 0}, {0, 1e-4}, {1e-4, 1e-4}} {
				p.Jacobian(a, x)
				p.Jacobian(b, []float64{x[0] + h[0], x[1] + h[1]})
				for r := range 2 {
					change := math.Hypot(a.Row(r)[0]-b.Row(r)[0], a.Row(r)[1]-b.Row(r)[1])
					largest = max(largest, change/math.Hypot(h[0], h[1]))
				}
			}
		}
	}
	// The bound must hold, and be attained at the minimisers.
	if largest > p.Lipschitz()+1e-6 || largest < 0.98*p.Lipschitz() {
		t.Errorf("gradients change by up to %v times the distance, L = %v", largest, p.Lipschitz())
	}
}

func TestFonsecaNoise(t *testing.T) {
	const sigma = 0.5
	p, exact := newFonseca(t, 3, sigma), newFonseca(t, 3, 0)
	x := []float64{0.3, -0.2, 0.1}
	noisy, clean := algo.NewJacobian(2, 3), algo.NewJacobian(2, 3)
	exact.Jacobian(clean, x)
	var squares, count float64
	for k := range 2000 {
		s := algo.Sample{Noise: algo.Stream(4, 0, k, algo.Noise)}
		p.JacobianAt(noisy, x, &s)
		for i, v := range noisy.Data {
			squares += (v - clean.Data[i]) * (v - clean.Data[i])
			count++
		}
	}
	// The standard error of the variance is σ²·√(2/count).
	if got := squares / count; math.Abs(got-sigma*sigma) > 5*sigma*sigma*math.Sqrt(2/count) {
		t.Errorf("variance of the noise %v, want %v", got, sigma*sigma)
	}
}

func TestNewFonsecaRefuses(t *testing.T) {
	for _, c := range []struct {
		d     int
		sigma float64
	}{{0, 0}, {31, 0}, {2, -1}, {2, math.NaN()}, {2, math.Inf(1)}} {
		if _, err := problem.NewFonseca(c.d, c.sigma); err == nil {
			t.Errorf("NewFonseca(%v, %v) is accepted", c.d, c.sigma)
		}
	}
}

func BenchmarkFonsecaWeightedGradient(b *testing.B) {
	p := newFonseca(b, 2, 0.1)
	s := algo.Sample{Noise: algo.Stream(1, 0, 0, algo.Noise)}
	dst, w, x := make([]float64, 2), []float64{0.5, 0.5}, []float64{0.3, -0.4}
	b.ReportAllocs()
	for b.Loop() {
		p.WeightedGradientAt(dst, w, x, &s)
	}
}
