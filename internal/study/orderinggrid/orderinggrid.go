// Package orderinggrid compares orders in which the samples of a finite sum are visited. It tests the claims of the
// JoGBa paper on problems that are small enough to explain why a claim holds or fails.
package orderinggrid

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo/ordering"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/portable"
)

const name = "ordering"

// Config configures the tables.
type Config struct {
	Contests []Contest
	Rates    []Rate
	Costs    []Size
	Tuning   int // number of runs for choosing step sizes, ≥ 1
	Runs     int // number of further runs per cell with the chosen step size, ≥ 1
	// Seed is the seed of the first run. It determines the run's data and all random numbers in its orders. The next
	// runs use the following seeds.
	Seed uint64
}

// Task is a finite sum with a number of epochs.
type Task struct {
	Problem string // name of the problem, as in the scene
	M, K, D int
	Epochs  int // T ≥ 1
	// Near is the position at which runs start on the line from the origin (0) to the minimum of the objectives' mean
	// (1).
	Near float64
}

// Contest is a task on which orders are compared with each other, separately for each weighting.
type Contest struct {
	Task
	Weightings []string
	Optimizer  string // plain or adam
	// Alphas lists the step sizes to try for every order and weighting. If there is only one, all orders use it.
	Alphas []float64
	Orders []Order
}

// Rate is a contest that is repeated with each K in Ks instead of the task's K. It compares the mean of ω² over the
// first T epochs for each T in Horizons, which are in ascending order, with a separate step size for each T. The
// number of epochs is the last horizon.
type Rate struct {
	Contest
	Ks       []int
	Horizons []int
}

// at returns the contest for the given K.
func (r *Rate) at(k int) *Contest {
	c := r.Contest
	c.K, c.Epochs = k, r.last()
	return &c
}

// last returns the last horizon, which is the longest.
func (r *Rate) last() int { return r.Horizons[len(r.Horizons)-1] }

// Order is a way of ordering the samples that is compared with others.
type Order struct {
	Method string // name in package orders
	// Variant is perobjective for JoGBa's other centring, or selfbalancing for the other sign rule. It is "" for the
	// paper's choice.
	Variant string
}

const (
	perObjective  = "perobjective"
	selfBalancing = "selfbalancing"
)

// everyOrder returns the compared orders: all orders in package orders, and JoGBa with the other centring.
func everyOrder() []Order {
	var out []Order
	for _, m := range orders.Methods() {
		out = append(out, Order{Method: m.ID})
	}
	return append(out, Order{orders.JoGBa, perObjective})
}

