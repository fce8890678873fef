package fonseca

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/swarm"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/study/staleness"
)

// collapsed reports whether a run is at an end of the front. The maps use the same criterion.
func (s *Scene) collapsed(r timeline.Row) bool { return slices.Min(r.F) < s.problem.End() }

// atEnd returns a function that reports whether a run is at the end of the front where the given objective, counted from 0, is
// smallest.
func (s *Scene) atEnd(objective int) func(timeline.Row) bool {
	return func(r timeline.Row) bool { return r.F[objective] < s.problem.End() }
}

// middleShare is the central share of the Pareto set that counts as the middle of the front.
const middleShare = 0.5

// middle reports whether both objectives of a run lie between the ends of the middle of the front.
func (s *Scene) middle(r timeline.Row) bool {
	return slices.Min(r.F) > s.middleFrom[0] && slices.Max(r.F) < s.middleFrom[1]
}

// boundMiddle computes the objectives at one end of the middle. At the other end, the two values are swapped.
func (s *Scene) boundMiddle() {
	_, end := s.problem.ParetoInterval()
	s.problem.FrontPoint(s.middleFrom[:], middleShare*end)
}

// mean is the running mean, over a track's steps, of the first objective's share in the weights.
type mean struct {
	share float64
	steps int
}

// weigh adds the weights of a run's step to the means of the run's tracks.
func (s *Scene) weigh(r *timeline.Run, v algo.View) {
	if v.K == 0 || len(v.Weights) != 2*v.Solutions {
		return
	}
	for i := range v.Solutions {
		w := v.Weights[2*i : 2*i+2]
		share := w[0] / (w[0] + w[1])
		if math.IsNaN(share) {
			continue
		}
		track := timeline.Track{Run: r, Solution: i}
		m := s.means[track]
		if m == nil {
			m = new(mean)
			s.means[track] = m
		}
		m.steps++
		m.share += (share - m.share) / float64(m.steps)
	}
}

// meanWeight returns an objective's mean weight over all steps of a method's runs, or NaN if there are no steps.
func (s *Scene) meanWeight(method string, objective int) float64 {
	sum, n := 0.0, 0
	for _, r := range s.Timeline().Tracks() {
		if m := s.means[r]; r.Method == method && m != nil {
			sum += m.share
			n++
		}
	}
	share := sum / float64(n)
	if objective == 1 {
		share = 1 - share
	}
	return share
}

// flat reports whether a run is far out, where Fonseca's objectives are near 1 and almost flat.
func flat(r timeline.Row) bool { return slices.Min(r.F) > 0.9 }

// distance returns a run's distance from the Pareto set.
func (s *Scene) distance(r timeline.Row) float64 { return s.problem.DistanceToParetoSet(r.X) }

// gap returns the distance of a run's objectives from the front.
func (s *Scene) gap(r timeline.Row) float64 { return s.problem.Gap(r.F) }

// age returns the mean age of PSMGD's weights under the current settings. It returns NaN if PSMGD does not run, or if a
// schedule changes the step size or the momentum.
func (s *Scene) age() float64 {
	if c := s.stale(); c.R > 0 {
		return c.Age
	}
	return math.NaN()
}

// stale returns the map's cell for PSMGD's current settings, or the zero Cell if the map has none.
func (s *Scene) stale() staleness.Cell {
	v, constant := &s.values, string(descent.Constant)
	if !slices.Contains(v.On, "psmgd") || v.EtaSchedule != constant || v.MomentumSchedule != constant {
		return staleness.Cell{}
	}
	return staleness.Cell{Eta: v.Eta, Momentum: v.Momentum, R: v.R, Age: descent.WeightAge(v.R, v.Momentum, v.Eta)}
}

