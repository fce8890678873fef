package algotest

import (
	"fmt"
	"math"

	"paretoplay/algo"
)

// Evaluations checks what a stepper evaluates on p over 40 steps. It checks that
//   - the view counts every backpropagation and every gradient coordinate of the steps taken, and nothing else;
//   - if p is an algo.Bounded, no point outside its box is evaluated or shown.
//
// The problem passed to construct wraps p and has a box, examples and partial gradients. If p has no box, the box is
// infinite. If p has no examples, there is one example. The wrapper's method Unwrap returns p.
func Evaluations(t T, p algo.Sampled, construct func(p algo.Sampled) algo.Stepper) {
	t.Helper()
	w := watch(p)
	s := construct(w)
	w.spent = algo.Cost{} // do not count evaluations by constructors and observers
	start := s.View()
	w.checkInside("a fresh stepper shows X", start.X)
	k, cost := start.K, start.Cost
	for range stepperSteps {
		w.spent = algo.Cost{}
		status, err := s.Step()
		if err != nil {
			t.Errorf("Step from K = %d: %v", k, err)
			return
		}
		if status == algo.Diverged {
			break
		}
		v := s.View()
		shown := algo.Cost{
			Backpropagations:      v.Cost.Backpropagations - cost.Backpropagations,
			GradientCoordinates:   v.Cost.GradientCoordinates - cost.GradientCoordinates,
			HessianVectorProducts: v.Cost.HessianVectorProducts - cost.HessianVectorProducts,
		}
		if shown != w.spent {
			t.Errorf("the step from K = %d counts %+v, it spent %+v", k, shown, w.spent)
			return
		}
		w.checkInside(fmt.Sprintf("K = %d: X", v.K), v.X)
		k, cost = v.K, v.Cost
		if status != algo.Running {
			break
		}
	}
	if w.fault != "" {
		t.Errorf("%s", w.fault)
	}
}

// watched is a problem that records its evaluations.
type watched struct {
	algo.Sampled
	partial  algo.Partial
	lo, hi   []float64
	examples int

	spent algo.Cost
	fault string // describes the first point outside the box
}

func watch(p algo.Sampled) *watched {
	n, _ := p.Dims()
	w := &watched{Sampled: p, examples: 1}
	var ok bool
	if w.partial, ok = p.(algo.Partial); !ok {
		w.partial = algo.Exact(p)
	}
	if sum, ok := p.(algo.FiniteSum); ok {
		w.examples = sum.Examples()
	}
	if bounded, ok := p.(algo.Bounded); ok {
		w.lo, w.hi = bounded.Bounds()
		return w
	}
	w.lo, w.hi = make([]float64, n), make([]float64, n)
	for i := range n {
		w.lo[i], w.hi[i] = math.Inf(-1), math.Inf(1)
	}
	return w
}

// checkInside records the first row of x with an element outside the box.
func (w *watched) checkInside(what string, x []float64) {
	n := len(w.lo)
	for i, v := range x {
		if w.fault == "" && !(v >= w.lo[i%n] && v <= w.hi[i%n]) {
			w.fault = fmt.Sprintf("%s = %v is outside the box from %v to %v", what, x, w.lo, w.hi)
		}
	}
}

func (w *watched) spend(number, coordinates int) {
	w.spent.Backpropagations += number
	w.spent.GradientCoordinates += number * coordinates
}

func (w *watched) Unwrap() algo.Problem       { return w.Sampled }
func (w *watched) Bounds() (lo, hi []float64) { return w.lo, w.hi }
func (w *watched) Examples() int              { return w.examples }

func (w *watched) Values(f, x []float64) {
	w.checkInside("Values are requested: x", x)
	w.Sampled.Values(f, x)
}

func (w *watched) ValuesAt(f, x []float64, s *algo.Sample) {
	w.checkInside("ValuesAt are requested: x", x)
	w.Sampled.ValuesAt(f, x, s)
}

func (w *watched) Jacobian(jac *algo.Jacobian, x []float64) {
	w.checkInside("Jacobian is requested: x", x)
	w.spend(jac.Rows, jac.Cols)
	w.Sampled.Jacobian(jac, x)
}

func (w *watched) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	w.checkInside("JacobianAt is requested: x", x)
	w.spend(jac.Rows, jac.Cols)
	w.Sampled.JacobianAt(jac, x, s)
}

func (w *watched) WeightedGradientAt(dst, weights, x []float64, s *algo.Sample) {
	w.checkInside("WeightedGradientAt is requested: x", x)
	w.spend(1, len(dst))
	w.Sampled.WeightedGradientAt(dst, weights, x, s)
}

func (w *watched) GradientAt(dst []float64, i, lo, hi int, x []float64, s *algo.Sample) {
	w.checkInside("GradientAt is requested: x", x)
	w.spend(1, hi-lo)
	w.partial.GradientAt(dst, i, lo, hi, x, s)
}
