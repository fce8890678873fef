package bilevel

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
	"paretoplay/algo/internal/ledger"
	"paretoplay/internal/portable"
)

const (
	leastShrink    = 1e-6 // lower limit of the four parameters, relative to their initial values
	sufficient     = 1e-4 // minimum decrease in a step on the barrier, as a fraction of the predicted decrease
	barrierHalving = 50   // maximum number of halvings of η in one step on the barrier
)

// BVFIMConfig configures a BVFIM run.
type BVFIMConfig struct {
	Problem algo.Bilevel
	Start   []float64 // z_0 = (α_0, ω_0), copied; length n+p, with finite values
	Loop    Loop
	Upper   Upper // for α only; OmegaStepSize must be 0

	Regularization float64 // initial μ_1 ≥ 0, for the lower level's minimum
	Offset         float64 // initial μ_2 > 0; keeps the interior from being empty even where the minimiser is 0
	Theta          float64 // initial θ ≥ 0, the factor of ½‖ω‖²
	Tau            float64 // initial τ > 0, the factor of the barrier
	// Shrink is r in (0, 1]. Step k multiplies the four parameters by r^k or by 1e-6, whichever is larger. With smaller
	// parameters, rounding errors would close the interior.
	Shrink float64
}

// DefaultBVFIM returns c with default parameters: μ_1, μ_2, θ and τ start at 0.01, 0.1, 0.01 and 0.1, and shrink by a
// factor of 0.98 per step. With η = 0.05, T = 50 and μ = 0.1, all starts of the quadratic bilevel problem lead to the
// minimum of the mean objective.
func DefaultBVFIM(c BVFIMConfig) BVFIMConfig {
	c.Regularization, c.Offset, c.Theta, c.Tau, c.Shrink = 0.01, 0.1, 0.01, 0.1, 0.98
	return c
}

// BVFIM is the bilevel value-function-based interior-point method, for one upper objective. Here this objective is
// the mean F̄ of all upper objectives. Step k computes
//
//	y: T steps of the lower level's loop on f(α, ·) + (μ_1/2)‖·‖²
//	f_reg = f(α, y) + (μ_1/2)‖y‖² + μ_2
//	ω: T gradient steps on B(ω) = F̄(α, ω) + (θ/2)‖ω‖² − τ ln(f_reg − f(α, ω))
//	α ← α − μ(∇_αF̄(α, ω) + ν(∇_αf(α, ω) − ∇_αf(α, y))),  ν = τ/(f_reg − f(α, ω))
//
// The steps in ω begin at y, which is inside f < f_reg. A step first tries the size η. It halves this size until the
// new point is inside and lowers B by at least 1e-4 of the decrease that the slope predicts. If it finds no such size,
// ω does not move. The formula for α treats y as the minimiser. If a fixed start leaves y far from the minimiser, the
// run may go in a wrong direction.
//
// A step costs T gradients for y, at most T(m+1) for ω (fewer if ω stops moving) and m+2 for α. After a step, ω_{k+1}
// belongs to α_k. The loop's optimizer applies to y, while steps in ω are plain gradient steps. In the Trace, Omega is
// y and Q is f(z) − f(α, y).
//
// References:
//   - Liu, Liu, Yuan, Zeng & Zhang (2021), A value-function-based interior-point
//     method for non-convex bi-level optimization, ICML, Algorithm 1.
type BVFIM struct {
	base
	config BVFIMConfig

	mean     []float64 // m entries 1/m
	jacobian *algo.Jacobian
	y        []float64 // n+p, (α, y)
	point    []float64 // n+p, (α, ω)
	next     []float64 // n+p, (α, ω) after a tentative step on the barrier
	values   []float64 // m
	slope    []float64 // n+p, ∇F̄
	gradient []float64 // p, gradient of B
	atOmega  []float64 // n+p, ∇f(α, ω)
	atY      []float64 // n+p, ∇f(α, y)
	barrier  Barrier   // barrier of the current step
}

