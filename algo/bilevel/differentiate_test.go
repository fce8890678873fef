package bilevel_test

import (
	"fmt"
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
)

// curved is a bilevel problem whose lower Hessian depends on the point:
//
//	f = Σ_k [½(1 + α_1²)ω_k² + ¼ω_k⁴ − sin(α_{1 + k mod n})·ω_k]
//	F_i = ½‖α + i‖² + ½‖ω − i‖² + i·α_1ω_1ω_p
type curved struct{ n, p, m int }

func (c curved) Dims() (n, p, m int) { return c.n, c.p, c.m }

func (c curved) Values(f, z []float64) {
	for i := range f {
		f[i] = float64(i) * z[0] * z[c.n] * z[c.n+c.p-1]
		for j, v := range z {
			f[i] += c.gap(i, j, v) * c.gap(i, j, v) / 2
		}
	}
}

// gap returns v minus the centre of ½‖·‖² in F_i, where v is coordinate j of z.
func (c curved) gap(i, j int, v float64) float64 {
	if j < c.n {
		return v + float64(i)
	}
	return v - float64(i)
}

func (c curved) Jacobian(jac *algo.Jacobian, z []float64) {
	first, last := c.n, c.n+c.p-1
	for i := range jac.Rows {
		row := jac.Row(i)
		for j, v := range z {
			row[j] = c.gap(i, j, v)
		}
		row[0] += float64(i) * z[first] * z[last]
		row[first] += float64(i) * z[0] * z[last]
		row[last] += float64(i) * z[0] * z[first]
	}
}

func (c curved) Lower(z []float64) float64 {
	var s float64
	for k, w := range z[c.n:] {
		s += (1+z[0]*z[0])*w*w/2 + w*w*w*w/4 - math.Sin(z[k%c.n])*w
	}
	return s
}

func (c curved) LowerGradient(dst, z []float64) {
	c.LowerGradientOmega(dst[c.n:], z)
	clear(dst[:c.n])
	for k, w := range z[c.n:] {
		dst[0] += z[0] * w * w
		dst[k%c.n] -= math.Cos(z[k%c.n]) * w
	}
}

func (c curved) LowerGradientOmega(dst, z []float64) {
	for k, w := range z[c.n:] {
		dst[k] = (1+z[0]*z[0])*w + w*w*w - math.Sin(z[k%c.n])
	}
}

func (c curved) HessianOmegaOmega(dst, z, v []float64) {
	for k, w := range z[c.n:] {
		dst[k] = (1 + z[0]*z[0] + 3*w*w) * v[k]
	}
}

func (c curved) HessianAlphaOmega(dst, z, v []float64) {
	clear(dst)
	for k, w := range z[c.n:] {
		dst[0] += 2 * z[0] * w * v[k]
		dst[k%c.n] -= math.Cos(z[k%c.n]) * v[k]
	}
}

func (c curved) HessianOmegaAlpha(dst, z, u []float64) {
	for k, w := range z[c.n:] {
		dst[k] = 2*z[0]*w*u[0] - math.Cos(z[k%c.n])*u[k%c.n]
	}
}

func TestCurvedConformance(t *testing.T) {
	algotest.Bilevel(t, curved{3, 5, 2})
	algotest.Bilevel(t, curved{2, 1, 3})
}

// differentiated returns problems of several shapes, each with a step size for its loop.
func differentiated(t *testing.T) map[string]struct {
	p   algo.LowerHessian
	eta float64
} {
	t.Helper()
	type entry = struct {
		p   algo.LowerHessian
		eta float64
	}
	all := map[string]entry{
		"quadratic (24)": {problem.NewQuadraticBilevel(), 0.05},
		"curved 1,1,1":   {curved{1, 1, 1}, 0.2},
		"curved 3,5,2":   {curved{3, 5, 2}, 0.2},
		"curved 5,2,4":   {curved{5, 2, 4}, 0.2},
	}
	for i, c := range []problem.RandomBilevelConfig{
		{N: 1, P: 7, M: 2, Condition: 3}, {N: 6, P: 2, M: 3, Condition: 30}, {N: 9, P: 20, M: 4, Condition: 1000},
	} {
		c.Seed = uint64(i + 1)
		p, err := problem.NewRandomBilevel(c)
		if err != nil {
			t.Fatal(err)
		}
		_, most := p.Curvature()
		all[fmt.Sprintf("random %d,%d,%d", c.N, c.P, c.M)] = entry{p, 1 / most}
	}
	return all
}

