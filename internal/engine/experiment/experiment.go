// Package experiment is the common part of the experiments that compute the papers' tables and
// figures and our own. Each experiment is a package below this one, built around a Grid.
package experiment

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"paretoplay/internal/draw/axes"
)

// Options are the same for every experiment.
type Options struct {
	Seeds int       // how often everything is repeated with other randomness, ≥ 1
	Quick bool      // a smaller version that shows the same
	Jobs  int       // computations at a time, ≥ 1; the outcome does not depend on it
	Data  io.Reader // an input file, nil for none
	// Remark hears how the input file was understood where another reading is thinkable; nil hears nothing.
	Remark func(text string)
	// Settings and Quantities are the experiment's own options that are given, as it declares them;
	// nil for none.
	Settings   map[string]string
	Quantities map[*Quantity]float64
	Seed0      uint64    // the first seed, from which the others count on; 0 for the experiment's own
	Shard      Shard     // computes a part of the cells
	Resume     io.Reader // the CSV file of an earlier, unfinished call; nil for none
	// Begun hears how much there is before anything is computed, and Progress how much is done; nil for nobody. Calls do not overlap.
	Begun, Progress func(Progress)
	// Grown hears, where Resume is the file of fewer seeds, how many of its cells get further runs, and how
	// many are computed again, since it holds only means over their runs; nil for nobody.
	Grown func(further, again int)
	// Partial hears of the outcome so far whenever a part of it is complete, for
	// Resume to go on from after an interruption; nil for nobody. Calls do not overlap.
	Partial func(Outcome) error
}

// Quantity is an option of some experiments that is a flag of its own on the command line.
type Quantity struct {
	Name, Help string
	Min, Max   float64 // of what it may be
	Lacking    string  // what is said of an experiment that does not have it
}

// First is the first seed: Seed0, or the one that the experiment has by default.
func (o *Options) First(seed uint64) uint64 {
	if o.Seed0 == 0 {
		return seed
	}
	return o.Seed0
}

// Progress is how much of an experiment is done, as shares of its work from 0 to 1.
type Progress struct {
	Done    float64
	Resumed float64 // the part of Done that comes from an earlier call
	// Cells that are done, of AllCells that are wanted.
	Cells, AllCells int
}

// Left estimates the time still needed from that which this call has taken so far; ok
// is false before it has done anything.
func (p Progress) Left(elapsed time.Duration) (left time.Duration, ok bool) {
	here := p.Done - p.Resumed
	if !(here > 0) {
		return 0, false
	}
	return time.Duration(float64(elapsed) * (1 - p.Done) / here), true
}

// Outcome is the outcome of an experiment.
type Outcome interface {
	WriteCSV(io.Writer) error
	WriteJSON(io.Writer) error
	Picture(width axes.PrintWidth) *axes.Figure
}

// Printed is an Outcome with a table for people, which the command line shows where
// no file is asked for. Others show their CSV.
type Printed interface {
	Outcome
	WriteText(io.Writer) error
}

// Computable is an Outcome with nothing computed yet: a type that embeds a *Grid.
type Computable interface {
	Outcome
	Size() Size
	Estimate() (time.Duration, error)
	// Columns returns the names of the columns: those that tell cells apart, and those that are computed.
	Columns() (keys, values []string)
	// Runs is how often a cell is repeated, with other randomness or as another measurement: what intervals are taken over.
	Runs() int
	resume(r io.Reader) error
	compute(o Options) error
	seeded(first uint64)
	split(s Shard) (undo func(), err error)
	merge(parts []Part) error
}

// Experiment is one that the command line knows by its name.
type Experiment struct {
	Name  string
	Title string
	Data  bool // it reads Options.Data
	// Settings are the names of its own options that -set gives as text, and Quantities those
	// that are flags.
	Settings   []string
	Quantities []*Quantity
	// New returns what is to be computed for the configuration that the options ask for.
	New func(o Options) (Computable, error)
}

// Run computes the experiment.
func (e *Experiment) Run(o Options) (Outcome, error) {
	outcome, err := e.Begin(o)
	if err != nil {
		return nil, err
	}
	return outcome, outcome.compute(o)
}

// Left returns the experiment with what the file of Options.Resume holds and nothing else computed.
func (e *Experiment) Left(o Options) (Computable, error) {
	outcome, err := e.Begin(o)
	if err != nil || o.Resume == nil {
		return outcome, err
	}
	if err := TakeOver(outcome, o.Resume); err != nil {
		return nil, fmt.Errorf("-resume: %w", err)
	}
	return outcome, nil
}

// TakeOver takes over the cells of a CSV file, as Resume of a grid does.
func TakeOver(outcome Computable, file io.Reader) error { return outcome.resume(file) }

// Finish computes what is left of an experiment that Begin or Left returned.
func Finish(outcome Computable, o Options) error {
	o.Resume = nil
	return outcome.compute(o)
}

// Begin returns the experiment, or the shard of it that the options name, with nothing computed yet.
func (e *Experiment) Begin(o Options) (Computable, error) {
	if o.Data != nil && !e.Data {
		return nil, fmt.Errorf("-data: %s reads no file", e.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Settings)) {
		if len(e.Settings) == 0 {
			return nil, fmt.Errorf("-set %s: %s takes none", name, e.Name)
		}
		if !slices.Contains(e.Settings, name) {
			return nil, fmt.Errorf("-set %s: %s takes none of that name; there are: %s", name, e.Name, strings.Join(e.Settings, " "))
		}
	}
	for n := range o.Quantities {
		if !slices.Contains(e.Quantities, n) {
			return nil, fmt.Errorf("-%s: %s %s", n.Name, e.Name, n.Lacking)
		}
	}
	outcome, err := e.New(o)
	if err != nil {
		return nil, err
	}
	if o.Seed0 > 0 {
		outcome.seeded(o.Seed0)
	}
	if o.Shard.N > 0 {
		if _, err := outcome.split(o.Shard); err != nil {
			return nil, fmt.Errorf("-shard: %w", err)
		}
	}
	return outcome, nil
}
