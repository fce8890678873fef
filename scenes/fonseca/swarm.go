package fonseca

import (
	"fmt"

	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/swarm"
)

var _ scene.Flowing = (*Scene)(nil)

// apart are the parameters that a swarm does not depend on: which runs there are beside it, and from where.
var apart = []string{"method", "starts", "start", "region"}

// bindSwarm says what the swarm's plane is.
func (s *Scene) bindSwarm() {
	w := &s.values.Swarm
	w.Version = func() uint64 { return s.Params().Version() + s.Timeline().Version() }
	w.Lacks = func() string {
		if d := s.values.D; d != 2 {
			return fmt.Sprintf("it needs a plane of two variables, and here the number of variables is %d", d)
		}
		return ""
	}
	w.Method, w.Title = s.values.SwarmMethod, s.values.Title
	w.Key = func() string { return swarm.KeyOf(s.Params(), apart...) }
	w.Course = func(method string, starts [][]float64) swarm.Course {
		return s.values.SwarmCourse(method, s.course(starts))
	}
	w.Corners = func() (lo, hi [2]float64) {
		reach := s.reach()
		return [2]float64{-reach, -reach}, [2]float64{reach, reach}
	}
	w.Pair = s.values.pair
	w.Front = func() (points [][2]float64) {
		for _, f := range s.problem.Front(boundaryPoints) {
			points = append(points, [2]float64{f[0], f[1]})
		}
		return points
	}
	w.FrontKey = func() string { return fmt.Sprint(s.values.Problem, s.near()) }
	w.Away = func(x, _ [2]float64) bool { return s.problem.DistanceToParetoSet(x[:]) >= s.near() }
}

// course is what runs from some starts are made of.
func (s *Scene) course(starts [][]float64) smooth.Course {
	return smooth.Course{Problem: s.problem, Starts: starts, Horizon: s.values.Budget, Seed: s.values.Seed}
}

// Animate implements scene.Flowing.
func (s *Scene) Animate(on bool) { s.values.Swarm.Animate(on) }

// Flow implements scene.Flowing.
func (s *Scene) Flow(seconds float64, more func() bool) (flows bool, err error) {
	return s.values.Swarm.Flow(seconds, more)
}

// Flows implements scene.Flowing: a map hides the swarm.
func (s *Scene) Flows() bool { return s.shown() == nil && s.values.Swarm.Flows() }

// Pour implements scene.Flowing.
func (s *Scene) Pour() { s.values.Swarm.Pour() }
