package blocks

import (
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/scenes/timeline"
)

// outputs are what a run would return at an iteration.
type outputs struct {
	run     *timeline.Run
	version uint64
	k       int

	last, average, uniform []float64 // the latter are nil before an outer iteration is complete
	t                      int       // of uniform
}

// outputsNow are those of the selected run at the marker, nil where there is none.
func (s *Scene) outputsNow() *outputs {
	r := s.Timeline().Selected().Run
	if r == nil {
		return nil
	}
	k, version := min(s.Timeline().Marker(), r.Last()), s.Timeline().Version()
	if o := s.outputs; o == nil || o.run != r || o.version != version || o.k != k {
		s.outputs = s.readOutputs(r, k)
		s.outputs.version = version
	}
	return s.outputs
}

// readOutputs reads what a run would return at iteration k.
func (s *Scene) readOutputs(r *timeline.Run, k int) *outputs {
	out := &outputs{run: r, k: k}
	read := func(a *blocks.Alternation) {
		out.last, out.average = slices.Clone(a.Last()), slices.Clone(a.Average())
		x, t := a.Uniform()
		out.uniform, out.t = slices.Clone(x), t
	}
	if k == r.Last() {
		read(r.Stepper.(*blocks.Alternation))
		return out
	}
	if err := s.Timeline().Visit(r, k, func(stepper algo.Stepper) { read(stepper.(*blocks.Alternation)) }); err != nil {
		panic(err) // the run's own steps have made it once
	}
	return out
}
