// Package fairnessgrid compares MosT with its baselines by the hypervolume of their trade-offs between accuracy and
// fairness. It reproduces Table 7 of the MosT paper, on the synthetic data.
package fairnessgrid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/algo/transport"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/portable"
)

const name = "fairness"

// Names of the compared methods.
const (
	mgda          = "mgda"
	linearization = "linearization"
	epo           = "epo"
	most          = "most"
	extended      = "most-e"
)

// methods lists the methods in the order of the paper's table.
var methods = []string{mgda, linearization, epo, most, extended}

// Config configures the tables.
type Config struct {
	Batch    []int     // batch sizes, one table each; 0 means all training points
	Eta      []float64 // step sizes from which a method chooses
	Extended []int     // for MosT-E: numbers of objectives to choose from, including the original two
	Shape    []float64 // for MosT-E: parameters of the mixtures' Dirichlet distribution to choose from
	PerClass int       // number of points per class
	Kept     float64   // fraction of the points for validation, and the same fraction for testing
	M        int       // number of solutions
	Epochs   int
	Region   float64 // starts are uniform within ±Region
	Runs     int     // runs per cell, ≥ 1, each with different data, starts, weights and mixtures
	Seed     uint64  // seed of the first run; the next runs use the following seeds
}

// Default returns the command line's configuration. The paper states the data, epochs, step sizes, numbers of
// objectives and shapes. The data are split as in the paper's federated data. The paper does not mention batches, but
// the 43 s that it reports for linearization suggest more than 20 steps of five solutions, so we chose a batch size.
// The range of the starts is the usual one for linear layers with two inputs.
func Default() Config {
	return Config{
		Batch: []int{10, 0}, Eta: []float64{0.08, 0.1}, Extended: []int{10, 15, 20}, Shape: []float64{0.1, 0.5, 1},
		PerClass: problem.FairnessPerClass, Kept: 0.2, M: 5, Epochs: 20, Region: math.Sqrt(0.5), Runs: 20, Seed: 1,
	}
}

// quick returns a smaller configuration, whose tables take a minute.
func (c Config) quick() Config {
	c.Batch, c.Eta, c.Extended, c.Shape = []int{10}, []float64{0.1}, []int{10, 20}, []float64{0.5, 1}
	c.Runs = max(1, c.Runs/5)
	return c
}

// Cell is a method with its parameters and a batch size.
type Cell struct {
	Batch    int
	Method   string
	Eta      float64
	Extended int     // 0 for other methods
	Shape    float64 // NaN for other methods
	Wanted   int     // number of runs
	// Solutions contains θ for every complete run: M rows of two numbers. The numbers have only six digits, to keep
	// files short.
	Solutions [][]float64

	points [parts][][][]float64     // f1 and f2 of every run's solutions, by part of the data
	course *experiment.Course[Cell] // the run in progress
}

// Parts of the data on which solutions are evaluated.
const (
	validation = iota
	test
	parts
)

var splits = [parts]problem.Split{validation: problem.Validation, test: problem.Test}

// Done reports whether all runs are complete.
func (c *Cell) Done() bool { return len(c.Solutions) == c.Wanted }

// Tables compares MGDA, linearization, EPO, MosT and MosT-E by the hypervolume, times 100, of the five solutions that
// they find on Zafar et al.'s data. f1 is the mean logistic loss, and f2 is the squared covariance of the decision and
// the sensitive attribute. Every run uses different data and starts, which all cells share. A run's reference point has
// the largest f1 and f2 over all methods and parameters in a table. Each method uses the parameters with the largest
// mean hypervolume on validation points; the reported hypervolume is on test points.
type Tables struct {
	*experiment.Grid[Cell]
	config   Config
	problems []*problem.Fairness // by run
}

// Experiment describes these tables for the command line.
var Experiment = experiment.Experiment{
	Name:  name,
	Title: "Hypervolume between accuracy and fairness of MGDA, linearization, EPO, MosT and MosT-E (MosT's Table 7)",
	New:   func(o experiment.Options) (experiment.Computable, error) { return New(configFor(o)) },
}

// configFor returns the configuration for the given options.
func configFor(o experiment.Options) Config {
	c := Default()
	c.Runs *= o.Seeds
	c.Seed = o.First(c.Seed)
	if o.Quick {
		c = c.quick()
	}
	return c
}

