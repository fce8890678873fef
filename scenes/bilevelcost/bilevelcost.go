// Package bilevelcost implements the scene about the cost of differentiating through the lower level. On the page, it
// measures upper steps of FORUM, MOML and MoCo for different numbers of lower steps and lower variables. It has no
// runs.
package bilevelcost

import (
	"cmp"
	"io"
	"time"

	"paretoplay/algo/bilevel"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/study/forumcost"
)

// Scene holds the state of one visitor's measurement. It implements scene.Scene.
type Scene struct {
	scene.Base
	values Params
	clock  func() time.Duration

	cost     *forumcost.Figure
	unfolded *scene.Unfolding
}

// unfolding is the time in seconds in which the pictures grow from short loops to long ones. The measurement itself
// ends sooner.
const unfolding = 8

// New returns a scene with default parameters. Call Restart to prepare its measurement.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults(), clock: runs.Stopwatch(), unfolded: scene.NewUnfolding(unfolding)}
	s.values.bind(s.Params())
	s.Declare(factKinds.Facts(s, Methods))
	return s
}

const (
	// batch is the minimum time of a batch. It is short, so that most batches end before the system switches to another
	// task, but it covers several ticks of most browsers' clocks.
	batch = 500 * time.Microsecond
	// maxWork is the maximum number of multiplications in a measured step. In WebAssembly such a step takes about as
	// long as one call of Work.
	maxWork = 1.2e6
)

// Restart prepares a measurement. Work then carries it out.
func (s *Scene) Restart([]timeline.Change) error {
	v := &s.values
	cost, err := forumcost.New(forumcost.Config{
		Lines: v.lines(), N: v.N, M: v.M, T: v.T, P: v.P, LargestT: v.LargestT, LargestP: v.LargestP,
		Repeats: v.Repetitions, Batch: batch, MostWork: maxWork, Seed: v.Seed, Clock: s.clock,
	})
	if err != nil {
		return err
	}
	s.cost = cost
	cost.Unfold(s.unfolded.Share)
	return s.Displayed()
}

// lines returns the measured methods with their modes, in the order of legends.
func (p *Params) lines() []forumcost.Line {
	var out []forumcost.Line
	for _, method := range p.Methods {
		switch {
		case method == twolevel.FORUM:
			out = append(out, forumcost.Line{Method: method})
		case p.Mode == modeForward:
			out = append(out, forumcost.Line{Method: method, Mode: bilevel.Forward})
		default:
			out = append(out, forumcost.Line{Method: method, Mode: bilevel.Reverse})
			if p.Mode == modeBoth && method == twolevel.MOML {
				out = append(out, forumcost.Line{Method: method, Mode: bilevel.Forward})
			}
		}
	}
	return out
}

// Displayed applies the display parameters to the pictures.
func (s *Scene) Displayed() error {
	s.cost.Display(forumcost.Display{Linear: s.values.Axis == axisLinear, Count: counts[s.values.Count], Price: s.values.HVPPrice})
	return nil
}

// Panels returns three panels of time, evaluations and floats against T, and then the same three against p.
func (s *Scene) Panels() []axes.Panel { return s.cost.Panels() }

// Work continues the measurement while more returns true.
func (s *Scene) Work(more func() bool) (pending bool, err error) { return s.cost.Work(more) }

// Results holds the measurement so far.
type Results struct {
	Pending bool               `json:"pending"`
	Done    float64            `json:"done"` // completed share of the batches
	Cells   []*forumcost.Cell  `json:"cells"`
	Factors []forumcost.Factor `json:"factors"`
}

// Results returns the measurement for the session's state and for files.
func (s *Scene) Results() any {
	out := &Results{Pending: !s.cost.Finished(), Done: s.cost.Progress(), Factors: s.cost.Factors()}
	cells := s.cost.Cells()
	for i := range cells {
		out.Cells = append(out.Cells, &cells[i])
	}
	return out
}

// Readout returns a table with a row for each cell.
func (s *Scene) Readout() timeline.Readout {
	out := timeline.Readout{Rows: []timeline.ReadoutRow{}, Columns: []timeline.Column{
		{Label: "differentiates"}, {Symbol: "T", Label: "lower steps"}, {Symbol: "p", Label: "lower variables"}, {Symbol: "time",
			Label: "of an upper step"},
		{Symbol: "gradients"}, {Symbol: "HVP", Label: "products"}, {Label: "together, in gradients"},
		{Symbol: "floats", Label: "held at once"},
	}}
	cells := s.cost.Cells()
	for i := range cells {
		c := &cells[i]
		out.Rows = append(out.Rows, timeline.ReadoutRow{Method: c.Method, Label: c.Title(),
			Cells: append([]string{cmp.Or(c.ModeName(), "–")}, s.cost.Row(c)...)})
	}
	return out
}

// Extras implements scene.Scene: measured cells can be written to a file and read back.
func (s *Scene) Extras() scene.Extras {
	return scene.Extras{Flow: s.unfolded, Measured: &scene.Measured{
		Write: s.WriteCSV,
		Read:  func(r io.Reader) error { return experiment.Resume(s.cost.Grid, r) },
	}}
}

// WriteCSV writes one line for each measured cell.
func (s *Scene) WriteCSV(w io.Writer) error { return s.cost.WriteCSV(w) }
