package ordering_test

import (
	"errors"
	"slices"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/algo/problem"
)

// TestBalancerInALoop checks that a custom loop with equal weights visits the same examples as Descent and reaches
// the same point.
func TestBalancerInALoop(t *testing.T) {
	p, err := problem.RandomLogistic(problem.LogisticConfig{Examples: 12, Heterogeneity: 0.5, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	d, m := p.Dims()
	const alpha, epochs = 0.1, 4
	for _, kind := range allKinds {
		for _, rule := range signRules {
			s, err := ordering.New(ordering.Config{Problem: p, Start: make([]float64, d), Kind: kind, Signs: rule, StepSize: alpha,
				FixedWeights: []float64{0.5, 0.5}, Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			b, err := ordering.NewBalancer(ordering.BalancerConfig{Objectives: m, Examples: p.Examples(), Variables: d, Kind: kind,
				Signs: rule, Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			x, direction := make([]float64, d), make([]float64, d)
			gradients, one := algo.NewJacobian(m, d), algo.NewJacobian(m, d)
			var snapshot algo.Snapshot
			for k := range epochs * p.Examples() {
				for i := range m {
					p.JacobianAt(one, x, &algo.Sample{Batch: []int{b.Due(i)}})
					copy(gradients.Row(i), one.Row(i))
				}
				gradients.Combine(direction, []float64{0.5, 0.5})
				for j := range x {
					x[j] -= alpha * direction[j]
				}
				if k == 17 {
					b.Save(&snapshot)
				}
				b.Put(gradients, direction)
				if _, err := s.Step(); err != nil {
					t.Fatal(err)
				}
				if !slices.EqualFunc(b.Orders(), s.Orders(), slices.Equal[[]int]) || b.Epoch() != s.Epoch() {
					t.Fatalf("%v, %v: after %d steps the orders are %v, of Descent %v", kind, rule, k+1, b.Orders(), s.Orders())
				}
			}
			if !near(x, s.View().X, 1e-12) {
				t.Errorf("%v, %v: the loop comes to %v, Descent to %v", kind, rule, x, s.View().X)
			}
			b.Load(&snapshot)
			if b.Epoch() != 1 || b.Due(0) != b.Orders()[0][5] {
				t.Errorf("%v: after Load epoch %d, due is %d", kind, b.Epoch(), b.Due(0))
			}
			if n := testing.AllocsPerRun(40, func() { b.Due(0); b.Put(gradients, direction) }); n != 0 {
				t.Errorf("%v: %v allocations a step", kind, n)
			}
		}
	}
}

// TestBalancerByHand checks that gradients 1, 1, −1 on a line get the signs +, −, +. The third sign comes from a tie,
// because the sum is 0, so example 2 takes the next place from the left.
func TestBalancerByHand(t *testing.T) {
	b, err := ordering.NewBalancer(ordering.BalancerConfig{Objectives: 1, Examples: 3, Variables: 1, Kind: ordering.JoGBa,
		First: ordering.GivenFirst})
	if err != nil {
		t.Fatal(err)
	}
	for _, pull := range []float64{1, 1, -1} {
		b.Put(&algo.Jacobian{Rows: 1, Cols: 1, Data: []float64{pull}}, nil)
	}
	next, _, _ := b.Next()
	if want := []int{0, 2, 1}; !slices.Equal(next[0], want) {
		t.Errorf("the next order is %v, want %v", next[0], want)
	}
	if b.Due(0) != 0 || b.Epoch() != 1 {
		t.Errorf("epoch %d begins with %d", b.Epoch(), b.Due(0))
	}
}

func TestBalancerRefuses(t *testing.T) {
	good := ordering.BalancerConfig{Objectives: 2, Examples: 3, Variables: 4, Kind: ordering.JoGBa}
	for name, change := range map[string]func(c *ordering.BalancerConfig){
		"Objectives": func(c *ordering.BalancerConfig) { c.Objectives = 0 },
		"Examples":   func(c *ordering.BalancerConfig) { c.Examples = -1 },
		"Variables":  func(c *ordering.BalancerConfig) { c.Variables = 0 },
		"order":      func(c *ordering.BalancerConfig) { c.Kind = "none" },
		"sign rule":  func(c *ordering.BalancerConfig) { c.Signs = "none" },
	} {
		c := good
		change(&c)
		var refused *algo.RangeError
		if _, err := ordering.NewBalancer(c); !errors.As(err, &refused) || refused.Name != name {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
