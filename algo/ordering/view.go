package ordering

import (
	"paretoplay/algo"
	"paretoplay/algo/internal/schedule"
)

// Problem is a finite sum whose objectives can be evaluated one by one. Objective m is the mean
// of Examples() samples.
type Problem interface {
	algo.Partial
	// Examples returns the number of samples; the indices in a batch are below it.
	Examples() int
}

// view presents a problem on the examples that are due: for the underlying stepper, one example
// of each objective is one sample.
type view struct {
	algo.Problem // unchanged, for exact values and gradients
	sum          Problem
	count        int // examples

	own  bool        // objectives have separate examples
	due  []int       // one example, or one per objective
	step algo.Sample // identifies what is due: another sample means an example drawn from it

	// Scratch space.
	at algo.Sample // one example
	f  []float64
}

// newView returns p on examples of batch samples each, which must divide their number. The caller
// must set what is due.
func newView(p Problem, batch int) *view {
	_, m := p.Dims()
	return &view{
		Problem: p, sum: p, count: p.Examples() / batch, at: algo.Sample{Batch: make([]int, batch)}, f: make([]float64, m),
	}
}

// pick sets at to the sample of an example, with the noise of s.
func (v *view) pick(example int, s *algo.Sample) *algo.Sample {
	first := example * len(v.at.Batch)
	for i := range v.at.Batch {
		v.at.Batch[i] = first + i
	}
	v.at.Noise = s.Noise
	return &v.at
}

// common returns the sample that all objectives use for s, or nil if they use separate ones.
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

// WeightedGradientAt is called only if objectives share their example; otherwise the underlying
// stepper has every gradient.
func (v *view) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	v.sum.WeightedGradientAt(dst, w, x, v.common(s))
}

// boundedView is the view of a problem in a box.
type boundedView struct {
	*view
	algo.Bounded
}
