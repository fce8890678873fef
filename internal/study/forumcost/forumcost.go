// Package forumcost measures the cost of an upper step of FORUM, MOML and MoCo. MOML and MoCo differentiate through
// the lower level.
package forumcost

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/portable"
)

const name = "forum-cost"

// Config configures the measurement of an upper step's cost.
type Config struct {
	Lines    []Line
	N        int // number of upper variables, n ≥ 1
	M        int // number of upper objectives, m ≥ 1
	T        int // T ≥ 1, fixed while p varies
	P        int // p ≥ 1, fixed while T varies
	LargestT int // largest T; the others are 1/2, 1/4, 1/8 and 1/16 of it
	LargestP int // largest p; the others are the same fractions of it
	// Repeats is the number of timed batches per cell, ≥ 1.
	Repeats int
	// Batch is the minimum duration of a batch, > 0. A batch takes steps until this time has passed.
	Batch time.Duration
	// MostWork is the maximum number of multiplications in a step. 0 means no maximum. Larger cells are left out,
	// because a step cannot be interrupted.
	MostWork float64
	Seed     uint64
	// Price is the cost of a Hessian-vector product in gradients, from 1 to MostPrice. It is used where gradients and
	// products are counted together. 0 means 1, the measured cost.
	Price float64
	// Clock returns the time since a fixed but arbitrary moment.
	Clock func() time.Duration
}

// costCondition is the condition number of the problems' lower level. The lower step size is half of the largest
// stable one.
const (
	costCondition = 10
	costEta       = 1
	costMu        = 0.02
	costRho       = 0.3 // ρ in the FORUM paper
)

// Default returns the command line's configuration. T varies as in the paper. At these sizes, the measurement takes
// seconds.
func Default() Config {
	return Config{
		Lines: []Line{{Method: forum}, {Method: moml, Mode: bilevel.Reverse}, {Method: moml, Mode: bilevel.Forward},
			{Method: moco, Mode: bilevel.Reverse}},
		N: 32, M: 2, T: 64, P: 128, LargestT: 256, LargestP: 512,
		Repeats: 11, Batch: time.Millisecond, Seed: 1, Clock: runs.Stopwatch(),
	}
}

// MostPrice is the maximum price of a product. With automatic differentiation a product costs two to four gradients.
const MostPrice = 4

// Cell measures one method at one size.
type Cell struct {
	Line
	T, P int
	// Times lists the times of the finished batches, in seconds per upper step.
	Times []float64
	// Time is the median of Times, and Low and High are the quartiles. All three are NaN if there are no batches.
	Time, Low, High float64
	Counts          // cost of a step; zero until Counted
	Counted         bool
	TooLarge        bool // whether a step exceeds MostWork; if so, the cell is neither counted nor measured

	size size
	rig  *rig
}

// Counts is the cost of an upper step in numbers that do not depend on the machine.
type Counts struct {
	Gradients int
	Products  int // products of the lower Hessian with a vector
	Floats    int // numbers stored at the same time
}

// expected returns the counts that the formulas predict.
func (c *Cell) expected() Counts {
	return Counts{Gradients: int(c.gradients(c.size)), Products: int(c.products(c.size)), Floats: int(c.floats(c.size))}
}

// rig is a cell's stepper with the batch in progress.
type rig struct {
	stepper bilevel.Stepper
	start   algo.Snapshot // state at the start of every batch
	group   int           // steps between two readings of the clock
	taken   int           // steps taken so far

	begun   bool          // whether the batch has started
	first   int           // number of steps before the batch
	elapsed time.Duration // time spent in earlier pieces of Work
}

// add appends the time per step of another batch.
func (c *Cell) add(seconds float64) {
	c.Times = append(c.Times, seconds)
	sorted := slices.Sorted(slices.Values(c.Times))
	c.Time, c.Low, c.High = experiment.Quantile(sorted, 0.5), experiment.Quantile(sorted, 0.25), experiment.Quantile(sorted, 0.75)
}

// Figure measures the cost of an upper step of FORUM, MOML and MoCo on random quadratic bilevel problems. The cost is
// measured as time, gradients, Hessian-vector products and floats, for several T with fixed p and for several p with
// fixed T. It reproduces the paper's Figure 1, with problem.RandomBilevel instead of hyper-cleaning. Its cells are
// ordered by size, and within a size by line.
//
// Counts come from the steppers and are the same in every call. Times come from the caller's clock. A batch is one or
// more steps from the same point, and a cell's time is the median of its batches. Batches alternate between all
// cells. Work is done in pieces of a few steps.
type Figure struct {
	*experiment.Grid[Cell]
	config   Config
	problems map[int]*problem.RandomBilevel
	show     Display
	drawn    func() float64 // see Unfold
}

// Experiment describes this figure for the command line.
var Experiment = experiment.Experiment{
	Name:       name,
	Title:      "Time, Hessian-vector products and floats of an upper step of FORUM, MOML and MoCo, over T and p",
	Quantities: []*experiment.Quantity{&price},
	New:        func(o experiment.Options) (experiment.Computable, error) { return New(configFor(o)) },
}

