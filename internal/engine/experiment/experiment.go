// Package experiment contains what all experiments have in common. An experiment computes the tables and figures of a
// paper, or tables and figures of our own. Each experiment is a separate package, built around a Grid.
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

// Options are the inputs and callbacks that every experiment accepts.
type Options struct {
	Seeds int       // number of repetitions with different randomness, ≥ 1
	Quick bool      // whether to run a smaller version that shows the same result
	Jobs  int       // number of parallel computations, ≥ 1; the outcome does not depend on it
	Data  io.Reader // an input file; may be nil
	// Remark is called with a text that explains how an ambiguous input file was interpreted. Remark may be nil.
	Remark func(text string)
	// Settings and Quantities contain the values of options that not all experiments have. They may be nil.
	Settings   map[string]string
	Quantities map[*Quantity]float64
	Seed0      uint64    // first seed, from which the others count up; 0 means the experiment's default
	Shard      Shard     // part of the cells to compute
	Resume     io.Reader // CSV file of an earlier, unfinished call; may be nil
	// Begun is called once before anything is computed. Progress is called whenever more work is finished. Their argument
	// says how much is finished so far. Both may be nil. Calls do not overlap.
	Begun, Progress func(Progress)
	// Grown is called if the Resume file has fewer seeds than Seeds. Its arguments are the number of cells that get
	// additional runs, and the number of cells that are computed again because the file contains only means over their
	// runs. Grown may be nil.
	Grown func(further, again int)
	// Partial is called with the outcome so far whenever a part of it is complete, so that Resume can continue after an
	// interruption. Partial may be nil. Calls do not overlap.
	Partial func(Outcome) error
}

// Quantity is an option of some experiments that has a separate flag on the command line.
type Quantity struct {
	Name, Help string
	Min, Max   float64 // range of allowed values
	Lacking    string  // error text if the experiment lacks this option
}

// First returns the first seed: Seed0, or the given default.
func (o *Options) First(seed uint64) uint64 {
	if o.Seed0 == 0 {
		return seed
	}
	return o.Seed0
}

// Progress says how much of an experiment is finished. Done and Resumed are shares of its work, from 0 to 1.
type Progress struct {
	Done    float64
	Resumed float64 // part of Done that earlier calls computed
	// Cells is the number of complete cells, out of AllCells.
	Cells, AllCells int
}

// Left estimates the remaining time from the time elapsed since this call started. It returns ok = false until
// something has been computed.
func (p Progress) Left(elapsed time.Duration) (left time.Duration, ok bool) {
	here := p.Done - p.Resumed
	if !(here > 0) {
		return 0, false
	}
	return time.Duration(float64(elapsed) * (1 - p.Done) / here), true
}

// Outcome is what an experiment has computed, possibly only in part.
type Outcome interface {
	WriteCSV(io.Writer) error
	WriteJSON(io.Writer) error
	Picture(width axes.PrintWidth) *axes.Figure
}

// Printed is an Outcome with a text table for readers. The command line shows that table if no file is requested. For
// other outcomes it shows the CSV.
type Printed interface {
	Outcome
	WriteText(io.Writer) error
}

// Computable is an Outcome that can be computed: a type that embeds a *Grid.
type Computable interface {
	Outcome
	Size() Size
	Estimate() (time.Duration, error)
	// Columns returns the names of the columns: first the columns that identify cells, then the computed ones.
	Columns() (keys, values []string)
	// Runs returns the number of repetitions of a cell, with different randomness or as separate measurements.
	// Intervals are computed over these repetitions.
	Runs() int
	resume(r io.Reader) error
	compute(o Options) error
	seeded(first uint64)
	split(s Shard) (undo func(), err error)
	merge(parts []Part) error
}

// Experiment describes an experiment for the command line.
type Experiment struct {
	Name  string
	Title string
	Data  bool // whether the experiment reads Options.Data
	// Settings lists the names of the experiment's options that -set assigns, and Quantities lists those with
	// separate flags.
	Settings   []string
	Quantities []*Quantity
	// New returns the experiment to compute for the given options.
	New func(o Options) (Computable, error)
}

// Run computes the experiment for the given options.
func (e *Experiment) Run(o Options) (Outcome, error) {
	outcome, err := e.Begin(o)
	if err != nil {
		return nil, err
	}
	return outcome, outcome.compute(o)
}

// Left returns the experiment with only the contents of Options.Resume computed.
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

// TakeOver reads finished cells from a CSV file into an experiment, as Resume does for a grid.
func TakeOver(outcome Computable, file io.Reader) error { return outcome.resume(file) }

// Finish computes the rest of an experiment that Begin or Left returned.
func Finish(outcome Computable, o Options) error {
	o.Resume = nil
	return outcome.compute(o)
}

// Begin returns the experiment, or the requested shard of it, with nothing computed.
func (e *Experiment) Begin(o Options) (Computable, error) {
	if o.Data != nil && !e.Data {
		return nil, fmt.Errorf("-data: %s does not read a file", e.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Settings)) {
		if len(e.Settings) == 0 {
			return nil, fmt.Errorf("-set %s: %s has no settings", name, e.Name)
		}
		if !slices.Contains(e.Settings, name) {
			return nil, fmt.Errorf("-set %s: %s has no such setting; available: %s", name, e.Name, strings.Join(e.Settings, " "))
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