// New returns tables without results. It returns an error with the name and value of an invalid setting.
func New(c Config) (*Tables, error) {
	if c.Runs < 1 || c.Epochs < 1 || c.M < 1 || !(c.Region > 0) || !(c.Kept > 0) {
		return nil, fmt.Errorf("experiment: runs = %d, epochs = %d, solutions m = %d, region = %g and kept = %g must be positive",
			c.Runs, c.Epochs, c.M, c.Region, c.Kept)
	}
	s := &Tables{config: c}
	for r := range c.Runs {
		p, err := problem.NewFairness(problem.FairnessConfig{
			PerClass: c.PerClass, Phi: problem.FairnessPhi, Validation: c.Kept, Test: c.Kept, Seed: s.seed(r),
		})
		if err != nil {
			return nil, fmt.Errorf("experiment: %w", err)
		}
		s.problems = append(s.problems, p)
	}
	var err error
	s.Grid, err = experiment.NewRuns(experiment.Plan[Cell]{
		Name: name, Kind: "table", Cells: c.cells(), Columns: s.columns(),
		Parts:  func(c *Cell) (done, wanted int) { return len(c.Solutions), c.Wanted },
		Effort: func(c *Cell) float64 { return float64(s.rounds(c)) },
		Record: s.record,
		Panels: s.newPanels(), Width: 1280, Height: 460,
	}, func(c *Cell) **experiment.Course[Cell] { return &c.course }, s.begin)
	return s, err
}

func (c *Config) cells() (out []Cell) {
	for _, batch := range c.Batch {
		for _, method := range methods {
			for _, eta := range c.Eta {
				cell := Cell{Batch: batch, Method: method, Eta: eta, Shape: math.NaN(), Wanted: c.Runs}
				if method != extended {
					out = append(out, cell)
					continue
				}
				for _, cell.Extended = range c.Extended {
					for _, cell.Shape = range c.Shape {
						out = append(out, cell)
					}
				}
			}
		}
	}
	return out
}

// seed returns the seed of a run. Runs are counted from 0.
func (s *Tables) seed(run int) uint64 { return s.config.Seed + uint64(run) }

// rounds returns the number of rounds in a run. An epoch has one round per batch of training points.
func (s *Tables) rounds(c *Cell) int {
	if c.Batch == 0 {
		return s.config.Epochs
	}
	n := s.problems[0].Sample(problem.Training).Len()
	return s.config.Epochs * ((n + c.Batch - 1) / c.Batch)
}

// stepper returns a cell's method at the starts of the given run.
func (s *Tables) stepper(c *Cell, number int) (*transport.MosT, error) {
	seed, m := s.seed(number), s.config.M
	config := transport.Config{
		Problem: algo.Exact(s.problems[number]), StepSize: c.Eta, Seed: seed,
		Scale: transport.ColumnCount, // gives steps the length of the other methods' steps
	}
	if c.Batch != 0 {
		batches, err := problem.NewFairnessBatches(s.problems[number], c.Batch)
		if err != nil {
			return nil, err
		}
		config.Problem = batches
	}
	for j := range m {
		source := algo.Stream(seed, j, 0, algo.StartPoints)
		random := rand.New(&source)
		start := make([]float64, 2)
		for k := range start {
			start[k] = (2*float64(random.Float64()) - 1) * s.config.Region
		}
		config.Starts = append(config.Starts, start)
	}
	var err error
	switch c.Method {
	case mgda:
		config.Matching = transport.Unmatched
	case linearization:
		var weights [][]float64
		weights, err = transport.DirichletMixtures(2, m, 1, false, seed)
		config.Matching = transport.Unmatched
		config.Weighting = func(j int) (algo.Weighting, error) { return weighting.NewLinearScalarization(weights[j]) }
	case epo:
		config.Matching = transport.Unmatched
		config.Weighting = func(j int) (algo.Weighting, error) { return weighting.NewEPO(Preference(j, m)) }
	case extended:
		config.Mixtures, err = transport.DirichletMixtures(2, c.Extended, c.Shape, true, seed)
	}
	if err != nil {
		return nil, err
	}
	return transport.NewMosT(config)
}

// Preference returns EPO's preference for solution j of m, counted from 0. The m preferences are rays that divide the
// right angle between the axes into equal parts, with half a part at each end.
func Preference(j, m int) []float64 {
	sine, cosine := portable.Sincos(math.Pi / 2 * (float64(j) + 0.5) / float64(m))
	return []float64{cosine, sine}
}

// piece is the number of rounds between two checks of whether to continue.
const piece = 20

