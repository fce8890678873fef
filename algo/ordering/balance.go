package ordering

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
	"paretoplay/internal/portable"
)

// SignRule selects the rule that decides whether a vector is added to a sum (+1) or subtracted from it (−1).
type SignRule string

const (
	// Greedy chooses ε = +1 if ‖s+g‖_∞ ≤ ‖s−g‖_∞, and −1 otherwise (Algorithm 2).
	Greedy SignRule = "greedy"
	// SelfBalancing draws ε = +1 with probability ½ − ⟨s,g⟩/(2c), clipped to [0, 1]. Here s and g are divided by the
	// largest norm of any vector that this sum has received in the run. The constant is c = 30·ln(K·d/δ) with
	// δ = 0.01. Source: Alweiss, Liu & Sawhney (2021), Discrepancy minimization via a self-balancing walk, STOC.
	SelfBalancing SignRule = "selfbalancing"
	// InnerProduct chooses ε = +1 if ⟨s, g⟩ < 0, and −1 otherwise. This sign gives the shorter sum. InnerProduct is the
	// rule MeanBalance of grab-sampler 0.1.3, where the first vector of an epoch always gets −1.
	InnerProduct SignRule = "innerproduct"
	// TwoNorm chooses ε = +1 if ‖s+g‖₂ ≤ ‖s−g‖₂, and −1 otherwise. The condition is equivalent to ⟨s, g⟩ ≤ 0. The code
	// that GraB's authors released with their paper (github.com/EugeneLYC/GraB at commit 5eafc13) and its
	// orderedsampler use this rule. It differs from InnerProduct only in ties.
	TwoNorm SignRule = "twonorm"
)

func (r *SignRule) settle() error {
	return choice.Settle(r, "sign rule", Greedy, SelfBalancing, InnerProduct, TwoNorm)
}

// failure is δ of the self-balancing walk: with probability 1 − δ, the walk never clips a sign's probability.
const failure = 0.01

// vectorised is the vector length above which gonum's sums are faster than a loop.
const vectorised = 32

// walk holds one balanced sum and the statistics that the sign rules need.
type walk struct {
	s      []float64 // Σ ε g of the epoch so far
	centre []float64 // the vector subtracted from gradients: v_t, or its share
	seen   []float64 // sum of the epoch's gradients so far; K·v_{t+1} at the end

	farthest, longest float64 // max_k ‖s‖_∞ and max ‖g‖₂ in the epoch
	length            float64 // max ‖g‖₂ in the run
}

func newWalk(d int) *walk {
	return &walk{s: make([]float64, d), centre: make([]float64, d), seen: make([]float64, d)}
}

// begin starts an epoch. It sets the centre to part times the sum of the previous epoch's gradients.
func (w *walk) begin(part float64) {
	for j, v := range w.seen {
		w.centre[j] = part * v
	}
	clear(w.seen)
	clear(w.s)
	w.farthest, w.longest = 0, 0
}

// balancer chooses signs and adds the signed vectors to their sums.
type balancer struct {
	rule  SignRule
	c     float64  // constant of the self-balancing walk
	draws rand.PCG // random source of the self-balancing walk in this step

	drawn, cut int // signs drawn, and signs whose probability was clipped to [0, 1]

	g []float64 // scratch space for the vector to balance
}

// newBalancer returns a balancer for K vectors of length d.
func newBalancer(rule SignRule, k, d int) *balancer {
	return &balancer{rule: rule, c: selfBalancingConstant(k, d), g: make([]float64, d)}
}

// selfBalancingConstant returns c for K vectors of length d.
func selfBalancingConstant(k, d int) float64 {
	return 30 * portable.Log(float64(k)*float64(d)/failure)
}

// put subtracts the walk's centre from a gradient, chooses a sign, adds the signed result to the walk, and returns
// the sign.
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

// sizes is a mask that keeps all bits of a float64 except its sign.
const sizes = 1<<63 - 1

// offer stores g = gradient − centre and returns ‖s+g‖_∞ and ‖s−g‖_∞. It compares absolute values by their bits: the
// order is the same, and the maximum of integers needs no branch.
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

// ahead reports whether the rule adds the vector. The sum's max norm would be plus after adding it, and minus after
// subtracting it.
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

// draw decides at random whether the self-balancing walk adds the vector.
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

// inner returns ⟨s,g⟩/length² without intermediate overflow or underflow. The length must be of the magnitude of g.
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
