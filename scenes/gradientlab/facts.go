package gradientlab

import (
	"fmt"
	"math"
	"paretoplay/internal/engine/analysis"

	"paretoplay/internal/engine/scene"
)

// factKinds are the facts of the gradients and of every method's direction. Facts of single objectives exist for as many
// objectives as there can be arrows.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "shortest", Text: "The length ω of the shortest point of the gradients’ hull. It is 0 where no step helps every objective.",
		Label: "length ω of the shortest point of the gradients’ hull",
		Value: measured(func(a *analysis.Analysis) float64 { return a.Omega })},
	{Name: "conflicts", Text: "The number of pairs of gradients more than 90° apart.",
		Label: "pairs of gradients more than 90° apart",
		Value: measured(func(a *analysis.Analysis) float64 {
			n, _ := a.Conflicts()
			return float64(n)
		})},
	{Name: "methods", Text: "The number of methods that have computed a direction.",
		Label: "methods with a direction",
		Value: measured(func(a *analysis.Analysis) float64 { return count(a, (*analysis.Decision).Decided) })},
	{Name: "harming", Text: "The number of methods that make an objective worse.",
		Label: "methods that make an objective worse",
		Value: measured(func(a *analysis.Analysis) float64 {
			return count(a, func(d *analysis.Decision) bool { return d.Err == nil && a.WorseCount(d) > 0 })
		})},
	{Name: "length", Of: []string{"objective"}, Text: "The length of the objective’s gradient.",
		List: (*Scene).gradientFacts},
	{Name: "angle", Of: []string{"objective", "objective"}, Text: "The angle between two gradients in degrees. The smaller index comes " +
		"first."},
	{Name: "worse", Of: []string{"method"}, Text: "The number of objectives that a step against the method’s direction makes worse.",
		Label: "objectives that get worse",
		OfMethod: decided(func(_ *Scene, a *analysis.Analysis, d *analysis.Decision, _ int) float64 {
			return float64(a.WorseCount(d))
		})},
	{Name: "worst", Of: []string{"method"}, Text: "How much a step changes the objective that improves least. Above 0, it gets worse.",
		Label:    "change of the objective that improves least",
		OfMethod: decided(func(s *Scene, a *analysis.Analysis, d *analysis.Decision, _ int) float64 { return s.worst(a, d) })},
	{Name: "change", Of: []string{"method", "objective"}, Text: "How much a step changes the objective, to first order.",
		Label: "change of %s",
		Over:  scene.Counted(maxGradients, plain),
		OfMethod: decided(func(s *Scene, a *analysis.Analysis, d *analysis.Decision, i int) float64 {
			if i >= len(d.Slopes) {
				return math.NaN()
			}
			return s.change(a, d, i)
		})},
	{Name: "weight", Of: []string{"method", "objective"}, Text: "The method’s own weight λ of the objective.",
		Label:    "the method’s own weight λ of %s",
		Over:     scene.Counted(maxGradients, plain),
		OfMethod: decided(func(_ *Scene, _ *analysis.Analysis, d *analysis.Decision, i int) float64 { return entry(i, d.Weights) })},
	{Name: "effective", Of: []string{"method", "objective"}, Text: "The coefficient of the objective’s gradient in the method’s direction.",
		Label: "effective weight of %s, its gradient’s coefficient in the direction",
		Over:  scene.Counted(maxGradients, plain),
		OfMethod: decided(func(_ *Scene, _ *analysis.Analysis, d *analysis.Decision, i int) float64 {
			return entry(i, d.Effective)
		})},
	{Name: "apart", Of: []string{"method", "objective"}, Text: "The angle between the method’s direction and the objective’s gradient in " +
		"degrees.",
		Label: "angle in degrees between the direction and the gradient of %s",
		Over:  scene.Counted(maxGradients, plain),
		OfMethod: decided(func(_ *Scene, _ *analysis.Analysis, d *analysis.Decision, i int) float64 {
			return analysis.Degrees(entry(i, d.Cosines))
		})},
}

// measured turns a function of the analysis into a fact. The fact is NaN if there is no analysis.
func measured(value func(a *analysis.Analysis) float64) func(s *Scene, _ int) float64 {
	return func(s *Scene, _ int) float64 {
		if a := s.current(); a != nil && a.Measured {
			return value(a)
		}
		return math.NaN()
	}
}

// decided turns a function of a method's decision and objective i, counted from 0, into a fact.
func decided(value func(s *Scene, a *analysis.Analysis, d *analysis.Decision, i int) float64) func(s *Scene, method string, i int) float64 {
	return func(s *Scene, method string, i int) float64 {
		a := s.current()
		if a == nil || !a.Measured {
			return math.NaN()
		}
		for j := range a.Decisions {
			if d := &a.Decisions[j]; d.Method.Name == method && d.Err == nil {
				return value(s, a, d, i)
			}
		}
		return math.NaN()
	}
}

// count returns the number of decisions d for which of(d) is true.
func count(a *analysis.Analysis, of func(d *analysis.Decision) bool) (n float64) {
	for i := range a.Decisions {
		if of(&a.Decisions[i]) {
			n++
		}
	}
	return n
}

// gradientFacts lists the gradients' lengths, each followed by the gradient's angles to earlier gradients.
func (s *Scene) gradientFacts() (out []scene.Fact) {
	add := func(name, label, unit string, i int, value func(a *analysis.Analysis) float64) {
		of := measured(func(a *analysis.Analysis) float64 {
			if i >= a.Jacobian.Rows {
				return math.NaN()
			}
			return value(a)
		})
		out = append(out, scene.Fact{Name: name, Label: label, Unit: unit, Value: func() float64 { return of(s, i) }})
	}
	for i := range maxGradients {
		add(fmt.Sprintf("length.%d", i+1), "length of the gradient of "+plain(i), "", i, func(a *analysis.Analysis) float64 { return a.Norms[i] })
		for j := range i {
			label := fmt.Sprintf("angle between the gradients of %s and %s", plain(j), plain(i))
			add(fmt.Sprintf("angle.%d.%d", j+1, i+1), label, "°", i, func(a *analysis.Analysis) float64 { return a.Angle(j, i) })
		}
	}
	return out
}

// entry returns entry i of a list, or NaN if the list is shorter.
func entry(i int, list []float64) float64 {
	if i >= len(list) {
		return math.NaN()
	}
	return list[i]
}

// change returns the first-order change of objective i, counted from 0, by a step. It is infinite if it overflows.
func (s *Scene) change(a *analysis.Analysis, d *analysis.Decision, i int) float64 {
	return 0 - float64(s.values.Eta*a.Original(d.Slopes[i]))
}

// worst returns the change, by one step, of the objective that improves least.
func (s *Scene) worst(a *analysis.Analysis, d *analysis.Decision) float64 {
	return 0 - float64(s.values.Eta*a.Original(a.Cleaned(d, d.WorstChange())))
}
