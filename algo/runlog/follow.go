package runlog

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Stepper is a Stepper whose steps can be recorded, such as descent.PSMGD.
type Stepper interface {
	algo.Stepper
	// Sample returns the sample of the last step, which holds until the next one.
	Sample() *algo.Sample
	// Effective returns the coefficients c with which the last step's direction is Gᵀc for the gradients G on that sample; nil
	// where there are none.
	Effective() []float64
}

// shared is a problem whose leading variables all objectives share, while each of the others belongs to one alone.
type shared interface {
	algo.Sampled
	Shared() int
	// SharedJacobianAt stores the gradients for the shared variables, m×Shared(), and in own, of length n−Shared(), each
	// objective's gradient for its own variables.
	SharedJacobianAt(jac *algo.Jacobian, own, x []float64, s *algo.Sample)
}

// FollowerConfig says what is recorded of a run.
type FollowerConfig struct {
	// Problem is what the run descends on, or the same problem with scratch space of its own.
	Problem algo.Sampled
	Names   []string // of the objectives; nil for their numbers
	Every   int      // n ≥ 1: a record before every n-th step, from step 0 on; 0 means 1
	// Seed and StartIndex are those of the run. The second batch of step t is drawn from
	// algo.Stream(Seed, StartIndex, t, algo.Record).
	Seed       uint64
	StartIndex int
	Most       int64 // bytes that the log may take, such as PageBytes; 0 means NativeBytes

	// The seconds of a forward pass, and of one objective's backward pass, as far as they are known; 0 where they are not.
	Forward, Backward float64
}

// Follower makes the steps of a run and records some of them. It does not change the run, of which every number is as it is without:
// what it looks at is computed from the run's own samples, and its second batch from a stream of its own. A record costs 2S
// backpropagations and three forward passes.
type Follower struct {
	config   FollowerConfig
	recorder *Recorder
	shared   shared // the problem, where some of its variables are not shared; nil where all are

	x         []float64 // before the step
	jac, more *algo.Jacobian
	own       []float64 // what belongs to one objective alone: nobody looks at it
	record    Record
	none      []float64 // weights of a step that has no solution
	second    algo.Sample
	order     []int // of the examples, from which the second batch is drawn
	state     rand.PCG
	draw      *rand.Rand

	leftOut int
}

// NewFollower returns one without records.
func NewFollower(c FollowerConfig) (*Follower, error) {
	if algo.Missing(c.Problem) {
		return nil, algo.ErrNoProblem
	}
	n, m := c.Problem.Dims()
	if c.Names == nil {
		c.Names = numbered(m)
	}
	if len(c.Names) != m {
		return nil, fmt.Errorf("%d names for %d objectives", len(c.Names), m)
	}
	if c.Every == 0 {
		c.Every = 1
	}
	if c.Every < 1 {
		return nil, &algo.RangeError{Name: "every", Value: c.Every, Allowed: "it must be at least 1, or 0 for 1"}
	}
	if c.Most == 0 {
		c.Most = NativeBytes
	}
	recorder, err := NewRecorder(c.Names, c.Most)
	if err != nil {
		return nil, err
	}
	f := &Follower{config: c, recorder: recorder, x: make([]float64, n), none: make([]float64, m)}
	common := n
	if of, is := c.Problem.(shared); is {
		if common = of.Shared(); common < 1 || common > n {
			return nil, &algo.RangeError{Name: "number of shared variables", Value: common, Allowed: fmt.Sprintf("1 to %d", n)}
		}
		f.shared, f.own = of, make([]float64, n-common)
	}
	f.jac, f.more = algo.NewJacobian(m, common), algo.NewJacobian(m, common)
	f.record = Record{Losses: make([]float64, m), Gramian: make([]float64, m*m), Cross: make([]float64, m*m), After: make([]float64, m),
		Forward: c.Forward, Backward: c.Backward}
	f.draw = rand.New(&f.state)
	return f, nil
}

// Step makes a step of a run and records it, if it is one of those that are recorded and was made. A step at which a number
// is not finite, or too small to be squared, is left out, as LeftOut says. An error of which algo.Stepper says nothing is about
// the log, such as that it has as many bytes as it may; the step was made all the same.
func (f *Follower) Step(s Stepper) (algo.Status, error) {
	v := s.View()
	k := v.K
	if k%f.config.Every != 0 {
		return s.Step()
	}
	copy(f.x, v.X)
	status, err := s.Step()
	if v = s.View(); err != nil || v.K == k {
		return status, err
	}
	if f.record.Weights = s.Effective(); f.record.Weights == nil {
		if status != algo.NoSolution {
			return status, fmt.Errorf("step %d: its direction is no combination of the gradients on its batch, so there are no weights to record", k)
		}
		f.record.Weights = f.none
	}
	sample, problem := s.Sample(), f.config.Problem
	problem.ValuesAt(f.record.Losses, f.x, sample)
	problem.ValuesAt(f.record.After, v.X, sample)
	f.gradients(f.jac, sample)
	f.drawSecond(k, sample)
	f.gradients(f.more, &f.second)
	f.jac.Gram(f.record.Gramian)
	products(f.record.Cross, f.jac, f.more)
	f.record.Step = int64(k)
	if !f.finite() {
		f.leftOut++
		return status, nil
	}
	if err = f.recorder.Add(&f.record); err != nil && errors.As(err, new(*impossible)) {
		f.leftOut++
		return status, nil
	}
	return status, err
}

// products stores all products of a row of a and a row of b in dst.
func products(dst []float64, a, b *algo.Jacobian) {
	const block = 1024 // columns that are taken together, so that all rows of them stay in the cache
	clear(dst)
	for lo := 0; lo < a.Cols; lo += block {
		hi := min(lo+block, a.Cols)
		for i := range a.Rows {
			row := a.Row(i)[lo:hi]
			for j := range b.Rows {
				dst[i*b.Rows+j] += portable.Dot(row, b.Row(j)[lo:hi])
			}
		}
	}
}

// finite reports whether all numbers of the record are.
func (f *Follower) finite() bool {
	r := &f.record
	return algo.Finite(r.Losses) && algo.Finite(r.After) && algo.Finite(r.Gramian) && algo.Finite(r.Cross) && algo.Finite(r.Weights)
}

// gradients stores the gradients for the shared variables before the step.
func (f *Follower) gradients(jac *algo.Jacobian, s *algo.Sample) {
	if f.shared != nil {
		f.shared.SharedJacobianAt(jac, f.own, f.x, s)
		return
	}
	f.config.Problem.JacobianAt(jac, f.x, s)
}

// drawSecond draws a second sample for step k, of the size of the first: examples without replacement, and noise.
func (f *Follower) drawSecond(k int, first *algo.Sample) {
	f.state = algo.Stream(f.config.Seed, f.config.StartIndex, k, algo.Record)
	f.second.Batch = nil
	if sum, is := f.config.Problem.(algo.FiniteSum); is && first.Batch != nil {
		n := sum.Examples()
		if f.order == nil {
			f.order = make([]int, n)
		}
		for i := range f.order {
			f.order[i] = i
		}
		size := len(first.Batch)
		for i := range size {
			j := i + f.draw.IntN(n-i)
			f.order[i], f.order[j] = f.order[j], f.order[i]
		}
		f.second.Batch = f.order[:size]
	}
	f.second.Noise = f.state
}

// Recorder returns what gathers the records.
func (f *Follower) Recorder() *Recorder { return f.recorder }

// LeftOut returns at how many steps a record was left out, because a number in it was not finite or too small to be squared.
func (f *Follower) LeftOut() int { return f.leftOut }