var _ Stepper = (*BVFIM)(nil)

// NewBVFIM returns a run at its start. An error names the field of the configuration, its value and the allowed
// values.
func NewBVFIM(c BVFIMConfig) (made *BVFIM, err error) {
	defer func() { err = choice.Field(err, configFields) }()
	s := &BVFIM{config: c}
	if err := s.init(c.Problem, c.Start, c.Loop, c.Upper, true); err != nil {
		return nil, err
	}
	for _, v := range []struct {
		name     string
		value    float64
		positive bool
	}{
		{"regularization mu1", c.Regularization, false},
		{"offset mu2", c.Offset, true},
		{"theta", c.Theta, false},
		{"tau", c.Tau, true},
	} {
		allowed := "it must be finite and not negative"
		if v.value == 0 {
			allowed = "it must be positive"
		}
		if err := checkFinite(v.name, v.value, v.positive, allowed); err != nil {
			return nil, err
		}
	}
	if !(c.Shrink > 0 && c.Shrink <= 1) {
		return nil, &algo.RangeError{Name: "shrink r", Value: c.Shrink, Allowed: "it must be above 0 and at most 1"}
	}
	length := s.n + s.p
	s.mean = equalWeights(s.m)
	s.jacobian = algo.NewJacobian(s.m, length)
	for _, v := range []*[]float64{&s.y, &s.point, &s.next, &s.slope, &s.atOmega, &s.atY} {
		*v = make([]float64, length)
	}
	s.values, s.gradient = make([]float64, s.m), make([]float64, s.p)
	s.shown.Jacobian, s.shown.Weights = s.jacobian, s.mean
	return s, nil
}

// Step takes one step. It returns Running, or Diverged once the run has diverged. The error is always nil.
func (s *BVFIM) Step() (algo.Status, error) { return s.step(s.try()) }

func (s *BVFIM) try() quantity {
	if s.ledger.Diverged() {
		return s.ledger.Failed
	}
	s.barrier = s.barrierOf(s.ledger.K)
	if failed := s.regularized(); failed != nothing {
		return failed
	}
	q := s.problem.Lower(s.z) - s.problem.Lower(s.y)
	if q-q != 0 { // NaN or infinite
		return lowerObjective
	}
	copy(s.point, s.y)
	if !(s.slack(s.point) > 0) {
		return barrier // the parameters are below the rounding error of f
	}
	for range s.loop.config.Steps {
		failed, moved := s.barrierStep()
		if failed != nothing {
			return failed
		}
		if !moved {
			break
		}
	}
	if failed := s.slopes(); failed != nothing {
		return failed
	}
	if !s.lowerGradientAt(s.atOmega, s.point) || !s.lowerGradientAt(s.atY, s.y) {
		return lowerGradient
	}
	s.barrier.Slack = s.slack(s.point)
	nu := s.barrier.Tau / s.barrier.Slack
	if nu-nu != 0 {
		return multiplier
	}
	for i := range s.direction {
		s.direction[i] = s.slope[i] + float64(nu*(s.atOmega[i]-s.atY[i]))
	}
	s.trace = Trace{Omega: s.y[s.n:], Q: q, Phi: math.NaN(), Nu: nu, Barrier: &s.barrier}
	if failed := s.follow(); failed != nothing {
		return failed
	}
	copy(s.candidate[s.n:], s.point[s.n:])
	return s.commit()
}

// barrierOf returns the barrier of step k → k+1, without its bound and slack.
func (s *BVFIM) barrierOf(k int) Barrier {
	factor := max(portable.Pow(s.config.Shrink, float64(k)), leastShrink)
	return Barrier{
		Regularization: factor * s.config.Regularization, Offset: factor * s.config.Offset,
		Theta: factor * s.config.Theta, Tau: factor * s.config.Tau,
	}
}

