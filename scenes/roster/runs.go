package roster

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/pareto"
	"paretoplay/algo/weighting"
	"paretoplay/scenes/timeline"
)

// Course is what the methods race on.
type Course struct {
	Problem algo.Sampled
	Starts  [][]float64
	// LowerBounds are strictly below every value of each objective; nil for 0.
	LowerBounds []float64
	Horizon     int // planned iterations, for the schedules that need it
	Seed        uint64
}

// Runs returns the runs at k = 0, method by method, each from every start. The
// run from start i, counted from 1, is called "method-i". Each run applies the
// live changes that concern its method.
func (r *Roster) Runs(c *Course) ([]*timeline.Run, error) {
	r.refresh = map[string]int{}
	omega := pareto.StationarityOf(c.Problem)
	var runs []*timeline.Run
	for _, method := range r.On {
		for i, x := range c.Starts {
			stepper, err := r.stepper(method, c, i)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", method, err)
			}
			runs = append(runs, &timeline.Run{
				Name: fmt.Sprintf("%s-%d", method, i+1), Method: method, Label: fmt.Sprintf("%s, start %d", title(method), i+1),
				Start: x, Stepper: stepper, Stationarity: omega,
				Apply:  func(change timeline.Change) error { return apply(method, stepper, change) },
				OfStep: r.ofStep(stepper, len(x)),
			})
		}
	}
	return runs, nil
}

// ofStep lists what is recorded of a step in n variables: what the optimizer made
// of the direction, where it makes anything of it.
func (r *Roster) ofStep(s stepper, n int) timeline.Extras {
	if r.Optimizer == descent.Plain.String() && r.Clip == 0 {
		return timeline.Extras{}
	}
	return timeline.Extras{
		List: []timeline.Extra{{Name: "update", Size: n}},
		Fill: func(dst []float64) { copy(dst, s.Update()) },
	}
}

// UpdateOf is what the optimizer made of the direction of a row of runs that a
// Roster made: the step is −StepSize times it. It is nil where there is no step yet,
// and where the optimizer follows the direction as it is.
func UpdateOf(row timeline.Row) []float64 { return row.OfStep }

// stepper builds a method's stepper from start point i.
func (r *Roster) stepper(method string, c *Course, i int) (stepper, error) {
	etaSchedule, err := descent.ParseSchedule(r.EtaSchedule)
	if err != nil {
		return nil, err
	}
	optimizer, err := r.optimizer()
	if err != nil {
		return nil, err
	}
	_, m := c.Problem.Dims()
	r.refresh[method] = m
	if method == moosvgd {
		return newParticle(descent.MOOSVGDConfig{
			Problem: c.Problem, Starts: c.Starts, Repulsion: r.Repulsion, StepSize: r.Eta, StepSizeSchedule: etaSchedule, Horizon: c.Horizon,
			Optimizer: optimizer, Seed: c.Seed,
		}, i)
	}
	config := descent.Config{
		Problem: c.Problem, Start: c.Starts[i], Period: 1, StepSize: r.Eta, StepSizeSchedule: etaSchedule, Horizon: c.Horizon,
		Optimizer: optimizer, Seed: c.Seed, StartIndex: i,
	}
	rule := method
	switch method {
	case psmgd:
		if config.MomentumSchedule, err = descent.ParseSchedule(r.MomentumSchedule); err != nil {
			return nil, err
		}
		config.Period, config.Momentum = r.R, r.Momentum
		rule = r.Weighting
	case crmogm:
		config.Momentum = r.CRMOGMMomentum
		return descent.NewPSMGD(config)
	case ls:
		r.refresh[method] = 1
		return descent.NewPSMGD(descent.LinearScalarization(config, r.fixedWeights(c.Seed, i)))
	}
	build, ok := r.constructors[rule]
	if !ok {
		return nil, fmt.Errorf("%q is no method of this scene", rule)
	}
	w, err := build(weighting.Context{Objectives: m, Seed: c.Seed, Start: i, LowerBounds: c.LowerBounds})
	if err != nil {
		return nil, err
	}
	r.refresh[method] = m * (1 + w.Needs().Extra)
	config.Weighting = w
	return descent.NewPSMGD(config)
}