// factKinds are the facts of every method at the marker. They are NaN if the method does not run.
var factKinds = append(scene.FactKinds[*Scene]{
	{Name: "runs", Of: []string{"method"}, Text: "The number of the method’s runs, one from each start.",
		Label:    "runs",
		OfMethod: func(s *Scene, method string, _ int) float64 { return runs.Runs(s.Timeline(), method) }},
	{Name: "collapsed", Of: []string{"method"}, Text: "The number of the method’s runs at an end of the front: f₁ or f₂ is below 0.05 on " +
		"Fonseca’s problem, or equally close to its minimum on the other problem.",
		Label: "runs at an end of the front",
		OfMethod: func(s *Scene, method string, _ int) float64 {
			return runs.Count(s.Timeline(), method, here, s.collapsed)
		}},
	{Name: "atEnd", Of: []string{"method", "objective"}, Text: "The number of the method’s runs at the end of the front where the given " +
		"objective is smallest.",
		Label: "runs at the end of the front where f%s is smallest",
		Over:  scene.Counted(2, runs.Subscript),
		OfMethod: func(s *Scene, method string, i int) float64 {
			return runs.Count(s.Timeline(), method, here, s.atEnd(i))
		}},
	{Name: "middle", Of: []string{"method"}, Text: "The share of the runs in the middle of the front: between the points halfway from " +
		"its centre to its ends. On Fonseca’s problem, both objectives are then between 0.22 and 0.89.",
		Label:    "share of the runs in the middle of the front",
		After:    "flat",
		OfMethod: func(s *Scene, method string, _ int) float64 { return runs.Share(s.Timeline(), method, here, s.middle) }},
	{Name: "meanWeight", Of: []string{"method", "objective"}, Text: "The objective’s mean share in the weights, over all runs and all " +
		"their steps so far, regardless of the marker.",
		Label:    "mean share of f%s in the weights of all steps",
		Over:     scene.Counted(2, runs.Subscript),
		OfMethod: func(s *Scene, method string, i int) float64 { return s.meanWeight(method, i) }},
	runs.ValueFact[*Scene](2),
	{Name: "flat", Of: []string{"method"}, Text: "The number of runs with both objectives above 0.9: far out, where Fonseca’s objectives " +
		"are almost flat.",
		Label:    "runs with both objectives above 0.9",
		OfMethod: func(s *Scene, method string, _ int) float64 { return runs.Count(s.Timeline(), method, here, flat) }},
	{Name: "bp", Of: []string{"method"}, Text: "The total cost of the runs, in single-function gradients.",
		Label: "backpropagations of all runs", Unit: "backpropagations",
		OfMethod: func(s *Scene, method string, _ int) float64 { return runs.Sum(s.Timeline(), method, here, runs.Spent) }},
	{Name: "stationarity", Of: []string{"method"}, Text: "The mean of ω over the runs.",
		Label: "mean ω of the runs",
		OfMethod: func(s *Scene, method string, _ int) float64 {
			return runs.Mean(s.Timeline(), method, here, runs.Stationarity)
		}},
	{Name: "distance", Of: []string{"method"}, Text: "The mean distance of the runs from the Pareto set.",
		Label:    "mean distance of the runs from the Pareto set",
		OfMethod: func(s *Scene, method string, _ int) float64 { return runs.Mean(s.Timeline(), method, here, s.distance) }},
	{Name: "gap", Of: []string{"method"}, Text: "The largest amount by which both objectives of a run can still fall at once. It is 0 " +
		"on the front.",
		Label:    "largest distance of a run from the front",
		OfMethod: func(s *Scene, method string, _ int) float64 { return runs.Most(s.Timeline(), method, here, s.gap) }},
	{Name: "age", Text: "The mean age of PSMGD’s weights with the current settings, in iterations times the step size.",
		Label: "mean age of PSMGD’s weights",
		Value: func(s *Scene, _ int) float64 { return s.age() }},
}, append(runs.WalkFacts(2, func(s *Scene) *runs.Walk { return &s.values.Walk }),
	swarm.Facts(func(s *Scene) *swarm.Swarm { return &s.values.Swarm })...)...)

var here = runs.RowOf((*timeline.Timeline).AtMarker)

// MethodResult summarises the runs of one method at their latest iteration.
type MethodResult struct {
	Method          string  `json:"method"`
	Runs            int     `json:"runs"`
	Collapsed       int     `json:"collapsed"` // runs at either end of the front
	AtEnd           [2]int  `json:"atEnd"`     // runs at each of the two ends
	Middle          float64 `json:"middle"`    // share of the runs in the middle of the front
	Backpropagation int     `json:"bp"`        // total of the runs
	Stationarity    float64 `json:"stationarity"`
	DistanceToSet   float64 `json:"distanceToParetoSet"`
	// MeanWeights lists the objectives' mean weights over all steps. It is null before the first step.
	MeanWeights []float64 `json:"meanWeights"`
}

// Results returns the methods' outcomes, the age of the weights if it is defined, and the maps computed so far.
func (s *Scene) Results() any {
	line := s.Timeline()
	methods := []MethodResult{}
	for _, m := range runs.MethodsOf(line) {
		r := MethodResult{
			Method:          m,
			Runs:            int(runs.Runs(line, m)),
			Collapsed:       int(runs.Count(line, m, runs.Latest, s.collapsed)),
			Middle:          runs.Share(line, m, runs.Latest, s.middle),
			Backpropagation: int(runs.Sum(line, m, runs.Latest, runs.Spent)),
			Stationarity:    runs.Mean(line, m, runs.Latest, runs.Stationarity),
			DistanceToSet:   runs.Mean(line, m, runs.Latest, s.distance),
		}
		for i := range r.AtEnd {
			r.AtEnd[i] = int(runs.Count(line, m, runs.Latest, s.atEnd(i)))
		}
		if share := s.meanWeight(m, 0); !math.IsNaN(share) {
			r.MeanWeights = []float64{share, 1 - share}
		}
		methods = append(methods, r)
	}
	results := map[string]any{"methods": methods}
	if age := s.age(); !math.IsNaN(age) {
		results["age"] = age
	}
	if counts := s.values.Swarm.Counts(); counts != nil {
		results["swarm"] = counts
	}
	if s.staleness != nil {
		results["staleness"] = s.staleness.Cells()
	}
	if s.noise != nil {
		results["noise"] = s.noise.Cells()
	}
	return results
}

// present lists the methods that can be chosen in this scene.
func (s *Scene) present() []param.Method {
	return slices.DeleteFunc(slices.Clone(Methods), func(m param.Method) bool { return s.values.Absent(m.ID) != "" })
}
