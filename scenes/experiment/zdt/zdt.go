// Package zdt compares MosT with its baselines on the problems ZDT1 to ZDT3, by step
// style: Table 5 of its paper.
package zdt

import (
	"encoding/json"
	"fmt"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/algo/transport"
	"paretoplay/scenes/exchange"
	"paretoplay/scenes/experiment"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/plans"
)

const name = "zdt"

// Style is how steps are made of gradients.
type Style struct {
	Kind transport.StepKind
	Eta  float64
	// Decay is the weight decay, ≥ 0.
	Decay float64
}

// title of a style in tables.
func (s Style) title() string {
	text := fmt.Sprintf("%v %g", s.Kind, s.Eta)
	if s.Kind == transport.SignStep && s.Decay == 0 {
		text += ", no decay"
	}
	return text
}

// Config configures the tables.
type Config struct {
	Problems []int // of ZDT1 to ZDT3
	Styles   []Style
	Shape    []float64 // of the Dirichlet distribution of MosT-E's mixtures, a method each
	Extended int       // how many mixtures it has
	D        int       // variables
	M        int       // solutions
	Rounds   int
	Runs     int    // a cell, ≥ 1, each with other starts, weights and mixtures
	Seed     uint64 // of the first run; the others count on
}

// Default is the command line's: the sizes of the paper, and the mixtures and the sign
// steps, with their weight decay, of the authors' public code.
func Default() Config {
	return Config{
		Problems: []int{1, 2, 3},
		Styles: []Style{
			{transport.PlainStep, 0.005, 0}, {transport.PlainStep, 0.05, 0},
			{transport.SignStep, 0.005, transport.DefaultWeightDecay}, {transport.SignStep, 0.005, 0},
			{transport.AdamStep, 0.005, 0},
		},
		Shape: []float64{0.1, 0.5, 1}, Extended: 25, D: problem.ZDTDims, M: 5, Rounds: 1000, Runs: 10, Seed: 1,
	}
}

// What is measured at the end of a run.
const (
	hypervolume = iota
	usual       // the hypervolume below Usual
	remainder   // Σ_{i≥2} x_i, mean of the solutions
	kinds       // Kinds
	measures
)

var names = [measures]string{hypervolume: "hypervolume", usual: "hypervolume_1.1", remainder: "remainder", kinds: "kinds"}

// Page is the page's: fewer runs of each cell.
func Page() Config {
	c := Default()
	c.Runs = 2
	return c
}

// Cell is a method on a problem with a step style.
type Cell struct {
	Problem int
	Style   Style
	Method  string
	Shape   float64 // of MosT-E's mixtures, NaN for other methods
	experiment.Summary

	course *experiment.Course[Cell] // the run under way
}

// MarshalJSON writes null for numbers that are not known, or not yet.
func (c Cell) MarshalJSON() ([]byte, error) {
	record := map[string]any{
		"problem": c.problem(), "step": c.Style.Kind.String(), "eta": c.Style.Eta, "decay": c.Style.Decay, "method": c.Method,
		"shape": exchange.Known(c.Shape), "runs": c.Wanted, "paper": exchange.Known(c.paper()),
	}
	c.Summary.Record(record, names[:])
	return json.Marshal(record)
}

// problem is the name of a cell's problem.
func (c *Cell) problem() string { return fmt.Sprintf("zdt%d", c.Problem) }

// Tables compare the hypervolume of five solutions by problem, step style and method. It
// works in pieces of a few rounds. Runs with the same number share starts in all cells,
// and mixtures or weights where they have such. Its cells are problem by problem and, in
// these, style by style; its panels one for each problem.
type Tables struct {
	*experiment.Grid[Cell]
	config Config
}

// Experiment is the tables of the command line.
var Experiment = experiment.Experiment{
	Name:  name,
	Title: "Hypervolume of five solutions of MosT, MosT-E and their baselines on ZDT1 to ZDT3, by step style (MosT's Table 5)",
	New:   func(o experiment.Options) (experiment.Computable, error) { return New(asked(o)) },
}

// asked is the configuration that options ask for.
func asked(o experiment.Options) Config {
	c := Default()
	c.Runs *= o.Seeds
	if o.Quick {
		c.Runs = max(1, c.Runs/5)
	}
	return c
}

// New returns tables with nothing computed yet, or an error that names the value that is
// out of range.
func New(c Config) (*Tables, error) {
	if c.Runs < 1 || c.Rounds < 1 || c.M < 1 {
		return nil, fmt.Errorf("experiment: runs = %d, rounds = %d and solutions m = %d must be positive", c.Runs, c.Rounds, c.M)
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
				out = append(out, Cell{Problem: number, Style: style, Method: e.method, Shape: e.shape,
					Summary: experiment.Summary{Wanted: c.Runs}})
			}
		}
	}
	return out
}

