package weighting

import (
	"math"
	"testing"

	"paretoplay/algo"
)

// TestOfOtherLibraries sets the parameters that select other libraries' variants of the rules, and compares the
// decisions with results computed by hand.
func TestOfOtherLibraries(t *testing.T) {
	conflict, dependent := [][]float64{{1, 0}, {-1, 1}}, [][]float64{{1, 0}, {0, 1}, {1, 1}}
	root := math.Sqrt2
	e := math.Exp
	for _, c := range []struct {
		name, rule, setting string
		rows                [][]float64
		losses              []float64
		weights, direction  []float64
	}{
		// The unit gradients are (1, 0) and (−1, 1)/√2, with equal weights.
		{"combined as they were divided", "mgda", "combine=normalized", conflict, nil, []float64{0.5, 0.5},
			[]float64{(1 - 1/root) / 2, 0.5 / root}},
		{"divided by losses", "mgda", "combine=normalized", [][]float64{{2, 0}, {0, 3}}, []float64{2, 3}, []float64{0.5, 0.5},
			[]float64{0.5, 0.5}},
		{"nothing is divided", "mgda", "combine=normalized", [][]float64{{1, 0}, {0, 1}}, nil, []float64{0.5, 0.5}, []float64{0.5, 0.5}},
		{"the least of two", "mgda", "least=0.001", [][]float64{{1, 0}, {3, 1}}, nil, []float64{0.999, 0.001}, []float64{1.002, 0.001}},
		{"not of three", "mgda", "least=0.001", [][]float64{{1, 0}, {3, 1}, {3, -1}}, nil, []float64{1, 0, 0}, []float64{1, 0}},
		{"dependent gradients", "imtlg", "dependent=pseudoinverse", dependent, nil, nil, []float64{0.75, 0.75}},
		{"a zero gradient", "imtlg", "dependent=pseudoinverse", append([][]float64{{0, 0}}, dependent...), nil, nil, []float64{0.75, 0.75}},
		{"independent gradients", "imtlg", "dependent=pseudoinverse", [][]float64{{2, 0}, {0, 1}}, nil, []float64{1. / 3, 2. / 3},
			[]float64{2. / 3, 2. / 3}},
		// The Gramian ((1, −1), (−1, 2)) plus 0.1·3 on its diagonal: g_0 conflicts with nothing.
		{"no conflict", "dualproj", "regularization=0.1", conflict, nil, []float64{0.5, 0.5}, []float64{0, 0.5}},
		// ((9, −3), (−3, 2)) + 11·0.1: the second product of ½·1 is −1.5 + 1.55 > 0.
		{"regularized out of a conflict", "dualproj", "regularization=0.1", [][]float64{{3, 0}, {-1, 1}}, nil, []float64{0.5, 0.5},
			[]float64{1, 0.5}},
		// + 11·0.01: −1.5 + 2.11·w = 0.
		{"a regularized conflict", "dualproj", "regularization=0.01", [][]float64{{3, 0}, {-1, 1}}, nil, []float64{0.5, 1.5 / 2.11},
			[]float64{1.5 - 1.5/2.11, 1.5 / 2.11}},
		{"log-variances", "uw", "initial=-0.5", conflict, []float64{1, 1}, []float64{e(0.5) / 2, e(0.5) / 2}, []float64{0, e(0.5) / 2}},
		{"preferences of sum 1", "stch", "scale=sum", conflict, []float64{1, 1}, []float64{0.25, 0.25}, []float64{0, 0.25}},
		{"excesses of one step", "excessmtl", "first=excesses", [][]float64{{1, 0}, {0, 2}}, nil,
			[]float64{2 / (1 + e(0.01)), 2 / (1 + e(-0.01))}, []float64{2 / (1 + e(0.01)), 4 / (1 + e(-0.01))}},
		// The rows are (2, 0) and (0, 3). Half of each is tracked, so the steps from (½, ½) are 0.1·½·(1, 2.25).
		{"lengths of losses", "moco", "lengths=losses", [][]float64{{1, 0}, {0, 7}}, []float64{2, 3}, []float64{0.53125, 0.46875},
			[]float64{0.53125, 1.5 * 0.46875}},
		// Half of each row is tracked. The weights are the softmax of (½ − 0.1·½, ½ − 0.1·2).
		{"softmax", "moco", "simplex=softmax", [][]float64{{2, 0}, {0, 4}}, nil, []float64{1 / (1 + e(-0.15)), 1 / (1 + e(0.15))},
			[]float64{1 / (1 + e(-0.15)), 2 / (1 + e(0.15))}},
	} {
		settings := []string{c.setting}
		switch {
		case c.name == "combined as they were divided":
			settings = append(settings, "normalize=l2")
		case c.name == "divided by losses":
			settings = append(settings, "normalize=loss")
		}
		for _, exponent := range []int{0, 600} { // numbers whose squares overflow
			if exponent != 0 && c.rule != "imtlg" && c.rule != "mgda" && c.rule != "dualproj" {
				continue
			}
			rows := make([][]float64, len(c.rows))
			for i, row := range c.rows {
				for _, v := range row {
					rows[i] = append(rows[i], math.Ldexp(v, exponent))
				}
			}
			back := exponent
			if c.name == "combined as they were divided" {
				back = 0
			}
			jac := algo.NewJacobian(len(rows), 2)
			for i, row := range rows {
				copy(jac.Row(i), row)
			}
			rule := must(New(c.rule, len(rows), settings...))
			r, err := Direction(rule, jac, c.losses)
			if err != nil {
				t.Fatal(c.name, err)
			}
			for i := range r.Direction {
				r.Direction[i] = math.Ldexp(r.Direction[i], -back)
			}
			if c.weights != nil && !near(r.Weights, c.weights, 1e-14) || !near(r.Direction, c.direction, 1e-14) || r.Status != algo.Converged {
				t.Errorf("%s, 2^%d: weights %v, direction %v, %v; want %v and %v", c.name, exponent, r.Weights, r.Direction, r.Status,
					c.weights, c.direction)
			}
			if exponent == 0 && r.Effective != nil {
				combined := make([]float64, 2)
				jac.Combine(combined, r.Effective)
				if !near(combined, r.Direction, 1e-14) {
					t.Errorf("%s: effective coefficients %v give %v, the direction is %v", c.name, r.Effective, combined, r.Direction)
				}
			}
		}
	}
}

