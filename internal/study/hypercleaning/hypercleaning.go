// Package hypercleaning compares how well FORUM, MOML and MoCo clean wrong labels. It reproduces Tables 1 and 5 of
// the FORUM paper on a small problem.
package hypercleaning

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
)

const name = "hyper-cleaning"

// Names of the compared methods.
const (
	noCleaning     = "nocleaning"
	validationOnly = "validationonly"
	moml           = "moml"
	moco           = "moco"
	forum          = "forum"
)

// StepSizes contains a method's step sizes on the upper level. A step size is 0 for variables that the method does
// not update.
type StepSizes struct {
	Mu      float64 // step size of α
	MuOmega float64 // step size of ω, for FORUM
}

// Tuning configures how a method's step sizes are chosen: by the accuracy on validation 2 in runs with separate data.
type Tuning struct {
	Mu, MuOmega []float64 // step sizes to try
	T           int       // number of lower steps in these runs
	Runs        int       // runs per step size; 0 means no tuning
	Seed        uint64    // seed of the first run; the next runs use the following seeds
}

// Config configures the tables of hyper-cleaning.
type Config struct {
	Problem problem.HyperCleaningConfig // its Seed is the first run's seed; the next runs use the following seeds
	T       []int                       // numbers of lower steps
	Rho     []float64                   // values for FORUM
	// Compared is the ρ that FORUM has in comparisons with other methods. It is one of Rho.
	Compared float64
	Runs     int // runs per cell, ≥ 1, each with different data
	Steps    int // upper steps per run, ≥ 1
	Eta      float64
	// LongT and OtherEta add runs outside the tables: longer loops for MOML, MoCo and FORUM with Compared, and other
	// values of η for FORUM with Compared and Tuning's T.
	LongT    []int
	OtherEta []float64
	// Tuned contains the tables' step sizes by method. They are the best of those that Tuning tries.
	Tuned  map[string]StepSizes
	Tuning Tuning
}

// Default returns the command line's configuration. It uses many training samples, few clean ones and a shared hidden
// layer, so that cleaning is needed.
func Default() Config {
	return Config{
		Problem: problem.HyperCleaningConfig{Classes: 3, Train: 200, Validation: 5, Selection: 100, Test: 400,
			Corruption: 0.5, Spread: 0.4, Hidden: 8, Ridge: problem.DefaultHyperCleaningRidge, Seed: 1},
		T: []int{1, 4, 16}, Rho: []float64{0, 0.1, 0.5, 0.9}, Compared: 0.5,
		Runs: 20, Steps: 60, Eta: 0.3, LongT: []int{64}, OtherEta: []float64{0.1, 0.5},
		Tuned:  map[string]StepSizes{forum: {Mu: 10, MuOmega: 1}, moml: {Mu: 100}, moco: {Mu: 100}},
		Tuning: Tuning{Mu: []float64{10, 30, 100}, MuOmega: []float64{0.3, 1, 3, 10}, T: 16, Runs: 8, Seed: 1_000_001},
	}
}

// Page returns the page's configuration. It has fewer runs, fewer values of ρ and no tuning, so it takes less than a
// minute in a browser.
func Page() Config {
	c := Default()
	c.Rho, c.Runs, c.Tuning.Runs = []float64{0, 0.5, 0.9}, 5, 0
	c.LongT, c.OtherEta = nil, nil
	return c
}

// Measures of a run, in the order of Cell's numbers. Accuracy and F1 are in percent on test samples. Measures whose
// names begin with last are taken at the last iteration. The others are taken at the first iteration with the best
// accuracy on validation 2.
const (
	accuracy1 = iota
	f11
	accuracy2
	f12
	accuracyBoth // mean over both data sets
	f1Both
	detection     // AUC of the weights, in [0, 1]
	selectionBoth // accuracy on validation 2 in percent, mean over both data sets
	chosenAt      // index of the iteration with the best accuracy on validation 2
	lastAccuracy  // mean over both data sets
	lastDetection
	lastQ // q̃; NaN for methods without it
	measures
)

