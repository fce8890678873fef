package orders

import "paretoplay/internal/portable"

// Rate is a theorem's bound on the running mean of ω²: a power of the number of steps KT, plus a term that dominates
// while there are few epochs.
type Rate struct {
	Exponent    float64 // exponent of KT
	Power, Term string  // the power and the term in words
	For         string  // the orders that the bound applies to, in words
	Methods     []string
	// ahead reports whether Term is smaller than the power for T epochs of K examples.
	ahead func(k, t float64) bool
}

// Rates lists the bounds of the theorems in the JoGBa paper.
var Rates = []Rate{
	{-1. / 2, "(KT)^{−1/2}", "log T/T", "random orders", []string{Random, RandomOwn, Once, FlipFlop, RandomFlipFlop},
		func(k, t float64) bool { return k*portable.Log(t)*portable.Log(t) <= t }},
	{-2. / 3, "(KT)^{−2/3}", "1/T", "JoGBa", []string{JoGBa, GraBSeparate, GraBShared},
		func(k, t float64) bool { return k*k <= t }},
}

// Begins returns the number of epochs after which Term stays smaller than the power of KT.
func (r *Rate) Begins(k int) int {
	const many = 1 << 40
	lo, hi := 8, many // log²T/T decreases for T ≥ e²
	for lo < hi {
		if t := lo + (hi-lo)/2; r.ahead(float64(k), float64(t)) {
			hi = t
		} else {
			lo = t + 1
		}
	}
	return lo
}

// Visible reports whether a rate is visible within a budget of steps, that is, whether its part of the axis is long
// enough to show a slope.
func (r *Rate) Visible(budget, k int) bool {
	const least = 1.5 // minimum ratio between the last epoch and the first one that shows the rate
	return float64(budget/k) >= least*float64(r.Begins(k))
}
