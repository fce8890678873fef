// Package networkgrid trains a network on forty, eight and two tasks, with methods that weight the tasks and with the
// plain sum of the losses. It measures the benefit and the cost of weighting.
package networkgrid

import (
	"fmt"
	"math"
	"slices"
	"time"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem/network"
	"paretoplay/algo/problem/network/pictures"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
)

const name = "network"

// Names of rules and methods.
const (
	equal = "ls"
	mgda  = "mgda"
	psmgd = "psmgd"
)

// Variant is a method with its settings.
type Variant struct {
	Method    string  // psmgd, or the name of a weighting that computes new weights in every step
	R         int     // number of steps with the same weights; 1 except for psmgd
	Momentum  float64 // α in psmgd
	Normalize string  // normalisation of gradients in mgda and psmgd: none, l2, loss or loss+
	Optimizer descent.OptimizerKind
}

// of returns the usual variant of a method: with Adam, and with new weights in every step.
func of(method string) Variant {
	return Variant{Method: method, R: 1, Normalize: weighting.NormalizeNone.String(), Optimizer: descent.Adam}
}

// every returns PSMGD with weights that stay fixed for R steps.
func every(r int) Variant {
	v := of(psmgd)
	v.R = r
	return v
}

// normalized returns v, a variant of MGDA or PSMGD, with the given normalisation of gradients.
func (v Variant) normalized(by weighting.Normalization) Variant {
	v.Normalize = by.String()
	return v
}

// moving returns the variant with momentum alpha in its weights.
func (v Variant) moving(alpha float64) Variant {
	v.Momentum = alpha
	return v
}

// plain returns the variant with plain descent instead of Adam.
func (v Variant) plain() Variant {
	v.Optimizer = descent.Plain
	return v
}

// Config configures the tables.
type Config struct {
	Tasks    []int // sizes of the task sets, one table each
	Compared []Variant
	// Further lists additional variants for sets of more than two tasks.
	Further []Variant
	Plain   []Variant // variants with plain descent, for the largest task set
	Steps   int       // steps per training run
	Batch   int
	Runs    int // runs per cell, ≥ 1, each with different pairs of digits, initial parameters and batches
	Seed    uint64
	Train   network.Config // all but Digits, Tasks and Seed, which the tables set
	Tuning  Tuning
	Timed   int // number of timed runs with Clocked steps each; 0 means none
	Clocked int
}

// Tuning configures how step sizes are chosen: by the mean loss on validation pairs after training runs with separate
// seeds.
type Tuning struct {
	Eta, PlainEta []float64 // step sizes to try with Adam and with plain descent
	Runs          int       // runs per step size; 0 means none
	Seed          uint64    // seed of the first run; the next runs use the following seeds
}

// usualPeriod is PSMGD's R in comparisons with other methods. It is the paper's R with forty tasks.
const usualPeriod = 8

// Default returns the command line's configuration.
func Default() Config {
	compared := []Variant{of(equal), of("rlw"), of("uw"), of("famo"), every(usualPeriod), of(mgda), of("cagrad"), of("upgrad"), of("nashmtl")}
	var plain []Variant
	for _, v := range compared {
		plain = append(plain, v.plain())
	}
	return Config{
		Tasks: []int{network.TwoDigits, 8, network.AllTasks}, Compared: compared, Plain: plain,
		Further: []Variant{every(2), every(4), every(16), every(32), every(usualPeriod).moving(0.5), every(usualPeriod).moving(0.9),
			of(mgda).normalized(weighting.NormalizeL2), of(mgda).normalized(weighting.NormalizeLoss),
			of(mgda).normalized(weighting.NormalizeLossPlus),
			every(usualPeriod).normalized(weighting.NormalizeL2), every(usualPeriod).normalized(weighting.NormalizeLossPlus)},
		Steps: 500, Batch: 64, Runs: 20, Seed: 1,
		Tuning: Tuning{Eta: []float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05}, PlainEta: []float64{0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5}, Runs: 3,
			Seed: 1_000_001},
		Timed: 5, Clocked: 40,
	}
}

// quick returns a smaller configuration that takes a few seconds to compute.
func (c Config) quick() Config {
	c.Tasks, c.Further, c.Plain = []int{8}, nil, nil
	c.Compared = []Variant{of(equal), every(usualPeriod), of(mgda)}
	c.Steps, c.Runs, c.Tuning.Runs, c.Timed = 200, max(1, c.Runs/5), 0, 2
	return c
}

