package ordering

import (
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
	"paretoplay/algo/internal/schedule"
)

// Kind selects the rule for the order of the next epoch.
type Kind string

const (
	// Random draws a new order in every epoch.
	Random Kind = "random"
	// ShuffleOnce keeps the first epoch's order in every epoch.
	ShuffleOnce Kind = "once"
	// FlipFlop reverses the order of the previous epoch: π_{t+1}(k) = π_t(K+1−k).
	FlipFlop Kind = "flipflop"
	// RandomFlipFlop draws a new order in the epochs 0, 2, 4 … and reverses it in each following epoch.
	RandomFlipFlop Kind = "randomflipflop"
	// GraBShared balances the weighted sum of the gradients. It uses one sign per step and one order for all
	// objectives (Algorithm 4).
	GraBShared Kind = "grab-shared"
	// GraBSeparate balances the gradients of each objective separately (Algorithm 3).
	GraBSeparate Kind = "grab-separate"
	// JoGBa balances the gradients of all objectives in one common sum. Each objective has a separate order
	// (Algorithm 1).
	JoGBa Kind = "jogba"
)

// Balances reports whether the kind builds the next order from the signs of gradients.
func (k Kind) Balances() bool { return k == GraBShared || k == GraBSeparate || k == JoGBa }

// First selects the order of the first epoch.
type First string

const (
	// RandomFirst draws the order. Objectives with separate orders get one draw each.
	RandomFirst First = "random"
	// GivenFirst uses the order of the data: 0, 1, …, K−1.
	GivenFirst First = "given"
)

// Centring selects the vector that JoGBa subtracts from a gradient before balancing it.
type Centring string

const (
	// AsPublished subtracts v_t, the sum of the objectives' mean gradients in the previous epoch,
	// from every objective's gradient.
	AsPublished Centring = "published"
	// PerObjective subtracts v_t/M, so that v_t is subtracted once in total from the M gradients.
	PerObjective Centring = "perobjective"
)

func (c *Centring) settle() error { return choice.Settle(c, "centring", AsPublished, PerObjective) }

// share returns the factor of v_t that is subtracted from each gradient if there are m objectives.
func (c Centring) share(m int) float64 {
	if c == PerObjective {
		return 1 / float64(m)
	}
	return 1
}

// draw stores the orders of an epoch in dst: one, or one per objective. For kinds that balance it draws epoch 0 only.
// One generator draws all orders in sequence, so a shared order equals the first of several
// separate orders.
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
		schedule.Count(order)
		if from > 0 || first == RandomFirst {
			schedule.Shuffle(order, &source)
		}
		if reversed {
			slices.Reverse(order)
		}
	}
}
