// Package hypercleaning compares how FORUM, MOML and MoCo clean wrong labels: Tables 1
// and 5 of FORUM's paper in miniature.
package hypercleaning

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
	"paretoplay/scenes/experiment"
)

const name = "hyper-cleaning"

// The methods that are compared.
const (
	noCleaning = "nocleaning"
	moml       = "moml"
	moco       = "moco"
	forum      = "forum"
)

// Config is what the tables of hyper-cleaning are computed for.
type Config struct {
	Problem problem.HyperCleaningConfig // its Seed is that of the first run; the others count on
	T       []int                       // lower steps
	Rho     []float64                   // FORUM's
	// Compared is the ρ with which FORUM stands beside the other methods, one of Rho.
	Compared float64
	Runs     int // a cell, ≥ 1, each with other data
	Steps    int // upper steps a run, ≥ 1
	Eta      float64
	Mu       float64 // of α
	MuOmega  float64 // of ω, FORUM's
}

// Default is the command line's: the paper's T, ρ and step sizes, on data
// sets of 40 samples, with a shared hidden layer.
func Default() Config {
	return Config{
		Problem: problem.HyperCleaningConfig{Classes: 3, Train: 40, Validation: 30, Selection: 100, Test: 400,
			Corruption: 0.5, Spread: 0.4, Hidden: 8, Ridge: problem.DefaultHyperCleaningRidge, Seed: 1},
		T: []int{16, 32, 64, 128}, Rho: []float64{0, 0.1, 0.3, 0.5, 0.7, 0.9}, Compared: 0.5,
		Runs: 3, Steps: 200, Eta: 0.3, Mu: 10, MuOmega: 0.3,
	}
}

// Page is the page's: fewer T and ρ, and no hidden layer, so that it takes
// half a minute there.
func Page() Config {
	c := Default()
	c.Problem.Hidden, c.Problem.Test = 0, 200
	c.T, c.Rho, c.Steps = []int{16, 32, 64}, []float64{0, 0.5, 0.9}, 100
	return c
}

// What is measured of a run, in the order of Cell's numbers. Accuracy and
// F1 are in percent and of the test samples. Those named last are of the last
// iteration, the others of the first one with the best accuracy on validation 2.
const (
	accuracy1 = iota
	f11
	accuracy2
	f12
	accuracyBoth // mean of the data sets
	detection    // AUC of the weights, in [0, 1]
	chosenAt     // the iteration
	lastAccuracy // mean of the data sets
	lastDetection
	lastQ // q̃, NaN for methods without
	measures
)

var names = [measures]string{"accuracy1", "f1_1", "accuracy2", "f1_2", "accuracy", "auc", "k", "last_accuracy", "last_auc", "last_q"}

// Cell is a method with a T and, for FORUM, a ρ.
type Cell struct {
	Method string
	T      int
	Rho    float64 // NaN for methods other than FORUM
	experiment.Summary

	current *cleaningRun // the one under way
}

// Tables compare FORUM with MOML, MoCo and no cleaning on toy hyper-cleaning, over T and
// over FORUM's ρ. Every run has its own data, the same in all cells. It works in pieces
// of one upper step. Its cells are no cleaning, MOML and MoCo by T, then FORUM by ρ and
// T; its panels are accuracy, detection and the paper's accuracy, over T and over ρ.
type Tables struct {
	*experiment.Grid[Cell]
	config Config
}

// Experiment is the tables of the command line.
var Experiment = experiment.Experiment{
	Name:  name,
	Title: "Accuracy, F1 and detection of FORUM, MOML and MoCo in hyper-cleaning, by T and ρ",
	Compute: func(o experiment.Options) (experiment.Outcome, error) {
		c := Default()
		c.Runs *= o.Seeds
		if o.Quick {
			c.T, c.Rho, c.Steps, c.Problem.Hidden = []int{16, 64}, []float64{0, 0.5}, 100, 0
		}
		s, err := New(c)
		if err != nil {
			return nil, err
		}
		return s, experiment.Run(s.Grid, o)
	},
}

