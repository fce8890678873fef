package bilevel_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
)

// spoilt is problem (24) of the FORUM paper, except that the named method returns a NaN.
type spoilt struct {
	*problem.QuadraticBilevel
	name string
}

func (p *spoilt) spoil(name string, dst []float64) {
	if p.name == name {
		dst[len(dst)-1] = math.NaN()
	}
}

func (p *spoilt) Values(f, z []float64) {
	p.QuadraticBilevel.Values(f, z)
	p.spoil("Values", f)
}

func (p *spoilt) Jacobian(jac *algo.Jacobian, z []float64) {
	p.QuadraticBilevel.Jacobian(jac, z)
	p.spoil("Jacobian", jac.Data)
}

func (p *spoilt) Lower(z []float64) float64 {
	f := []float64{p.QuadraticBilevel.Lower(z)}
	p.spoil("Lower", f)
	return f[0]
}

func (p *spoilt) LowerGradient(dst, z []float64) {
	p.QuadraticBilevel.LowerGradient(dst, z)
	p.spoil("LowerGradient", dst)
}

func (p *spoilt) LowerGradientOmega(dst, z []float64) {
	p.QuadraticBilevel.LowerGradientOmega(dst, z)
	p.spoil("LowerGradientOmega", dst)
}

func (p *spoilt) HessianOmegaOmega(dst, z, v []float64) {
	p.QuadraticBilevel.HessianOmegaOmega(dst, z, v)
	p.spoil("HessianOmegaOmega", dst)
}

func (p *spoilt) HessianAlphaOmega(dst, z, v []float64) {
	p.QuadraticBilevel.HessianAlphaOmega(dst, z, v)
	p.spoil("HessianAlphaOmega", dst)
}

func (p *spoilt) HessianOmegaAlpha(dst, z, u []float64) {
	p.QuadraticBilevel.HessianOmegaAlpha(dst, z, u)
	p.spoil("HessianOmegaAlpha", dst)
}

// TestWhatIsNotFiniteIsNamed checks runs on a problem that returns a NaN. The run must name the quantity that is NaN,
// and stay at its last good state. From a snapshot of that state it must continue like an undisturbed run.
func TestWhatIsNotFiniteIsNamed(t *testing.T) {
	type names map[string]string
	byGradients := names{"Values": "objective", "Jacobian": "upper gradient", "Lower": "lower objective",
		"LowerGradient": "lower gradient", "LowerGradientOmega": "lower loop"}
	byProducts := names{"Values": "objective", "Jacobian": "upper gradient", "LowerGradientOmega": "lower loop",
		"HessianOmegaOmega": "hypergradient"}
	inReverse, forward := names{"HessianAlphaOmega": "hypergradient"}, names{"HessianOmegaAlpha": "hypergradient"}
	start := []float64{0, 0, 3}
	p := &spoilt{QuadraticBilevel: problem.NewQuadraticBilevel()}
	for _, method := range []struct {
		name      string
		named     []names
		construct func() bilevel.Stepper
	}{
		{"FORUM", []names{byGradients}, func() bilevel.Stepper {
			c := paperForum(start)
			c.Problem = p
			return newForum(t, c)
		}},
		{"BOME", []names{byGradients}, func() bilevel.Stepper {
			c := bome(start)
			c.Problem = p
			return newBOME(t, c)
		}},
		{"BVFIM", []names{byGradients}, func() bilevel.Stepper {
			c := bvfim(start)
			c.Problem = p
			return newBVFIM(t, c)
		}},
		{"MOML", []names{byProducts, inReverse}, func() bilevel.Stepper {
			c := moml()
			c.Problem = p
			return newMOML(t, c)
		}},
		{"MoCo, forward", []names{byProducts, forward}, func() bilevel.Stepper {
			c := moco()
			c.Problem, c.Mode = p, bilevel.Forward
			return newMoCo(t, c)
		}},
		{"the lower level alone", []names{{"Values": "objective", "LowerGradientOmega": "lower loop"}}, func() bilevel.Stepper {
			return newLowerOnly(t, func(c *bilevel.LowerOnlyConfig) { c.Problem = p })
		}},
		{"the upper level alone", []names{{"Values": "objective", "Jacobian": "upper gradient"}}, func() bilevel.Stepper {
			return newUpperOnly(t, func(c *bilevel.UpperOnlyConfig) { c.Problem = p })
		}},
	} {
		t.Run(method.name, func(t *testing.T) {
			for _, named := range method.named {
				for spoils, quantity := range named {
					p.name = ""
					s, other := method.construct(), method.construct()
					run(t, s, 2)
					var snapshot algo.Snapshot
					s.Save(&snapshot)
					x, f := slices.Clone(s.View().X), slices.Clone(s.View().F)
					p.name = spoils
					for range 2 {
						status, err := s.Step()
						v := s.View()
						if status != algo.Diverged || err != nil || v.Diverged != (algo.Divergence{K: 2, Quantity: quantity}) {
							t.Errorf("%s: %v, %v, %+v, want %s", spoils, status, err, v.Diverged, quantity)
						}
						if v.K != 2 || !slices.Equal(v.X, x) || !slices.Equal(v.F, f) || v.Weights != nil || v.Direction != nil || v.Jacobian != nil {
							t.Errorf("%s: the last good state %v does not stand: %+v", spoils, x, v)
						}
					}
					p.name = ""
					other.Load(&snapshot)
					run(t, other, 3)
					snapshot.Rewind()
					s.Load(&snapshot)
					run(t, s, 3)
					if !slices.Equal(s.View().X, other.View().X) {
						t.Errorf("%s: from the snapshot it leads to %v, a fresh one to %v", spoils, s.View().X, other.View().X)
					}
				}
			}
		})
	}
}

// bounded is problem (24) of the FORUM paper in a box.
type bounded struct{ *problem.QuadraticBilevel }

func (bounded) Bounds() (lo, hi []float64) { return []float64{0, 0, 0}, []float64{1, 1, 1} }

// TestBoundsAreRefused checks that methods on two levels reject problems with a box, because the methods do not support
// bounds.
func TestBoundsAreRefused(t *testing.T) {
	p := bounded{problem.NewQuadraticBilevel()}
	_, err := bilevel.NewFORUM(bilevel.FORUMConfig{
		Problem: p, Start: []float64{0.5, 0.5, 0.5}, Loop: bilevel.Loop{Steps: 4, StepSize: 0.1}, Upper: bilevel.Upper{StepSize: 0.1}, Rho: 0.3,
	})
	if err == nil || !strings.Contains(err.Error(), "bounds") {
		t.Errorf("error %v", err)
	}
}

// TestRunsOff checks that, with a step size that is far too large, a run diverges before its coordinates reach 1e9. The
// start may be of any size.
func TestRunsOff(t *testing.T) {
	for _, size := range []float64{3, 3e-8} {
		s, err := bilevel.NewFORUM(bilevel.FORUMConfig{
			Problem: problem.NewQuadraticBilevel(), Start: []float64{size, size, size}, Loop: bilevel.Loop{Steps: 4, StepSize: 0.1},
			Upper: bilevel.Upper{StepSize: 5}, Rho: 0.3,
		})
		if err != nil {
			t.Fatal(err)
		}
		view, status, err := algo.Run(s, 1000, nil)
		if err != nil || status != algo.Diverged || view.Diverged.Quantity != "distance from the start" {
			t.Fatalf("%v, %v: %v", status, err, view.Diverged)
		}
		for _, v := range view.X {
			if !(math.Abs(v) < 1e9) {
				t.Errorf("from %g it comes to %v before it is called diverged", size, view.X)
			}
		}
	}
}