// Default returns the command line's configuration. Inputs and noise come from the first experiments on these claims,
// and so do the largest and the smallest task.
func Default() Config {
	all := []string{"ls", "mgda", "pcgrad", "cagrad", "nashmtl"}
	two := all[:2]
	large := Task{Problem: leastSquares, M: 2, K: 512, D: 10, Epochs: 12}
	small := Task{Problem: leastSquares, M: 2, K: 128, D: 2, Epochs: 30}
	usual := []float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05}
	wide := []float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1}
	c := Config{Tuning: 12, Runs: 20, Seed: 1}
	for _, contest := range []Contest{
		{Task: large, Weightings: all, Alphas: usual},
		{Task: small, Weightings: all, Alphas: wide},
		{Task: Task{Problem: leastSquares, M: 3, K: 128, D: 10, Epochs: 30}, Weightings: all, Alphas: usual},
		{Task: Task{Problem: diagonal, M: 2, K: 128, D: 10, Epochs: 30}, Weightings: all, Alphas: usual},
		{Task: Task{Problem: logistic, M: 2, K: 128, D: 3, Epochs: 30}, Weightings: all, Alphas: []float64{0.002, 0.005, 0.01, 0.02, 0.05, 0.1}},
		{Task: Task{Problem: regression, M: 2, K: 512, D: 10, Epochs: 12}, Weightings: two, Alphas: usual},
		{Task: Task{Problem: regression, M: 2, K: 128, D: 400, Epochs: 12}, Weightings: two,
			Alphas: []float64{0.0005, 0.001, 0.002, 0.005, 0.01}},
		{Task: large, Weightings: two, Alphas: []float64{0.02}},
		{Task: small, Weightings: two, Alphas: []float64{0.02}},
		{Task: large, Weightings: two, Optimizer: adam, Alphas: []float64{0.001, 0.002, 0.005, 0.01, 0.02}},
		{Task: small, Weightings: two, Optimizer: adam, Alphas: []float64{0.001, 0.002, 0.005, 0.01, 0.02}},
	} {
		contest.Orders = everyOrder()
		if contest.Optimizer == "" {
			contest.Optimizer = plain
		}
		if len(contest.Alphas) == 1 {
			for _, method := range []string{orders.GraBShared, orders.GraBSeparate, orders.JoGBa} {
				contest.Orders = append(contest.Orders, Order{method, selfBalancing})
			}
		}
		c.Contests = append(c.Contests, contest)
	}
	for _, rate := range []struct {
		weighting string
		near      float64
		alphas    []float64
		methods   []string
	}{
		{"ls", 0, geometric(0.001, 0.1, 5), []string{orders.Random, orders.GraBShared, orders.JoGBa}},
		{"ls", 0.97, geometric(0.0002, 0.02, 5), []string{orders.Random, orders.GraBShared, orders.JoGBa}},
		{"mgda", 0, geometric(0.001, 0.1, 5), []string{orders.Random, orders.RandomOwn, orders.GraBShared, orders.JoGBa}},
	} {
		r := Rate{Contest: Contest{Task: Task{Problem: leastSquares, M: 2, D: 10, Near: rate.near}, Weightings: []string{rate.weighting},
			Optimizer: plain, Alphas: rate.alphas}, Ks: []int{32, 128, 512}, Horizons: []int{10, 32, 100, 316, 1000}}
		for _, method := range rate.methods {
			r.Orders = append(r.Orders, Order{Method: method})
		}
		c.Rates = append(c.Rates, r)
	}
	for _, d := range []int{10, 1000, 100_000} {
		for _, batch := range []int{1, 64} {
			c.Costs = append(c.Costs, Size{D: d, Batch: batch, Steps: min(1000, max(2, 1_000_000/d/batch))})
		}
	}
	return c
}

// quick returns a smaller configuration that takes twenty seconds to compute, with fewer tasks and runs.
func (c Config) quick() Config {
	var few []Contest
	for _, contest := range c.Contests {
		if contest.Problem == leastSquares && contest.M == 2 {
			contest.Weightings = contest.Weightings[:2]
			few = append(few, contest)
		}
	}
	c.Contests = few
	for i := range c.Rates {
		c.Rates[i].Ks, c.Rates[i].Horizons = c.Rates[i].Ks[:2], c.Rates[i].Horizons[:3]
	}
	c.Costs = slices.DeleteFunc(c.Costs, func(s Size) bool { return s.D > 1000 })
	c.Tuning, c.Runs = 3, max(2, c.Runs/4)
	return c
}

// geometric returns a geometric sequence from low to high, rounded to three digits. The argument each is the number of
// values per factor of ten.
func geometric(low, high float64, each int) []float64 {
	var out []float64
	for i := 0; ; i++ {
		v := experiment.Rounded(low*portable.Pow(10, float64(i)/float64(each)), 3)
		if v > high*1.001 {
			return out
		}
		out = append(out, v)
	}
}

// Parts of the grid whose runs give results.
const (
	contests = "orders"
	rates    = "rates"
)

// Measures of a run in addition to ω, in the order of Cell's numbers. Except for the last two, they are means over
// the last third of the epochs.
const (
	herding     = iota // H at the epoch's first point
	signBound          // A of the signs; NaN if the order does not use signs
	drift              // max_k ‖w^(k) − w^(1)‖_∞/α
	wobble             // drift after subtracting the straight movement
	loss               // mean of the objectives at the end
	arrival            // epochs until ω first reached a twentieth of its start value; all epochs if it never did
	clippedPart        // share of the self-balancing walk's signs with a clipped probability; NaN for other rules
	measures
)

var names = [measures]string{herding: "H", signBound: "A", drift: "drift", wobble: "wobble", loss: "loss", arrival: "arrival",
	clippedPart: "clipped"}

// arrived is the share of ω's start value at which a run counts as arrived.
const arrived = 0.05

