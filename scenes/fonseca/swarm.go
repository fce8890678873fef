package fonseca

import (
	"fmt"

	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/swarm"
)

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
