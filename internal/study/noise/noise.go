// Package noise maps where noise in the gradients is enough to make methods collapse to the ends of Fonseca's front.
package noise

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"paretoplay/algo/descent"
	"paretoplay/algo/problem"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs"
)

const name = "fonseca-noise"

// Names of the compared methods. MGDA, CR-MOGM and PSMGD are the methods of the maps' cells; they are one algorithm
// with different R and α.
const (
	ls      = "ls"
	mgda    = "mgda"
	crmogm  = "crmogm"
	psmgd   = "psmgd"
	moco    = "moco"
	modo    = "modo"
	sdmgrad = "sdmgrad"
)

// Config configures the maps.
type Config struct {
	Sigma    []float64 // columns: standard deviation of the noise in each entry, ≥ 0
	Momentum []float64 // rows of a map: α in [0, 1)
	Period   []int     // one map per R, ≥ 1
	Runs     int       // runs per cell; all cells share start points and noise
	Steps    int       // iterations per run
	D        int       // number of variables
	Eta      float64   // step size
	Region   float64   // start points are uniform in [−Region, Region]^D
	Seed     uint64
}

// Default returns the command line's configuration.
func Default() Config {
	return Config{
		Sigma: []float64{0, 0.02, 0.05, 0.1, 0.2}, Momentum: []float64{0, 0.5, 0.9}, Period: []int{1, 4},
		Runs: 50, Steps: 1000, D: 20, Eta: 0.1, Region: 0.3, Seed: 1,
	}
}

// Page returns the page's configuration, which has fewer runs per cell.
func Page() Config {
	c := Default()
	c.Runs = 10
	return c
}

// Cell is a method at a noise level.
type Cell struct {
	Method   string  `json:"method"`
	R        int     `json:"R"`        // 1 for methods that compute weights in every iteration
	Momentum float64 `json:"momentum"` // 0 for methods without this kind of momentum
	Sigma    float64 `json:"sigma"`
	Runs     int     `json:"runs"`
	// Ends contains one character for each finished run. It is 1 if the run ended at the end of the front with the
	// smallest f1, 2 if it ended at the other end, and a dot otherwise.
	Ends string `json:"ends"`

	course *experiment.Course[Cell] // the run in progress
}

// Done returns the number of finished runs.
func (c *Cell) Done() int { return len(c.Ends) }

// Collapsed returns the number of finished runs that ended at an end of the front.
func (c *Cell) Collapsed() int { return len(c.Ends) - strings.Count(c.Ends, elsewhere) }

// elsewhere marks a run that did not collapse.
const elsewhere = "."

// Share returns the share of the finished runs that collapsed.
func (c *Cell) Share() float64 {
	if c.Done() == 0 {
		return 0
	}
	return float64(c.Collapsed()) / float64(c.Done())
}

// Map computes the share of runs on Fonseca's problem that end at an end of the front, by noise in the gradients,
// method, α and R. The two gradients balance if the shorter one has the larger weight. Noise lengthens both
// gradients, which pulls weights towards ½ if they are computed from the same noisy gradients as the step. Work is
// done in pieces of a few iterations. The maps' cells come first, ordered by R, α and σ, followed by the cells of the
// other methods, ordered by σ. Each R has a panel with its map, and one more panel shows the methods' shares over σ.
type Map struct {
	*experiment.Grid[Cell]
	config Config
	starts [][]float64
}

// Experiment describes these maps for the command line.
var Experiment = experiment.Experiment{
	Name:  name,
	Title: "Share of runs that collapse to the ends of Fonseca's front because of noise alone, by σ, α and R, and by method",
	New:   func(o experiment.Options) (experiment.Computable, error) { return New(configFor(o)) },
}

// configFor returns the configuration for the given options.
func configFor(o experiment.Options) Config {
	c := Default()
	c.Runs *= o.Seeds
	c.Seed = o.First(c.Seed)
	if o.Quick {
		c.Runs = max(1, c.Runs/5)
	}
	return c
}

// others lists the methods that are compared with the maps' methods.
var others = []string{ls, moco, modo, sdmgrad}

// called returns the name of the method with the given period and momentum.
func called(period int, momentum float64) string {
	switch {
	case period > 1:
		return psmgd
	case momentum > 0:
		return crmogm
	}
	return mgda
}

// New returns maps without results. It returns an error with the name and value of an invalid setting.
func New(c Config) (*Map, error) {
	if c.Runs < 1 || c.Steps < 1 || !(c.Region > 0) {
		return nil, fmt.Errorf("experiment: runs = %d, steps = %d and region = %g must be positive", c.Runs, c.Steps, c.Region)
	}
	s := &Map{config: c}
	var cells []Cell
	for _, r := range c.Period {
		for _, alpha := range c.Momentum {
			for _, sigma := range c.Sigma {
				cells = append(cells, Cell{Method: called(r, alpha), R: r, Momentum: alpha, Sigma: sigma, Runs: c.Runs})
			}
		}
	}
	for _, method := range others {
		for _, sigma := range c.Sigma {
			cells = append(cells, Cell{Method: method, R: 1, Sigma: sigma, Runs: c.Runs})
		}
	}
	starts := runs.Starts{Region: c.Region}
	s.starts = starts.Points(c.Seed, nil, c.Runs, starts.Uniform(c.D, 0))
	var err error
	s.Grid, err = experiment.NewRuns(experiment.Plan[Cell]{
		Name: name, Kind: "map", Cells: cells, Columns: s.columns(), Encoded: true,
		Parts:  func(c *Cell) (done, wanted int) { return c.Done(), c.Runs },
		Wants:  func(c *Cell) *int { return &c.Runs },
		Record: s.record,
		Panels: s.newPanels(), Width: 1200, Height: 440,
	}, func(c *Cell) **experiment.Course[Cell] { return &c.course }, s.begin)
	return s, err
}

