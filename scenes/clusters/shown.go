package clusters

import (
	"math"
	"slices"

	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/timeline"
)

// shown holds one run's state at the marker, as the pictures show it.
type shown struct {
	of   shownOf
	x    [][]float64 // the m solutions
	mass []float64   // mass that each solution receives from each goal, n rows of m
	// a and b are the goals' and solutions' masses in the plan. Without a plan they are the parameters' masses.
	a, b []float64
	// carried is true if mass is a transport plan. Otherwise each goal's mass goes to its best solution.
	carried bool
	// served is a hash of mass, a and b.
	served uint64
}

// shownOf is the cache key of a shown value. It holds everything on which the value depends.
type shownOf struct {
	version uint64
	run     *timeline.Run
	k, last int
}

// shown returns the selected run's state at the marker. If there are no runs, its x is nil.
func (s *Scene) shown() *shown {
	t := s.Timeline()
	r := t.Selected().Run
	if r == nil {
		return &shown{}
	}
	of := shownOf{t.Version(), r, min(t.Marker(), r.Last()), r.Last()}
	return s.now.Of(of, func() *shown { return s.read(of) })
}

func (s *Scene) read(of shownOf) *shown {
	out := s.readPlan(of)
	// These are the constants of the hash FNV-1a, used here on 64-bit words.
	const offset, prime = 14695981039346656037, 1099511628211
	out.served = offset
	for _, list := range [][]float64{out.mass, out.a, out.b} {
		for _, v := range list {
			out.served = (out.served ^ math.Float64bits(v)) * prime
		}
	}
	return out
}

func (s *Scene) readPlan(of shownOf) *shown {
	t, n, m := s.Timeline(), len(s.centres), of.run.Solutions()
	out := &shown{of: of, a: s.a, b: s.b}
	best, loss := make([]int, n), []float64{}
	for j := range m {
		row := t.AtMarker(timeline.Track{Run: of.run, Solution: j})
		out.x = append(out.x, slices.Clone(row.X))
		for i, f := range row.F {
			if j == 0 {
				loss = append(loss, f)
			} else if f < loss[i] {
				best[i], loss[i] = j, f
			}
		}
	}
	out.mass = make([]float64, n*m)
	// Before the first round, show the first round's plan.
	step := t.ShownStep
	if of.last == 0 {
		if first, _, ok := t.Ahead(of.run, 0); ok {
			step = func(track timeline.Track) timeline.Row { return track.Of(first) }
		}
	}
	for j := range m {
		step := step(timeline.Track{Run: of.run, Solution: j})
		column := step.List(plans.Plan)
		if column == nil {
			continue
		}
		if !out.carried {
			out.carried, out.a, out.b = true, slices.Clone(step.List(plans.A)), make([]float64, m)
		}
		for i, v := range column {
			out.mass[i*m+j] = v
		}
		out.b[j] = step.Number(plans.B)
	}
	if out.carried {
		return out
	}
	for i, j := range best {
		out.mass[i*m+j] = s.a[i]
	}
	return out
}

// negligible is the share of a goal's mass below which a solution counts as receiving nothing from the goal. Solvers
// that stop early leave a little mass everywhere.
const negligible = 1e-3

// serving returns the number of solutions that receive goal i, and the solution that receives the most.
func (now *shown) serving(i int) (served, largest int) {
	m := len(now.x)
	row := now.mass[i*m : (i+1)*m]
	for j, v := range row {
		if v > negligible*now.a[i] && v > 0 {
			served++
		}
		if v > row[largest] {
			largest = j
		}
	}
	return served, largest
}
