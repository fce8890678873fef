package bilevel

import (
	"paretoplay/algo"
	"paretoplay/algo/internal/ledger"
	"paretoplay/internal/portable"
)

// valueFunction is the common part of FORUM and BOME. The lower level becomes the constraint q(z) = f(z) − min_ω
// f(α, ω) ≤ 0. ρ determines how fast q̃ should fall.
type valueFunction struct {
	base
	rho float64
	// unit selects FORUM's released variant, which divides each upper gradient by its length plus releasedFloor.
	unit    bool
	lengths []float64 // m; divisors of the upper gradients

	qGradient   []float64 // n+p, ∇q̃
	solved      []float64 // n+p, ∇f(α, ω̃^T); only its α part is used
	jacobian    *algo.Jacobian
	constrained *constrained
}

// init checks the configuration and places the method at the start.
func (s *valueFunction) init(problem algo.Bilevel, start []float64, l Loop, u Upper, rho float64) error {
	if err := s.base.init(problem, start, l, u, false); err != nil {
		return err
	}
	if err := s.SetRho(rho); err != nil {
		return err
	}
	length := s.n + s.p
	s.qGradient, s.solved = make([]float64, length), make([]float64, length)
	s.jacobian, s.constrained = algo.NewJacobian(s.m, length), newConstrained(s.m, length)
	s.shown.Jacobian = s.jacobian
	return nil
}

// SetRho sets ρ ≥ 0, the factor in φ, from the next step on.
func (s *valueFunction) SetRho(rho float64) error {
	if err := checkFinite("rho", rho, false, "it must be finite and not negative"); err != nil {
		return err
	}
	s.rho = rho
	return nil
}

// Rho returns ρ.
func (s *valueFunction) Rho() float64 { return s.rho }

// evaluate computes q̃, ∇q̃ and the upper gradients at z_k. It reports whether ∇q̃ is long enough
// for a constraint.
func (s *valueFunction) evaluate() (q float64, hasConstraint bool, failed quantity) {
	if q, failed = s.surplus(); failed != nothing {
		return q, false, failed
	}
	if !s.upperJacobian(s.jacobian) {
		return q, false, upperGradient
	}
	if s.unit {
		for i := range s.m {
			row := s.jacobian.Row(i)
			s.lengths[i] = portable.Norm(row) + releasedFloor
			for j, v := range row {
				row[j] = v / s.lengths[i]
			}
		}
	}
	return q, s.constrained.take(s.jacobian, s.qGradient), nothing
}

// surplus runs the lower level's loop from z_k, stores ∇q̃, and returns q̃.
func (s *valueFunction) surplus() (q float64, failed quantity) {
	gradient := s.qGradient
	if !s.lowerGradientAt(gradient, s.z) {
		return 0, lowerGradient
	}
	if !s.loop.run(s.z, gradient[s.n:], &s.ledger) {
		return 0, lowerLoop
	}
	q = s.problem.Lower(s.z) - s.problem.Lower(s.loop.point)
	if q-q != 0 { // NaN or infinite
		return 0, lowerObjective
	}
	if !s.lowerGradientAt(s.solved, s.loop.point) {
		return 0, lowerGradient
	}
	for i, v := range s.solved[:s.n] {
		gradient[i] -= v
	}
	if !algo.Finite(gradient) {
		return 0, lowerGradient
	}
	return q, nothing
}

// WalkLoop repeats the loop of the last step, from the same first gradient.
func (s *valueFunction) WalkLoop(visit func(t int, omega []float64)) {
	if s.from == nil {
		return
	}
	s.problem.LowerGradient(s.solved, s.from)
	s.walk(s.solved[s.n:], 0, visit)
}

// StepCost counts the upper gradients, ∇f at both ends of the loop, and the T gradients of the loop. A warm loop's
// first gradient is part of ∇f at its start, so it is not counted again.
func (s *valueFunction) StepCost(steps int) algo.Cost {
	var l ledger.Ledger[quantity]
	l.Gradients(s.m+2, s.n+s.p)
	if !s.loop.config.Fixed {
		steps--
	}
	l.Gradients(steps, s.p)
	return l.Cost
}

// floats counts z, ω̃, the loop, ∇q̃ and ∇f(α, ω̃^T), the upper Jacobian, the direction
// and the optimizers' moments.
func (s *valueFunction) floats() int {
	length := s.n + s.p
	return length + s.p + s.loop.floats() + 2*length + s.m*length + length + optimizerFloats(s.upper.Optimizer, length)
}

func (s *valueFunction) Save(to *algo.Snapshot) {
	s.base.Save(to)
	to.PutFloats(s.rho)
}

func (s *valueFunction) Load(from *algo.Snapshot) {
	s.base.Load(from)
	s.rho = from.GetFloat()
}