// begin starts a cell's next run.
func (s *Tables) begin(c *Cell) (*experiment.Course[Cell], error) {
	number := len(c.Solutions)
	stepper, err := s.stepper(c, number)
	return &experiment.Course[Cell]{
		Steps: experiment.Steps{
			Name:    fmt.Sprintf("%s, η = %g, run %d", c.Method, c.Eta, number+1),
			Stepper: stepper, Left: s.rounds(c), Piece: piece,
		},
		End: func(c *Cell) error {
			theta := slices.Clone(stepper.View().X)
			for i, v := range theta {
				theta[i] = experiment.Rounded(v, digits)
			}
			return s.add(c, theta)
		},
	}, err
}

// digits is the number of significant digits of an entry of θ in files.
const digits = 6

// farthest is the maximum absolute value of an entry of θ in a file, a thousand times larger than actual values.
const farthest = 1e4

func near(v float64) bool { return math.Abs(v) <= farthest }

// add appends the solutions of the next run and evaluates them.
func (s *Tables) add(c *Cell, theta []float64) error {
	number := len(c.Solutions)
	if i := slices.IndexFunc(theta, func(v float64) bool { return !near(v) }); i >= 0 {
		return fmt.Errorf("θ of run %d has the entry %g; the allowed size is at most %g", number+1, theta[i], farthest)
	}
	for part, split := range splits {
		points := make([][]float64, s.config.M)
		for j := range points {
			points[j] = make([]float64, 2)
			s.problems[number].Sample(split).Values(points[j], theta[2*j:2*j+2])
		}
		c.points[part] = append(c.points[part], points)
	}
	c.Solutions = append(c.Solutions, theta)
	return nil
}

// complete reports whether all cells of a table are done.
func (s *Tables) complete(batch int) bool {
	return experiment.Find(s.Each, func(c *Cell) bool { return c.Batch == batch && !c.Done() }) == nil
}

// reference returns a run's reference point in a complete table: the largest objectives over all solutions.
func (s *Tables) reference(batch, part, number int) []float64 {
	r := make([]float64, 2)
	for c := range s.Grid.Each {
		if c.Batch != batch {
			continue
		}
		for _, f := range c.points[part][number] {
			for i, v := range f {
				r[i] = max(r[i], v)
			}
		}
	}
	return r
}

// hypervolumes returns a cell's hypervolumes, times 100, by run. It returns nil until the table is complete.
func (s *Tables) hypervolumes(c *Cell, part int) []float64 {
	if !s.complete(c.Batch) {
		return nil
	}
	out := make([]float64, c.Wanted)
	for r := range out {
		v, err := pareto.Hypervolume(c.points[part][r], s.reference(c.Batch, part, r))
		if err != nil {
			panic("fairness: " + err.Error()) // impossible for finite points
		}
		out[r] = 100 * v
	}
	return out
}

// hypervolume returns the mean over the runs with its deviation.
func (s *Tables) hypervolume(c *Cell, part int) experiment.Estimate {
	return experiment.WithDeviation(s.hypervolumes(c, part))
}

// over returns c's hypervolume minus that of another cell in the same table, on test points: the mean over the runs,
// paired by run, with its standard error.
func (s *Tables) over(c, other *Cell) experiment.Estimate {
	return experiment.WithError(experiment.Differences(s.hypervolumes(c, test), s.hypervolumes(other, test)))
}

// chosen returns a method's best cell on validation points. If several are equally good, it returns the first. It
// returns nil until the table is complete.
func (s *Tables) chosen(batch int, method string) *Cell {
	if !s.complete(batch) {
		return nil
	}
	return experiment.Largest(experiment.Where(s.Each, func(c *Cell) bool { return c.Batch == batch && c.Method == method }),
		func(c *Cell) float64 { return s.hypervolume(c, validation).Mean })
}

// Chosen returns the hypervolumes, times 100, on test points for every run of a method with its chosen parameters. It returns nil until
// the table for this batch size is complete.
func (s *Tables) Chosen(batch int, method string) []float64 {
	c := s.chosen(batch, method)
	if c == nil {
		return nil
	}
	return s.hypervolumes(c, test)
}

// find returns the cell of MosT-E with these parameters, or nil if there is none.
func (s *Tables) find(batch int, eta float64, objectives int, shape float64) *Cell {
	return experiment.Find(s.Each, func(c *Cell) bool {
		return c.Method == extended && c.Batch == batch && c.Eta == eta && c.Extended == objectives && c.Shape == shape
	})
}

