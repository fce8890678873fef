package bilevel

import (
	"math"

	"cmp"
	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
	"paretoplay/internal/portable"
)

// Multiplier selects how FORUM computes ν.
type Multiplier string

const (
	// AsPublished follows the paper's equations (9) and (17), with 2φ in π. However, the function that λ minimises,
	// ½‖Σλ_i∇F_i + γ∇q̃‖² − γφ, contains φ, not 2φ. The constraint γ ≥ max(Σλ_iπ_i, 0) always binds.
	AsPublished Multiplier = "published"
	// ExactDual uses φ instead of 2φ in π. Then λ and ν solve the dual of problem (7). Without averaging, a step
	// therefore decreases q̃ by φ to first order.
	ExactDual Multiplier = "exact"
)

// Variant selects FORUM as in the paper or as in its released code.
type Variant string

const (
	// Paper is the paper's Algorithm 1.
	Paper Variant = "paper"
	// Released follows the authors' code, github.com/Baijiong-Lin/FORUM at commit 318607c, train_FORUM in
	// LibMTL/trainer.py. It differs from the paper in three ways:
	//
	//   - Upper gradients have length 1: ∇F_i is divided by ‖∇F_i‖ + 1e-8.
	// - The code adds 1e-8 to ‖∇q̃‖² in φ and in π, but not to the norm in the program for λ. Near the lower
	//   level's minimiser, where ‖∇q̃‖² is not far above 1e-8, the pull towards the minimiser is too weak. If ∇q̃
	//   is 0, the program is unbounded.
	// - λ̃ is averaged with the β of the epoch, not of the step. See FORUMConfig.Epoch.
	//
	// To use Adam for α, as the code does, set Upper.Optimizer. The code ends its lower loop if the loss exceeds
	// 1e5. Released does not.
	Released Variant = "released"
)

// releasedFloor is added to ‖∇q̃‖² and to ‖∇F_i‖, as in the released code.
const releasedFloor = 1e-8

// Averaging selects the schedule of β_k, the fraction of λ^k in λ̃^k. All schedules begin with β_0 = 1.
type Averaging string

const (
	PublishedAveraging  Averaging = "published" // β_k = (k+1)^(−3/4)
	SquareRootAveraging Averaging = "sqrt"      // β_k = (k+1)^(−1/2)
	MeanAveraging       Averaging = "mean"      // β_k = 1/(k+1), so that λ̃ is the mean of all λ
	NoAveraging         Averaging = "none"      // β_k = 1, so that λ̃ is λ
)

// share returns β_k.
func (a Averaging) share(k int) float64 {
	switch a {
	case PublishedAveraging:
		return portable.Pow(float64(k+1), -0.75)
	case SquareRootAveraging:
		return 1 / math.Sqrt(float64(k+1))
	case MeanAveraging:
		return 1 / float64(k+1)
	}
	return 1
}

// FORUMConfig configures a FORUM run.
type FORUMConfig struct {
	Problem algo.Bilevel
	Start   []float64 // z_0 = (α_0, ω_0), copied; length n+p, with finite values
	Loop    Loop
	Upper   Upper

	Rho        float64 // ρ ≥ 0, in φ = (ρ/2)‖∇q̃‖²
	Averaging  Averaging
	Multiplier Multiplier

	Variant Variant // Released supports only AsPublished
	// Epoch is the number of steps in an epoch. β does not change during an epoch. 0 means 1, which suits steps that
	// use all samples.
	Epoch int
}

// FORUM is the first-order multi-gradient algorithm for multi-objective bilevel problems. It minimises the upper
// objectives in z = (α, ω) under the constraint q(z) = f(z) − min_ω f(α, ω) ≤ 0. Step k computes
//
//	ω̃^T from the lower level's loop, held constant from here on
//	q̃ = f(z) − f(α, ω̃^T),  ∇q̃ = ∇f(z) − (∇_α f(α, ω̃^T), 0),  φ = (ρ/2)‖∇q̃‖²
//	π_i = (2φ − ⟨∇q̃, ∇F_i⟩)/‖∇q̃‖²  (φ instead of 2φ with the exact dual)
//	λ = argmin_{λ∈Δ} ½‖Σλ_i∇F_i + ν(λ)∇q̃‖² − ν(λ)φ,  ν(λ) = max(Σλ_iπ_i, 0)
//	λ̃ ← (1−β_k)λ̃ + β_k λ
//	z ← z − μ(Σλ̃_i∇F_i + ν(λ̃)∇q̃)
//
// If ‖∇q̃‖ ≤ 1e-14·max‖∇F_i‖, there is no constraint. Then ν is 0, π is missing, and λ gives the point of least
// norm. In the released variant with ρ > 0, the program is then unbounded, and the run ends as Diverged.
//
// In the released variant, View().Jacobian and UpperJacobian contain the gradients of length 1 that the weights
// multiply. The formulas above use these gradients too.
//
// A step costs m upper gradients. It also costs T+1 lower gradients from a warm start, or T+2 from a fixed start.
// It does not store the loop's trajectory.
//
// References:
//   - Ye, Lin, Cao, Zhang & Tsang (2024), A first-order multi-gradient algorithm for
//     multi-objective bi-level optimization, arXiv:2401.09257, Algorithm 1. The dual
//     of its problem (7) has φ where its equations (9) and (17) print 2φ.
type FORUM struct {
	valueFunction
	averaging  Averaging
	multiplier Multiplier
	epoch      int     // number of steps in an epoch, at least 1
	floor      float64 // number added to ‖∇q̃‖² in φ and π

	average    []float64 // λ̃, in the simplex for k > 0
	lambda, pi []float64
	factors    []float64 // in the released variant: λ̃ divided by the lengths of the upper gradients
}

