package ordering

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"cmp"
	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Estimate returns the constants of the theorems' step sizes, for runs from start with batch samples per example (0
// means 1). The problem must have a method SampleSmoothness() float64 that returns a Lipschitz constant of every
// ∇ℓ_m(·, ξ). Estimate derives F₁ from it. The other constants are less certain:
//
//   - Δ is the largest L_m(start) minus the smallest of the problem's LowerBounds() []float64, the minima of the L_m.
//     If the method is missing, Estimate assumes that losses are at least 0.
//   - F and σ are the largest values at the start and, if the problem has a method Minimum(λ), at the minimisers of
//     single objectives. Quadratics have affine gradients, so these values are bounds at every convex combination of
//     these points, and runs mostly stay near them. They are not bounds at all points.
//   - A is c for the self-balancing walk, whose sums stay within c with probability 0.99. The other rules have no
//     such constant. For these, Estimate measures A in one epoch of JoGBa in the order of the data, with the
//     gradients at the start. A is at least 1, the value that a single vector can reach.
//
// It returns an error if the batch or the length of start is invalid, if losses or gradients at the start are not
// finite, or if the problem has no SampleSmoothness.
func Estimate(p Problem, start []float64, batch int, centring Centring, signs SignRule) (Constants, error) {
	if err := cmp.Or(checkBatch(p, batch), centring.settle(), signs.settle()); err != nil {
		return Constants{}, err
	}
	d, m := p.Dims()
	if len(start) != d {
		return Constants{}, &algo.RangeError{Name: "start", Value: start, Allowed: fmt.Sprintf("it must have the length %d of the variables", d)}
	}
	smooth, ok := p.(interface{ SampleSmoothness() float64 })
	if !ok {
		return Constants{}, &algo.RangeError{Name: "problem", Value: p, Allowed: "it must state SampleSmoothness() float64",
			Text: "the problem has no method SampleSmoothness() float64, which returns a Lipschitz constant of its samples' gradients"}
	}
	e := newEstimate(p, max(batch, 1))
	root := math.Sqrt(float64(m))
	c := Constants{Gap: e.gap(start), Smoothness: root * smooth.SampleSmoothness()}
	minimisers, err := minimisers(p)
	if err != nil {
		return Constants{}, err
	}
	for _, w := range append(minimisers, start) {
		f, sigma := e.at(w)
		c.Lipschitz, c.Deviation = max(c.Lipschitz, root*f), max(c.Deviation, sigma)
	}
	c.Balance = selfBalancingConstant(e.view.count, d)
	if signs != SelfBalancing {
		c.Balance = e.balance(start, centring, signs)
	}
	for _, v := range []float64{c.Gap, c.Lipschitz, c.Deviation, c.Balance} {
		if v-v != 0 {
			return Constants{}, &algo.RangeError{Name: "start", Value: start, Allowed: "losses and gradients there must be finite"}
		}
	}
	return c, nil
}

// minimisers returns the minimisers of single objectives, or nil if the problem cannot compute them.
func minimisers(p Problem) ([][]float64, error) {
	solvable, ok := p.(interface {
		Minimum(lambda []float64) ([]float64, error)
	})
	if !ok {
		return nil, nil
	}
	_, m := p.Dims()
	var all [][]float64
	for i := range m {
		lambda := make([]float64, m)
		lambda[i] = 1
		w, err := solvable.Minimum(lambda)
		var tooLarge *algo.RangeError
		if errors.As(err, &tooLarge) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

// estimate evaluates the gradients of all examples at a point.
type estimate struct {
	p              Problem
	view           *view
	mean, jacobian *algo.Jacobian
}

func newEstimate(p Problem, batch int) *estimate {
	d, m := p.Dims()
	return &estimate{p: p, view: newView(p, batch), mean: algo.NewJacobian(m, d), jacobian: algo.NewJacobian(m, d)}
}

// gap returns Δ.
func (e *estimate) gap(start []float64) float64 {
	_, m := e.p.Dims()
	f := make([]float64, m)
	e.p.Values(f, start)
	low := 0.0
	if bounded, ok := e.p.(interface{ LowerBounds() []float64 }); ok && bounded.LowerBounds() != nil {
		low = slices.Min(bounded.LowerBounds())
	}
	return slices.Max(f) - low
}

// each computes the gradients of every example at w, in the order of the data, and calls do after each.
func (e *estimate) each(w []float64, do func()) {
	for k := range e.view.count {
		e.p.JacobianAt(e.jacobian, w, e.view.pick(k, &e.view.step))
		do()
	}
}

// at returns the largest norm of any gradient at w, and the largest norm of any gradient's deviation from the mean.
func (e *estimate) at(w []float64) (longest, off float64) {
	e.p.Jacobian(e.mean, w)
	e.each(w, func() {
		for m := range e.jacobian.Rows {
			gradient := e.jacobian.Row(m)
			longest = max(longest, portable.Norm(gradient))
			for j, v := range e.mean.Row(m) {
				gradient[j] -= v
			}
			off = max(off, portable.Norm(gradient))
		}
	})
	return longest, off
}

// balance returns A, measured in one epoch of JoGBa at w.
func (e *estimate) balance(w []float64, centring Centring, signs SignRule) float64 {
	d, m := e.p.Dims()
	sum, balancer := newWalk(d), newBalancer(signs, e.view.count, d)
	e.p.Jacobian(e.mean, w)
	for i := range m {
		for j, v := range e.mean.Row(i) {
			sum.centre[j] += float64(centring.share(m) * v)
		}
	}
	e.each(w, func() {
		for i := range m {
			balancer.put(sum, e.jacobian.Row(i))
		}
	})
	if sum.longest == 0 {
		return 1
	}
	return max(1, sum.farthest/sum.longest)
}
