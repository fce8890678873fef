package runlog

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Stepper is an algo.Stepper whose steps can be recorded, such as descent.PSMGD.
type Stepper interface {
	algo.Stepper
	// Sample returns the sample of the last step. It is valid until the next step.
	Sample() *algo.Sample
	// Effective returns the coefficients c for which the last step's direction is Gᵀc, where G contains the gradients
	// on the last step's sample. It returns nil if there are no such coefficients.
	Effective() []float64
}

// shared is a problem whose leading variables are shared by all objectives. Each other variable belongs to one objective.
type shared interface {
	algo.Sampled
	Shared() int
	// SharedJacobianAt stores the gradients for the shared variables in jac, m×Shared(). It stores each objective's
	// gradient for its other variables in own, of length n−Shared().
	SharedJacobianAt(jac *algo.Jacobian, own, x []float64, s *algo.Sample)
}

// FollowerConfig configures a Follower.
type FollowerConfig struct {
	// Problem is the run's problem, or a copy with separate scratch space.
	Problem algo.Sampled
	Names   []string // names of the objectives; nil means their numbers
	Every   int      // n ≥ 1; record before every n-th step, from step 0 on; 0 means 1
	// Seed and StartIndex must be the same as for the run. The second batch of step t is drawn from
	// algo.Stream(Seed, StartIndex, t, algo.Record).
	Seed       uint64
	StartIndex int
	Most       int64 // maximum size of the log in bytes, such as PageBytes; 0 means NativeBytes

	// Forward and Backward are the durations in seconds of a forward pass and of one objective's backward pass, or
	// 0 if unknown.
	Forward, Backward float64
}

// Follower takes the steps of a run, and records some of them. It does not change any number of the run: it
// computes the record from the run's samples, and draws the second batch from a separate stream. A record costs 2S
// backpropagations and three forward passes.
type Follower struct {
	config   FollowerConfig
	recorder *Recorder
	shared   shared // the problem, if some variables are not shared; otherwise nil

	x         []float64 // point before the step
	jac, more *algo.Jacobian
	own       []float64 // gradients for the variables that belong to one objective; they are not recorded
	record    Record
	none      []float64 // zero weights, for a step without a solution
	second    algo.Sample
	order     []int // order of the examples, from which the second batch is drawn
	state     rand.PCG
	draw      *rand.Rand

	leftOut int
}

// NewFollower returns a Follower without records.
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

// Step takes a step of a run. It records every n-th step (see FollowerConfig.Every), unless the Stepper fails to take
// the step. If a number of the record is not finite, or too small to be squared, Step omits the record and LeftOut
// counts it. An error that does not come from the Stepper concerns the log: for example, the log may be full. In that
// case the Stepper has still taken its step.
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
			return status, fmt.Errorf("step %d: its direction is not a combination of the gradients on its batch, so it has no weights", k)
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

// products stores the products of each row of a with each row of b in dst.
func products(dst []float64, a, b *algo.Jacobian) {
	const block = 1024 // number of columns per block, so that all rows of a block stay in the cache
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

// finite reports whether all numbers of the record are finite.
func (f *Follower) finite() bool {
	r := &f.record
	return algo.Finite(r.Losses) && algo.Finite(r.After) && algo.Finite(r.Gramian) && algo.Finite(r.Cross) && algo.Finite(r.Weights)
}

// gradients stores in jac the gradients for the shared variables at the point before the step.
func (f *Follower) gradients(jac *algo.Jacobian, s *algo.Sample) {
	if f.shared != nil {
		f.shared.SharedJacobianAt(jac, f.own, f.x, s)
		return
	}
	f.config.Problem.JacobianAt(jac, f.x, s)
}

// drawSecond draws a second sample for step k, with the same size as the first. It contains examples, drawn without
// replacement, and new noise.
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

// Recorder returns the Recorder that collects the records.
func (f *Follower) Recorder() *Recorder { return f.recorder }

// LeftOut returns the number of records omitted because a number was not finite or too small to be squared.
func (f *Follower) LeftOut() int { return f.leftOut }