// TestMoDoRegularized checks that ρ pulls unequal weights towards equal weights. The second decision, which starts from
// (0.65, 0.35), was computed by hand.
func TestMoDoRegularized(t *testing.T) {
	jac := algo.NewJacobian(2, 2)
	copy(jac.Data, []float64{1, 0, 0, 2})
	for setting, second := range map[string]float64{
		"rho=0": 0.575 + 0.5*0.1*(4*0.425-0.575), "rho=0.5": 0.575 + 0.5*0.1*(4.5*0.425-1.5*0.575),
	} {
		rule := must(New("modo", 2, "gamma=0.1", setting))
		for k, want := range []float64{0.575, second} {
			r, err := Direction(rule, jac, nil)
			if err != nil || math.Abs(r.Weights[0]-want) > 1e-14 {
				t.Errorf("%s, decision %d: %v, %v, want %v", setting, k, r.Weights, err, want)
			}
		}
	}
}

// TestOnlyBindAll checks that Bind omits the parameters that select other libraries' variants of the rules, and that
// BindAll includes them.
func TestOnlyBindAll(t *testing.T) {
	for _, name := range []string{"mgda", "imtlg", "dualproj", "modo", "uw", "stch", "excessmtl", "moco"} {
		m, _ := Lookup(name)
		for _, d := range m.Parameters() {
			switch d.Name {
			case "combine", "least", "dependent", "rho", "initial", "scale", "first", "lengths", "simplex":
				if name != "moco" || d.Name != "rho" {
					t.Errorf("%s: Bind has %s, which only BindAll should have", name, d.Name)
				}
			}
		}
	}
}