// New returns tables with nothing computed yet, or an error that names the value that is
// out of range.
func New(c Config) (*Tables, error) {
	if c.Runs < 1 || c.Steps < 1 {
		return nil, fmt.Errorf("experiment: runs = %d and steps = %d must be positive", c.Runs, c.Steps)
	}
	if !slices.Contains(c.Rho, c.Compared) {
		return nil, fmt.Errorf("experiment: compared = %v must be one of rho = %v", c.Compared, c.Rho)
	}
	s := &Tables{config: c}
	var cells []Cell
	for _, method := range []string{noCleaning, moml, moco} {
		for _, t := range c.T {
			cells = append(cells, Cell{Method: method, T: t, Rho: math.NaN()})
		}
	}
	for _, rho := range c.Rho {
		for _, t := range c.T {
			cells = append(cells, Cell{Method: forum, T: t, Rho: rho})
		}
	}
	p, err := problem.NewHyperCleaning(c.Problem)
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	for i := range cells { // every cell's configuration is checked before anything is computed
		if _, err := s.stepper(&cells[i], p); err != nil {
			return nil, fmt.Errorf("experiment: %w", err)
		}
	}
	s.Grid = experiment.NewGrid(experiment.Plan[Cell]{
		Name: name, Kind: "table", Cells: cells, Columns: s.columns(),
		Parts:  func(c *Cell) (done, wanted int) { return c.Runs, s.config.Runs },
		Work:   s.work,
		Effort: (*Cell).effort,
		Record: s.record,
		Panels: s.newPanels(), Width: 1280, Height: 840,
	})
	return s, nil
}

func (s *Tables) stepper(c *Cell, p *problem.HyperCleaning) (bilevel.Stepper, error) {
	loop, upper, start := bilevel.Loop{Steps: c.T, StepSize: s.config.Eta}, bilevel.Upper{StepSize: s.config.Mu}, p.Start()
	switch c.Method {
	case noCleaning:
		return bilevel.NewLowerOnly(bilevel.LowerOnlyConfig{Problem: p, Start: start, Loop: loop})
	case moml:
		return bilevel.NewMOML(bilevel.MOMLConfig{Problem: p, Start: start, Loop: loop, Upper: upper})
	case moco:
		return bilevel.NewMoCo(bilevel.MoCoConfig{Problem: p, Start: start, Loop: loop, Upper: upper, Beta: 0.5, Gamma: 0.1})
	}
	upper.OmegaStepSize = s.config.MuOmega
	return bilevel.NewFORUM(bilevel.FORUMConfig{Problem: p, Start: start, Loop: loop, Upper: upper, Rho: c.Rho})
}

// cleaningRun is one run of a cell under way.
type cleaningRun struct {
	problem  *problem.HyperCleaning
	stepper  bilevel.Stepper
	left     int     // steps
	best     float64 // accuracy on validation 2 so far
	measured [measures]float64
}

// begin starts a run of a cell.
func (s *Tables) begin(c *Cell, run int) (*cleaningRun, error) {
	config := s.config.Problem
	config.Seed += uint64(run)
	p, err := problem.NewHyperCleaning(config)
	if err != nil {
		return nil, err
	}
	stepper, err := s.stepper(c, p)
	if err != nil {
		return nil, err
	}
	r := &cleaningRun{problem: p, stepper: stepper, left: s.config.Steps, best: -1}
	r.look()
	return r, nil
}

// look measures the point, if it is the best so far or the last.
func (r *cleaningRun) look() {
	v, m := r.stepper.View(), &r.measured
	selection := 0.0
	for set := range problem.HyperCleaningSets {
		a, _ := r.problem.Score(v.X, set, problem.Selection)
		selection += a
	}
	if selection > r.best {
		r.best = selection
		for set := range problem.HyperCleaningSets {
			a, f1 := r.problem.Score(v.X, set, problem.Test)
			m[accuracy1+2*set], m[f11+2*set] = 100*a, 100*f1
		}
		m[accuracyBoth] = (m[accuracy1] + m[accuracy2]) / 2
		m[detection], m[chosenAt] = r.problem.Detection(v.X), float64(v.K)
	}
	if r.left == 0 {
		for set := range problem.HyperCleaningSets {
			a, _ := r.problem.Score(v.X, set, problem.Test)
			m[lastAccuracy] += 100 * a / problem.HyperCleaningSets
		}
		m[lastDetection], m[lastQ] = r.problem.Detection(v.X), r.stepper.Trace().Q
	}
}

