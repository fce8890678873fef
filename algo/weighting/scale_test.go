package weighting

import (
	"fmt"
	"math"
	"testing"

	"paretoplay/algo"
)

func scaledRows(rows [][]float64, factor float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i, row := range rows {
		for _, v := range row {
			out[i] = append(out[i], factor*v)
		}
	}
	return out
}

// TestMGDAOfTinyGradients checks the weights of gradients whose squares underflow to 0.
func TestMGDAOfTinyGradients(t *testing.T) {
	in, r := input([][]float64{{1e-200, 2e-200}, {3e-200, -1e-200}}, nil)
	if err := NewMGDA(NormalizeNone).Weigh(r, in); err != nil {
		t.Fatal(err)
	}
	// (c − b)/(a − 2b + c) with a = 5, b = 1 and c = 10.
	if !near(r.Weights, []float64{9. / 13, 4. / 13}, 1e-15) || r.Status != algo.Converged {
		t.Errorf("weights %v, status %v", r.Weights, r.Status)
	}
	if norm := math.Hypot(r.Direction[0], r.Direction[1]); !(math.Abs(norm/1.941450686788302e-200-1) <= 1e-12) {
		t.Errorf("length %g", norm)
	}
}

// TestFairnessAtAnyScale checks that scaling the gradients by s scales the weights by s^(−2α/(1+α)). If the weights
// overflow, the status must be Diverged.
func TestFairnessAtAnyScale(t *testing.T) {
	rows := [][]float64{{1, 2, 0}, {-1, 1, 3}, {0.5, 0.25, -0.5}}
	for name, c := range map[string]struct {
		rule  func() algo.Weighting
		alpha float64
	}{
		"nashmtl":         {func() algo.Weighting { return must(NewNashMTL(0)) }, 1},
		"nashmtl maxnorm": {func() algo.Weighting { return must(NewNashMTL(0.5)) }, 1},
		"fairgrad":        {func() algo.Weighting { return must(NewFairGrad(2)) }, 2},
		"fairgrad 0.5":    {func() algo.Weighting { return must(NewFairGrad(0.5)) }, 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			in, base := input(rows, nil)
			if err := c.rule().Weigh(base, in); err != nil {
				t.Fatal(err)
			}
			overflows := 0
			for exponent := -305; exponent <= 305; exponent += 61 {
				s := math.Pow(10, float64(exponent))
				in, r := input(scaledRows(rows, s), nil)
				if err := c.rule().Weigh(r, in); err != nil {
					t.Fatal(err)
				}
				logarithm := -2 * c.alpha / (1 + c.alpha) * math.Log10(s)
				if logarithm > 307 {
					overflows++
					if r.Status != algo.Diverged || r.Direction[0] != 0 || r.Weights[0] != 0 {
						t.Errorf("scale %g: weights of 1e%.0f are %v, direction %v, status %v", s, logarithm, r.Weights, r.Direction, r.Status)
					}
					continue
				}
				if logarithm < -306 {
					continue // the weights are subnormal or 0
				}
				if r.Status != algo.Converged || !(r.Gap <= 1e-8) {
					t.Errorf("scale %g: %v, gap %g", s, r.Status, r.Gap)
				}
				factor := math.Pow(10, logarithm)
				for i, w := range base.Weights {
					if !(math.Abs(r.Weights[i]-factor*w) <= 1e-9*factor*w) || r.Effective[i] != r.Weights[i] {
						t.Errorf("scale %g: weights %v, effective %v, want %g times %v", s, r.Weights, r.Effective, factor, base.Weights)
						break
					}
				}
				factor = math.Pow(10, logarithm+math.Log10(s))
				for i, d := range base.Direction {
					if !(math.Abs(r.Direction[i]-factor*d) <= 1e-9*factor*length(base.Direction)) {
						t.Errorf("scale %g: direction %v, want %g times %v", s, r.Direction, factor, base.Direction)
						break
					}
				}
			}
			if (overflows > 0) != (c.alpha > 1) {
				t.Errorf("weights overflow at %d scales", overflows)
			}
		})
	}
}

