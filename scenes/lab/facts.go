package lab

import (
	"fmt"
	"math"

	"paretoplay/scenes/scene"
)

// Facts implements scene.Scene: what there is to know of the gradients and of every
// method's direction, of single objectives for as many as arrows can have.
func (s *Scene) Facts() []scene.Fact { return s.facts }

func (s *Scene) listFacts() []scene.Fact {
	var out []scene.Fact
	add := func(name, label, unit string, value func(a *analysis) float64) {
		out = append(out, scene.Fact{Name: name, Label: label, Unit: unit, Value: func() float64 {
			if a := s.current(); a != nil && a.measured {
				return value(a)
			}
			return math.NaN()
		}})
	}
	add("shortest", "length ω of the shortest point of the gradients’ hull", "", func(a *analysis) float64 { return a.omega })
	add("conflicts", "pairs of gradients at more than 90°", "", func(a *analysis) float64 {
		n, _ := a.conflicts()
		return float64(n)
	})
	add("methods", "methods that have decided", "", func(a *analysis) float64 {
		n := 0
		for i := range a.decisions {
			if a.decisions[i].decided() {
				n++
			}
		}
		return float64(n)
	})
	add("harming", "methods that make an objective worse", "", func(a *analysis) float64 {
		n := 0
		for i := range a.decisions {
			if d := &a.decisions[i]; d.err == nil && a.worseCount(d) > 0 {
				n++
			}
		}
		return float64(n)
	})
	for i := range maxGradients {
		add(fmt.Sprintf("length.%d", i+1), fmt.Sprintf("length of the gradient of %s", plain(i)), "", ofObjective(i, func(a *analysis) float64 {
			return a.norms[i]
		}))
		for j := range i {
			label := fmt.Sprintf("angle between the gradients of %s and %s", plain(j), plain(i))
			add(fmt.Sprintf("angle.%d.%d", j+1, i+1), label, "°", ofObjective(i, func(a *analysis) float64 { return a.angle(j, i) }))
		}
	}
	for _, m := range Methods {
		of := func(name, label string, value func(a *analysis, d *decision) float64) {
			add(name, m.Title+": "+label, "", func(a *analysis) float64 {
				for i := range a.decisions {
					if d := &a.decisions[i]; d.method.Name == m.ID && d.err == nil {
						return value(a, d)
					}
				}
				return math.NaN()
			})
		}
		of("worse."+m.ID, "objectives that get worse", func(a *analysis, d *decision) float64 { return float64(a.worseCount(d)) })
		of("worst."+m.ID, "change of the objective that gains least", s.worst)
		for i := range maxGradients {
			of(fmt.Sprintf("change.%s.%d", m.ID, i+1), "change of "+plain(i), func(a *analysis, d *decision) float64 {
				if i >= len(d.slopes) {
					return math.NaN()
				}
				return s.change(a, d, i)
			})
			of(fmt.Sprintf("weight.%s.%d", m.ID, i+1), "its own weight λ of "+plain(i), entry(i, func(d *decision) []float64 { return d.Weights }))
			of(fmt.Sprintf("effective.%s.%d", m.ID, i+1), "effective weight of "+plain(i)+", its gradient’s coefficient in the direction",
				entry(i, func(d *decision) []float64 { return d.Effective }))
			of(fmt.Sprintf("apart.%s.%d", m.ID, i+1), "angle in degrees between the direction and the gradient of "+plain(i),
				angleTo(i))
		}
	}
	return out
}

// ofObjective is a number of objective i, from 0, and of those before it: NaN where
// there are fewer.
func ofObjective(i int, value func(a *analysis) float64) func(a *analysis) float64 {
	return func(a *analysis) float64 {
		if i >= a.jacobian.Rows {
			return math.NaN()
		}
		return value(a)
	}
}

// entry is entry i of a list of a decision: NaN where there are fewer, or none.
func entry(i int, list func(d *decision) []float64) func(a *analysis, d *decision) float64 {
	return func(_ *analysis, d *decision) float64 {
		v := list(d)
		if i >= len(v) {
			return math.NaN()
		}
		return v[i]
	}
}

// angleTo is the angle between a direction and gradient i: NaN where there are fewer, or one of
// the two is zero.
func angleTo(i int) func(a *analysis, d *decision) float64 {
	return func(_ *analysis, d *decision) float64 {
		if i >= len(d.cosines) {
			return math.NaN()
		}
		return degrees(d.cosines[i])
	}
}

// angle is that between two gradients in degrees, NaN where one is zero.
func (a *analysis) angle(i, j int) float64 { return degrees(a.cosine(i, j)) }

// degrees is the angle with a cosine, NaN of none.
func degrees(cosine float64) float64 { return math.Acos(cosine) * 180 / math.Pi }

// worseCount is how many objectives the direction makes worse.
func (a *analysis) worseCount(d *decision) int { return len(a.worsened(d)) }

// change is what a step changes objective i by, from 0, to first order: infinite where
// that is beyond all numbers.
func (s *Scene) change(a *analysis, d *decision, i int) float64 {
	return 0 - s.values.Eta*a.original(d.slopes[i])
}

// original is a product of two vectors in the units of sizes, in those of the gradients.
func (a *analysis) original(product float64) float64 { return math.Ldexp(product, 2*a.input.Exponent) }

// worst is the change of the objective that gains least from a step.
func (s *Scene) worst(a *analysis, d *decision) float64 {
	return 0 - s.values.Eta*a.original(a.cleaned(d, d.worstChange()))
}