// Cell is a combination of an order, a task and a weighting, either in a contest or for rates.
type Cell struct {
	Part string
	Task
	Weighting, Optimizer string
	Order
	Alphas   []float64
	Horizons []int

	// Tried contains, by step size, the mean results of the first runs: log10 of ω in a contest, and log10 of the mean
	// of ω² for each horizon of rates. A result is infinite if any of the runs diverged.
	Tried experiment.Rows
	// Each contains the same results for each further run. Every result is computed with the step size that was best for
	// that result. For rates, each row ends with log10 of ω² at the start.
	Each               experiment.Rows
	experiment.Summary // for contests
}

// criteria returns the number of results for which a separate step size is chosen.
func (c *Cell) criteria() int { return max(1, len(c.Horizons)) }

// numbers returns the number of values in Each per run.
func (c *Cell) numbers() int {
	if c.Part == rates {
		return c.criteria() + 1
	}
	return c.criteria()
}

// chosen returns the index of the best step size by a criterion, or 0 if there is only one step size.
func (c *Cell) chosen(criterion int) int {
	best := 0
	for i, tried := range c.Tried {
		if tried[criterion] < c.Tried[best][criterion] {
			best = i
		}
	}
	return best
}

// tuned reports whether the cell's step size is chosen from several.
func (c *Cell) tuned() bool { return len(c.Alphas) > 1 }

// Tables compares orders in three parts. In contests, all orders share one step size, or each order with each
// weighting uses the step size that gave the smallest ω in separate runs. The result is ω at the epochs' first points
// in the last third of the epochs, both as a geometric mean over further runs and relative to random orders run by
// run. Rates show how the mean of ω² decreases with T and K. Costs are times per step. Runs differ in data and
// orders, which all cells share as far as possible.
type Tables struct {
	*experiment.Grid[experiment.Line]
	config Config
}

// Experiment describes these tables for the command line.
var Experiment = experiment.Experiment{
	Name:  name,
	Title: "ω, drift and time of orders of samples: random, reversed, GraB's and JoGBa's, by weighting and problem",
	New:   func(o experiment.Options) (experiment.Computable, error) { return New(configFor(o)) },
}

// configFor returns the configuration for the given options.
func configFor(o experiment.Options) Config {
	c := Default()
	if o.Quick {
		c = c.quick()
	}
	c.Runs *= o.Seeds
	c.Seed = o.First(c.Seed)
	return c
}

// New returns tables without results. It returns an error with the name and value of an invalid setting.
func New(c Config) (*Tables, error) {
	if c.Runs < 1 || c.Tuning < 1 {
		return nil, fmt.Errorf("experiment: runs = %d and tuning = %d must be positive", c.Runs, c.Tuning)
	}
	for _, r := range c.Rates {
		if len(r.Horizons) == 0 || !slices.IsSorted(r.Horizons) || r.Horizons[0] < 1 {
			return nil, fmt.Errorf("experiment: horizons = %v: they must be at least 1 and ascending", r.Horizons)
		}
	}
	s := &Tables{config: c}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	s.Grid = experiment.Compose(experiment.Plan[experiment.Line]{
		Name: name, Kind: "table", Record: s.record, Panels: s.newPanels(), Width: 1280, Height: 1800,
	}, head(), s.lines(c.contestCells(), s.contestColumns()), s.lines(c.rateCells(), s.rateColumns()), s.costLines())
	return s, nil
}

// lines returns the cells of a part as lines of the grid.
func (s *Tables) lines(cells []Cell, columns []experiment.Column[Cell]) []experiment.Line {
	return experiment.Lines(experiment.Plan[Cell]{Cells: cells, Columns: columns, Parts: s.parts, Work: s.work, Effort: effort})
}

// cells returns a contest's cells, one per weighting and order, for a part of the grid.
func (c *Contest) cells(part string, horizons []int) (out []Cell) {
	for _, weighting := range c.Weightings {
		for _, order := range c.Orders {
			out = append(out, Cell{Part: part, Task: c.Task, Weighting: weighting, Optimizer: c.Optimizer, Order: order,
				Alphas: c.Alphas, Horizons: horizons, Tried: experiment.Rows{}})
		}
	}
	return out
}

