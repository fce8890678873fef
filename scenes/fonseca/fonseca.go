// Package fonseca is the scene of periodic weights: PSMGD and the methods it
// generalises on Fonseca's two-objective problem.
package fonseca

import (
	"paretoplay/algo/problem"
	"paretoplay/scenes/experiment/noise"
	"paretoplay/scenes/experiment/staleness"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/smooth"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// Scene is one visitor's Fonseca scene. It implements scene.Scene.
type Scene struct {
	scene.Base
	values  Params
	weights *panel.History

	problem   *problem.Fonseca
	starts    [][]float64
	landscape panel.Landscape
	// middleFrom is the objectives of the point at which the middle of the front ends,
	// the smaller one first.
	middleFrom [2]float64
	facts      []scene.Fact

	geometry    *arrows // nil before it is first shown
	geometryKey string  // what it depends on beside the track

	runPanels []panel.Panel
	staleness *staleness.Map // nil until the map is first shown
	noise     *noise.Map     // likewise
}

// New returns the scene with default parameters; Restart builds its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults()}
	s.values.bind(s.Params())
	s.weights = s.weightsHistory()
	s.MarkOn(s.weights)
	s.facts = s.newFacts()
	s.runPanels = []panel.Panel{s.decisionPanel(), s.objectivePanel(), s.weights.Panel(), s.geometryPanel()}
	return s
}

// Restart builds the runs at k = 0.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	f, err := problem.NewFonseca(v.D, v.Sigma)
	if err != nil {
		return err
	}
	starts := v.Points(v.Seed, nil, v.Count, v.Uniform(v.D, 0))
	runs, err := v.Runs(smooth.Course{Problem: f, Starts: starts, Horizon: v.Budget, Seed: v.Seed})
	if err != nil {
		return err
	}
	s.problem, s.starts = f, starts
	s.boundMiddle()
	s.Timeline().SetEnd(v.Budget, v.Stop)
	s.Timeline().Reset(runs, log)
	return s.Displayed()
}

// Displayed makes the landscape, and a map when it is first asked for.
func (s *Scene) Displayed() (err error) {
	s.landscape = s.newLandscape()
	switch {
	case s.values.View == viewStaleness && s.staleness == nil:
		s.staleness, err = staleness.New(staleness.Default())
	case s.values.View == viewNoise && s.noise == nil:
		s.noise, err = noise.New(noise.Page())
	}
	return err
}

// computed is a map that is computed while it is shown.
type computed interface {
	Panels() []panel.Panel
	Work(more func() bool) (pending bool, err error)
}

// shown is the map that is shown, nil where the runs are.
func (s *Scene) shown() computed {
	switch {
	case s.values.View == viewStaleness && s.staleness != nil:
		return s.staleness
	case s.values.View == viewNoise && s.noise != nil:
		return s.noise
	}
	return nil
}

// Covers implements scene.Covering: a map stands in the place of the runs.
func (s *Scene) Covers() bool { return s.shown() != nil }

// Panels are the four linked pictures of the runs, or the maps.
func (s *Scene) Panels() []panel.Panel {
	if m := s.shown(); m != nil {
		return m.Panels()
	}
	return s.runPanels
}

// Drag moves a start point, the coordinates that the decision space shows, or
// the time marker.
func (s *Scene) Drag(handle string, x, y float64) (name, text string) {
	if handle == panel.MarkerHandle {
		return s.Base.Drag(handle, x, y)
	}
	h, v := s.values.pair()
	return s.values.Drag(s.Params(), handle, s.starts, race.InPlane(h, v, x, y))
}

// Work goes on with the map that is shown.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	if m := s.shown(); m != nil {
		return m.Work(more)
	}
	return false, nil
}
