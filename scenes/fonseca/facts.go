package fonseca

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo/descent"
	"paretoplay/algo/problem"
	"paretoplay/scenes/race"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// collapsedAt is the objective value below which an end of the front counts as
// reached, here as in the maps.
const collapsedAt = problem.FonsecaEnd

// collapsed reports whether a run is at an end of the front.
func collapsed(r timeline.Row) bool { return slices.Min(r.F) < collapsedAt }

// atEnd reports whether a run is at the end where an objective, from 0, is least.
func atEnd(objective int) func(timeline.Row) bool {
	return func(r timeline.Row) bool { return r.F[objective] < collapsedAt }
}

// middleShare is the part of the Pareto set whose points are the middle of the front:
// those about its centre.
const middleShare = 0.5

// middle reports whether a run has both objectives between those of the two points
// that bound the middle of the front.
func (s *Scene) middle(r timeline.Row) bool {
	return slices.Min(r.F) > s.middleFrom[0] && slices.Max(r.F) < s.middleFrom[1]
}

// boundMiddle finds the objectives of those points, which are each other's mirror
// images.
func (s *Scene) boundMiddle() {
	_, end := s.problem.ParetoInterval()
	s.problem.FrontPoint(s.middleFrom[:], middleShare*end)
}

// distance is how far a run is from the Pareto set.
func (s *Scene) distance(r timeline.Row) float64 { return s.problem.DistanceToParetoSet(r.X) }

// age is the mean age of PSMGD's weights with the settings of now; NaN where PSMGD does
// not run or its settings change by a schedule.
func (s *Scene) age() float64 {
	v, constant := &s.values, descent.Constant.String()
	if !slices.Contains(v.On, "psmgd") || v.EtaSchedule != constant || v.MomentumSchedule != constant {
		return math.NaN()
	}
	return descent.WeightAge(v.R, v.Momentum, v.Eta)
}

// Facts implements scene.Scene.
func (s *Scene) Facts() []scene.Fact { return s.facts }

// newFacts are those of every method that can run: NaN where it does not.
func (s *Scene) newFacts() []scene.Fact {
	line, here := s.Timeline(), race.RowOf((*timeline.Timeline).AtMarker)
	middle, distance := s.middle, s.distance
	var out []scene.Fact
	for _, m := range Methods {
		if s.values.Absent(m.ID) != "" {
			continue
		}
		add := func(name, label, unit string, value func() float64) {
			out = append(out, scene.Fact{Name: name, Label: m.Title + ": " + label, Unit: unit, Value: value})
		}
		add("runs."+m.ID, "runs", "", func() float64 { return race.Runs(line, m.ID) })
		add("collapsed."+m.ID, "runs at an end of the front", "", func() float64 { return race.Count(line, m.ID, here, collapsed) })
		for i := range 2 {
			there := atEnd(i)
			add(fmt.Sprintf("atEnd.%s.%d", m.ID, i+1), fmt.Sprintf("runs at the end of the front where f%c is least", '₁'+rune(i)), "",
				func() float64 { return race.Count(line, m.ID, here, there) })
		}
		add("middle."+m.ID, "share of the runs in the middle of the front", "", func() float64 { return race.Share(line, m.ID, here, middle) })
		add("bp."+m.ID, "backpropagations of all runs", "backpropagations", func() float64 { return race.Sum(line, m.ID, here, race.Spent) })
		add("stationarity."+m.ID, "mean ω of the runs", "", func() float64 { return race.Mean(line, m.ID, here, race.Stationarity) })
		add("distance."+m.ID, "mean distance of the runs from the Pareto set", "",
			func() float64 { return race.Mean(line, m.ID, here, distance) })
	}
	return append(out, scene.Fact{Name: "age", Label: "mean age of PSMGD’s weights", Value: s.age})
}

// MethodResult sums up the runs of one method at their latest iteration.
type MethodResult struct {
	Method          string  `json:"method"`
	Runs            int     `json:"runs"`
	Collapsed       int     `json:"collapsed"` // f1 or f2 below 0.05: at an end of the front
	Backpropagation int     `json:"bp"`        // total of the runs
	Stationarity    float64 `json:"stationarity"`
	DistanceToSet   float64 `json:"distanceToParetoSet"`
}

// Results are the methods' outcomes, and the maps where they have been computed.
func (s *Scene) Results() any {
	line := s.Timeline()
	methods := []MethodResult{}
	for _, m := range race.MethodsOf(line) {
		methods = append(methods, MethodResult{
			Method:          m,
			Runs:            int(race.Runs(line, m)),
			Collapsed:       int(race.Count(line, m, race.Latest, collapsed)),
			Backpropagation: int(race.Sum(line, m, race.Latest, race.Spent)),
			Stationarity:    race.Mean(line, m, race.Latest, race.Stationarity),
			DistanceToSet:   race.Mean(line, m, race.Latest, s.distance),
		})
	}
	results := map[string]any{"methods": methods}
	if s.staleness != nil {
		results["staleness"] = s.staleness.Cells()
	}
	if s.noise != nil {
		results["noise"] = s.noise.Cells()
	}
	return results
}
