// Package ownproblem implements the scene of a visitor's own problem: two to four objectives as formulas. It shows their critical sets
// and front, and runs every method on them.
package ownproblem

import (
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/algo/formula"
	"paretoplay/algo/survey"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Scene is the scene of one visitor's problem. It implements scene.Scene, scene.Faulty and scene.Programmed.
type Scene struct {
	scene.Base
	values  Params
	weights *kinds.History

	reading *reading
	last    *reading // the last reading that had no faults
	problem algo.Problem
	formula *formula.Problem // the problem with neither noise nor box
	asked   *watched         // the problem as the runs evaluate it
	n, m    int
	starts  [][]float64
	lo, hi  []float64 // range of the decision space's picture
	// lettered is true if the formulas name the variables x and y instead of x1 and x2.
	lettered bool

	grid     *survey.Grid // nil if there are more than two variables
	front    *survey.Front
	points   []frontPoint // the front's points found so far
	fronts   int          // number of times that points has changed
	ranges   []axisRange  // ranges of the objectives in pictures
	surveyed texts        // the texts and the range from which grid and front were computed
	reach    float64
	basins   *basins

	decision, objective, share, omega *axes.Plane
	variables, goals                  *axes.Plane // parallel coordinates
	space                             *kinds.Space
}

// frontPoint is a point of the front.
type frontPoint struct{ x, f []float64 }

// axisRange is the range of an objective's axis.
type axisRange struct{ lo, hi float64 }

// New returns the scene with default parameters; Restart builds its runs.
func New() *Scene {
	s := &Scene{Base: scene.NewBase(), values: defaults()}
	s.values.bind(s.Params())
	s.values.SetYielder(s.Timeline().Maker())
	s.weights = s.weightsHistory()
	s.MarkOn(s.weights)
	s.values.Walk.Timeline, s.values.Walk.Course = s.Timeline(), s.walked
	s.bindSwarm()
	s.Declare(factKinds.Facts(s, Methods))
	s.makePanels()
	return s
}

// Restart builds the runs at k = 0.
func (s *Scene) Restart(log []timeline.Change) error {
	v := &s.values
	read := s.sound()
	p := read.problem
	n, m := p.Dims()
	v.SetObjectives(m)
	starts := s.startPoints(p)
	asked, watched := watch(read)
	runs, err := v.Runs(smooth.Course{Problem: algo.Exact(asked), Starts: starts, Horizon: v.Budget, Seed: v.Seed})
	if err != nil {
		return err
	}
	forgive(runs)
	s.problem, s.formula, s.asked, s.n, s.m, s.starts = p, read.formula, watched, n, m, starts
	s.lo, s.hi = s.window(p)
	s.lettered = n == 2 && withY().MatchString(read.text)
	s.survey(read.of)
	s.basins = nil
	s.Timeline().SetEnd(v.Budget, v.Stop)
	s.Timeline().Reset(runs, log)
	return s.Displayed()
}

// window returns the range of the decision space's picture: the box if there is one, otherwise the start region.
func (s *Scene) window(p algo.Problem) (lo, hi []float64) {
	n, _ := p.Dims()
	lo, hi = make([]float64, n), make([]float64, n)
	bounded, boxed := p.(algo.Bounded)
	for i := range n {
		lo[i], hi[i] = -s.values.Region, s.values.Region
		if !boxed {
			continue
		}
		a, b := bounded.Bounds()
		if !math.IsInf(a[i], 0) {
			lo[i] = a[i]
		}
		if !math.IsInf(b[i], 0) {
			hi[i] = b[i]
		}
		if !(lo[i] < hi[i]) { // the only bound is outside the region
			lo[i], hi[i] = min(lo[i], hi[i])-s.values.Region, max(lo[i], hi[i])+s.values.Region
		}
	}
	return lo, hi
}

// startPoints returns random points that are in the window and inside the box. Points that the visitor has moved
// replace them.
func (s *Scene) startPoints(p algo.Problem) [][]float64 {
	v := &s.values
	n, _ := p.Dims()
	lo, hi := s.window(p)
	points := v.Points(v.Seed, nil, v.Count, between(lo, hi))
	bounded, boxed := p.(algo.Bounded)
	for _, x := range points {
		for i := range n {
			if boxed {
				a, b := bounded.Bounds()
				x[i] = min(max(x[i], a[i]), b[i])
			}
		}
	}
	return points
}

// between returns a function that draws points uniformly between two corners.
func between(lo, hi []float64) func(*rand.Rand) []float64 {
	return func(random *rand.Rand) []float64 {
		x := make([]float64, len(lo))
		for i := range x {
			x[i] = lo[i] + float64((hi[i]-lo[i])*random.Float64())
		}
		return x
	}
}

// walked returns the problem on whose front the walk moves, and the objectives' ranges.
func (s *Scene) walked() (algo.Problem, []float64) {
	if s.problem == nil {
		return nil, nil
	}
	ranges := make([]float64, s.m)
	for i, r := range s.ranges {
		ranges[i] = r.hi - r.lo
	}
	return s.problem, ranges
}

// StepNumbers implements scene.Scene.
func (s *Scene) StepNumbers(t timeline.Track, k int) (map[string]string, error) {
	return s.values.StepNumbers(s.Timeline(), algo.Exact(s.problem), t, k)
}

// Conclusions returns the results of a walk along the front, and remarks about the problem.
func (s *Scene) Conclusions() *scene.Conclusions {
	out := s.values.Walk.Conclusions("objective")
	if remarks := s.remarks(); len(remarks) > 0 {
		out.Heading, out.Sentences = "About this problem", append(out.Sentences, remarks...)
	}
	return out
}

// Panels implements scene.Scene.
func (s *Scene) Panels() []axes.Panel { return s.shown() }

// Drag moves a start point, the walk, or the time marker.
func (s *Scene) Drag(handle string, x, y float64) (name, text string) {
	if handle == kinds.MarkerHandle {
		return s.Base.Drag(handle, x, y)
	}
	right, up := s.pair()
	if name, text, is := s.values.Swarm.Drag(handle, x); is {
		return name, text
	}
	if name, text, is := s.values.Walk.Drag(handle, x, y, right, up); is {
		return name, text
	}
	if handle == kinds.CameraHandle {
		return "camera", kinds.Camera(s.values.Camera).Turn(x, y).Text()
	}
	return s.values.Drag(s.Params(), handle, s.starts, runs.InPlane(right, up, x, y))
}

// pair returns the indices, from 0, of the two variables in the plane.
func (s *Scene) pair() (right, up int) { return 0, min(1, max(s.n-1, 0)) }
