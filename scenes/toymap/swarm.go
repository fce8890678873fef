package toymap

import (
	"fmt"

	"paretoplay/algo/problem"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/swarm"
)

// bindSwarm connects the swarm to the decision plane.
func (s *Scene) bindSwarm() {
	w := &s.values.Swarm
	s.values.CarrySwarm(w, s.Params(), s.Timeline(), "startset", "region")
	w.Lacks = func() string { return "" }
	w.Course = func(method string, starts [][]float64) swarm.Course {
		return s.values.SwarmCourse(method, smooth.Course{Problem: s.problem, Starts: starts, LowerBounds: s.problem.LowerBounds(),
			Horizon: s.values.Budget, Seed: s.values.Seed})
	}
	w.Corners = func() (lo, hi [2]float64) {
		const reach = problem.ToyView
		return [2]float64{-reach, -reach}, [2]float64{reach, reach}
	}
	w.NamesAt = 0.2 // above the Pareto set and its name
	w.Pair = func() (right, up int) { return 0, 1 }
	w.Front = func() (points [][2]float64) {
		for _, f := range s.problem.Front(setPoints) {
			points = append(points, [2]float64{f[0], f[1]})
		}
		return points
	}
	w.FrontKey = func() string { return fmt.Sprint(s.values.Scale, " ", s.tolerance()) }
	w.Away = func(_, f [2]float64) bool { return s.gap(f[:]) > s.tolerance() }
}

// Work implements scene.Scene. It advances the swarm's points to the ends of their runs.
func (s *Scene) Work(more func() bool) (pending bool, err error) { return s.values.Swarm.Work(more) }

// Extras implements scene.Scene.
func (s *Scene) Extras() scene.Extras { return scene.Extras{Flow: &s.values.Swarm} }
