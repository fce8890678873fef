package ordering

import (
	"math"

	"cmp"
	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
)

// BalancerConfig configures a Balancer. Objectives, Examples and Variables are required. If only these are set, the
// orders are random.
type BalancerConfig struct {
	Objectives int // M ≥ 1
	Examples   int // K ≥ 1, the number of steps in an epoch
	Variables  int // d ≥ 1, the length of gradients

	Kind     Kind
	Own      bool     // whether each objective has its own order; kinds that balance ignore it
	First    First    // how to choose the order of the first epoch
	Centring Centring // for JoGBa only
	Signs    SignRule // for kinds that balance

	// Orders are drawn from the stream algo.Shuffle, and signs of the self-balancing walk from algo.Sign.
	Seed       uint64
	StartIndex int
}

// Balancer chooses the order of the examples in every epoch of a custom training loop. Due returns the next example
// for each objective, and Put receives the gradients computed on it. Descent is such a loop.
//
// Kinds that balance process the gradients of each step before the next step. They balance these vectors:
//
//	GraBShared:   g = Σ_m λ_m ∇ℓ_m − v_t, one sum s and one order
//	GraBSeparate: g_m = ∇ℓ_m − v_{m,t}, a sum s_m for every objective
//	JoGBa:        g_m = ∇ℓ_m − v_t (or v_t/M), one sum s, objective by objective
//
// They choose a sign ε for g and update s ← s + εg. The example takes the next free place in the next epoch's order,
// from the left if ε = +1 and from the right if ε = −1. v_{t+1} is the mean of the epoch's vectors before the
// subtraction of v_t, and v_0 = 0. Every epoch starts with s = 0. Algorithm 4 as printed updates s for every m; here it is
// updated once per step.
//
// Kinds that balance store the orders of this epoch and the next, which are 2·M·K numbers (2·K if shared). They also
// store 3 vectors of length d per sum, and one more. The other kinds store only this epoch's orders. No kind stores
// the gradients of several examples, which would take O(K·d). Only NewBalancer allocates.
type Balancer struct {
	kind  Kind
	m, k  int
	first First
	share float64   // factor of the subtracted v_t
	sign  *balancer // nil if the kind does not balance

	seed       uint64
	startIndex int

	// State.
	epoch, position int     // position counts the examples put in this epoch
	order           [][]int // one, or one per objective
	next            [][]int // for kinds that balance; filled from both ends
	left, right     []int   // number of places filled from each end
	walks           []*walk

	signs []float64 // of the last step
	sided []float64 // scratch: sign of every example
}

// NewBalancer returns a Balancer at the start of the first epoch. An error names the invalid field, its value and the
// allowed values.
func NewBalancer(c BalancerConfig) (*Balancer, error) {
	for _, size := range []struct {
		name  string
		value int
	}{{"Objectives", c.Objectives}, {"Examples", c.Examples}, {"Variables", c.Variables}} {
		if size.value < 1 {
			return nil, &algo.RangeError{Name: size.name, Value: size.value, Allowed: "there must be at least one"}
		}
	}
	if err := cmp.Or(
		choice.Settle(&c.Kind, "order", Random, ShuffleOnce, FlipFlop, RandomFlipFlop, GraBShared, GraBSeparate, JoGBa),
		choice.Settle(&c.First, "first order", RandomFirst, GivenFirst), c.Centring.settle(), c.Signs.settle(),
	); err != nil {
		return nil, err
	}
	b := &Balancer{
		kind: c.Kind, m: c.Objectives, k: c.Examples, first: c.First, share: 1, seed: c.Seed, startIndex: c.StartIndex,
		signs: make([]float64, c.Objectives),
	}
	orders := 1
	if c.Own && !c.Kind.Balances() || c.Kind == GraBSeparate || c.Kind == JoGBa {
		orders = c.Objectives
	}
	b.order = newOrders(orders, b.k)
	draw(b.order, b.kind, b.first, b.seed, b.startIndex, 0)
	if !c.Kind.Balances() {
		return b, nil
	}
	b.sign, b.sided = newBalancer(c.Signs, b.k, c.Variables), make([]float64, b.k)
	b.next, b.left, b.right = newOrders(orders, b.k), make([]int, orders), make([]int, orders)
	sums := 1
	if c.Kind == GraBSeparate {
		sums = c.Objectives
	}
	for range sums {
		b.walks = append(b.walks, newWalk(c.Variables))
	}
	if c.Kind == JoGBa {
		b.share = c.Centring.share(c.Objectives)
	}
	return b, nil
}

func newOrders(count, k int) [][]int {
	out := make([][]int, count)
	for i := range out {
		out[i] = make([]int, k)
	}
	return out
}

// Shared reports whether all objectives visit the same example at each step.
func (b *Balancer) Shared() bool { return len(b.order) == 1 }

// Due returns the example, counted from 0, on which to evaluate objective m in the next step. After the last step of
// an epoch it starts the next epoch.
func (b *Balancer) Due(m int) int {
	if b.position == b.k {
		b.begin(b.epoch + 1)
	}
	return b.order[min(m, len(b.order)-1)][b.position]
}

// Put completes a step. Row m of gradients, M×d, is the gradient of objective m on the example Due(m). The direction,
// of length d, is the weighted sum Σ_m λ_m ∇ℓ_m. Only GraBShared reads direction, and only the other kinds that
// balance read gradients. An unused argument may be nil.
func (b *Balancer) Put(gradients *algo.Jacobian, direction []float64) {
	b.Due(0) // starts the next epoch if needed
	if b.kind.Balances() {
		if b.sign.rule == SelfBalancing {
			b.sign.draws = algo.Stream(b.seed, b.startIndex, b.epoch*b.k+b.position, algo.Sign)
		}
		if b.kind == GraBShared {
			sign := b.sign.put(b.walks[0], direction)
			for m := range b.signs {
				b.signs[m] = sign
			}
			b.place(0, sign)
		} else {
			for m := range b.signs {
				b.signs[m] = b.sign.put(b.walk(m), gradients.Row(m))
				b.place(m, b.signs[m])
			}
		}
	}
	b.position++
}

