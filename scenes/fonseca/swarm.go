package fonseca

import (
	"fmt"

	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/swarm"
)

// bindSwarm connects the swarm to the decision plane.
func (s *Scene) bindSwarm() {
	w := &s.values.Swarm
	s.values.CarrySwarm(w, s.Params(), s.Timeline(), "region")
	w.Lacks = func() string {
		if d := s.values.D; d != 2 {
			return fmt.Sprintf("it needs two variables, but the problem has %d", d)
		}
		return ""
	}
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

// course returns the description of runs from the given starts.
func (s *Scene) course(starts [][]float64) smooth.Course {
	return smooth.Course{Problem: s.problem, Starts: starts, Horizon: s.values.Budget, Seed: s.values.Seed}
}
