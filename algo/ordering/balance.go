package ordering

import (
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/algo/internal/portable"
)

// SignRule says on which side of a sum a vector is put.
type SignRule int

const (
	// Greedy is ε = +1 if ‖s+g‖_∞ ≤ ‖s−g‖_∞ and −1 otherwise (Algorithm 2).
	Greedy SignRule = iota
	// SelfBalancing is ε = +1 with probability ½ − ⟨s,g⟩/(2c), cut to [0, 1], for vectors
	// scaled by the largest norm seen so far and c = 30·ln(K·d/δ), δ = 0.01: Alweiss, Liu &
	// Sawhney (2021), Discrepancy minimization via a self-balancing walk, STOC.
	SelfBalancing
)

var signRuleNames = [...]string{"greedy", "selfbalancing"}

// String returns the name that ParseSignRule accepts.
func (r SignRule) String() string { return nameOf(int(r), signRuleNames[:], "sign rule") }

// ParseSignRule returns the rule with the given name: greedy or selfbalancing.
func ParseSignRule(name string) (SignRule, error) {
	return parse[SignRule](name, signRuleNames[:], "sign rule")
}

// failure is δ of the self-balancing walk: with probability 1 − δ it never has to clip.
const failure = 0.01

// walk is one balanced sum and what is remembered of it.
type walk struct {
	s    []float64 // Σ ε g of the epoch so far
	mean []float64 // v_t, subtracted from gradients
	next []float64 // v_{t+1}, so far

	farthest, longest float64 // max_k ‖s‖_∞ and max ‖g‖₂ of the epoch
}

// begin makes what the epoch before accumulated the mean of the one that begins.
func (w *walk) begin() {
	w.mean, w.next = w.next, w.mean
	clear(w.next)
	clear(w.s)
	w.farthest, w.longest = 0, 0
}

// balancer decides signs.
type balancer struct {
	rule   SignRule
	c      float64 // of the self-balancing walk
	length float64 // the largest norm seen so far in the run

	asked, clipped int // signs of the self-balancing walk, and those that it was sure of
}

// put adds a gradient, less the given share of the walk's mean, to the walk on the side
// that the rule says, and its part of an epoch of K examples to the next mean. It returns
// the sign. draws decide the self-balancing walk.
func (b *balancer) put(w *walk, gradient []float64, share, part float64, draws *rand.PCG) float64 {
	var plus, minus, square float64
	s, mean := w.s[:len(gradient)], w.mean[:len(gradient)]
	for j, v := range gradient {
		g := v - float64(share*mean[j])
		if up := math.Abs(s[j] + g); up > plus {
			plus = up
		}
		if down := math.Abs(s[j] - g); down > minus {
			minus = down
		}
		square += float64(g * g)
	}
	sign, after := 1.0, plus
	switch {
	case b.rule == Greedy && plus > minus, b.rule == SelfBalancing && !b.ahead(w, gradient, share, square, draws):
		sign, after = -1, minus
	}
	next := w.next[:len(gradient)]
	for j, v := range gradient {
		s[j] += float64(sign * (v - float64(share*mean[j])))
		next[j] += float64(part * v)
	}
	w.farthest, w.longest = max(w.farthest, after), max(w.longest, math.Sqrt(square))
	return sign
}

// ahead draws whether the self-balancing walk adds a vector of that squared norm.
func (b *balancer) ahead(w *walk, gradient []float64, share, square float64, draws *rand.PCG) bool {
	b.length = max(b.length, math.Sqrt(square))
	b.asked++
	chance := 0.5
	if b.length > 0 {
		var inner float64
		for j, v := range gradient {
			inner += float64(w.s[j] / b.length * ((v - float64(share*w.mean[j])) / b.length))
		}
		chance -= inner / (2 * b.c)
	}
	if chance < 0 || chance > 1 {
		b.clipped++
	}
	return float64(draws.Uint64()>>11)/(1<<53) < chance
}

// selfBalancingConstant is c for K vectors of d numbers.
func selfBalancingConstant(k, d int) float64 {
	return 30 * portable.Log(float64(k)*float64(d)/failure)
}

func (w *walk) save(to *algo.Snapshot) {
	to.PutFloats(w.s...)
	to.PutFloats(w.mean...)
	to.PutFloats(w.next...)
	to.PutFloats(w.farthest, w.longest)
}

func (w *walk) load(from *algo.Snapshot) {
	from.GetFloats(w.s)
	from.GetFloats(w.mean)
	from.GetFloats(w.next)
	w.farthest, w.longest = from.GetFloat(), from.GetFloat()
}
