package descent

import (
	"errors"
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/algo/weighting"
)

// Settings configures Minimize. StepSize and Steps are required.
type Settings struct {
	StepSize float64 // η > 0, or the constant c of the schedule
	Steps    int     // maximum number of steps, at least 0

	Weighting string   // rule of psmgd and crmogm; "" means mgda
	Rule      []string // settings of the method's rule, such as "c=0.4" for cagrad: see weighting.New
	// FixedWeights are the weights of ls, a point of the simplex. nil means equal weights.
	FixedWeights []float64
	Period       int     // period R ≥ 1 of the weights; 0 means DefaultPeriod for psmgd and 1 for all others
	Momentum     float64 // momentum α of the weights, in [0, 1); 0 means DefaultCRMOGMMomentum for crmogm
	Schedule     Schedule
	Horizon      int // horizon T of AsPrinted; 0 means Steps
	Optimizer    Optimizer
	// Batch is the number of examples in each step on a finite sum; 0 means all examples. For smg, it is the size of
	// the first batch, from which batches grow; 0 means weighting.DefaultBatchSize.
	Batch       int
	Seed        uint64 // seed for noise, batches and a random weighting
	ValuesEvery int    // compute losses on all data after every n-th step; 0 means 1

	// Stationarity ends the run when the exact ω(x) is at most this number. ω(x) is the length of the shortest vector
	// in the convex hull of the gradients. Computing it takes one Jacobian per step. This Jacobian does not count
	// towards the cost. 0 disables the criterion.
	Stationarity float64
	// Callback is called at the start and after every step. The run ends when it returns true. The view is valid until
	// Callback returns.
	Callback func(algo.View) (stop bool)
	// Trace records the run unless it is nil.
	Trace *Trace
}

// Outcome describes the end of a run.
type Outcome struct {
	X, F    []float64 // last point, of length n, and its losses on all data, of length m
	Weights []float64 // weights of the last step; nil if it has none
	Steps   int
	Cost    algo.Cost
	// Status is Budget, Stationary, Diverged, Converged or NoSolution. Converged means that Callback ended the run, and
	// NoSolution that the last step had no solution.
	Status   algo.Status
	Diverged algo.Divergence // description of the divergence
}

// Minimize minimises p from x0 (length n) by the named method. The method is "psmgd", "crmogm" or the name of a rule of
// package weighting, such as "mgda", "cagrad" or "ls". Minimize uses exact gradients on an algo.Problem without
// samples, and sampled gradients on an algo.Sampled. If p has bounds, the run stays within them. An error names the
// invalid argument.
//
// Minimize allocates the run and its Outcome, but nothing in each step. For other steppers, or to save and continue a
// run, call a stepper's constructor and algo.Run.
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

// config returns a method's configuration, in which only the start is missing.
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
			return c, &algo.RangeError{Name: "Rule", Value: s.Rule, Allowed: "ls accepts no settings except FixedWeights"}
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
		return c, &algo.RangeError{Name: "FixedWeights", Value: s.FixedWeights, Allowed: "only ls accepts fixed weights"}
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
		return c, &algo.RangeError{Name: "Weighting", Value: s.Weighting, Allowed: "only psmgd and crmogm accept a rule"}
	}
	run := weighting.Context{Objectives: m, Seed: s.Seed}
	if b, ok := algo.Stated[interface{ LowerBounds() []float64 }](c.Problem); ok {
		run.LowerBounds = b.LowerBounds()
	}
	rule, err := weighting.NewFor(run, name, s.Rule...)
	c.Weighting = rule
	return c, err
}
