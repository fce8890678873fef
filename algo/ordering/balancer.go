package ordering

import (
	"math"

	"cmp"
	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
)

// BalancerConfig configures a Balancer. Objectives, Examples and Variables must be given; with these
// alone orders are random.
type BalancerConfig struct {
	Objectives int // M ≥ 1
	Examples   int // K ≥ 1, the steps of an epoch
	Variables  int // d ≥ 1, the length of gradients

	Kind     Kind
	Own      bool     // one order for each objective, of kinds that do not balance; the others decide themselves
	First    First    // the order of the first epoch
	Centring Centring // of JoGBa only
	Signs    SignRule // of kinds that balance

	// Orders are drawn with algo.Shuffle, signs of the self-balancing walk with algo.Sign.
	Seed       uint64
	StartIndex int
}

// Balancer decides in which order examples are visited, epoch by epoch, for a loop of one's own: Due says
// which example is next for each objective, and Put takes the gradients that were found there. Descent is
// such a loop.
//
// Kinds that balance look at the gradients of a step before the next one is made:
//
//	GraBShared:   g = Σ_m λ_m ∇ℓ_m − v_t, one sum s and one order
//	GraBSeparate: g_m = ∇ℓ_m − v_{m,t}, a sum s_m for every objective
//	JoGBa:        g_m = ∇ℓ_m − v_t (or v_t/M), one sum s, objective by objective
//
// and for the sign ε of g: s ← s + εg, and the example goes to the next free place of the
// next epoch's order from the left if ε = +1, from the right if ε = −1. v_{t+1} is the
// mean over the epoch of the vectors to balance, before v_t is subtracted; v_0 = 0; s
// begins every epoch at 0. Algorithm 4 as printed updates s for every m; here it is
// updated once per step.
//
// Kinds that balance hold the orders of this epoch and the next, 2·M·K numbers (2·K if shared), and
// vectors of length d: 3 for every sum, and one more. The others hold the orders of this epoch. No kind
// holds gradients of several examples, which would be O(K·d). Nothing is allocated after New.
type Balancer struct {
	kind  Kind
	m, k  int
	first First
	share float64   // of v_t that is subtracted
	sign  *balancer // nil where signs decide nothing

	seed       uint64
	startIndex int

	// The state.
	epoch, position int     // position is how many examples of the epoch have been put
	order           [][]int // one, or one of each objective
	next            [][]int // of kinds that balance; filled from both ends
	left, right     []int   // how many places are filled from either end
	walks           []*walk

	signs []float64 // of the last step
	sided []float64 // scratch: the sign of every example
}

// NewBalancer returns the orders of the first epoch. An error names the field of the configuration, its
// value and what is allowed.
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

// Due returns the example, from 0, at which objective m, from 0, is to be evaluated in the next step. It
// begins the next epoch where all examples of this one have been put.
func (b *Balancer) Due(m int) int {
	if b.position == b.k {
		b.begin(b.epoch + 1)
	}
	return b.order[min(m, len(b.order)-1)][b.position]
}

// Put ends a step: row m of gradients, M×d, is the gradient of objective m at the example Due(m), and
// direction, of length d, their weighted sum Σ_m λ_m ∇ℓ_m. Only GraBShared reads direction, and only the
// other kinds that balance read gradients; what is not read may be nil.
func (b *Balancer) Put(gradients *algo.Jacobian, direction []float64) {
	b.Due(0) // begins an epoch that is due
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

// begin begins an epoch, which follows the current one.
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

// walk is the sum that balances objective m.
func (b *Balancer) walk(m int) *walk { return b.walks[min(m, len(b.walks)-1)] }

// place gives the example of order i the next free place on the side of its sign.
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

// Epoch returns the epoch, from 0, of the last example that was put; 0 at the start.
func (b *Balancer) Epoch() int { return b.epoch }

// Orders returns the orders of Epoch: one that all objectives share, or one for each, of
// K examples, from 0. They belong to the Balancer and hold until the next Due, Put or Load.
func (b *Balancer) Orders() [][]int { return b.order }

// Next returns what is known of the orders after Epoch: in order i the first left[i] and
// the last right[i] places are taken. They are nil where signs decide nothing, belong to
// the Balancer and hold until the next Due, Put or Load.
func (b *Balancer) Next() (orders [][]int, left, right []int) { return b.next, b.left, b.right }

// Signs returns +1 or −1 for every objective: the signs of the last step, all the same
// where one is shared. They are nil where there was no step and where signs decide
// nothing.
func (b *Balancer) Signs() []float64 {
	if !b.kind.Balances() || b.position == 0 && b.epoch == 0 {
		return nil
	}
	return b.signs
}

// EpochSigns stores the signs of the steps of Epoch in dst: K rows of M numbers, +1 or −1,
// and 0 for steps to come and where signs decide nothing.
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

// Sum returns the balanced sum s that objective m belongs to, after the last step. It is
// nil where signs decide nothing, belongs to the Balancer and holds until the next Due, Put or
// Load.
func (b *Balancer) Sum(m int) []float64 {
	if !b.kind.Balances() {
		return nil
	}
	return b.walk(m).s
}

// SignBound returns max_k ‖Σ εg‖_∞ / max‖g‖₂ over the steps of Epoch so far, in the order
// of the visits: the A of Assumption 3.7 that its signs reach, the largest of several
// sums. It is NaN where signs decide nothing, and before the first of them.
func (b *Balancer) SignBound() float64 {
	bound := math.NaN()
	for _, w := range b.walks {
		if w.longest > 0 && !(bound >= w.farthest/w.longest) {
			bound = w.farthest / w.longest
		}
	}
	return bound
}

// Clipped returns how many signs the self-balancing walk has drawn, and for how many of
// them the probability had to be cut to [0, 1].
func (b *Balancer) Clipped() (clipped, drawn int) {
	if b.sign == nil {
		return 0, 0
	}
	return b.sign.cut, b.sign.drawn
}

// Save appends the epoch and the position in it; kinds that balance add their orders and sums. Load draws
// all other orders again.
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

// Load restores what Save appended. It is for Balancers of the same configuration.
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
