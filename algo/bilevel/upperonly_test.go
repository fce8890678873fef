package bilevel_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
)

func newUpperOnly(t testing.TB, change ...func(*bilevel.UpperOnlyConfig)) *bilevel.UpperOnly {
	t.Helper()
	c := bilevel.UpperOnlyConfig{Problem: problem.NewQuadraticBilevel(), Start: []float64{2, 0, 3},
		Loop: bilevel.Loop{Steps: 2, StepSize: 0.25}}
	for _, f := range change {
		f(&c)
	}
	s, err := bilevel.NewUpperOnly(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestUpperOnlyStepper(t *testing.T) {
	for _, fixed := range []bool{false, true} {
		algotest.Stepper(t, func() algo.Stepper {
			return newUpperOnly(t, func(c *bilevel.UpperOnlyConfig) { c.Loop.Fixed = fixed })
		}, func() algo.Stepper {
			return newUpperOnly(t, func(c *bilevel.UpperOnlyConfig) { c.Loop.StepSize = 10 })
		})
	}
}

// TestUpperOnlyByHand compares one step with numbers computed by hand. On problem (24), the mean of F_1 and F_2 has the
// gradient 2(ω − (3/2, α)) in ω. A gradient step with η = ¼ halves ω − (3/2, α), so two steps leave a quarter of it.
// α = 2 does not move.
func TestUpperOnlyByHand(t *testing.T) {
	s := newUpperOnly(t)
	for k, want := range [][]float64{{2, 0, 3}, {2, 1.125, 2.25}, {2, 1.40625, 2.0625}} {
		v := s.View()
		if !slices.Equal(v.X, want) {
			t.Errorf("z_%d = %v, want %v", k, v.X, want)
		}
		if v.Cost != (algo.Cost{Backpropagations: 4 * k, GradientCoordinates: 12 * k}) {
			t.Errorf("k = %d cost %+v", k, v.Cost)
		}
		if k > 0 && (s.Trace().Omega != nil || v.Weights != nil || !math.IsNaN(s.Trace().Q)) {
			t.Errorf("k = %d: trace %+v, weights %v", k, s.Trace(), v.Weights)
		}
		s.WalkLoop(func(int, []float64) { t.Error("it walks a loop of the lower level") })
		if _, err := s.Step(); err != nil {
			t.Fatal(err)
		}
	}
	// From a fixed start, every step leads to the same point, even after live changes of the upper level.
	s = newUpperOnly(t, func(c *bilevel.UpperOnlyConfig) { c.Loop.Fixed = true })
	if err := s.SetStepSize(5); err != nil {
		t.Fatal(err)
	}
	run(t, s, 4)
	if x := s.View().X; !slices.Equal(x, []float64{2, 1.125, 2.25}) {
		t.Errorf("from a fixed start it is at %v, want [2 1.125 2.25]", x)
	}
	if err := s.SetLoop(1, 0.25); err != nil {
		t.Fatal(err)
	}
	run(t, s, 1)
	if x := s.View().X; !slices.Equal(x, []float64{2, 0.75, 2.5}) {
		t.Errorf("with T = 1 it is at %v, want [2 0.75 2.5]", x)
	}
}

func TestUpperOnlyPeakFloats(t *testing.T) {
	peak := func(steps int) int {
		return newUpperOnly(t, func(c *bilevel.UpperOnlyConfig) { c.Loop.Steps = steps }).PeakFloats()
	}
	// These are z, ω, the Jacobian and its mean.
	if peak(1) != 3+2+2*3+2 || peak(100) != peak(1) {
		t.Errorf("it holds %d floats at T = 1 and %d at T = 100, want 13", peak(1), peak(100))
	}
}

func TestNewUpperOnlyRefuses(t *testing.T) {
	for word, change := range map[string]func(*bilevel.UpperOnlyConfig){
		"problem":   func(c *bilevel.UpperOnlyConfig) { c.Problem = nil },
		"length 2":  func(c *bilevel.UpperOnlyConfig) { c.Start = c.Start[:2] },
		"start":     func(c *bilevel.UpperOnlyConfig) { c.Start = []float64{2, 0, math.Inf(1)} },
		"T = 0":     func(c *bilevel.UpperOnlyConfig) { c.Loop.Steps = 0 },
		"eta = NaN": func(c *bilevel.UpperOnlyConfig) { c.Loop.StepSize = math.NaN() },
	} {
		c := bilevel.UpperOnlyConfig{Problem: problem.NewQuadraticBilevel(), Start: []float64{2, 0, 3},
			Loop: bilevel.Loop{Steps: 2, StepSize: 0.25}}
		change(&c)
		if _, err := bilevel.NewUpperOnly(c); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: error %v", word, err)
		}
	}
}
