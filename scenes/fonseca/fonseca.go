// Package fonseca is the scene of periodic weights: PSMGD and the methods it
// generalises on Fonseca's two-objective problem.
package fonseca

import (
	"math/rand/v2"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/scenes/experiment/staleness"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/roster"
	"paretoplay/scenes/timeline"
)

// Scene is one visitor's Fonseca scene. It implements scenes.Scene.
type Scene struct {
	values   Params
	params   param.List
	timeline *timeline.Timeline
	weights  *panel.History

	problem *problem.Fonseca
	starts  [][]float64

	runPanels []panel.Panel
	staleness *staleness.Map // nil until the map is first shown
}

// New returns the scene with default parameters; Restart builds its runs.
func New() *Scene {
	s := &Scene{values: defaults(), timeline: timeline.New(timeline.DefaultLimit)}
	s.values.bind(&s.params)
	s.weights = s.weightsHistory()
	s.runPanels = []panel.Panel{s.decisionPanel(), s.objectivePanel(), s.weights.Panel(), s.geometryPanel()}
	return s
}

// Params lists the parameters.
func (s *Scene) Params() *param.List { return &s.params }

// Presets are the one-click cards.
func (s *Scene) Presets() []param.Preset { return presets }

// Timeline holds the runs, method by method, each from every start point.
func (s *Scene) Timeline() *timeline.Timeline { return s.timeline }

// Restart builds the runs at k = 0.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	f, err := problem.NewFonseca(v.D, v.Sigma)
	if err != nil {
		return err
	}
	starts := v.startPoints()
	runs, err := v.Runs(&roster.Course{Problem: f, Starts: starts, Horizon: v.Budget, Seed: v.Seed})
	if err != nil {
		return err
	}
	s.problem, s.starts = f, starts
	s.timeline.SetEnd(v.Budget, v.Stop)
	s.timeline.Reset(runs, log)
	return s.Displayed()
}

// startPoints draws the random start points and puts the moved ones in place.
// A moved point with fewer coordinates keeps the random ones behind them.
func (p *Params) startPoints() [][]float64 {
	points := make([][]float64, p.Starts)
	for i := range points {
		source := algo.Stream(p.Seed, i, 0, algo.StartPoints)
		random := rand.New(&source)
		x := make([]float64, p.D)
		for j := range x {
			x[j] = (2*random.Float64() - 1) * p.Region
		}
		if i < len(p.Start) {
			copy(x, p.Start[i])
		}
		points[i] = x
	}
	return points
}

// Displayed makes the map of stale weights when it is first asked for.
func (s *Scene) Displayed() error {
	if s.values.View != viewStaleness || s.staleness != nil {
		return nil
	}
	m, err := staleness.New(staleness.Default())
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
		s.timeline.SetMarker(s.weights.IterationAt(x))
		return "", ""
	}
	h, v := s.values.pair()
	return roster.DragStart(&s.params, handle, s.starts, s.values.Start, h, v, x, y)
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
const collapsedAt = staleness.CollapsedAt

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
	for _, r := range s.timeline.Runs() {
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
