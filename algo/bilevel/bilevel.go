// Package bilevel holds steppers on two levels: FORUM, which needs gradients only; MOML and MoCo,
// which differentiate through the lower level's loop; and BOME and BVFIM, first-order methods for
// one upper objective. Two more serve as comparisons: LowerOnly runs the lower level's loop
// alone, and UpperOnly ignores the lower level. Measures tells how good their points are.
//
// A point is z = (α, ω). The lower level's loop makes T steps on f(α, ·),
//
//	ω̃^{t+1} = ω̃^t − η ∇_ω f(α, ω̃^t),
//
// from ω̃^0 = ω_k (a warm start) or from ω_0 (a fixed one). Its last point ω̃^T approximates the
// unknown minimiser.
package bilevel

import (
	"paretoplay/algo"
	"paretoplay/algo/descent"
)

// Loop configures the lower level's loop. It is the same for every method.
type Loop struct {
	Steps    int     // T ≥ 1
	StepSize float64 // η > 0
	// Fixed starts every loop at ω_0 instead of ω_k.
	Fixed bool
	// Optimizer starts without momentum in every loop. Its zero value makes gradient steps;
	// methods that differentiate through the loop accept no other.
	Optimizer descent.Optimizer
}

// Upper configures the step of the upper level.
type Upper struct {
	StepSize float64 // μ > 0, for α
	// OmegaStepSize is μ_ω > 0, the step size of ω in the methods that step in z. 0 means μ.
	OmegaStepSize float64
	// Optimizer turns a direction into the update that is subtracted. The zero value subtracts
	// the direction itself.
	Optimizer descent.Optimizer
}

// Trace holds the intermediate results of a step k−1 → k. Scalars that a method does not have are
// NaN, slices and pointers nil. They belong to the stepper and are valid until its next Step or
// Load.
type Trace struct {
	From          []float64 // z_{k−1}
	Loop          Loop      // the lower level's loop in this step
	StepSize      float64   // μ in this step
	OmegaStepSize float64   // μ_ω in this step, NaN in methods that step in α alone
	// Update is the optimizer's update for View().Direction, of the same length. The step
	// subtracted μ times it (μ_ω for ω) from z_{k−1}.
	Update []float64

	Omega     []float64 // ω̃^T, length p
	Q         float64   // q̃ = f(z) − f(α, ω̃^T) at z_{k−1}
	QGradient []float64 // ∇q̃, length n+p
	Phi       float64   // φ, the requested decrease of q̃
	Nu        float64   // ν, the multiplier of the constraint
	Lambda    []float64 // λ, the weights before averaging, length m
	// Factors are the numbers by which the step multiplies the upper gradients, if they differ from
	// View().Weights. Only FORUM as released has them: λ̃ divided by the gradients' lengths. Length m.
	Factors        []float64
	Pi             []float64      // π, the multipliers that the constraint requires for each objective alone, length m
	Hypergradients *algo.Jacobian // m×n, in methods that differentiate through the loop
	// Weighed holds the rows that the weights multiply in those methods: the hypergradients, or
	// MoCo's Y, which tracks them.
	Weighed *algo.Jacobian
	Prior   []float64 // MoCo's weights before the step, length m
	Barrier *Barrier  // BVFIM only
}

// Barrier describes BVFIM's barrier in one step.
type Barrier struct {
	Regularization, Offset, Theta, Tau float64 // μ_1, μ_2, θ and τ in this step

	Bound float64 // f_reg, the upper bound of f
	Slack float64 // f_reg − f(α_{k−1}, ω_k), above 0
}

// Stepper is one method on one bilevel problem. View().X is z_k, and View().F holds the upper
// objectives there. View().Weights holds the factors of the upper gradients, or of the
// hypergradients.
type Stepper interface {
	algo.Stepper
	// Trace describes the last step. Its fields are absent at the start, after Load and once the run diverged.
	Trace() Trace
	// Measured returns the point at which the method is judged. It is z_k, or, if ω_k belongs to
	// α_{k−1}, (α_k, ω̃^T) after T steps of the lower level's loop that cost nothing. The point
	// belongs to the stepper and is valid until the next method call.
	Measured() []float64
	// WalkLoop repeats the lower level's loop of the last step and visits ω̃^0 to ω̃^T, as long
	// as they are finite. If the step failed, the loop starts from z_k; at the start and after
	// Load there is none. It costs nothing, changes nothing, and keeps one point at a time:
	// omega, of length p, is valid until visit returns.
	WalkLoop(visit func(t int, omega []float64))
	// UpperJacobian returns the m×(n+p) Jacobian of the upper objectives at the point where the last
	// step computed it: z_{k−1} in FORUM and BOME, (α_{k−1}, ω̃^T) in MOML and MoCo, (α_{k−1}, ω_k) in
	// BVFIM. It returns nil if the step computed none or the trace is absent. FORUM as released
	// divides its rows by their lengths. The Jacobian belongs to the stepper and is valid until the
	// next method call.
	UpperJacobian() *algo.Jacobian
	// StepCost returns the cost of a step with T steps of the lower level's loop and all other
	// settings as they are now. For BVFIM it is an upper bound.
	StepCost(steps int) algo.Cost
	// Loop returns the current settings of the lower level's loop. SetLoop changes T and η from
	// the next step on.
	Loop() Loop
	SetLoop(steps int, stepSize float64) error
	// SetStepSize sets the step size μ of the upper level from the next step on. μ_ω follows
	// unless it was set separately.
	SetStepSize(mu float64) error
	// PeakFloats returns the largest number of floats that a step holds at once: iterates,
	// gradients and what the method stores of the lower level's loop. It is counted from the
	// method's definition, not measured. It excludes the problem's storage and what a step keeps
	// only for observers.
	PeakFloats() int
}

// Differentiating is a Stepper that differentiates through the lower level's loop:
// MOML and MoCo.
type Differentiating interface {
	Stepper
	// WalkBack goes backward through the loop of the last step for one upper objective, counted
	// from 0. It visits v_T = ∇_ωF_i at (α, ω̃^T) to v_0, as long as they are finite:
	//
	//	v_t = v_{t+1} − η∇²_ωω f(α, ω̃^t) v_{t+1}
	//
	// It does so in forward mode too. If the loop is not finite it visits nothing. It costs
	// nothing and changes nothing. It stores the loop's points while it runs; v, of length p, is
	// valid until visit returns.
	WalkBack(objective int, visit func(t int, v []float64))
}
