package orderinggrid

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/ordering"
	"paretoplay/algo/param"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/algo/weighting"
	"paretoplay/internal/portable"
)

// Names of the problems, as in the scene.
const (
	leastSquares = "leastsquares"
	diagonal     = "diagonal"
	logistic     = "logistic"
	regression   = "regression"
)

// Settings that are the same in all problems that use them.
const (
	condition     = 11
	heterogeneity = 1
	noise         = 0.5
)

// Names of the optimizers.
const (
	plain = "plain"
	adam  = "adam"
)

// problem draws the samples for a run.
func (t *Task) problem(seed uint64) (ordering.Problem, error) {
	switch t.Problem {
	case leastSquares, regression:
		return problem.RandomLeastSquares(problem.LeastSquaresConfig{Objectives: t.M, Examples: t.K, Variables: t.D, Condition: condition,
			Heterogeneity: heterogeneity, Noise: noise, SharedInputs: t.Problem == regression, Seed: seed})
	case diagonal:
		return problem.RandomDiagonalSum(problem.DiagonalSumConfig{Objectives: t.M, Examples: t.K, Variables: t.D, Condition: condition,
			Heterogeneity: heterogeneity, Noise: noise, Seed: seed})
	case logistic:
		return problem.RandomLogistic(problem.LogisticConfig{Examples: t.K, Heterogeneity: heterogeneity, Seed: seed})
	}
	return nil, &algo.RangeError{Name: "problem", Value: t.Problem,
		Allowed: fmt.Sprintf("must be one of %s %s %s %s", leastSquares, diagonal, logistic, regression)}
}

// start returns the start point of runs on p.
func (t *Task) start(p ordering.Problem) ([]float64, error) {
	d, m := p.Dims()
	if t.Near == 0 {
		return make([]float64, d), nil
	}
	solvable, ok := p.(interface {
		Minimum(lambda []float64) ([]float64, error)
	})
	if !ok {
		return nil, &algo.RangeError{Name: "near", Value: t.Near, Allowed: "must be 0 on problems with unknown minima"}
	}
	w, err := solvable.Minimum(param.Shares(nil, m))
	for j := range w {
		w[j] *= t.Near
	}
	return w, err
}

// run is a run in progress, with its problem.
type run struct {
	problem ordering.Problem
	stepper *ordering.Descent
}

// begin starts a run of the cell with the given seed and step size.
func (c *Cell) begin(seed uint64, alpha float64) (*run, error) {
	p, err := c.problem(seed)
	if err != nil {
		return nil, err
	}
	start, err := c.start(p)
	if err != nil {
		return nil, err
	}
	_, m := p.Dims()
	config := ordering.Config{Problem: p, Start: start, StepSize: alpha, Seed: seed}
	config.Kind, config.Own = c.Order.kind()
	config.Own = config.Own && !config.Kind.Balances()
	switch c.Variant {
	case perObjective:
		config.Centring = ordering.PerObjective
	case selfBalancing:
		config.Signs = ordering.SelfBalancing
	}
	if c.Optimizer == adam {
		config.Optimizer = descent.DefaultAdam()
	}
	if c.Weighting == "ls" {
		config.FixedWeights = param.Shares(nil, m)
	} else {
		rule, ok := weighting.Lookup(c.Weighting)
		if !ok {
			return nil, &algo.RangeError{Name: "weighting", Value: c.Weighting, Allowed: "must be a weighting of algo/weighting"}
		}
		if config.Weighting, err = rule.Bind(new(param.List), "")(weighting.Context{Objectives: m, Seed: seed}); err != nil {
			return nil, err
		}
	}
	stepper, err := ordering.New(config)
	return &run{p, stepper}, err
}

// outcome contains what a run contributes to its cell.
type outcome struct {
	criteria []float64 // see Cell.Tried; 0 for horizons that the run did not reach
	first    float64   // log10 of ω² at the start
	measured [measures]float64
}

// leastOmega is the smallest ω, as a share of its start value, that counts as different from 0.
const leastOmega = 1e-12

// simulate runs the given number of epochs. If measured is true, it also computes the measures, which takes as long as
// the run itself.
func (c *Cell) simulate(seed uint64, alpha float64, epochs int, measured bool) (*outcome, error) {
	r, err := c.begin(seed, alpha)
	if err != nil {
		return nil, err
	}
	omega := pareto.StationarityOf(r.problem)
	begun := omega(r.stepper.View().X)
	out := &outcome{criteria: make([]float64, c.criteria()), first: 2 * portable.Log10(begun)}
	late := epochs - max(1, epochs/3)
	look := newLook(r, late)
	look.measured[arrival] = float64(epochs)
	var logs, squares float64
	for t := range epochs {
		now := max(omega(r.stepper.View().X), leastOmega*begun)
		if now <= arrived*begun {
			look.measured[arrival] = min(look.measured[arrival], float64(t))
		}
		if t >= late {
			logs += portable.Log10(now)
		}
		squares += float64(now * now)
		for i, horizon := range c.Horizons {
			if t+1 == horizon {
				out.criteria[i] = portable.Log10(squares / float64(horizon))
			}
		}
		for range r.stepper.Examples() {
			status, err := r.stepper.Step()
			if err != nil {
				return nil, fmt.Errorf("%s, α = %g, seed %d: %w", c.title(), alpha, seed, err)
			}
			if status == algo.Diverged {
				for i := range out.criteria {
					out.criteria[i] = math.Inf(1)
				}
				return out, nil
			}
			if measured {
				look.hear()
			}
		}
	}
	if c.Part == contests {
		out.criteria[0] = logs / float64(epochs-late)
	}
	if measured {
		out.measured = look.finish()
	}
	return out, nil
}

// look measures a run during its late epochs.
type look struct {
	stepper  *ordering.Descent
	meter    *ordering.Meter
	late     int // first late epoch
	measured [measures]float64
	epochs   float64 // late epochs so far
}

func newLook(r *run, late int) *look {
	l := &look{stepper: r.stepper, meter: ordering.NewMeter(r.problem, 1), late: late}
	l.meter.Hear(r.stepper)
	return l
}

// hear measures the current point. It must be called after every step.
func (l *look) hear() {
	e := l.meter.Hear(l.stepper)
	if e.Number < l.late || e.Steps < l.stepper.Examples() {
		return
	}
	l.epochs++
	for i, v := range [...]float64{herding: e.H, signBound: e.SignBound, drift: e.Drift, wobble: e.Wobble} {
		l.measured[i] += v
	}
}

// finish returns the measures after the last step.
func (l *look) finish() [measures]float64 {
	for i := range wobble + 1 {
		l.measured[i] /= l.epochs
	}
	f := l.stepper.View().F
	for _, v := range f {
		l.measured[loss] += v / float64(len(f))
	}
	clipped, drawn := l.stepper.Clipped()
	if l.measured[clippedPart] = math.NaN(); drawn > 0 {
		l.measured[clippedPart] = float64(clipped) / float64(drawn)
	}
	return l.measured
}

// digits is the number of significant digits in files. Few digits keep the files short.
const digits = 4
