package networktasks

import (
	"math"
	"strconv"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// factKinds lists the facts about every method at the marker, which are NaN for a method that does not run. The facts
// about tests are those of the last test up to the marker.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "accuracy", Of: []string{"method"}, Text: "The share of right answers on test pictures; mean over the tasks.",
		Label: "test accuracy", OfMethod: ofTests(measureMean)},
	{Name: "balanced", Of: []string{"method"}, Text: "The balanced accuracy on test pictures; mean over the tasks.",
		Label: "balanced test accuracy", OfMethod: ofTests(measureBalanced)},
	{Name: "worst", Of: []string{"method"}, Text: "The balanced accuracy of the worst task on test pictures.",
		Label: "balanced test accuracy of the worst task", OfMethod: ofTests(measureWorst)},
	{Name: "testloss", Of: []string{"method"}, Text: "The cross-entropy on test pictures; mean over the tasks.",
		Label: "test loss", OfMethod: ofTests(measureLoss)},
	{Name: "backpropagations", Of: []string{"method"}, Text: "The number of backpropagations in the method’s steps so far.",
		Label: "backpropagations", OfMethod: ofRun(func(s *Scene, r timeline.Track) float64 { return float64(s.Timeline().AtMarker(r).BP) })},
	{Name: "age", Of: []string{"method"},
		Text:  "How many steps ago the weights of the method’s last step were computed; unknown for methods that never compute weights.",
		Label: "age of the weights", Unit: "steps",
		OfMethod: ofRun(func(s *Scene, r timeline.Track) float64 { return s.age(s.Timeline().ShownStep(r)) })},
	{Name: "carried", Of: []string{"method"}, Text: "The number of tasks that have at least a hundredth of the weight in the last step.",
		Label: "tasks with at least 0.01 of the weight", Unit: "tasks",
		OfMethod: ofRun(func(s *Scene, r timeline.Track) float64 {
			of := shares(s.Timeline().ShownStep(r))
			if of == nil {
				return math.NaN()
			}
			n := 0
			for _, v := range of {
				if v >= 0.01 {
					n++
				}
			}
			return float64(n)
		})},
	{Name: "moved", Of: []string{"method", "age"},
		Text: "The share of the weight that moves to other tasks when weights are recomputed after 1, 2, 4, 8, 16, 32 or 64 steps; mean over " +
			"the method’s steps up to the marker. The share is unknown for ages that are not a multiple of R.",
		Label: "share of the weight that has moved after %s steps", Over: ageArguments(),
		OfMethod: func(s *Scene, method string, i int) float64 {
			for _, r := range s.Timeline().Runs() {
				if of := s.drifts()[r]; r.Method == method && of != nil {
					return of[i]
				}
			}
			return math.NaN()
		}},
	{Name: "alike", Of: []string{"method"},
		Text:  "The cosine between the first layer’s current and initial weights: 1 if the layer has learned nothing.",
		Label: "cosine between the first layer’s current and initial weights",
		OfMethod: ofRun(func(s *Scene, r timeline.Track) float64 {
			p := s.prints[r.Run]
			return cosine(p.kept[0].weights, p.at(s.Timeline().Marker()).weights)
		})},
	{Name: "unlearned", Of: []string{"method"},
		Text: "The share of the last step’s weight on tasks whose balanced accuracy on test pictures is below 0.6, little better than " +
			"guessing.",
		Label: "share of the weight on tasks with a balanced accuracy below 0.6", OfMethod: ofRun(unlearned)},
	{Name: "seconds", Of: []string{"method"},
		Text:  "The time of the method’s steps up to the marker, at the measured time per step; unknown unless seconds are shown.",
		Label: "measured time of the steps", Unit: "seconds",
		OfMethod: ofRun(func(s *Scene, r timeline.Track) float64 {
			if !s.timed() {
				return math.NaN()
			}
			return float64(s.Timeline().AtMarker(r).K) * s.stepTime(r.Method)
		})},
}

// ageArguments returns the ages as fact arguments.
func ageArguments() (out []scene.FactArgument) {
	for _, age := range ages {
		out = append(out, scene.FactArgument{Name: strconv.Itoa(age), Label: strconv.Itoa(age)})
	}
	return out
}

// cosine returns the cosine of the angle between two vectors.
func cosine(a, b []float32) float64 {
	var product, left, right float64
	for i, v := range a {
		product += float64(float64(v) * float64(b[i]))
		left += float64(float64(v) * float64(v))
		right += float64(float64(b[i]) * float64(b[i]))
	}
	return product / math.Sqrt(left*right)
}

// ofRun returns a function for a fact that is computed from a method's run.
func ofRun(value func(s *Scene, r timeline.Track) float64) func(s *Scene, method string, _ int) float64 {
	return func(s *Scene, method string, _ int) float64 {
		for _, r := range s.Timeline().Tracks() {
			if r.Method == method {
				return value(s, r)
			}
		}
		return math.NaN()
	}
}

// unlearned returns the share of a run's weight, in its last step, on tasks whose balanced accuracy is below 0.6.
func unlearned(s *Scene, r timeline.Track) float64 {
	of := shares(s.Timeline().ShownStep(r))
	row, ok := tested(r.Run, s.Timeline().Marker())
	if of == nil || !ok {
		return math.NaN()
	}
	sum := 0.0
	for task, v := range row.List(balancedName) {
		if v < 0.6 {
			sum += of[task]
		}
	}
	return sum
}

// ofTests returns a function for a fact that is computed from the tests of a method's network.
func ofTests(measure string) func(s *Scene, method string, _ int) float64 {
	return ofRun(func(s *Scene, r timeline.Track) float64 { return s.atMarker(r.Run, measure) })
}
