package algo_test

import (
	"errors"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
)

// dishes is a problem with f_i = ½‖x‖² + i·x_0 in three variables. It counts the Jacobians it computes.
type dishes struct{ jacobians int }

func (*dishes) Dims() (n, m int) { return 3, 2 }

func (*dishes) Values(f, x []float64) {
	for i := range f {
		f[i] = (x[0]*x[0]+x[1]*x[1]+x[2]*x[2])/2 + float64(i)*x[0]
	}
}

func (d *dishes) Jacobian(jac *algo.Jacobian, x []float64) {
	d.jacobians++
	copy(jac.Row(0), x)
	copy(jac.Row(1), x)
	jac.Row(1)[0]++
}

// cheapDishes adds the methods WeightedGradient and Gradient, which compute only the requested numbers.
type cheapDishes struct{ dishes }

func (*cheapDishes) WeightedGradient(dst, w, x []float64) {
	for c := range dst {
		dst[c] = (w[0] + w[1]) * x[c]
	}
	dst[0] += w[1]
}

func (*cheapDishes) Gradient(dst []float64, i, lo, hi int, x []float64) {
	copy(dst, x[lo:hi])
	if lo == 0 {
		dst[0] += float64(i)
	}
}

// boxedDishes adds bounds to dishes.
type boxedDishes struct{ dishes }

func (*boxedDishes) Bounds() (lo, hi []float64) { return []float64{-1, -1, -1}, []float64{1, 1, 1} }

func TestExact(t *testing.T) {
	for _, p := range []algo.Problem{&dishes{}, &cheapDishes{}, &boxedDishes{}} {
		algotest.Problem(t, p, []float64{1, -1, 0.5}) // also checks what Exact returns for it
		algotest.Problem(t, algo.Exact(p))
		if e := algo.Exact(p); algo.Exact(e) != e {
			t.Error("what is exact is made exact again")
		}
		if made := algo.Exact(p).(interface{ Unwrap() algo.Problem }); made.Unwrap() != p {
			t.Errorf("unwraps to %v, want the problem", made.Unwrap())
		}
	}
}

// TestExactAsksForNoMore checks that Exact does not compute the Jacobian if the problem has a cheaper method.
func TestExactAsksForNoMore(t *testing.T) {
	p, g, x := &cheapDishes{}, make([]float64, 3), []float64{1, 2, 3}
	e := algo.Exact(p)
	e.WeightedGradientAt(g, []float64{0.5, 0.5}, x, &algo.Sample{})
	if g[0] != 1.5 || g[1] != 2 || g[2] != 3 || p.jacobians != 0 {
		t.Errorf("weighted gradient %v after %d Jacobians, want (1.5, 2, 3) after none", g, p.jacobians)
	}
	e.GradientAt(g[:2], 1, 0, 2, x, &algo.Sample{})
	if g[0] != 2 || g[1] != 2 || p.jacobians != 0 {
		t.Errorf("gradient %v after %d Jacobians, want (2, 2) after none", g[:2], p.jacobians)
	}
	plain := &dishes{}
	algo.Exact(plain).GradientAt(g[:2], 1, 1, 3, x, &algo.Sample{})
	if g[0] != 2 || g[1] != 3 || plain.jacobians != 1 {
		t.Errorf("gradient %v after %d Jacobians, want (2, 3) after one", g[:2], plain.jacobians)
	}
}

// countdown is a stepper that returns a given status or error at a given step.
type countdown struct {
	algo.Stepper
	k, last int
	status  algo.Status
	err     error
}

func (c *countdown) View() algo.View { return algo.View{K: c.k, Solutions: 1} }

func (c *countdown) Step() (algo.Status, error) {
	c.k++
	if c.k == c.last {
		return c.status, c.err
	}
	return algo.Running, nil
}

func TestRun(t *testing.T) {
	fault := errors.New("refused")
	for _, c := range []struct {
		name   string
		s      countdown
		budget int
		done   func(algo.View) bool
		k      int
		status algo.Status
		err    error
	}{
		{"spent", countdown{}, 7, nil, 7, algo.Budget, nil},
		{"nothing to spend", countdown{}, 0, nil, 0, algo.Budget, nil},
		{"from where it is", countdown{k: 5}, 2, nil, 7, algo.Budget, nil},
		{"done", countdown{}, 7, func(v algo.View) bool { return v.K == 3 }, 3, algo.Converged, nil},
		{"done at the start", countdown{}, 7, func(algo.View) bool { return true }, 0, algo.Converged, nil},
		{"done at the end", countdown{}, 7, func(v algo.View) bool { return v.K == 7 }, 7, algo.Converged, nil},
		{"ended", countdown{last: 4, status: algo.Diverged}, 7, nil, 4, algo.Diverged, nil},
		{"failed", countdown{last: 4, err: fault}, 7, nil, 4, algo.Running, fault},
	} {
		v, status, err := algo.Run(&c.s, c.budget, c.done)
		if v.K != c.k || status != c.status || err != c.err {
			t.Errorf("%s: K = %d, %v, %v, want %d, %v, %v", c.name, v.K, status, err, c.k, c.status, c.err)
		}
	}
	var refused *algo.RangeError
	if v, _, err := algo.Run(&countdown{k: 2}, -1, nil); !errors.As(err, &refused) || refused.Name != "budget" || v.K != 2 {
		t.Errorf("a budget below 0: K = %d, error %v", v.K, err)
	}
}

func TestRangeError(t *testing.T) {
	plain := &algo.RangeError{Name: "eta", Value: -1, Allowed: "it must be positive"}
	said := &algo.RangeError{Name: "eta", Value: -1, Allowed: "it must be positive", Text: "eta is -1"}
	if plain.Error() != "eta = -1: it must be positive" || said.Error() != "eta is -1" {
		t.Errorf("texts %q and %q", plain, said)
	}
}