var names = [measures]string{accuracy1: "accuracy1", f11: "f1_1", accuracy2: "accuracy2", f12: "f1_2", accuracyBoth: "accuracy",
	f1Both: "f1", detection: "auc", selectionBoth: "selection", chosenAt: "k", lastAccuracy: "last_accuracy", lastDetection: "last_auc",
	lastQ: "last_q"}

// paired lists the measures that are stored for each run, with their column names, so that methods can be compared on
// the same data.
var paired = []struct {
	measure int
	name    string
}{{accuracyBoth, "accuracies"}, {lastAccuracy, "last_accuracies"}}

// Parts of the grid, as named in files.
const (
	inTable  = "table"
	inBeside = "beside" // longer loops and other values of η
	inTuning = "tuning"
)

// Cell is a method with a T, step sizes and, for FORUM, a ρ.
type Cell struct {
	Part   string // inTable, inBeside or inTuning
	Method string
	T      int
	Rho    float64 // NaN for methods other than FORUM
	Eta    float64
	StepSizes
	experiment.Summary

	course *experiment.Course[Cell] // the run in progress
}

// Tables compares FORUM with MOML, MoCo, no cleaning, and training only on the clean validation samples. It runs toy
// hyper-cleaning for each T and, with FORUM, for each ρ. Every run uses different data, shared by all cells, so methods
// are compared run by run. Work is done in pieces of one upper step. The cells are the methods without ρ by T, then
// FORUM by ρ and T, then longer loops and other η, then the tuning of step sizes. The panels show accuracy, detection
// and gain, over T and over ρ.
type Tables struct {
	*experiment.Grid[Cell]
	config Config
}

// Experiment describes these tables for the command line.
var Experiment = experiment.Experiment{
	Name:  name,
	Title: "Accuracy, F1 and detection of FORUM, MOML and MoCo in hyper-cleaning, against no cleaning and clean samples only, by T and ρ",
	New:   func(o experiment.Options) (experiment.Computable, error) { return New(configFor(o)) },
}

// configFor returns the configuration for the given options.
func configFor(o experiment.Options) Config {
	c := Default()
	c.Runs *= o.Seeds
	c.Tuning.Seed -= c.Problem.Seed
	c.Problem.Seed = o.First(c.Problem.Seed)
	c.Tuning.Seed += c.Problem.Seed // keep the default distance between the two seeds
	if o.Quick {
		c.T, c.Rho, c.Tuning.Runs = []int{16}, []float64{0, 0.5}, 0
		c.LongT, c.OtherEta = nil, nil
		c.Runs = max(1, c.Runs/5)
	}
	return c
}

// New returns tables without results. It returns an error with the name and value of an invalid setting.
func New(c Config) (*Tables, error) {
	if c.Runs < 1 || c.Steps < 1 || c.Tuning.Runs < 0 {
		return nil, fmt.Errorf("experiment: runs = %d and steps = %d must be positive, and tuning runs = %d must not be negative",
			c.Runs, c.Steps, c.Tuning.Runs)
	}
	if !slices.Contains(c.Rho, c.Compared) {
		return nil, fmt.Errorf("experiment: compared = %v must be one of rho = %v", c.Compared, c.Rho)
	}
	s := &Tables{config: c}
	var err error
	s.Grid, err = experiment.NewRuns(experiment.Plan[Cell]{
		Name: name, Kind: "table", Cells: slices.Concat(c.tableCells(), c.besideCells(), c.tuningCells()), Columns: s.columns(),
		Parts:  (*Cell).Parts,
		Effort: s.effort,
		Record: s.record,
		Panels: s.newPanels(), Width: 1280, Height: 840,
	}, func(c *Cell) **experiment.Course[Cell] { return &c.course }, s.begin)
	return s, err
}

