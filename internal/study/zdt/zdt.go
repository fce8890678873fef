// Package zdt compares MosT with its baselines on the problems ZDT1 to ZDT3, by style of step. It reproduces Table 5 of the MosT paper.
package zdt

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/algo/transport"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/plans"
)

const name = "zdt"

// Style describes how steps are computed from gradients.
type Style struct {
	Kind transport.StepKind
	Eta  float64
	// Decay is the weight decay, ≥ 0.
	Decay float64
}

// title returns a style's name in tables.
func (s Style) title() string {
	text := fmt.Sprintf("%v %g", s.Kind, s.Eta)
	if s.Kind == transport.SignStep && s.Decay == 0 {
		text += ", no decay"
	}
	return text
}

// Config configures the tables.
type Config struct {
	Problems []int // numbers of ZDT problems, from 1 to 3
	Styles   []Style
	Shape    []float64 // parameters of the Dirichlet distribution of MosT-E's mixtures; each gives a variant of MosT-E
	Extended int       // number of mixtures
	D        int       // number of variables
	M        int       // number of solutions
	Rounds   int
	Runs     int    // runs per cell, ≥ 1, each with different starts, weights and mixtures
	Seed     uint64 // seed of the first run; the next runs use the following seeds
	// Trials ≥ 0 is the number of additional runs that choose MosT-E's shape for each problem and style. 0 means that
	// no shape is chosen. TrialSeed is the first trial's seed; no trial may share a seed with a run.
	Trials    int
	TrialSeed uint64
}

// Default returns the command line's configuration. It uses the paper's sizes. The mixtures, the sign steps and
// their weight decay are those of the authors' public code. Shapes are chosen with seeds other than those of the
// compared runs, because on the same runs the chosen shape would look better than it is.
func Default() Config {
	return Config{
		Problems: []int{1, 2, 3},
		Styles: []Style{
			{transport.PlainStep, 0.005, 0}, {transport.PlainStep, 0.05, 0},
			{transport.SignStep, 0.005, transport.DefaultWeightDecay}, {transport.SignStep, 0.005, 0},
			{transport.AdamStep, 0.005, 0},
		},
		Shape: []float64{0.1, 0.5, 1}, Extended: 25, D: problem.ZDTDims, M: 5, Rounds: 1000, Runs: 20, Seed: 1,
		Trials: 10, TrialSeed: 101,
	}
}

// Measures at the end of a run.
const (
	hypervolume = iota
	usual       // hypervolume with reference point Usual
	remainder   // Σ_{i≥2} x_i, averaged over the solutions
	kinds       // see Kinds
	measures
)

var names = [measures]string{hypervolume: "hypervolume", usual: "hypervolume_1.1", remainder: "remainder", kinds: "kinds"}

// Page returns the page's configuration. It has fewer runs per cell, and shows every shape, because few runs are not
// enough to choose one.
func Page() Config {
	c := Default()
	c.Runs, c.Trials = 2, 0
	return c
}

// Cell is a method on a problem with a style of step.
type Cell struct {
	Problem int
	Style   Style
	Method  string
	Shape   float64 // shape of MosT-E's mixtures; NaN for other methods
	experiment.Summary

	Trials int       // number of runs for choosing a shape; 0 for other methods
	Tried  []float64 // hypervolumes of the finished trials

	course *experiment.Course[Cell] // the run in progress
}

// Parts returns the numbers of finished and wanted runs, including trials.
func (c *Cell) Parts() (done, wanted int) { return len(c.Tried) + c.Runs, c.Trials + c.Wanted }

// problem returns the name of a cell's problem.
func (c *Cell) problem() string { return fmt.Sprintf("zdt%d", c.Problem) }

// Tables compares the hypervolumes of five solutions by problem, style of step and method. Work is done in pieces of
// a few rounds. Runs with the same number share starts in all cells, and also mixtures or weights if these are drawn.
// The cells are ordered by problem, then by style. Each problem has one panel.
type Tables struct {
	*experiment.Grid[Cell]
	config Config
}

// Experiment describes these tables for the command line.
var Experiment = experiment.Experiment{
	Name:  name,
	Title: "Hypervolume of five solutions of MosT, MosT-E and their baselines on ZDT1 to ZDT3, by step style (MosT's Table 5)",
	New:   func(o experiment.Options) (experiment.Computable, error) { return New(configFor(o)) },
}