// scattered returns a point with coordinates in [−1, 1].
func scattered(length int) []float64 {
	z := make([]float64, length)
	for i := range z {
		z[i] = math.Sin(2.7*float64(i) + 0.4)
	}
	return z
}

// modeTolerance is the allowed difference between the two modes, relative to the largest entry of the hypergradients.
// The modes add the same products in different orders.
const modeTolerance = 1e-10

// hypergradientStep and differenceTolerance are chosen for central differences, whose errors are about h² and ε/h,
// relative to values and third derivatives of order 10.
const (
	hypergradientStep   = 1e-5
	differenceTolerance = 1e-8
)

func TestModesAgreeAndMatchDifferences(t *testing.T) {
	for name, problem := range differentiated(t) {
		for _, steps := range []int{1, 2, 17, 60} {
			t.Run(fmt.Sprintf("%s, T=%d", name, steps), func(t *testing.T) {
				p := problem.p
				n, lower, m := p.Dims()
				start := scattered(n + lower)
				computed := map[bilevel.Mode]*algo.Jacobian{}
				for _, mode := range modes {
					s := newMOML(t, bilevel.MOMLConfig{Problem: p, Start: start, Mode: mode,
						Loop: bilevel.Loop{Steps: steps, StepSize: problem.eta}, Upper: bilevel.Upper{StepSize: 1e-3}})
					run(t, s, 1)
					computed[mode] = s.Trace().Hypergradients
				}
				var largest float64
				for _, v := range computed[bilevel.Reverse].Data {
					largest = max(largest, math.Abs(v))
				}
				for i, v := range computed[bilevel.Reverse].Data {
					if w := computed[bilevel.Forward].Data[i]; !(math.Abs(v-w) <= modeTolerance*largest) {
						t.Fatalf("reverse mode gives %v, forward mode %v", computed[bilevel.Reverse].Data, computed[bilevel.Forward].Data)
					}
				}
				// The loop starts from the same ω for every α.
				objectives := func(dst []float64, j int, shift float64) {
					z, gradient := append([]float64(nil), start...), make([]float64, lower)
					z[j] += shift
					for range steps {
						p.LowerGradientOmega(gradient, z)
						for k, g := range gradient {
							z[n+k] -= problem.eta * g
						}
					}
					p.Values(dst, z)
				}
				ahead, behind := make([]float64, m), make([]float64, m)
				for j := range n {
					objectives(ahead, j, hypergradientStep)
					objectives(behind, j, -hypergradientStep)
					for i := range m {
						want := (ahead[i] - behind[i]) / (2 * hypergradientStep)
						if got := computed[bilevel.Reverse].Row(i)[j]; !(math.Abs(got-want) <= differenceTolerance*max(1, largest)) {
							t.Errorf("∂F_%d/∂α_%d along the loop is %v, differences give %v", i+1, j+1, got, want)
						}
					}
				}
			})
		}
	}
}

// TestModesAgreeAlongRuns checks that both modes agree along whole runs, from warm and fixed starts.
func TestModesAgreeAlongRuns(t *testing.T) {
	for name, problem := range differentiated(t) {
		for _, fixed := range []bool{false, true} {
			n, lower, _ := problem.p.Dims()
			runs := map[bilevel.Mode]*bilevel.MOML{}
			for _, mode := range modes {
				runs[mode] = newMOML(t, bilevel.MOMLConfig{Problem: problem.p, Start: scattered(n + lower), Mode: mode,
					Loop: bilevel.Loop{Steps: 20, StepSize: problem.eta, Fixed: fixed}, Upper: bilevel.Upper{StepSize: 0.05}})
				run(t, runs[mode], 30)
			}
			a, b := runs[bilevel.Reverse].View().X, runs[bilevel.Forward].View().X
			for i := range a {
				if !(math.Abs(a[i]-b[i]) <= modeTolerance) {
					t.Errorf("%s, fixed start %v: reverse mode leads to %v, forward mode to %v", name, fixed, a, b)
					break
				}
			}
		}
	}
}