// price is Config.Price on the command line.
var price = experiment.Quantity{
	Name: "hvpprice", Min: 1, Max: MostPrice, Lacking: "does not count Hessian-vector products",
	Help: "cost of a Hessian-vector product in gradients, 1 to 4, in experiments that count products (default 1, as measured)",
}

// configFor returns the configuration for the given options.
func configFor(o experiment.Options) Config {
	c := Default()
	c.Price = o.Quantities[&price]
	c.Repeats *= o.Seeds
	c.Seed = o.First(c.Seed)
	if o.Quick {
		c.N, c.P, c.LargestT, c.LargestP, c.T = 8, 32, 128, 64, 32
		c.Repeats = max(1, c.Repeats/3)
	}
	return c
}

// New returns a figure without measurements. It returns an error with the name and value of an invalid setting.
func New(c Config) (*Figure, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	s := &Figure{config: c, problems: map[int]*problem.RandomBilevel{}, drawn: func() float64 { return 1 }}
	if c.Price != 0 {
		s.show = Display{Count: Both, Price: c.Price}
	}
	s.Grid = experiment.NewGrid(experiment.Plan[Cell]{
		Name: name, Kind: "figure", Cells: c.cells(), Columns: s.columns(), Encoded: true, Turns: true,
		Parts:  s.parts,
		Work:   s.work,
		Record: s.record,
		Panels: s.newPanels(), Width: 1280, Height: 840,
	})
	return s, nil
}

// check returns an error if the configuration is invalid.
func (c *Config) check() error {
	for _, d := range []struct {
		name  string
		value int
	}{
		{"n", c.N}, {"m", c.M}, {"T", c.T}, {"p", c.P}, {"largest T", c.LargestT}, {"largest p", c.LargestP}, {"repetitions", c.Repeats},
	} {
		if d.value < 1 {
			return fmt.Errorf("%s = %d: it must be at least 1", d.name, d.value)
		}
	}
	switch {
	case c.Batch <= 0:
		return fmt.Errorf("batch = %v: it must be positive", c.Batch)
	case !(c.MostWork >= 0):
		return fmt.Errorf("most work = %v: it must not be negative", c.MostWork)
	case c.Price != 0 && !(c.Price >= 1 && c.Price <= MostPrice):
		return fmt.Errorf("hvpprice = %v: it must be from 1 to %d", c.Price, MostPrice)
	case c.Clock == nil:
		return errors.New("clock: must not be nil")
	case len(c.Lines) == 0:
		return errors.New("lines: there must be at least one")
	}
	for _, l := range c.Lines {
		if l.Title() == "" {
			return fmt.Errorf("method %q: must be one of %s %s %s", l.Method, forum, moml, moco)
		}
		if l.differentiates() && l.Mode != bilevel.Reverse && l.Mode != bilevel.Forward {
			return fmt.Errorf("mode %q: must be one of %v", l.Mode, []bilevel.Mode{bilevel.Reverse, bilevel.Forward})
		}
	}
	return nil
}

// size returns the cell size with the fixed values of both T and p.
func (c *Config) size() size {
	return size{n: float64(c.N), m: float64(c.M), t: float64(c.T), p: float64(c.P)}
}

// cells returns the figure's cells in ascending order of T, then of p, with one cell per line for each size.
func (c *Config) cells() (out []Cell) {
	type place struct{ t, p int }
	var places []place
	for _, t := range doublings(c.LargestT) {
		places = append(places, place{t, c.P})
	}
	for _, p := range doublings(c.LargestP) {
		places = append(places, place{c.T, p})
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.t, b.t), cmp.Compare(a.p, b.p)) })
	for _, at := range slices.Compact(places) {
		here := c.size()
		here.t, here.p = float64(at.t), float64(at.p)
		for _, l := range c.Lines {
			out = append(out, Cell{Line: l, T: at.t, P: at.p, Time: math.NaN(), Low: math.NaN(), High: math.NaN(), size: here,
				TooLarge: c.MostWork > 0 && l.work(here) > c.MostWork})
		}
	}
	return out
}

// doublings returns the number most and the results of halving it up to four times, in ascending order.
func doublings(most int) []int {
	var out []int
	for range 5 {
		if most >= 1 {
			out = append(out, most)
		}
		most /= 2
	}
	slices.Reverse(out)
	return out
}

// problem returns the random problem with p lower variables.
func (s *Figure) problem(p int) (*problem.RandomBilevel, error) {
	if known := s.problems[p]; known != nil {
		return known, nil
	}
	condition := float64(costCondition)
	if p == 1 {
		condition = 1
	}
	made, err := problem.NewRandomBilevel(problem.RandomBilevelConfig{
		N: s.config.N, P: p, M: s.config.M, Condition: condition, Seed: s.config.Seed,
	})
	if err != nil {
		return nil, err
	}
	s.problems[p] = made
	return made, nil
}

