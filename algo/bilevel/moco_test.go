package bilevel_test

import (
	"math"
	"strings"
	"testing"

	"paretoplay/algo/bilevel"
	"paretoplay/algo/descent"
)

// TestMoCoFirstStepByHand compares the first step with numbers computed by hand. The hypergradients of handLoop are
// −1.875 and −3.375. With β = ½ and γ = 0.1, y = (−0.9375, −1.6875), Yᵀλ_0 = −1.3125 and λ_0 − γYYᵀλ_0 = (0.376953125,
// 0.278515625). The entries sum to 1 − 0.34453125. Any ρ lowers both entries equally, so it does not change this step.
func TestMoCoFirstStepByHand(t *testing.T) {
	for _, mode := range modes {
		for _, decay := range []float64{0, 0.5} {
			for _, rho := range []float64{0, 1} {
				c := moco()
				c.Loop, c.Mode, c.Decay, c.Rho = handLoop, mode, decay, rho
				s := newMoCo(t, c)
				if s.Tracked() != nil {
					t.Errorf("there is a tracked Y = %v before the first step", s.Tracked())
				}
				run(t, s, 1)
				v := s.View()
				if !nearTo(s.Trace().Hypergradients.Data, []float64{-1.875, -3.375}, 1e-15) ||
					!nearTo(s.Tracked().Data, []float64{-0.9375, -1.6875}, 1e-15) {
					t.Errorf("%v: hypergradients %v, Y = %v", mode, s.Trace().Hypergradients.Data, s.Tracked().Data)
				}
				if !nearTo(v.Weights, []float64{0.54921875, 0.45078125}, 1e-15) || !nearTo(v.Direction, []float64{-1.2755859375}, 1e-15) {
					t.Errorf("%v: λ = %v, direction %v", mode, v.Weights, v.Direction)
				}
				if !nearTo(v.X, []float64{0.38267578125, 0, 0.75}, 1e-15) {
					t.Errorf("%v: z_1 = %v", mode, v.X)
				}
				run(t, s, 1)
				share := 0.5 / math.Pow(2, decay)
				h := s.Trace().Hypergradients.Data
				if want := -0.9375 - share*(-0.9375-h[0]); !nearTo(s.Tracked().Data[:1], []float64{want}, 1e-15) {
					t.Errorf("decay %v: y_1 = %v after two steps, want %v", decay, s.Tracked().Data[0], want)
				}
			}
		}
	}
}

func TestNewMoCoRefuses(t *testing.T) {
	for name, change := range map[string]func(*bilevel.MoCoConfig){
		"problem":         func(c *bilevel.MoCoConfig) { c.Problem = nil },
		"beta":            func(c *bilevel.MoCoConfig) { c.Beta = 1.5 },
		"gamma":           func(c *bilevel.MoCoConfig) { c.Gamma = 0 },
		"decay":           func(c *bilevel.MoCoConfig) { c.Decay = 0.25 },
		"rho":             func(c *bilevel.MoCoConfig) { c.Rho = -1 },
		"lower optimizer": func(c *bilevel.MoCoConfig) { c.Loop.Optimizer = descent.Optimizer{ClipNorm: 1} },
		"muomega":         func(c *bilevel.MoCoConfig) { c.Upper.OmegaStepSize = 1 },
		"mode":            func(c *bilevel.MoCoConfig) { c.Mode = "none" },
	} {
		c := moco()
		change(&c)
		s, err := bilevel.NewMoCo(c)
		if err == nil || s != nil {
			t.Errorf("%s: accepted, or a stepper beside the error %v", name, err)
		} else if !strings.Contains(err.Error(), name) {
			t.Errorf("%s: the error does not name it: %v", name, err)
		}
	}
}
