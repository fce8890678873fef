package regression

import (
	"fmt"
	"math"

	"paretoplay/scenes/race"
	"paretoplay/scenes/race/sweeps"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// levelNames are those of levels in facts.
var levelNames = [...]string{"hundred", "one", "hundredth"}

// kindNames are those of kindsOf in facts, in its order.
var kindNames = [...]string{"all", "sumU", "sumV", "one", "U", "V", "again"}

// Facts implements scene.Scene: of every method at the marker, over its seeds; NaN for one that
// does not run.
func (s *Scene) Facts() []scene.Fact { return s.facts }

func (s *Scene) listFacts() []scene.Fact {
	var out []scene.Fact
	fact := func(name, label, unit string, value func() float64) {
		out = append(out, scene.Fact{Name: name, Label: label, Unit: unit, Value: value})
	}
	for _, m := range Methods {
		mean := func(of func(timeline.Row) float64) func() float64 {
			return func() float64 { return race.Mean(s.Timeline(), m.ID, (*timeline.Timeline).AtMarker, of) }
		}
		fact("loss."+m.ID, m.Title+": test loss", "", func() float64 {
			return math.Exp(mean(func(row timeline.Row) float64 { return math.Log(row.Number(lossName)) })())
		})
		for k := range maxResponses {
			fact(fmt.Sprintf("perresponse.%s.%d", m.ID, k+1), fmt.Sprintf("%s: test loss of response %d", m.Title, k+1), "",
				mean(func(row timeline.Row) float64 {
					if tests := row.List(testsName); k < len(tests) {
						return tests[k]
					}
					return math.NaN()
				}))
		}
		for i, level := range levels {
			fact("reach."+m.ID+"."+levelNames[i], fmt.Sprintf("%s: to test loss %v", m.Title, level), "million multiply-adds",
				func() float64 { return s.reach(m.ID, level) })
		}
		fact("ma."+m.ID, m.Title+": multiply-adds", "million", mean(func(row timeline.Row) float64 {
			return row.Number(sweeps.WorkName) / million
		}))
		fact("coordinates."+m.ID, m.Title+": gradient coordinates", "", mean(func(row timeline.Row) float64 {
			return row.Number(sweeps.CoordinatesName)
		}))
		fact("diverged."+m.ID, m.Title+": runs that diverged", "runs", func() float64 { return s.diverged(m.ID) })
	}
	for i, name := range kindNames {
		fact("ratio."+name, "work of a gradient, "+name, "of the whole weighted one", func() float64 {
			if s.data == nil {
				return math.NaN()
			}
			if i >= len(s.kinds) {
				return math.NaN()
			}
			return float64(s.kinds[i].work) / float64(s.kinds[0].work)
		})
	}
	fact("optimum", "test loss of least squares of that rank", "", func() float64 {
		if s.data == nil {
			return math.NaN()
		}
		return s.data.optimum
	})
	fact("off", "how far U·V of the selected run is from the truth’s, relative to that", "", func() float64 {
		if m := s.matricesNow(); m != nil {
			return m.off
		}
		return math.NaN()
	})
	return out
}

// reach is after how many million multiplications the runs of a method come down to a test loss, mean
// of the seeds; NaN where one has not at the marker.
func (s *Scene) reach(method string, level float64) float64 {
	var all []float64
	for _, r := range s.Timeline().Runs() {
		if r.Method == method {
			all = append(all, s.reachOf(r, level))
		}
	}
	return average(all)
}

// reachOf is that of a run.
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

// diverged is how many runs of a method have diverged; NaN where it does not run.
func (s *Scene) diverged(method string) float64 {
	if race.Runs(s.Timeline(), method) == 0 {
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

// average is NaN of no numbers.
func average(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
