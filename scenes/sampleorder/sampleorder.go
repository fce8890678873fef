// Package sampleorder implements the scene about the order of samples. Steps visit the samples of a finite sum one
// after the other, and the scene shows the effect of their order.
package sampleorder

import (
	"fmt"
	"slices"
	"time"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Scene holds the state of one visitor's scene. It implements scene.Scene and scene.DataTaker.
type Scene struct {
	scene.Base
	runs.SlowMotion
	runs.StartPlane
	values Params

	problem ordering.Problem // nil while a visitor's file is missing
	given   ordering.Problem // samples in the visitor's file; nil until one is opened
	batch   int              // batch size of the current runs

	clock    func() *kinds.Clock
	pictures pictures

	// The following fields hold the contents of panels, which are read or computed once.
	read     *orders.EpochReader
	behind   *runs.Background                    // background of the panel of paths; nil without a problem
	field    brush.Memo[string, kinds.Landscape] // landscape behind the paths, in the current window
	window   brush.Memo[windowKey, runs.Window]  // window of the paths
	means    brush.Memo[string, *orders.Means]   // curves of the current runs and view
	gathered brush.Memo[string, *orders.Means]   // curves up to the runs' latest epochs
	cost     brush.Memo[string, *orders.Costs]
	watch    func() time.Duration
}

// New returns a scene with default parameters. Call Restart to build its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), StartPlane: runs.StartPlane{Symbol: "w"}, values: defaults(), watch: runs.Stopwatch()}
	s.SlowMotion = runs.NewSlowMotion(s.Timeline(), &s.values.Settings, &s.values.Moment, momentNames[:], s.momentDurations)
	s.values.bind(s.Params())
	s.values.SetYielder(s.Timeline().Maker())
	s.read = orders.NewEpochReader(s.Timeline())
	s.clock = s.values.Clock(s.Timeline())
	s.Fitting = s.fitting
	s.pictures = s.newPictures()
	s.Declare(factKinds.Facts(s, Methods))
	return s
}

// Restart builds the runs at k = 0. It builds none while the visitor's file is missing.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	s.Timeline().SetEnd(v.Budget, 0)
	if v.Problem == orders.Yours && s.given == nil {
		s.problem, s.Start, s.behind = nil, nil, nil
		s.read.On(nil, 1)
		s.Timeline().Reset(nil, log)
		return nil
	}
	samples := s.brought
	if v.Problem != orders.Yours {
		samples = func() (ordering.Problem, error) { return v.Draw(v.Batch, v.Seed) }
	}
	p, err := samples()
	if err != nil {
		return err
	}
	d, _ := p.Dims()
	k := p.Examples() / v.Batch
	if most := maxPaths / (k * d); len(v.On)*v.Seeds > most {
		return &algo.RangeError{Name: "seeds", Value: v.Seeds, Allowed: fmt.Sprintf("with %d examples of %d variables at most %d runs are "+
			"possible, but %d orders with %d seeds need %d", k, d, most, len(v.On), v.Seeds, len(v.On)*v.Seeds)}
	}
	start := v.Points(v.Seed, [][]float64{make([]float64, d)}, 1, nil)[0]
	made, err := v.Runs(orders.Course{Problem: p, Start: start, Epochs: (v.Budget + k - 1) / k, Seed: v.Seed})
	if err != nil {
		return err
	}
	s.problem, s.Start, s.batch = p, start, v.Batch
	s.behind = runs.NewBackground(p, start)
	s.read.On(p, v.Batch)
	if v.Problem == orders.Yours {
		v.Count(p, v.Batch)
	}
	t := s.Timeline()
	before := t.SelectedName()
	t.Reset(made, log)
	if t.SelectedName() != before {
		t.Select(s.preferred())
	}
	return nil
}

// Released fits the plane's window to the runs again after a drag.
func (s *Scene) Released() { s.StartPlane.Released() }

// preferred returns the initially selected run: one whose order is decided by signs, because such a run shows more.
func (s *Scene) preferred() string {
	runs := s.Timeline().Runs()
	if i := slices.IndexFunc(runs, balances); i >= 0 {
		return runs[i].Name
	}
	return ""
}

// balances reports whether a run's order is decided by signs.
func balances(r *timeline.Run) bool {
	kind, _ := orders.Kind(r.Method)
	return kind.Balances()
}

// Panels returns the scene's linked panels.
func (s *Scene) Panels() []axes.Panel { return s.pictures.shown(s) }

// Work reads the contents of panels, and measures times while times are displayed.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	if s.behind != nil && s.behind.Work(more) || s.read.Read(more) {
		return true, nil
	}
	if c := s.costNow(); c != nil && s.values.View == viewCost {
		return c.Work(more)
	}
	return false, nil
}

// Drag moves the start point or the time marker, depending on the handle.
func (s *Scene) Drag(handle string, x, y float64) (name, text string) {
	if handle == kinds.MarkerHandle {
		return s.Base.Drag(handle, x, y)
	}
	return s.DragStart(&s.values.Starts, s.Params(), handle, x, y)
}
