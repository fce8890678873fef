package ordering

import (
	"paretoplay/algo"
	"paretoplay/algo/internal/schedule"
)

// Problem is a finite sum whose objectives can be asked for one by one: objective m is
// the mean of Examples() samples.
type Problem interface {
	algo.Partial
	// Examples returns the number of samples; batches hold indices below it.
	Examples() int
}

// view shows a problem through the examples that are due: the stepper beneath takes one
// example of each objective for one sample.
type view struct {
	algo.Problem // as it is, for exact values and gradients
	sum          Problem
	count        int // examples

	own  bool        // objectives have examples of their own
	due  []int       // one example, or one of each objective
	step algo.Sample // names what is due: another sample is of an example drawn by it

	// Scratch space.
	at algo.Sample // of one example
	f  []float64
}

// newView sees p through examples of batch samples, which must divide their number; what is
// due must be set.
func newView(p Problem, batch int) *view {
	_, m := p.Dims()
	return &view{
		Problem: p, sum: p, count: p.Examples() / batch, at: algo.Sample{Batch: make([]int, batch)}, f: make([]float64, m),
	}
}

// pick makes at the sample of an example, with the noise of s.
func (v *view) pick(example int, s *algo.Sample) *algo.Sample {
	first := example * len(v.at.Batch)
	for i := range v.at.Batch {
		v.at.Batch[i] = first + i
	}
	v.at.Noise = s.Noise
	return &v.at
}

// common returns the sample that stands for s, nil where each objective has its own.
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

// WeightedGradientAt is called only where objectives share their example: elsewhere the
// stepper beneath has every gradient.
func (v *view) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	v.sum.WeightedGradientAt(dst, w, x, v.common(s))
}

// boundedView is the view of a problem on a box.
type boundedView struct {
	*view
	algo.Bounded
}
