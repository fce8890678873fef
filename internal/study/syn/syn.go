// Package syn compares MosT with its baselines and ablations on synthetic data of federated clients. It reproduces Tables 1 and E of
// the MosT paper, and the times of its Table 4.
package syn

import (
	"fmt"
	"slices"

	"paretoplay/algo/federated"
	"paretoplay/algo/transport"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
)

const name = "syn"

// Config configures the tables.
type Config struct {
	Rho       []float64 // ρ1 = ρ2 ≥ 0 of the data, one table each
	Clients   int       // number of clients, n ≥ 1
	Most      int       // maximum number of samples per client; 0 means no maximum
	Solutions int       // number of solutions, m ≥ 1
	Epochs    int       // epochs per run, ≥ 1
	Look      int       // epochs between two evaluations on the validation samples, ≥ 1
	// Rates lists the step sizes to try in the first run. All runs use the step size with the best validation
	// accuracy at the end of that run.
	Rates []float64
	Runs  int    // runs per cell, ≥ 1, each with different data, starts and batches
	Seed  uint64 // seed of the first run; the next runs use the following seeds
	// Runwise is true if the CSV file contains not only the accuracy of every run but also the measures in runwise, so that
	// methods can be compared in pairs.
	Runwise bool
}

// Default returns the command line's configuration, which is the paper's.
func Default() Config {
	return Config{Rho: []float64{0, 0.5, 1}, Clients: federated.SynClients, Solutions: 5, Epochs: 400, Look: 10,
		Rates: []float64{0.005, 0.01, 0.05, 0.1}, Runs: 3, Seed: 1}
}

// Quick returns a smaller configuration that takes less than a minute to compute, with fewer and smaller clients and
// fewer epochs.
func Quick() Config {
	c := Default()
	c.Clients, c.Most, c.Epochs, c.Rates, c.Runwise = 15, 120, 60, []float64{0.05, 0.1}, true
	return c
}

// batch is the number of samples in a client's step.
const batch = 10

// Measures at the end of a run, in the order of Cell's numbers. Accuracies are in percent, on test samples unless
// noted otherwise.
const (
	accuracy   = iota // mean over the clients, each using the solution that is best on its validation samples
	validation        // validation accuracy of these solutions
	worst20           // mean over the worst fifth of the clients
	worst40
	worst60
	worst80
	earlyAccuracy // accuracy at the epoch with the best validation accuracy
	earlyEpoch
	divergence  // divergence of predictions, mean over pairs of solutions
	largest     // percentage of clients that chose the most popular solution
	winners     // number of solutions that at least one client chose
	oracle      // mean over clients of the smallest training loss
	mean        // mean training loss over all clients and solutions
	seconds     // seconds for all epochs, without evaluations
	transported // percentage of these seconds spent on transport
	weighed     // percentage of these seconds spent on MGDA
	measures
)

var names = [measures]string{accuracy: "accuracy", validation: "validation", worst20: "worst20", worst40: "worst40",
	worst60: "worst60", worst80: "worst80", earlyAccuracy: "early_accuracy", earlyEpoch: "early_epoch", divergence: "divergence",
	largest: "largest", winners: "winners", oracle: "oracle_loss", mean: "mean_loss", seconds: "seconds", transported: "transport_share",
	weighed: "mgda_share"}

// runwise lists the measures other than accuracy that the smaller version's file contains for every run.
var runwise = [...]int{worst20, worst40, worst60, worst80, divergence, largest, winners, oracle}

// worst lists the shares of clients for worst20, worst40, worst60 and worst80.
var worst = [...]float64{0.2, 0.4, 0.6, 0.8}

// Cell is a method on one kind of data.
type Cell struct {
	Rho    float64
	Method string
	// Tried contains the validation accuracy of the first run for each rate tried so far, in percent. Rate is the
	// best rate after all are tried.
	Tried []float64
	Rate  float64
	experiment.Summary

	first  [measures]float64        // measures of the first run with the best rate so far
	course *experiment.Course[Cell] // the run in progress
}

// Tables compares methods with m solutions for n clients. Each client uses the solution that is best on its validation
// samples. Every run uses different data, shared by all methods, so methods are compared run by run. Work is done in
// pieces of one epoch. There is a cell for each ρ and method. Each ρ has two panels: accuracy by method next to the
// paper's, and the accuracy of the worst clients.
type Tables struct {
	*experiment.Grid[Cell]
	config Config
}

// Experiment describes these tables for the command line.
var Experiment = experiment.Experiment{
	Name:  name,
	Title: "Accuracy of MosT, its ablations and its baselines for federated clients on Syn(ρ1, ρ2), and shares of the time",
	New:   func(o experiment.Options) (experiment.Computable, error) { return New(configFor(o)) },
}