// configFor returns the configuration for the given options.
func configFor(o experiment.Options) Config {
	c := Default()
	c.Runs *= o.Seeds
	c.Seed = o.First(c.Seed)
	if o.Quick {
		c.Runs, c.Trials = max(1, c.Runs/10), max(1, c.Trials/5)
	}
	c.TrialSeed = max(c.TrialSeed, c.Seed+uint64(c.Runs))
	return c
}

// New returns tables without results. It returns an error with the name and value of an invalid setting.
func New(c Config) (*Tables, error) {
	if c.Runs < 1 || c.Rounds < 1 || c.M < 1 {
		return nil, fmt.Errorf("experiment: runs = %d, rounds = %d and solutions m = %d must be positive", c.Runs, c.Rounds, c.M)
	}
	if c.Trials < 0 {
		return nil, fmt.Errorf("experiment: trials = %d must not be negative", c.Trials)
	}
	if c.Trials > 0 && c.TrialSeed < c.Seed+uint64(c.Runs) && c.Seed < c.TrialSeed+uint64(c.Trials) {
		return nil, fmt.Errorf("experiment: the %d trials from seed %d overlap the seeds of the %d runs from seed %d",
			c.Trials, c.TrialSeed, c.Runs, c.Seed)
	}
	s := &Tables{config: c}
	var err error
	s.Grid, err = experiment.NewRuns(experiment.Plan[Cell]{
		Name: name, Kind: "table", Cells: c.cells(), Columns: s.columns(),
		Parts:  (*Cell).Parts,
		Effort: effort,
		Record: s.record,
		Panels: s.newPanels(), Width: 1280, Height: 460,
	}, func(c *Cell) **experiment.Course[Cell] { return &c.course }, s.begin)
	return s, err
}

func (c *Config) cells() (out []Cell) {
	for _, number := range c.Problems {
		for _, style := range c.Styles {
			for _, e := range c.entries() {
				cell := Cell{Problem: number, Style: style, Method: e.method, Shape: e.shape, Summary: experiment.Summary{Wanted: c.Runs}}
				if e.method == plans.Extended {
					cell.Trials = c.Trials
				}
				out = append(out, cell)
			}
		}
	}
	return out
}

// effort returns the estimated cost of a run relative to a run of MGDA.
func effort(c *Cell) float64 {
	switch c.Method {
	case plans.MOOSVGD, plans.EPO:
		return 3
	case plans.Extended:
		return 2
	}
	return 1
}

// columns returns the columns of the CSV file.
func (s *Tables) columns() []experiment.Column[Cell] {
	c := &s.config
	columns := []experiment.Column[Cell]{
		experiment.Key("problem", func(c *Cell) any { return c.problem() }),
		experiment.Key("step", func(c *Cell) any { return string(c.Style.Kind) }),
		experiment.Key("eta", func(c *Cell) any { return c.Style.Eta }),
		experiment.Key("decay", func(c *Cell) any { return c.Style.Decay }),
		experiment.Key("method", func(c *Cell) any { return c.Method }),
		experiment.Key("shape", func(c *Cell) any { return c.Shape }),
		experiment.Setting("extended", func(*Cell) any { return c.Extended }),
		experiment.Setting("d", func(*Cell) any { return c.D }),
		experiment.Setting("m", func(*Cell) any { return c.M }),
		experiment.Setting("rounds", func(*Cell) any { return c.Rounds }),
		experiment.Key("runs", func(c *Cell) any { return c.Wanted }),
		experiment.Setting("trials", func(c *Cell) any { return c.Trials }),
	}
	summary := func(c *Cell) *experiment.Summary { return &c.Summary }
	columns = append(columns, experiment.SummaryColumns(names[:], summary, nil)...)
	return append(columns,
		experiment.Shown("paper", func(c *Cell) any { return c.paper() }).InJSON(true),
		experiment.Shown("chosen", func(c *Cell) any {
			if s.chosen(c.Problem, c.Style) == c {
				return 1
			}
			return 0
		}),
		experiment.EachColumn("each", hypervolume, summary, nil).InJSON(false),
		experiment.Value("tried", func(c *Cell) any { return c.Tried }, func(c *Cell, text string) (err error) {
			c.Tried, err = experiment.SplitNumbers(text, c.Trials)
			return err
		}),
	)
}

