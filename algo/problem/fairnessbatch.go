package problem

import (
	"paretoplay/algo"
	"paretoplay/algo/internal/schedule"
)

// FairnessBatches is a Fairness problem that evaluates f1 and f2 on batches of training points, drawn with
// replacement by Sample.Noise. Values and Jacobian, which take no sample, use all training points.
//
// On batches, f1 is unbiased. f2 is on average larger than on all points, by the variance of a batch's covariance,
// and therefore also favours a small θ.
type FairnessBatches struct {
	*Fairness
	batch    FairnessSample
	jacobian *algo.Jacobian // scratch space
}

var _ algo.Partial = (*FairnessBatches)(nil)

// NewFairnessBatches returns p, evaluated on batches of the given number of points. It returns an *algo.RangeError
// unless size is at least 1.
func NewFairnessBatches(p *Fairness, size int) (*FairnessBatches, error) {
	if size < 1 {
		return nil, &algo.RangeError{Name: "batch", Value: size, Allowed: "at least 1"}
	}
	return &FairnessBatches{p, FairnessSample{
		X: make([]float64, dimensions*size), Y: make([]float64, size), Z: make([]float64, size),
	}, algo.NewJacobian(2, dimensions)}, nil
}

// draw returns the random batch of a sample.
func (b *FairnessBatches) draw(s *algo.Sample) {
	source, all := s.Noise, b.Sample(Training)
	for i := range b.batch.Y {
		j := schedule.Below(&source, all.Len())
		copy(b.batch.X[dimensions*i:dimensions*(i+1)], all.X[dimensions*j:])
		b.batch.Y[i], b.batch.Z[i] = all.Y[j], all.Z[j]
	}
	b.batch.settle()
}

// ValuesAt stores f1 and f2, computed on the batch of s, in f.
func (b *FairnessBatches) ValuesAt(f, theta []float64, s *algo.Sample) {
	b.draw(s)
	b.batch.Values(f, theta)
}

// JacobianAt stores in jac the gradients, computed on the batch of s.
func (b *FairnessBatches) JacobianAt(jac *algo.Jacobian, theta []float64, s *algo.Sample) {
	b.draw(s)
	for i := range 2 {
		b.batch.gradient(jac.Row(i), i, 0, dimensions, theta)
	}
}

// WeightedGradientAt stores in dst the gradient of w_1 f1 + w_2 f2 on the batch of s.
func (b *FairnessBatches) WeightedGradientAt(dst, w, theta []float64, s *algo.Sample) {
	b.JacobianAt(b.jacobian, theta, s)
	b.jacobian.Combine(dst, w)
}

// GradientAt stores in dst, of length hi−lo, the coordinates lo to hi−1 of the gradient of objective i on the batch
// of s.
func (b *FairnessBatches) GradientAt(dst []float64, i, lo, hi int, theta []float64, s *algo.Sample) {
	b.draw(s)
	b.batch.gradient(dst, i, lo, hi, theta)
}
