package regression

import (
	"fmt"
	"math"

	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// levelNames lists the names that facts use for the levels, in the order of levels.
var levelNames = [...]string{"hundred", "one", "hundredth"}

// kindNames lists the names that facts use for the kinds that kindsOf returns, in the same order.
var kindNames = [...]string{"all", "sumU", "sumV", "one", "U", "V", "again"}

// factKinds lists the facts about every method at the marker, taken over the method's seeds, and the facts about the
// data. Facts about a method are NaN if the method does not run.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "loss", Of: []string{"method"}, Text: "The test loss at the marker; mean over the responses, geometric mean over the seeds.",
		Label: "test loss",
		OfMethod: func(s *Scene, method string, i int) float64 {
			return portable.Exp(meanOf(func(row timeline.Row, _ int) float64 { return portable.Log(row.Number(lossName)) })(s, method, i))
		}},
	{Name: "perresponse", Of: []string{"method", "objective"}, Text: "The test loss of one response (numbered from 1); mean over the seeds.",
		Label: "test loss of response %s",
		Over:  scene.Counted(maxResponses, nil),
		OfMethod: meanOf(func(row timeline.Row, i int) float64 {
			if tests := row.List(testsName); i < len(tests) {
				return tests[i]
			}
			return math.NaN()
		})},
	{Name: "reach", Of: []string{"method", "level"}, Text: "The multiply-adds, in millions, needed to reach a test loss of 100, 1 or " +
		"0.01, called hundred, one and hundredth; mean over the seeds, and unknown until all runs have reached that loss.",
		Label: "cost to reach test loss %s", Unit: "million multiply-adds",
		Over:     levelArguments(),
		OfMethod: func(s *Scene, method string, i int) float64 { return s.reach(method, levels[i]) }},
	{Name: "ma", Of: []string{"method"}, Text: "The multiply-adds of the method’s gradients, in millions; mean over the seeds.",
		Label: "multiply-adds", Unit: "million",
		OfMethod: meanOf(func(row timeline.Row, _ int) float64 { return row.Number(sweeps.WorkName) / million })},
	{Name: "coordinates", Of: []string{"method"}, Text: "The number of gradient coordinates that the method computed; mean over the seeds.",
		Label:    "gradient coordinates",
		OfMethod: meanOf(func(row timeline.Row, _ int) float64 { return row.Number(sweeps.CoordinatesName) })},
	{Name: "diverged", Of: []string{"method"}, Text: "The number of the method’s runs that have diverged, regardless of the marker.",
		Label: "runs that diverged", Unit: "runs",
		OfMethod: func(s *Scene, method string, _ int) float64 { return s.diverged(method) }},
	{Name: "ratio", Of: []string{"kind"}, Text: "The cost of a step’s gradient, relative to the weighted sum’s gradient for all variables. " +
		"The kinds are the weighted sum for all variables (all), for U (sumU) or V (sumV); one response for all (one), for U (U) or V (V); " +
		"and one response for V, on the same batch as the previous step (again).",
		Label: "relative cost of a gradient, %s", Unit: "of the weighted sum’s full gradient",
		Over: kindArguments(),
		Value: func(s *Scene, i int) float64 {
			if s.data == nil || i >= len(s.kinds) {
				return math.NaN()
			}
			return float64(s.kinds[i].work) / float64(s.kinds[0].work)
		}},
	{Name: "optimum", Text: "The test loss of the least-squares solution of rank r, computed in closed form.",
		Label: "test loss of least squares of rank r",
		Value: func(s *Scene, _ int) float64 {
			if s.data == nil {
				return math.NaN()
			}
			return s.data.optimum
		}},
	{Name: "off", Text: "The distance of the selected run’s U·V from the true product, relative to that product’s length.",
		Label: "relative distance of the selected run’s U·V from the true product",
		Value: func(s *Scene, _ int) float64 {
			if m := s.matricesNow(); m != nil {
				return m.off
			}
			return math.NaN()
		}},
}

// meanOf returns a function for a fact. The function averages a value of a method's rows at the marker over the method's seeds.
func meanOf(of func(row timeline.Row, i int) float64) func(s *Scene, method string, i int) float64 {
	return func(s *Scene, method string, i int) float64 {
		return runs.Mean(s.Timeline(), method, (*timeline.Timeline).AtMarker, func(row timeline.Row) float64 { return of(row, i) })
	}
}

func levelArguments() (out []scene.FactArgument) {
	for i, name := range levelNames {
		out = append(out, scene.FactArgument{Name: name, Label: fmt.Sprint(levels[i])})
	}
	return out
}

func kindArguments() (out []scene.FactArgument) {
	for _, name := range kindNames {
		out = append(out, scene.FactArgument{Name: name, Label: name})
	}
	return out
}

// reach returns how many million multiplications a method's runs need to reach a test loss, averaged over the seeds. It
// returns NaN if a run has not reached this loss by the marker.
func (s *Scene) reach(method string, level float64) float64 {
	return runs.Average(runs.Each(s.Timeline(), method, func(r *timeline.Run) float64 { return s.reachOf(r, level) }))
}

// reachOf returns how many million multiplications a run needs to reach a level.
func (s *Scene) reachOf(r *timeline.Run, level float64) float64 {
	marker := s.Timeline().Marker()
	for i := range r.Len() {
		row := r.Kept(i)
		if row.K > marker {
			break
		}
		if row.Number(lossName) <= level {
			return row.Number(sweeps.WorkName) / million
		}
	}
	return math.NaN()
}

// diverged returns the number of a method's runs that have diverged, or NaN if the method does not run.
func (s *Scene) diverged(method string) float64 {
	if runs.Runs(s.Timeline(), method) == 0 {
		return math.NaN()
	}
	count := 0.0
	for _, r := range s.Timeline().Runs() {
		if r.Method == method && r.Divergence().Quantity != "" {
			count++
		}
	}
	return count
}
