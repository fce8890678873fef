// Package bilevel holds steppers on two levels: FORUM, which needs gradients only, MOML
// and MoCo, which differentiate through the lower level's loop, BOME and BVFIM,
// first-order methods for one upper objective, and two for comparison: LowerOnly, the
// lower level's loop alone, and UpperOnly, which ignores the lower level. Measures tells
// how good their points are.
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
	// Optimizer turns a direction into the update that is subtracted; the zero value leaves
	// it as it is.
	Optimizer descent.Optimizer
}

// Trace holds what a step k−1 → k computed on its way. Scalars that a method does not
// have are NaN, slices and pointers nil. They belong to the stepper and hold until its
// next Step or Load.
type Trace struct {
	From          []float64 // z_{k−1}
	Loop          Loop      // the lower level's loop in this step
	StepSize      float64   // μ in this step
	OmegaStepSize float64   // μ_ω in this step, NaN for methods that step in α alone
	// Update is the optimizer's update for View().Direction, of the same length: μ times
	// it, with μ_ω for ω, was subtracted from z_{k−1}.
	Update []float64

	Omega     []float64 // ω̃^T, length p
	Q         float64   // q̃ = f(z) − f(α, ω̃^T) at z_{k−1}
	QGradient []float64 // ∇q̃, length n+p
	Phi       float64   // φ, the asked decrease of q̃
	Nu        float64   // ν, the multiplier of the constraint
	Lambda    []float64 // λ, the weights before they are averaged, length m
	// Factors are what the step multiplies the upper gradients by where that is not View().Weights: FORUM's, as
	// released, λ̃ over their lengths; length m.
	Factors        []float64
	Pi             []float64      // π, the multipliers the constraint asks for each objective alone, length m
	Hypergradients *algo.Jacobian // m×n, for methods that differentiate through the loop
	// Weighed holds the rows that the weights multiply in those methods: the
	// hypergradients, or MoCo's Y, which tracks them.
	Weighed *algo.Jacobian
	Prior   []float64 // MoCo's weights before the step, length m
	Barrier *Barrier  // BVFIM's
}

// Barrier is BVFIM's barrier in one step.
type Barrier struct {
	Regularization, Offset, Theta, Tau float64 // μ_1, μ_2, θ and τ, shrunk

	Bound float64 // f_reg, below which f stays
	Slack float64 // f_reg − f(α_{k−1}, ω_k), above 0
}

// Stepper is one method on one bilevel problem. View().X is z_k, View().F the upper
// objectives there, and View().Weights the factors of the upper gradients, or of the
// hypergradients.
type Stepper interface {
	algo.Stepper
	// Trace describes the last step; its fields are absent at the start, after
	// Load and once the run diverged.
	Trace() Trace
	// Measured is the point at which the method is judged: z_k or, where ω_k belongs to
	// α_{k−1}, (α_k, ω̃^T) after T steps of the lower level's loop that cost nothing. It
	// belongs to the stepper and holds until its next method call.
	Measured() []float64
	// WalkLoop repeats the lower level's loop of the last step and visits ω̃^0 to ω̃^T, as
	// far as they are finite. If the step failed, the loop is the one from z_k; at the
	// start and after Load there is none. It costs nothing, changes nothing, and keeps one
	// point at a time: omega, of length p, holds until visit returns.
	WalkLoop(visit func(t int, omega []float64))
	// UpperJacobian is the m×(n+p) Jacobian of the upper objectives at the point where the
	// last step took it: at z_{k−1} in FORUM and BOME, at (α_{k−1}, ω̃^T) in MOML and MoCo,
	// at (α_{k−1}, ω_k) in BVFIM. It is nil where the step took none and where the trace is
	// absent. FORUM as released divides its rows by their lengths. It belongs to the stepper and holds
	// until its next method call.
	UpperJacobian() *algo.Jacobian
	// StepCost is the cost of a step with T steps of the lower level's loop and all else as
	// it is now; for BVFIM an upper bound.
	StepCost(steps int) algo.Cost
	// Loop returns the lower level's loop as it is now, and SetLoop changes T and
	// η from the next step on.
	Loop() Loop
	SetLoop(steps int, stepSize float64) error
	// SetStepSize makes μ the step size of the upper level from the next step on; μ_ω
	// follows unless it was set separately.
	SetStepSize(mu float64) error
	// PeakFloats is the largest number of floats that a step holds at once besides the
	// problem's own: iterates, gradients and the parts of the lower level's loop that the
	// method stores. It is counted from the method's definition, not measured, and leaves
	// out what a step keeps for observers alone.
	PeakFloats() int
}

// Differentiating is a Stepper that differentiates through the lower level's loop:
// MOML and MoCo.
type Differentiating interface {
	Stepper
	// WalkBack goes back through the loop of the last step for one upper objective,
	// from 0, and visits v_T = ∇_ωF_i at (α, ω̃^T) to v_0, or as far as they are finite:
	//
	//	v_t = v_{t+1} − η∇²_ωω f(α, ω̃^t) v_{t+1}
	//
	// even if the step went forward. If the loop is not finite it visits nothing. It costs
	// and changes nothing, and holds the loop's points while it lasts; v, of length p,
	// holds until visit returns.
	WalkBack(objective int, visit func(t int, v []float64))
}
