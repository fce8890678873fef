package bilevel

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/internal/ledger"
	"paretoplay/internal/portable"
)

// loop runs the lower level's loop. begin places it at ω̃^0, and each call of advance takes one step. After t
// steps, omega is ω̃^t.
type loop struct {
	problem algo.Bilevel
	config  Loop
	yielder *algo.Yielder
	labour  int       // units of work per gradient
	first   []float64 // ω_0, for a fixed start

	regularization float64 // μ_1 in the term (μ_1/2)‖ω‖² that is added to f; 0 if there is none

	point    []float64 // (α, ω̃^t)
	alpha    []float64 // the parts of point
	omega    []float64
	gradient []float64 // ∇_ω f at the point before the last advance
	motion   descent.Motion
}

// init prepares the loop for a run from (α_0, ω_0) = start.
func (l *loop) init(problem algo.Bilevel, start []float64, c Loop) error {
	n, p, _ := problem.Dims()
	motion, err := descent.NewMotion(c.Optimizer, p)
	if err != nil {
		return fmt.Errorf("lower %w", err)
	}
	*l = loop{problem: problem, motion: motion, point: append([]float64(nil), start...), gradient: make([]float64, p),
		labour: algo.LabourOf(problem, n+p)}
	l.alpha, l.omega = l.point[:n:n], l.point[n:]
	l.first = append([]float64(nil), l.omega...)
	l.config = c
	return l.set(c.Steps, c.StepSize)
}

// set changes T and η from the next loop on.
func (l *loop) set(steps int, stepSize float64) error {
	if steps < 1 {
		return &algo.RangeError{Name: "lower steps T", Value: steps, Allowed: "there must be at least 1"}
	}
	if err := checkFinite("lower step size eta", stepSize, true, "it must be finite and positive"); err != nil {
		return err
	}
	l.config.Steps, l.config.StepSize = steps, stepSize
	return nil
}

// begin places the loop at (α_k, ω̃^0), and resets its optimizer.
func (l *loop) begin(z []float64) {
	copy(l.point, z)
	if l.config.Fixed {
		copy(l.omega, l.first)
	}
	l.motion.Rest()
}

// advance takes a step with ∇_ω f at the current point. known is this gradient, of length p, or nil. If known is nil,
// advance evaluates the gradient and counts it. advance reports whether the gradient and the next point are finite.
func (l *loop) advance(known []float64, count *ledger.Ledger[quantity]) bool {
	if known == nil {
		known = l.gradient
		l.yielder.Yield(l.labour)
		l.problem.LowerGradientOmega(l.gradient, l.point)
		if l.regularization != 0 {
			portable.AddScaled(l.gradient, l.regularization, l.omega)
		}
		count.Gradients(1, len(l.gradient))
	}
	for i, v := range l.motion.Move(known) {
		l.omega[i] -= float64(l.config.StepSize * v)
	}
	return algo.Finite(known) && algo.Finite(l.omega)
}

// run takes all T steps from z. known is ∇_ω f(z), which a warm loop uses as its first gradient, or nil if the
// caller has not computed it. run reports whether all gradients and points are finite.
func (l *loop) run(z, known []float64, count *ledger.Ledger[quantity]) bool {
	return l.walk(z, known, count, func(int, []float64) {})
}

// walk does the same as run, and visits ω̃^0 to ω̃^T until a point is not finite.
func (l *loop) walk(z, known []float64, count *ledger.Ledger[quantity], visit func(t int, omega []float64)) bool {
	l.begin(z)
	if l.config.Fixed {
		known = nil // known belongs to z, where a fixed loop does not start
	}
	visit(0, l.omega)
	for t := range l.config.Steps {
		if !l.advance(known, count) {
			return false
		}
		visit(t+1, l.omega)
		known = nil
	}
	return true
}

// floats returns the number of floats that a loop needs in addition to ω̃: a gradient, the optimizer's moments and
// the start of a fixed loop.
func (l *loop) floats() int {
	p := len(l.omega)
	count := p + optimizerFloats(l.config.Optimizer, p)
	if l.config.Fixed {
		count += p
	}
	return count
}

// optimizerFloats returns the number of floats that an optimizer needs for directions of the given length.
func optimizerFloats(o descent.Optimizer, length int) int {
	switch o.Kind {
	case descent.HeavyBall:
		return length
	case descent.Adam:
		return 2 * length
	}
	return 0
}

// gradientStepsOnly returns an error if the loop has an optimizer. Methods that differentiate through the loop call
// it.
func (c *Loop) gradientStepsOnly() error {
	if c.Optimizer != (descent.Optimizer{}) {
		const allowed = "the method differentiates through gradient steps; it must be left out"
		return &algo.RangeError{Name: "lower optimizer", Value: c.Optimizer, Allowed: allowed, Text: "lower optimizer: " + allowed}
	}
	return nil
}
