package bilevelpaths

import (
	"fmt"
	"math"

	levels "paretoplay/algo/bilevel"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// factKinds lists facts about the positions and costs of a method's runs at the marker, and about how much of a step is
// shown. Facts of a method that does not run are NaN.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "alpha", Of: []string{"method"}, Text: "The upper variable α of the method’s first run.",
		Label:    "α of the first run",
		OfMethod: func(s *Scene, method string, _ int) float64 { return s.firstRun(method, 0) }},
	{Name: "omega", Of: []string{"method", "coordinate"}, Text: "Lower variable 1 or 2 of the method’s first run.",
		Label:    "%s of the first run",
		Over:     scene.Counted(2, func(i int) string { return "ω" + below(i) }),
		OfMethod: func(s *Scene, method string, i int) float64 { return s.firstRun(method, 1+i) }},
	{Name: "partial", Of: []string{"method", "objective"}, Text: "∂F/∂α for the method’s first run: how fast the objective grows with α " +
		"while ω is held fixed.",
		Label:    "∂F%s/∂α of the first run, with ω held fixed",
		Over:     scene.Counted(2, below),
		OfMethod: func(s *Scene, method string, i int) float64 { return s.firstSlopes(method).held[i] }},
	{Name: "total", Of: []string{"method", "objective"}, Text: "dF/dα for the method’s first run: how fast the objective grows with α " +
		"while ω follows the bottom of the valley.",
		Label:    "dF%s/dα of the first run, with ω following the valley",
		Over:     scene.Counted(2, below),
		OfMethod: func(s *Scene, method string, i int) float64 { return s.firstSlopes(method).following[i] }},
	{Name: "q", Of: []string{"method"}, Text: "How far the lower level is above the bottom of its valley, in the method’s worst run.",
		Label:    "the lower level’s excess q in the worst run",
		OfMethod: func(s *Scene, method string, _ int) float64 { return s.worst(method, twolevel.QExact) }},
	{Name: "E", Of: []string{"method"}, Text: "The distance of the method’s worst run from the solutions.",
		Label:    "distance E of the worst run from the solutions",
		OfMethod: func(s *Scene, method string, _ int) float64 { return s.worst(method, twolevel.Distance) }},
	{Name: "floats", Of: []string{"method"}, Text: "How many numbers a step of the method holds at once.",
		Label: "numbers that a step holds at once", Unit: "floats",
		OfMethod: runs.OfFirst(func(_ *Scene, r timeline.Track) float64 { return float64(r.Stepper.(levels.Stepper).PeakFloats()) })},
	{Name: "bp", Of: []string{"method"}, Text: "The number of gradients that all runs of the method have computed.",
		Label: "gradients computed by all runs", Unit: "gradients",
		OfMethod: func(s *Scene, method string, _ int) float64 {
			gradients, _ := s.spentBy(method, (*timeline.Timeline).AtMarker)
			return gradients
		}},
	{Name: "hvp", Of: []string{"method"}, Text: "The number of Hessian-vector products that all runs of the method have computed.",
		Label: "Hessian-vector products computed by all runs", Unit: "products",
		OfMethod: func(s *Scene, method string, _ int) float64 {
			_, products := s.spentBy(method, (*timeline.Timeline).AtMarker)
			return products
		}},
	{Name: "done", Of: []string{"moment"},
		Text:  "How much of a stage is shown, from 0 to 1. The stages of an iteration are the loop, the slope, the weights and the step.",
		Label: "share of the step’s %s that is shown",
		Over: []scene.FactArgument{{Name: "loop", Label: "stage 1"}, {Name: "slope", Label: "stage 2"}, {Name: "weights", Label: "stage 3"},
			{Name: "step", Label: "stage 4"}},
		Value: func(s *Scene, i int) float64 { return s.done(i) }},
}

// firstRun returns a coordinate of z at the marker for a method's run from the first start.
func (s *Scene) firstRun(method string, coordinate int) float64 {
	if r := s.Timeline().FindFrom(method, 0); r.Run != nil {
		return s.Timeline().AtMarker(r).X[coordinate]
	}
	return math.NaN()
}

// worst returns the maximum of a recorded number over a method's runs at the marker.
func (s *Scene) worst(method, name string) float64 {
	return runs.Most(s.Timeline(), method, (*timeline.Timeline).AtMarker, func(r timeline.Row) float64 { return r.Number(name) })
}

// spentBy returns the total cost of a method's runs up to the given rows, or NaN if the method has no runs.
func (s *Scene) spentBy(method string, at runs.RowOf) (gradients, products float64) {
	return runs.Sum(s.Timeline(), method, at, runs.Spent), runs.Sum(s.Timeline(), method, at, twolevel.ProductsOf)
}

// done returns how much of a stage of the step is shown, from 0 to 1.
func (s *Scene) done(stage int) float64 { return share(s.values.Moment, float64(stage)) }

// slopes holds the derivatives of the upper objectives with respect to α: with ω fixed, and with ω following the
// valley's bottom. In the paper's problem the bottom moves by (1, 1) for each unit of α.
type slopes struct{ held, following [2]float64 }

// slopesOf returns the slopes at a point.
func (s *Scene) slopesOf(z []float64) (out slopes) {
	s.problem.Jacobian(s.jacobian, z)
	with := s.moves(z)
	for i := range out.held {
		g := s.jacobian.Row(i)
		out.held[i], out.following[i] = g[0], g[0]+float64(with[0]*g[1])+float64(with[1]*g[2])
	}
	return out
}

// slopesAt returns the slopes at a step's start.
func (s *Scene) slopesAt(t *step) slopes {
	return s.slopesOf([]float64{t.alpha, t.omega[0], t.omega[1]})
}

// firstSlopes returns the slopes at the marker for a method's run from the first start.
func (s *Scene) firstSlopes(method string) slopes {
	r := s.Timeline().FindFrom(method, 0)
	if r.Run == nil {
		none := [2]float64{math.NaN(), math.NaN()}
		return slopes{none, none}
	}
	return s.slopesOf(s.Timeline().AtMarker(r).X)
}

func (v slopes) text() string {
	return fmt.Sprintf("∂F/∂α = %s with ω held fixed, dF/dα = %s with ω following the valley", clearedPair(v.held), clearedPair(v.following))
}

func clearedPair(v [2]float64) string { return pair([]float64{cleared(v[0]), cleared(v[1])}) }

// below returns the number i+1 as a subscript.
func below(i int) string { return [...]string{"₁", "₂"}[i] }
