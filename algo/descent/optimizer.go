package descent

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
	"paretoplay/algo/weighting"
	"paretoplay/internal/portable"
)

// OptimizerKind selects how an Optimizer computes the update from a direction.
type OptimizerKind string

const (
	// Plain uses the direction itself: x ← x − η·d.
	Plain OptimizerKind = "plain"
	// HeavyBall is Polyak's momentum of the iterate, v ← β·v + d from v = 0 and x ← x − η·v. It differs from the
	// momentum of the weights.
	HeavyBall OptimizerKind = "heavyball"
	// Adam is x ← x − η·u with the update u of weighting.Adam.
	Adam OptimizerKind = "adam"
)

// Optimizer configures how the update is computed from a direction d. Steppers multiply the update by the step size
// and subtract it. With the zero value, the update is d.
//
// References:
//   - Polyak (1964), Some methods of speeding up the convergence of iteration
//     methods, USSR Computational Mathematics and Mathematical Physics 4.
//   - Kingma & Ba (2015), Adam: a method for stochastic optimization, ICLR.
type Optimizer struct {
	Kind OptimizerKind

	Beta float64 // β in [0, 1) for HeavyBall, 0 otherwise

	// Beta1 and Beta2, in [0, 1), and Epsilon > 0 are for Adam and must be 0 otherwise. If all three are 0, Adam uses
	// the constants of DefaultAdam.
	Beta1, Beta2, Epsilon float64

	// ClipNorm > 0 is the maximum Euclidean length of d. A longer d is shortened to this length before the optimizer
	// uses it. 0 disables clipping.
	ClipNorm float64
}

// DefaultAdam returns Adam with its usual constants β1 = 0.9, β2 = 0.999 and
// ε = 1e-8.
func DefaultAdam() Optimizer {
	return Optimizer{Kind: Adam, Beta1: weighting.DefaultAdamBeta1, Beta2: weighting.DefaultAdamBeta2, Epsilon: weighting.DefaultAdamEpsilon}
}

// Motion computes an Optimizer's updates from directions of a fixed length, for steppers that subtract the updates. Use
// NewMotion to create one.
type Motion struct {
	config   Optimizer
	adam     *weighting.Adam // nil for other kinds
	velocity []float64       // velocity of HeavyBall
	update   []float64
	last     []float64 // last update, which may be the direction itself
}

// NewMotion checks c and returns a Motion for directions of length n, which has not received any yet. An error names
// the invalid field, the value and the allowed values.
func NewMotion(c Optimizer, n int) (Motion, error) {
	if n < 0 {
		return Motion{}, &algo.RangeError{Name: "optimizer: length of directions", Value: n, Allowed: "it must be at least 0"}
	}
	err := choice.Settle(&c.Kind, "optimizer", Plain, HeavyBall, Adam)
	m := Motion{config: c, update: make([]float64, n)}
	if err != nil {
		return m, err
	}
	if !(c.ClipNorm >= 0) || math.IsInf(c.ClipNorm, 1) {
		return m, &algo.RangeError{Name: "optimizer: clip norm", Value: c.ClipNorm, Allowed: "it must be 0, or finite and positive"}
	}
	if c.Kind != HeavyBall && c.Beta != 0 {
		return m, &algo.RangeError{Name: "optimizer: beta", Value: c.Beta,
			Allowed: fmt.Sprintf("it is only for %v; omit it for %v", HeavyBall, c.Kind)}
	}
	if c.Kind != Adam && (c.Beta1 != 0 || c.Beta2 != 0 || c.Epsilon != 0) {
		allowed := fmt.Sprintf("they are only for %v; omit them for %v", Adam, c.Kind)
		return m, &algo.RangeError{
			Name: "optimizer: beta1, beta2, epsilon", Value: [3]float64{c.Beta1, c.Beta2, c.Epsilon}, Allowed: allowed,
			Text: fmt.Sprintf("optimizer: beta1 = %v, beta2 = %v, epsilon = %v: %s", c.Beta1, c.Beta2, c.Epsilon, allowed),
		}
	}
	switch c.Kind {
	case HeavyBall:
		if !(c.Beta >= 0 && c.Beta < 1) {
			return m, &algo.RangeError{Name: "optimizer: beta", Value: c.Beta, Allowed: "it must be in [0, 1)"}
		}
		m.velocity = make([]float64, n)
	case Adam:
		if c.Beta1 == 0 && c.Beta2 == 0 && c.Epsilon == 0 {
			usual := DefaultAdam()
			c.Beta1, c.Beta2, c.Epsilon = usual.Beta1, usual.Beta2, usual.Epsilon
		}
		adam, err := weighting.NewAdam(c.Beta1, c.Beta2, c.Epsilon)
		if err != nil {
			return m, fmt.Errorf("optimizer: %w", err)
		}
		m.adam = adam
	}
	return m, nil
}

// Move returns the update for d, which it does not modify. The result is valid until the next
// Move, or until d changes. It panics if d has another length.
func (m *Motion) Move(d []float64) []float64 {
	if len(d) != len(m.update) {
		panic("descent: wrong length of direction")
	}
	if m.config.ClipNorm > 0 {
		if length := portable.Norm(d); length > m.config.ClipNorm {
			for i, v := range d {
				m.update[i] = v * (m.config.ClipNorm / length)
			}
			d = m.update
		}
	}
	switch m.config.Kind {
	case HeavyBall:
		for i, v := range d {
			m.velocity[i] = float64(m.config.Beta*m.velocity[i]) + v
			m.update[i] = m.velocity[i]
		}
		d = m.update
	case Adam:
		m.adam.Update(m.update, d)
		d = m.update
	}
	m.last = d
	return d
}

// Stay records a step with direction d in which x does not move.
func (m *Motion) Stay(d []float64) { m.last = d }

// Last returns the result of the last Move, or the direction of the last Stay.
func (m *Motion) Last() []float64 { return m.last }

// Rest discards all earlier directions, so that the next Move is like the first.
func (m *Motion) Rest() {
	clear(m.velocity)
	if m.adam != nil {
		m.adam.Reset()
	}
	m.last = nil
}

// Save appends the state that determines future results.
func (m *Motion) Save(to *algo.Snapshot) {
	to.PutFloats(m.velocity...)
	if m.adam != nil {
		m.adam.Save(to)
	}
}

// Load restores the state that Save appended.
func (m *Motion) Load(from *algo.Snapshot) {
	from.GetFloats(m.velocity)
	if m.adam != nil {
		m.adam.Load(from)
	}
}
