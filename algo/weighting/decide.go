package weighting

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
)

// begin checks in and r against needs before a decision. It reports false when
// there is nothing to decide: on an error, or on an input that is not finite, and
// then r is complete with status Diverged, zero weights and a zero direction.
func begin(r *algo.Result, in *algo.Input, needs algo.Needs) (bool, error) {
	m := len(r.Weights)
	if m == 0 || len(in.Gram) != m*m {
		return false, fmt.Errorf("weighting: %d weights for a Gramian of %d entries", m, len(in.Gram))
	}
	if in.Jacobian == nil && (needs.Jacobian || r.Direction != nil) {
		return false, errors.New("weighting: a direction needs the Jacobian")
	}
	if in.Jacobian != nil && in.Jacobian.Rows != m {
		return false, fmt.Errorf("weighting: %d weights for a Jacobian of %d rows", m, in.Jacobian.Rows)
	}
	if r.Direction != nil && len(r.Direction) != in.Jacobian.Cols {
		return false, fmt.Errorf("weighting: direction of length %d for a Jacobian of %d columns", len(r.Direction), in.Jacobian.Cols)
	}
	if needs.Losses && len(in.Losses) != m {
		return false, fmt.Errorf("weighting: %d losses for %d objectives", len(in.Losses), m)
	}
	if len(in.Extra) < needs.Extra {
		return false, fmt.Errorf("weighting: %d further samples, needed are %d", len(in.Extra), needs.Extra)
	}
	finite := algo.Finite(in.Gram) && (!needs.Losses || algo.Finite(in.Losses)) &&
		(in.Jacobian == nil || algo.Finite(in.Jacobian.Data))
	for _, j := range in.Extra[:needs.Extra] {
		finite = finite && algo.Finite(j.Data)
	}
	if !finite {
		diverged(r)
		return false, nil
	}
	return true, nil
}

// settleZero completes r when every gradient is zero, and reports whether it did:
// equal weights, a direction of exact zeros, gap 0.
func settleZero(r *algo.Result, in *algo.Input) bool {
	entries := in.Gram
	if in.Jacobian != nil {
		entries = in.Jacobian.Data
	}
	for _, v := range entries {
		if v != 0 {
			return false
		}
	}
	for i := range r.Weights {
		r.Weights[i] = 1 / float64(len(r.Weights))
	}
	clear(r.Direction)
	r.Gap, r.Status = 0, algo.Converged
	return true
}

// combine stores the direction Gᵀ·Weights where the caller wants one.
func combine(r *algo.Result, in *algo.Input) {
	if r.Direction != nil {
		in.Jacobian.Combine(r.Direction, r.Weights)
	}
}

// conclude completes r after combine for a rule without an inner problem that is
// solved: status Converged, or Diverged with zeros when what was decided is not
// finite.
func conclude(r *algo.Result) {
	r.Gap, r.Status = math.NaN(), algo.Converged
	if !algo.Finite(r.Weights) || !algo.Finite(r.Direction) {
		diverged(r)
	}
}

// diverged completes r for a decision that is not finite.
func diverged(r *algo.Result) {
	clear(r.Weights)
	clear(r.Direction)
	r.Gap, r.Status = math.NaN(), algo.Diverged
}

// resize returns a slice of length n in the storage of s where it is large enough.
// What the elements are is not said.
func resize(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

// softmax stores exp(l_i/temperature)/Σ exp(l_j/temperature) in dst, which may be
// logits; both have the same positive length. It neither overflows nor divides by
// zero on finite logits.
func softmax(dst, logits []float64, temperature float64) {
	top := slices.Max(logits)
	var sum float64
	for i, l := range logits {
		dst[i] = math.Exp((l - top) / temperature)
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
}

// positive is the error of a parameter that must be a finite number above 0, nil
// when it is one.
func positive(name string, value float64) error {
	if !(value > 0) || math.IsInf(value, 1) {
		return fmt.Errorf("%s = %g, allowed is a finite number above 0", name, value)
	}
	return nil
}

// notNegative is positive for a parameter that may be 0.
func notNegative(name string, value float64) error {
	if !(value >= 0) || math.IsInf(value, 1) {
		return fmt.Errorf("%s = %g, allowed is a finite number of at least 0", name, value)
	}
	return nil
}
