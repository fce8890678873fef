// Package bilevel provides steppers for problems on two levels. FORUM needs only gradients. MOML and MoCo
// differentiate through the lower level's loop. BOME and BVFIM are first-order methods for one upper objective. Two
// more steppers serve as baselines: LowerOnly runs only the lower level's loop, and UpperOnly ignores the lower
// level. Measures computes how good a point is.
//
// A point is z = (α, ω). The lower level's loop takes T steps on f(α, ·),
//
//	ω̃^{t+1} = ω̃^t − η ∇_ω f(α, ω̃^t),
//
// from ω̃^0 = ω_k (a warm start) or from ω̃^0 = ω_0 (a fixed start). Its last point ω̃^T approximates the unknown
// minimiser.
package bilevel

import (
	"paretoplay/algo"
	"paretoplay/algo/descent"
)

// Loop configures the lower level's loop. All methods use it.
type Loop struct {
	Steps    int     // T ≥ 1
	StepSize float64 // η > 0
	// Fixed starts every loop at ω_0 instead of ω_k.
	Fixed bool
	// Optimizer turns gradients into updates, and starts without momentum in every loop. The zero value takes
	// gradient steps. Methods that differentiate through the loop accept only the zero value.
	Optimizer descent.Optimizer
}

// Upper configures the steps of the upper level.
type Upper struct {
	StepSize float64 // μ > 0, for α
	// OmegaStepSize is μ_ω > 0, the step size of ω in methods that step in z. 0 means μ.
	OmegaStepSize float64
	// Optimizer turns a direction into the update that a step subtracts. With the zero value, the update is the
	// direction itself.
	Optimizer descent.Optimizer
}

// Trace contains the intermediate results of a step k−1 → k. A result that a method does not compute is NaN if it is a
// scalar, and nil if it is a slice or a pointer. The slices belong to the stepper, and are valid until its next Step or
// Load.
type Trace struct {
	From          []float64 // z_{k−1}
	Loop          Loop      // the lower level's loop in this step
	StepSize      float64   // μ in this step
	OmegaStepSize float64   // μ_ω in this step; NaN in methods that step only in α
	// Update is the optimizer's update for View().Direction, of the same length. The step subtracted μ·Update from
	// z_{k−1}, with μ_ω in place of μ for ω.
	Update []float64

	Omega     []float64 // ω̃^T, length p
	Q         float64   // q̃ = f(z) − f(α, ω̃^T) at z_{k−1}
	QGradient []float64 // ∇q̃, length n+p
	Phi       float64   // φ, the requested decrease of q̃
	Nu        float64   // ν, the multiplier of the constraint
	Lambda    []float64 // λ, the weights before averaging, length m
	// Factors are the m numbers by which the step multiplies the upper gradients, if they differ from
	// View().Weights. Only the released variant of FORUM sets them: λ̃ divided by the gradients' lengths.
	Factors        []float64
	Pi             []float64      // π, the multipliers that the constraint requires for each single objective, length m
	Hypergradients *algo.Jacobian // m×n, in methods that differentiate through the loop
	// Weighed contains the rows that the weights multiply in methods that differentiate through the loop: the
	// hypergradients, or MoCo's Y, which tracks the hypergradients.
	Weighed *algo.Jacobian
	Prior   []float64 // MoCo's weights before the step, length m
	Barrier *Barrier  // only for BVFIM
}

// Barrier describes BVFIM's barrier in one step.
type Barrier struct {
	Regularization, Offset, Theta, Tau float64 // μ_1, μ_2, θ and τ in this step

	Bound float64 // f_reg, the upper bound of f
	Slack float64 // f_reg − f(α_{k−1}, ω_k) > 0
}

// Stepper is one method on one bilevel problem. View().X is z_k, and View().F contains the upper objectives at z_k.
// View().Weights contains the factors of the upper gradients, or of the hypergradients.
type Stepper interface {
	algo.Stepper
	// Trace returns the intermediate results of the last step. Its fields are missing at the start, after Load, and
	// once the run has diverged.
	Trace() Trace
	// Measured returns the point at which the method is evaluated. Usually this is z_k. If ω_k belongs to α_{k−1}, it
	// is (α_k, ω̃^T) after T further steps of the lower level's loop. These steps do not add to the cost. The point
	// belongs to the stepper, and is valid until the next method call.
	Measured() []float64
	// WalkLoop repeats the lower level's loop of the last step and visits ω̃^0 to ω̃^T, until a point is not
	// finite. If the step failed, the loop starts from z_k. At the start and after Load there is no loop to visit.
	// WalkLoop does not add to the cost or change the stepper. It stores one point at a time: omega, of length p,
	// is valid until visit returns.
	WalkLoop(visit func(t int, omega []float64))
	// UpperJacobian returns the m×(n+p) Jacobian of the upper objectives at the point where the last step computed
	// it: z_{k−1} in FORUM and BOME, (α_{k−1}, ω̃^T) in MOML and MoCo, (α_{k−1}, ω_k) in BVFIM. It returns nil if
	// the step computed no Jacobian or the trace is missing. The released variant of FORUM divides the rows by
	// their lengths. The Jacobian belongs to the stepper, and is valid until the next method call.
	UpperJacobian() *algo.Jacobian
	// StepCost returns the cost of one step if the lower level's loop takes the given number T of steps. All other
	// settings are the current ones. For BVFIM it is an upper bound.
	StepCost(steps int) algo.Cost
	// Loop returns the current settings of the lower level's loop. SetLoop changes T and η from the next step on.
	Loop() Loop
	SetLoop(steps int, stepSize float64) error
	// SetStepSize sets the step size μ of the upper level from the next step on. μ_ω changes with it, unless it was
	// set separately.
	SetStepSize(mu float64) error
	// PeakFloats returns the largest number of floats that a step needs at once: iterates, gradients, and what the
	// method stores of the lower level's loop. It is counted from the method's definition, not measured. It
	// excludes the problem's storage, and data that a step keeps only for observers.
	PeakFloats() int
}

// Differentiating is a Stepper that differentiates through the lower level's loop: MOML or MoCo.
type Differentiating interface {
	Stepper
	// WalkBack goes backward through the loop of the last step for one upper objective, counted from 0. It visits
	// the vectors from v_T = ∇_ωF_i at (α, ω̃^T) to v_0, until one is not finite:
	//
	// 	v_t = v_{t+1} − η∇²_ωω f(α, ω̃^t) v_{t+1}
	//
	// WalkBack works in forward mode too. If the loop is not finite, it visits nothing. WalkBack does not add to the
	// cost or change the stepper. It stores the loop's points while it runs. v, of length p, is valid until visit
	// returns.
	WalkBack(objective int, visit func(t int, v []float64))
}