// stepper returns a stepper that runs a cell's method from the origin.
func (s *Figure) stepper(c *Cell) (bilevel.Stepper, error) {
	on, err := s.problem(c.P)
	if err != nil {
		return nil, err
	}
	start := make([]float64, s.config.N+c.P)
	loop, upper := bilevel.Loop{Steps: c.T, StepSize: costEta}, bilevel.Upper{StepSize: costMu}
	switch c.Method {
	case moml:
		return bilevel.NewMOML(bilevel.MOMLConfig{Problem: on, Start: start, Loop: loop, Upper: upper, Mode: c.Mode})
	case moco:
		return bilevel.NewMoCo(bilevel.MoCoConfig{Problem: on, Start: start, Loop: loop, Upper: upper, Mode: c.Mode, Beta: 0.5, Gamma: 0.1})
	}
	return bilevel.NewFORUM(bilevel.FORUMConfig{Problem: on, Start: start, Loop: loop, Upper: upper, Rho: costRho})
}

// prepare creates a cell's stepper and counts the cost of its first step. Batches start after that step, when
// everything has been allocated.
func (s *Figure) prepare(c *Cell) error {
	stepper, err := s.stepper(c)
	if err != nil {
		return err
	}
	c.rig = &rig{stepper: stepper, group: 1}
	before := stepper.View().Cost
	if err := c.step(); err != nil {
		return err
	}
	after := stepper.View().Cost
	c.Counted, c.Counts = true, Counts{
		Gradients: after.Backpropagations - before.Backpropagations,
		Products:  after.HessianVectorProducts - before.HessianVectorProducts,
		Floats:    stepper.PeakFloats(),
	}
	stepper.Save(&c.rig.start)
	return nil
}

func (c *Cell) step() error {
	c.rig.taken++
	status, err := c.rig.stepper.Step()
	if err == nil && status != algo.Running {
		err = fmt.Errorf("a step ended as %v", status)
	}
	if err != nil {
		return fmt.Errorf("experiment: %s, T = %d, p = %d: %w", c.Label(), c.T, c.P, err)
	}
	return nil
}

// maxReads is the maximum number of clock readings while waiting for a tick. This is enough for the coarsest browser
// clock, which ticks once per millisecond.
const maxReads = 20_000

// tick waits until the clock changes and returns the new time. A measurement that starts and ends at ticks is not
// distorted by a coarse clock.
func (s *Figure) tick() time.Duration {
	before := s.config.Clock()
	for range maxReads {
		if now := s.config.Clock(); now != before {
			return now
		}
	}
	return before
}

// batch continues a batch while more returns true, and reports whether the batch is complete. In a cell's first batch
// it reads the clock after every step. In later batches it reads the clock only about 32 times, because reading takes
// time too.
func (s *Figure) batch(c *Cell, more func() bool) (complete bool, err error) {
	r := c.rig
	if !r.begun {
		r.start.Rewind()
		r.stepper.Load(&r.start)
		r.begun, r.first, r.elapsed = true, r.taken, 0
	}
	from := s.tick()
	for {
		for range r.group {
			if err := c.step(); err != nil {
				return false, err
			}
		}
		now := s.config.Clock()
		if r.elapsed+now-from >= s.config.Batch {
			steps := r.taken - r.first
			r.begun, r.group = false, max(1, steps/32)
			c.add((r.elapsed + now - from).Seconds() / float64(steps))
			return true, nil
		}
		if !more() {
			r.elapsed += now - from
			return false, nil
		}
	}
}

// parts returns the numbers of a cell's finished and wanted batches.
func (s *Figure) parts(c *Cell) (done, wanted int) {
	if c.TooLarge {
		return 0, 0
	}
	return len(c.Times), s.config.Repeats
}

// work creates a cell's stepper or continues its batch.
func (s *Figure) work(c *Cell, more func() bool) (complete bool, err error) {
	if c.rig == nil {
		if err := s.prepare(c); err != nil || !more() {
			return false, err
		}
	}
	return s.batch(c, more)
}

// Factor returns the time in seconds that a line takes per multiplication as T varies, or as p varies if overT is
// false. It returns ok = false if there is no measurement yet. It fits logarithms by least squares, weighted by the
// root of a cell's work, because costs that the work does not count matter at small sizes.
func (s *Figure) Factor(l Line, overT bool) (seconds float64, ok bool) {
	var sum, total float64
	for c := range s.Each {
		if _, here := s.place(c, overT); here && c.Line == l && len(c.Times) > 0 {
			work := l.work(c.size)
			weight := math.Sqrt(work)
			sum += float64(weight * portable.Log(c.Time/work))
			total += weight
		}
	}
	if total == 0 {
		return 0, false
	}
	return portable.Exp(sum / total), true
}

// place reports whether a cell belongs on the panels over T, or on those over p if overT is false. It returns the
// cell's position on their horizontal axis.
func (s *Figure) place(c *Cell, overT bool) (x float64, ok bool) {
	if overT {
		return float64(c.T), c.P == s.config.P
	}
	return float64(c.P), c.T == s.config.T
}

// Runs implements experiment.Computable. It returns the number of time measurements per cell.
func (s *Figure) Runs() int { return s.config.Repeats }
