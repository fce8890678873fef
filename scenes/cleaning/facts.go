package cleaning

import (
	"math"

	"paretoplay/scenes/race"
	"paretoplay/scenes/race/twolevel"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// Facts implements scene.Scene: how each method's model does at the marker, what its
// weights tell and what it has spent, and which of its iterates so far is reported; NaN
// for a method that does not run.
func (s *Scene) Facts() []scene.Fact { return s.facts }

func (s *Scene) listFacts() []scene.Fact {
	var out []scene.Fact
	for _, m := range Methods {
		add := func(name, label, unit string, value func(r timeline.Track) float64) {
			out = append(out, scene.Fact{Name: name + "." + m.ID, Label: m.Title + ": " + label, Unit: unit, Value: func() float64 {
				if r := s.Timeline().FindFrom(m.ID, 0); r.Run != nil {
					return value(r)
				}
				return math.NaN()
			}})
		}
		of := func(value func(timeline.Row) float64) func(r timeline.Track) float64 {
			return func(r timeline.Track) float64 { return value(s.Timeline().AtMarker(r)) }
		}
		add("accuracy", "test accuracy, mean of both data sets", "", of(accuracy))
		add("selection", "accuracy on validation 2, mean of both data sets", "", of(selection))
		add("auc", "detection of wrong labels", "", of(detection))
		add("clean", "mean weight of samples with right labels", "", of(cleanWeight))
		add("corrupted", "mean weight of samples with wrong labels", "", of(corruptedWeight))
		add("bp", "gradients spent", "gradients", of(race.Spent))
		add("hvp", "Hessian-vector products spent", "products", of(twolevel.ProductsOf))
		add("chosen", "iteration that is reported, of those up to here", "", func(r timeline.Track) float64 {
			return float64(s.reportedBy(r.Run, s.Timeline().Marker()).k)
		})
	}
	return out
}

// What a row says of a run, for facts and curves.
func accuracy(r timeline.Row) float64        { return mean(marksOf(r).accuracy) }
func selection(r timeline.Row) float64       { return marksOf(r).selection }
func detection(r timeline.Row) float64       { return marksOf(r).auc }
func cleanWeight(r timeline.Row) float64     { return marksOf(r).clean }
func corruptedWeight(r timeline.Row) float64 { return marksOf(r).corrupted }