// begin starts the given epoch, which must follow the current one.
func (b *Balancer) begin(epoch int) {
	b.epoch, b.position = epoch, 0
	if !b.kind.Balances() {
		draw(b.order, b.kind, b.first, b.seed, b.startIndex, epoch)
		return
	}
	b.order, b.next = b.next, b.order
	clear(b.left)
	clear(b.right)
	for _, w := range b.walks {
		w.begin(b.share / float64(b.k))
	}
}

// walk returns the sum that the signed vectors of objective m are added to.
func (b *Balancer) walk(m int) *walk { return b.walks[min(m, len(b.walks)-1)] }

// place puts the current example of order i in the next free place of the next epoch's order: from the left if sign is
// positive, otherwise from the right.
func (b *Balancer) place(i int, sign float64) {
	example := b.order[i][b.position]
	if sign > 0 {
		b.next[i][b.left[i]] = example
		b.left[i]++
		return
	}
	b.right[i]++
	b.next[i][b.k-b.right[i]] = example
}

// Epoch returns the epoch of the last Put, counted from 0. It is 0 at the start.
func (b *Balancer) Epoch() int { return b.epoch }

// Orders returns the orders of Epoch: one shared order, or one per objective. Each has K examples, counted from 0.
// The slices belong to the Balancer and are valid until the next Due, Put or Load.
func (b *Balancer) Orders() [][]int { return b.order }

// Next returns the known part of the orders after Epoch. In order i the first left[i] and the last right[i] places are
// filled. All three results are nil if the kind does not balance. The slices belong to the Balancer and are valid until
// the next Due, Put or Load.
func (b *Balancer) Next() (orders [][]int, left, right []int) { return b.next, b.left, b.right }

// Signs returns the sign, +1 or −1, of every objective in the last step. The signs are equal if all objectives share
// one sign. It returns nil before the first step, or if the kind does not balance.
func (b *Balancer) Signs() []float64 {
	if !b.kind.Balances() || b.position == 0 && b.epoch == 0 {
		return nil
	}
	return b.signs
}

// EpochSigns stores the signs of Epoch in dst: one row per step, K×M, with values +1 or −1. The values of future steps
// are 0. If the kind does not balance, all values are 0.
func (b *Balancer) EpochSigns(dst []float64) {
	clear(dst)
	if !b.kind.Balances() {
		return
	}
	for m := range b.m {
		i := min(m, len(b.next)-1)
		clear(b.sided)
		for _, example := range b.next[i][:b.left[i]] {
			b.sided[example] = 1
		}
		for _, example := range b.next[i][b.k-b.right[i]:] {
			b.sided[example] = -1
		}
		for k, example := range b.order[i] {
			dst[k*b.m+m] = b.sided[example]
		}
	}
}

// Sum returns the balanced sum s of objective m after the last step, or nil if the kind does not
// balance. It belongs to the Balancer and is valid until the next Due, Put or Load.
func (b *Balancer) Sum(m int) []float64 {
	if !b.kind.Balances() {
		return nil
	}
	return b.walk(m).s
}

// SignBound returns max_k ‖Σ εg‖_∞ / max‖g‖₂ over the steps of Epoch so far, in the order of the visits. This is A of
// Assumption 3.7 for these signs. With several sums it is the largest value. It is NaN if the kind does not balance,
// and before the first sign.
func (b *Balancer) SignBound() float64 {
	bound := math.NaN()
	for _, w := range b.walks {
		if w.longest > 0 && !(bound >= w.farthest/w.longest) {
			bound = w.farthest / w.longest
		}
	}
	return bound
}

// Clipped returns how many sign probabilities of the self-balancing walk were clipped to [0, 1], and how many signs
// were drawn.
func (b *Balancer) Clipped() (clipped, drawn int) {
	if b.sign == nil {
		return 0, 0
	}
	return b.sign.cut, b.sign.drawn
}

// Save appends the epoch and the position in it. Kinds that balance also append their orders and sums. For other kinds,
// Load draws the orders again.
func (b *Balancer) Save(to *algo.Snapshot) {
	to.PutInt(b.epoch)
	to.PutInt(b.position)
	if !b.kind.Balances() {
		return
	}
	for i := range b.order {
		to.PutInt(b.left[i])
		to.PutInt(b.right[i])
		saveOrder(to, b.order[i])
		saveOrder(to, b.next[i])
	}
	for _, w := range b.walks {
		w.save(to)
	}
	to.PutInt(b.sign.drawn)
	to.PutInt(b.sign.cut)
}

// Load restores the state that Save appended. The Balancer must have the same configuration.
func (b *Balancer) Load(from *algo.Snapshot) {
	b.epoch, b.position = from.GetInt(), from.GetInt()
	if !b.kind.Balances() {
		draw(b.order, b.kind, b.first, b.seed, b.startIndex, b.epoch)
		return
	}
	for i := range b.order {
		b.left[i], b.right[i] = from.GetInt(), from.GetInt()
		loadOrder(from, b.order[i])
		loadOrder(from, b.next[i])
	}
	for _, w := range b.walks {
		w.load(from)
	}
	b.sign.drawn, b.sign.cut = from.GetInt(), from.GetInt()
}
