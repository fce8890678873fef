package bilevel_test

import (
	"encoding/json"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem"
)

// paperForum returns the paper's settings on the quadratic bilevel problem.
func paperForum(start []float64) bilevel.FORUMConfig {
	return bilevel.FORUMConfig{
		Problem: problem.NewQuadraticBilevel(), Start: start,
		Loop: bilevel.Loop{Steps: 50, StepSize: 0.05}, Upper: bilevel.Upper{StepSize: 0.3}, Rho: 0.3,
	}
}

func newForum(t testing.TB, c bilevel.FORUMConfig) *bilevel.FORUM {
	t.Helper()
	s, err := bilevel.NewFORUM(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run takes count steps, all of which must succeed.
func run(t testing.TB, s algo.Stepper, count int) {
	t.Helper()
	for range count {
		if status, err := s.Step(); status != algo.Running || err != nil {
			t.Fatalf("step from K = %d: %v, %v, %+v", s.View().K, status, err, s.View().Diverged)
		}
	}
}

// firstStepStart returns a starting point from which tests compute the first step by hand. T = 1 and η = ¼ halve the
// distance to the lower level's minimiser:
//
//	∇F_1 = (−2, 1, 2), ∇F_2 = (−2, −1, 2), q̃ = 5/4 − 5/16
//	∇q̃ = (−3, 1, 2) − (−3/2, 0, 0), ‖∇q̃‖² = 29/4, ⟨∇q̃, ∇F_i⟩ = 8 and 6
func firstStepStart() []float64 { return []float64{1, 1.5, 2} }

func firstStepLoop() bilevel.Loop { return bilevel.Loop{Steps: 1, StepSize: 0.25} }

func near(a, b []float64, tolerance float64) bool {
	return len(a) == len(b) && floats.Distance(a, b, math.Inf(1)) <= tolerance
}

// TestFORUMFirstStep compares the first step with numbers computed by hand. With ρ = 2, φ = 29/4. For both multipliers,
// the derivative of the program's objective with respect to t = λ_2 is 6/29 + (100/29)t − 2, which is 0 at 0.52.
func TestFORUMFirstStep(t *testing.T) {
	for _, c := range []struct {
		multiplier      bilevel.Multiplier
		pi              []float64
		nu              float64
		direction, next []float64
	}{
		{bilevel.AsPublished, []float64{26. / 29, 34. / 29}, 1.04, []float64{-3.56, 1, 4.08}, []float64{1.356, 1.4, 1.592}},
		{bilevel.ExactDual, []float64{-3. / 29, 5. / 29}, 0.04, []float64{-2.06, 0, 2.08}, []float64{1.206, 1.5, 1.792}},
	} {
		s := newForum(t, bilevel.FORUMConfig{
			Problem: problem.NewQuadraticBilevel(), Start: firstStepStart(), Loop: firstStepLoop(),
			Upper: bilevel.Upper{StepSize: 0.1}, Rho: 2, Multiplier: c.multiplier,
		})
		run(t, s, 1)
		v, trace := s.View(), s.Trace()
		const tolerance = 1e-14
		for _, q := range []struct {
			name      string
			got, want []float64
		}{
			{"omega", trace.Omega, []float64{1.25, 1.5}},
			{"q, phi, nu", []float64{trace.Q, trace.Phi, trace.Nu}, []float64{0.9375, 7.25, c.nu}},
			{"gradient of q", trace.QGradient, []float64{-1.5, 1, 2}},
			{"pi", trace.Pi, c.pi},
			{"lambda", trace.Lambda, []float64{0.48, 0.52}},
			{"weights", v.Weights, []float64{0.48, 0.52}},
			{"Jacobian", v.Jacobian.Data, []float64{-2, 1, 2, -2, -1, 2}},
			{"direction", v.Direction, c.direction},
			{"next", v.X, c.next},
			{"step size", []float64{v.StepSize}, []float64{0.1}},
		} {
			if !near(q.got, q.want, tolerance) {
				t.Errorf("%v: %s is %v, want %v", c.multiplier, q.name, q.got, q.want)
			}
		}
		if trace.Hypergradients != nil || !v.Refreshed {
			t.Errorf("%v: hypergradients %v, refreshed %v", c.multiplier, trace.Hypergradients, v.Refreshed)
		}
		// The four gradients are ∇f(z), ∇f(α, ω̃) and two upper gradients. The loop's only gradient is the ω part of
		// ∇f(z).
		if want := (algo.Cost{Backpropagations: 4, GradientCoordinates: 12}); v.Cost != want {
			t.Errorf("%v: cost %+v, want %+v", c.multiplier, v.Cost, want)
		}
	}
}

// forumOracle contains independently computed trajectories.
type forumOracle struct {
	Runs []struct {
		Variant      string    `json:"variant"`
		Start        []float64 `json:"start"`
		Mu, Eta, Rho float64
		T            int `json:"T"`
		Traj         []struct {
			K          int
			Z, F       []float64
			E          float64 `json:"E"`
			Q          float64 `json:"q"`
			QExact     float64 `json:"q_exact"`
			QGradient  float64 `json:"gq_norm"`
			Pi         []float64
			LambdaStar []float64 `json:"lam_star"`
			Lambda     []float64 `json:"lam"`
			Nu         float64
			StepNorm   float64 `json:"step_norm"`
			KKT        float64 `json:"kkt"`
		}
	}
}

// TestFORUMTrajectories checks that iterates, and numbers computed from them, agree with the oracle to 1e-9 unless
// digits are lost. ∇q̃ loses digits because it is a difference of points of size 1: after thousands of steps, a
// fraction 1e-14/‖∇q̃‖ of it is rounding error. The same applies to numbers divided by ‖∇q̃‖².
func TestFORUMTrajectories(t *testing.T) {
	const relative, rounded = 1e-9, 1e-14
	data, err := os.ReadFile("testdata/forum.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle forumOracle
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	p := problem.NewQuadraticBilevel()
	measures := bilevel.NewMeasures(p)
	compared := 0
	smallest := math.Inf(1)
	for _, o := range oracle.Runs {
		c := paperForum(o.Start)
		c.Loop, c.Upper, c.Rho = bilevel.Loop{Steps: o.T, StepSize: o.Eta}, bilevel.Upper{StepSize: o.Mu}, o.Rho
		if o.Variant == "exact" {
			c.Multiplier = bilevel.ExactDual
		}
		s := newForum(t, c)
		for _, row := range o.Traj {
			check := func(what string, got, want []float64, tolerance float64) {
				t.Helper()
				if !near(got, want, tolerance) {
					t.Errorf("%s from %v, μ = %v, k = %d: %s is %v, want %v", o.Variant, o.Start, o.Mu, row.K, what, got, want)
				}
			}
			run(t, s, row.K-s.View().K)
			v := s.View()
			z := append([]float64(nil), v.X...)
			lost := relative + rounded/row.QGradient
			check("z", z, row.Z, relative)
			check("F", v.F, row.F, relative*max(1, floats.Max(row.F)))
			check("E", []float64{p.Distance(z)}, []float64{row.E}, relative*row.E+rounded)
			check("exact q", []float64{measures.Q(z)}, []float64{row.QExact}, lost*row.QExact)
			check("kkt", []float64{math.Sqrt(measures.KKT(z))}, []float64{math.Sqrt(row.KKT)}, relative*math.Sqrt(row.KKT)+rounded)
			// From here on, multipliers and direction belong to the step from row.K.
			run(t, s, 1)
			v = s.View()
			trace := s.Trace()
			check("q", []float64{trace.Q}, []float64{row.Q}, lost*row.Q)
			check("‖∇q‖", []float64{floats.Norm(trace.QGradient, 2)}, []float64{row.QGradient}, lost*row.QGradient)
			check("pi", trace.Pi, row.Pi, lost*floats.Norm(row.Pi, math.Inf(1)))
			check("lambda star", trace.Lambda, row.LambdaStar, relative)
			check("lambda", v.Weights, row.Lambda, relative)
			check("nu", []float64{trace.Nu}, []float64{row.Nu}, lost*max(1, row.Nu))
			check("‖direction‖", []float64{floats.Norm(v.Direction, 2)}, []float64{row.StepNorm}, relative*row.StepNorm+rounded)
			compared++
			smallest = min(smallest, row.QGradient)
		}
	}
	if compared < 12*30 || smallest > 1e-10 {
		t.Errorf("compared %d rows with ‖∇q̃‖ down to %g, want 360 and 1e-10", compared, smallest)
	}
}

// TestFORUMConverges checks that E, K(z) and q go to 0 from every start, as in the paper's Figure 2.
func TestFORUMConverges(t *testing.T) {
	p := problem.NewQuadraticBilevel()
	measures := bilevel.NewMeasures(p)
	for _, start := range problem.QuadraticBilevelStarts() {
		for _, averaging := range averagings {
			for _, multiplier := range []bilevel.Multiplier{bilevel.AsPublished, bilevel.ExactDual} {
				for _, fixed := range []bool{false, true} {
					c := paperForum(start)
					c.Upper.StepSize, c.Averaging, c.Multiplier, c.Loop.Fixed = 0.1, averaging, multiplier, fixed
					s := newForum(t, c)
					run(t, s, 1500)
					z := s.View().X
					// A loop from a fixed start leaves 0.9^50 of the distance to the lower level's minimiser.
					allowed := 1e-3
					if fixed {
						allowed = 0.03
					}
					if e := p.Distance(z); e > allowed {
						t.Errorf("from %v, %v, %v, fixed %v: E = %v at %v", start, averaging, multiplier, fixed, e, z)
					}
					if k := measures.K(z, s.View().Weights, s.Trace().Nu); !fixed && k > 1e-3 {
						t.Errorf("from %v, %v, %v: K = %v", start, averaging, multiplier, k)
					}
					if q := measures.Q(z); q > allowed*allowed {
						t.Errorf("from %v, %v, %v, fixed %v: q = %v", start, averaging, multiplier, fixed, q)
					}
				}
			}
		}
	}
}

// objectives is the quadratic problem with other upper objectives.
type objectives struct {
	*problem.QuadraticBilevel
	slopes  [][]float64 // F_i = ⟨slopes_i, z⟩ + (curve/2)‖z − centers_i‖²
	centers [][]float64
	curve   float64
	// lower multiplies the lower objective; 0 means 1.
	lower float64
}

func (p *objectives) Dims() (n, lower, m int) { return 1, 2, len(p.slopes) }

func (p *objectives) Values(f, z []float64) {
	for i, s := range p.slopes {
		f[i] = floats.Dot(s, z)
		if p.curve != 0 {
			d := floats.Distance(z, p.centers[i], 2)
			f[i] += p.curve / 2 * d * d
		}
	}
}

func (p *objectives) Jacobian(jac *algo.Jacobian, z []float64) {
	for i, s := range p.slopes {
		row := jac.Row(i)
		copy(row, s)
		if p.curve != 0 {
			for j, c := range p.centers[i] {
				row[j] += p.curve * (z[j] - c)
			}
		}
	}
}

func (p *objectives) scale() float64 {
	if p.lower == 0 {
		return 1
	}
	return p.lower
}

func (p *objectives) Lower(z []float64) float64 { return p.scale() * p.QuadraticBilevel.Lower(z) }

func (p *objectives) LowerGradient(dst, z []float64) {
	p.QuadraticBilevel.LowerGradient(dst, z)
	floats.Scale(p.scale(), dst)
}

func (p *objectives) LowerGradientOmega(dst, z []float64) {
	p.QuadraticBilevel.LowerGradientOmega(dst, z)
	floats.Scale(p.scale(), dst)
}

// bowls returns m objectives of the given curvature with centres near the plane of lower optima.
func bowls(m int, curve, lower float64) *objectives {
	p := &objectives{QuadraticBilevel: problem.NewQuadraticBilevel(), curve: curve, lower: lower}
	for i := range m {
		p.slopes = append(p.slopes, make([]float64, 3))
		x := float64(i)
		p.centers = append(p.centers, []float64{math.Cos(2 * x), math.Sin(x), 1 + math.Cos(3*x)})
	}
	return p
}

func slopes(rows ...[]float64) *objectives {
	return &objectives{QuadraticBilevel: problem.NewQuadraticBilevel(), slopes: rows}
}

func TestFORUMOfAnyNumberOfObjectives(t *testing.T) {
	for _, m := range []int{1, 2, 3, 5, 9} {
		p := bowls(m, 1, 1)
		algotest.Bilevel(t, p)
		s := newForum(t, bilevel.FORUMConfig{
			Problem: p, Start: []float64{3, -2, 4}, Loop: bilevel.Loop{Steps: 30, StepSize: 0.1},
			Upper: bilevel.Upper{StepSize: 0.001}, Rho: 0.5, Averaging: bilevel.NoAveraging,
		})
		run(t, s, 12000)
		// Near the constraint, ν keeps changing from step to step, and a distance of order √μ remains.
		z := s.View().X
		measures := bilevel.NewMeasures(p)
		if q := measures.Q(z); q > 1e-5 {
			t.Errorf("m = %d: q = %v at %v", m, q, z)
		}
		if e := measures.Stationarity(z); e > 2*math.Sqrt(0.001) {
			t.Errorf("m = %d: stationarity %v at %v", m, e, z)
		}
	}
}

func TestFORUMExtremes(t *testing.T) {
	up, zero := []float64{1, -2, 0.5}, make([]float64, 3)
	down := []float64{-1, 2, -0.5}
	for name, p := range map[string]*objectives{
		"identical":          slopes(up, up),
		"identical three":    slopes(up, up, up),
		"opposite":           slopes(up, down),
		"opposite of four":   slopes(up, down, []float64{0, 1, 0}, []float64{0, -1, 1}),
		"zero":               slopes(zero, zero),
		"zero three":         slopes(zero, zero, zero),
		"zero one":           slopes(zero),
		"one zero":           slopes(up, zero),
		"F large":            bowls(2, 1e8, 1),
		"F small":            bowls(2, 1e-8, 1),
		"f large":            bowls(2, 1, 1e8),
		"f small":            bowls(2, 1, 1e-8),
		"F large of five":    bowls(5, 1e8, 1),
		"F small of five":    bowls(5, 1e-8, 1),
		"F vanishing of six": bowls(6, 1e-309, 1),
		"f large of five":    bowls(5, 1, 1e8),
		"f small of five":    bowls(5, 1, 1e-8),
		"F vanishing":        bowls(2, 1e-310, 1),
		"F large, f small":   bowls(3, 1e8, 1e-8),
		"F small, f large":   bowls(3, 1e-8, 1e8),
	} {
		for _, multiplier := range []bilevel.Multiplier{bilevel.AsPublished, bilevel.ExactDual} {
			scale := max(1, p.curve, p.lower)
			lower := p.lower
			if lower == 0 {
				lower = 1
			}
			for _, start := range [][]float64{{0, 0, 3}, {1, 1, 1}, {0, 0, 0}} {
				s := newForum(t, bilevel.FORUMConfig{
					Problem: p, Start: start, Loop: bilevel.Loop{Steps: 10, StepSize: 0.1 / lower},
					Upper: bilevel.Upper{StepSize: 0.05 / scale}, Rho: 0.3, Multiplier: multiplier,
				})
				for range 200 {
					run(t, s, 1)
					var sum float64
					for _, w := range s.View().Weights {
						sum += w
						if !(w >= 0) {
							t.Fatalf("%s, %v from %v: weights %v", name, multiplier, start, s.View().Weights)
						}
					}
					if math.Abs(sum-1) > 1e-12 {
						t.Fatalf("%s, %v from %v: weights %v", name, multiplier, start, s.View().Weights)
					}
					if !algo.Finite(s.View().Direction) || !(s.Trace().Nu >= 0) {
						t.Fatalf("%s, %v from %v: direction %v, ν = %v", name, multiplier, start, s.View().Direction, s.Trace().Nu)
					}
				}
			}
		}
	}
}

// TestFORUMDoesNotDependOnUnits checks that a run stays the same if both levels use other units, with matching step
// sizes.
func TestFORUMDoesNotDependOnUnits(t *testing.T) {
	for _, m := range []int{2, 5} {
		var want []float64
		// Powers of two keep the rounding errors the same.
		for _, unit := range []float64{1, 0x1p-27, 0x1p27} {
			s := newForum(t, bilevel.FORUMConfig{
				Problem: bowls(m, unit, unit), Start: []float64{2, 0, 3}, Loop: bilevel.Loop{Steps: 20, StepSize: 0.1 / unit},
				Upper: bilevel.Upper{StepSize: 0.1 / unit}, Rho: 0.3,
			})
			run(t, s, 60)
			if want == nil {
				want = append(want, s.View().X...)
			}
			if !near(s.View().X, want, 1e-12) {
				t.Errorf("m = %d in units of %g: %v, want %v", m, unit, s.View().X, want)
			}
		}
	}
}

// TestFORUMWithoutConstraint checks a lower optimum, where ∇q̃ is 0. There is then no constraint, and λ gives the
// point of least norm.
func TestFORUMWithoutConstraint(t *testing.T) {
	s := newForum(t, bilevel.FORUMConfig{
		Problem: slopes([]float64{1, 0, 0}, []float64{0, 2, 0}), Start: []float64{1, 1, 1}, Loop: bilevel.Loop{Steps: 3, StepSize: 0.1},
		Upper: bilevel.Upper{StepSize: 0.1, OmegaStepSize: 0.5}, Rho: 0.3,
	})
	run(t, s, 1)
	trace := s.Trace()
	if trace.Pi != nil || trace.Nu != 0 || trace.Q != 0 || trace.Phi != 0 {
		t.Errorf("trace %+v, want no constraint", trace)
	}
	if !near(trace.Lambda, []float64{0.8, 0.2}, 1e-15) || !near(s.View().X, []float64{0.92, 0.8, 1}, 1e-15) {
		t.Errorf("λ = %v leads to %v, want (0.8, 0.2) and (0.92, 0.8, 1)", trace.Lambda, s.View().X)
	}
}

func TestFORUMConformance(t *testing.T) {
	adam := descent.DefaultAdam()
	heavy := descent.Optimizer{Kind: descent.HeavyBall, Beta: 0.5}
	for name, change := range map[string]func(*bilevel.FORUMConfig){
		"plain":         func(*bilevel.FORUMConfig) {},
		"exact":         func(c *bilevel.FORUMConfig) { c.Multiplier = bilevel.ExactDual },
		"fixed":         func(c *bilevel.FORUMConfig) { c.Loop.Fixed = true },
		"pair":          func(c *bilevel.FORUMConfig) { c.Upper.OmegaStepSize = 0.1 },
		"adam":          func(c *bilevel.FORUMConfig) { c.Loop.Optimizer, c.Upper.Optimizer = adam, adam },
		"heavyball":     func(c *bilevel.FORUMConfig) { c.Loop.Optimizer, c.Upper.Optimizer = heavy, heavy },
		"five":          func(c *bilevel.FORUMConfig) { c.Problem = bowls(5, 1, 1) },
		"zero rho":      func(c *bilevel.FORUMConfig) { c.Rho = 0 },
		"released":      func(c *bilevel.FORUMConfig) { c.Variant, c.Epoch = bilevel.Released, 4 },
		"released five": func(c *bilevel.FORUMConfig) { c.Variant, c.Problem = bilevel.Released, bowls(5, 1, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			c := paperForum([]float64{0, 0, 3})
			change(&c)
			loop, upper := c, c
			loop.Loop.Steps, loop.Loop.StepSize, loop.Loop.Optimizer = 1000, 2, descent.Optimizer{}
			upper.Upper.StepSize, upper.Upper.OmegaStepSize, upper.Upper.Optimizer = 1e3, 0, descent.Optimizer{}
			stepper := func(c bilevel.FORUMConfig) func() algo.Stepper {
				return func() algo.Stepper { return newForum(t, c) }
			}
			algotest.Stepper(t, stepper(c), stepper(loop), stepper(upper))
		})
	}
}

func TestFORUMSaysWhatDiverged(t *testing.T) {
	c := paperForum([]float64{0, 0, 3})
	c.Loop.Steps, c.Loop.StepSize = 1000, 2 // the distance to the minimiser triples
	s := newForum(t, c)
	status, err := s.Step()
	v := s.View()
	if status != algo.Diverged || err != nil || v.Diverged != (algo.Divergence{K: 0, Quantity: "lower loop"}) || !near(v.X, c.Start, 0) {
		t.Errorf("η too large: %v, %v, %+v", status, err, v)
	}
	// The last point is finite, but the lower objective, which squares it, is not.
	c.Loop.Steps = 400
	s = newForum(t, c)
	status, _ = s.Step()
	if v := s.View(); status != algo.Diverged || v.Diverged.Quantity != "lower objective" {
		t.Errorf("η too large for a while: %v, %+v", status, v.Diverged)
	}
	if trace := s.Trace(); trace.Omega != nil || !math.IsNaN(trace.Q) || !math.IsNaN(trace.Nu) || !math.IsNaN(trace.Phi) {
		t.Errorf("a diverged run shows the trace %+v", trace)
	}
}

// TestFORUMDivergesOnItsWay checks that a run that diverges shows its last good state and no last step.
func TestFORUMDivergesOnItsWay(t *testing.T) {
	for quantity, mu := range map[string]float64{"distance from the start": 1e200, "iterate": 1e308} {
		s := newForum(t, paperForum([]float64{0, 0, 3000}))
		run(t, s, 2)
		before := append([]float64(nil), s.View().X...)
		if err := s.SetStepSize(mu); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			status, err := s.Step()
			v := s.View()
			if status != algo.Diverged || err != nil || v.Diverged != (algo.Divergence{K: 2, Quantity: quantity}) || !near(v.X, before, 0) {
				t.Errorf("μ = %g: %v, %v, %+v", mu, status, err, v)
			}
			if v.Direction != nil || v.Weights != nil || v.Jacobian != nil || v.StepSize != 0 || v.Refreshed || s.Trace().Omega != nil {
				t.Errorf("μ = %g: a failed step is shown: %+v", mu, v)
			}
		}
	}
}

// TestFixedStart checks that, from a fixed start, every loop begins at ω_0 = (0, 3). A quarter of the distance
// remains, so ω̃² − α·1 is a quarter of ω_0 − α·1. No part of ∇f(z_k) can be reused.
func TestFixedStart(t *testing.T) {
	c := paperForum([]float64{2, 0, 3})
	c.Loop = bilevel.Loop{Steps: 2, StepSize: 0.25, Fixed: true}
	s := newForum(t, c)
	for k := range 5 {
		alpha, cost := s.View().X[0], s.View().Cost
		run(t, s, 1)
		if want := []float64{alpha + (0-alpha)/4, alpha + (3-alpha)/4}; !near(s.Trace().Omega, want, 1e-15) {
			t.Errorf("k = %d: ω̃ = %v, want %v", k, s.Trace().Omega, want)
		}
		now := s.View().Cost
		if b, g := now.Backpropagations-cost.Backpropagations, now.GradientCoordinates-cost.GradientCoordinates; b != 2+2+2 || g != 2*2+2*3+2*3 {
			t.Errorf("k = %d: a step costs %d gradients of %d coordinates, want 6 of 16", k, b, g)
		}
	}
}

// TestLiveSettingsAreSaved checks that live settings are part of a saved run.
func TestLiveSettingsAreSaved(t *testing.T) {
	for name, construct := range map[string]func() bilevel.Stepper{
		"FORUM": func() bilevel.Stepper { return newForum(t, paperForum([]float64{0, 0, 3})) },
		"BOME":  func() bilevel.Stepper { return newBOME(t, bome([]float64{0, 0, 3})) },
		"BVFIM": func() bilevel.Stepper { return newBVFIM(t, bvfim([]float64{0, 0, 3})) },
		"MOML, random weights": func() bilevel.Stepper {
			c := moml()
			c.Weighting, c.Upper.Optimizer = ruleCalled(t, "rlw"), descent.DefaultAdam()
			return newMOML(t, c)
		},
		"MOML, random directions": func() bilevel.Stepper {
			c := moml()
			c.Weighting, c.Mode = ruleCalled(t, "graddrop"), bilevel.Forward
			return newMOML(t, c)
		},
		"MoCo": func() bilevel.Stepper {
			c := moco()
			c.Loop.Fixed, c.Upper.Optimizer = true, descent.Optimizer{Kind: descent.HeavyBall, Beta: 0.5}
			return newMoCo(t, c)
		},
		"the lower level alone": func() bilevel.Stepper { return newLowerOnly(t) },
		"the upper level alone": func() bilevel.Stepper { return newUpperOnly(t) },
	} {
		t.Run(name, func(t *testing.T) {
			s, fresh := construct(), construct()
			run(t, s, 2)
			if err := s.SetLoop(7, 0.07); err != nil {
				t.Fatal(err)
			}
			if err := s.SetStepSize(0.02); err != nil {
				t.Fatal(err)
			}
			type withRho interface {
				SetRho(float64) error
				Rho() float64
			}
			r, hasRho := s.(withRho)
			if hasRho {
				if err := r.SetRho(0.8); err != nil {
					t.Fatal(err)
				}
			}
			var snapshot algo.Snapshot
			s.Save(&snapshot)
			fresh.Load(&snapshot)
			if fresh.Loop() != s.Loop() {
				t.Errorf("the loop is loaded as %+v, was %+v", fresh.Loop(), s.Loop())
			}
			if hasRho && fresh.(withRho).Rho() != 0.8 {
				t.Errorf("ρ is loaded as %v, was 0.8", fresh.(withRho).Rho())
			}
			run(t, s, 5)
			run(t, fresh, 5)
			if !near(s.View().X, fresh.View().X, 0) || s.View().Cost != fresh.View().Cost {
				t.Errorf("%v and %v after the same steps", s.View(), fresh.View())
			}
		})
	}
}

func TestFORUMOptimizersByHand(t *testing.T) {
	// Adam's first update is the sign of each coordinate, up to ε.
	c := bilevel.FORUMConfig{
		Problem: problem.NewQuadraticBilevel(), Start: firstStepStart(), Loop: firstStepLoop(), Upper: bilevel.Upper{StepSize: 0.1}, Rho: 2,
	}
	c.Upper.Optimizer, c.Loop.Optimizer = descent.DefaultAdam(), descent.DefaultAdam()
	s := newForum(t, c)
	for k := range 3 {
		before := append([]float64(nil), s.View().X...)
		run(t, s, 1)
		// The lower optimizer is reset at the start of every loop, so its only step is always a first step.
		for i, v := range s.Trace().Omega {
			towards := math.Copysign(0.25, before[1+i]-before[0])
			if math.Abs(v-(before[1+i]-towards)) > 1e-6 {
				t.Errorf("k = %d: ω̃_%d = %v from %v", k, i, v, before)
			}
		}
		if k > 0 {
			continue
		}
		for i, d := range s.View().Direction {
			if want := before[i] - math.Copysign(0.1, d); math.Abs(s.View().X[i]-want) > 1e-6 {
				t.Errorf("z_%d = %v, want %v", i, s.View().X[i], want)
			}
		}
	}
}

func TestFORUMLiveSettings(t *testing.T) {
	s := newForum(t, paperForum([]float64{0, 0, 3}))
	run(t, s, 3)
	cost := s.View().Cost.Backpropagations
	if err := s.SetLoop(7, 0.1); err != nil {
		t.Error(err)
	}
	if err := s.SetStepSize(0.02); err != nil {
		t.Error(err)
	}
	if err := s.SetRho(0.9); err != nil {
		t.Error(err)
	}
	if l := s.Loop(); l.Steps != 7 || l.StepSize != 0.1 || s.Rho() != 0.9 || s.StepSize() != 0.02 {
		t.Errorf("settings are %+v, %v, %v", l, s.Rho(), s.StepSize())
	}
	before := append([]float64(nil), s.View().X...)
	run(t, s, 1)
	v, trace := s.View(), s.Trace()
	if got := v.Cost.Backpropagations - cost; got != 7+1+2 {
		t.Errorf("a step with T = 7 costs %d gradients, want 10", got)
	}
	if v.StepSize != 0.02 || !near(v.X, []float64{
		before[0] - 0.02*v.Direction[0], before[1] - 0.02*v.Direction[1], before[2] - 0.02*v.Direction[2]}, 1e-15) {
		t.Errorf("a step of size %v from %v to %v along %v", v.StepSize, before, v.X, v.Direction)
	}
	if want := 0.45 * floats.Dot(trace.QGradient, trace.QGradient); math.Abs(trace.Phi-want) > 1e-15*want {
		t.Errorf("φ = %v with ρ = 0.9, want %v", trace.Phi, want)
	}
	for what, err := range map[string]error{
		"lower steps T = 0":         s.SetLoop(0, 0.1),
		"lower step size eta = -1":  s.SetLoop(5, -1),
		"lower step size eta = NaN": s.SetLoop(5, math.NaN()),
		"mu = 0":                    s.SetStepSize(0),
		"mu = +Inf":                 s.SetStepSize(math.Inf(1)),
		"rho = -0.1":                s.SetRho(-0.1),
		"rho = NaN":                 s.SetRho(math.NaN()),
	} {
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("error %v, want one that says %q", err, what)
		}
	}
	if l := s.Loop(); l.Steps != 7 || l.StepSize != 0.1 || s.Rho() != 0.9 || s.StepSize() != 0.02 {
		t.Errorf("refused settings were taken: %+v, %v, %v", l, s.Rho(), s.StepSize())
	}
}

func TestFORUMRefusesBadInput(t *testing.T) {
	good := paperForum([]float64{0, 0, 3})
	for want, change := range map[string]func(*bilevel.FORUMConfig){
		"problem is missing":            func(c *bilevel.FORUMConfig) { c.Problem = nil },
		"start has length 2":            func(c *bilevel.FORUMConfig) { c.Start = []float64{1, 2} },
		"must be finite":                func(c *bilevel.FORUMConfig) { c.Start = []float64{math.NaN(), 1, 2} },
		"lower steps T = -1":            func(c *bilevel.FORUMConfig) { c.Loop.Steps = -1 },
		"lower step size eta = 0":       func(c *bilevel.FORUMConfig) { c.Loop.StepSize = 0 },
		"mu = 0":                        func(c *bilevel.FORUMConfig) { c.Upper.StepSize = 0 },
		"muomega = -1":                  func(c *bilevel.FORUMConfig) { c.Upper.OmegaStepSize = -1 },
		"rho = -1":                      func(c *bilevel.FORUMConfig) { c.Rho = -1 },
		`averaging "often"`:             func(c *bilevel.FORUMConfig) { c.Averaging = "often" },
		`multiplier "none"`:             func(c *bilevel.FORUMConfig) { c.Multiplier = "none" },
		"lower optimizer: clip norm":    func(c *bilevel.FORUMConfig) { c.Loop.Optimizer.ClipNorm = -1 },
		"upper optimizer: beta = 2":     func(c *bilevel.FORUMConfig) { c.Upper.Optimizer = descent.Optimizer{Kind: descent.HeavyBall, Beta: 2} },
		"lower optimizer: beta1 = 0.9,": func(c *bilevel.FORUMConfig) { c.Loop.Optimizer = descent.Optimizer{Beta1: 0.9} },
	} {
		c := good
		change(&c)
		if s, err := bilevel.NewFORUM(c); err == nil || s != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}

// TestAveraging checks, for two steps with different λ, that λ̃ combines them with the fractions β_k.
func TestAveraging(t *testing.T) {
	for averaging, share := range map[bilevel.Averaging]float64{
		bilevel.PublishedAveraging: math.Pow(2, -0.75), bilevel.SquareRootAveraging: math.Sqrt(0.5),
		bilevel.MeanAveraging: 0.5, bilevel.NoAveraging: 1,
	} {
		c := paperForum([]float64{1, 1.5, 2})
		c.Averaging, c.Rho = averaging, 2
		s := newForum(t, c)
		run(t, s, 1)
		first := append([]float64(nil), s.Trace().Lambda...)
		if !near(s.View().Weights, first, 0) {
			t.Errorf("%v: λ̃ = %v at first, λ = %v", averaging, s.View().Weights, first)
		}
		run(t, s, 1)
		second := s.Trace().Lambda
		if near(first, second, 1e-3) {
			t.Fatalf("λ stays at %v: the check checks nothing", first)
		}
		want := []float64{(1-share)*first[0] + share*second[0], (1-share)*first[1] + share*second[1]}
		if !near(s.View().Weights, want, 1e-15) {
			t.Errorf("%v: λ̃ = %v, want %v", averaging, s.View().Weights, want)
		}
	}
}

// TestFORUMMemoryDoesNotDependOnT checks that FORUM does not store the loop, according to both its own count and
// the allocator.
func TestFORUMMemoryDoesNotDependOnT(t *testing.T) {
	held := func(steps int) (count int, bytes uint64) {
		c := paperForum([]float64{0, 0, 3})
		c.Loop.Steps = steps
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s := newForum(t, c)
		run(t, s, 3)
		runtime.ReadMemStats(&after)
		return s.PeakFloats(), after.TotalAlloc - before.TotalAlloc
	}
	few, fewBytes := held(10)
	many, manyBytes := held(100000)
	if few != many {
		t.Errorf("PeakFloats is %d with T = 10 and %d with T = 100000", few, many)
	}
	// A trajectory of two floats per step would take 1.6 MB.
	if manyBytes > fewBytes+64<<10 {
		t.Errorf("%d bytes are allocated with T = 10, %d with T = 100000", fewBytes, manyBytes)
	}
	// These are z, ω̃, the loop's gradient, ∇q̃, ∇f(α, ω̃), two rows, the direction, and λ, λ̃ and π for two
	// objectives.
	if want := 3 + 2 + 2 + 3 + 3 + 6 + 3 + 6; few != want {
		t.Errorf("PeakFloats is %d, want %d", few, want)
	}
	c := paperForum([]float64{0, 0, 3})
	c.Loop.Fixed, c.Loop.Optimizer, c.Upper.Optimizer = true, descent.DefaultAdam(), descent.DefaultAdam()
	// These are ω_0, and the moments of ω̃ and z.
	if got, want := newForum(t, c).PeakFloats(), few+2+4+6; got != want {
		t.Errorf("PeakFloats of a fixed start with Adam is %d, want %d", got, want)
	}
	heavy := descent.Optimizer{Kind: descent.HeavyBall, Beta: 0.5}
	c.Loop.Fixed, c.Loop.Optimizer, c.Upper.Optimizer = false, heavy, heavy
	if got, want := newForum(t, c).PeakFloats(), few+2+3; got != want {
		t.Errorf("PeakFloats with two velocities is %d, want %d", got, want)
	}
}

var averagings = []bilevel.Averaging{bilevel.PublishedAveraging, bilevel.SquareRootAveraging, bilevel.MeanAveraging, bilevel.NoAveraging}
