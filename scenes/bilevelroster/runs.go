package bilevelroster

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/weighting"
	"paretoplay/scenes/timeline"
)

// Course is what the methods run on.
type Course struct {
	Problem algo.Bilevel
	Starts  [][]float64 // points z_0 = (α_0, ω_0)
	Seed    uint64
	// Beside is what the scene records of each point beside what all such runs
	// record; nil for nothing.
	Beside func(bilevel.Stepper) timeline.Extras
}

// Runs returns the runs at k = 0, method by method, each from every start. The
// run from start i, counted from 1, is called "method-i". Each run applies the
// live changes that concern its method.
func (r *Roster) Runs(c *Course) ([]*timeline.Run, error) {
	measures := bilevel.NewMeasures(c.Problem)
	var runs []*timeline.Run
	for _, method := range r.running() {
		for i, z := range c.Starts {
			stepper, err := r.stepper(method, c, i)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", method, err)
			}
			s := newWatched(stepper, c.Problem, measures)
			runs = append(runs, &timeline.Run{
				Name: fmt.Sprintf("%s-%d", method, i+1), Method: method, Label: fmt.Sprintf("%s, start %d", title(method), i+1),
				Start: z, Stepper: s,
				Stationarity: func([]float64) float64 { return s.judge().stationarity },
				Apply:        func(change timeline.Change) error { return apply(stepper, change) },
				AtPoint:      atPoint(c, s), OfStep: ofStep(c, s),
			})
		}
	}
	return runs, nil
}

// running are the methods that run, FORUM's exact dual beside it where both are
// asked for.
func (r *Roster) running() []string {
	on := slices.Clone(r.On)
	if i := slices.Index(on, FORUM); i >= 0 && r.Multiplier == multiplierBoth {
		on = slices.Insert(on, i+1, FORUMExact)
	}
	return on
}

// stepper builds a method's stepper from start i.
func (r *Roster) stepper(method string, c *Course, i int) (bilevel.Stepper, error) {
	loop, upper, err := r.levels(method)
	if err != nil {
		return nil, err
	}
	start := c.Starts[i]
	switch method {
	case FORUM, FORUMExact:
		config := bilevel.FORUMConfig{Problem: c.Problem, Start: start, Loop: loop, Upper: upper, Rho: r.Rho}
		if config.Averaging, err = bilevel.ParseAveraging(r.BetaSchedule); err != nil {
			return nil, err
		}
		switch {
		case method == FORUMExact:
			config.Multiplier = bilevel.ExactDual
		case r.Multiplier != multiplierBoth:
			if config.Multiplier, err = bilevel.ParseMultiplier(r.Multiplier); err != nil {
				return nil, err
			}
		}
		return bilevel.NewFORUM(config)
	case MOML, MoCo:
		problem, ok := c.Problem.(algo.LowerHessian)
		if !ok {
			return nil, fmt.Errorf("the problem has no Hessian-vector products")
		}
		mode, err := bilevel.ParseMode(r.Mode)
		if err != nil {
			return nil, err
		}
		if method == MoCo {
			decay, err := strconv.ParseFloat(r.Decay, 64)
			if err != nil {
				return nil, err
			}
			return bilevel.NewMoCo(bilevel.MoCoConfig{Problem: problem, Start: start, Loop: loop, Upper: upper, Mode: mode,
				Beta: r.Beta, Gamma: r.Gamma, Decay: decay, Rho: r.MoCoRho})
		}
		_, _, m := c.Problem.Dims()
		rule, err := r.constructors[r.Weighting](weighting.Context{Objectives: m, Seed: c.Seed, Start: i})
		if err != nil {
			return nil, err
		}
		return bilevel.NewMOML(bilevel.MOMLConfig{Problem: problem, Start: start, Loop: loop, Upper: upper, Mode: mode, Weighting: rule})
	case BOME:
		return bilevel.NewBOME(bilevel.BOMEConfig{Problem: c.Problem, Start: start, Loop: loop, Upper: upper, Rho: r.BOMERho})
	case BVFIM:
		config := r.BVFIM
		config.Problem, config.Start, config.Loop, config.Upper = c.Problem, start, loop, upper
		return bilevel.NewBVFIM(config)
	case NoCleaning:
		return bilevel.NewLowerOnly(bilevel.LowerOnlyConfig{Problem: c.Problem, Start: start, Loop: loop})
	}
	return nil, fmt.Errorf("%q is no method", method)
}