// check returns an error if any cell cannot be computed. It runs before all computations.
func (s *Tables) check() error {
	for _, c := range slices.Concat(s.config.contestCells(), s.config.rateCells()) {
		if c.Epochs < 1 || len(c.Alphas) < 1 || !(c.Near >= 0 && c.Near <= 1) {
			return fmt.Errorf("epochs = %d and the number of step sizes, %d, must be positive, and near = %g must be from 0 to 1",
				c.Epochs, len(c.Alphas), c.Near)
		}
		for _, alpha := range c.Alphas {
			if _, err := c.begin(s.config.Seed, alpha); err != nil {
				return err
			}
		}
	}
	for _, size := range s.config.Costs {
		if err := size.check(); err != nil {
			return err
		}
	}
	return nil
}

// parts returns the numbers of a cell's finished and wanted parts. Each run is a part, and so is each step size if
// there are several to try.
func (s *Tables) parts(c *Cell) (done, wanted int) {
	if wanted = s.config.Runs; c.tuned() {
		wanted += len(c.Alphas)
	}
	return len(c.Tried) + len(c.Each), wanted
}

// effort returns the estimated number of sample steps in a part, relative to the smallest task.
func effort(c *Cell) float64 {
	steps := float64(c.Epochs * c.K)
	switch c.Problem {
	case logistic:
		steps *= 10
	case regression:
		steps *= 60
	}
	return steps
}

// work computes the next part of a cell.
func (s *Tables) work(c *Cell, _ func() bool) (complete bool, err error) {
	if c.tuned() && len(c.Tried) < len(c.Alphas) {
		return true, s.tune(c)
	}
	return true, s.judge(c)
}

// tune tries the next step size.
func (s *Tables) tune(c *Cell) error {
	mean := make([]float64, c.criteria())
	for run := range s.config.Tuning {
		o, err := c.simulate(s.config.Seed+uint64(run), c.Alphas[len(c.Tried)], c.Epochs, false)
		if err != nil {
			return err
		}
		for i, v := range o.criteria {
			mean[i] += v / float64(s.config.Tuning)
		}
	}
	for i, v := range mean {
		mean[i] = experiment.Rounded(v, digits)
	}
	c.Tried.Add(mean)
	return nil
}

// judge computes the next of the further runs, once for each chosen step size.
func (s *Tables) judge(c *Cell) error {
	seed := s.config.Seed + uint64(s.config.Tuning+len(c.Each))
	each := make([]float64, 0, c.numbers())
	known := map[int]*outcome{}
	for i := range c.criteria() {
		at := c.chosen(i)
		o := known[at]
		if o == nil {
			epochs := c.Epochs
			for j, t := range c.Horizons {
				if c.chosen(j) == at {
					epochs = t
				}
			}
			var err error
			if o, err = c.simulate(seed, c.Alphas[at], epochs, c.Part == contests); err != nil {
				return err
			}
			known[at] = o
		}
		if math.IsInf(o.criteria[i], 1) {
			return fmt.Errorf("%s, seed %d: the run diverges with the step size %g", c.title(), seed, c.Alphas[at])
		}
		each = append(each, experiment.Rounded(o.criteria[i], digits))
		if i == c.criteria()-1 && c.Part == rates {
			each = append(each, experiment.Rounded(o.first, digits))
		}
	}
	c.Each.Add(each)
	if c.Part == contests {
		c.Add(known[c.chosen(0)].measured[:])
		if c.Done {
			for i := range c.Mean {
				c.Mean[i], c.Deviation[i] = experiment.Rounded(c.Mean[i], digits), experiment.Rounded(c.Deviation[i], digits)
			}
		}
	}
	return nil
}

// kind returns the stepper's kind of order, and whether each objective has a separate order.
func (o Order) kind() (kind ordering.Kind, own bool) { return orders.Kind(o.Method) }

// newPanels creates the panels. For every contest with several step sizes, a panel shows the ratios to random orders,
// with equal weights and with MGDA's. Further panels show the rates.
func (s *Tables) newPanels() []axes.Panel {
	var out []axes.Panel
	for i := range s.config.Contests {
		if contest := &s.config.Contests[i]; len(contest.Alphas) > 1 && contest.Optimizer == plain {
			out = append(out, s.ratioPanel(i, contest))
		}
	}
	for i := range s.config.Rates {
		for _, w := range s.config.Rates[i].Weightings {
			out = append(out, s.ratePanel(i, &s.config.Rates[i], w))
		}
	}
	return out
}

// Runs implements experiment.Computable.
func (s *Tables) Runs() int { return s.config.Runs }
