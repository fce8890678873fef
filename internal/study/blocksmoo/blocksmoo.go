// Package blocksmoo reproduces the results of the Block-SMOO paper on reduced-rank regression. It computes the
// comparison of Figure 1, by time and by multiplications, and the fronts of Table 1.
package blocksmoo

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo/problem"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs/sweeps"
)

const name = "block-smoo"

// Config configures the tables.
type Config struct {
	Race  Data // data for Figure 1
	Rank  int  // r for Figure 1
	Batch int  // examples per step, ≥ 1

	Alphas     []float64 // step sizes to try
	Ms         []int     // values of m_k to try, equal for all objectives
	EqualAlpha float64   // common step size, one of Alphas, for the runs that share one
	EqualM     int       // m_k, one of Ms, for the runs that do not choose it

	Budget    float64   // seconds per timed run
	Records   []float64 // seconds after which the test loss is recorded, ascending, up to Budget
	Finalists int       // number of a method's settings that get a second trial, ≥ 1

	Levels      []float64 // test losses, descending, for which the cost is recorded
	Checkpoints []float64 // million multiplications, ascending, after which the test loss is recorded

	Fronts []Front

	Tuning int // number of seeds for choosing settings, ≥ 2
	Runs   int // number of additional seeds, ≥ 1
	// Seed is the first seed. It determines the data, the starts and all random numbers of a run. The next seeds are
	// used in order, first for choosing settings.
	Seed uint64
}

// Front is a sweep over all frequency vectors with a given sum.
type Front struct {
	Data
	Rank    int
	Sum     int     // sum of the frequencies, p ≥ 1
	Alpha   float64 // step size
	Passes  int     // ≥ 1
	Reading string  // what counts as a pass; see the readings below
	Seeds   int     // ≥ 1
}

// A pass over the data uses every row once. These are the ways to count the passes of a run.
const (
	byStep  = "step"  // every inner step uses a new batch
	byVisit = "visit" // the p steps of a visit to a block use the same batch
	byOuter = "outer" // an outer iteration counts as one batch, although every step uses a batch
	// Every inner step uses a new batch. A run takes as many steps as fit into the number of multiplications that the
	// weighted sum's passes take.
	byCost = "cost"
)

// readings lists all readings of a pass.
var readings = []string{byStep, byVisit, byOuter, byCost}

// Default returns the command line's configuration.
func Default() Config {
	race := Data{Drawn: problem.RegressionConfig{Train: 1 << 14, Test: 1 << 10, Features: 400, Responses: 5, TrueRank: 3, Noise: 0.05}}
	// The air-quality data have these numbers of features and responses.
	sweep := Data{Drawn: problem.RegressionConfig{Train: 1 << 14, Test: 1 << 10, Features: 35, Responses: 3, TrueRank: 3, Noise: 0.05,
		UnitResponses: true}}
	c := Config{
		Race: race, Rank: 3, Batch: 512,
		Alphas: []float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05}, Ms: []int{1, 2, 4, 8}, EqualAlpha: 0.005, EqualM: 2,
		Budget: 2, Records: []float64{0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2}, Finalists: 4,
		Levels: []float64{100, 1, 0.01}, Checkpoints: []float64{25, 50, 100, 200, 400},
		Tuning: 4, Runs: 10, Seed: 1,
	}
	for _, f := range []Front{
		{Rank: 2, Passes: 20, Reading: byStep, Seeds: 5}, {Rank: 2, Passes: 20, Reading: byCost, Seeds: 5},
		{Rank: 3, Passes: 20, Reading: byStep, Seeds: 3}, {Rank: 3, Passes: 20, Reading: byCost, Seeds: 3},
		{Rank: 1, Passes: 20, Reading: byStep, Seeds: 3},
		{Rank: 2, Passes: 20, Reading: byVisit, Seeds: 2}, {Rank: 3, Passes: 20, Reading: byVisit, Seeds: 2},
		{Rank: 2, Passes: 20, Reading: byOuter, Seeds: 1},
	} {
		f.Data, f.Sum, f.Alpha = sweep, 20, 0.02
		c.Fronts = append(c.Fronts, f)
	}
	return c
}

