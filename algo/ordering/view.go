package ordering

import (
	"math/bits"

	"paretoplay/algo"
)

// Problem is a finite sum whose objectives can be asked for one by one: objective m is
// the mean of Examples() samples.
type Problem interface {
	algo.Partial
	// Examples returns the number of samples; batches hold indices below it.
	Examples() int
}

// ordered is a problem seen through the examples that are due: what the stepper beneath
// takes for one sample is one example of each objective.
type ordered struct {
	Problem
	all   []int // 0, 1, …, of which an example is a stretch
	batch int
	count int // examples

	own  bool        // objectives have examples of their own
	due  []int       // one example, or one of each objective
	step algo.Sample // names what is due: another sample is of an example drawn by it

	// Scratch space.
	at algo.Sample
	f  []float64
}

// newView sees p through examples of so many samples, which divides their number; what is
// due must be set.
func newView(p Problem, batch int) *ordered {
	_, m := p.Dims()
	o := &ordered{Problem: p, all: make([]int, p.Examples()), batch: batch, count: p.Examples() / batch, f: make([]float64, m)}
	for i := range o.all {
		o.all[i] = i
	}
	return o
}

// pick makes at the sample of an example.
func (o *ordered) pick(example int) *algo.Sample {
	o.at.Batch = o.all[example*o.batch : (example+1)*o.batch]
	return &o.at
}

// sample returns the sample that stands for s, nil where each objective has its own.
func (o *ordered) sample(s *algo.Sample) *algo.Sample {
	if s.Noise != o.step.Noise {
		draws := s.Noise
		example, _ := bits.Mul64(draws.Uint64(), uint64(o.count))
		return o.pick(int(example))
	}
	if o.own {
		return nil
	}
	return o.pick(o.due[0])
}

func (o *ordered) ValuesAt(f, x []float64, s *algo.Sample) {
	if one := o.sample(s); one != nil {
		o.Problem.ValuesAt(f, x, one)
		return
	}
	for m, example := range o.due {
		o.Problem.ValuesAt(o.f, x, o.pick(example))
		f[m] = o.f[m]
	}
}

func (o *ordered) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	if one := o.sample(s); one != nil {
		o.Problem.JacobianAt(jac, x, one)
		return
	}
	for m, example := range o.due {
		o.Problem.GradientAt(jac.Row(m), m, 0, jac.Cols, x, o.pick(example))
	}
}

func (o *ordered) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	o.Problem.WeightedGradientAt(dst, w, x, o.sample(s))
}

// Unwrap returns the problem itself, which may state more than its interface.
func (o *ordered) Unwrap() algo.Problem { return o.Problem }

// orderedBounded is one on a box.
type orderedBounded struct {
	*ordered
	algo.Bounded
}
