package experiment

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
)

// Plan is an experiment's part of its Grid. Its functions are called for cells on which nobody
// else works.
type Plan[C any] struct {
	Name  string // of the experiment
	Kind  string // what the cells make, for errors: "table", "map", "figure"
	Cells []C    // all of them, in the order of the files, with nothing computed
	// Parts is how many parts of a cell, such as runs or batches, are done and how many are
	// wanted; none are for a cell that is left out.
	Parts func(c *C) (done, wanted int)
	// Work makes a piece of the cell's next part, and further ones while more() holds. It
	// reports whether the part is complete. What is between two pieces is kept in the cell.
	// Cells share nothing that it changes.
	Work func(c *C, more func() bool) (complete bool, err error)
	// Wants points to how many runs a cell wants, where its columns hold all of every run, so that a
	// file of fewer runs is gone on from; nil where such cells are computed again.
	Wants func(c *C) *int
	// Turns is for parts whose time is measured: the cells' parts take turns, there and back, so
	// that a slow moment of the machine affects them all. They run one at a time, whatever the
	// number of jobs, because parallel jobs would slow each other. Files then hold unfinished
	// cells too, and a column with the parts.
	Turns bool
	// Alone says of a cell that its time is measured, where parts do not take turns: Run
	// computes such cells first, in their order and one at a time however many jobs there may
	// be. Their work may read what cells before them have found. Nil is for none.
	Alone func(c *C) bool
	// Effort is the relative effort of a part of the cell, > 0, for progress; nil if all take
	// about the same.
	Effort func(c *C) float64
	// Columns of the files. CSV has one line a cell, JSON one object.
	Columns []Column[C]
	// Encoded says that a cell's object is what encoding/json makes of it, not its columns.
	Encoded bool
	// Record returns the contents of the JSON file besides the name and the cells; nil for
	// nothing.
	Record func() map[string]any
	// Panels of the page and of the SVG file, and the size of that in CSS pixels.
	Panels        []axes.Panel
	Width, Height vg.Length
}

// Grid computes the cells of an experiment: piece by piece in the page (Work) or all that
// is left (Run), several cells at a time, on from the file of an earlier call. It shows
// and writes them at any time. The outcome depends on none of this. Run and Resume are
// functions, since every exported method is a part of the page's program.
//
// A new experiment is a package with a type of its cells and a type that embeds
// *Grid[Cell] and, where it has a table for people, the method WriteText. It supplies
//   - an Experiment: name, title, and the constructor's outcome for what Options ask for;
//   - a constructor that checks the configuration before anything is computed, lists the
//     cells, and plans how a piece of a cell is computed and what its columns are: keys, which
//     tell cells apart, settings, and the numbers that are measured;
//   - what its panels draw.
//
// A cell whose runs are runs of a stepper keeps a Course, and NewRuns makes the grid. One whose
// runs measure the same numbers keeps them as Rows, which files hold in one column, or embeds a
// Summary, whose columns are means and deviations. An experiment with several questions has cells
// of several types, which Compose puts in one grid.
type Grid[C any] struct {
	grid
	plan Plan[C]
}

// grid is the part of a Grid that does not depend on its cells, which it knows by number. It is
// not generic, so that the page's program has it only once.
type grid struct {
	name          string
	count         int // of the cells
	parts         func(i int) (done, wanted int)
	work          func(i int, more func() bool) (complete bool, err error)
	effort        func(i int) float64
	head          []string // of the columns
	value         func(i, column int) any
	recorded      func(i int) any // a cell for JSON
	record        func() map[string]any
	panels        []axes.Panel
	width, height vg.Length

	first uint64           // seed, 0 for the usual one
	kept  map[int][]string // lines of fewer runs, for files until their cells are complete
	grown [2]int           // cells with such lines that get further runs, and that are computed again

	bound  bool // to one process, since times are measured
	turns  bool
	turn   int   // of all cells in every round
	rounds int   // there and back, counted apart
	failed error // of the first part that could not be computed
}

// NewGrid returns a grid with nothing computed yet.
func NewGrid[C any](p Plan[C]) *Grid[C] {
	g := &Grid[C]{plan: p, grid: grid{
		name: p.Name, count: len(p.Cells), record: p.Record, turns: p.Turns, rounds: 1,
		panels: p.Panels, width: p.Width, height: p.Height,
		parts:    func(i int) (done, wanted int) { return p.Parts(&p.Cells[i]) },
		work:     func(i int, more func() bool) (complete bool, err error) { return p.Work(&p.Cells[i], more) },
		recorded: func(i int) any { return p.recorded(&p.Cells[i]) },
		effort:   func(int) float64 { return 1 },
	}}
	g.plan.Columns = slices.DeleteFunc(slices.Clone(p.Columns), func(c Column[C]) bool { return !c.csv })
	g.value = func(i, column int) any { return g.plan.Columns[column].value(&p.Cells[i]) }
	if p.Effort != nil {
		g.effort = func(i int) float64 { return p.Effort(&p.Cells[i]) }
	}
	for _, column := range g.plan.Columns {
		g.head = append(g.head, column.name)
	}
	g.bound = p.Turns
	if p.Alone != nil {
		for i := range p.Cells {
			g.bound = g.bound || p.Alone(&p.Cells[i])
		}
	}
	if p.Turns {
		for i := range p.Cells {
			_, wanted := g.parts(i)
			g.rounds = max(g.rounds, wanted)
		}
	}
	return g
}

// Cells returns the cells in the order of the plan; the caller does not modify them.
func (g *Grid[C]) Cells() []C { return g.plan.Cells }

// Each yields the cells in that order.
func (g *Grid[C]) Each(yield func(c *C) bool) {
	for i := range g.plan.Cells {
		if !yield(&g.plan.Cells[i]) {
			return
		}
	}
}