// quick returns a configuration whose tables take a few seconds, with smaller data and fewer and shorter runs.
func (c Config) quick() Config {
	c.Race.Drawn.Train, c.Race.Drawn.Test, c.Race.Drawn.Features = 1<<11, 1<<8, 100
	c.Batch = 128
	c.Alphas, c.Ms = c.Alphas[2:5], c.Ms[:2]
	c.Budget = 0.05
	c.Records = []float64{0.005, 0.01, 0.02, 0.03, 0.04, 0.05}
	c.Finalists = 2
	c.Checkpoints = []float64{1, 2, 4, 8, 16}
	c.Fronts = c.Fronts[:4]
	for i := range c.Fronts {
		f := &c.Fronts[i]
		f.Drawn.Train, f.Drawn.Test = 1<<11, 1<<8
		f.Sum, f.Passes, f.Seeds = 6, 10, 2
	}
	c.Tuning, c.Runs = 2, max(2, c.Runs/5)
	return c
}

// Method is a method in the comparison.
type Method struct {
	ID string // name in package sweeps
	// Shared is true if the steps on a block of V share one batch, so that X·U is computed once. The paper does not do
	// this.
	Shared bool
}

// baseline is the method that the others are compared with.
var baseline = Method{ID: sweeps.WeightedSum}

// methods lists the compared methods in the order of tables and legends.
func methods() []Method {
	var out []Method
	for _, m := range sweeps.Methods() {
		if out = append(out, Method{ID: m.ID}); m.ID == sweeps.BlockSMOO {
			out = append(out, Method{m.ID, true})
		}
	}
	return out
}

// inBlocks reports whether the method updates the variables block by block.
func (m Method) inBlocks() bool { return m.ID == sweeps.BlockSMOO || m.ID == sweeps.BlockAlternate }

// Setting is a method with all its settings other than the step size.
type Setting struct {
	Method
	ByRows bool // whether the blocks are U and every row of V, instead of U and V
	M      int  // m_k of every objective
}

// plain returns a method's default setting.
func (c *Config) plain(m Method) Setting {
	if m == baseline {
		return Setting{m, false, 1}
	}
	return Setting{m, false, c.EqualM}
}

// settings lists all settings from which a method chooses.
func (c *Config) settings(m Method) (out []Setting) {
	if m == baseline {
		return []Setting{c.plain(m)}
	}
	for _, rows := range []bool{false, true} {
		for _, times := range c.Ms {
			if !rows || m.inBlocks() {
				out = append(out, Setting{m, rows, times})
			}
		}
	}
	return out
}

// counted returns those of a method's settings for which costs are counted with the seeds for choosing: the plain
// setting, and the settings that differ from it in one respect. Only the plain setting has additional runs.
func (c *Config) counted(m Method) []Setting {
	plain := c.plain(m)
	return slices.DeleteFunc(c.settings(m), func(s Setting) bool { return s.ByRows && s.M != plain.M })
}

// trial is a setting with a step size.
type trial struct {
	Setting
	Alpha float64
}

// record returns the chosen values for JSON.
func (t trial) record() map[string]any {
	return map[string]any{"method": t.ID, "shared": t.Shared, "partition": t.partition(), "m": t.M, "alpha": t.Alpha}
}

// trials lists the trials from which a method chooses, setting by setting.
func (c *Config) trials(m Method) (out []trial) {
	for _, setting := range c.settings(m) {
		for _, alpha := range c.Alphas {
			out = append(out, trial{setting, alpha})
		}
	}
	return out
}

// Tables contains the comparison by time, the comparison by cost, and the fronts. The settings of timed runs are
// chosen in two stages by the loss at the end of the budget: first all settings with one seed, then the best settings
// of each method with other seeds. Additional seeds give the reported results. Runs with the same seed share data,
// start and random draws as far as possible, so methods are compared run by run.
type Tables struct {
	*experiment.Grid[experiment.Line]
	config Config
	store  store
	mark   string // identifies the data of Figure 1
}

// Experiment describes these tables for the command line.
var Experiment = experiment.Experiment{
	Name:     name,
	Title:    "Reduced-rank regression with Block-SMOO and its baselines: losses over time and cost, and fronts",
	Data:     true,
	Settings: settingNames,
	New: func(o experiment.Options) (experiment.Computable, error) {
		c, err := configFor(o)
		if err != nil {
			return nil, err
		}
		return New(c)
	},
}

// configFor returns the configuration for the given options.
func configFor(o experiment.Options) (Config, error) {
	c := Default()
	if o.Quick {
		c = c.quick()
	}
	c.Runs *= o.Seeds
	c.Seed = o.First(c.Seed)
	switch {
	case o.Data != nil:
		return c.with(o.Data, o.Settings, o.Remark)
	case len(o.Settings) > 0:
		return c, fmt.Errorf("-set describes how to read the file of -data")
	}
	return c, nil
}

