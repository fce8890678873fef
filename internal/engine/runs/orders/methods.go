// Package orders is the family of orders in which samples of a finite sum are visited. It contains the list of methods,
// their shared settings, and the numbers of their epochs.
package orders

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs"
)

// Names of the methods.
const (
	Random            = "random"
	RandomOwn         = "random-own"
	Once              = "once"
	OnceOwn           = "once-own"
	FlipFlop          = "flipflop"
	FlipFlopOwn       = "flipflop-own"
	RandomFlipFlop    = "randomflipflop"
	RandomFlipFlopOwn = "randomflipflop-own"
	GraBShared        = "grab-shared"
	GraBSeparate      = "grab-separate"
	JoGBa             = "jogba"
)

// paper is the title of the paper that compares the methods.
const paper = "Joint Gradient Balancing (JoGBa)"

// order is one method: a kind of order, and whether each objective has a separate order or all objectives share one.
type order struct {
	kind ordering.Kind
	own  bool
	param.Method
}

// family lists the methods in the order of lists and legends.
var family = []order{
	{ordering.Random, false, param.Method{ID: Random, Title: "Random", Paper: paper + ", section 3.1",
		Help: "Uses a new random order in every epoch, the same for all objectives."}},
	{ordering.Random, true, param.Method{ID: RandomOwn, Title: "Random, one each", Paper: paper + ", section 3.1",
		Help: "Draws a separate random order for each objective in every epoch."}},
	{ordering.ShuffleOnce, false, param.Method{ID: Once, Title: "Shuffle once", Paper: "Mishchenko et al. 2020",
		Help: "Uses one random order for all objectives in all epochs."}},
	{ordering.ShuffleOnce, true, param.Method{ID: OnceOwn, Title: "Shuffle once, one each", Paper: "Mishchenko et al. 2020",
		Help: "Uses a separate random order for each objective, the same in all epochs."}},
	{ordering.FlipFlop, false, param.Method{ID: FlipFlop, Title: "FlipFlop", Paper: paper + ", section 3.1",
		Help: "Uses one random order for all objectives, and reverses it after every epoch."}},
	{ordering.FlipFlop, true, param.Method{ID: FlipFlopOwn, Title: "FlipFlop, one each", Paper: paper + ", section 3.1",
		Help: "Uses a separate random order for each objective, and reverses it after every epoch."}},
	{ordering.RandomFlipFlop, false, param.Method{ID: RandomFlipFlop, Title: "Random FlipFlop", Paper: paper + ", section 3.1",
		Help: "Uses a new random order for all objectives in every other epoch, and reverses it in the next epoch."}},
	{ordering.RandomFlipFlop, true, param.Method{ID: RandomFlipFlopOwn, Title: "Random FlipFlop, one each", Paper: paper + ", section 3.1",
		Help: "Draws a separate random order for each objective in every other epoch, and reverses it in the next epoch."}},
	{ordering.GraBShared, false, param.Method{ID: GraBShared, Title: "GraB, shared", Paper: paper + ", Algorithm 4; Lu et al. 2022",
		Help: "Balances the weighted sum of the gradients: samples that pull in opposite directions alternate. All objectives share " +
			"one order."}},
	{ordering.GraBSeparate, true, param.Method{ID: GraBSeparate, Title: "GraB, separate", Paper: paper + ", Algorithm 3; Lu et al. 2022",
		Help: "Balances the gradients of each objective separately, and gives each objective its own order."}},
	{ordering.JoGBa, true, param.Method{ID: JoGBa, Title: "JoGBa", Paper: paper + ", Algorithm 1",
		Help: "Balances the gradients of all objectives against one common sum, and gives each objective its own order."}},
}

// Methods returns every method, in the order of lists and legends.
func Methods() []param.Method {
	out := make([]param.Method, len(family))
	for i, o := range family {
		out[i] = o.Method
	}
	return out
}

// Kind returns a method's kind of order, and whether each objective has a separate order.
func Kind(method string) (kind ordering.Kind, own bool) {
	for _, o := range family {
		if o.ID == method {
			return o.kind, o.own
		}
	}
	panic(fmt.Sprintf("orders: unknown method %q", method))
}

// methods returns the family with its steppers.
func (r *Roster) methods() []runs.Method[*Course] {
	out := make([]runs.Method[*Course], len(family))
	for i, o := range family {
		out[i] = runs.Method[*Course]{Method: o.Method, Bind: func(*param.List) func(*Course) (algo.Stepper, error) {
			return func(c *Course) (algo.Stepper, error) { return r.stepper(o.kind, o.own, c) }
		}}
	}
	return out
}