// cell returns a cell of the tables, with the method's chosen step sizes.
func (c *Config) cell(method string, t int, rho float64) Cell {
	return Cell{
		Part: inTable, Method: method, T: t, Rho: rho, Eta: c.Eta, StepSizes: c.Tuned[method], Summary: experiment.Summary{Wanted: c.Runs},
	}
}

func (c *Config) besideCells() (out []Cell) {
	for _, method := range []string{moml, moco, forum} {
		for _, t := range c.LongT {
			rho := math.NaN()
			if method == forum {
				rho = c.Compared
			}
			out = append(out, c.cell(method, t, rho))
		}
	}
	for _, eta := range c.OtherEta {
		cell := c.cell(forum, c.Tuning.T, c.Compared)
		cell.Eta = eta
		out = append(out, cell)
	}
	for i := range out {
		out[i].Part = inBeside
	}
	return out
}

func (c *Config) tableCells() (out []Cell) {
	for _, method := range []string{noCleaning, validationOnly, moml, moco} {
		for _, t := range c.T {
			out = append(out, c.cell(method, t, math.NaN()))
		}
	}
	for _, rho := range c.Rho {
		for _, t := range c.T {
			out = append(out, c.cell(forum, t, rho))
		}
	}
	return out
}

func (c *Config) tuningCells() (out []Cell) {
	add := func(method string, rho, mu, muOmega float64) {
		out = append(out, Cell{Part: inTuning, Method: method, T: c.Tuning.T, Rho: rho, Eta: c.Eta,
			StepSizes: StepSizes{mu, muOmega}, Summary: experiment.Summary{Wanted: c.Tuning.Runs}})
	}
	if c.Tuning.Runs == 0 {
		return nil
	}
	for _, mu := range c.Tuning.Mu {
		add(moml, math.NaN(), mu, 0)
	}
	for _, mu := range c.Tuning.Mu {
		add(moco, math.NaN(), mu, 0)
	}
	for _, mu := range c.Tuning.Mu {
		for _, muOmega := range c.Tuning.MuOmega {
			add(forum, c.Compared, mu, muOmega)
		}
	}
	return out
}

func (s *Tables) stepper(c *Cell, p *problem.HyperCleaning) (bilevel.Stepper, error) {
	loop, start := bilevel.Loop{Steps: c.T, StepSize: c.Eta}, p.Start()
	upper := bilevel.Upper{StepSize: c.Mu, OmegaStepSize: c.MuOmega}
	switch c.Method {
	case noCleaning:
		return bilevel.NewLowerOnly(bilevel.LowerOnlyConfig{Problem: p, Start: start, Loop: loop})
	case validationOnly:
		return bilevel.NewUpperOnly(bilevel.UpperOnlyConfig{Problem: p, Start: start, Loop: loop})
	case moml:
		return bilevel.NewMOML(bilevel.MOMLConfig{Problem: p, Start: start, Loop: loop, Upper: upper})
	case moco:
		return bilevel.NewMoCo(bilevel.MoCoConfig{Problem: p, Start: start, Loop: loop, Upper: upper, Beta: 0.5, Gamma: 0.1})
	}
	return bilevel.NewFORUM(bilevel.FORUMConfig{Problem: p, Start: start, Loop: loop, Upper: upper, Rho: c.Rho})
}

// seed returns the seed of a cell's first run.
func (s *Tables) seed(c *Cell) uint64 {
	if c.Part == inTuning {
		return s.config.Tuning.Seed
	}
	return s.config.Problem.Seed
}

// cleaningRun is a run in progress, with its measures so far.
type cleaningRun struct {
	experiment.Course[Cell]
	problem  *problem.HyperCleaning
	stepper  bilevel.Stepper
	best     float64 // best accuracy on validation 2 so far
	measured [measures]float64
}