// record returns the JSON file's entries other than the cells.
func (s *Tables) record() map[string]any {
	c := &s.config
	return map[string]any{"references": References, "m": c.M, "d": c.D, "rounds": c.Rounds, "extended": c.Extended, "seed": c.Seed,
		"trials": c.Trials, "trialSeed": c.TrialSeed}
}

// next returns the seed of a cell's next run. It also reports whether the run is a trial that chooses the shape.
func (s *Tables) next(c *Cell) (seed uint64, trial bool) {
	if n := len(c.Tried); n < c.Trials {
		return s.config.TrialSeed + uint64(n), true
	}
	return s.config.Seed + uint64(c.Runs), false
}

// stepper returns a stepper that runs a cell's method from the start points drawn with the given seed.
func (s *Tables) stepper(c *Cell, seed uint64) (algo.Stepper, error) {
	p, err := problem.NewZDT(c.Problem, s.config.D)
	if err != nil {
		return nil, err
	}
	method, sums := c.Method, [][]float64(nil)
	if method == even {
		method, sums = plans.Linearization, evenSums(s.config.M)
	}
	r := plans.New([]string{method}, method)
	r.BindOwn(new(param.List))
	r.Eta, r.Step, r.WeightDecay, r.Tau = c.Style.Eta, string(c.Style.Kind), c.Style.Decay, 0
	r.Mixtures, r.WithoutOriginals = s.config.Extended, true
	if c.Method == plans.Extended {
		r.Shape = c.Shape
	}
	starts := runs.Starts{Region: 0.5}
	return r.Stepper(method, &plans.Course{
		Problem: algo.Exact(p), Starts: starts.Points(seed, nil, s.config.M, starts.Uniform(s.config.D, 0.5)),
		Sums: sums, LowerBounds: LowerBounds(c.Problem), Seed: seed,
	})
}

// piece is the number of rounds after which an experiment checks whether to continue.
const piece = 20

// begin starts a cell's next run.
func (s *Tables) begin(c *Cell) (*experiment.Course[Cell], error) {
	seed, trial := s.next(c)
	stepper, err := s.stepper(c, seed)
	return &experiment.Course[Cell]{
		Steps: experiment.Steps{
			Name:    fmt.Sprintf("%s on ZDT%d, %s, seed %d", c.Method, c.Problem, c.Style.title(), seed),
			Stepper: stepper, Left: s.config.Rounds, Piece: piece,
		},
		End: func(c *Cell) error {
			measured, err := s.measure(c, stepper.View())
			switch {
			case err != nil:
				return err
			case trial:
				c.Tried = append(c.Tried, measured[hypervolume])
			default:
				c.Add(measured[:])
			}
			return nil
		},
	}, err
}

// measure computes the measures of a run from its final view.
func (s *Tables) measure(c *Cell, v algo.View) (measured [measures]float64, err error) {
	var points [][]float64
	for j := range v.Solutions {
		points = append(points, v.F[2*j:2*j+2])
		for _, x := range v.X[j*s.config.D+1 : (j+1)*s.config.D] {
			measured[remainder] += x / float64(v.Solutions)
		}
	}
	if measured[hypervolume], err = pareto.Hypervolume(points, References[c.Problem-1]); err != nil {
		return measured, err
	}
	measured[kinds] = float64(Kinds(points))
	measured[usual], err = pareto.Hypervolume(points, Usual)
	return measured, err
}

// chosen returns the cell of MosT-E whose shape has the largest mean hypervolume in its trials. If several are
// equally good, it returns the first. It returns nil until all trials are complete.
func (s *Tables) chosen(number int, style Style) *Cell {
	cells := experiment.Where(s.Each, func(c *Cell) bool { return c.Problem == number && c.Style == style && c.Method == plans.Extended })
	for _, c := range cells {
		if len(c.Tried) < max(c.Trials, 1) {
			return nil
		}
	}
	return experiment.Largest(cells, func(c *Cell) float64 { return experiment.WithDeviation(c.Tried).Mean })
}

// find returns the cell with the given settings, or nil if there is none.
func (s *Tables) find(number int, style Style, method string, shape float64) *Cell {
	return experiment.Find(s.Each, func(c *Cell) bool {
		return c.Problem == number && c.Style == style && c.Method == method && (method != plans.Extended || c.Shape == shape)
	})
}

// Runs implements experiment.Computable.
func (s *Tables) Runs() int { return s.config.Runs }
