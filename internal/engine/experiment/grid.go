package experiment

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
)

// Plan is an experiment's contribution to its Grid. Its functions get exclusive access to the cells that they are
// called with.
type Plan[C any] struct {
	Name  string // name of the experiment
	Kind  string // what errors call the set of all cells: "table", "map", "figure"
	Cells []C    // all cells in the order of the files, with nothing computed
	// Parts returns the numbers of a cell's finished and wanted parts, such as runs or batches. Cells that are left
	// out have no wanted parts.
	Parts func(c *C) (done, wanted int)
	// Work computes one piece of the cell's next part, and further pieces while more() returns true. It reports
	// whether the part is complete. The cell stores the state between two pieces. Work must not change anything that
	// cells share.
	Work func(c *C, more func() bool) (complete bool, err error)
	// Wants returns a pointer to the number of runs that a cell wants. Wants may be set if the cell's columns contain all
	// data of every run. A file with fewer runs can then be continued. If Wants is nil, cells with fewer runs are computed
	// again.
	Wants func(c *C) *int
	// Turns must be true for parts with measured times. The cells' parts then take turns, back and forth, so that a
	// slow phase of the machine affects all cells. They run one at a time, regardless of the number of jobs, because
	// parallel jobs would slow each other down. Files then also contain unfinished cells, and a column with the
	// number of parts.
	Turns bool
	// Alone reports whether a cell's time is measured, for parts that do not take turns. Run computes such cells first,
	// in order and one at a time, regardless of the number of jobs. They may read the results of earlier cells. Alone
	// may be nil.
	Alone func(c *C) bool
	// Effort returns the relative effort, > 0, of a part of the cell. The progress is computed from these efforts. If
	// Effort is nil, all parts count as equal.
	Effort func(c *C) float64
	// Columns lists the columns of the files. CSV has one line per cell, and JSON has one object per cell.
	Columns []Column[C]
	// Encoded means that JSON contains the cell itself, encoded by encoding/json, instead of its columns.
	Encoded bool
	// Record returns members of the JSON file in addition to the name and the cells. Record may be nil.
	Record func() map[string]any
	// Panels are shown on the page and in the SVG file. Width and Height are the size of the SVG file in CSS pixels.
	Panels        []axes.Panel
	Width, Height vg.Length
}

// Grid computes the cells of an experiment. Work computes piece by piece, for the page. Run computes everything that is
// left, with several cells in parallel. A grid can continue from the file of an earlier call, and it can be shown and
// written at any time. None of these choices affects the outcome. Run and Resume are functions because every exported
// method is part of the page's program.
//
// A new experiment is a package with a type for its cells, and a type that embeds *Grid[Cell]. The second type has
// the method WriteText if there is a text table. The package supplies
//   - an Experiment: name, title, and a function that calls the constructor for Options;
//   - a constructor that checks the configuration before anything is computed, and lists the cells. It sets the
//     function that computes a piece of a cell, and the columns: keys, which identify cells, settings, and the
//     measured numbers;
//   - the panels' drawing functions.
//
// If a cell's runs are runs of a stepper, the cell stores a Course, and NewRuns returns the grid. If all runs of a cell
// measure the same quantities, the cell stores the measurements as Rows, which files contain in one column.
// Alternatively the cell embeds a Summary, whose columns are means and deviations. An experiment with several questions
// has several types of cells, which Compose combines into one grid.
type Grid[C any] struct {
	grid
	plan Plan[C]
}

// grid is the part of a Grid that does not depend on the cells' type. It identifies cells by index. It is not
// generic, so that the page's program contains it only once.
type grid struct {
	name          string
	count         int // number of cells
	parts         func(i int) (done, wanted int)
	work          func(i int, more func() bool) (complete bool, err error)
	effort        func(i int) float64
	head          []string // names of the columns
	value         func(i, column int) any
	recorded      func(i int) any // returns a cell for JSON
	record        func() map[string]any
	panels        []axes.Panel
	width, height vg.Length

	first uint64           // first seed; 0 means the default
	kept  map[int][]string // lines with fewer runs, which files keep until their cells are complete
	grown [2]int           // numbers of cells with such lines: those with additional runs, and those computed again

	bound  bool // whether everything must run in one process, because times are measured
	turns  bool
	turn   int   // index among the turns of all rounds
	rounds int   // number of rounds; a round in each direction counts separately
	failed error // error of the first part that failed
}

// NewGrid returns a grid with nothing computed.
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

// Cells returns the cells in the order of the plan. They must not be modified.
func (g *Grid[C]) Cells() []C { return g.plan.Cells }

// Each yields the cells in the order of the plan.
func (g *Grid[C]) Each(yield func(c *C) bool) {
	for i := range g.plan.Cells {
		if !yield(&g.plan.Cells[i]) {
			return
		}
	}
}

// Panels returns the panels that show the computed cells.
func (g *grid) Panels() []axes.Panel { return g.panels }

// Parts returns the numbers of finished and wanted parts of all cells.
func (g *grid) Parts() (done, wanted int) {
	for i := range g.count {
		d, w := g.parts(i)
		done, wanted = done+d, wanted+w
	}
	return done, wanted
}

// countCells returns the numbers of finished and wanted cells.
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

// Progress returns the share of the work that is done, from 0 to 1.
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

// next returns the cell whose part must be computed next. It returns ok = false if nothing is left.
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

// Work computes while more() returns true, and reports whether anything is left. After an error nothing is left, and
// every further call returns the same error.
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

// Run reads the cells in o.Resume and computes the rest, o.Jobs cells at a time. After an error it starts no further
// parts.
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

// compute calls Run for an Experiment, which does not know the cells' type.
func (g *Grid[C]) compute(o Options) error { return Run(g, o) }

// resume calls Resume for an Experiment, which does not know the cells' type.
func (g *Grid[C]) resume(r io.Reader) error { return Resume(g, r) }

// always returns true. Passed as more(), it never interrupts the work.
func always() bool { return true }

// takeTurns computes one part after another and calls stored after each part.
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

// finish computes the rest of a cell.
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

// runJobs computes several cells in parallel and calls stored after each cell. Jobs work on copies of cells, so that
// stored never sees incomplete cells.
func runJobs[C any](g *Grid[C], jobs int, stored func() error) error {
	var wait sync.WaitGroup
	var lock sync.Mutex // protects the cells and the error in failed
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
				if going() { // another job may have failed in the meantime
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