// Parts of the grid, as named in files.
const (
	inTable  = "table"
	inTuning = "tuning"
	inTime   = "time"
)

// looks is the number of loss measurements on test pairs during a training run.
const looks = 10

// Measures of a run, in the order of Cell's numbers. Unless noted otherwise, a measure is a mean over the tasks,
// taken on test pairs after the last step. Accuracies are fractions.
const (
	loss       = iota
	accuracy   // share of correct answers
	balanced   // balanced accuracy
	worst      // lowest balanced accuracy over the tasks
	validation // loss on validation pairs
	cost       // backpropagations
	seconds    // processor time per step
	course     // the first of looks values: the loss after each tenth of the training run
	measures   = course + looks
)

var names = func() (out [measures]string) {
	copy(out[:], []string{"loss", "accuracy", "balanced", "worst", "validation", "backpropagations", "seconds"})
	for i := range looks {
		out[course+i] = fmt.Sprintf("loss_at_%d", i+1)
	}
	return out
}()

// paired lists the measures that are stored for each run.
var paired = []struct {
	measure int
	name    string
}{{loss, "losses"}, {accuracy, "accuracies"}, {worst, "worsts"}, {validation, "validations"}, {seconds, "times"}}

// Cell is a variant on a set of tasks.
type Cell struct {
	Part  string
	Tasks int
	Variant
	Eta float64
	experiment.Summary

	course *experiment.Course[Cell] // the run in progress
}

// Tables compares methods on networks with two, eight and forty tasks. Every run has its own pairs of digits, initial
// parameters and batches. They are the same in all cells of a task set, so methods are compared run by run. Step
// sizes are tuned for each method and task set. Rules without gradients cost one backpropagation per step, and others
// cost one per task.
type Tables struct {
	*experiment.Grid[Cell]
	config Config
	digits *network.Digits
}

// Experiment describes these tables for the command line.
var Experiment = experiment.Experiment{
	Name:  name,
	Title: "Forty tasks in one network: loss, accuracy and time of PSMGD, MGDA and others against the plain sum, tuned and paired",
	New:   func(o experiment.Options) (experiment.Computable, error) { return New(configFor(o)) },
}

// configFor returns the configuration for the given options.
func configFor(o experiment.Options) Config {
	c := Default()
	c.Runs *= o.Seeds
	c.Tuning.Seed -= c.Seed
	c.Seed = o.First(c.Seed)
	c.Tuning.Seed += c.Seed // keep the default distance between the two seeds
	if o.Quick {
		c = c.quick()
	}
	return c
}

// New returns tables without results. It returns an error with the name and value of an invalid setting.
func New(c Config) (*Tables, error) {
	if c.Runs < 1 || c.Steps < looks || c.Batch < 1 || c.Tuning.Runs < 0 || c.Timed < 0 {
		return nil, fmt.Errorf("experiment: runs = %d and batch = %d must be positive, steps = %d at least %d, "+
			"tuning runs = %d and timed = %d must not be negative", c.Runs, c.Batch, c.Steps, looks, c.Tuning.Runs, c.Timed)
	}
	s := &Tables{config: c}
	var err error
	if s.digits, err = pictures.Read(); err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	s.Grid, err = experiment.NewRuns(experiment.Plan[Cell]{
		Name: name, Kind: "table", Cells: c.cells(), Columns: s.columns(),
		Parts:  (*Cell).Parts,
		Effort: s.effort,
		Alone:  func(c *Cell) bool { return c.Part == inTime },
		Record: s.record,
		Panels: s.newPanels(), Width: 1280, Height: 460,
	}, func(c *Cell) **experiment.Course[Cell] { return &c.course }, s.begin)
	return s, err
}

// variants lists the variants that are compared on a set of tasks.
func (c *Config) variants(tasks int) []Variant {
	out := slices.Clone(c.Compared)
	if tasks > network.TwoDigits {
		out = append(out, c.Further...)
	}
	if tasks == slices.Max(c.Tasks) {
		out = append(out, c.Plain...)
	}
	return out
}