// levels is how a method steps on either level.
func (r *Roster) levels(method string) (loop bilevel.Loop, upper bilevel.Upper, err error) {
	loop = bilevel.Loop{Steps: r.T, StepSize: r.Eta, Fixed: !r.Warm}
	upper = bilevel.Upper{StepSize: r.Mu}
	switch method {
	case FORUM, FORUMExact, BOME: // the others step in α alone
		upper.OmegaStepSize = r.MuOmega
	}
	if method != MOML && method != MoCo { // these differentiate plain steps
		if loop.Optimizer, err = optimizer(r.LowerOptimizer); err != nil {
			return loop, upper, err
		}
	}
	upper.Optimizer, err = optimizer(r.UpperOptimizer)
	return loop, upper, err
}

// apply carries a live change to a stepper; parameters of other methods do not
// concern it.
func apply(s bilevel.Stepper, c timeline.Change) error {
	value, err := strconv.ParseFloat(c.Text, 64)
	if err != nil {
		return fmt.Errorf("%s = %q is no number", c.Name, c.Text)
	}
	switch loop := s.Loop(); c.Name {
	case "T":
		return s.SetLoop(int(value), loop.StepSize)
	case "eta":
		return s.SetLoop(loop.Steps, value)
	case "mu":
		return s.SetStepSize(value)
	case "rho":
		if forum, ok := s.(*bilevel.FORUM); ok {
			return forum.SetRho(value)
		}
	}
	return nil
}

// watched is a stepper that keeps the point it stepped away from, and judges the one
// it is at once for all that is recorded of it.
type watched struct {
	bilevel.Stepper
	measures *bilevel.Measures
	set      algo.SolutionSet // nil where the solutions are not known
	before   []float64
	now      judgement
	judged   bool
}

// judgement is what is known exactly of a point; NaN for what is not.
type judgement struct{ distance, q, stationarity float64 }

func newWatched(s bilevel.Stepper, problem algo.Bilevel, measures *bilevel.Measures) *watched {
	w := &watched{Stepper: s, measures: measures, before: make([]float64, len(s.View().X))}
	w.set, _ = problem.(algo.SolutionSet)
	return w
}

func (w *watched) Step() (algo.Status, error) {
	copy(w.before, w.View().X)
	w.judged = false
	return w.Stepper.Step()
}

func (w *watched) Load(from *algo.Snapshot) {
	w.judged = false
	w.Stepper.Load(from)
}

// judge judges the point the stepper is at.
func (w *watched) judge() judgement {
	if w.judged {
		return w.now
	}
	w.now = judgement{math.NaN(), math.NaN(), math.NaN()}
	w.judged = true
	if w.set == nil && !w.measures.Exact() { // the point may cost a loop
		return w.now
	}
	z := w.Measured()
	if w.set != nil {
		w.now.distance = w.set.Distance(z)
	}
	if w.measures.Exact() {
		w.now.q, w.now.stationarity = w.measures.Q(z), w.measures.Stationarity(z)
	}
	return w.now
}

// StepperOf is the stepper of a run that a Roster made.
func StepperOf(r *timeline.Run) bilevel.Stepper { return r.Stepper.(*watched).Stepper }

