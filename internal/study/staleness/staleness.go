// Package staleness maps where stale weights make PSMGD collapse to the ends of Fonseca's front, or of the front of
// two bowls.
package staleness

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/portable"
)

// Config configures the map of stale weights.
type Config struct {
	Eta      []float64 // one map per η
	Momentum []float64 // rows: α in [0, 1)
	Period   []int     // columns: R ≥ 1
	Runs     int       // runs per cell; all cells share start points
	Steps    int       // iterations per run
	Region   float64   // start points are uniform in [−Region, Region]²
	Seed     uint64

	Weighting string // rule whose coefficients are reused, one of weightings; "" means MGDA
	Problem   string // Fonseca or Bowls; "" means Fonseca
}

// Problems of a map: Fonseca's problem, and the same problem in other units, whose front is convex.
const (
	Fonseca = "fonseca"
	Bowls   = "quadratic"
)

const mgda = "mgda"

// weightings lists MGDA and the rules that modify the weighted sum. All of them have a direction at every point of
// the two problems.
var weightings = []string{mgda, "cagrad", "sdmgrad"}

// Default returns the configuration of the page and the command line.
func Default() Config {
	return Config{
		Eta: []float64{0.1, 0.3, 0.5}, Momentum: []float64{0, 0.25, 0.5, 0.75, 0.9}, Period: []int{1, 2, 4, 8, 16, 32},
		Runs: 60, Steps: 400, Region: 1.2, Seed: 1,
	}
}

// Cell is a combination of η, α and R on the map.
type Cell struct {
	Eta       float64 `json:"eta"`
	Momentum  float64 `json:"momentum"`
	R         int     `json:"R"`
	Runs      int     `json:"runs"`
	Collapsed int     `json:"collapsed"`
	Done      int     `json:"done"` // finished runs; the cell is complete when all Runs are finished
	Age       float64 `json:"age"`  // mean age of the weights, η·(Rα/(1−α) + (R−1)/2)

	course *experiment.Course[Cell] // the run in progress
}

// Growth returns α(1+2η/e)^R. Near the middle of the front, both gradients balance, and a disturbance of weights with
// momentum α > 0 changes by about this factor between two refreshes. The disturbance grows if the factor exceeds 1.
// Without momentum, Growth is 0 and predicts nothing; whether a run collapses is then decided in its first period.
func (c *Cell) Growth() float64 { return c.Momentum * portable.Pow(1+2*c.Eta/math.E, float64(c.R)) }

// Share returns the share of the finished runs that collapsed.
func (c *Cell) Share() float64 {
	if c.Done == 0 {
		return 0
	}
	return float64(c.Collapsed) / float64(c.Done)
}

// Map computes, for each R, α and η, the share of PSMGD's runs on Fonseca's problem with two variables that end at one
// of the front's ends. A stale weight acts like a fixed one, and on a concave front a fixed weight is unstable. Work is
// done in pieces of one run. The cells are ordered by η, α and R. Each η has a panel with its map. Two more panels show
// the shares over the mean age, and what a longer period saves and costs.
type Map struct {
	*experiment.Grid[Cell]
	// Now returns the page's settings, which the pictures mark, or a cell with R = 0 if there are none. Now may be nil.
	Now func() Cell

	config Config
	starts [][]float64
	plain  bool // whether the map is for MGDA on Fonseca's problem, for which Growth and the bounds on the age hold
}

const name = "fonseca-staleness"

// Experiment describes this map for the command line.
var Experiment = experiment.Experiment{
	Name:  name,
	Title: "Share of PSMGD's runs that collapse to the ends of Fonseca's front, by R, α and η",
	// the rule whose coefficients are reused, and the problem
	Settings: []string{"weighting", "problem"},
	New:      func(o experiment.Options) (experiment.Computable, error) { return New(configFor(o)) },
}

// configFor returns the configuration for the given options.
func configFor(o experiment.Options) Config {
	c := Default()
	c.Weighting, c.Problem = o.Settings["weighting"], o.Settings["problem"]
	c.Runs *= o.Seeds
	c.Seed = o.First(c.Seed)
	if o.Quick {
		c.Runs, c.Steps = max(1, c.Runs/4), c.Steps/2
	}
	return c
}

