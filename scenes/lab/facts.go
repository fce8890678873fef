package lab

import (
	"fmt"
	"math"
	"paretoplay/scenes/lab/analysis"

	"paretoplay/scenes/scene"
)

// Facts implements scene.Scene: what there is to know of the gradients and of every
// method's direction, of single objectives for as many as arrows can have.
func (s *Scene) Facts() []scene.Fact { return s.facts }

func (s *Scene) listFacts() []scene.Fact {
	var out []scene.Fact
	add := func(name, label, unit string, value func(a *analysis.Analysis) float64) {
		out = append(out, scene.Fact{Name: name, Label: label, Unit: unit, Value: func() float64 {
			if a := s.current(); a != nil && a.Measured {
				return value(a)
			}
			return math.NaN()
		}})
	}
	add("shortest", "length ω of the shortest point of the gradients’ hull", "", func(a *analysis.Analysis) float64 { return a.Omega })
	add("conflicts", "pairs of gradients at more than 90°", "", func(a *analysis.Analysis) float64 {
		n, _ := a.Conflicts()
		return float64(n)
	})
	add("methods", "methods that have decided", "", func(a *analysis.Analysis) float64 {
		n := 0
		for i := range a.Decisions {
			if a.Decisions[i].Decided() {
				n++
			}
		}
		return float64(n)
	})
	add("harming", "methods that make an objective worse", "", func(a *analysis.Analysis) float64 {
		n := 0
		for i := range a.Decisions {
			if d := &a.Decisions[i]; d.Err == nil && a.WorseCount(d) > 0 {
				n++
			}
		}
		return float64(n)
	})
	for i := range maxGradients {
		add(fmt.Sprintf("length.%d", i+1), fmt.Sprintf("length of the gradient of %s", plain(i)), "", ofObjective(i, func(a *analysis.Analysis) float64 {
			return a.Norms[i]
		}))
		for j := range i {
			label := fmt.Sprintf("angle between the gradients of %s and %s", plain(j), plain(i))
			add(fmt.Sprintf("angle.%d.%d", j+1, i+1), label, "°", ofObjective(i, func(a *analysis.Analysis) float64 { return a.Angle(j, i) }))
		}
	}
	for _, m := range Methods {
		of := func(name, label string, value func(a *analysis.Analysis, d *analysis.Decision) float64) {
			add(name, m.Title+": "+label, "", func(a *analysis.Analysis) float64 {
				for i := range a.Decisions {
					if d := &a.Decisions[i]; d.Method.Name == m.ID && d.Err == nil {
						return value(a, d)
					}
				}
				return math.NaN()
			})
		}
		of("worse."+m.ID, "objectives that get worse", func(a *analysis.Analysis, d *analysis.Decision) float64 { return float64(a.WorseCount(d)) })
		of("worst."+m.ID, "change of the objective that gains least", s.worst)
		for i := range maxGradients {
			of(fmt.Sprintf("change.%s.%d", m.ID, i+1), "change of "+plain(i), func(a *analysis.Analysis, d *analysis.Decision) float64 {
				if i >= len(d.Slopes) {
					return math.NaN()
				}
				return s.change(a, d, i)
			})
			of(fmt.Sprintf("weight.%s.%d", m.ID, i+1), "its own weight λ of "+plain(i), entry(i, func(d *analysis.Decision) []float64 { return d.Weights }))
			of(fmt.Sprintf("effective.%s.%d", m.ID, i+1), "effective weight of "+plain(i)+", its gradient’s coefficient in the direction",
				entry(i, func(d *analysis.Decision) []float64 { return d.Effective }))
			of(fmt.Sprintf("apart.%s.%d", m.ID, i+1), "angle in degrees between the direction and the gradient of "+plain(i),
				angleTo(i))
		}
	}
	return out
}

// ofObjective is a number of objective i, from 0, and of those before it: NaN where
// there are fewer.
func ofObjective(i int, value func(a *analysis.Analysis) float64) func(a *analysis.Analysis) float64 {
	return func(a *analysis.Analysis) float64 {
		if i >= a.Jacobian.Rows {
			return math.NaN()
		}
		return value(a)
	}
}

// entry is entry i of a list of a decision: NaN where there are fewer, or none.
func entry(i int, list func(d *analysis.Decision) []float64) func(a *analysis.Analysis, d *analysis.Decision) float64 {
	return func(_ *analysis.Analysis, d *analysis.Decision) float64 {
		v := list(d)
		if i >= len(v) {
			return math.NaN()
		}
		return v[i]
	}
}

// angleTo is the angle between a direction and gradient i: NaN where there are fewer, or one of
// the two is zero.
func angleTo(i int) func(a *analysis.Analysis, d *analysis.Decision) float64 {
	return func(_ *analysis.Analysis, d *analysis.Decision) float64 {
		if i >= len(d.Cosines) {
			return math.NaN()
		}
		return analysis.Degrees(d.Cosines[i])
	}
}

// change is what a step changes objective i by, from 0, to first order: infinite where
// that is beyond all numbers.
func (s *Scene) change(a *analysis.Analysis, d *analysis.Decision, i int) float64 {
	return 0 - s.values.Eta*a.Original(d.Slopes[i])
}

// worst is the change of the objective that gains least from a step.
func (s *Scene) worst(a *analysis.Analysis, d *analysis.Decision) float64 {
	return 0 - s.values.Eta*a.Original(a.Cleaned(d, d.WorstChange()))
}
