package pareto

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
)

// WeaklyDominates reports whether a is nowhere worse than b: a_i ≤ b_i for every objective. A point weakly
// dominates itself. It panics if the lengths differ.
func WeaklyDominates(a, b []float64) bool {
	if len(a) != len(b) {
		panic("pareto: points of different lengths")
	}
	for i, v := range a {
		if !(v <= b[i]) {
			return false
		}
	}
	return true
}

// Dominates reports whether a is nowhere worse than b and better somewhere. Non-dominated sets use this order. It
// panics if the lengths differ.
func Dominates(a, b []float64) bool {
	return WeaklyDominates(a, b) && !slices.Equal(a, b)
}

// StrictlyDominates reports whether a is better than b everywhere: a_i < b_i for every objective. It returns false
// if there are no objectives, and panics if the lengths differ.
func StrictlyDominates(a, b []float64) bool {
	if len(a) != len(b) {
		panic("pareto: points of different lengths")
	}
	for i, v := range a {
		if !(v < b[i]) {
			return false
		}
	}
	return len(a) > 0
}

// refusedPoint returns the error for point i, whose coordinates are p.
func refusedPoint(i int, p []float64, allowed, text string) error {
	return &algo.RangeError{Name: fmt.Sprintf("point %d", i), Value: p, Allowed: allowed, Text: text}
}

// check returns an error if the lengths of points differ or a coordinate is NaN.
func check(points [][]float64) error {
	for i, p := range points {
		if len(p) != len(points[0]) {
			return refusedPoint(i, p, fmt.Sprintf("%d objectives, like point 0", len(points[0])),
				fmt.Sprintf("point %d has %d objectives, point 0 has %d", i, len(p), len(points[0])))
		}
		for k, v := range p {
			if math.IsNaN(v) {
				return refusedPoint(i, p, "numbers", fmt.Sprintf("objective %d of point %d is NaN", k, i))
			}
		}
	}
	return nil
}