// fewer returns the hypervolume with the fewest extended objectives minus the hypervolume with the most. Both have the
// step size that MosT-E chose.
func (s *Tables) fewer(batch int, shape float64) experiment.Estimate {
	chosen := s.chosen(batch, extended)
	if chosen == nil {
		return experiment.Unknown()
	}
	e := s.config.Extended
	return s.over(s.find(batch, chosen.Eta, slices.Min(e), shape), s.find(batch, chosen.Eta, slices.Max(e), shape))
}

// columns returns the columns of the CSV file. Hypervolumes are multiplied by 100. They are empty until all cells with
// the same batch size are complete.
func (s *Tables) columns() []experiment.Column[Cell] {
	c := &s.config
	return slices.Concat([]experiment.Column[Cell]{
		experiment.Key("batch", func(c *Cell) any { return c.Batch }),
		experiment.Key("method", func(c *Cell) any { return c.Method }),
		experiment.Key("eta", func(c *Cell) any { return c.Eta }),
		experiment.Key("extended", func(c *Cell) any { return c.objectives() }),
		experiment.Key("shape", func(c *Cell) any { return c.Shape }),
		experiment.Setting("m", func(*Cell) any { return c.M }),
		experiment.Setting("points", func(*Cell) any { return 2 * c.PerClass }),
		experiment.Setting("epochs", func(*Cell) any { return c.Epochs }),
		experiment.Key("runs", func(c *Cell) any { return c.Wanted }),
	}, experiment.EstimateColumns("validation", "_sd", func(c *Cell) experiment.Estimate { return s.hypervolume(c, validation) }),
		experiment.EstimateColumns("hypervolume", "_sd", func(c *Cell) experiment.Estimate { return s.hypervolume(c, test) }),
		[]experiment.Column[Cell]{
			experiment.Shown("chosen", func(c *Cell) any {
				if s.chosen(c.Batch, c.Method) == c {
					return 1
				}
				return 0
			}),
			experiment.Shown("paper", func(c *Cell) any { return paperTable7[c.Method].Mean }),
			experiment.Value("solutions", func(c *Cell) any { return c.Solutions }, s.read),
			experiment.Member("validation", func(c *Cell) any { return c.points[validation] }),
			experiment.Member("test", func(c *Cell) any { return c.points[test] }),
		})
}

// objectives returns the number of objectives that MosT-E matches, or NaN for other methods.
func (c *Cell) objectives() float64 {
	if c.Extended == 0 {
		return math.NaN()
	}
	return float64(c.Extended)
}

// read sets a cell's solutions from the text in a file.
func (s *Tables) read(c *Cell, text string) error {
	rows, err := experiment.SplitRows(text, c.Wanted, 2*s.config.M, digits, "entry of θ", near)
	for _, theta := range rows {
		if err := s.add(c, theta); err != nil {
			return err
		}
	}
	return err
}

// record returns the JSON file's entries other than the cells. The cells contain their solutions' objectives on
// validation and test points.
func (s *Tables) record() map[string]any {
	c := &s.config
	known := func(e experiment.Estimate) map[string]any {
		return map[string]any{"mean": data.Known(e.Mean), "error": data.Known(e.Spread)}
	}
	var tables []map[string]any
	for _, batch := range c.Batch {
		table := map[string]any{"batch": batch}
		tables = append(tables, table)
		if !s.complete(batch) {
			continue
		}
		var rows []map[string]any
		for _, method := range methods {
			cell := s.chosen(batch, method)
			v := s.hypervolume(cell, test)
			rows = append(rows, map[string]any{
				"method": method, "eta": cell.Eta, "extended": data.Known(cell.objectives()), "shape": data.Known(cell.Shape),
				"hypervolume": data.Known(v.Mean), "hypervolume_sd": data.Known(v.Spread),
				"below_most_e": known(s.over(s.chosen(batch, extended), cell)),
				"paper":        paperTable7[method].Mean, "paper_sd": paperTable7[method].Spread,
			})
		}
		var shapes []map[string]any
		for _, shape := range c.Shape {
			shapes = append(shapes, map[string]any{"shape": shape, "difference": known(s.fewer(batch, shape))})
		}
		table["methods"], table["fewer"] = rows, shapes
	}
	return map[string]any{
		"tables": tables, "m": c.M, "epochs": c.Epochs, "points": 2 * c.PerClass, "kept": c.Kept, "region": c.Region, "seed": c.Seed,
	}
}

// Runs implements experiment.Computable.
func (s *Tables) Runs() int { return s.config.Runs }
