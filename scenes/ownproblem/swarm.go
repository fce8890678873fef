package ownproblem

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/swarm"
	"paretoplay/internal/portable"
)

// bindSwarm connects the swarm to the decision plane.
func (s *Scene) bindSwarm() {
	w := &s.values.Swarm
	// The swarm uses the displayed problem.
	s.values.CarrySwarm(w, s.Params(), s.Timeline(), append([]string{textDefine, textBox}, textObjectives[:]...)...)
	settings := w.Key
	w.Key = func() string { return fmt.Sprint(settings(), s.surveyed) }
	w.Lacks = func() string {
		if s.problem == nil || s.n != 2 || s.m != 2 {
			return fmt.Sprintf("it needs two variables and two objectives, but the problem has %d and %d", s.n, s.m)
		}
		return ""
	}
	w.Course = func(method string, starts [][]float64) swarm.Course {
		c := s.values.SwarmCourse(method, smooth.Course{Problem: algo.Exact(s.problem), Starts: starts, Horizon: s.values.Budget,
			Seed: s.values.Seed})
		make := c.New
		c.New = func(i int) (algo.Stepper, error) {
			made, err := make(i)
			if of, is := made.(*descent.PSMGD); is && err == nil {
				return forgiving{of}, nil
			}
			return made, err
		}
		return c
	}
	w.Corners = func() (lo, hi [2]float64) { return [2]float64(s.lo), [2]float64(s.hi) }
	w.Pair = s.pair
	w.Front = func() (points [][2]float64) {
		for _, p := range s.points {
			points = append(points, [2]float64(p.f))
		}
		return points
	}
	w.FrontKey = func() string { return fmt.Sprint(s.fronts) }
	w.Away = s.ownAway
}

// ownAway reports whether objectives are away from the known part of the front: farther than two hundredths of the
// front's ranges from all points of this part and from the lines between neighbouring points.
func (s *Scene) ownAway(_, f [2]float64) bool {
	const near = 0.02
	at := func(p []float64) [2]float64 {
		return [2]float64{(p[0] - f[0]) / (s.ranges[0].hi - s.ranges[0].lo), (p[1] - f[1]) / (s.ranges[1].hi - s.ranges[1].lo)}
	}
	for i, p := range s.points {
		a := at(p.f)
		if portable.Hypot(a[0], a[1]) <= near {
			return false
		}
		if i == 0 || s.apart(i-1, i) >= stretch {
			continue
		}
		b := at(s.points[i-1].f)
		d := [2]float64{a[0] - b[0], a[1] - b[1]}
		u := -(float64(b[0]*d[0]) + float64(b[1]*d[1])) / (float64(d[0]*d[0]) + float64(d[1]*d[1]))
		u = max(0, min(u, 1))
		if portable.Hypot(b[0]+float64(u*d[0]), b[1]+float64(u*d[1])) <= near {
			return false
		}
	}
	return true
}