func (r *Roster) optimizer() (descent.Optimizer, error) {
	kind, err := descent.ParseOptimizerKind(r.Optimizer)
	if err != nil {
		return descent.Optimizer{}, err
	}
	o := descent.Optimizer{Kind: kind}
	switch kind {
	case descent.Adam:
		o = descent.DefaultAdam()
	case descent.HeavyBall:
		o.Beta = r.Beta
	}
	o.ClipNorm = r.Clip
	return o, nil
}

// fixedWeights are those of linear scalarization from one start: equal ones, or
// uniform on the simplex.
func (r *Roster) fixedWeights(seed uint64, start int) []float64 {
	if r.LSWeights == EqualWeights {
		return []float64{0.5, 0.5}
	}
	source := algo.Stream(seed, start, 0, algo.StaticWeight)
	u := rand.New(&source).Float64()
	return []float64{u, 1 - u}
}

// MostBackpropagations bounds what any of the runs spends within the budget: it
// is where an axis of backpropagations ends.
func (r *Roster) MostBackpropagations(t *timeline.Timeline) int {
	budget, most := t.Budget(), 0
	for _, method := range r.On {
		cost := r.refresh[method] * budget
		if method == psmgd {
			refreshes := (budget + r.R - 1) / r.R
			cost = refreshes*r.refresh[method] + budget - refreshes
		}
		most = max(most, cost)
	}
	// R may change on the way: what has been spent may be more.
	for _, run := range t.Runs() {
		most = max(most, run.Kept(run.Len()-1).BP)
	}
	return most
}

// stepper is what live changes of every method act on.
type stepper interface {
	algo.Stepper
	SetStepSize(eta float64) error
	// Update is what the optimizer made of the last step's direction.
	Update() []float64
}

// apply carries a live change to a method's stepper; parameters of other methods
// do not concern it.
func apply(method string, s stepper, c timeline.Change) error {
	value, err := strconv.ParseFloat(c.Text, 64)
	if err != nil {
		return fmt.Errorf("%s = %q is no number", c.Name, c.Text)
	}
	if c.Name == "eta" {
		return s.SetStepSize(value)
	}
	d, ok := s.(*descent.PSMGD)
	switch {
	case !ok:
		return nil
	case c.Name == "R" && method == psmgd:
		return d.SetPeriod(int(value))
	case c.Name == "momentum" && method == psmgd, c.Name == "crmogm.momentum" && method == crmogm:
		return d.SetMomentum(value)
	}
	return nil
}

// particle shows one point of a MOO-SVGD run as a run of its own. Every particle
// moves a whole swarm, so that runs are recorded and replayed one by one; their
// swarms are the same.
type particle struct {
	*descent.MOOSVGD
	index, n, m int
}

func newParticle(c descent.MOOSVGDConfig, index int) (*particle, error) {
	swarm, err := descent.NewMOOSVGD(c)
	if err != nil {
		return nil, err
	}
	n, m := c.Problem.Dims()
	return &particle{swarm, index, n, m}, nil
}

// of is the particle's row of rows of that length, nil of none.
func (p *particle) of(rows []float64, length int) []float64 {
	if rows == nil {
		return nil
	}
	return rows[p.index*length : (p.index+1)*length : (p.index+1)*length]
}

// Update is that of one particle.
func (p *particle) Update() []float64 { return p.of(p.MOOSVGD.Update(), p.n) }

// View is that of one particle, with its share of the cost.
func (p *particle) View() algo.View {
	v := p.MOOSVGD.View()
	v.Solutions = 1
	v.X, v.F, v.Weights, v.Direction = p.of(v.X, p.n), p.of(v.F, p.m), p.of(v.Weights, p.m), p.of(v.Direction, p.n)
	v.Cost.Backpropagations /= p.Particles()
	v.Cost.GradientCoordinates /= p.Particles()
	return v
}