func TestCostsOfTheModes(t *testing.T) {
	const n, lower, m = 3, 5, 2
	for _, c := range []struct {
		mode  bilevel.Mode
		steps int
		fixed bool
	}{{bilevel.Reverse, 1, false}, {bilevel.Reverse, 40, true}, {bilevel.Forward, 1, true}, {bilevel.Forward, 40, false}} {
		s := newMOML(t, bilevel.MOMLConfig{Problem: curved{n, lower, m}, Start: scattered(n + lower), Mode: c.mode,
			Loop: bilevel.Loop{Steps: c.steps, StepSize: 0.1, Fixed: c.fixed}, Upper: bilevel.Upper{StepSize: 0.01}})
		run(t, s, 3)
		products := m * c.steps
		if c.mode == bilevel.Forward {
			products = n * c.steps
		}
		want := algo.Cost{
			Backpropagations:      3 * (c.steps + m),
			GradientCoordinates:   3 * (c.steps*lower + m*(n+lower)),
			HessianVectorProducts: 3 * products,
		}
		if got := s.View().Cost; got != want {
			t.Errorf("%+v: cost %+v, want %+v", c, got, want)
		}
	}
}

// TestCountsAreOfCallsMade compares the counts that runs report with a problem's own count of its calls.
func TestCountsAreOfCallsMade(t *testing.T) {
	for _, mode := range modes {
		p := &counting{curved: curved{3, 4, 2}}
		s := newMOML(t, bilevel.MOMLConfig{Problem: p, Start: scattered(7), Mode: mode,
			Loop: bilevel.Loop{Steps: 9, StepSize: 0.1}, Upper: bilevel.Upper{StepSize: 0.01}})
		run(t, s, 5)
		cost := s.View().Cost
		if cost.HessianVectorProducts != p.omegaOmega || p.omegaOmega != p.mixed {
			t.Errorf("%v: %d products counted, made are %d of ω with ω and %d of α with ω", mode, cost.HessianVectorProducts, p.omegaOmega, p.mixed)
		}
		if cost.Backpropagations != p.gradients || cost.GradientCoordinates != p.coordinates {
			t.Errorf("%v: %d gradients of %d coordinates counted, computed are %d of %d", mode,
				cost.Backpropagations, cost.GradientCoordinates, p.gradients, p.coordinates)
		}
	}
}

// TestGradientsCountedAreOfCallsMade does the same as TestCountsAreOfCallsMade for methods that use only gradients,
// with warm and with fixed starts.
func TestGradientsCountedAreOfCallsMade(t *testing.T) {
	for _, fixed := range []bool{false, true} {
		p, start := &counting{curved: curved{3, 4, 2}}, scattered(7)
		loop, upper := bilevel.Loop{Steps: 9, StepSize: 0.1, Fixed: fixed}, bilevel.Upper{StepSize: 0.01}
		for name, construct := range map[string]func() (bilevel.Stepper, error){
			"FORUM": func() (bilevel.Stepper, error) {
				return bilevel.NewFORUM(bilevel.FORUMConfig{Problem: p, Start: start, Loop: loop, Upper: upper, Rho: 0.3})
			},
			"BOME": func() (bilevel.Stepper, error) {
				return bilevel.NewBOME(bilevel.BOMEConfig{Problem: p, Start: start, Loop: loop, Upper: upper, Rho: 0.5})
			},
			"BVFIM": func() (bilevel.Stepper, error) {
				return bilevel.NewBVFIM(bilevel.DefaultBVFIM(bilevel.BVFIMConfig{Problem: p, Start: start, Loop: loop, Upper: upper}))
			},
			"the lower level alone": func() (bilevel.Stepper, error) {
				return bilevel.NewLowerOnly(bilevel.LowerOnlyConfig{Problem: p, Start: start, Loop: loop})
			},
			"the upper level alone": func() (bilevel.Stepper, error) {
				return bilevel.NewUpperOnly(bilevel.UpperOnlyConfig{Problem: p, Start: start, Loop: loop})
			},
		} {
			t.Run(fmt.Sprintf("%s, fixed %v", name, fixed), func(t *testing.T) {
				s, err := construct()
				if err != nil {
					t.Fatal(err)
				}
				p.gradients, p.coordinates = 0, 0
				run(t, s, 5)
				if want := (algo.Cost{Backpropagations: p.gradients, GradientCoordinates: p.coordinates}); s.View().Cost != want {
					t.Errorf("cost %+v, computed are %+v", s.View().Cost, want)
				}
			})
		}
	}
}

