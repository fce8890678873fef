package weighting

import (
	"strings"
	"testing"

	"paretoplay/algo"
)

func TestDBMTLOracle(t *testing.T) {
	for _, c := range furtherCases(t) {
		d := must(NewDBMTL(c.DBMTL.Beta, c.DBMTL.Sigma))
		for k, rows := range c.DBMTL.G {
			in, r := input(rows, c.DBMTL.Losses[k])
			in.K = k
			if err := d.Weigh(r, in); err != nil {
				t.Fatal(err)
			}
			expectDirection(t, c.Name, r.Direction, c.DBMTL.Directions[k], rows)
			if (r.Effective != nil) != (k == 0) {
				t.Errorf("%s, call %d: effective coefficients %v", c.Name, k+1, r.Effective)
			}
		}
	}
}

func TestDBMTLByHand(t *testing.T) {
	d := built[*DBMTL](t)(NewDBMTL(0.5, 1))
	in, r := input([][]float64{{1, 0}, {0, 3}}, []float64{0.5, 4})
	if err := d.Weigh(r, in); err != nil {
		t.Fatal(err)
	}
	// g_1 = (2, 0), g_2 = (0, ¾) and b = g/2, so b_2 is shorter than b_1 by a factor of 8/3.
	expect(t, "weights", r.Weights, []float64{2, 2. / 3})
	expect(t, "direction", r.Direction, []float64{1, 1})
	expect(t, "effective", r.Effective, []float64{1, 1. / 3})
	// β/k = ¼: b_1 = (1, 0) + ¾·((0, 4) − (1, 0)) and b_2 falls to a quarter, because g_2 = 0.
	in, r = input([][]float64{{0, 2}, {0, 0}}, []float64{0.5, 4})
	if err := d.Weigh(r, in); err != nil {
		t.Fatal(err)
	}
	long := length([]float64{0.25, 3})
	expect(t, "second direction", r.Direction, []float64{0.25, 3 + long})
	if r.Effective != nil {
		t.Errorf("effective %v at the second call", r.Effective)
	}
	// The rule ignores an objective with gradient 0. If all gradients are scaled to equal length, two of them can
	// outweigh the third and make its objective worse.
	rows := [][]float64{{1, 0}, {0, 0}}
	in, _ = input(rows, []float64{1, 1})
	expect(t, "with a zero row", ask(t, must(NewDBMTL(0, 0)), in).Weights, []float64{1, 0})
	rows = [][]float64{{1, 0}, {-1, 0.1}, {-1, -0.1}}
	in, _ = input(rows, []float64{1, 1, 1})
	if d := ask(t, must(NewDBMTL(0, 0)), in).Direction; !worsened(rows, d) {
		t.Errorf("direction %v", d)
	}
}

func TestDBMTLRefuses(t *testing.T) {
	for want, c := range map[string][2]float64{"beta = 1": {1, 0}, "beta = -0.1": {-0.1, 0}, "sigma = -1": {0.5, -1}} {
		if _, err := NewDBMTL(c[0], c[1]); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v", c, err)
		}
	}
	in, r := input([][]float64{{1, 0}, {0, 3}}, []float64{1, 0})
	d := must(NewDBMTL(0.9, 0.5))
	if err := d.Weigh(r, in); err == nil || err.Error() != "dbmtl: loss 2 is 0; it must be above 0" {
		t.Errorf("a loss of 0: %v", err)
	}
	// If a gradient overflows when divided by its loss, the status is Diverged.
	in.Losses = []float64{1e-310, 1}
	if err := d.Weigh(r, in); err != nil || r.Status != algo.Diverged || length(r.Direction) != 0 {
		t.Errorf("%+v, %v", *r, err)
	}
}