// effort is about what a run takes relative to one of MGDA's.
func effort(c *Cell) float64 {
	switch c.Method {
	case plans.MOOSVGD, plans.EPO:
		return 3
	case plans.Extended:
		return 2
	}
	return 1
}

// columns of the CSV file.
func (s *Tables) columns() []experiment.Column[Cell] {
	c := &s.config
	columns := []experiment.Column[Cell]{
		experiment.Key("problem", func(c *Cell) any { return c.problem() }),
		experiment.Key("step", func(c *Cell) any { return c.Style.Kind.String() }),
		experiment.Key("eta", func(c *Cell) any { return c.Style.Eta }),
		experiment.Key("decay", func(c *Cell) any { return c.Style.Decay }),
		experiment.Key("method", func(c *Cell) any { return c.Method }),
		experiment.Key("shape", func(c *Cell) any { return c.Shape }),
		experiment.Key("extended", func(*Cell) any { return c.Extended }),
		experiment.Key("d", func(*Cell) any { return c.D }),
		experiment.Key("m", func(*Cell) any { return c.M }),
		experiment.Key("rounds", func(*Cell) any { return c.Rounds }),
		experiment.Key("runs", func(c *Cell) any { return c.Wanted }),
	}
	columns = append(columns, experiment.SummaryColumns(names[:], func(c *Cell) *experiment.Summary { return &c.Summary }, nil)...)
	return append(columns, experiment.Shown("paper", func(c *Cell) any { return c.paper() }))
}

// record returns the contents of the JSON file besides the cells.
func (s *Tables) record() map[string]any {
	c := &s.config
	return map[string]any{"references": References, "m": c.M, "d": c.D, "rounds": c.Rounds, "extended": c.Extended, "seed": c.Seed}
}

// seed is the seed of a run, from 0.
func (s *Tables) seed(run int) uint64 { return s.config.Seed + uint64(run) }

// stepper returns the method of a cell at its starts.
func (s *Tables) stepper(c *Cell, number int) (algo.Stepper, error) {
	p, err := problem.NewZDT(c.Problem, s.config.D)
	if err != nil {
		return nil, err
	}
	offered := append(slices.Clone(shapeless), plans.Extended)
	r := plans.New(offered, offered...)
	r.BindOwn(new(param.List))
	r.Eta, r.Step, r.WeightDecay, r.Tau = c.Style.Eta, c.Style.Kind.String(), c.Style.Decay, 0
	r.Mixtures, r.WithoutOriginals = s.config.Extended, true
	if c.Method == plans.Extended {
		r.Shape = c.Shape
	}
	seed, starts := s.seed(number), race.Starts{Region: 0.5}
	return r.Stepper(c.Method, &plans.Course{
		Problem: algo.Exact(p), Starts: starts.Points(seed, nil, s.config.M, starts.Uniform(s.config.D, 0.5)),
		LowerBounds: LowerBounds(c.Problem), Seed: seed,
	})
}

// piece is the number of rounds between two questions whether to go on.
const piece = 20

// begin starts the next run of a cell.
func (s *Tables) begin(c *Cell) (*experiment.Course[Cell], error) {
	stepper, err := s.stepper(c, c.Runs)
	return &experiment.Course[Cell]{
		Steps: experiment.Steps{
			Name:    fmt.Sprintf("%s on ZDT%d, %s, run %d", c.Method, c.Problem, c.Style.title(), c.Runs+1),
			Stepper: stepper, Left: s.config.Rounds, Piece: piece,
		},
		End: func(c *Cell) error { return s.measure(c, stepper.View()) },
	}, err
}

// measure takes over what a run has come to.
func (s *Tables) measure(c *Cell, v algo.View) error {
	var points [][]float64
	var measured [measures]float64
	for j := range v.Solutions {
		points = append(points, v.F[2*j:2*j+2])
		for _, x := range v.X[j*s.config.D+1 : (j+1)*s.config.D] {
			measured[remainder] += x / float64(v.Solutions)
		}
	}
	var err error
	if measured[hypervolume], err = pareto.Hypervolume(points, References[c.Problem-1]); err != nil {
		return err
	}
	if measured[usual], err = pareto.Hypervolume(points, Usual); err != nil {
		return err
	}
	measured[kinds] = float64(Kinds(points))
	c.Add(measured[:])
	return nil
}

// find returns a cell, nil for none.
func (s *Tables) find(number int, style Style, method string, shape float64) *Cell {
	return experiment.Find(s.Each, func(c *Cell) bool {
		return c.Problem == number && c.Style == style && c.Method == method && (method != plans.Extended || c.Shape == shape)
	})
}
