// Package schedule provides common parts of steppers: checks of constants for step sizes, and random orders.
package schedule

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"paretoplay/algo"
)

// Positive returns an error unless value is finite and positive. The text in what describes the parameter, for example
// "the step size".
func Positive(name, what string, value float64) error {
	if value > 0 && !math.IsInf(value, 1) {
		return nil
	}
	return &algo.RangeError{Name: name, Value: value, Allowed: what + " must be finite and positive"}
}

// Horizon returns an error if the planned number of steps is below 1. The string needs describes the setting
// that requires a horizon.
func Horizon(horizon int, needs string) error {
	if horizon >= 1 {
		return nil
	}
	return &algo.RangeError{Name: "horizon", Value: horizon, Allowed: fmt.Sprintf("%s, at least 1", needs)}
}

// Lipschitz replaces a constant of 0 by the Lipschitz constant of the problem's gradients, and checks the result. It
// returns the error lacking if the problem does not state a constant.
func Lipschitz(constant *float64, p algo.Problem, lacking *algo.RangeError) error {
	if *constant == 0 {
		smooth, ok := algo.Stated[interface{ Lipschitz() float64 }](p)
		if !ok {
			return lacking
		}
		*constant = smooth.Lipschitz()
	}
	return Positive("lipschitz", "the Lipschitz constant", *constant)
}

// Convexity returns the problem's constant of strong convexity, or 0 if the problem does not state one.
func Convexity(p algo.Problem) float64 {
	if convex, ok := algo.Stated[interface{ StrongConvexity() float64 }](p); ok {
		return convex.StrongConvexity()
	}
	return 0
}

// Count fills order with 0, 1, 2, ….
func Count(order []int) {
	for i := range order {
		order[i] = i
	}
}

// Shuffle puts list in a random order. All orders are equally likely.
func Shuffle(list []int, source *rand.PCG) {
	for i := len(list) - 1; i > 0; i-- {
		j := Below(source, i+1)
		list[i], list[j] = list[j], list[i]
	}
}

// Below returns a random number from 0 to n−1, for n ≥ 1.
func Below(source *rand.PCG, n int) int {
	high, _ := bits.Mul64(source.Uint64(), uint64(n))
	return int(high)
}
