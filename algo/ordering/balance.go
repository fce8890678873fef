package ordering

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
	"paretoplay/internal/portable"
)

// SignRule decides on which side of a sum a vector is put.
type SignRule string

const (
	// Greedy is ε = +1 if ‖s+g‖_∞ ≤ ‖s−g‖_∞ and −1 otherwise (Algorithm 2).
	Greedy SignRule = "greedy"
	// SelfBalancing is ε = +1 with probability ½ − ⟨s,g⟩/(2c), clipped to [0, 1]. Here s and g
	// are divided by the largest norm of a vector of their sum in the run, and c = 30·ln(K·d/δ)
	// with δ = 0.01: Alweiss, Liu & Sawhney (2021), Discrepancy minimization via a self-balancing
	// walk, STOC.
	SelfBalancing SignRule = "selfbalancing"
	// InnerProduct is ε = +1 if ⟨s, g⟩ < 0 and −1 otherwise: the side on which the sum stays shorter. It is the
	// rule MeanBalance of grab-sampler 0.1.3, where the first vector of an epoch always goes to −1.
	InnerProduct SignRule = "innerproduct"
	// TwoNorm is ε = +1 if ‖s+g‖₂ ≤ ‖s−g‖₂, which is ⟨s, g⟩ ≤ 0, and −1 otherwise. It is the rule of the code that
	// GraB's authors released with their paper, github.com/EugeneLYC/GraB at commit 5eafc13, and of its
	// orderedsampler. It differs from InnerProduct only in ties.
	TwoNorm SignRule = "twonorm"
)

func (r *SignRule) settle() error {
	return choice.Settle(r, "sign rule", Greedy, SelfBalancing, InnerProduct, TwoNorm)
}

// failure is δ of the self-balancing walk: with probability 1 − δ it never has to clip.
const failure = 0.01

// vectorised is the length from which gonum's sums are worth their call.
const vectorised = 32

// walk is one balanced sum, with what the rules remember of its vectors.
type walk struct {
	s      []float64 // Σ ε g of the epoch so far
	centre []float64 // the vector subtracted from gradients: v_t, or its share
	seen   []float64 // Σ of the epoch's gradients so far, K·v_{t+1}

	farthest, longest float64 // max_k ‖s‖_∞ and max ‖g‖₂ in the epoch
	length            float64 // max ‖g‖₂ in the run
}

func newWalk(d int) *walk {
	return &walk{s: make([]float64, d), centre: make([]float64, d), seen: make([]float64, d)}
}

// begin starts an epoch whose centre is part times the mean of the previous epoch.
func (w *walk) begin(part float64) {
	for j, v := range w.seen {
		w.centre[j] = part * v
	}
	clear(w.seen)
	clear(w.s)
	w.farthest, w.longest = 0, 0
}

// balancer adds vectors to sums with a sign.
type balancer struct {
	rule  SignRule
	c     float64  // of the self-balancing walk
	draws rand.PCG // source of its draws in this step

	drawn, cut int // number of its signs, and of those whose probability was clipped to [0, 1]

	g []float64 // scratch space: the vector
}

// newBalancer returns a balancer for K vectors of d numbers.
func newBalancer(rule SignRule, k, d int) *balancer {
	return &balancer{rule: rule, c: selfBalancingConstant(k, d), g: make([]float64, d)}
}

// selfBalancingConstant returns c for K vectors of d numbers.
func selfBalancingConstant(k, d int) float64 {
	return 30 * portable.Log(float64(k)*float64(d)/failure)
}

// put subtracts the walk's centre from a gradient, adds the result to the walk with the sign that
// the rule chooses, and returns the sign.
func (b *balancer) put(w *walk, gradient []float64) float64 {
	plus, minus := offer(b.g, gradient, w.centre, w.s)
	length := portable.Norm(b.g)
	w.longest, w.length = max(w.longest, length), max(w.length, length)
	sign, after := 1.0, plus
	if !b.ahead(w, plus, minus) {
		sign, after = -1, minus
	}
	w.farthest = max(w.farthest, after)
	if len(gradient) >= vectorised {
		portable.AddScaled(w.s, sign, b.g)
		floats.Add(w.seen, gradient)
		return sign
	}
	for j, g := range b.g {
		w.s[j] += float64(sign * g)
		w.seen[j] += gradient[j]
	}
	return sign
}

// sizes masks the bits of a number without its sign.
const sizes = 1<<63 - 1

// offer stores the vector g = gradient − centre and returns ‖s+g‖_∞ and ‖s−g‖_∞. Absolute values
// have the same order as their bits, and integers have a max without a branch.
func offer(g, gradient, centre, s []float64) (plus, minus float64) {
	g, centre, s = g[:len(gradient)], centre[:len(gradient)], s[:len(gradient)]
	var up, down uint64
	for j, v := range gradient {
		v -= centre[j]
		g[j] = v
		up = max(up, math.Float64bits(s[j]+v)&sizes)
		down = max(down, math.Float64bits(s[j]-v)&sizes)
	}
	return math.Float64frombits(up), math.Float64frombits(down)
}

// ahead reports whether the rule adds the vector. Adding it gives the sum the max norm plus, subtracting it minus.
func (b *balancer) ahead(w *walk, plus, minus float64) bool {
	switch b.rule {
	case SelfBalancing:
		return b.draw(w)
	case InnerProduct:
		return w.length > 0 && inner(w.s, b.g, w.length) < 0
	case TwoNorm:
		return w.length == 0 || inner(w.s, b.g, w.length) <= 0
	default:
		return plus <= minus
	}
}

// draw draws whether the self-balancing walk adds the vector.
func (b *balancer) draw(w *walk) bool {
	b.drawn++
	chance := 0.5
	if w.length > 0 {
		chance -= inner(w.s, b.g, w.length) / (2 * b.c)
	}
	if chance < 0 || chance > 1 {
		b.cut++
	}
	return float64(b.draws.Uint64()>>11)/(1<<53) < chance
}

// inner returns ⟨s,g⟩/length², for a length of the size of g's, without overflow or underflow in between.
func inner(s, g []float64, length float64) float64 {
	if length > 0x1p-400 && length < 0x1p400 {
		return portable.Dot(s, g) / length / length
	}
	fraction, exponent := math.Frexp(length)
	var sum float64
	for j, v := range s {
		sum += float64(math.Ldexp(v, -exponent) * math.Ldexp(g[j], -exponent))
	}
	return sum / (fraction * fraction)
}

func (w *walk) save(to *algo.Snapshot) {
	to.PutFloats(w.s...)
	to.PutFloats(w.centre...)
	to.PutFloats(w.seen...)
	to.PutFloats(w.farthest, w.longest, w.length)
}

func (w *walk) load(from *algo.Snapshot) {
	from.GetFloats(w.s)
	from.GetFloats(w.centre)
	from.GetFloats(w.seen)
	w.farthest, w.longest, w.length = from.GetFloat(), from.GetFloat(), from.GetFloat()
}
