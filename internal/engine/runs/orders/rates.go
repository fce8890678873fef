package orders

import "paretoplay/internal/portable"

// Rate is a theorem's bound on the running mean of ω²: a power of the number KT of steps, and a
// further term that is larger for few epochs.
type Rate struct {
	Exponent    float64 // of KT
	Power, Term string  // in words
	For         string  // the orders for which it holds, in words
	Methods     []string
	// ahead reports whether the further term is the smaller one for T epochs of K examples.
	ahead func(k, t float64) bool
}

// Rates are the rates of the paper's theorems.
var Rates = []Rate{
	{-1. / 2, "(KT)^{−1/2}", "log T/T", "random orders", []string{Random, RandomOwn, Once, FlipFlop, RandomFlipFlop},
		func(k, t float64) bool { return k*portable.Log(t)*portable.Log(t) <= t }},
	{-2. / 3, "(KT)^{−2/3}", "1/T", "JoGBa", []string{JoGBa, GraBSeparate, GraBShared},
		func(k, t float64) bool { return k*k <= t }},
}

// Begins returns the number of epochs from which on the further term stays the smaller one.
func (r *Rate) Begins(k int) int {
	const many = 1 << 40
	lo, hi := 8, many // from e² on log²T/T falls
	for lo < hi {
		if t := lo + (hi-lo)/2; r.ahead(float64(k), float64(t)) {
			hi = t
		} else {
			lo = t + 1
		}
	}
	return lo
}

// Visible reports whether a rate can be seen within a budget of steps: on a part of the axis that
// is long enough to have a slope.
func (r *Rate) Visible(budget, k int) bool {
	const least = 1.5 // times as many epochs
	return float64(budget/k) >= least*float64(r.Begins(k))
}