// regularized computes y and f_reg.
func (s *BVFIM) regularized() quantity {
	b := &s.barrier
	s.loop.regularization = b.Regularization
	if !s.loop.run(s.z, nil, &s.ledger) {
		return lowerLoop
	}
	copy(s.y, s.loop.point)
	b.Bound = s.problem.Lower(s.y) + float64(b.Regularization/2*square(s.y[s.n:])) + b.Offset
	if b.Bound-b.Bound != 0 {
		return lowerObjective
	}
	return nothing
}

// slopes stores the upper Jacobian at (α, ω) and ∇F̄.
func (s *BVFIM) slopes() quantity {
	if !s.jacobianAt(s.jacobian, s.point) {
		return upperGradient
	}
	s.jacobian.Combine(s.slope, s.mean)
	return nothing
}

// slack returns f_reg − f at a point (α, ω).
func (s *BVFIM) slack(point []float64) float64 { return s.barrier.Bound - s.problem.Lower(point) }

// objective returns B at a point (α, ω), or +Inf if the point is not inside f < f_reg.
func (s *BVFIM) objective(point []float64) float64 {
	slack := s.slack(point)
	if !(slack > 0) {
		return math.Inf(1)
	}
	s.problem.Values(s.values, point)
	return portable.Dot(s.mean, s.values) + float64(s.barrier.Theta/2*square(point[s.n:])) - float64(s.barrier.Tau*portable.Log(slack))
}

// barrierStep takes one gradient step on B, which moves only ω. It reports whether it found an acceptable step.
func (s *BVFIM) barrierStep() (failed quantity, moved bool) {
	if failed := s.slopes(); failed != nothing {
		return failed, false
	}
	s.problem.LowerGradientOmega(s.gradient, s.point)
	s.ledger.Gradients(1, s.p)
	floats.Scale(s.barrier.Tau/s.slack(s.point), s.gradient)
	floats.Add(s.gradient, s.slope[s.n:])
	portable.AddScaled(s.gradient, s.barrier.Theta, s.point[s.n:])
	if !algo.Finite(s.gradient) {
		return lowerGradient, false
	}
	now, squared := s.objective(s.point), square(s.gradient)
	copy(s.next, s.point)
	size := s.loop.config.StepSize
	for range barrierHalving {
		s.yielder.Yield((s.m + 1) * s.labour)
		for i, v := range s.gradient {
			s.next[s.n+i] = s.point[s.n+i] - float64(size*v)
		}
		if s.objective(s.next) <= now-float64(sufficient*size*squared) {
			copy(s.point, s.next)
			return nothing, squared > 0
		}
		size /= 2
	}
	return nothing, false
}

// Measured returns (α_k, ω̃^T) after a loop from ω_k on the lower objective itself, because ω_k belongs to α_{k−1}.
// The loop does not add to the cost.
func (s *BVFIM) Measured() []float64 { return s.afterLoop() }

// WalkLoop repeats the last step's loop for y.
func (s *BVFIM) WalkLoop(visit func(t int, omega []float64)) {
	k := s.ledger.K // iteration of the last step if it failed
	if s.ledger.Stepped {
		k--
	}
	s.walk(nil, s.barrierOf(k).Regularization, visit)
}

// StepCost counts the gradients in the loop for y, in at most T steps on the barrier (fewer if ω stops moving), and in
// the step of α.
func (s *BVFIM) StepCost(steps int) algo.Cost {
	var l ledger.Ledger[quantity]
	l.Gradients(2*steps, s.p)
	l.Gradients(steps*s.m+s.m+2, s.n+s.p)
	return l.Cost
}

// PeakFloats counts z, y, the loop, ω, a tentative ω and the barrier's gradient, two
// lower gradients, the upper Jacobian, the direction and the optimizers' moments.
// It does not depend on T.
func (s *BVFIM) PeakFloats() int {
	length := s.n + s.p
	return length + s.p + s.loop.floats() + 3*s.p + 2*length + s.m*length + s.n + optimizerFloats(s.upper.Optimizer, s.n)
}
