// Package algotest checks that problems, weightings and steppers fulfil the contracts of package algo. The test of a
// new implementation calls one of these functions:
//
//	algotest.Problem(t, p)
//	algotest.Bilevel(t, p)
//	algotest.Weighting(t, newWeighting, algotest.SimplexWeights)
//	algotest.Stepper(t, newStepper)
//	algotest.Evaluations(t, p, newStepperOn)
//
// The checks are deterministic: their random numbers have fixed seeds.
package algotest

import (
	"math"
	"math/rand/v2"

	"paretoplay/algo"
)

// T is the part of testing.TB that the checks use.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// allocationRuns is the number of calls over which a function's allocations are counted.
const allocationRuns = 50

// sameBits reports whether a and b are equal bit by bit. Their lengths must also be equal, and nil differs from
// empty.
func sameBits(a, b []float64) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	for i, v := range a {
		if math.Float64bits(v) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

// clone returns a copy of v. A nil slice stays nil, and an empty one stays empty.
func clone(v []float64) []float64 {
	if v == nil {
		return nil
	}
	c := make([]float64, len(v))
	copy(c, v)
	return c
}

// poison fills v with NaN, so that a test detects elements that are not written.
func poison(v []float64) {
	for i := range v {
		v[i] = math.NaN()
	}
}

// maxAbs returns the largest absolute value in v, or 0 if v is empty.
func maxAbs(v []float64) float64 {
	var m float64
	for _, a := range v {
		m = max(m, math.Abs(a))
	}
	return m
}

// maxDifference returns the largest |a_i − b_i|.
func maxDifference(a, b []float64) float64 {
	var m float64
	for i, v := range a {
		m = max(m, math.Abs(v-b[i]))
	}
	return m
}

// sampleNumber returns element k of a fixed sequence of independent samples.
func sampleNumber(k int) algo.Sample {
	return algo.Sample{Noise: algo.Stream(1, 0, k, algo.Noise)}
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(20, 26)) }
