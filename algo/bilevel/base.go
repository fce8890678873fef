package bilevel

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/internal/ledger"
)

// quantity identifies what was not finite in a step. Snapshots store it as a number.
type quantity int

const (
	nothing quantity = iota
	upperGradient
	lowerGradient
	lowerLoop
	lowerObjective
	hypergradient
	multiplier
	weights
	program
	barrier
	direction
	update
	iterate
	objective
	distance
)

var quantityNames = [...]string{"", "upper gradient", "lower gradient", "lower loop", "lower objective",
	"hypergradient", "multiplier", "weights", "minimum of the program for the weights", "barrier",
	"direction", "update", "iterate", "objective", "distance from the start"}

// String returns the quantity's name in an algo.Divergence.
func (q quantity) String() string { return quantityNames[q] }

// base contains the parts that all methods share: the problem, the state z_k with its objectives, the lower level's
// loop, the upper level's optimizer and a record of the last step. A method embeds base, adds its own state, and
// steps as follows:
//
//	func (s *Method) Step() (algo.Status, error) { return s.step(s.try()) }
//
//	func (s *Method) try() quantity {
//		if s.ledger.Diverged() {
//			return s.ledger.Failed
//		}
//		// evaluate, adding to s.ledger; return what is not finite
//		// fill s.direction, s.shown.Weights, s.trace …
//		if failed := s.follow(); failed != nothing {
//			return failed
//		}
//		return s.commit()
//	}
//
// follow computes the candidate z − μ·update from the direction. The direction has length n+p, or n if the method
// fills the rest of s.candidate itself. commit accepts the candidate as z_{k+1} if the candidate and its objectives
// are finite. Methods with additional state save and load this state after base's.
type base struct {
	problem algo.Bilevel
	n, p, m int
	loop    loop
	upper   Upper

	yielder *algo.Yielder
	labour  int // units of work per gradient

	// These fields are the state.
	ledger ledger.Ledger[quantity]
	z, f   []float64
	motion descent.Motion
	size   float64 // largest coordinate of z_0 and of the first step

	// These fields record the last step. In shown, the methods set only Jacobian, Weights and Refreshed. View shows
	// these fields only if the ledger has a last step.
	direction []float64
	shown     algo.View
	trace     Trace
	from      []float64 // where the last step started; z_k if the step failed, nil if there was none

	candidate, candidateF []float64
	judge                 loop // for loops that observers repeat; does not add to the cost or change the trace
	measured              []float64
}

// init validates the settings that methods share, and places base at the start. Directions have length n if
// alphaOnly is true, otherwise n+p.
func (b *base) init(problem algo.Bilevel, start []float64, l Loop, u Upper, alphaOnly bool) error {
	if algo.Missing(problem) {
		return algo.ErrNoProblem
	}
	if _, bounded := problem.(algo.Bounded); bounded {
		const allowed = "methods on two levels do not support bounds; the problem must have none"
		return &algo.RangeError{Name: "problem", Value: problem, Allowed: allowed, Text: "problem: " + allowed}
	}
	n, p, m := problem.Dims()
	if len(start) != n+p {
		allowed := fmt.Sprintf("it must have the length n+p = %d+%d of the problem's variables", n, p)
		return &algo.RangeError{Name: "start", Value: start, Allowed: allowed, Text: fmt.Sprintf("start has length %d: %s", len(start), allowed)}
	}
	*b = base{
		problem: problem, n: n, p: p, m: m,
		z: append([]float64(nil), start...), f: make([]float64, m),
		candidate: append([]float64(nil), start...), candidateF: make([]float64, m),
		measured: make([]float64, n+p), trace: noTrace(), upper: u,
		labour: algo.LabourOf(problem, n+p),
	}
	if err := b.loop.init(problem, start, l); err != nil {
		return err
	}
	if err := b.judge.init(problem, start, l); err != nil {
		return err
	}
	if err := b.SetStepSize(u.StepSize); err != nil {
		return err
	}
	if err := checkFinite("step size muomega", u.OmegaStepSize, false, "it must be finite, and positive or 0 for mu's step size"); err != nil {
		return err
	}
	length := n + p
	if alphaOnly {
		if u.OmegaStepSize != 0 {
			return &algo.RangeError{
				Name: "step size muomega", Value: u.OmegaStepSize, Allowed: "the method does not step in omega; it must be left out",
			}
		}
		length = n
	}
	var err error
	if b.motion, err = descent.NewMotion(u.Optimizer, length); err != nil {
		return fmt.Errorf("upper %w", err)
	}
	b.direction = make([]float64, length)
	b.shown.Refreshed = true
	problem.Values(b.f, b.z)
	if !algo.Finite(b.z) || !algo.Finite(b.f) || !algo.Finite([]float64{problem.Lower(b.z)}) {
		allowed := fmt.Sprintf("the point, its upper objectives %v and its lower objective must be finite", b.f)
		return &algo.RangeError{Name: "start", Value: start, Allowed: allowed, Text: fmt.Sprintf("start %v: %s", start, allowed)}
	}
	return nil
}