type counting struct {
	curved
	gradients, coordinates, omegaOmega, mixed int
}

func (c *counting) Jacobian(jac *algo.Jacobian, z []float64) {
	c.gradients += jac.Rows
	c.coordinates += len(jac.Data)
	c.curved.Jacobian(jac, z)
}

func (c *counting) LowerGradient(dst, z []float64) {
	c.gradients++
	c.coordinates += len(dst)
	c.curved.LowerGradient(dst, z)
}

func (c *counting) LowerGradientOmega(dst, z []float64) {
	c.gradients++
	c.coordinates += len(dst)
	c.curved.LowerGradientOmega(dst, z)
}

func (c *counting) HessianOmegaOmega(dst, z, v []float64) {
	c.omegaOmega++
	c.curved.HessianOmegaOmega(dst, z, v)
}

func (c *counting) HessianAlphaOmega(dst, z, v []float64) {
	c.mixed++
	c.curved.HessianAlphaOmega(dst, z, v)
}

func (c *counting) HessianOmegaAlpha(dst, z, u []float64) {
	c.mixed++
	c.curved.HessianOmegaAlpha(dst, z, u)
}

// TestPeakFloats checks that each step of the loop adds p floats in reverse mode and none in forward mode.
func TestPeakFloats(t *testing.T) {
	const n, lower, m = 3, 5, 2
	for _, mode := range modes {
		for _, fixed := range []bool{false, true} {
			c := bilevel.MOMLConfig{Problem: curved{n, lower, m}, Start: scattered(n + lower), Mode: mode,
				Loop: bilevel.Loop{Steps: 10, StepSize: 0.1, Fixed: fixed}, Upper: bilevel.Upper{StepSize: 0.01}}
			s := newMOML(t, c)
			// These are z, the direction, ω̃ and ∇_ω f, the gradients of F_i, and λ.
			want := (n + lower) + n + 2*lower + m*(n+lower) + m
			if fixed {
				want += lower
			}
			growth := 0
			if mode == bilevel.Reverse {
				growth = lower
				want += 10 * lower
			} else {
				want += n * lower
			}
			if got := s.PeakFloats(); got != want {
				t.Errorf("%v, fixed %v: %d floats, want %d", mode, fixed, got, want)
			}
			if err := s.SetLoop(11, 0.1); err != nil {
				t.Fatal(err)
			}
			if got := s.PeakFloats() - want; got != growth {
				t.Errorf("%v: a step of the loop more takes %d floats, want %d", mode, got, growth)
			}
			tracked := newMoCo(t, bilevel.MoCoConfig{Problem: c.Problem, Start: c.Start, Loop: c.Loop, Upper: c.Upper,
				Beta: 0.5, Gamma: 0.1, Mode: mode})
			if got := tracked.PeakFloats() - want; got != m*n {
				t.Errorf("%v: MoCo takes %d floats more than MOML, want %d", mode, got, m*n)
			}
		}
	}
}

func BenchmarkStepAgainstT(b *testing.B) {
	for _, mode := range modes {
		for _, steps := range []int{16, 64, 256} {
			b.Run(fmt.Sprintf("%v/T=%d", mode, steps), func(b *testing.B) { benchmarkMOML(b, mode, 32, steps) })
		}
	}
}

func BenchmarkStepAgainstP(b *testing.B) {
	for _, mode := range modes {
		for _, lower := range []int{16, 64, 256} {
			b.Run(fmt.Sprintf("%v/p=%d", mode, lower), func(b *testing.B) { benchmarkMOML(b, mode, lower, 64) })
		}
	}
}

func benchmarkMOML(b *testing.B, mode bilevel.Mode, lower, steps int) {
	p, err := problem.NewRandomBilevel(problem.RandomBilevelConfig{N: 8, P: lower, M: 2, Condition: 10, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	s := newMOML(b, bilevel.MOMLConfig{Problem: p, Start: make([]float64, 8+lower), Mode: mode,
		Loop: bilevel.Loop{Steps: steps, StepSize: 1}, Upper: bilevel.Upper{StepSize: 1e-3}})
	run(b, s, 1)
	b.ReportAllocs()
	for b.Loop() {
		run(b, s, 1)
	}
}

var modes = []bilevel.Mode{bilevel.Reverse, bilevel.Forward}