func (c *Config) cells() (out []Cell) {
	each := func(part string, runs int, eta func(tasks int, v Variant) []float64) {
		if runs == 0 {
			return
		}
		for _, tasks := range c.Tasks {
			for _, v := range c.variants(tasks) {
				for _, eta := range eta(tasks, v) {
					out = append(out, Cell{Part: part, Tasks: tasks, Variant: v, Eta: eta, Summary: experiment.Summary{Wanted: runs}})
				}
			}
		}
	}
	chosen := func(tasks int, v Variant) []float64 { return []float64{StepSize(tasks, v)} }
	each(inTable, c.Runs, chosen)
	each(inTime, c.Timed, chosen)
	each(inTuning, c.Tuning.Runs, func(_ int, v Variant) []float64 {
		if v.Optimizer == descent.Plain {
			return c.Tuning.PlainEta
		}
		return c.Tuning.Eta
	})
	return out
}

// seed returns the seed of a cell's first run.
func (s *Tables) seed(c *Cell) uint64 {
	if c.Part == inTuning {
		return s.config.Tuning.Seed
	}
	return s.config.Seed
}

// rule returns a variant's weighting.
func (v Variant) rule(tasks int, seed uint64) (algo.Weighting, error) {
	method, settings := v.Method, []string{}
	if method == psmgd {
		method = mgda
	}
	if method == mgda {
		settings = append(settings, "normalize="+v.Normalize)
	}
	return weighting.NewFor(weighting.Context{Objectives: tasks, Seed: seed}, method, settings...)
}

// stepper returns a training run of a cell with the given seed, and the run's network.
func (s *Tables) stepper(c *Cell, seed uint64) (*training, error) {
	config := s.config.Train
	config.Digits, config.Tasks, config.Seed = s.digits, c.Tasks, seed
	n, err := network.New(config)
	if err != nil {
		return nil, err
	}
	rule, err := c.rule(c.Tasks, seed)
	if err != nil {
		return nil, err
	}
	stepper, err := descent.NewPSMGD(descent.Config{
		Problem: n, Start: n.Start(seed), Weighting: rule, Period: c.R, Momentum: c.Momentum, StepSize: c.Eta, Seed: seed,
		Optimizer: descent.Optimizer{Kind: c.Optimizer}, Batch: s.config.Batch, ConstantBatch: true, ValuesEvery: s.config.Steps,
		Watched: n.Watch(s.config.Batch), Frugal: true,
	})
	if err != nil {
		return nil, err
	}
	return &training{PSMGD: stepper, network: n}, nil
}

// training is a stepper that stops after it diverges, so that step sizes that are too large can be tried.
type training struct {
	*descent.PSMGD
	network *network.Network
	left    bool // whether the run has ended early, for example by diverging
}

// Step takes a step unless the training run has stopped.
func (t *training) Step() (algo.Status, error) {
	status, err := t.PSMGD.Step()
	t.left = t.left || status != algo.Running
	return algo.Running, err
}

// piece is the number of steps after which an experiment checks whether to continue.
const piece = 10

// begin starts a cell's next run.
func (s *Tables) begin(c *Cell) (*experiment.Course[Cell], error) {
	seed := s.seed(c) + uint64(c.Runs)
	t, err := s.stepper(c, seed)
	if err != nil {
		return nil, err
	}
	measured := make([]float64, measures)
	for i := range measured {
		measured[i] = math.NaN()
	}
	steps := s.config.Steps
	r := &experiment.Course[Cell]{Steps: experiment.Steps{
		Name: fmt.Sprintf("%s, S = %d, η = %g, seed %d", c.title(), c.Tasks, c.Eta, seed), Stepper: t, Left: steps, Piece: piece,
	}}
	var score network.Score
	judge := func(split network.Split) {
		score.Reset(t.network)
		t.network.Judge(&score, t.View().X, split, 0, t.network.Size(split))
	}
	if c.Part == inTime {
		r.Left, r.Piece = s.config.Clocked, s.config.Clocked
		var begun time.Duration
		first := true
		r.Look = func() {
			if first { // the first step allocates memory for the others
				begun, first = experiment.ProcessorTime(), false
			}
		}
		r.End = func(c *Cell) error {
			measured[seconds] = (experiment.ProcessorTime() - begun).Seconds() / float64(s.config.Clocked-1)
			c.Add(measured)
			return nil
		}
		return r, nil
	}
	r.Look = func() {
		if k := steps - r.Left; c.Part == inTable && k*looks%steps == 0 {
			judge(network.Test)
			measured[course+k*looks/steps-1] = score.Mean(score.Loss)
		}
	}
	r.End = func(c *Cell) error {
		if c.Part == inTable {
			if t.left {
				return fmt.Errorf("%s: the training ended early", r.Name)
			}
			judge(network.Test)
			measured[loss], measured[accuracy], measured[balanced] = score.Mean(score.Loss), score.Mean(score.Accuracy), score.Mean(score.Balanced)
			measured[worst], _ = score.Least(score.Balanced)
			measured[cost] = float64(t.View().Cost.Backpropagations)
		}
		judge(network.Validation)
		measured[validation] = score.Mean(score.Loss)
		c.Add(measured)
		return nil
	}
	return r, nil
}

