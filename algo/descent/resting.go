package descent

import "paretoplay/algo"

// Resting is a PSMGD whose steps yield: where its problem does, and before it weighs. Its problem must be nobody else's, who
// might ask it while it rests.
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
