package bilevel_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
)

// moml returns MOML on problem (24) in the paper's setting.
func moml() bilevel.MOMLConfig {
	return bilevel.MOMLConfig{
		Problem: problem.NewQuadraticBilevel(), Start: []float64{0, 0, 3},
		Loop: bilevel.Loop{Steps: 50, StepSize: 0.05}, Upper: bilevel.Upper{StepSize: 0.3},
	}
}

// moco returns MoCo on problem (24) in the paper's setting.
func moco() bilevel.MoCoConfig {
	c := moml()
	return bilevel.MoCoConfig{Problem: c.Problem, Start: c.Start, Loop: c.Loop, Upper: c.Upper, Beta: 0.5, Gamma: 0.1}
}

func newMOML(t testing.TB, c bilevel.MOMLConfig) *bilevel.MOML {
	t.Helper()
	s, err := bilevel.NewMOML(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newMoCo(t testing.TB, c bilevel.MoCoConfig) *bilevel.MoCo {
	t.Helper()
	s, err := bilevel.NewMoCo(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// makeSteps makes count steps, each of which must run.
func makeSteps(t testing.TB, s algo.Stepper, count int) {
	t.Helper()
	for range count {
		if status, err := s.Step(); status != algo.Running || err != nil {
			t.Fatalf("step from %d: %v, %v, %+v", s.View().K, status, err, s.View().Diverged)
		}
	}
}

// hypergradientTolerance is relative to numbers of size 1, which the runs on (24)
// have: the trajectories were computed independently, and part by rounding only.
const hypergradientTolerance = 1e-9

func TestMOMLAndMoCoTrajectories(t *testing.T) {
	data, err := os.ReadFile("testdata/moml_moco.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Runs []struct {
			Method                  string
			Start                   []float64
			Mu, Eta                 float64
			T                       int
			WarmStart               bool `json:"warm_start"`
			Beta, Gamma, Rho, Decay float64
			Traj                    []struct {
				K                int
				A, E, Kkt, Dir   float64
				W, Hyper, Lam, Y []float64
				Q                *float64
			}
		}
	}
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	p := problem.NewQuadraticBilevel()
	measures := bilevel.NewMeasures(p)
	compared := map[string]int{}
	for _, mode := range bilevel.Modes() {
		for _, o := range oracle.Runs {
			loop := bilevel.Loop{Steps: o.T, StepSize: o.Eta, Fixed: !o.WarmStart}
			upper := bilevel.Upper{StepSize: o.Mu}
			var s bilevel.Stepper
			tracked := func() []float64 { return nil }
			switch o.Method {
			case "MOML":
				s = newMOML(t, bilevel.MOMLConfig{Problem: p, Start: o.Start, Loop: loop, Upper: upper, Mode: mode})
			case "MoCo":
				m := newMoCo(t, bilevel.MoCoConfig{Problem: p, Start: o.Start, Loop: loop, Upper: upper,
					Beta: o.Beta, Gamma: o.Gamma, Decay: o.Decay, Rho: o.Rho, Mode: mode})
				s, tracked = m, func() []float64 { return m.Tracked().Data }
			default:
				t.Fatalf("unknown method %s", o.Method)
			}
			for _, row := range o.Traj {
				compare := func(what string, got, want []float64) {
					t.Helper()
					for i, v := range want {
						if len(got) != len(want) || !(math.Abs(got[i]-v) <= hypergradientTolerance) {
							t.Errorf("%s (%v) from %v, k = %d: %s = %v, want %v", o.Method, mode, o.Start, row.K, what, got, want)
							return
						}
					}
				}
				makeSteps(t, s, row.K-s.View().K)
				z := s.Measured()
				compare("α", z[:1], []float64{row.A})
				compare("ω", z[1:], row.W)
				compare("E", []float64{p.Distance(z)}, []float64{row.E})
				compare("KKT", []float64{measures.KKT(z)}, []float64{row.Kkt})
				if row.Q != nil {
					compare("q", []float64{measures.Q(z)}, []float64{*row.Q})
				}
				// Hypergradients, weights and direction belong to the step from row.K on.
				makeSteps(t, s, 1)
				compare("ω of the trace", s.Trace().Omega, row.W)
				compare("hypergradients", s.Trace().Hypergradients.Data, row.Hyper)
				compare("λ", s.View().Weights, row.Lam)
				compare("direction", s.View().Direction, []float64{row.Dir})
				compare("y", tracked(), row.Y)
				compared[o.Method]++
			}
		}
	}
	if compared["MOML"] != 2*6*30 || compared["MoCo"] != 2*12*30 {
		t.Errorf("compared %v rows, want 360 of MOML and 720 of MoCo", compared)
	}
}