// begin starts a cell's next run.
func (s *Tables) begin(c *Cell) (*experiment.Course[Cell], error) {
	config := s.config.Problem
	config.Seed = s.seed(c) + uint64(c.Runs)
	p, err := problem.NewHyperCleaning(config)
	if err != nil {
		return nil, err
	}
	stepper, err := s.stepper(c, p)
	if err != nil {
		return nil, err
	}
	r := &cleaningRun{problem: p, stepper: stepper, best: -1}
	r.Course = experiment.Course[Cell]{
		Steps: experiment.Steps{
			Name:    fmt.Sprintf("%s, T = %d, seed %d", c.Method, c.T, config.Seed),
			Stepper: stepper, Left: s.config.Steps, Piece: 1, Look: r.look,
		},
		End: func(c *Cell) error {
			c.Add(r.measured[:])
			return nil
		},
	}
	r.look()
	return &r.Course, nil
}

// look measures the current point if it is the best so far, or the last.
func (r *cleaningRun) look() {
	v, m := r.stepper.View(), &r.measured
	selection := 0.0
	for set := range problem.HyperCleaningSets {
		a, _ := r.problem.Score(v.X, set, problem.Selection)
		selection += a
	}
	if selection > r.best {
		r.best = selection
		m[selectionBoth] = 100 * selection / problem.HyperCleaningSets
		for set := range problem.HyperCleaningSets {
			a, f1 := r.problem.Score(v.X, set, problem.Test)
			m[accuracy1+2*set], m[f11+2*set] = 100*a, 100*f1
		}
		m[accuracyBoth], m[f1Both] = (m[accuracy1]+m[accuracy2])/2, (m[f11]+m[f12])/2
		m[detection], m[chosenAt] = r.problem.Detection(v.X), float64(v.K)
	}
	if r.Left == 0 {
		for set := range problem.HyperCleaningSets {
			a, _ := r.problem.Score(v.X, set, problem.Test)
			m[lastAccuracy] += float64(100 * a / problem.HyperCleaningSets)
		}
		m[lastDetection], m[lastQ] = r.problem.Detection(v.X), r.stepper.Trace().Q
	}
}

// effort returns the cost of an upper step, in gradients of the lower level. A lower step costs one gradient, and
// differentiating through it costs one more per data set. A gradient of the upper level costs less, in proportion to
// its samples.
func (s *Tables) effort(c *Cell) float64 {
	switch c.Method {
	case moml, moco:
		return float64(c.T * (1 + problem.HyperCleaningSets))
	case validationOnly:
		return float64(c.T*s.config.Problem.Validation) / float64(s.config.Problem.Train)
	}
	return float64(c.T)
}

// cell returns a cell of the tables. The argument rho matters only for FORUM.
func (s *Tables) cell(method string, t int, rho float64) *Cell {
	return experiment.Find(s.Each, func(c *Cell) bool {
		return c.Part == inTable && c.Method == method && c.T == t && (method != forum || c.Rho == rho)
	})
}

// Names of the comparisons between cells of the tables.
const (
	overNone       = "nocleaning"
	overValidation = "validationonly"
	overFORUM      = "forum"
	overRhoZero    = "rho0"
)

// differences lists the comparisons in the order of the files.
var differences = []string{overNone, overValidation, overFORUM, overRhoZero}

// against returns the cell with which the given comparison compares c. Both have the same T. It returns nil if there is
// no such cell.
func (s *Tables) against(c *Cell, name string) *Cell {
	switch {
	case c.Part != inTable:
		return nil
	case name == overNone && c.Method != noCleaning:
		return s.cell(noCleaning, c.T, 0)
	case name == overValidation && c.Method != validationOnly:
		return s.cell(validationOnly, c.T, 0)
	case name == overFORUM && c.Method != forum:
		return s.cell(forum, c.T, s.config.Compared)
	case name == overRhoZero && c.Method == forum && c.Rho != 0 && slices.Contains(s.config.Rho, 0):
		return s.cell(forum, c.T, 0)
	}
	return nil
}

// difference returns the mean over the runs of a cell's measure minus the same measure of the cell it is compared with
// in the given comparison. The measure must be one of paired.
func (s *Tables) difference(c *Cell, name string, measure int) experiment.Estimate {
	if other := s.against(c, name); other != nil {
		return c.Over(&other.Summary, measure)
	}
	return experiment.Unknown()
}

