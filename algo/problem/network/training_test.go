package network_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem/network"
	"paretoplay/algo/weighting"
)

// TestStepOfTrunkAndHeads checks that a step of MGDA computes its weights from the trunk's gradients alone and moves
// the trunk along their weighted sum. Every head must follow its own loss. The same must hold for a step that reuses
// the weights of an earlier one.
func TestStepOfTrunkAndHeads(t *testing.T) {
	n := made(t, small(8, network.ReLU))
	x := n.Start(1)
	s := stepper(t, "mgda", func(c *descent.Config) { c.Period = 2 })
	size, m := n.Dims()
	jac, own := algo.NewJacobian(m, n.Shared()), make([]float64, size-n.Shared())
	var lambda []float64
	for step := range 2 {
		if _, err := s.Step(); err != nil {
			t.Fatal(err)
		}
		v := s.View()
		n.SharedJacobianAt(jac, own, x, s.Sample())
		if step == 0 {
			in, out := algo.Input{}, algo.Result{Weights: make([]float64, m)}
			in.SetGradients(jac)
			if err := weighting.NewMGDA(weighting.NormalizeNone).Weigh(&out, &in); err != nil {
				t.Fatal(err)
			}
			lambda = out.Weights
			if v.Jacobian == nil || v.Jacobian.Cols != n.Shared() {
				t.Error("the step shows no gradients for the trunk")
			}
		}
		if !floats.EqualApprox(v.Weights, lambda, 1e-12) || v.Refreshed != (step == 0) {
			t.Errorf("step %d: weights %v, not %v", step, v.Weights, lambda)
		}
		want := make([]float64, size)
		jac.Combine(want[:n.Shared()], lambda)
		copy(want[n.Shared():], own)
		if !floats.EqualApprox(v.Direction, want, 1e-13) {
			t.Errorf("step %d goes elsewhere", step)
		}
		for i := range x {
			x[i] -= 0.5 * want[i]
		}
		if !floats.EqualApprox(v.X, x, 1e-13) {
			t.Errorf("step %d leads elsewhere", step)
		}
	}
	if got := s.View().Cost.Backpropagations; got != m+1 {
		t.Errorf("two steps cost %d backpropagations", got)
	}
}

// TestFrugal checks that rules whose weights do not depend on gradients train in the same way if only the gradient of
// the weighted sum is computed, with one backpropagation per step. The training with other rules must not change.
func TestFrugal(t *testing.T) {
	const steps = 12
	for _, rule := range weighting.Methods {
		if rule.Name == "smg" || rule.Name == "epo" {
			continue
		}
		frugal := stepper(t, rule.Name, func(*descent.Config) {})
		plain := stepper(t, rule.Name, func(c *descent.Config) { c.Frugal = false })
		for range steps {
			for _, s := range []descent.Resting{frugal, plain} {
				if _, err := s.Step(); err != nil {
					t.Fatal(err)
				}
			}
		}
		a, b := frugal.View(), plain.View()
		if !floats.EqualApprox(a.X, b.X, 1e-11) || a.K != steps {
			t.Errorf("%s: frugal training goes elsewhere", rule.Name)
		}
		want := b.Cost.Backpropagations
		if rule.Needs.Blind {
			want = steps
			if a.Jacobian != nil {
				t.Errorf("%s shows gradients that nobody computed", rule.Name)
			}
		}
		if got := a.Cost.Backpropagations; got != want {
			t.Errorf("%s: %d steps cost %d backpropagations, not %d", rule.Name, steps, got, want)
		}
	}
}

// TestWatched checks that a View has the losses of the watched examples, and that watching does not change
// the training. Invalid indices must be rejected.
func TestWatched(t *testing.T) {
	n := made(t, small(8, network.ReLU))
	s := stepper(t, "mgda", func(c *descent.Config) { c.ValuesEvery = 1 })
	all := stepper(t, "mgda", func(c *descent.Config) { c.ValuesEvery, c.Watched = 1, nil })
	for range 5 {
		for _, s := range []descent.Resting{s, all} {
			if _, err := s.Step(); err != nil {
				t.Fatal(err)
			}
		}
	}
	f := make([]float64, 8)
	n.ValuesAt(f, s.View().X, &algo.Sample{Batch: n.Watch(20)})
	if !floats.Equal(f, s.View().F) || !floats.Equal(s.View().X, all.View().X) {
		t.Error("watching changes what is seen or done")
	}
	if n.Values(f, s.View().X); !floats.Equal(f, all.View().F) {
		t.Error("without watched examples the losses are not on all examples")
	}
	for want, watched := range map[string][]int{"Watched = []": {}, "Watched = 70": {3, 70}, "Watched = -1": {-1}} {
		_, err := descent.NewPSMGD(descent.Config{Problem: n, Start: n.Start(1), StepSize: 1, Watched: watched})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v", watched, err)
		}
	}
}

// TestTrains trains the network with five hundred steps of gradient descent on the equally weighted sum. For every
// seed, the network must answer eight questions about other pictures correctly in more than 85 % of cases.
func TestTrains(t *testing.T) {
	for seed := range uint64(3) {
		n := made(t, network.Config{Tasks: 8, Seed: seed})
		c := descent.Config{Problem: n, Start: n.Start(seed), StepSize: 1, Batch: 64, ConstantBatch: true, Seed: seed, ValuesEvery: 100,
			Watched: n.Watch(128)}
		s, err := descent.NewPSMGD(descent.LinearScalarization(c, []float64{0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125}))
		if err != nil {
			t.Fatal(err)
		}
		for range 500 {
			if _, err := s.Step(); err != nil {
				t.Fatal(err)
			}
		}
		var score network.Score
		score.Reset(n)
		n.Judge(&score, s.View().X, network.Test, 0, n.Size(network.Test))
		if mean := score.Mean(score.Accuracy); !(mean > 0.85) || math.IsNaN(score.Mean(score.Loss)) {
			t.Errorf("seed %d: %.3f of the answers are right", seed, mean)
		}
		t.Logf("seed %d: accuracy %.3f, loss %.3f", seed, score.Mean(score.Accuracy), score.Mean(score.Loss))
	}
}