// TestMultipliersOfHugeGradients checks that a step of the weights that overflows ends like any long step: all weight
// is on the gradient whose product with the direction is smallest.
func TestMultipliersOfHugeGradients(t *testing.T) {
	rows := [][]float64{{1, 2, 0}, {-1, 1, 3}, {0.5, 0.25, -0.5}}
	for name, rule := range map[string]func(gamma float64) algo.Weighting{
		"moco": func(gamma float64) algo.Weighting { return must(NewMoCo(MoCoConfig{Beta: 1, Gamma: gamma})) },
		"modo": func(gamma float64) algo.Weighting { return must(NewMoDo(gamma)) },
		"sdmgrad": func(gamma float64) algo.Weighting {
			return must(NewSDMGrad(SDMGradConfig{Kappa: 0.3, Stochastic: true, Gamma: gamma, Inner: 1}))
		},
	} {
		in, want := input(rows, nil)
		if err := rule(1e6).Weigh(want, in); err != nil {
			t.Fatal(err)
		}
		for _, size := range []float64{1e155, 1e200, 1e300} {
			in, r := input(scaledRows(rows, size), nil)
			if err := rule(0.1).Weigh(r, in); err != nil {
				t.Fatal(err)
			}
			if r.Status != algo.Converged || !near(r.Weights, want.Weights, 0) {
				t.Errorf("%s, gradients of %g: weights %v, status %v, want %v", name, size, r.Weights, r.Status, want.Weights)
			}
		}
		in, r := input(scaledRows(rows, 1e-200), nil)
		if err := rule(0.1).Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		if !near(r.Weights, []float64{1. / 3, 1. / 3, 1. / 3}, 1e-15) {
			t.Errorf("%s, gradients of 1e-200: weights %v", name, r.Weights)
		}
	}
}

// TestEffectiveCoefficients compares effective coefficients with results computed by hand, for rules in which they
// differ from the weights.
func TestEffectiveCoefficients(t *testing.T) {
	rows := [][]float64{{3, 0.2}, {1.6, 1.8}, {-1.9, 1.3}}
	third := 1. / 3
	for _, c := range []struct {
		name string
		rule algo.Weighting
		want func(weights []float64) []float64
	}{
		// With c = 0, CAGrad's direction is the mean gradient for any w.
		{"cagrad", must(NewCAGrad(0, RescaleSquare)), func([]float64) []float64 { return []float64{third, third, third} }},
		{"sdmgrad", must(NewSDMGrad(SDMGradConfig{Kappa: 0.3})), func(w []float64) []float64 {
			return []float64{(w[0] + 0.1) / 1.3, (w[1] + 0.1) / 1.3, (w[2] + 0.1) / 1.3}
		}},
		{"moco", must(NewMoCo(MoCoConfig{Beta: 0.5, Gamma: 0.1})), func(w []float64) []float64 {
			return []float64{0.5 * w[0], 0.5 * w[1], 0.5 * w[2]}
		}},
		{"mgda l2", NewMGDA(NormalizeL2), func(w []float64) []float64 { return w }},
	} {
		in, r := input(rows, nil)
		if err := c.rule.Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		if !near(r.Effective, c.want(r.Weights), 1e-15) {
			t.Errorf("%s: effective %v, want %v", c.name, r.Effective, c.want(r.Weights))
		}
		if c.name != "moco" {
			continue
		}
		// From the second decision on, MoCo's direction contains gradients at other points.
		effective := r.Effective
		if err := c.rule.Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		if r.Effective != nil {
			t.Errorf("moco: effective %v at the second decision", r.Effective)
		}
		r.Effective = effective[:2]
		if err := c.rule.Weigh(r, in); err == nil || fmt.Sprint(err) != "weighting: 2 effective coefficients for 3 objectives" {
			t.Errorf("moco: %v with two coefficients for three objectives", err)
		}
	}
}
