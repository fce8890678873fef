package fairness

import (
	"math"
	"slices"

	"paretoplay/scenes/race"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// Facts implements scene.Scene.
func (s *Scene) Facts() []scene.Fact { return s.facts }

// newFacts are those of the front's ends, and of every method: NaN where it does not run.
func (s *Scene) newFacts() []scene.Fact {
	line := s.Timeline()
	var out []scene.Fact
	add := func(name, label, unit string, value func() float64) {
		out = append(out, scene.Fact{Name: name, Label: label, Unit: unit, Value: value})
	}
	for _, end := range []struct {
		name, title string
		theta       func() []float64
	}{
		{"accurate", "most accurate line", func() []float64 { return s.front.theta[0] }},
		{"fair", "fairest line", func() []float64 { return s.front.theta[len(s.front.theta)-1] }},
	} {
		known := func(value func(theta []float64) float64) func() float64 {
			return func() float64 {
				if s.front == nil {
					return math.NaN()
				}
				return value(end.theta())
			}
		}
		add("accuracy."+end.name, end.title+": accuracy", "%",
			known(func(theta []float64) float64 { return 100 * s.sample.Accuracy(theta) }))
		add("ratio."+end.name, end.title+": ratio of the shares decided +1", "%",
			known(func(theta []float64) float64 { return 100 * ratioOf(s.sample, theta) }))
	}
	for _, m := range Methods {
		most := func(name string, unit float64) func() float64 {
			return func() float64 {
				return race.Most(line, m.ID, (*timeline.Timeline).AtMarker, func(r timeline.Row) float64 { return unit * r.Number(name) })
			}
		}
		add("hypervolume."+m.ID, m.Title+": hypervolume × 100", "", most(volume, 1))
		add("kinds."+m.ID, m.Title+": different solutions", "", most(kinds, 1))
		add("accuracy."+m.ID, m.Title+": accuracy of its most accurate solution", "%", most(accuracy, 100))
		add("ratio."+m.ID, m.Title+": largest ratio of the shares decided +1", "%", most(ratio, 100))
	}
	return out
}

// Solution is one of a run, where it has come to.
type Solution struct {
	Theta    []float64 `json:"theta"`
	Loss     float64   `json:"loss"`
	Squared  float64   `json:"covariance2"` // the squared covariance
	Accuracy float64   `json:"accuracy"`
	Ratio    *float64  `json:"ratio"` // null where all points have the attribute or none
}

// RunResult is what a run has come to.
type RunResult struct {
	Method      string     `json:"method"`
	K           int        `json:"k"`
	Status      string     `json:"status"`
	Hypervolume float64    `json:"hypervolume"` // × 100
	Kinds       int        `json:"kinds"`
	Solutions   []Solution `json:"solutions"`
}

// Results says where each run has come to, and what the hypervolumes are of.
func (s *Scene) Results() any {
	runs := []RunResult{}
	for _, r := range s.Timeline().Runs() {
		whole := race.Latest(s.Timeline(), timeline.Track{Run: r})
		result := RunResult{Method: r.Method, K: whole.K, Status: r.Status().String(), Hypervolume: whole.Number(volume),
			Kinds: int(whole.Number(kinds))}
		for j := range r.Solutions() {
			row := race.Latest(s.Timeline(), timeline.Track{Run: r, Solution: j})
			one := Solution{Theta: slices.Clone(row.X), Loss: row.F[0], Squared: row.F[1], Accuracy: row.Number(accuracy)}
			if v := row.Number(ratio); !math.IsNaN(v) {
				one.Ratio = &v
			}
			result.Solutions = append(result.Solutions, one)
		}
		runs = append(runs, result)
	}
	return map[string]any{"runs": runs, "reference": s.front.reference, "front": 100 * s.front.most()}
}
