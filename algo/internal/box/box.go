// Package box keeps the iterates of steppers inside the box of an algo.Bounded problem.
package box

import (
	"fmt"

	"paretoplay/algo"
)

// Box holds the bounds of an algo.Bounded problem. A nil Box is the whole space, and its methods do nothing. Methods
// do not allocate, except Admit when it returns an error.
type Box struct {
	lo, hi []float64
}

// Of returns the box of p, which has n variables, or nil if p is not bounded. It returns an *algo.RangeError that
// names an invalid bound.
func Of(p algo.Problem, n int) (*Box, error) {
	bounded, ok := p.(algo.Bounded)
	if !ok {
		return nil, nil
	}
	lo, hi := bounded.Bounds()
	if len(lo) != n || len(hi) != n {
		return nil, &algo.RangeError{
			Name: "problem: lengths of the bounds", Value: [2]int{len(lo), len(hi)},
			Allowed: fmt.Sprintf("both must be %d, the number of variables", n),
		}
	}
	for i, l := range lo {
		if !(l <= hi[i]) {
			return nil, &algo.RangeError{
				Name: fmt.Sprintf("problem: bounds of x[%d]", i), Value: [2]float64{l, hi[i]},
				Allowed: "the lower bound must not exceed the upper bound",
			}
		}
	}
	return &Box{append([]float64(nil), lo...), append([]float64(nil), hi...)}, nil
}

// Admit returns an *algo.RangeError if x is outside the box. name is the name of x in the error.
func (b *Box) Admit(name string, x []float64) error {
	if b == nil {
		return nil
	}
	for i, v := range x {
		if !(v >= b.lo[i] && v <= b.hi[i]) {
			return &algo.RangeError{
				Name: fmt.Sprintf("%s[%d]", name, i), Value: v,
				Allowed: fmt.Sprintf("it must be in the problem's box, from %v to %v", b.lo[i], b.hi[i]),
			}
		}
	}
	return nil
}

// Project moves x to the nearest point of the box.
func (b *Box) Project(x []float64) {
	if b == nil {
		return
	}
	for i, v := range x {
		x[i] = min(max(v, b.lo[i]), b.hi[i])
	}
}

// Reduce sets to zero the entries of the gradients at x along which a step would leave the box.
func (b *Box) Reduce(jac *algo.Jacobian, x []float64) {
	if b != nil {
		jac.Reduce(x, b.lo, b.hi)
	}
}

// ReduceOne is like Reduce, but for a single gradient or direction.
func (b *Box) ReduceOne(g, x []float64) {
	if b != nil {
		(&algo.Jacobian{Rows: 1, Cols: len(g), Data: g}).Reduce(x, b.lo, b.hi)
	}
}
