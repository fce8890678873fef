package blocks_test

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
)

// TestStepSizes compares α_t with values computed by hand, with μ = 2, L = 10, α = 0.3 and T = 16. For Safe, p·μ is 8
// with m = (1, 3), and 2 with the weighted sum; t_0 is 10.
func TestStepSizes(t *testing.T) {
	for _, c := range []struct {
		schedule blocks.Schedule
		kind     func(blocks.Config) blocks.Config
		want     []float64
	}{
		{blocks.Constant, blocks.FunctionAlternate, []float64{0.3, 0.3, 0.3}},
		{blocks.InverseSqrt, blocks.FunctionAlternate, []float64{0.25, 0.25, 0.25}},
		{blocks.Printed, blocks.FunctionAlternate, []float64{1, 0.5, 1. / 3}},
		{blocks.Printed, blocks.WeightedSum, []float64{1, 0.5, 1. / 3}},
		{blocks.Safe, blocks.FunctionAlternate, []float64{2. / 8 / 11, 2. / 8 / 12, 2. / 8 / 13}},
		{blocks.Safe, blocks.BlockAlternate, []float64{2. / 8 / 11, 2. / 8 / 12, 2. / 8 / 13}},
		{blocks.Safe, blocks.WeightedSum, []float64{2. / 2 / 11, 2. / 2 / 12, 2. / 2 / 13}},
	} {
		s := newRun(t, c.kind(blocks.Config{
			Problem: pair(t, 0), Start: []float64{1, 1}, Frequencies: []int{1, 3}, StepSize: 0.3, Schedule: c.schedule, Horizon: 16,
			StrongConvexity: 2, Lipschitz: 10,
		}))
		for i, want := range c.want {
			for range s.OuterSteps() {
				steps(t, s, 1)
				if got := s.View().StepSize; math.Abs(got-want) > 1e-15 {
					t.Errorf("%v: α_%d = %v, want %v", c.schedule, i, got, want)
				}
			}
		}
	}
}

// stating is a problem that provides a constant of strong convexity for all weighted sums.
type stating struct{ still }

func (stating) StrongConvexity() float64 { return 0.5 }
func (stating) Lipschitz() float64       { return 2 }

// TestStatedConstants checks that missing constants come from the problem. The constant of the weighted sum takes
// precedence. Constants of a wrapped problem must be found too.
func TestStatedConstants(t *testing.T) {
	first := func(c blocks.Config) float64 {
		c.Start, c.Frequencies, c.StepSize = []float64{1, 1}, []int{1, 3}, 1
		s := newRun(t, c)
		steps(t, s, 1)
		return s.View().StepSize
	}
	p := pair(t, 0)
	mu, err := p.WeightedConvexity([]float64{0.25, 0.75})
	if err != nil || !(mu > p.StrongConvexity()*1.1) {
		t.Fatalf("μ = %v, %v, of all weighted sums %v", mu, err, p.StrongConvexity())
	}
	l := p.Lipschitz()
	for _, problem := range []algo.Partial{p, algo.Exact(p)} {
		if got, want := first(blocks.Config{Problem: problem, Schedule: blocks.Printed}), 2/mu; math.Abs(got-want) > 1e-15 {
			t.Errorf("printed: α_0 = %v, want %v", got, want)
		}
		got, want := first(blocks.Config{Problem: problem, Schedule: blocks.Safe}), 2/(4*mu*(1+2*l/mu))
		if math.Abs(got-want) > 1e-15 || got >= 1/(4*l) {
			t.Errorf("safe: α_0 = %v, want %v, below %v", got, want, 1/(4*l))
		}
	}
	if got := first(blocks.Config{Problem: algo.Exact(stating{still{2, 2}}), Schedule: blocks.Safe}); math.Abs(got-2./(4*0.5*(1+8))) > 1e-15 {
		t.Errorf("α_0 = %v where the problem states μ = 0.5 and L = 2", got)
	}
}