var _ Stepper = (*FORUM)(nil)

// NewFORUM returns a run at its start. An error names the field of the configuration, its value and the allowed
// values.
func NewFORUM(c FORUMConfig) (made *FORUM, err error) {
	defer func() { err = choice.Field(err, configFields) }()
	s := &FORUM{averaging: c.Averaging, multiplier: c.Multiplier, epoch: max(c.Epoch, 1)}
	if err := s.init(c.Problem, c.Start, c.Loop, c.Upper, c.Rho); err != nil {
		return nil, err
	}
	if err := cmp.Or(
		choice.Settle(&s.averaging, "averaging", PublishedAveraging, SquareRootAveraging, MeanAveraging, NoAveraging),
		choice.Settle(&s.multiplier, "multiplier", AsPublished, ExactDual),
		choice.Settle(&c.Variant, "variant", Paper, Released),
	); err != nil {
		return nil, err
	}
	if c.Epoch < 0 {
		return nil, &algo.RangeError{Name: "epoch", Value: c.Epoch, Allowed: "its number of steps must not be negative"}
	}
	if c.Variant == Released {
		if s.multiplier == ExactDual {
			return nil, &algo.RangeError{Name: "multiplier", Value: s.multiplier, Allowed: "the released variant supports only the published one"}
		}
		s.unit, s.floor, s.lengths, s.factors = true, releasedFloor, make([]float64, s.m), make([]float64, s.m)
	}
	s.average, s.lambda, s.pi = make([]float64, s.m), make([]float64, s.m), make([]float64, s.m)
	s.shown.Weights = s.average
	return s, nil
}

// Step takes one step. It returns Running, or Diverged once the run has diverged. The error is always nil.
func (s *FORUM) Step() (algo.Status, error) { return s.step(s.try()) }

func (s *FORUM) try() quantity {
	if s.ledger.Diverged() {
		return s.ledger.Failed
	}
	q, hasConstraint, failed := s.evaluate()
	if failed != nothing {
		return failed
	}
	asked := s.rho // threshold of the constraint, relative to ‖∇q̃‖²
	if s.multiplier == ExactDual {
		asked = s.rho / 2
	}
	pulled := s.constrained.exactly(s.rho/2, asked)
	if s.floor > 0 {
		if !hasConstraint && s.rho > 0 {
			return program
		}
		pulled = s.constrained.above(s.rho, s.floor)
	}
	if !s.constrained.solve(s.lambda, pulled) {
		return weights
	}
	share := s.averaging.share(s.ledger.K / s.epoch)
	for i, v := range s.lambda {
		if share == 1 {
			s.average[i] = v
		} else {
			s.average[i] += float64(share * (v - s.average[i]))
		}
	}
	phi := s.rho / 2 * (float64(square(s.qGradient)) + s.floor)
	s.trace = Trace{Omega: s.loop.omega, Q: q, QGradient: s.qGradient, Phi: phi, Lambda: s.lambda}
	if s.unit {
		for i, v := range s.average {
			s.factors[i] = v / s.lengths[i]
		}
		s.trace.Factors = s.factors
	}
	s.jacobian.Combine(s.direction, s.average)
	if hasConstraint {
		c := s.constrained
		for i, inner := range c.inner {
			s.pi[i] = asked - float64(inner*(c.unit/(c.length+s.floor/c.length)))
		}
		nu := max(portable.Dot(s.average, s.pi), 0)
		if !algo.Finite(s.pi) || math.IsInf(nu, 1) {
			return multiplier
		}
		s.trace.Pi, s.trace.Nu = s.pi, nu
		portable.AddScaled(s.direction, nu, s.qGradient)
	}
	if failed := s.follow(); failed != nothing {
		return failed
	}
	return s.commit()
}

// PeakFloats counts z, the loop, two lower gradients, the upper Jacobian, the
// direction, λ, λ̃, π and the optimizers' moments. It does not depend on T.
func (s *FORUM) PeakFloats() int { return s.floats() + 3*s.m }

// Save appends all state that affects future steps.
func (s *FORUM) Save(to *algo.Snapshot) {
	s.valueFunction.Save(to)
	to.PutFloats(s.average...)
}

// Load restores what Save appended. The configuration of the stepper must be the same, except for live settings.
func (s *FORUM) Load(from *algo.Snapshot) {
	s.valueFunction.Load(from)
	from.GetFloats(s.average)
}
