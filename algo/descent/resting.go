package descent

import "paretoplay/algo"

// Resting is a PSMGD whose steps yield before the weighting decides and whenever the problem yields. It must be the
// only user of its problem, because others might evaluate the problem while a step is paused.
type Resting struct{ *PSMGD }

var (
	_ algo.Stepper  = Resting{}
	_ algo.Yielding = Resting{}
)

// SetYielder makes all further steps yield to b.
func (r Resting) SetYielder(b *algo.Yielder) {
	r.yielder, r.input.Yielder = b, b
	algo.PassYielder(r.problem, b)
	algo.PassYielder(r.weighting, b)
}
