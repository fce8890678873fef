package descent

import "paretoplay/algo"

// Resting is a PSMGD whose steps take breath: where its problem does, and before it weighs. Its problem must be nobody else's, who
// might ask it while it rests.
type Resting struct{ *PSMGD }

var (
	_ algo.Stepper   = Resting{}
	_ algo.Breathing = Resting{}
)

// Breathe makes further steps take breath.
func (r Resting) Breathe(b *algo.Breath) {
	r.breath, r.input.Breath = b, b
	algo.BreatheThrough(r.problem, b)
	algo.BreatheThrough(r.weighting, b)
}
