package fairness

import (
	"math"
	"slices"

	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// factKinds are the facts of every method at the marker. They are NaN if the method does not run.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "accuracy", Of: []string{"method, accurate or fair"}, Text: "The accuracy, in percent, of the method’s most accurate line, or " +
		"of the front’s most accurate or fairest line.",
		Label: "%s: accuracy", Unit: "%",
		Over: frontEnds,
		Value: func(s *Scene, i int) float64 {
			return s.ofEnd(i, func(theta []float64) float64 { return 100 * s.sample.Accuracy(theta) })
		}},
	{Name: "ratio", Of: []string{"method, accurate or fair"}, Text: "The ratio, in percent, of the shares that get +1: the method’s " +
		"largest ratio, or the ratio at an end of the front.",
		Label: "%s: ratio of the shares that get +1", Unit: "%",
		Over: frontEnds,
		Value: func(s *Scene, i int) float64 {
			return s.ofEnd(i, func(theta []float64) float64 { return 100 * ratioOf(s.sample, theta) })
		}},
	{Name: "hypervolume", Of: []string{"method"}, Text: "The area that the method’s solutions dominate up to the reference point, times 100.",
		Label:    "hypervolume × 100",
		OfMethod: most(volume, 1)},
	{Name: "kinds", Of: []string{"method"}, Text: "The number of distinct solutions of the method.",
		Label:    "distinct solutions",
		OfMethod: most(solutionKinds, 1)},
	{Name: "middle", Of: []string{"method"}, Text: "The number of the method’s solutions in the middle of the front: each objective is " +
		"below the mean of its values at the front’s two ends.",
		Label: "solutions in the middle of the front", Unit: "solutions",
		OfMethod: func(s *Scene, method string, _ int) float64 { return s.inMiddle(method) }},
	{Name: "accuracy", Label: "accuracy of its most accurate solution", Unit: "%", OfMethod: most(accuracy, 100)},
	{Name: "ratio", Label: "largest ratio of the shares that get +1", Unit: "%", OfMethod: most(ratio, 100)},
}

// frontEnds lists the ends of the front as arguments of facts.
var frontEnds = []scene.FactArgument{{Name: "accurate", Label: "most accurate line"}, {Name: "fair", Label: "fairest line"}}

// ofEnd computes a number at an end of the front. It returns NaN while there is no front.
func (s *Scene) ofEnd(end int, value func(theta []float64) float64) float64 {
	if s.front == nil {
		return math.NaN()
	}
	return value(s.front.theta[end*(len(s.front.theta)-1)])
}

// most returns a function that computes a fact of a method. The fact is the largest value of a recorded number among the
// method's solutions at the marker, multiplied by unit.
func most(name string, unit float64) func(s *Scene, method string, _ int) float64 {
	return func(s *Scene, method string, _ int) float64 {
		return runs.Most(s.Timeline(), method, (*timeline.Timeline).AtMarker, func(r timeline.Row) float64 { return unit * r.Number(name) })
	}
}

// Solution is the latest state of one solution of a run.
type Solution struct {
	Theta    []float64 `json:"theta"`
	Loss     float64   `json:"loss"`
	Squared  float64   `json:"covariance2"` // the squared covariance
	Accuracy float64   `json:"accuracy"`
	Ratio    *float64  `json:"ratio"` // null if all points or none have the attribute
}

// RunResult is the result of one run.
type RunResult struct {
	Method      string     `json:"method"`
	K           int        `json:"k"`
	Status      string     `json:"status"`
	Hypervolume float64    `json:"hypervolume"` // × 100
	Kinds       int        `json:"kinds"`
	Solutions   []Solution `json:"solutions"`
}

// Results returns the state of each run, and the reference point of hypervolumes.
func (s *Scene) Results() any {
	results := []RunResult{}
	for _, r := range s.Timeline().Runs() {
		whole := runs.Latest(s.Timeline(), timeline.Track{Run: r})
		result := RunResult{Method: r.Method, K: whole.K, Status: r.Status().String(), Hypervolume: whole.Number(volume),
			Kinds: int(whole.Number(solutionKinds))}
		for j := range r.Solutions() {
			row := runs.Latest(s.Timeline(), timeline.Track{Run: r, Solution: j})
			one := Solution{Theta: slices.Clone(row.X), Loss: row.F[0], Squared: row.F[1], Accuracy: row.Number(accuracy)}
			if v := row.Number(ratio); !math.IsNaN(v) {
				one.Ratio = &v
			}
			result.Solutions = append(result.Solutions, one)
		}
		results = append(results, result)
	}
	return map[string]any{"runs": results, "reference": s.front.reference, "front": 100 * s.front.most()}
}

// inMiddle returns the number of a method's solutions in the middle of the front at the marker. In the middle, each
// objective is below the mean of its values at the front's two ends.
func (s *Scene) inMiddle(method string) float64 {
	if s.front == nil {
		return math.NaN()
	}
	accurate, fair := s.front.accurate(), s.front.fair()
	return runs.Count(s.Timeline(), method, runs.RowOf((*timeline.Timeline).AtMarker), func(r timeline.Row) bool {
		return r.F[0] < (accurate[0]+fair[0])/2 && r.F[1] < (accurate[1]+fair[1])/2
	})
}
