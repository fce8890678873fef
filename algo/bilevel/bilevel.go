// Package bilevel holds steppers on two levels: FORUM, which needs gradients
// only, MOML and MoCo, which differentiate through the lower level's loop, BOME and
// BVFIM, first-order methods for one upper objective, and LowerOnly, the lower
// level's loop alone, to compare with. Measures tells how good their points are.
//
// A point is z = (α, ω). The lower level's loop makes T steps on f(α, ·),
//
//	ω̃^{t+1} = ω̃^t − η ∇_ω f(α, ω̃^t),
//
// from ω̃^0 = ω_k, a warm start, or from ω_0, a fixed one. Its last point ω̃^T
// stands for the unknown minimiser.
package bilevel

import (
	"paretoplay/algo"
	"paretoplay/algo/descent"
)

// Loop is the lower level's loop, the same for every method.
type Loop struct {
	Steps    int     // T ≥ 1
	StepSize float64 // η > 0
	// Fixed starts every loop at ω_0 instead of ω_k.
	Fixed bool
	// Optimizer is at rest at the start of every loop; its zero value makes
	// gradient steps, and methods that differentiate through the loop take no other.
	Optimizer descent.Optimizer
}

// Upper is the step of the upper level.
type Upper struct {
	StepSize float64 // μ > 0, of α
	// OmegaStepSize is μ_ω > 0, the step size of ω in the methods that step in z;
	// 0 takes μ.
	OmegaStepSize float64
	// Optimizer is what is made of a direction before it is subtracted; the zero
	// value follows it as it is.
	Optimizer descent.Optimizer
}

// Trace is what a step k−1 → k computed on its way. Scalars that a method does
// not have are NaN, slices nil. The slices belong to the stepper and hold until
// its next Step or Load.
type Trace struct {
	Omega          []float64      // ω̃^T, length p
	Q              float64        // q̃ = f(z) − f(α, ω̃^T) at z_{k−1}
	QGradient      []float64      // ∇q̃, length n+p
	Phi            float64        // φ, the asked decrease of q̃
	Nu             float64        // ν, the multiplier of the constraint
	Lambda         []float64      // λ, the weights before they are averaged, length m
	Pi             []float64      // π, the multipliers the constraint asks for each objective alone, length m
	Hypergradients *algo.Jacobian // m×n, of the methods that differentiate through the loop
}

// Stepper is one method on one bilevel problem. View().X is z_k, View().F the upper
// objectives there, View().Weights what the method multiplies the upper gradients, or
// the hypergradients, with.
type Stepper interface {
	algo.Stepper
	// Trace is that of the last step; its fields are absent at the start, after
	// Load and once the run diverged.
	Trace() Trace
	// Measured is the point at which the method is judged, z_k or, where ω_k
	// belongs to the α before, (α_k, ω̃^T) after T steps of the lower level's loop
	// that cost nothing. It belongs to the stepper and holds until its next method call.
	Measured() []float64
	// Loop returns the lower level's loop as it is now, and SetLoop changes T and
	// η from the next step on.
	Loop() Loop
	SetLoop(steps int, stepSize float64) error
	// SetStepSize makes μ the step size of the upper level from the next step on;
	// μ_ω follows where it was not set apart.
	SetStepSize(mu float64) error
	// PeakFloats is the largest number of floats that a step holds at once beside
	// the problem's own: iterates, gradients and whatever the method stores of the
	// lower level's loop. It is counted from the method's definition, not measured.
	PeakFloats() int
}
