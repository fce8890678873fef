package problem_test

import (
	"errors"
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/problem"
)

func newFairness(t testing.TB, c problem.FairnessConfig) *problem.Fairness {
	t.Helper()
	p, err := problem.NewFairness(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// zafar returns the configuration from the literature with the given seed.
func zafar(seed uint64) problem.FairnessConfig {
	return problem.FairnessConfig{PerClass: problem.FairnessPerClass, Phi: problem.FairnessPhi, Seed: seed}
}

func TestFairnessConformance(t *testing.T) {
	algotest.Problem(t, newFairness(t, zafar(1)), []float64{0, 0}, []float64{300, -300})
	algotest.Problem(t, newFairness(t, problem.FairnessConfig{PerClass: 1}))
	split := zafar(2)
	split.PerClass, split.Validation, split.Test, split.Transpose = 50, 0.2, 0.2, true
	algotest.Problem(t, newFairness(t, split))
}

// TestFairnessAtZero checks that at θ = 0 every point has the loss log 2 with gradient −½yx, and that f2 and its
// gradient are 0.
func TestFairnessAtZero(t *testing.T) {
	p := newFairness(t, zafar(3))
	s := p.Sample(problem.Training)
	f, jac := make([]float64, 2), algo.NewJacobian(2, 2)
	p.Values(f, make([]float64, 2))
	p.Jacobian(jac, make([]float64, 2))
	if math.Abs(f[0]-math.Ln2) > 1e-12 || f[1] != 0 {
		t.Errorf("values %v, want log 2 and 0", f)
	}
	var mean [2]float64
	for j, y := range s.Y {
		for k := range mean {
			mean[k] -= y * s.X[2*j+k] / 2 / float64(s.Len())
		}
	}
	for k, want := range mean {
		if math.Abs(jac.Row(0)[k]-want) > 1e-13 || jac.Row(1)[k] != 0 {
			t.Errorf("gradients %v and %v, want %v and 0", jac.Row(0), jac.Row(1), mean)
		}
	}
	// Compute the covariance by another formula, mean zθᵀx − mean z · mean θᵀx.
	theta := []float64{0.3, -1.1}
	p.Values(f, theta)
	var z, u, zu float64
	for j := range s.Len() {
		v := theta[0]*s.X[2*j] + theta[1]*s.X[2*j+1]
		z, u, zu = z+s.Z[j], u+v, zu+s.Z[j]*v
	}
	n := float64(s.Len())
	if c := zu/n - z/n*u/n; math.Abs(f[1]-c*c) > 1e-12*max(1, c*c) {
		t.Errorf("f2 = %v, want %v", f[1], c*c)
	}
}

// TestFairnessData checks the means and covariances of random points, within five standard errors.
func TestFairnessData(t *testing.T) {
	c := zafar(4)
	c.PerClass = 20_000
	s := newFairness(t, c).Sample(problem.Training)
	for _, class := range []struct {
		y, mean    float64
		xx, xy, yy float64
	}{{1, 2, 5, 1, 5}, {-1, -2, 10, 1, 3}} {
		var m1, m2, xx, xy, yy, count float64
		for j, y := range s.Y {
			if y != class.y {
				continue
			}
			a, b := s.X[2*j]-class.mean, s.X[2*j+1]-class.mean
			m1, m2, xx, xy, yy, count = m1+a, m2+b, xx+a*a, xy+a*b, yy+b*b, count+1
		}
		error := math.Sqrt(1 / count)
		for name, pair := range map[string][3]float64{
			"mean of x1": {m1, 0, math.Sqrt(class.xx)}, "mean of x2": {m2, 0, math.Sqrt(class.yy)},
			"xx": {xx, class.xx, math.Sqrt2 * class.xx}, "yy": {yy, class.yy, math.Sqrt2 * class.yy},
			"xy": {xy, class.xy, math.Sqrt(class.xx*class.yy + class.xy*class.xy)},
		} {
			if got := pair[0] / count; math.Abs(got-pair[1]) > 5*error*pair[2] {
				t.Errorf("class %v: %s is %v, want %v", class.y, name, got, pair[1])
			}
		}
	}
}

// density returns the normal density in the plane with mean (m, m).
func density(x1, x2, m, xx, xy, yy float64) float64 {
	d := xx*yy - xy*xy
	a, b := x1-m, x2-m
	return math.Exp(-(yy*a*a-2*xy*a*b+xx*b*b)/(2*d)) / (2 * math.Pi * math.Sqrt(d))
}

// TestFairnessSensitive checks that the number of points with z = 1 matches the sum of the probabilities of all
// points, in each of ten ranges of probability and for both directions of rotation.
func TestFairnessSensitive(t *testing.T) {
	for _, transpose := range []bool{false, true} {
		c := zafar(5)
		c.PerClass, c.Transpose = 20_000, transpose
		s := newFairness(t, c).Sample(problem.Training)
		var drawn, expected, variance [10]float64
		for j, z := range s.Z {
			x1, x2 := s.X[2*j], s.X[2*j+1]
			h := math.Sqrt(0.5)
			t1, t2 := h*(x1+x2), h*(x2-x1)
			if transpose {
				t1, t2 = h*(x1-x2), h*(x1+x2)
			}
			a, b := density(t1, t2, 2, 5, 1, 5), density(t1, t2, -2, 10, 1, 3)
			p := a / (a + b)
			bin := min(int(10*p), 9)
			drawn[bin], expected[bin], variance[bin] = drawn[bin]+z, expected[bin]+p, variance[bin]+p*(1-p)
		}
		for bin, got := range drawn {
			if variance[bin] == 0 || math.Abs(got-expected[bin]) > 5*math.Sqrt(variance[bin]) {
				t.Errorf("transpose %v, bin %d: %v points have the attribute, expected %.1f", transpose, bin, got, expected[bin])
			}
		}
	}
}

func TestFairnessSplits(t *testing.T) {
	c := zafar(6)
	c.Validation, c.Test = 0.2, 0.3
	p := newFairness(t, c)
	for split, want := range map[problem.Split]int{problem.Training: 1000, problem.Validation: 400, problem.Test: 600} {
		s := p.Sample(split)
		var balance float64
		for _, y := range s.Y {
			balance += y
		}
		if s.Len() != want || len(s.X) != 2*want || len(s.Z) != want || balance != 0 {
			t.Errorf("split %d has %d points with classes that sum to %v, want %d", split, s.Len(), balance, want)
		}
		f := make([]float64, 2)
		if s.Values(f, []float64{0.5, 0.5}); !(f[0] > 0.1 && f[0] < 0.6 && f[1] > 0) {
			t.Errorf("split %d: values %v", split, f)
		}
	}
	whole := zafar(6)
	if s := newFairness(t, whole).Sample(problem.Training); s.X[0] != p.Sample(problem.Training).X[0] {
		t.Error("a split reshuffles the first points")
	}
	if newFairness(t, zafar(6)).Sample(problem.Test).Len() != 0 {
		t.Error("without shares there are test points")
	}
}

// TestFairnessDecisions compares the decisions of the line x1 = 0 for four points with numbers computed by hand.
func TestFairnessDecisions(t *testing.T) {
	s := problem.FairnessSample{X: []float64{1, 0, 2, 0, -1, 0, 3, 0}, Y: []float64{1, -1, -1, 1}, Z: []float64{0, 0, 0, 1}}
	theta := []float64{1, 0}
	if a := s.Accuracy(theta); a != 0.75 {
		t.Errorf("accuracy %v, want 0.75", a)
	}
	if without, with := s.PositiveShares(theta); without != 2.0/3 || with != 1 {
		t.Errorf("shares %v and %v, want 2/3 and 1", without, with)
	}
}

func TestFairnessRefuses(t *testing.T) {
	for name, c := range map[string]problem.FairnessConfig{
		"perclass":          {},
		"phi":               {PerClass: 1, Phi: math.Inf(1)},
		"validation":        {PerClass: 1, Validation: 1},
		"test":              {PerClass: 1, Test: -0.1},
		"validation + test": {PerClass: 10, Validation: 0.5, Test: 0.5},
	} {
		var refused *algo.RangeError
		if _, err := problem.NewFairness(c); !errors.As(err, &refused) || refused.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}
