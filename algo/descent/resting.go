package descent

import "paretoplay/algo"

// Resting is a PSMGD whose steps yield before the weighting decides and wherever its problem yields. Nobody else may
// use its problem, because it may be evaluated while the step rests.
type Resting struct{ *PSMGD }

var (
	_ algo.Stepper  = Resting{}
	_ algo.Yielding = Resting{}
)

// SetYielder makes further steps yield.
func (r Resting) SetYielder(b *algo.Yielder) {
	r.yielder, r.input.Yielder = b, b
	algo.PassYielder(r.problem, b)
	algo.PassYielder(r.weighting, b)
}
