// Package clusters implements the scene with many objectives and few solutions. The solutions share goals in the plane, and a transport
// plan decides which solution serves which goal.
package clusters

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Scene is the clusters scene of one visitor. It implements scene.Scene and scene.DataTaker.
type Scene struct {
	scene.Base
	values Params

	problem *problem.Clusters
	centres [][]float64 // the goals; nil while a visitor's file is missing
	starts  [][]float64
	a, b    []float64 // masses, with sum 1
	losses  []float64 // scratch space for one point
	view    runs.Window
	pasted  *data.Pasted // nil until a visitor loads data

	now     brush.Memo[shownOf, *shown]
	extents map[string]*extent
	clock   func() *kinds.Clock

	goals, columns *kinds.Bars // the marginals
	curves         map[string]axes.Panel
	panels         []axes.Panel // all panels but the last, which shows the chosen curve
}

// New returns the scene with default parameters; Restart builds its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults(), view: about(), extents: map[string]*extent{}}
	s.values.bind(s.Params())
	s.values.SetYielder(s.Timeline().Maker())
	rounds := kinds.RoundClock(s.Timeline().Budget)
	s.clock = func() *kinds.Clock { return rounds }
	s.newBars()
	s.Declare(factKinds.Facts(s, Methods))
	s.WithoutRun(s.waiting())
	losses := s.lossHistory()
	s.MarkOn(losses)
	s.curves = map[string]axes.Panel{
		viewLosses: s.lossPanel(losses), viewZeros: s.zerosPanel(), viewChange: s.changePanel(), viewTheorem: s.theoremPanel(),
	}
	s.panels = []axes.Panel{s.planePanel(), s.planPanel(), s.wonPanel(), s.goals.Panel(), s.columns.Panel()}
	return s
}

// goalCount returns the number of goals, even before they are drawn.
func (s *Scene) goalCount() int {
	if s.centres != nil {
		return len(s.centres)
	}
	return s.values.N
}

// Restart builds the runs at k = 0. It builds none while a visitor's file is missing.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	s.Timeline().SetEnd(v.Budget, 0)
	if v.Layout == layoutData && s.pasted == nil {
		s.problem, s.centres, s.starts = nil, nil, nil
		s.Timeline().Reset(nil, log)
		return nil
	}
	centres, starts, err := s.places()
	if err != nil {
		return err
	}
	basin := problem.Quadratic
	if v.Basin == basinWell {
		basin = problem.Well
	}
	p, err := problem.NewClusters(centres, basin)
	if err != nil {
		return err
	}
	a, b := param.Shares(v.A, len(centres)), param.Shares(v.B, len(starts))
	runs, err := v.Runs(plans.Course{Problem: algo.Exact(p), Starts: starts, A: a, B: b, Horizon: v.Budget, Seed: v.Seed})
	if err != nil {
		return err
	}
	s.problem, s.centres, s.starts, s.a, s.b = p, centres, starts, a, b
	s.losses = make([]float64, len(centres))
	s.goals.Cursor = min(s.goals.Cursor, len(centres)-1)
	if s.view = about(centres, starts); v.Layout == layoutData {
		s.view = holding(around(s.pasted.Rows(data.CentresName), s.pasted.Rows(data.StartsName)), centres, starts)
	}
	s.Timeline().Reset(runs, log)
	return nil
}

// places returns the goals and the start points.
func (s *Scene) places() (centres, starts [][]float64, err error) {
	v := &s.values
	layout := problem.ClusterLayout{Objectives: v.N, Clusters: v.Groups, Extent: v.CentreSpread, Spread: v.Spread, Seed: v.Seed}
	extent, spread := problem.ScatteredExtent, problem.ScatteredSpread
	if v.Layout == layoutRing {
		layout.Arrangement, extent, spread = problem.Ring, problem.RingExtent, problem.RingSpread
	}
	if layout.Extent == 0 {
		layout.Extent = extent
	}
	if layout.Spread == 0 {
		layout.Spread = spread
	}
	if v.Layout == layoutData {
		centres = s.pasted.Rows(data.CentresName)
		if len(centres) != v.N {
			return nil, nil, &algo.RangeError{Name: "n", Value: v.N, Allowed: fmt.Sprintf("%d, the number in the file", len(centres))}
		}
	} else if centres, err = layout.Centres(); err != nil {
		return nil, nil, err
	}
	centres = replaced(centres, v.Centres)
	from := problem.ScatteredStarts
	if v.From == startsCorner {
		from = problem.CornerStarts
	}
	return centres, replaced(layout.Starts(v.M, from), v.Moved), nil
}

// replaced returns points, each replaced by the moved point with the same index if there is one. It ignores further
// moved points.
func replaced(points, moved [][]float64) [][]float64 {
	out := make([][]float64, len(points))
	for i, p := range points {
		if out[i] = p; i < len(moved) && len(moved[i]) == len(p) {
			out[i] = moved[i]
		}
	}
	return out
}

// Panels returns the panels of the plane, the plan, the goals won, the marginals, and the chosen curve.
func (s *Scene) Panels() []axes.Panel {
	return append(s.panels[:len(s.panels):len(s.panels)], s.curves[s.values.View])
}

// Drag moves a goal, a start point, a bar or the time marker.
func (s *Scene) Drag(handle string, x, y float64) (name, text string) {
	if handle == kinds.MarkerHandle {
		return s.Base.Drag(handle, x, y)
	}
	if name, text, ok := s.dragGoal(handle, x, y); ok {
		return name, text
	}
	if shares, ok := s.goals.Drag(handle, x, y); ok {
		return "a", param.FormatShares(shares)
	}
	if shares, ok := s.columns.Drag(handle, x, y); ok {
		return "b", param.FormatShares(shares)
	}
	return s.values.Drag(s.Params(), handle, s.starts, runs.InPlane(0, 1, x, y))
}

// ShowsPasted reports whether the goals come from a file, even if it is still missing.
func (s *Scene) ShowsPasted() bool { return s.values.Layout == layoutData }

// Paste reads the goals from a file, and the masses and starts if the file has any.
func (s *Scene) Paste(p *data.Pasted) error {
	v := &s.values
	starts, b := p.Rows(data.StartsName), p.List(data.ColumnMassName)
	s.pasted = p
	v.Layout, v.N, v.Centres = layoutData, p.First().Rows, [][]float64{}
	switch {
	case starts != nil:
		v.M, v.Moved = len(starts), starts
	case b != nil:
		v.M = len(b)
	}
	if a := p.List(data.RowMassName); a != nil {
		v.A = data.ShareOfSum(a)
	}
	if b != nil {
		v.B = data.ShareOfSum(b)
	}
	return nil
}

// waiting returns the text shown while there are no runs.
func (s *Scene) waiting() string { return "No goals yet. Load a file or choose another layout." }