// Names of what the runs record further.
const (
	Distance = "E"       // from the Pareto-optimal points
	Q        = "q"       // q̃
	QExact   = "q_exact" // q
	KKT      = "kkt"
	Products = "hvp" // Hessian-vector products spent
	QNorm    = "gq_norm"
	Phi      = "phi"
	Nu       = "nu"
	K        = "K_z"    // K(z); "K" alone some readers would take for the iteration "k"
	Lambda   = "lambda" // before it is averaged
	Pi       = "pi"
)

// atPoint lists what is recorded of the point at which a method is judged.
func atPoint(c *Course, s *watched) timeline.Extras {
	hasSet, solved := s.set != nil, s.measures.Exact()
	var out timeline.Extras
	if hasSet {
		out.List = append(out.List, timeline.Extra{Name: Distance, Symbol: "E", Label: "distance from the solutions"})
	}
	if solved {
		out.List = append(out.List, timeline.Extra{Name: QExact, Symbol: "q", Label: "lower level’s excess"}, timeline.Extra{Name: KKT})
	}
	out.List = append(out.List, timeline.Extra{Name: Products, Symbol: "HVP", Label: "Hessian-vector products"})
	var beside timeline.Extras
	if c.Beside != nil {
		beside = c.Beside(s.Stepper)
		out.List = append(out.List, beside.List...)
	}
	out.Fill = func(dst []float64) {
		now := s.judge()
		i := 0
		put := func(v float64) {
			dst[i] = v
			i++
		}
		if hasSet {
			put(now.distance)
		}
		if solved {
			put(now.q)
			put(now.stationarity * now.stationarity)
		}
		put(float64(s.View().Cost.HessianVectorProducts))
		if beside.Fill != nil {
			beside.Fill(dst[i:])
		}
	}
	return out
}

// ofStep lists what is recorded of a step.
func ofStep(c *Course, s *watched) timeline.Extras {
	_, _, m := c.Problem.Dims()
	return timeline.Extras{
		List: []timeline.Extra{
			{Name: Q, Symbol: "q̃", Label: "excess after T steps"}, {Name: QNorm}, {Name: Phi}, {Name: Nu, Symbol: "ν", Label: "multiplier"}, {Name: K},
			{Name: Lambda, Size: m}, {Name: Pi, Size: m},
		},
		Fill: func(dst []float64) {
			for i := range dst {
				dst[i] = math.NaN()
			}
			t := s.Trace()
			dst[0], dst[2], dst[3] = t.Q, t.Phi, t.Nu
			if t.QGradient != nil {
				var square float64
				for _, v := range t.QGradient {
					square += v * v
				}
				dst[1] = math.Sqrt(square)
			}
			if weights := s.View().Weights; weights != nil && !math.IsNaN(t.Nu) {
				dst[4] = s.measures.K(s.before, weights, t.Nu)
			}
			copy(dst[5:5+m], t.Lambda)
			copy(dst[5+m:], t.Pi)
		},
	}
}

// AtPoint is what a run's row records of the point under that name; NaN for what
// there is not.
func AtPoint(r *timeline.Run, row timeline.Row, name string) float64 {
	return first(r.AtPoint, row.AtPoint, name)
}

// OfStep is what a run's row records of the step away from it under that name;
// NaN for what there is not.
func OfStep(r *timeline.Run, row timeline.Row, name string) float64 {
	return first(r.OfStep, row.OfStep, name)
}

// OfStepList is a list that a run's row records of the step away from it; nil for
// what there is not.
func OfStepList(r *timeline.Run, row timeline.Row, name string) []float64 {
	v := find(r.OfStep, row.OfStep, name)
	if v == nil || math.IsNaN(v[0]) {
		return nil
	}
	return v
}

func first(e timeline.Extras, values []float64, name string) float64 {
	if v := find(e, values, name); v != nil {
		return v[0]
	}
	return math.NaN()
}

func find(extras timeline.Extras, values []float64, name string) []float64 {
	at, size := extras.Find(name)
	if values == nil || size == 0 {
		return nil
	}
	return values[at : at+size]
}
