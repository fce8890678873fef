// Package fonseca is the scene of periodic weights: PSMGD and the methods it
// generalises on Fonseca's two-objective problem.
package fonseca

import (
	"slices"

	"paretoplay/scenes/race"
	"paretoplay/scenes/scene"

	"paretoplay/algo/problem"
	"paretoplay/scenes/experiment"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/race/smooth"
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

	geometry    *arrows // nil before it is first shown
	geometryKey string  // what it depends on beside the track

	runPanels []panel.Panel
	staleness *experiment.Staleness // nil until the map is first shown
}

// New returns the scene with default parameters; Restart builds its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults()}
	s.values.bind(s.Params())
	s.weights = s.weightsHistory()
	s.MarkOn(s.weights)
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
	s.Timeline().SetEnd(v.Budget, v.Stop)
	s.Timeline().Reset(runs, log)
	return s.Displayed()
}

// Displayed makes the landscape, and the map of stale weights when it is first asked
// for.
func (s *Scene) Displayed() error {
	s.landscape = s.newLandscape()
	if s.values.View != viewStaleness || s.staleness != nil {
		return nil
	}
	m, err := experiment.NewStaleness(experiment.DefaultStaleness())
	s.staleness = m
	return err
}

// Panels are the four linked pictures of the runs, or the maps.
func (s *Scene) Panels() []panel.Panel {
	if s.values.View == viewStaleness && s.staleness != nil {
		return s.staleness.Panels()
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

// Work goes on with the map of stale weights while it is shown.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	if s.values.View != viewStaleness || s.staleness == nil {
		return false, nil
	}
	return s.staleness.Work(more)
}

// collapsedAt is the objective value below which an end of the front counts as
// reached, here as in the map of stale weights.
const collapsedAt = experiment.CollapsedAt

// MethodResult sums up the runs of one method at their latest iteration.
type MethodResult struct {
	Method          string  `json:"method"`
	Runs            int     `json:"runs"`
	Collapsed       int     `json:"collapsed"` // f1 or f2 below 0.05: at an end of the front
	Backpropagation int     `json:"bp"`        // total of the runs
	Stationarity    float64 `json:"stationarity"`
	DistanceToSet   float64 `json:"distanceToParetoSet"`
}

// Results are the methods' outcomes, and the map where it has been computed.
func (s *Scene) Results() any {
	methods := []MethodResult{}
	for _, r := range s.Timeline().Tracks() {
		if n := len(methods); n == 0 || methods[n-1].Method != r.Method {
			methods = append(methods, MethodResult{Method: r.Method})
		}
		m := &methods[len(methods)-1]
		row := r.Kept(r.Len() - 1)
		m.Runs++
		if slices.Min(row.F) < collapsedAt {
			m.Collapsed++
		}
		m.Backpropagation += row.BP
		m.Stationarity += (row.Stationarity - m.Stationarity) / float64(m.Runs)
		m.DistanceToSet += (s.problem.DistanceToParetoSet(row.X) - m.DistanceToSet) / float64(m.Runs)
	}
	results := map[string]any{"methods": methods}
	if s.staleness != nil {
		results["staleness"] = s.staleness.Cells()
	}
	return results
}
