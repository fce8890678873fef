package ordering

import (
	"paretoplay/algo"
	"paretoplay/algo/internal/schedule"
)

// Problem is a finite sum whose objectives can be evaluated separately. Objective m is the mean of Examples()
// samples.
type Problem interface {
	algo.Partial
	// Examples returns the number of samples. The indices in a batch are smaller than this number.
	Examples() int
}

// view presents the due examples to the underlying stepper: one sample consists of one example per objective.
type view struct {
	algo.Problem // used unchanged for exact values and gradients
	sum          Problem
	count        int // number of examples

	own  bool        // whether objectives have separate examples
	due  []int       // due examples: one, or one per objective
	step algo.Sample // represents the due examples; any other sample represents an example drawn with its noise

	// Scratch space.
	at algo.Sample // sample of one example
	f  []float64
}

// newView returns a view of p in which an example consists of batch samples. The batch size must divide the number of
// samples. The caller must set due.
func newView(p Problem, batch int) *view {
	_, m := p.Dims()
	return &view{
		Problem: p, sum: p, count: p.Examples() / batch, at: algo.Sample{Batch: make([]int, batch)}, f: make([]float64, m),
	}
}

// pick returns the sample of the given example, with the noise of s. The result is valid until the next call.
func (v *view) pick(example int, s *algo.Sample) *algo.Sample {
	first := example * len(v.at.Batch)
	for i := range v.at.Batch {
		v.at.Batch[i] = first + i
	}
	v.at.Noise = s.Noise
	return &v.at
}

// common returns the sample that all objectives share for s, or nil if they use separate samples.
func (v *view) common(s *algo.Sample) *algo.Sample {
	if s.Noise != v.step.Noise {
		draws := s.Noise
		return v.pick(schedule.Below(&draws, v.count), s)
	}
	if v.own {
		return nil
	}
	return v.pick(v.due[0], s)
}

func (v *view) ValuesAt(f, x []float64, s *algo.Sample) {
	if one := v.common(s); one != nil {
		v.sum.ValuesAt(f, x, one)
		return
	}
	for m, example := range v.due {
		v.sum.ValuesAt(v.f, x, v.pick(example, s))
		f[m] = v.f[m]
	}
}

func (v *view) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	if one := v.common(s); one != nil {
		v.sum.JacobianAt(jac, x, one)
		return
	}
	for m, example := range v.due {
		v.sum.GradientAt(jac.Row(m), m, 0, jac.Cols, x, v.pick(example, s))
	}
}

// WeightedGradientAt is called only if objectives share their example. Otherwise the underlying stepper already has
// every gradient.
func (v *view) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	v.sum.WeightedGradientAt(dst, w, x, v.common(s))
}

// boundedView is the view of a problem in a box.
type boundedView struct {
	*view
	algo.Bounded
}