// Panels returns the pictures of what is computed.
func (g *grid) Panels() []axes.Panel { return g.panels }

// Parts is how many parts of all cells are done and how many are wanted.
func (g *grid) Parts() (done, wanted int) {
	for i := range g.count {
		d, w := g.parts(i)
		done, wanted = done+d, wanted+w
	}
	return done, wanted
}

// countCells is how many cells are done and how many are wanted.
func (g *grid) countCells() (done, wanted int) {
	for i := range g.count {
		d, w := g.parts(i)
		if w == 0 {
			continue
		}
		if wanted++; d == w {
			done++
		}
	}
	return done, wanted
}

// Finished reports whether everything is computed.
func (g *grid) Finished() bool {
	done, wanted := g.Parts()
	return done == wanted
}

// Progress is the share of the work that is done, from 0 to 1.
func (g *grid) Progress() float64 {
	done, wanted := 0.0, 0.0
	for i := range g.count {
		effort := g.effort(i)
		d, w := g.parts(i)
		done, wanted = done+float64(effort*float64(d)), wanted+float64(effort*float64(w))
	}
	if wanted == 0 {
		return 1
	}
	return done / wanted
}

// next is the cell whose part is computed next; ok is false when nothing is left.
func (g *grid) next() (i int, ok bool) {
	for ; g.turn < g.rounds*g.count; g.turn++ {
		round := g.turn / g.count
		i = g.turn % g.count
		if round%2 == 1 {
			i = g.count - 1 - i
		}
		if done, wanted := g.parts(i); done < wanted && (done <= round || !g.turns) {
			return i, true
		}
	}
	return 0, false
}

// Work computes while more() holds, and reports whether anything is left: nothing is
// after an error, which every further call returns again.
func (g *grid) Work(more func() bool) (pending bool, err error) {
	if g.failed != nil {
		return false, g.failed
	}
	for i, ok := g.next(); ok; i, ok = g.next() {
		if !more() {
			return true, nil
		}
		complete, err := g.work(i, more)
		if err != nil {
			g.failed = err
			return false, err
		}
		if !complete {
			return true, nil
		}
	}
	return false, nil
}

// Run takes over the cells in o.Resume and computes what is left, o.Jobs cells at a time.
// After the first error no other part is begun.
func Run[C any](g *Grid[C], o Options) error {
	if o.Resume != nil {
		if err := Resume(g, o.Resume); err != nil {
			return fmt.Errorf("-resume: %w", err)
		}
	}
	if o.Grown != nil && g.kept != nil {
		o.Grown(g.grown[0], g.grown[1])
	}
	resumed := g.Progress()
	progress := func() Progress {
		done, wanted := g.countCells()
		return Progress{Done: g.Progress(), Resumed: resumed, Cells: done, AllCells: wanted}
	}
	tell := func() {
		if o.Progress != nil {
			o.Progress(progress())
		}
	}
	if o.Begun != nil {
		o.Begun(progress())
	}
	if resumed > 0 {
		tell()
	}
	stored := func() error {
		tell()
		if o.Partial == nil {
			return nil
		}
		return o.Partial(g)
	}
	if g.turns {
		return g.takeTurns(stored)
	}
	return runJobs(g, max(1, o.Jobs), stored)
}

// compute is Run, for an Experiment, which does not know the type of the cells.
func (g *Grid[C]) compute(o Options) error { return Run(g, o) }

// resume is Resume, likewise.
func (g *Grid[C]) resume(r io.Reader) error { return Resume(g, r) }

// always is for work that nothing interrupts.
func always() bool { return true }

// takeTurns computes part after part, and calls stored after each.
func (g *grid) takeTurns(stored func() error) error {
	for i, ok := g.next(); ok; i, ok = g.next() {
		if _, err := g.work(i, always); err != nil {
			return err
		}
		if err := stored(); err != nil {
			return err
		}
	}
	return nil
}

// finish computes what is left of a cell.
func (p *Plan[C]) finish(c *C) error {
	for {
		if done, wanted := p.Parts(c); done >= wanted {
			return nil
		}
		if _, err := p.Work(c, always); err != nil {
			return err
		}
	}
}

// runJobs computes cells, several at a time, and calls stored after each. Jobs work on
// copies of cells, so that stored sees complete ones or none.
func runJobs[C any](g *Grid[C], jobs int, stored func() error) error {
	var wait sync.WaitGroup
	var lock sync.Mutex // of the cells and of failed
	var failed error
	compute := func(i int) {
		lock.Lock()
		c := g.plan.Cells[i]
		lock.Unlock()
		err := g.plan.finish(&c)
		lock.Lock()
		defer lock.Unlock()
		if err == nil {
			g.plan.Cells[i] = c
			err = stored()
		}
		if failed == nil {
			failed = err
		}
	}
	going := func() bool {
		lock.Lock()
		defer lock.Unlock()
		return failed == nil
	}
	var left []int
	for i := range g.count {
		if done, wanted := g.parts(i); done < wanted {
			left = append(left, i)
		}
	}
	if g.plan.Alone != nil {
		left = slices.DeleteFunc(left, func(i int) bool {
			if !g.plan.Alone(&g.plan.Cells[i]) {
				return false
			}
			if going() {
				compute(i)
			}
			return true
		})
	}
	queue := make(chan int)
	for range jobs {
		wait.Go(func() {
			for i := range queue {
				if going() { // it may have waited while another failed
					compute(i)
				}
			}
		})
	}
	for _, i := range left {
		if !going() {
			break
		}
		queue <- i
	}
	close(queue)
	wait.Wait()
	return failed
}