// columns returns the columns of the CSV file.
func (s *Map) columns() []experiment.Column[Cell] {
	c := &s.config
	return []experiment.Column[Cell]{
		experiment.Key("method", func(c *Cell) any { return c.Method }),
		experiment.Key("R", func(c *Cell) any { return c.R }),
		experiment.Key("momentum", func(c *Cell) any { return c.Momentum }),
		experiment.Key("sigma", func(c *Cell) any { return c.Sigma }),
		experiment.Setting("d", func(*Cell) any { return c.D }),
		experiment.Setting("eta", func(*Cell) any { return c.Eta }),
		experiment.Setting("region", func(*Cell) any { return c.Region }),
		experiment.Key("runs", func(c *Cell) any { return c.Runs }),
		experiment.Setting("steps", func(*Cell) any { return c.Steps }),
		experiment.Value("ends", func(c *Cell) any { return c.Ends }, func(c *Cell, text string) error {
			if len(text) != c.Runs || strings.Trim(text, "12"+elsewhere) != "" {
				return errors.New("not a cell of this map")
			}
			c.Ends = text
			return nil
		}),
		experiment.Shown("collapsed", func(c *Cell) any { return c.Collapsed() }),
		experiment.Shown("share", func(c *Cell) any { return c.Share() }),
	}
}

// record returns the JSON file's entries other than the cells.
func (s *Map) record() map[string]any {
	c := &s.config
	return map[string]any{"d": c.D, "eta": c.Eta, "region": c.Region, "steps": c.Steps, "seed": c.Seed}
}

// stepper returns a stepper that runs a cell's method from a start point.
func (s *Map) stepper(c *Cell, start int) (*descent.PSMGD, error) {
	f, err := problem.NewFonseca(s.config.D, c.Sigma)
	if err != nil {
		return nil, err
	}
	to := descent.Config{Problem: f, Start: s.starts[start], Period: c.R, StepSize: s.config.Eta, Momentum: c.Momentum,
		Seed: s.config.Seed, StartIndex: start}
	switch c.Method {
	case ls:
		return descent.NewPSMGD(descent.LinearScalarization(to, []float64{0.5, 0.5}))
	case moco:
		to.Weighting, err = weighting.NewMoCo(weighting.MoCoConfig{Beta: 0.5, Gamma: 0.1})
	case modo:
		to.Weighting, err = weighting.NewMoDo(0.1)
	case sdmgrad: // computes λ and the step on separate samples, as in Algorithm 1 of its paper
		to.Weighting, err = weighting.NewSDMGrad(weighting.SDMGradConfig{Kappa: 0.3, Stochastic: true, Gamma: 0.1, Inner: 1})
	}
	if err != nil {
		return nil, err
	}
	return descent.NewPSMGD(to)
}

// piece is the number of iterations after which an experiment checks whether to continue.
const piece = 50

// begin starts a cell's next run.
func (s *Map) begin(c *Cell) (*experiment.Course[Cell], error) {
	if c.R < 1 { // a stepper would treat 0 as 1
		return nil, fmt.Errorf("period R = %d: it must be at least 1", c.R)
	}
	stepper, err := s.stepper(c, c.Done())
	return &experiment.Course[Cell]{
		Steps: experiment.Steps{
			Name:    fmt.Sprintf("%s, σ = %g, run %d", c.Method, c.Sigma, c.Done()+1),
			Stepper: stepper, Left: s.config.Steps, Piece: piece,
		},
		End: func(c *Cell) error {
			c.Ends += endOf(stepper.View().F)
			return nil
		},
	}, err
}

// endOf returns the character for a run that ends with the given objectives.
func endOf(f []float64) string {
	switch {
	case slices.Min(f) >= problem.FonsecaEnd:
		return elsewhere
	case f[0] < f[1]:
		return "1"
	}
	return "2"
}

// find returns the cell with the given method, period, momentum and noise level, or nil if there is none.
func (s *Map) find(method string, period int, momentum, sigma float64) *Cell {
	return experiment.Find(s.Each, func(c *Cell) bool {
		return c.Method == method && c.R == period && c.Momentum == momentum && c.Sigma == sigma
	})
}

// line describes a method's line in the panel of shares over σ.
type line struct {
	method, title string
	period        int
	momentum      float64
}

var lines = []line{
	{ls, "λ = ½", 1, 0},
	{mgda, "MGDA", 1, 0},
	{psmgd, "PSMGD, R = 4", 4, 0},
	{crmogm, "CR-MOGM, α = 0.9", 1, descent.DefaultCRMOGMMomentum},
	{moco, "MoCo", 1, 0},
	{modo, "MoDo", 1, 0},
	{sdmgrad, "SDMGrad, separate samples", 1, 0},
}

// cellsOf returns the existing cells of a line in ascending order of σ.
func (s *Map) cellsOf(l line) []*Cell {
	var out []*Cell
	for _, sigma := range s.config.Sigma {
		if c := s.find(l.method, l.period, l.momentum, sigma); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// Runs implements experiment.Computable.
func (s *Map) Runs() int { return s.config.Runs }
