// Package fonseca implements the scene of periodic weights. It runs PSMGD, and the methods that PSMGD generalises, on
// Fonseca's two-objective problem.
package fonseca

import (
	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/study/noise"
	"paretoplay/internal/study/staleness"
)

// Scene is the Fonseca scene of one visitor. It implements scene.Scene and scene.Recordable.
type Scene struct {
	scene.Base
	values  Params
	weights *kinds.History

	problem   goals
	starts    [][]float64
	landscape kinds.Landscape
	// middleFrom holds the two objectives at one end of the middle of the front, the smaller first.
	middleFrom [2]float64
	means      map[timeline.Track]*mean // mean weights by track
	// heldObjective is the upper end that the objectives' axes had when the visitor grabbed a start point. It is 0
	// while no start point is held.
	heldObjective float64

	geometry brush.Memo[geometryKey, *arrows]

	runPanels []axes.Panel
	staleness *staleness.Map // nil until the map is first displayed
	noise     *noise.Map     // nil until the map is first displayed
}

// goals is a problem whose two objectives conflict at the points between their minimisers.
type goals interface {
	algo.Partial
	ParetoInterval() (lo, hi float64)
	FrontPoint(f []float64, t float64)
	Front(count int) [][]float64
	Preimage(x, f []float64, most float64)
	AttainableBoundary(count int) [][]float64
	DistanceToParetoSet(x []float64) float64
	Gap(f []float64) float64
	End() float64 // bound on an objective, below which a point counts as being at an end of the front
}

// newProblem returns the chosen problem.
func (p *Params) newProblem() (goals, error) {
	if p.Problem == problemQuadratic {
		return problem.NewTwoQuadratics(p.D, p.Sigma)
	}
	return problem.NewFonseca(p.D, p.Sigma)
}

// New returns the scene with default parameters; Restart builds its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults()}
	s.values.bind(s.Params())
	s.values.SetYielder(s.Timeline().Maker())
	s.weights = s.weightsHistory()
	s.MarkOn(s.weights)
	s.values.Walk.Timeline, s.values.Walk.Course = s.Timeline(), func() (algo.Problem, []float64) { return s.problem, []float64{1, 1} }
	s.bindSwarm()
	s.Declare(factKinds.Facts(s, s.present()))
	s.runPanels = []axes.Panel{s.decisionPanel(), s.objectivePanel(), s.weightsPanel(), s.geometryPanel()}
	return s
}

// runs creates a new problem and builds its runs at k = 0.
func (p *Params) runs() (f goals, starts [][]float64, runs []*timeline.Run, err error) {
	if f, err = p.newProblem(); err != nil {
		return nil, nil, nil, err
	}
	starts = p.Points(p.Seed, nil, p.Count, p.Uniform(p.D, 0))
	runs, err = p.Runs(smooth.Course{Problem: f, Starts: starts, Horizon: p.Budget, Seed: p.Seed})
	return f, starts, runs, err
}

// Recording implements scene.Recordable.
func (s *Scene) Recording(run string) (*scene.Recording, error) {
	f, _, runs, err := s.values.runs()
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		if r.Name == run {
			return &scene.Recording{Run: r, Problem: f, Names: []string{"f1", "f2"}, Seed: s.values.Seed}, nil
		}
	}
	return nil, scene.UnknownRun(s.Timeline(), run)
}

// Restart builds the runs at k = 0.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	f, starts, runs, err := v.runs()
	if err != nil {
		return err
	}
	s.problem, s.starts, s.means = f, starts, map[timeline.Track]*mean{}
	for _, r := range runs {
		r.Observe = func(v algo.View) { s.weigh(r, v) }
	}
	s.boundMiddle()
	s.Timeline().SetEnd(v.Budget, v.Stop)
	s.Timeline().Reset(runs, log)
	return s.Displayed()
}

// Displayed computes the landscape, and creates each map when the map is first displayed.
func (s *Scene) Displayed() (err error) {
	s.landscape = s.newLandscape()
	switch {
	case s.values.View == viewStaleness && s.staleness == nil:
		if s.staleness, err = staleness.New(staleness.Default()); err == nil {
			s.staleness.Now = s.stale
		}
	case s.values.View == viewNoise && s.noise == nil:
		s.noise, err = noise.New(noise.Page())
	}
	return err
}

// computed is a map whose cells are computed while it is displayed.
type computed interface {
	Panels() []axes.Panel
	Work(more func() bool) (pending bool, err error)
}

// shown returns the displayed map, or nil if the runs are displayed.
func (s *Scene) shown() computed {
	switch {
	case s.values.View == viewStaleness && s.staleness != nil:
		return s.staleness
	case s.values.View == viewNoise && s.noise != nil:
		return s.noise
	}
	return nil
}

// Extras implements scene.Scene. A map replaces the runs and the swarm.
func (s *Scene) Extras() scene.Extras {
	if s.shown() != nil {
		return scene.Extras{HidesRuns: true}
	}
	return scene.Extras{Flow: &s.values.Swarm}
}

// Panels returns the four linked panels of the runs, or a map.
func (s *Scene) Panels() []axes.Panel {
	if m := s.shown(); m != nil {
		return m.Panels()
	}
	return s.runPanels
}

// StepNumbers implements scene.Scene.
func (s *Scene) StepNumbers(t timeline.Track, k int) (map[string]string, error) {
	return s.values.StepNumbers(s.Timeline(), s.problem, t, k)
}

// Drag moves a start point in the decision or the objective space, moves the time marker, or walks along the front.
func (s *Scene) Drag(handle string, x, y float64) (name, text string) {
	if handle == kinds.MarkerHandle {
		return s.Base.Drag(handle, x, y)
	}
	h, v := s.values.pair()
	if name, text, is := s.values.Swarm.Drag(handle, x); is {
		return name, text
	}
	if name, text, is := s.values.Walk.Drag(handle, x, y, h, v); is {
		return name, text
	}
	return s.dragStart(handle, x, y)
}

// Conclusions returns the results of a walk along the front. It returns nil while a map is displayed.
func (s *Scene) Conclusions() *scene.Conclusions {
	if s.shown() != nil {
		return &scene.Conclusions{}
	}
	return s.values.Walk.Conclusions("objective")
}

// Work continues computing the displayed map. If no map is displayed, it advances the swarm's points to the ends of
// their runs.
func (s *Scene) Work(more func() bool) (pending bool, err error) {
	if m := s.shown(); m != nil {
		return m.Work(more)
	}
	return s.values.Swarm.Work(more)
}
