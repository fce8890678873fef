package descent

import (
	"errors"
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/algo/weighting"
)

// Settings are what Minimize may be told. StepSize and Steps must be given.
type Settings struct {
	StepSize float64 // η > 0, or c where the schedule says so
	Steps    int     // the budget, at least 0

	Weighting string   // the rule of psmgd and crmogm; "" is mgda
	Rule      []string // settings of the method's rule, such as "c=0.4" of cagrad: see weighting.New
	// FixedWeights are of ls, a point of the simplex; nil weights all objectives alike.
	FixedWeights []float64
	Period       int     // R ≥ 1 of the weights; 0 is DefaultPeriod of psmgd and 1 of all others
	Momentum     float64 // α of the weights in [0, 1); 0 is DefaultCRMOGMMomentum of crmogm
	Schedule     Schedule
	Horizon      int // T of AsPrinted; 0 is Steps
	Optimizer    Optimizer
	// Batch is how many examples a step sees of a finite sum; 0 takes all. smg, whose batches grow, begins with
	// as many; 0 is weighting.DefaultBatchSize there.
	Batch       int
	Seed        uint64 // of noise, batches and a weighting that draws
	ValuesEvery int    // losses on all data after every n-th step; 0 is 1

	// Stationarity ends the run where the exact ω(x), the length of the shortest vector in the convex hull of the
	// gradients, is no larger. It costs a Jacobian a step that is not counted. 0 never does.
	Stationarity float64
	// Callback is called with the start and after every step, and ends the run by true. Its view holds
	// until it returns.
	Callback func(algo.View) (stop bool)
	// Trace, where not nil, records the run.
	Trace *Trace
}

// Outcome is where a run ended.
type Outcome struct {
	X, F    []float64 // the last point, of length n, and its losses on all data, of length m
	Weights []float64 // of the last step, nil where there are none
	Steps   int
	Cost    algo.Cost
	// Status is Budget, Stationary, Converged where Callback said so, NoSolution where the last step had
	// none, or Diverged.
	Status   algo.Status
	Diverged algo.Divergence // says what diverged
}

// Minimize descends from x0 (length n) on p by a method: a rule of package weighting by its name, such as
// "mgda", "cagrad" or "ls", or "psmgd" or "crmogm". An algo.Problem without samples is descended along its
// exact gradients; one that is algo.Sampled is asked on samples. Where p has bounds the run stays within them.
// An error names what was refused.
//
// It allocates the run and its Outcome, nothing a step. For other steppers, and to save and go on, make a
// stepper by its constructor, and use algo.Run.
func Minimize(p algo.Problem, x0 []float64, method string, s Settings) (*Outcome, error) {
	if algo.Missing(p) {
		return nil, algo.ErrNoProblem
	}
	sampled, ok := p.(algo.Sampled)
	if !ok {
		sampled = algo.Exact(p)
	}
	c, err := s.config(sampled, method)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	c.Start = x0
	stepper, err := NewPSMGD(c)
	var refused *algo.RangeError
	if errors.As(err, &refused) && refused.Field != "" {
		return nil, fmt.Errorf("%s: %s: %w", method, refused.Field, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	stationary := false
	omega := pareto.StationarityOf(p)
	view, status, err := algo.Run(stepper, s.Steps, func(v algo.View) bool {
		s.Trace.add(&v)
		if s.Stationarity > 0 && omega(v.X) <= s.Stationarity {
			stationary = true
			return true
		}
		return s.Callback != nil && s.Callback(v)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	if stationary {
		status = algo.Stationary
	}
	weights := append([]float64(nil), view.Weights...)
	stepper.Evaluate()
	view = stepper.View()
	s.Trace.end(&view)
	return &Outcome{
		X: append([]float64(nil), view.X...), F: append([]float64(nil), view.F...), Weights: weights, Steps: view.K,
		Cost: view.Cost, Status: status, Diverged: view.Diverged,
	}, nil
}

// config is a run of a method, without its start.
func (s *Settings) config(p algo.Sampled, method string) (Config, error) {
	_, m := p.Dims()
	c := Config{
		Problem: p, StepSize: s.StepSize, StepSizeSchedule: s.Schedule, Horizon: s.Horizon, Period: s.Period, Momentum: s.Momentum,
		Optimizer: s.Optimizer,
		Batch:     s.Batch, ConstantBatch: method != "smg", Seed: s.Seed, ValuesEvery: s.ValuesEvery,
	}
	if c.Horizon == 0 {
		c.Horizon = s.Steps
	}
	if method == "ls" {
		if len(s.Rule) > 0 {
			return c, &algo.RangeError{Name: "Rule", Value: s.Rule, Allowed: "ls has no settings but FixedWeights"}
		}
		weights := s.FixedWeights
		if weights == nil {
			weights = make([]float64, m)
			for i := range weights {
				weights[i] = 1 / float64(m)
			}
		}
		return LinearScalarization(c, weights), nil
	}
	if s.FixedWeights != nil {
		return c, &algo.RangeError{Name: "FixedWeights", Value: s.FixedWeights, Allowed: "only ls has fixed weights"}
	}
	name := method
	switch method {
	case "psmgd", "crmogm":
		if name = s.Weighting; name == "" {
			name = "mgda"
		}
		if method == "crmogm" {
			c = CRMOGM(c)
		} else if c.Period == 0 {
			c.Period = DefaultPeriod
		}
	case "smg":
		if c.Batch == 0 {
			c.Batch = weighting.DefaultBatchSize
		}
	}
	if s.Weighting != "" && name == method {
		return c, &algo.RangeError{Name: "Weighting", Value: s.Weighting, Allowed: "only psmgd and crmogm have a rule beside their own"}
	}
	run := weighting.Context{Objectives: m, Seed: s.Seed}
	if b, ok := algo.Stated[interface{ LowerBounds() []float64 }](c.Problem); ok {
		run.LowerBounds = b.LowerBounds()
	}
	rule, err := weighting.NewFor(run, name, s.Rule...)
	c.Weighting = rule
	return c, err
}