// noTrace returns a Trace in which no scalar is computed: all are NaN.
func noTrace() Trace {
	absent := math.NaN()
	return Trace{StepSize: absent, OmegaStepSize: absent, Q: absent, Phi: absent, Nu: absent}
}

// SetYielder sets a yielder that is called before every gradient and every product with the lower Hessian, both by
// steps and by loops that observers repeat.
func (b *base) SetYielder(yielder *algo.Yielder) {
	b.yielder, b.loop.yielder, b.judge.yielder = yielder, yielder, yielder
}

// upperJacobian evaluates the Jacobian of the upper objectives at z_k. It reports whether the Jacobian is finite.
func (b *base) upperJacobian(jac *algo.Jacobian) bool { return b.jacobianAt(jac, b.z) }

// jacobianAt evaluates the Jacobian of the upper objectives at a point (α, ω), and
// reports whether it is finite.
func (b *base) jacobianAt(jac *algo.Jacobian, z []float64) bool {
	b.yielder.Yield(b.m * b.labour)
	b.problem.Jacobian(jac, z)
	b.ledger.Gradients(b.m, b.n+b.p)
	return algo.Finite(jac.Data)
}

// lowerGradientAt evaluates ∇f at a point (α, ω), and reports whether it is finite.
func (b *base) lowerGradientAt(dst, z []float64) bool {
	b.yielder.Yield(b.labour)
	b.problem.LowerGradient(dst, z)
	b.ledger.Gradients(1, b.n+b.p)
	return algo.Finite(dst)
}

// follow stores z − μ·update in the first coordinates of the candidate, up to the direction's length. For the
// coordinates of ω, μ is replaced by μ_ω.
func (b *base) follow() quantity {
	if !algo.Finite(b.direction) {
		return direction
	}
	moved := b.motion.Move(b.direction)
	if !algo.Finite(moved) {
		return update
	}
	mu := b.upper.StepSize
	for i, v := range moved {
		if i == b.n {
			mu = b.omegaStepSize()
		}
		b.candidate[i] = b.z[i] - float64(mu*v)
	}
	return nothing
}

// omegaStepSize returns μ_ω, or NaN if the method does not step in ω.
func (b *base) omegaStepSize() float64 {
	switch {
	case len(b.direction) == b.n:
		return math.NaN()
	case b.upper.OmegaStepSize == 0:
		return b.upper.StepSize
	}
	return b.upper.OmegaStepSize
}

// commit accepts the candidate as z_{k+1} if the candidate and its objectives are finite. It also completes the
// fields of the trace that all methods share.
func (b *base) commit() quantity {
	if !algo.Finite(b.candidate) {
		return iterate
	}
	if !b.within() {
		return distance
	}
	b.problem.Values(b.candidateF, b.candidate)
	if !algo.Finite(b.candidateF) {
		return objective
	}
	b.z, b.candidate = b.candidate, b.z
	b.f, b.candidateF = b.candidateF, b.f
	b.from = b.candidate // z_k, until the next step tries another candidate
	b.trace.From, b.trace.Loop, b.trace.Update = b.from, b.loop.config, b.motion.Last()
	b.trace.StepSize, b.trace.OmegaStepSize = b.upper.StepSize, b.omegaStepSize()
	b.ledger.Commit()
	return nothing
}

// step converts the result of try into the result of Step.
func (b *base) step(failed quantity) (algo.Status, error) {
	if failed != nothing {
		b.from = b.z
		return b.ledger.Fail(failed), nil
	}
	return algo.Running, nil
}

