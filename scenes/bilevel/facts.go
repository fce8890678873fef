package bilevel

import (
	"fmt"
	"math"

	levels "paretoplay/algo/bilevel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/twolevel"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// Facts implements scene.Scene: where a method's runs are at the marker and what they
// have spent, NaN for a method that does not run, and how much of a step is shown.
func (s *Scene) Facts() []scene.Fact { return s.facts }

func (s *Scene) listFacts() []scene.Fact {
	var out []scene.Fact
	for _, m := range Methods {
		add := func(name, label, unit string, value func(method string) float64) {
			fact := scene.Fact{Name: fmt.Sprintf(name, m.ID), Label: m.Title + ": " + label, Unit: unit}
			fact.Value = func() float64 { return value(m.ID) }
			out = append(out, fact)
		}
		coordinate := func(i int) func(method string) float64 {
			return func(method string) float64 { return s.firstRun(method, i) }
		}
		add("alpha.%s", "α of the first run", "", coordinate(0))
		add("omega.%s.1", "ω₁ of the first run", "", coordinate(1))
		add("omega.%s.2", "ω₂ of the first run", "", coordinate(2))
		for i := range 2 {
			add(fmt.Sprintf("partial.%%s.%d", i+1), fmt.Sprintf("∂F%s/∂α of the first run, with ω held", below(i)), "",
				func(method string) float64 { return s.firstSlopes(method).held[i] })
			add(fmt.Sprintf("total.%%s.%d", i+1), fmt.Sprintf("dF%s/dα of the first run, with ω following the valley", below(i)), "",
				func(method string) float64 { return s.firstSlopes(method).following[i] })
		}
		add("q.%s", "the lower level’s excess q, of the worst run", "", func(method string) float64 { return s.worst(method, twolevel.QExact) })
		add("E.%s", "distance E from the solutions, of the worst run", "", func(method string) float64 {
			return s.worst(method, twolevel.Distance)
		})
		add("floats.%s", "numbers that a step holds at once", "floats", func(method string) float64 {
			if r := s.Timeline().FindFrom(method, 0); r.Run != nil {
				return float64(r.Stepper.(levels.Stepper).PeakFloats())
			}
			return math.NaN()
		})
		add("bp.%s", "gradients spent by all runs", "gradients", func(method string) float64 {
			gradients, _ := s.spentBy(method, (*timeline.Timeline).AtMarker)
			return gradients
		})
		add("hvp.%s", "Hessian-vector products spent by all runs", "products", func(method string) float64 {
			_, products := s.spentBy(method, (*timeline.Timeline).AtMarker)
			return products
		})
	}
	for i, name := range [moments]string{"loop", "slope", "weights", "step"} {
		label := fmt.Sprintf("share of stage %d of the step that is shown", i+1)
		out = append(out, scene.Fact{Name: "done." + name, Label: label, Value: func() float64 { return s.done(i) }})
	}
	return out
}

// firstRun is a coordinate of z at the marker in a method's run from the first start.
func (s *Scene) firstRun(method string, coordinate int) float64 {
	if r := s.Timeline().FindFrom(method, 0); r.Run != nil {
		return s.Timeline().AtMarker(r).X[coordinate]
	}
	return math.NaN()
}

// worst is the largest that a method's runs record under a name at the marker.
func (s *Scene) worst(method, name string) float64 {
	return race.Most(s.Timeline(), method, (*timeline.Timeline).AtMarker, func(r timeline.Row) float64 { return r.Number(name) })
}

// spentBy is what a method's runs have spent by some of their rows, all together; NaN
// where it has none.
func (s *Scene) spentBy(method string, at race.RowOf) (gradients, products float64) {
	return race.Sum(s.Timeline(), method, at, race.Spent), race.Sum(s.Timeline(), method, at, twolevel.ProductsOf)
}

// done is the share of a stage of the step, from 0, that is shown.
func (s *Scene) done(stage int) float64 { return share(s.values.Moment, float64(stage)) }

// slopes are what α changes the upper objectives by: with ω held where it is, and with ω
// following the valley, whose bottom (α, α) moves by (1, 1).
type slopes struct{ held, following [2]float64 }

// slopesOf are those at a point.
func (s *Scene) slopesOf(z []float64) (out slopes) {
	s.problem.Jacobian(s.jacobian, z)
	for i := range out.held {
		g := s.jacobian.Row(i)
		out.held[i], out.following[i] = g[0], g[0]+g[1]+g[2]
	}
	return out
}

// slopesAt are those where a step begins.
func (s *Scene) slopesAt(t *step) slopes {
	return s.slopesOf([]float64{t.alpha, t.omega[0], t.omega[1]})
}

// firstSlopes are those at the marker in a method's run from the first start.
func (s *Scene) firstSlopes(method string) slopes {
	r := s.Timeline().FindFrom(method, 0)
	if r.Run == nil {
		none := [2]float64{math.NaN(), math.NaN()}
		return slopes{none, none}
	}
	return s.slopesOf(s.Timeline().AtMarker(r).X)
}

func (v slopes) text() string {
	return fmt.Sprintf("∂F/∂α = %s with ω held, dF/dα = %s with ω following", clearedPair(v.held), clearedPair(v.following))
}

func clearedPair(v [2]float64) string { return pair([]float64{cleared(v[0]), cleared(v[1])}) }

// below is a number from 0, counted from 1, as an index.
func below(i int) string { return [...]string{"₁", "₂"}[i] }
