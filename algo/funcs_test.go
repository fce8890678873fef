package algo_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
)

// waves returns a problem with two objectives in three variables. If gradients is true, the problem uses gradients that
// were derived by hand.
func waves(gradients bool) algo.Funcs {
	f := algo.Funcs{
		Variables: 3, Objectives: 2,
		Values: func(f, x []float64) {
			f[0] = math.Sin(x[0]) + x[1]*x[2]
			f[1] = math.Exp(x[0]*x[1]) + x[2]*x[2]
		},
	}
	if gradients {
		f.Jacobian = func(jac *algo.Jacobian, x []float64) {
			copy(jac.Row(0), []float64{math.Cos(x[0]), x[2], x[1]})
			e := math.Exp(x[0] * x[1])
			copy(jac.Row(1), []float64{x[1] * e, x[0] * e, 2 * x[2]})
		}
	}
	return f
}

func problem(t *testing.T, f algo.Funcs) algo.Problem {
	t.Helper()
	p, err := f.Problem()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestDifferences checks that central differences have about ten correct digits, whatever the size of the variables.
func TestDifferences(t *testing.T) {
	exact, differences := problem(t, waves(true)), problem(t, waves(false))
	for _, x := range [][]float64{{0.3, -0.7, 2}, {0, 0, 0}, {1e-8, 1e-8, -1e-8}, {-2, 0.5, 100}} {
		a, b := algo.NewJacobian(2, 3), algo.NewJacobian(2, 3)
		exact.Jacobian(a, x)
		differences.Jacobian(b, x)
		for i, v := range a.Data {
			if most := 1e-8 * (1 + math.Abs(v) + math.Abs(x[2])); !(math.Abs(v-b.Data[i]) <= most) {
				t.Errorf("at %v entry %d is %v, by differences %v", x, i, v, b.Data[i])
			}
		}
		if n := testing.AllocsPerRun(10, func() { differences.Jacobian(b, x) }); n != 0 {
			t.Errorf("a Jacobian by differences allocates %v times", n)
		}
	}
}

// TestDifferencesInABox checks that values are evaluated only inside the box, and that derivatives at its bounds are
// as accurate as inside.
func TestDifferencesInABox(t *testing.T) {
	f := waves(false)
	f.Lower, f.Upper = []float64{0, -1, 1}, []float64{1, math.Inf(1), 1 + 1e-6}
	inner := f.Values
	f.Values = func(out, x []float64) {
		for j, v := range x {
			if v < f.Lower[j] || v > f.Upper[j] {
				t.Fatalf("asked at %v, outside the box", x)
			}
		}
		inner(out, x)
	}
	p := problem(t, f)
	exact := problem(t, waves(true))
	for _, x := range [][]float64{{0, -1, 1}, {1, 0.5, 1 + 1e-6}, {0.5, 2, 1 + 5e-7}} {
		a, b := algo.NewJacobian(2, 3), algo.NewJacobian(2, 3)
		exact.Jacobian(a, x)
		p.Jacobian(b, x)
		for i, v := range a.Data {
			if !(math.Abs(v-b.Data[i]) <= 1e-7*(1+math.Abs(v))) {
				t.Errorf("at %v entry %d is %v, by differences %v", x, i, v, b.Data[i])
			}
		}
	}
	if b, ok := p.(algo.Bounded); !ok {
		t.Error("the problem has no bounds")
	} else if lo, hi := b.Bounds(); lo[1] != -1 || !math.IsInf(hi[1], 1) {
		t.Errorf("bounds %v and %v", lo, hi)
	}
	only := waves(true)
	only.Upper = []float64{1, 1, 1}
	if lo, _ := problem(t, only).(algo.Bounded).Bounds(); !math.IsInf(lo[0], -1) {
		t.Errorf("a missing lower bound is %v", lo)
	}
}

// TestFuncsConform checks that a problem made from functions passes the checks of algotest.
func TestFuncsConform(t *testing.T) {
	algotest.Problem(t, problem(t, waves(true)), []float64{-1, -1, -1}, []float64{1, 1, 1})
}

func TestFuncsRefused(t *testing.T) {
	for name, change := range map[string]func(f *algo.Funcs){
		"Variables":  func(f *algo.Funcs) { f.Variables = 0 },
		"Objectives": func(f *algo.Funcs) { f.Objectives = -1 },
		"Values":     func(f *algo.Funcs) { f.Values = nil },
		"Lower":      func(f *algo.Funcs) { f.Lower = []float64{0} },
		"Upper":      func(f *algo.Funcs) { f.Upper = make([]float64, 4) },
		"Lower[1]":   func(f *algo.Funcs) { f.Lower, f.Upper = []float64{0, 1, 0}, []float64{1, 1, 1} },
	} {
		f := waves(true)
		change(&f)
		var refused *algo.RangeError
		if p, err := f.Problem(); !errors.As(err, &refused) || refused.Name != name || p != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCheckGradients checks that correct gradients pass and that the error for a wrong gradient names the wrong entry.
func TestCheckGradients(t *testing.T) {
	points := [][]float64{{0.3, -0.7, 2}, {-1, 0.2, 1e3}, {1e-8, 0, 5}}
	if err := algo.CheckGradients(problem(t, waves(true)), points...); err != nil {
		t.Error(err)
	}
	wrong := waves(true)
	right := wrong.Jacobian
	wrong.Jacobian = func(jac *algo.Jacobian, x []float64) {
		right(jac, x)
		jac.Row(1)[2] = x[2] // the factor 2 is missing
	}
	var fault *algo.GradientError
	if err := algo.CheckGradients(problem(t, wrong), points...); !errors.As(err, &fault) || fault.Objective != 1 || fault.Variable != 2 ||
		!strings.Contains(err.Error(), "∂f_2/∂x_3") {
		t.Errorf("error %v", err)
	}
	wrong.Jacobian = func(jac *algo.Jacobian, x []float64) {
		right(jac, x)
		jac.Row(0)[0] = math.NaN()
	}
	if err := algo.CheckGradients(problem(t, wrong), points[0]); !errors.As(err, &fault) {
		t.Errorf("a derivative that is NaN passes: %v", err)
	}
	if err := algo.CheckGradients(problem(t, waves(true)), []float64{1}); err == nil {
		t.Error("a short point passes")
	}
	if err := algo.CheckGradients(nil); !errors.Is(err, algo.ErrNoProblem) {
		t.Errorf("error %v", err)
	}
}

type pointerProblem struct{ algo.Problem }

// TestMissing checks that nil and nil pointers count as missing.
func TestMissing(t *testing.T) {
	var none *pointerProblem
	for _, p := range []algo.Problem{nil, none} {
		if !algo.Missing(p) || algo.Exact(p) != nil {
			t.Errorf("%#v is a problem", p)
		}
	}
	if algo.Missing(&pointerProblem{}) {
		t.Error("a problem is missing")
	}
}