// View returns the current iterate and the last step. There is no last step after Load, or once the run has
// diverged.
func (b *base) View() algo.View {
	v := b.ledger.View()
	v.Solutions, v.X, v.F = 1, b.z, b.f
	if b.ledger.Stepped {
		v.Jacobian, v.Weights, v.Refreshed = b.shown.Jacobian, b.shown.Weights, b.shown.Refreshed
		v.Direction, v.StepSize = b.direction, b.trace.StepSize
	}
	return v
}

// runsOff is the largest allowed coordinate of a run, as a multiple of the largest coordinate of its start and first
// step. A run that exceeds this limit counts as diverged. Without this limit, its numbers would overflow only hundreds
// of steps later.
const runsOff = 1e8

// within reports whether the candidate is within the limit that runsOff sets.
func (b *base) within() bool {
	if b.ledger.K == 0 {
		b.size = max(largest(b.z), largest(b.candidate))
	}
	return largest(b.candidate) <= runsOff*b.size
}

// largest returns the largest absolute value in v.
func largest(v []float64) (most float64) {
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	return most
}

// Trace returns the intermediate results of the last step.
func (b *base) Trace() Trace {
	if !b.ledger.Stepped {
		return noTrace()
	}
	return b.trace
}

// UpperJacobian returns the view's Jacobian.
func (b *base) UpperJacobian() *algo.Jacobian { return b.View().Jacobian }

// WalkLoop repeats the loop of the last step.
func (b *base) WalkLoop(visit func(t int, omega []float64)) { b.walk(nil, 0, visit) }

// walk repeats the loop of the last step in b.judge, which then contains the last point of the loop. known and
// regularization must be the same as in that step. walk reports whether the loop reached its end.
func (b *base) walk(known []float64, regularization float64, visit func(t int, omega []float64)) bool {
	if b.from == nil {
		return false
	}
	b.judge.config, b.judge.regularization = b.loop.config, regularization
	if b.ledger.Stepped {
		b.judge.config = b.trace.Loop // the settings may have changed since the last step
	}
	var free ledger.Ledger[quantity]
	return b.judge.walk(b.from, known, &free, visit)
}

// Measured returns z_k.
func (b *base) Measured() []float64 {
	copy(b.measured, b.z)
	return b.measured
}

// afterLoop returns (α_k, ω̃^T) after a loop from z_k that does not add to the cost. If the loop is not finite, it
// returns z_k. Methods whose ω_k belongs to α_{k−1} return this point from Measured.
func (b *base) afterLoop() []float64 {
	var free ledger.Ledger[quantity]
	copy(b.measured, b.z)
	b.judge.config, b.judge.regularization = b.loop.config, 0
	if b.judge.run(b.z, nil, &free) {
		copy(b.measured, b.judge.point)
	}
	return b.measured
}

// Loop returns the current settings of the lower level's loop.
func (b *base) Loop() Loop { return b.loop.config }

// SetLoop sets T ≥ 1 and η > 0 of the lower level's loop from the next step on.
func (b *base) SetLoop(steps int, stepSize float64) error { return b.loop.set(steps, stepSize) }

// SetStepSize sets the step size μ > 0 of the upper level from the next step on.
func (b *base) SetStepSize(mu float64) error {
	if err := checkFinite("mu", mu, true, "the step size must be finite and positive"); err != nil {
		return err
	}
	b.upper.StepSize = mu
	return nil
}

// StepSize returns μ.
func (b *base) StepSize() float64 { return b.upper.StepSize }

// Save appends all state that affects future steps: the ledger, live settings, iterate and optimizer.
func (b *base) Save(to *algo.Snapshot) {
	b.ledger.Save(to)
	to.PutInt(b.loop.config.Steps)
	to.PutFloats(b.loop.config.StepSize, b.upper.StepSize, b.size)
	to.PutFloats(b.z...)
	b.motion.Save(to)
}

// Load restores what Save appended. The configuration of the stepper must be the same, except for live settings.
func (b *base) Load(from *algo.Snapshot) {
	b.ledger.Load(from)
	b.loop.config.Steps = from.GetInt()
	b.loop.config.StepSize, b.upper.StepSize, b.size = from.GetFloat(), from.GetFloat(), from.GetFloat()
	from.GetFloats(b.z)
	b.motion.Load(from)
	b.problem.Values(b.f, b.z)
	b.from = nil
}
