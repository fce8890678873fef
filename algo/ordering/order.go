package ordering

import (
	"fmt"
	"math/bits"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
)

// Kind is a way to find the order of the next epoch.
type Kind int

const (
	// Random draws a new order in every epoch.
	Random Kind = iota
	// ShuffleOnce keeps the first epoch's order in every epoch.
	ShuffleOnce
	// FlipFlop reverses the order of the epoch before: π_{t+1}(k) = π_t(K+1−k).
	FlipFlop
	// RandomFlipFlop draws a new order in the epochs 0, 2, 4 … and reverses it in the epoch
	// after each.
	RandomFlipFlop
	// GraBShared balances the weighted sum of the gradients: one sign a step, one order
	// for all objectives (Algorithm 4).
	GraBShared
	// GraBSeparate balances the gradients of every objective by themselves
	// (Algorithm 3).
	GraBSeparate
	// JoGBa balances the gradients of all objectives against one common sum; every
	// objective has an order of its own (Algorithm 1).
	JoGBa
)

var kindNames = [...]string{"random", "once", "flipflop", "randomflipflop", "grab-shared", "grab-separate", "jogba"}

// Kinds returns all kinds in their order.
func Kinds() []Kind { return choice.All[Kind](kindNames[:]) }

// String returns the name that ParseKind accepts.
func (k Kind) String() string { return choice.Name(int(k), kindNames[:], "order") }

// ParseKind returns the kind with the given name: random, once, flipflop,
// randomflipflop, grab-shared, grab-separate or jogba.
func ParseKind(name string) (Kind, error) { return parse[Kind](name, kindNames[:], "order") }

// Balances reports whether the next order is made from the signs of gradients.
func (k Kind) Balances() bool { return k >= GraBShared }

// First is a way to find the order of the first epoch.
type First int

const (
	// RandomFirst draws it, one for each objective if they have orders of their own.
	RandomFirst First = iota
	// GivenFirst is 0, 1, …, K−1: the order that the data have.
	GivenFirst
)

var firstNames = [...]string{"random", "given"}

// String returns the name that ParseFirst accepts.
func (f First) String() string { return choice.Name(int(f), firstNames[:], "first order") }

// ParseFirst returns the First with the given name: random or given.
func ParseFirst(name string) (First, error) { return parse[First](name, firstNames[:], "first order") }

// Centring says what JoGBa subtracts from a gradient before balancing it.
type Centring int

const (
	// AsPublished subtracts v_t, the sum of the objectives' mean gradients in the epoch before,
	// from every objective's gradient.
	AsPublished Centring = iota
	// PerObjective subtracts v_t/M, so that the mean is subtracted from M gradients only once
	// in all.
	PerObjective
)

var centringNames = [...]string{"published", "perobjective"}

// String returns the name that ParseCentring accepts.
func (c Centring) String() string { return choice.Name(int(c), centringNames[:], "centring") }

// ParseCentring returns the centring with the given name: published or perobjective.
func ParseCentring(name string) (Centring, error) {
	return parse[Centring](name, centringNames[:], "centring")
}

// share is the part of v_t that is subtracted from the gradients of m objectives.
func (c Centring) share(m int) float64 {
	if c == PerObjective {
		return 1 / float64(m)
	}
	return 1
}

// parse quotes a name that it refuses.
func parse[T ~int](name string, names []string, what string) (T, error) {
	value, err := choice.Parse[T](name, names, what)
	if err != nil {
		refused := choice.Refused(what, name, names)
		refused.Text = fmt.Sprintf("%s %q: %s", what, name, refused.Allowed)
		return 0, refused
	}
	return value, nil
}

// draw stores the orders of an epoch in dst: one, or one for each objective. Kinds that
// balance draw for epoch 0 only. All orders come from one generator, one after the other, so
// a shared order equals the first of several.
func draw(dst [][]int, kind Kind, first First, seed uint64, start, epoch int) {
	from, reversed := epoch, false
	switch kind {
	case Random:
	case FlipFlop:
		from, reversed = 0, epoch%2 == 1
	case RandomFlipFlop:
		from, reversed = epoch-epoch%2, epoch%2 == 1
	default:
		from = 0
	}
	source := algo.Stream(seed, start, from, algo.Shuffle)
	for _, order := range dst {
		for i := range order {
			order[i] = i
		}
		if from > 0 || first == RandomFirst {
			for i := len(order) - 1; i > 0; i-- {
				j, _ := bits.Mul64(source.Uint64(), uint64(i+1))
				order[i], order[j] = order[j], order[i]
			}
		}
		if reversed {
			slices.Reverse(order)
		}
	}
}