// New returns tables without results. It returns an error with the name and value of an invalid setting.
func New(c Config) (*Tables, error) {
	s := &Tables{config: c}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	s.mark = c.Race.mark()
	s.Grid = experiment.Compose(experiment.Plan[experiment.Line]{
		Name: name, Kind: "table", Record: s.record, Panels: s.newPanels(), Width: 1280, Height: 1100,
	}, head, s.screening(), s.tuning(), s.timing(), s.counting(), s.sweeping())
	return s, nil
}

// rising reports whether the list is non-empty, positive and ascending.
func rising(list []float64) bool {
	for i, v := range list {
		if !(v > 0) || math.IsInf(v, 1) || i > 0 && v <= list[i-1] {
			return false
		}
	}
	return len(list) > 0
}

// check returns an error if the configuration is invalid.
func (s *Tables) check() error {
	c := &s.config
	falling := slices.Clone(c.Levels)
	slices.Reverse(falling)
	switch {
	case c.Tuning < 2 || c.Runs < 1 || c.Finalists < 1:
		return fmt.Errorf("tuning = %d, runs = %d and finalists = %d must be at least 2, 1 and 1", c.Tuning, c.Runs, c.Finalists)
	case !rising(c.Records) || c.Records[len(c.Records)-1] != c.Budget:
		return fmt.Errorf("records = %v: they must be ascending and at most the budget, %g", c.Records, c.Budget)
	case !rising(c.Checkpoints):
		return fmt.Errorf("checkpoints = %v: they must be ascending", c.Checkpoints)
	case !rising(falling):
		return fmt.Errorf("levels = %v: they must be descending", c.Levels)
	case !slices.Contains(c.Alphas, c.EqualAlpha) || !slices.Contains(c.Ms, c.EqualM):
		return fmt.Errorf("the common step size %g and m = %d must be among the tried values", c.EqualAlpha, c.EqualM)
	}
	e, err := c.Race.standIn(c.Rank, c.Batch)
	if err != nil {
		return err
	}
	for _, m := range methods() {
		for _, t := range c.trials(m) {
			if _, err := newRun(e, c.Rank, t, slices.Repeat([]int{t.M}, e.train.Responses()), nil, 1, c.Seed); err != nil {
				return err
			}
		}
	}
	for i := range c.Fronts {
		f := &c.Fronts[i]
		if f.Sum < 1 || f.Passes < 1 || f.Seeds < 1 {
			return fmt.Errorf("sum = %d, passes = %d and seeds = %d of a front must be positive", f.Sum, f.Passes, f.Seeds)
		}
		if !slices.Contains(readings, f.Reading) {
			return fmt.Errorf("reading = %q: it must be one of %v", f.Reading, readings)
		}
		e, err := f.standIn(f.Rank, 1)
		if err != nil {
			return err
		}
		for _, m := range swept {
			if _, err := s.sweeper(f, e, m, c.Seed); err != nil {
				return err
			}
		}
	}
	return nil
}

// further returns the seed of an additional run. Additional seeds are not used for choosing settings.
func (c *Config) further(run int) uint64 { return c.Seed + uint64(c.Tuning+run) }

// Names of the partitions.
const (
	whole    = ""
	twoParts = "U V"
	byRows   = "U rows"
)

func (s Setting) partition() string {
	switch {
	case !s.inBlocks():
		return whole
	case s.ByRows:
		return byRows
	}
	return twoParts
}

// record returns the JSON file's entries other than the cells: choices, losses over time, and costs.
func (s *Tables) record() map[string]any {
	c := &s.config
	record := map[string]any{"alphas": c.Alphas, "records": c.Records, "levels": c.Levels, "checkpoints": c.Checkpoints,
		"rank": c.Rank, "batch": c.Batch, "tuning": c.Tuning, "runs": c.Runs, "seed": c.Seed,
		"time": s.recordedTimes(), "costs": s.recordedCosts(), "fronts": s.recordedFronts()}
	if table := c.Race.Table; table != nil {
		record["responses"], record["features"], record["leftOut"] = table.Responses, table.Features, table.LeftOut
	}
	return record
}

// Runs implements experiment.Computable.
func (s *Tables) Runs() int { return s.config.Runs }
