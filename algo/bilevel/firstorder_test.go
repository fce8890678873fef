package bilevel_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem"
)

func bome(start []float64) bilevel.BOMEConfig {
	return bilevel.BOMEConfig{
		Problem: problem.NewQuadraticBilevel(), Start: start,
		Loop: bilevel.Loop{Steps: 50, StepSize: 0.05}, Upper: bilevel.Upper{StepSize: 0.1}, Rho: bilevel.DefaultBOMERho,
	}
}

func newBOME(t testing.TB, c bilevel.BOMEConfig) *bilevel.BOME {
	t.Helper()
	s, err := bilevel.NewBOME(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func bvfim(start []float64) bilevel.BVFIMConfig {
	return bilevel.DefaultBVFIM(bilevel.BVFIMConfig{
		Problem: problem.NewQuadraticBilevel(), Start: start,
		Loop: bilevel.Loop{Steps: 50, StepSize: 0.05}, Upper: bilevel.Upper{StepSize: 0.1},
	})
}

func newBVFIM(t testing.TB, c bilevel.BVFIMConfig) *bilevel.BVFIM {
	t.Helper()
	s, err := bilevel.NewBVFIM(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestBOMEFirstStep compares one step with numbers computed by hand. At the starting point of TestFORUMFirstStep, ∇F̄ =
// (−2, 0, 2), and its product with ∇q̃ is 7. With φ = 2·29/4, this gives ν = (29/2 − 7)/(29/4) = 30/29.
func TestBOMEFirstStep(t *testing.T) {
	c := bome(firstStepStart())
	c.Loop, c.Rho = firstStepLoop(), 2
	s := newBOME(t, c)
	run(t, s, 1)
	v, trace := s.View(), s.Trace()
	for _, q := range []struct {
		name      string
		got, want []float64
	}{
		{"omega", trace.Omega, []float64{1.25, 1.5}},
		{"q, phi, nu", []float64{trace.Q, trace.Phi, trace.Nu}, []float64{0.9375, 14.5, 30. / 29}},
		{"gradient of q", trace.QGradient, []float64{-1.5, 1, 2}},
		{"weights", v.Weights, []float64{0.5, 0.5}},
		{"direction", v.Direction, []float64{-2 - 45./29, 30. / 29, 2 + 60./29}},
		{"next", v.X, []float64{1 + 0.1*(2+45./29), 1.5 - 3./29, 2 - 0.1*(2+60./29)}},
	} {
		if !near(q.got, q.want, 1e-14) {
			t.Errorf("%s is %v, want %v", q.name, q.got, q.want)
		}
	}
	if trace.Lambda != nil || trace.Pi != nil {
		t.Errorf("trace %+v: there is no λ and no π", trace)
	}
	if want := (algo.Cost{Backpropagations: 4, GradientCoordinates: 12}); v.Cost != want {
		t.Errorf("cost %+v, want %+v", v.Cost, want)
	}
	if want := 3 + 2 + 2 + 3 + 3 + 6 + 3; s.PeakFloats() != want {
		t.Errorf("PeakFloats is %d, want %d", s.PeakFloats(), want)
	}
}

// TestBVFIMFirstStep compares one step with numbers computed by hand, from (1, 1.5, 2) with T = 1, η = ¼, μ_1 = 0.4,
// μ_2 = 0.32, θ = 1, τ = 0.9:
//
//	y = (1.5, 2) − ¼((1, 2) + 0.4·(1.5, 2)) = (1.1, 1.3), f_reg = 0.1 + 0.58 + 0.32 = 1
//	ω starts at y, where f_reg − f = 0.9
//	∇B = (−0.8, 0.6) + (1.1, 1.3) + (0.2, 0.6), ω = y − ¼∇B = (0.975, 0.675)
//	f_reg − f = 1 − 0.025² − 0.325² = 0.89375
//	d = 0.65 + (0.9/0.89375)(0.7 + 0.8)
func TestBVFIMFirstStep(t *testing.T) {
	c := bvfim(firstStepStart())
	c.Loop = firstStepLoop()
	c.Regularization, c.Offset, c.Theta, c.Tau = 0.4, 0.32, 1, 0.9
	s := newBVFIM(t, c)
	run(t, s, 1)
	v, trace := s.View(), s.Trace()
	nu := 0.9 / 0.89375
	d := 0.65 + 1.5*nu
	for _, q := range []struct {
		name      string
		got, want []float64
	}{
		{"y", trace.Omega, []float64{1.1, 1.3}},
		{"q, nu", []float64{trace.Q, trace.Nu}, []float64{1.15, nu}},
		{"weights", v.Weights, []float64{0.5, 0.5}},
		{"direction", v.Direction, []float64{d}},
		{"next", v.X, []float64{1 - 0.1*d, 0.975, 0.675}},
		{"Jacobian", v.Jacobian.Data, []float64{0.65, -0.05, -0.65, 0.65, -2.05, -0.65}},
	} {
		if !near(q.got, q.want, 1e-14) {
			t.Errorf("%s is %v, want %v", q.name, q.got, q.want)
		}
	}
	if !math.IsNaN(trace.Phi) || trace.Lambda != nil || trace.Pi != nil || trace.QGradient != nil {
		t.Errorf("trace %+v: there is no φ, λ, π or ∇q̃", trace)
	}
	// The cost is one gradient for y, three for the step in ω, and two upper and two lower gradients for α.
	if want := (algo.Cost{Backpropagations: 8, GradientCoordinates: 2 + 2*3 + 2 + 2*3 + 2*3}); v.Cost != want {
		t.Errorf("cost %+v, want %+v", v.Cost, want)
	}
	// After a loop of one step, ω is halfway to (α, α).
	alpha := v.X[0]
	if want := []float64{alpha, (alpha + 0.975) / 2, (alpha + 0.675) / 2}; !near(s.Measured(), want, 1e-14) {
		t.Errorf("measured at %v, want %v", s.Measured(), want)
	}
	if after := s.View(); after.Cost != v.Cost || !near(trace.Omega, []float64{1.1, 1.3}, 1e-14) {
		t.Errorf("measuring leaves cost %+v and y = %v", after.Cost, trace.Omega)
	}
	// These are z, y, the loop, ω, a tentative ω, the slope of B, two lower gradients, two rows, and the direction.
	if want := 3 + 2 + 2 + 6 + 6 + 6 + 1; s.PeakFloats() != want {
		t.Errorf("PeakFloats is %d, want %d", s.PeakFloats(), want)
	}
}

// TestBVFIMShortensStepsThatLeadUp compares the halving of η with numbers computed by hand. With η = 1, μ_1 = 0 and a
// distant barrier, y = (0.5, 0) and ∇B = (−2, −2) + (0.5, 0). The full step leads up from B = 2.375 to B = 5.5 at (2,
// 2). Half the step leads down to (1.25, 1).
func TestBVFIMShortensStepsThatLeadUp(t *testing.T) {
	c := bvfim(firstStepStart())
	c.Loop = bilevel.Loop{Steps: 1, StepSize: 1}
	c.Regularization, c.Offset, c.Theta, c.Tau = 0, 1e6, 1, 1e-9
	s := newBVFIM(t, c)
	run(t, s, 1)
	if z := s.View().X; !near(z[1:], []float64{1.25, 1}, 1e-14) || !near(s.Trace().Omega, []float64{0.5, 0}, 0) {
		t.Errorf("y = %v, ω = %v, want (0.5, 0) and (1.25, 1)", s.Trace().Omega, z[1:])
	}
}

// TestFirstOrderMethodsFindTheMeansMinimum checks that first-order methods find the minimum of the mean objective
// (ω_1 − 1.5)² + ¼ + (ω_2 − α)². On the plane of lower optima, the minimum is at (1.5, 1.5, 1.5).
func TestFirstOrderMethodsFindTheMeansMinimum(t *testing.T) {
	want := []float64{1.5, 1.5, 1.5}
	stepSizes := []float64{0.03, 0.1, 0.3}
	t.Run("BOME", func(t *testing.T) {
		for _, start := range problem.QuadraticBilevelStarts() {
			for _, mu := range stepSizes {
				c := bome(start)
				c.Upper.StepSize = mu
				s := newBOME(t, c)
				run(t, s, 1000)
				if z := s.Measured(); !near(z, want, 1e-6) {
					t.Errorf("from %v with μ = %v it is at %v, want %v", start, mu, z, want)
				}
			}
		}
	})
	t.Run("BVFIM", func(t *testing.T) {
		for _, start := range problem.QuadraticBilevelStarts() {
			for _, mu := range stepSizes {
				c := bvfim(start)
				c.Upper.StepSize = mu
				s := newBVFIM(t, c)
				run(t, s, 500)
				if z := s.View().X; !near(z, want, 1e-5) {
					t.Errorf("from %v with μ = %v it is at %v, want %v", start, mu, z, want)
				}
				if z := s.Measured(); !near(z, want, 1e-5) {
					t.Errorf("from %v with μ = %v it is measured at %v, want %v", start, mu, z, want)
				}
			}
		}
	})
}

// TestBVFIMRunsOn checks that the parameters stop shrinking before the interior vanishes, in runs of any length.
func TestBVFIMRunsOn(t *testing.T) {
	c := bvfim([]float64{0, 0, 3})
	c.Loop.Steps, c.Shrink = 5, 0.5
	s := newBVFIM(t, c)
	run(t, s, 3000)
	if nu := s.Trace().Nu; !(nu > 0) || math.IsInf(nu, 1) {
		t.Errorf("ν = %v", nu)
	}
}

func TestFirstOrderConformance(t *testing.T) {
	heavy := descent.Optimizer{Kind: descent.HeavyBall, Beta: 0.5}
	for name, change := range map[string]func(*bilevel.Loop, *bilevel.Upper){
		"plain": func(*bilevel.Loop, *bilevel.Upper) {},
		"fixed": func(l *bilevel.Loop, _ *bilevel.Upper) { l.Fixed = true },
		"adam": func(l *bilevel.Loop, u *bilevel.Upper) {
			l.Optimizer, u.Optimizer = descent.DefaultAdam(), descent.DefaultAdam()
		},
		"heavyball": func(l *bilevel.Loop, u *bilevel.Upper) { l.Optimizer, u.Optimizer = heavy, heavy },
	} {
		diverging := bilevel.Loop{Steps: 1000, StepSize: 2}
		t.Run("BOME, "+name, func(t *testing.T) {
			c := bome([]float64{2, 0, 3})
			change(&c.Loop, &c.Upper)
			bad := c
			bad.Loop = diverging
			algotest.Stepper(t, func() algo.Stepper { return newBOME(t, c) }, func() algo.Stepper { return newBOME(t, bad) })
		})
		t.Run("BVFIM, "+name, func(t *testing.T) {
			c := bvfim([]float64{2, 0, 3})
			change(&c.Loop, &c.Upper)
			bad := c
			bad.Loop = diverging
			algotest.Stepper(t, func() algo.Stepper { return newBVFIM(t, c) }, func() algo.Stepper { return newBVFIM(t, bad) })
		})
	}
	// If f is much larger than μ_2, their sum loses μ_2 to rounding. The run must report this.
	c := bvfim([]float64{0, 0, 3})
	c.Problem = shifted{problem.NewQuadraticBilevel()}
	s := newBVFIM(t, c)
	if status, err := s.Step(); status != algo.Diverged || err != nil || s.View().Diverged.Quantity != "barrier" {
		t.Errorf("%v, %v, %+v, want a lost barrier", status, err, s.View().Diverged)
	}
}

// shifted adds to the lower objective a constant so large that the objective loses its digits.
type shifted struct{ *problem.QuadraticBilevel }

func (p shifted) Lower(z []float64) float64 { return p.QuadraticBilevel.Lower(z) + 1e20 }

func TestFirstOrderExtremes(t *testing.T) {
	for name, p := range map[string]*objectives{
		"one":       bowls(1, 1, 1),
		"five":      bowls(5, 1, 1),
		"zero":      slopes(make([]float64, 3), make([]float64, 3)),
		"identical": slopes([]float64{1, 2, 3}, []float64{1, 2, 3}),
		"opposite":  slopes([]float64{1, 2, 3}, []float64{-1, -2, -3}),
		"F large":   bowls(2, 1e8, 1),
		"F small":   bowls(2, 1e-8, 1),
		"f large":   bowls(2, 1, 1e6),
		"f small":   bowls(2, 1, 1e-8),
	} {
		scale, lower := max(1, p.curve, p.lower), max(p.lower, 1e-8)
		for _, start := range [][]float64{{0, 0, 3}, {1, 1, 1}, {0, 0, 0}} {
			b, v := bome(start), bvfim(start)
			b.Problem, v.Problem = p, p
			b.Upper.StepSize, v.Upper.StepSize = 0.05/scale, 0.05/scale
			b.Loop.StepSize, v.Loop.StepSize = 0.1/max(lower, 1), 0.1/max(lower, 1)
			for what, s := range map[string]bilevel.Stepper{"BOME": newBOME(t, b), "BVFIM": newBVFIM(t, v)} {
				t.Run(fmt.Sprintf("%s, %s from %v", what, name, start), func(t *testing.T) {
					for range 200 {
						if status, _ := s.Step(); status != algo.Running {
							t.Fatalf("%+v", s.View().Diverged)
						}
						if !algo.Finite(s.View().Direction) || !(s.Trace().Nu >= 0) {
							t.Fatalf("direction %v, ν = %v", s.View().Direction, s.Trace().Nu)
						}
					}
				})
			}
		}
	}
}

// TestBVFIMIsMeasuredWithItsLoop checks that BVFIM is measured with the loop's current settings.
func TestBVFIMIsMeasuredWithItsLoop(t *testing.T) {
	s := newBVFIM(t, bvfim([]float64{2, 0, 3}))
	run(t, s, 2)
	if err := s.SetLoop(1, 0.25); err != nil {
		t.Fatal(err)
	}
	z := s.View().X
	if want := []float64{z[0], (z[0] + z[1]) / 2, (z[0] + z[2]) / 2}; !near(s.Measured(), want, 1e-15) {
		t.Errorf("measured at %v, want %v", s.Measured(), want)
	}
}

func TestFirstOrderRefuseBadInput(t *testing.T) {
	for want, change := range map[string]func(*bilevel.BVFIMConfig){
		"problem is missing":                   func(c *bilevel.BVFIMConfig) { c.Problem = nil },
		"muomega = 0.1":                        func(c *bilevel.BVFIMConfig) { c.Upper.OmegaStepSize = 0.1 },
		"regularization mu1 = -1":              func(c *bilevel.BVFIMConfig) { c.Regularization = -1 },
		"offset mu2 = 0: it must be positive":  func(c *bilevel.BVFIMConfig) { c.Offset = 0 },
		"theta = NaN":                          func(c *bilevel.BVFIMConfig) { c.Theta = math.NaN() },
		"tau = 0: it must be positive":         func(c *bilevel.BVFIMConfig) { c.Tau = 0 },
		"shrink r = 1.5: it must be above 0":   func(c *bilevel.BVFIMConfig) { c.Shrink = 1.5 },
		"shrink r = 0: it must be above 0 and": func(c *bilevel.BVFIMConfig) { c.Shrink = 0 },
	} {
		c := bvfim([]float64{0, 0, 3})
		change(&c)
		if s, err := bilevel.NewBVFIM(c); err == nil || s != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
	c := bome([]float64{0, 0, 3})
	c.Rho = math.Inf(1)
	if s, err := bilevel.NewBOME(c); err == nil || s != nil || !strings.Contains(err.Error(), "rho = +Inf") {
		t.Errorf("error %v", err)
	}
	s := newBOME(t, bome([]float64{0, 0, 3}))
	if err := s.SetRho(0.9); err != nil || s.Rho() != 0.9 {
		t.Errorf("SetRho: %v, ρ = %v", err, s.Rho())
	}
	run(t, s, 1)
	if got, want := s.Trace().Phi, 0.9*floats.Dot(s.Trace().QGradient, s.Trace().QGradient); math.Abs(got-want) > 1e-14*want {
		t.Errorf("φ = %v with ρ = 0.9, want %v", got, want)
	}
}

func TestMeasures(t *testing.T) {
	p := problem.NewQuadraticBilevel()
	m := bilevel.NewMeasures(p)
	if !m.Exact() {
		t.Error("the quadratic problem's lower level is solved")
	}
	// At (1, 1.5, 2): q = 5/4 and ∇q = 2(−3/2, 1/2, 1). With λ = (½, ½) and ν = 1, the sum is (−2, 0, 2) + (−3, 1,
	// 2).
	z := []float64{1, 1.5, 2}
	if q := m.Q(z); q != 1.25 {
		t.Errorf("q = %v, want 1.25", q)
	}
	if g := m.QGradient(z); !near(g, []float64{-3, 1, 2}, 0) {
		t.Errorf("∇q = %v, want (−3, 1, 2)", g)
	}
	if k := m.K(z, []float64{0.5, 0.5}, 1); math.Abs(k-42) > 1e-13 {
		t.Errorf("K = %v, want 25+1+16", k)
	}
	// All inner products with ∇q are positive. Therefore ν is 0, and the shortest combination is (−2, 0, 2).
	if k := m.KKT(z); math.Abs(k-8) > 1e-14 {
		t.Errorf("KKT = %v, want 8", k)
	}
	for _, solution := range [][]float64{{1, 1, 1}, {1.3, 1.3, 1.3}, {2, 2, 2}} {
		if s := m.Stationarity(solution); !(s <= 1e-15) {
			t.Errorf("stationarity at %v is %v", solution, s)
		}
	}
	if s := m.Stationarity([]float64{3, 3, 3}); math.Abs(s-2) > 1e-14 {
		t.Errorf("stationarity at (3, 3, 3) is %v, want 2, as of F_2 alone", s)
	}
	if s := m.Stationarity([]float64{math.NaN(), 1, 1}); !math.IsNaN(s) {
		t.Errorf("stationarity at NaN is %v", s)
	}
	for what, f := range map[string]func(){
		"KKT": func() { m.KKT(z) }, "K": func() { m.K(z, []float64{1, 0}, 1) }, "Q": func() { m.Q(z) },
	} {
		if a := testing.AllocsPerRun(20, f); a != 0 {
			t.Errorf("%s allocates %v times", what, a)
		}
	}
	if !near(z, []float64{1, 1.5, 2}, 0) {
		t.Errorf("z was modified: %v", z)
	}
}

// TestKKTIsTheLeastK checks that KKT is the minimum of K over all multipliers.
func TestKKTIsTheLeastK(t *testing.T) {
	for _, p := range []algo.Bilevel{problem.NewQuadraticBilevel(), bowls(2, 1, 1), bowls(3, 1, 1)} {
		m := bilevel.NewMeasures(p)
		_, _, count := p.Dims()
		for i := range 40 {
			x := float64(i)
			z := []float64{2 * math.Sin(3*x), 2 * math.Cos(5*x), 2 * math.Sin(7*x)}
			kkt, least := m.KKT(z), math.Inf(1)
			weights := make([]float64, count)
			for a := range 41 {
				for b := range 41 - a {
					weights[0], weights[1] = float64(a)/40, 1-float64(a)/40
					if count == 3 {
						weights[1], weights[2] = float64(b)/40, 1-float64(a+b)/40
					}
					// As ν varies, the sum moves along a line. The best ν for these weights is where this line is
					// closest to 0.
					at0, at1 := m.K(z, weights, 0), m.K(z, weights, 1)
					square := floats.Dot(m.QGradient(z), m.QGradient(z))
					nu := max((square-(at1-at0))/2/square, 0)
					least = min(least, m.K(z, weights, nu))
				}
			}
			if !(kkt <= least*(1+1e-12)) || kkt < least-0.1*(1+least) {
				t.Errorf("KKT at %v is %v, a grid of multipliers reaches %v", z, kkt, least)
			}
		}
	}
}

// unsolved hides the lower level's solution.
type unsolved struct{ algo.Bilevel }

func TestMeasuresWithoutSolution(t *testing.T) {
	m := bilevel.NewMeasures(unsolved{problem.NewQuadraticBilevel()})
	z := []float64{1, 1.5, 2}
	if m.Exact() || m.QGradient(z) != nil || !math.IsNaN(m.Q(z)) || !math.IsNaN(m.KKT(z)) || !math.IsNaN(m.K(z, []float64{1, 0}, 1)) {
		t.Error("measures of an unsolved lower level must be absent")
	}
}
