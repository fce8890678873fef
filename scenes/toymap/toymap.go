// Package toymap implements the scene that compares all weightings on the two-task toy problem of CAGrad and its successors.
package toymap

import (
	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Scene is the toy problem of one visitor. It implements scene.Scene.
type Scene struct {
	scene.Base
	values  Params
	weights *kinds.History

	problem   *problem.Toy
	starts    [][]float64
	landscape kinds.Landscape
	front     *front
	progress  map[timeline.Track]*progress

	panels []axes.Panel
}

// New returns the scene with default parameters; Restart builds its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults()}
	s.values.bind(s.Params())
	s.values.SetYielder(s.Timeline().Maker())
	s.weights = s.weightsHistory()
	s.MarkOn(s.weights)
	s.values.Walk.Timeline = s.Timeline()
	s.values.Walk.Course = func() (algo.Problem, []float64) { return s.problem, []float64{20 * s.values.Scale, 20} }
	s.bindSwarm()
	s.Declare(factKinds.Facts(s, s.present()))
	weights := s.weights.Panel()
	weights.Key = s.weights.TickKey
	s.panels = []axes.Panel{s.decisionPanel(), s.objectivePanel(), weights, s.gapHistory().Panel(), s.arrivalsPanel()}
	return s
}

// Restart builds the runs at k = 0.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	p, err := problem.NewToy(v.Scale, v.Sigma)
	if err != nil {
		return err
	}
	if s.front == nil {
		if s.front, err = newFront(); err != nil {
			return err
		}
	}
	starts := v.startPoints()
	runs, err := v.Runs(smooth.Course{
		Problem: p, Starts: starts, LowerBounds: p.LowerBounds(), Horizon: v.Budget, Seed: v.Seed,
	})
	if err != nil {
		return err
	}
	s.problem, s.starts, s.progress = p, starts, map[timeline.Track]*progress{}
	for _, r := range runs {
		r.Observe = func(v algo.View) { s.look(r, v) }
	}
	s.Timeline().SetEnd(v.Budget, v.Stop)
	s.Timeline().Reset(runs, log)
	return s.Displayed()
}

// Displayed computes the landscape.
func (s *Scene) Displayed() error {
	s.landscape = s.newLandscape()
	return nil
}

// Panels returns the linked panels.
func (s *Scene) Panels() []axes.Panel { return s.panels }

// Conclusions returns the results of a walk along the front.
func (s *Scene) Conclusions() *scene.Conclusions { return s.values.Walk.Conclusions("objective") }

// StepNumbers implements scene.Scene.
func (s *Scene) StepNumbers(t timeline.Track, k int) (map[string]string, error) {
	return s.values.StepNumbers(s.Timeline(), s.problem, t, k)
}

// Drag moves a start point or the time marker.
func (s *Scene) Drag(handle string, x, y float64) (name, text string) {
	if handle == kinds.MarkerHandle {
		return s.Base.Drag(handle, x, y)
	}
	if name, text, is := s.values.Swarm.Drag(handle, x); is {
		return name, text
	}
	if name, text, is := s.values.Walk.Drag(handle, x, y, 0, 1); is {
		return name, text
	}
	return s.values.Drag(s.Params(), handle, s.starts, runs.InPlane(0, 1, x, y))
}