// configFor returns the configuration for the given options.
func configFor(o experiment.Options) Config {
	c := Default()
	if o.Quick {
		c = Quick()
	}
	c.Runs *= o.Seeds
	c.Seed = o.First(c.Seed)
	return c
}

// New returns tables without results. It returns an error with the name and value of an invalid setting.
func New(c Config) (*Tables, error) {
	if c.Runs < 1 || c.Epochs < 1 || c.Look < 1 || c.Solutions < 1 || len(c.Rates) < 1 {
		return nil, fmt.Errorf("experiment: runs = %d, epochs = %d, look = %d, solutions = %d and the number of rates, %d, must be positive",
			c.Runs, c.Epochs, c.Look, c.Solutions, len(c.Rates))
	}
	s := &Tables{config: c}
	var cells []Cell
	for _, rho := range c.Rho {
		for _, m := range methods {
			cells = append(cells, Cell{Rho: rho, Method: m.name, Tried: []float64{}, Summary: experiment.Summary{Wanted: c.Runs}})
		}
	}
	for _, rho := range c.Rho { // check every configuration before computing anything
		for _, rate := range c.Rates {
			if _, err := s.begin(&Cell{Rho: rho, Method: methods[0].name}, rate); err != nil {
				return nil, fmt.Errorf("experiment: %w", err)
			}
		}
	}
	s.Grid = experiment.NewGrid(experiment.Plan[Cell]{
		Name: name, Kind: "table", Cells: cells, Columns: s.columns(),
		Parts:  s.parts,
		Work:   experiment.Runs(func(c *Cell) **experiment.Course[Cell] { return &c.course }, s.next),
		Effort: effort,
		Record: s.record,
		Panels: s.newPanels(), Width: 1280, Height: 840,
	})
	return s, nil
}

// parts returns the numbers of a cell's finished and wanted runs. The first run is repeated for every rate.
func (s *Tables) parts(c *Cell) (done, wanted int) {
	wanted = len(s.config.Rates) + c.Wanted - 1
	if c.Done {
		return wanted, wanted
	}
	return len(c.Tried) + max(c.Runs-1, 0), wanted
}

// effort returns the estimated cost of a run relative to MosT, in which a client trains one or two of the solutions.
func effort(c *Cell) float64 {
	switch m := find(c.Method); {
	case m.make != nil, c.Method == "mgda", c.Method == "linearization", c.Method == "wmgda":
		return 2
	}
	return 1
}

// run is a run in progress, with the times and measures so far.
type run struct {
	experiment.Course[Cell]
	config  *Config
	method  *method
	clients *federated.Clients
	seed    uint64
	rate    float64

	transporting, weighing, working stopwatch
	outcome                         federated.Outcome
	best                            float64 // best validation accuracy
	measured                        [measures]float64
}

// begin returns a cell's next run with the given rate.
func (s *Tables) begin(c *Cell, rate float64) (*run, error) {
	seed := s.config.Seed + uint64(c.Runs)
	data, err := federated.Syn(federated.SynConfig{Rho1: c.Rho, Rho2: c.Rho, Clients: s.config.Clients, Most: s.config.Most, Seed: seed})
	if err != nil {
		return nil, err
	}
	r := &run{config: &s.config, method: find(c.Method), seed: seed, rate: rate, best: -1}
	r.clients, err = federated.NewClients(federated.Config{Data: data, Epochs: 1, Batch: batch, Rate: rate, Prox: r.method.prox})
	if err != nil {
		return nil, err
	}
	stepper, err := r.newStepper()
	r.Course = experiment.Course[Cell]{
		Steps: experiment.Steps{
			Name:    fmt.Sprintf("%s, ρ = %g, η = %g, seed %d", c.Method, c.Rho, rate, seed),
			Stepper: timedStepper{stepper, &r.working}, Left: s.config.Epochs, Piece: 1, Look: r.look,
		},
		End: func(c *Cell) error {
			s.finish(c, r)
			return nil
		},
	}
	return r, err
}

// look evaluates the solutions every few epochs and at the end.
func (r *run) look() {
	v, m := r.Stepper.View(), &r.measured
	if v.K%r.config.Look != 0 && r.Left > 0 {
		return
	}
	r.clients.Evaluate(&r.outcome, v.X)
	m[accuracy], m[validation] = 100*r.outcome.MeanTest(), 100*r.outcome.MeanValidation()
	if m[validation] > r.best {
		r.best, m[earlyAccuracy], m[earlyEpoch] = m[validation], m[accuracy], float64(v.K)
	}
	if r.Left > 0 {
		return
	}
	for i, share := range worst {
		m[worst20+i] = 100 * federated.Worst(r.outcome.Test, share)
	}
	apart := make([]float64, v.Solutions*v.Solutions)
	r.clients.Divergence(apart, v.X)
	m[divergence] = federated.MeanDivergence(apart, v.Solutions)
	won := r.outcome.Won(v.Solutions)
	m[largest] = 100 * float64(slices.Max(won)) / float64(len(r.outcome.Chosen))
	for _, clients := range won {
		if clients > 0 {
			m[winners]++
		}
	}
	m[oracle], m[mean] = transport.OracleLoss(v.F, len(r.outcome.Chosen)), transport.MeanLoss(v.F)
	m[seconds] = r.working.seconds()
	m[transported], m[weighed] = 100*r.transporting.seconds()/m[seconds], 100*r.weighing.seconds()/m[seconds]
}