// columns returns the columns of the CSV file. Accuracy and F1 are in percent. Differences are between accuracies and
// come with standard errors. The paper's numbers, in separate columns, are for another problem.
func (s *Tables) columns() []experiment.Column[Cell] {
	// Only q̃, and the deviation over a single run, may be unknown.
	unknown := func(c *Cell, i int) bool { return i == lastQ && c.Method != forum }
	summary := func(c *Cell) *experiment.Summary { return &c.Summary }
	p := &s.config.Problem
	out := slices.Concat([]experiment.Column[Cell]{
		experiment.Key("part", func(c *Cell) any { return c.Part }),
		experiment.Key("method", func(c *Cell) any { return c.Method }),
		experiment.Key("T", func(c *Cell) any { return c.T }),
		experiment.Key("rho", func(c *Cell) any { return c.Rho }),
		experiment.Key("mu", func(c *Cell) any { return orNaN(c.Mu) }),
		experiment.Key("muomega", func(c *Cell) any { return orNaN(c.MuOmega) }),
		experiment.Setting("hidden", func(*Cell) any { return p.Hidden }),
		experiment.Setting("train", func(*Cell) any { return p.Train }),
		experiment.Setting("validation", func(*Cell) any { return p.Validation }),
		experiment.Key("runs", func(c *Cell) any { return c.Wanted }),
		experiment.Setting("seed", func(c *Cell) any { return s.seed(c) }),
		experiment.Setting("steps", func(*Cell) any { return s.config.Steps }),
		experiment.Key("eta", func(c *Cell) any { return c.Eta }),
	}, experiment.SummaryColumns(names[:], summary, unknown))
	for _, p := range paired {
		out = append(out, experiment.EachColumn(p.name, p.measure, summary, nil))
	}
	for _, name := range differences {
		out = append(out, experiment.EstimateColumns("over_"+name, "_se", func(c *Cell) experiment.Estimate {
			return s.difference(c, name, accuracyBoth)
		})...)
	}
	for i, measure := range paperNames {
		out = append(out, experiment.Shown("paper_"+measure, func(c *Cell) any { return c.reported()[i] }))
	}
	return append(out, experiment.Member("paper", func(c *Cell) any {
		paper := map[string]any{}
		for i, v := range c.reported() {
			paper[paperNames[i]] = data.Known(v)
		}
		return paper
	}))
}

// orNaN returns a step size, or NaN if it is 0.
func orNaN(size float64) float64 {
	if size == 0 {
		return math.NaN()
	}
	return size
}

// record returns the JSON file's entries other than the cells.
func (s *Tables) record() map[string]any {
	c, p := &s.config, &s.config.Problem
	return map[string]any{
		"runs": c.Runs, "steps": c.Steps, "eta": c.Eta, "differences": s.recordDifferences(),
		"tuning": map[string]any{"T": c.Tuning.T, "runs": c.Tuning.Runs, "seed": c.Tuning.Seed},
		"problem": map[string]any{"classes": p.Classes, "train": p.Train, "validation": p.Validation, "selection": p.Selection, "test": p.Test,
			"corruption": p.Corruption, "spread": p.Spread, "hidden": p.Hidden, "ridge": p.Ridge, "seed": p.Seed},
	}
}

// recordDifferences returns the known differences for the JSON file.
func (s *Tables) recordDifferences() []map[string]any {
	out := []map[string]any{}
	for c := range s.Each {
		for _, name := range differences {
			for _, p := range paired {
				if d := s.difference(c, name, p.measure); d.Known() {
					out = append(out, map[string]any{"method": c.Method, "T": c.T, "rho": data.Known(c.Rho), "over": name,
						"measure": names[p.measure], "mean": d.Mean, "se": data.Known(d.Spread), "runs": c.Runs})
				}
			}
		}
	}
	return out
}

// Runs implements experiment.Computable.
func (s *Tables) Runs() int { return s.config.Runs }