// advance makes a step of the run, which has some left.
func (r *cleaningRun) advance() error {
	status, err := r.stepper.Step()
	if err == nil && status != algo.Running {
		err = fmt.Errorf("iteration %d ends as %v", r.stepper.View().K, status)
	}
	if err != nil {
		return err
	}
	r.left--
	r.look()
	return nil
}

// work makes a step of a cell's next run, and goes on with it while more() holds.
func (s *Tables) work(c *Cell, more func() bool) (complete bool, err error) {
	if c.current == nil {
		if c.current, err = s.begin(c, c.Runs); err != nil {
			return false, err
		}
	}
	for {
		if err := c.current.advance(); err != nil {
			return false, fmt.Errorf("%s, T = %d, seed %d: %w", c.Method, c.T, s.config.Problem.Seed+uint64(c.Runs), err)
		}
		if c.current.left == 0 {
			c.Add(c.current.measured[:], s.config.Runs)
			c.current = nil
			return true, nil
		}
		if !more() {
			return false, nil
		}
	}
}

// effort is the number of evaluations in an upper step that are as dear as a gradient of
// the lower level: one a lower step, and to go back through it one for each data set.
func (c *Cell) effort() float64 {
	if c.Method == moml || c.Method == moco {
		return float64(c.T * (1 + problem.HyperCleaningSets))
	}
	return float64(c.T)
}

// cell finds a cell; ρ counts for FORUM alone.
func (s *Tables) cell(method string, t int, rho float64) *Cell {
	cells := s.Cells()
	i := slices.IndexFunc(cells, func(c Cell) bool {
		return c.Method == method && c.T == t && (method != forum || c.Rho == rho)
	})
	return &cells[i]
}

// columns of the CSV file: accuracy and F1 are in percent, and the paper's columns are of
// another problem.
func (s *Tables) columns() []experiment.Column[Cell] {
	// Nothing but q̃ and the deviation of one run may be unknown.
	unknown := func(c *Cell, i int) bool { return i == lastQ && c.Method != forum }
	out := slices.Concat([]experiment.Column[Cell]{
		experiment.Key("method", func(c *Cell) any { return c.Method }),
		experiment.Key("T", func(c *Cell) any { return c.T }),
		experiment.Key("rho", func(c *Cell) any { return c.Rho }),
		experiment.Key("hidden", func(*Cell) any { return s.config.Problem.Hidden }),
		experiment.Key("runs", func(*Cell) any { return s.config.Runs }),
		experiment.Key("steps", func(*Cell) any { return s.config.Steps }),
	}, experiment.SummaryColumns(names[:], s.config.Runs, func(c *Cell) *experiment.Summary { return &c.Summary }, unknown))
	for i, measure := range paperNames {
		out = append(out, experiment.Shown("paper_"+measure, func(c *Cell) any { return c.reported()[i] }))
	}
	return out
}

// MarshalJSON writes null for what is not known.
func (c *Cell) MarshalJSON() ([]byte, error) {
	out := map[string]any{"method": c.Method, "T": c.T, "rho": experiment.Known(c.Rho)}
	c.Record(out, names[:])
	paper := map[string]any{}
	for i, v := range c.reported() {
		paper[paperNames[i]] = experiment.Known(v)
	}
	out["paper"] = paper
	return json.Marshal(out)
}

// record is what the JSON file holds beside the cells.
func (s *Tables) record() map[string]any {
	c, p := &s.config, &s.config.Problem
	return map[string]any{
		"runs": c.Runs, "steps": c.Steps, "eta": c.Eta, "mu": c.Mu, "muomega": c.MuOmega,
		"problem": map[string]any{"classes": p.Classes, "train": p.Train, "validation": p.Validation, "selection": p.Selection, "test": p.Test,
			"corruption": p.Corruption, "spread": p.Spread, "hidden": p.Hidden, "ridge": p.Ridge, "seed": p.Seed},
	}
}