// next begins a cell's next run.
func (s *Tables) next(c *Cell) (*experiment.Course[Cell], error) {
	rate := c.Rate
	if len(c.Tried) < len(s.config.Rates) {
		rate = s.config.Rates[len(c.Tried)]
	}
	r, err := s.begin(c, rate)
	if err != nil {
		return nil, err
	}
	return &r.Course, nil
}

// finish stores the results of a complete run.
func (s *Tables) finish(c *Cell, r *run) {
	if len(c.Tried) < len(s.config.Rates) {
		if len(c.Tried) == 0 || r.measured[validation] > slices.Max(c.Tried) {
			c.first, c.Rate = r.measured, r.rate
		}
		if c.Tried = append(slices.Clone(c.Tried), r.measured[validation]); len(c.Tried) < len(s.config.Rates) {
			return
		}
		r.measured = c.first
	}
	c.Add(r.measured[:])
}

// cell returns the cell of a method at the given ρ, or nil if there is none.
func (s *Tables) cell(method string, rho float64) *Cell {
	return experiment.Find(s.Each, func(c *Cell) bool { return c.Method == method && c.Rho == rho })
}

// over returns the accuracy of a cell minus that of another one, in runs with the same data.
func (c *Cell) over(other *Cell) experiment.Estimate { return c.Over(&other.Summary, accuracy) }

// against lists the methods that others are compared with, in the order of the files.
var against = []string{"mgda", "linearization", "most"}

// columns returns the columns of the CSV file.
func (s *Tables) columns() []experiment.Column[Cell] {
	c := &s.config
	summary := func(c *Cell) *experiment.Summary { return &c.Summary }
	out := slices.Concat([]experiment.Column[Cell]{
		experiment.Key("rho", func(c *Cell) any { return c.Rho }),
		experiment.Key("method", func(c *Cell) any { return c.Method }),
		experiment.Setting("clients", func(*Cell) any { return c.Clients }),
		experiment.Setting("most", func(*Cell) any { return c.Most }),
		experiment.Setting("m", func(*Cell) any { return c.Solutions }),
		experiment.Setting("epochs", func(*Cell) any { return c.Epochs }),
		experiment.Setting("rates", func(*Cell) any { return c.Rates }),
		experiment.Key("runs", func(c *Cell) any { return c.Wanted }),
		experiment.Setting("seed", func(*Cell) any { return c.Seed }),
		experiment.Value("tried", func(c *Cell) any { return c.Tried }, func(cell *Cell, text string) (err error) {
			if cell.Tried, err = experiment.SplitNumbers(text, len(c.Rates)); err == nil {
				cell.Rate = c.Rates[slices.Index(cell.Tried, slices.Max(cell.Tried))]
			}
			return err
		}),
		experiment.Shown("eta", func(c *Cell) any { return c.Rate }).InJSON(true),
	}, experiment.SummaryColumns(names[:], summary, nil))
	out = append(out, experiment.EachColumn("accuracies", accuracy, summary, nil))
	if c.Runwise {
		for _, number := range runwise {
			out = append(out, experiment.EachColumn(names[number]+"_each", number, summary, nil).InJSON(false))
		}
	}
	for _, method := range against {
		out = append(out, experiment.EstimateColumns("over_"+method, "_se", func(c *Cell) experiment.Estimate {
			return c.over(s.cell(method, c.Rho))
		})...)
	}
	for _, column := range experiment.EstimateColumns("paper_accuracy", "_sd", (*Cell).paper) {
		out = append(out, column.InJSON(true))
	}
	return out
}

// record returns the JSON file's entries other than the cells.
func (s *Tables) record() map[string]any {
	c := &s.config
	differences := []map[string]any{}
	for cell := range s.Each {
		for _, method := range against {
			if d := cell.over(s.cell(method, cell.Rho)); d.Known() {
				differences = append(differences, map[string]any{"rho": cell.Rho, "method": cell.Method, "over": method, "mean": d.Mean,
					"se": data.Known(d.Spread)})
			}
		}
	}
	return map[string]any{"clients": c.Clients, "most": c.Most, "m": c.Solutions, "epochs": c.Epochs, "rates": c.Rates, "runs": c.Runs,
		"seed": c.Seed, "batch": batch, "mu": proximal, "epsilon": near, "differences": differences}
}

// Runs implements experiment.Computable.
func (s *Tables) Runs() int { return s.config.Runs }
