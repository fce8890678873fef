// Package fronts implements the scene of two objectives and several solutions. It shows how methods spread a few points along a Pareto
// front.
package fronts

import (
	"math"

	"paretoplay/algo/param"
	"paretoplay/algo/transport"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/study/zdt"
)

// Scene is the fronts scene of one visitor. It implements scene.Scene.
type Scene struct {
	scene.Base
	values Params

	front    *front
	mixtures map[string][]mixture // by method, for methods with mixtures

	table *zdt.Tables // nil until first displayed

	panels []axes.Panel
}

// mixture is a weighted sum of the objectives.
type mixture struct {
	weights []float64 // sum to 1
	least   []float64 // the point of the front that minimises it
}

// New returns the scene with default parameters; Restart builds its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults()}
	s.values.bind(s.Params())
	s.values.SetYielder(s.Timeline().Maker())
	volumes := s.volumeHistory()
	s.MarkOn(volumes)
	s.panels = []axes.Panel{s.objectivePanel(), volumes.Panel(), s.excessHistory().Panel(), s.variablesPanel()}
	s.Declare(factKinds.Facts(s, Methods))
	return s
}

// Restart builds the runs at k = 0.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	f, err := newFront(v.Problem, v.D)
	if err != nil {
		return err
	}
	v.WeightDecay = 0
	if v.Step == string(transport.SignStep) {
		v.WeightDecay = v.Decay
	}
	course := plans.Course{Problem: f.problem, Starts: v.startPoints(f), LowerBounds: f.lower, Horizon: v.Budget, Seed: v.Seed}
	runs, err := v.Runs(course)
	if err != nil {
		return err
	}
	mixtures := map[string][]mixture{}
	for _, method := range v.On {
		all, err := v.MixturesOf(method, course)
		if err != nil {
			return err
		}
		for _, w := range all {
			mixtures[method] = append(mixtures[method], mixture{weights: w, least: f.least(w)})
		}
	}
	s.front, s.mixtures = f, mixtures
	s.Timeline().SetEnd(v.Budget, 0)
	s.Timeline().Reset(runs, log)
	return s.Displayed()
}

// Displayed creates the table when the table is first displayed.
func (s *Scene) Displayed() error {
	if s.values.View != viewTable || s.table != nil {
		return nil
	}
	t, err := zdt.New(zdt.Page())
	s.table = t
	return err
}

// Extras implements scene.Scene. The table replaces the runs.
func (s *Scene) Extras() scene.Extras { return scene.Extras{HidesRuns: s.showsTable()} }

func (s *Scene) showsTable() bool { return s.values.View == viewTable && s.table != nil }

// Panels returns the linked panels of the runs, or the table.
func (s *Scene) Panels() []axes.Panel {
	if s.showsTable() {
		return s.table.Panels()
	}
	return s.panels
}

// Work computes the table while it is displayed.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	if !s.showsTable() {
		return false, nil
	}
	return s.table.Work(more)
}

// referenceHandle is the handle of the reference point.
const referenceHandle = "reference"

// Drag moves the reference point or the time marker.
func (s *Scene) Drag(handle string, x, y float64) (name, text string) {
	if handle != referenceHandle {
		return s.Base.Drag(handle, x, y)
	}
	d, _ := s.Params().Lookup("reference")
	inside := func(v float64) float64 { return min(max(math.Round(v*1e3)/1e3, d.Min), d.Max) }
	return d.Name, param.FormatRows([][]float64{{inside(x), inside(y)}})
}