// New returns a map without results. It returns an error with the name and value of an invalid setting.
func New(c Config) (*Map, error) {
	if c.Runs < 1 || c.Steps < 1 || !(c.Region > 0) {
		return nil, fmt.Errorf("experiment: runs = %d, steps = %d and region = %g must be positive", c.Runs, c.Steps, c.Region)
	}
	c.Weighting, c.Problem = cmp.Or(c.Weighting, mgda), cmp.Or(c.Problem, Fonseca)
	if !slices.Contains(weightings, c.Weighting) {
		return nil, fmt.Errorf("experiment: weighting = %q: allowed are %s", c.Weighting, strings.Join(weightings, " "))
	}
	if c.Problem != Fonseca && c.Problem != Bowls {
		return nil, fmt.Errorf("experiment: problem = %q: allowed are %s %s", c.Problem, Fonseca, Bowls)
	}
	s := &Map{config: c, plain: c.Weighting == mgda && c.Problem == Fonseca}
	var cells []Cell
	for _, eta := range c.Eta {
		for _, alpha := range c.Momentum {
			for _, r := range c.Period {
				cells = append(cells, Cell{Eta: eta, Momentum: alpha, R: r, Runs: c.Runs, Age: descent.WeightAge(r, alpha, eta)})
			}
		}
	}
	starts := runs.Starts{Region: c.Region}
	s.starts = starts.Points(c.Seed, nil, c.Runs, starts.Uniform(2, 0))
	var err error
	s.Grid, err = experiment.NewRuns(experiment.Plan[Cell]{
		Name: name, Kind: "map", Cells: cells, Columns: s.columns(), Encoded: true,
		Parts:  func(c *Cell) (done, wanted int) { return c.Done, c.Runs },
		Wants:  func(c *Cell) *int { return &c.Runs },
		Record: s.record,
		Panels: s.newPanels(), Width: 1200, Height: 800,
	}, func(c *Cell) **experiment.Course[Cell] { return &c.course }, s.begin)
	return s, err
}

// record returns the entries of the JSON file that apply to all cells.
func (s *Map) record() map[string]any {
	out := map[string]any{"steps": s.config.Steps}
	if !s.plain {
		out["weighting"], out["problem"] = s.config.Weighting, s.config.Problem
	}
	return out
}

// columns returns the columns of the CSV file. They include weighting and problem if these differ from the defaults.
func (s *Map) columns() (out []experiment.Column[Cell]) {
	if !s.plain {
		out = append(out, experiment.Setting("weighting", func(*Cell) any { return s.config.Weighting }),
			experiment.Setting("problem", func(*Cell) any { return s.config.Problem }))
	}
	return append(out, []experiment.Column[Cell]{
		experiment.Key("eta", func(c *Cell) any { return c.Eta }),
		experiment.Key("momentum", func(c *Cell) any { return c.Momentum }),
		experiment.Key("R", func(c *Cell) any { return c.R }),
		experiment.Key("runs", func(c *Cell) any { return c.Runs }),
		experiment.Setting("steps", func(*Cell) any { return s.config.Steps }),
		experiment.Value("collapsed", func(c *Cell) any { return c.Collapsed }, func(c *Cell, text string) error {
			collapsed, err := strconv.Atoi(text)
			if err != nil || collapsed < 0 || collapsed > c.Runs {
				return errors.New("not a cell of this map")
			}
			c.Done, c.Collapsed = c.Runs, collapsed
			return nil
		}),
		experiment.Shown("share", func(c *Cell) any { return c.Share() }),
		experiment.Shown("age", func(c *Cell) any { return c.Age }),
	}...)
}

// ended is a problem whose End returns a limit: a point with an objective below the limit counts as an end of the
// front.
type ended interface {
	algo.Sampled
	End() float64
}

func (s *Map) problem() (ended, error) {
	if s.config.Problem == Bowls {
		return problem.NewTwoQuadratics(2, 0)
	}
	return problem.NewFonseca(2, 0)
}

// rule returns the weighting for a run, with its default parameters.
func (s *Map) rule(start int) (algo.Weighting, error) {
	method, _ := weighting.Lookup(s.config.Weighting)
	return method.Bind(new(param.List), "")(weighting.Context{Objectives: 2, Seed: s.config.Seed, Start: start})
}

// begin starts a cell's next run.
func (s *Map) begin(c *Cell) (*experiment.Course[Cell], error) {
	if c.R < 1 { // a stepper would treat 0 as 1
		return nil, fmt.Errorf("period R = %d: it must be at least 1", c.R)
	}
	f, err := s.problem()
	if err != nil {
		return nil, err
	}
	rule, err := s.rule(c.Done)
	if err != nil {
		return nil, err
	}
	stepper, err := descent.NewPSMGD(descent.Config{
		Problem: f, Start: s.starts[c.Done], Weighting: rule, Period: c.R, StepSize: c.Eta, Momentum: c.Momentum, Seed: s.config.Seed,
		StartIndex: c.Done,
	})
	return &experiment.Course[Cell]{
		Steps: experiment.Steps{
			Name:    fmt.Sprintf("η = %g, α = %g, R = %d, run %d", c.Eta, c.Momentum, c.R, c.Done+1),
			Stepper: stepper, Left: s.config.Steps, Piece: s.config.Steps,
		},
		End: func(c *Cell) error {
			if slices.Min(stepper.View().F) < f.End() {
				c.Collapsed++
			}
			c.Done++
			return nil
		},
	}, err
}

// Runs implements experiment.Computable.
func (s *Map) Runs() int { return s.config.Runs }
