package weighting

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// InputError reports a mistake of the caller: the input lacks data that the rule's Needs require, or the number of
// objectives changed for a rule with a history. For a loss outside a rule's domain, the error is an *algo.RangeError
// instead.
type InputError struct {
	Text string
}

// Error returns Text.
func (e *InputError) Error() string { return e.Text }

func inputErrorf(format string, args ...any) error {
	return &InputError{fmt.Sprintf(format, args...)}
}

// begin checks in and r against needs before a decision. It returns false if the caller must not decide: on an error,
// or if the input is not finite. If the input is not finite, begin completes r with status Diverged, zero weights and
// a zero direction.
func begin(r *algo.Result, in *algo.Input, needs algo.Needs) (bool, error) {
	if r.Weights == nil { // set to nil by a rule without weights
		r.Weights = make([]float64, int(math.Round(math.Sqrt(float64(len(in.Gram))))))
	}
	m := len(r.Weights)
	if m == 0 || len(in.Gram) != m*m {
		return false, inputErrorf("weighting: %d weights for a Gramian of %d entries", m, len(in.Gram))
	}
	if in.Jacobian == nil && (needs.Jacobian || r.Direction != nil) {
		return false, inputErrorf("weighting: the Jacobian is missing; the rule or the direction requires it")
	}
	if in.Jacobian != nil && in.Jacobian.Rows != m {
		return false, inputErrorf("weighting: %d weights for a Jacobian of %d rows", m, in.Jacobian.Rows)
	}
	if r.Direction != nil && len(r.Direction) != in.Jacobian.Cols {
		return false, inputErrorf("weighting: direction of length %d for a Jacobian of %d columns", len(r.Direction), in.Jacobian.Cols)
	}
	if r.Effective != nil && len(r.Effective) != m {
		return false, inputErrorf("weighting: %d effective coefficients for %d objectives", len(r.Effective), m)
	}
	if needs.Losses && len(in.Losses) != m {
		return false, inputErrorf("weighting: %d losses for %d objectives", len(in.Losses), m)
	}
	if len(in.Extra) < needs.Extra {
		return false, inputErrorf("weighting: %d further samples; the rule needs %d", len(in.Extra), needs.Extra)
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

// settleZero completes r if every gradient is zero, and reports whether it did. It stores
// equal weights, a direction of exact zeros, and gap 0.
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
	copy(r.Effective, r.Weights)
	clear(r.Direction)
	r.Gap, r.Status = 0, algo.Converged
	return true
}

// beginNonZero calls begin and then settleZero. It also returns false if every gradient is zero.
func beginNonZero(r *algo.Result, in *algo.Input, needs algo.Needs) (bool, error) {
	ok, err := begin(r, in, needs)
	return ok && !settleZero(r, in), err
}

// combine stores the direction Gᵀ·Weights and its coefficients, which are the weights. It stores each only if the
// caller provides storage for it.
func combine(r *algo.Result, in *algo.Input) { direct(r, in, r.Weights) }

// direct stores the direction Gᵀc and its coefficients c. It stores each only if the caller provides storage for it.
func direct(r *algo.Result, in *algo.Input, c []float64) {
	copy(r.Effective, c)
	if r.Direction != nil {
		in.Combine(r.Direction, c)
	}
}

// directExactly is like direct, for a rule that solves for c. It sets the direction to 0 if the direction is only a
// rounding error.
func directExactly(r *algo.Result, in *algo.Input, c []float64) {
	direct(r, in, c)
	if r.Direction == nil {
		return
	}
	if share, terms := cancels(in.Gram, c); share < dependent &&
		math.Ldexp(portable.Norm(r.Direction), -in.Exponent) <= rounded*terms {
		clear(r.Direction)
	}
}

// multiply replaces v by 2^exponent·v.
func multiply(v []float64, exponent int) {
	if exponent == 0 {
		return
	}
	for i, a := range v {
		v[i] = math.Ldexp(a, exponent)
	}
}

// conclude completes r after combine for a rule without an inner problem. It sets the status to Converged. If the
// decision is not finite, it stores zeros and the status Diverged.
func conclude(r *algo.Result) {
	r.Gap, r.Status = math.NaN(), algo.Converged
	check(r)
}

// confirm completes r after combine for a rule that has set gap and status. It checks the decision only if the
// gradients were divided by a power of two. Otherwise weights of moderate size cannot make the direction overflow.
func confirm(r *algo.Result, in *algo.Input) {
	if in.Exponent != 0 {
		check(r)
	}
}

// check replaces a decision that is not finite by zeros, with status Diverged.
func check(r *algo.Result) {
	if !algo.Finite(r.Weights) || !algo.Finite(r.Effective) || !algo.Finite(r.Direction) {
		diverged(r)
	}
}

// diverged stores zeros and the status Diverged in r.
func diverged(r *algo.Result) {
	refuse(r, algo.Diverged)
}

// refuse stores zeros in r, and a status that says why there is no decision.
func refuse(r *algo.Result, status algo.Status) {
	clear(r.Weights)
	clear(r.Effective)
	clear(r.Direction)
	r.Gap, r.Status = math.NaN(), status
}

// saveFirst appends first, the data that a rule keeps from its first decision. first is nil before that decision.
func saveFirst(to *algo.Snapshot, first []float64) {
	to.PutInt(len(first))
	to.PutFloats(first...)
}

// loadFirst reads the data that saveFirst appended. It reuses the storage of first if this storage is large enough.
func loadFirst(from *algo.Snapshot, first []float64) []float64 {
	m := from.GetInt()
	if m == 0 {
		return nil
	}
	first = resize(first, m)
	from.GetFloats(first)
	return first
}

// resize returns a slice of length n with arbitrary elements. It reuses the storage of s if this storage is large
// enough.
func resize(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

// softmax stores exp(l_i/temperature)/Σ exp(l_j/temperature) in dst, which may be the same slice as logits. Both have
// the same positive length. For finite logits it neither overflows nor divides by zero.
func softmax(dst, logits []float64, temperature float64) {
	top := slices.Max(logits)
	var sum float64
	for i, l := range logits {
		dst[i] = portable.Exp((l - top) / temperature)
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
}

// refused returns an *algo.RangeError for a value outside its range.
func refused(name string, value any, allowed string) error {
	return &algo.RangeError{Name: name, Value: value, Allowed: allowed, Text: fmt.Sprintf("%s = %v: use %s", name, value, allowed)}
}

// refusedLoss returns an *algo.RangeError for a loss outside a rule's domain. i is the objective, counted from 0. The
// error's text begins with rule.
func refusedLoss(rule string, i int, loss float64, allowed string) error {
	return &algo.RangeError{
		Name: fmt.Sprintf("loss %d", i+1), Value: loss, Allowed: allowed,
		Text: fmt.Sprintf("%s: loss %d is %g; it must be %s", rule, i+1, loss, allowed),
	}
}

// positive returns an error unless the value is a finite number above 0.
func positive(name string, value float64) error {
	if !(value > 0) || math.IsInf(value, 1) {
		return refused(name, value, "a finite number above 0")
	}
	return nil
}

// notNegative returns an error unless the value is finite and at least 0.
func notNegative(name string, value float64) error {
	if !(value >= 0) || math.IsInf(value, 1) {
		return refused(name, value, "a finite number of at least 0")
	}
	return nil
}

// memoryless is embedded in rules that keep no state between decisions. Their random draws depend only on the
// iteration.
type memoryless struct{}

// Save appends nothing, because there is no state.
func (memoryless) Save(*algo.Snapshot) {}

// Load reads nothing, because there is no state.
func (memoryless) Load(*algo.Snapshot) {}
