package bilevel_test

import (
	"math"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
)

func newLowerOnly(t testing.TB, change ...func(*bilevel.LowerOnlyConfig)) *bilevel.LowerOnly {
	t.Helper()
	c := bilevel.LowerOnlyConfig{Problem: problem.NewQuadraticBilevel(), Start: []float64{2, 0, 3},
		Loop: bilevel.Loop{Steps: 2, StepSize: 0.25}}
	for _, f := range change {
		f(&c)
	}
	s, err := bilevel.NewLowerOnly(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLowerOnlyStepper(t *testing.T) {
	for _, fixed := range []bool{false, true} {
		algotest.Stepper(t, func() algo.Stepper {
			return newLowerOnly(t, func(c *bilevel.LowerOnlyConfig) { c.Loop.Fixed = fixed })
		}, func() algo.Stepper {
			return newLowerOnly(t, func(c *bilevel.LowerOnlyConfig) { c.Loop.StepSize = 10 })
		})
	}
}

// TestLowerOnlyByHand compares one step with numbers computed by hand. On problem (24), a loop step with η = ¼ halves ω
// − α(1, 1), so two steps leave a quarter of it. α = 2 does not move.
func TestLowerOnlyByHand(t *testing.T) {
	s := newLowerOnly(t)
	for k, want := range [][]float64{{2, 0, 3}, {2, 1.5, 2.25}, {2, 1.875, 2.0625}} {
		v := s.View()
		for i, x := range want {
			if v.X[i] != x {
				t.Errorf("z_%d = %v, want %v", k, v.X, want)
				break
			}
		}
		if v.Cost != (algo.Cost{Backpropagations: 2 * k, GradientCoordinates: 4 * k}) {
			t.Errorf("k = %d cost %+v", k, v.Cost)
		}
		if k > 0 && (s.Trace().Omega[0] != want[1] || v.Weights != nil || !math.IsNaN(s.Trace().Q)) {
			t.Errorf("k = %d: trace %+v, weights %v", k, s.Trace(), v.Weights)
		}
		if _, err := s.Step(); err != nil {
			t.Fatal(err)
		}
	}
	// From a fixed start, every step leads to the same point, even after live changes of the upper level.
	s = newLowerOnly(t, func(c *bilevel.LowerOnlyConfig) { c.Loop.Fixed = true })
	if err := s.SetStepSize(5); err != nil {
		t.Fatal(err)
	}
	run(t, s, 4)
	if x := s.View().X; x[0] != 2 || x[1] != 1.5 || x[2] != 2.25 {
		t.Errorf("from a fixed start it is at %v, want [2 1.5 2.25]", x)
	}
	if err := s.SetLoop(1, 0.25); err != nil {
		t.Fatal(err)
	}
	run(t, s, 1)
	if x := s.View().X; x[1] != 1 || x[2] != 2.5 {
		t.Errorf("with T = 1 it is at %v, want [2 1 2.5]", x)
	}
}

func TestLowerOnlyPeakFloats(t *testing.T) {
	peak := func(steps int) int {
		return newLowerOnly(t, func(c *bilevel.LowerOnlyConfig) { c.Loop.Steps = steps }).PeakFloats()
	}
	// These are z, ω̃ and a gradient of the lower level.
	if peak(1) != 3+2+2 || peak(100) != peak(1) {
		t.Errorf("it holds %d floats at T = 1 and %d at T = 100, want 7", peak(1), peak(100))
	}
}

func TestNewLowerOnlyRefuses(t *testing.T) {
	for word, change := range map[string]func(*bilevel.LowerOnlyConfig){
		"problem":   func(c *bilevel.LowerOnlyConfig) { c.Problem = nil },
		"length 2":  func(c *bilevel.LowerOnlyConfig) { c.Start = c.Start[:2] },
		"start":     func(c *bilevel.LowerOnlyConfig) { c.Start = []float64{2, 0, math.Inf(1)} },
		"T = 0":     func(c *bilevel.LowerOnlyConfig) { c.Loop.Steps = 0 },
		"eta = NaN": func(c *bilevel.LowerOnlyConfig) { c.Loop.StepSize = math.NaN() },
	} {
		c := bilevel.LowerOnlyConfig{Problem: problem.NewQuadraticBilevel(), Start: []float64{2, 0, 3},
			Loop: bilevel.Loop{Steps: 2, StepSize: 0.25}}
		change(&c)
		if _, err := bilevel.NewLowerOnly(c); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: error %v", word, err)
		}
	}
}
