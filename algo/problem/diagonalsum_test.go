package problem_test

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/problem"
)

// TestDiagonalSumByHand compares two examples at (2, 1) with numbers computed by hand. The third variable has no
// effect.
func TestDiagonalSumByHand(t *testing.T) {
	p := newDiagonalSum(t,
		[][][]float64{{{1, 2, 0}, {3, 0, 0}}},
		[][][]float64{{{1, 0, 5}, {-1, 7, 6}}})
	w, f, jac := []float64{2, 1, 3}, make([]float64, 1), algo.NewJacobian(1, 3)
	p.Values(f, w)
	p.Jacobian(jac, w)
	// The value is ½·(½(1·1² + 2·1²) + ½·3·3²), and the gradient is ½((1, 2) + (9, 0)).
	if math.Abs(f[0]-7.5) > 1e-14 || jac.Data[0] != 5 || jac.Data[1] != 1 || jac.Data[2] != 0 {
		t.Errorf("value %v, gradient %v", f, jac.Data)
	}
	s := algo.Sample{Batch: []int{0}}
	p.ValuesAt(f, w, &s)
	p.JacobianAt(jac, w, &s)
	if f[0] != 1.5 || jac.Data[0] != 1 || jac.Data[1] != 2 || jac.Data[2] != 0 {
		t.Errorf("example 0: value %v, gradient %v", f, jac.Data)
	}
	w, err := p.Minimum([]float64{3})
	if err != nil {
		t.Fatal(err)
	}
	// The minimiser is (1·1 + 3·(−1))/4, where the value is ½·½(1·1.5² + 3·0.5²).
	if w[0] != -0.5 || w[1] != 0 || w[2] != 0 || p.LowerBounds()[0] != 0.75 {
		t.Errorf("minimum %v at %v", p.LowerBounds(), w)
	}
	if l := p.SampleSmoothness(); l != 3 {
		t.Errorf("Lipschitz constant %v", l)
	}
}

// TestDiagonalSumScales checks that values and gradients change in proportion to the curvatures and to the units of
// the variables, for factors of up to a hundred million.
func TestDiagonalSumScales(t *testing.T) {
	c := problem.DiagonalSumConfig{Objectives: 2, Examples: 7, Variables: 3, Condition: 9, Heterogeneity: 1, Noise: 0.5, Seed: 5}
	p := randomDiagonalSum(t, c)
	x, z, lambda := []float64{0.3, -1, 2}, make([]float64, 3), []float64{0.3, 0.7}
	minimum, err := p.Minimum(lambda)
	if err != nil {
		t.Fatal(err)
	}
	f, g := make([]float64, 2), make([]float64, 2)
	jac, other := algo.NewJacobian(2, 3), algo.NewJacobian(2, 3)
	p.Values(f, x)
	p.Jacobian(jac, x)
	for _, scale := range []float64{1e-8, 1e8, 1e-75, 1e75} {
		for _, unit := range []float64{1, 1e-8, 1e8, 1e-74, 1e74} {
			curvatures, minima := make([][][]float64, 2), make([][][]float64, 2)
			for i := range 2 {
				for k := range c.Examples {
					d, m := p.Example(i, k)
					row, middle := make([]float64, 3), make([]float64, 3)
					for j := range row {
						row[j], middle[j] = d[j]*scale/2, m[j]*unit
					}
					curvatures[i], minima[i] = append(curvatures[i], row), append(minima[i], middle)
				}
			}
			q := newDiagonalSum(t, curvatures, minima)
			for j, v := range x {
				z[j] = v * unit
			}
			q.Values(g, z)
			q.Jacobian(other, z)
			w, err := q.Minimum(lambda)
			if err != nil {
				t.Fatal(err)
			}
			for j, v := range w {
				if math.Abs(v/unit-minimum[j]) > 1e-14 {
					t.Errorf("curvature times %g, unit %g: minimiser %v, not %v", scale, unit, w, minimum)
				}
			}
			for i := range 2 {
				if e := 2*g[i]/scale/unit/unit/f[i] - 1; math.Abs(e) > 1e-14 {
					t.Errorf("curvature times %g, unit %g: value off by %g", scale, unit, e)
				}
				for j, want := range jac.Row(i) {
					if got := 2 * other.Row(i)[j] / scale / unit; math.Abs(got-want) > 1e-14*(1+math.Abs(want)) {
						t.Errorf("curvature times %g, unit %g: slope %v, not %v", scale, unit, got, want)
					}
				}
			}
		}
	}
}

// TestRandomDiagonalSum checks that random examples have the configured mean curvature and spread of minimisers, within
// five standard errors. A smaller set must contain the first examples of a larger one.
func TestRandomDiagonalSum(t *testing.T) {
	const k = 20_000
	c := problem.DiagonalSumConfig{Objectives: 1, Examples: k, Variables: 3, Condition: 25, Noise: 0.5, Seed: 8}
	p := randomDiagonalSum(t, c)
	var d, d2, m, m2 [3]float64
	for e := range k {
		curvature, minimum := p.Example(0, e)
		for j := range d {
			d[j] += curvature[j] / k
			d2[j] = max(d2[j], curvature[j])
			m[j] += minimum[j] / k
			m2[j] += minimum[j] * minimum[j] / k
		}
	}
	for j, s := range []float64{1, 0.6, 0.2} {
		want := s * s
		if math.Abs(d[j]-want) > 5*want/math.Sqrt(12*k) || d2[j] > 1.5*want || d2[j] < 1.49*want {
			t.Errorf("curvatures of variable %d are %v on average and at most %v, want %v and 1.5 times that", j, d[j], d2[j], want)
		}
		if v := m2[j] - m[j]*m[j]; math.Abs(v-0.25) > 5*0.25*math.Sqrt(2./k) {
			t.Errorf("minimisers have the variance %v in variable %d, want 0.25", v, j)
		}
	}
	// The mean of the minimisers is the w* of RandomLeastSquares with the same seed.
	w, err := randomLeastSquares(t, problem.LeastSquaresConfig{Objectives: 1, Examples: 9, Variables: 3, Condition: 25, Seed: 8}).
		Minimum([]float64{1})
	if err != nil {
		t.Fatal(err)
	}
	if distance(w, m[:]) > 5*0.5*math.Sqrt(3./k) {
		t.Errorf("minimisers about %v, want %v", m, w)
	}
	c.Objectives, c.Examples = 3, 5
	few := randomDiagonalSum(t, c)
	for e := range c.Examples {
		a, b := few.Example(0, e)
		if x, y := p.Example(0, e); distance(a, x) != 0 || distance(b, y) != 0 {
			t.Errorf("example %d is another among more", e)
		}
	}
}
