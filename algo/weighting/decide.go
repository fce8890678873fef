package weighting

import (
	"errors"
	"fmt"
	"math"

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
		clear(r.Weights)
		clear(r.Direction)
		r.Gap, r.Status = math.NaN(), algo.Diverged
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
