package algotest_test

import (
	"errors"
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
)

// equal is a weighting with equal weights. It is correct unless its field broken names a fault. It counts its calls, so
// that it has state to save.
type equal struct {
	broken string
	calls  int
	heard  int
}

func (w *equal) Needs() algo.Needs {
	return algo.Needs{Jacobian: true, Losses: true, Extra: 1, After: true}
}

func (w *equal) Observe(before, after []float64) {
	for i := range before {
		if before[i] <= after[i] {
			return
		}
	}
	w.heard++
}

func (w *equal) Weigh(r *algo.Result, in *algo.Input) error {
	m := len(in.Losses)
	for i := range r.Weights {
		r.Weights[i] = 1 / float64(m)
	}
	w.calls++
	switch w.broken {
	case "error":
		return errors.New("refused")
	case "off the simplex":
		r.Weights[0] += 1e-9
	case "negative":
		r.Weights[0], r.Weights[1] = -1, 2+r.Weights[1]*float64(3-m)
	case "first only":
		clear(r.Weights)
		r.Weights[0] = 1
	case "not written":
		r.Weights[0] = math.NaN()
	case "inverse lengths":
		for i := range r.Weights {
			r.Weights[i] = 1 / in.Gram[i*m+i]
		}
	case "input modified":
		in.Gram[0]++
	case "losses modified":
		in.Losses[0]++
	case "extra modified":
		in.Extra[0].Data[0]++
	case "rows modified":
		in.Jacobian.Data[0]++
	case "first coordinates":
		r.Weights[0] += in.Jacobian.Row(0)[0]
	case "allocates":
		sink = make([]float64, 3)
	case "by direction":
		if r.Direction == nil {
			r.Weights[0], r.Weights[1] = 1, 0
		}
	case "history", "history not saved", "saved twice":
		r.Weights[0] += float64(w.calls+w.heard) * 1e-3
	}
	if r.Direction != nil {
		in.Combine(r.Direction, r.Weights)
		switch w.broken {
		case "never zero":
			r.Direction[0] += 1e-300
		case "nan direction":
			r.Direction[0] = math.NaN()
		case "exponent ignored":
			in.Jacobian.Combine(r.Direction, r.Weights)
		case "exponent in the weights":
			r.Weights[0] += math.Abs(float64(in.Exponent))
		case "overflow without a status", "overflow left to the caller":
			for i := range r.Direction {
				r.Direction[i] *= 4096
				if w.broken == "overflow without a status" {
					r.Direction[i] = max(-math.MaxFloat64, min(r.Direction[i], math.MaxFloat64))
				}
			}
			r.Effective = nil
		}
	}
	switch w.broken {
	case "effective not written":
	case "effective is another":
		clear(r.Effective)
	default:
		copy(r.Effective, r.Weights)
	}
	return nil
}

func (w *equal) Save(s *algo.Snapshot) {
	if w.broken == "history not saved" {
		return
	}
	s.PutInt(w.calls)
	s.PutInt(w.heard)
	if w.broken == "saved twice" {
		s.PutInt(w.calls)
	}
}

func (w *equal) Load(s *algo.Snapshot) {
	if w.broken == "history not saved" {
		return
	}
	w.calls, w.heard = s.GetInt(), s.GetInt()
}

func checkEqual(broken string, promises ...algotest.Promise) func(r *recorder) {
	return func(r *recorder) {
		algotest.Weighting(r, func() algo.Weighting { return &equal{broken: broken} }, promises...)
	}
}

func TestWeightingPasses(t *testing.T) {
	mustPass(t, checkEqual("", algotest.SimplexWeights, algotest.PermutationInvariant, algotest.Homogeneous, algotest.RotationInvariant))
	mustPass(t, checkEqual("history"))
	mustPass(t, checkEqual("allocates", algotest.MayAllocate))
	mustPass(t, checkEqual("first only", algotest.Objectives(4), algotest.SimplexWeights))
}

func TestWeightingFails(t *testing.T) {
	for broken, want := range map[string]string{
		"error":             "refused",
		"off the simplex":   "have sum",
		"negative":          "not on the simplex",
		"first only":        "in another order",
		"not written":       "not all written",
		"inverse lengths":   "not finite",
		"input modified":    "Gram was modified",
		"losses modified":   "Losses was modified",
		"extra modified":    "Extra was modified",
		"rows modified":     "Jacobian was modified",
		"allocates":         "Weigh allocates",
		"by direction":      "if no direction is requested",
		"history not saved": "after Load into the same weighting",
		"saved twice":       "exactly what Save appended",
		"never zero":        "want exactly zero",
		"nan direction":     "direction",
	} {
		mustFail(t, broken, want, checkEqual(broken, algotest.SimplexWeights, algotest.PermutationInvariant))
	}
	for broken, want := range map[string]string{
		"effective not written":       "effective coefficients [NaN NaN] are not finite",
		"effective is another":        "but the effective coefficients",
		"exponent ignored":            "expected from scale 1",
		"exponent in the weights":     "expected from scale 1",
		"overflow without a status":   "the direction overflows",
		"overflow left to the caller": "are not finite",
	} {
		mustFail(t, broken, want, checkEqual(broken, algotest.Homogeneous))
	}
	mustFail(t, "first coordinates", "of rotated gradients", checkEqual("first coordinates", algotest.RotationInvariant))
	mustFail(t, "conflict", "conflicts with objective", checkEqual("first only", algotest.NonConflicting))
}

// byGramian is a weighting that needs only the Gramian. It is correct unless its field broken names a fault.
type byGramian struct{ broken string }

func (byGramian) Needs() algo.Needs   { return algo.Needs{} }
func (byGramian) Save(*algo.Snapshot) {}
func (byGramian) Load(*algo.Snapshot) {}

func (w byGramian) Weigh(r *algo.Result, in *algo.Input) error {
	m := len(r.Weights)
	for i := range r.Weights {
		r.Weights[i] = 1 / float64(m)
	}
	switch w.broken {
	case "no solution":
		r.Status = algo.NoSolution
		clear(r.Weights)
	case "no solution, but a direction":
		r.Status = algo.NoSolution
	case "no weights":
		clear(r.Direction)
		r.Weights, r.Effective = nil, nil
		return nil
	case "rows in secret":
		if in.Jacobian == nil {
			return errors.New("no rows")
		}
	case "nan without rows":
		if in.Jacobian == nil {
			r.Weights[0] = math.NaN()
		}
	}
	copy(r.Effective, r.Weights)
	if r.Direction != nil {
		in.Combine(r.Direction, r.Weights)
	}
	return nil
}

func TestWeightingOnGramian(t *testing.T) {
	check := func(broken string) func(r *recorder) {
		return func(r *recorder) {
			algotest.Weighting(r, func() algo.Weighting { return byGramian{broken} }, algotest.SimplexWeights, algotest.PermutationInvariant)
		}
	}
	mustPass(t, check(""))
	mustPass(t, check("no solution"))
	for broken, want := range map[string]string{
		"no solution, but a direction": "want exactly zero",
		"no weights":                   "simplex weights were promised",
		"rows in secret":               "without the rows that it does not need",
		"nan without rows":             "without the rows that it does not need",
	} {
		mustFail(t, broken, want, check(broken))
	}
}