// effort returns a run's estimated time in milliseconds.
func (s *Tables) effort(c *Cell) float64 {
	all, one := 0.15+float64(0.12*float64(c.Tasks)), 0.3
	rule, _ := weighting.Lookup(c.Method)
	share := 1 / float64(c.R)
	if rule.Needs.Blind {
		share = 0
	}
	steps := s.config.Steps
	if c.Part == inTime {
		steps = s.config.Clocked
	}
	return float64(steps) * (float64(share*all) + one)
}

// cell returns a cell of the tables, or nil if there is none.
func (s *Tables) cell(part string, tasks int, v Variant) *Cell {
	return experiment.Find(s.Each, func(c *Cell) bool { return c.Part == part && c.Tasks == tasks && c.Variant == v })
}

// baseline returns the cell with equal weights and the same optimizer on the same tasks.
func (s *Tables) baseline(c *Cell) *Cell {
	v := of(equal)
	v.Optimizer = c.Optimizer
	return s.cell(inTable, c.Tasks, v)
}

// over returns the mean difference between a cell's measure and that of equal weights, paired by run, with its
// standard error.
func (s *Tables) over(c *Cell, measure int) experiment.Estimate {
	other := s.baseline(c)
	if c.Part != inTable || other == nil {
		return experiment.Unknown()
	}
	return c.Over(&other.Summary, measure)
}

// columns returns the columns of the CSV file.
func (s *Tables) columns() []experiment.Column[Cell] {
	summary := func(c *Cell) *experiment.Summary { return &c.Summary }
	lacks := func(c *Cell, i int) bool {
		switch c.Part {
		case inTime:
			return i != seconds
		case inTuning:
			return i != validation
		}
		return i == seconds
	}
	out := slices.Concat([]experiment.Column[Cell]{
		experiment.Key("part", func(c *Cell) any { return c.Part }),
		experiment.Key("S", func(c *Cell) any { return c.Tasks }),
		experiment.Key("method", func(c *Cell) any { return c.Method }),
		experiment.Key("R", func(c *Cell) any { return c.R }),
		experiment.Key("momentum", func(c *Cell) any { return c.Momentum }),
		experiment.Key("normalize", func(c *Cell) any { return c.Normalize }),
		experiment.Key("optimizer", func(c *Cell) any { return string(c.Optimizer) }),
		experiment.Key("eta", func(c *Cell) any { return c.Eta }),
		experiment.Key("runs", func(c *Cell) any { return c.Wanted }),
		experiment.Setting("seed", func(c *Cell) any { return s.seed(c) }),
		experiment.Setting("steps", func(*Cell) any { return s.config.Steps }),
		experiment.Setting("batch", func(*Cell) any { return s.config.Batch }),
	}, experiment.SummaryColumns(names[:], summary, lacks))
	for _, p := range paired {
		out = append(out, experiment.EachColumn(p.name, p.measure, summary, lacks))
	}
	return append(out, experiment.EstimateColumns("over_equal", "_se", func(c *Cell) experiment.Estimate { return s.over(c, loss) })...)
}

// record returns the JSON file's entries other than the cells.
func (s *Tables) record() map[string]any {
	c := &s.config
	differences := []map[string]any{}
	for cell := range s.Each {
		if d := s.over(cell, loss); d.Known() {
			differences = append(differences, map[string]any{"S": cell.Tasks, "method": cell.Method, "R": cell.R, "momentum": cell.Momentum,
				"normalize": cell.Normalize, "optimizer": string(cell.Optimizer), "loss": d.Mean, "se": data.Known(d.Spread)})
		}
	}
	return map[string]any{"runs": c.Runs, "steps": c.Steps, "batch": c.Batch, "seed": c.Seed, "over_equal": differences,
		"tuning": map[string]any{"runs": c.Tuning.Runs, "seed": c.Tuning.Seed, "eta": c.Tuning.Eta, "plain_eta": c.Tuning.PlainEta}}
}

// Runs implements experiment.Computable.
func (s *Tables) Runs() int { return s.config.Runs }
