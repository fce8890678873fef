package weighting

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"paretoplay/algo"
)

func TestNew(t *testing.T) {
	for _, name := range Names() {
		if _, err := New(name, 3); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	rule, err := New("cagrad", 2, "c=0.25", "rescale=lin")
	if err != nil {
		t.Fatal(err)
	}
	want, err := NewCAGrad(0.25, RescaleLinear)
	if err != nil {
		t.Fatal(err)
	}
	gradients := &algo.Jacobian{Rows: 2, Cols: 2, Data: []float64{1, 0, -0.5, 1}}
	a, err := Direction(rule, gradients, nil)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := Direction(want, gradients, nil); err != nil || a.Direction[0] != b.Direction[0] || a.Direction[1] != b.Direction[1] {
		t.Errorf("settings have no effect: %v and %v, %v", a.Direction, b.Direction, err)
	}
	for _, c := range []struct {
		name     string
		m        int
		settings []string
		says     string
	}{
		{"cagard", 2, nil, "available rules: ls rlw"},
		{"mgda", 0, nil, "at least one"},
		{"cagrad", 2, []string{"c"}, "parameter=value"},
		{"cagrad", 2, []string{"c=-1"}, "c"},
		{"cagrad", 2, []string{"d=1"}, "d"},
	} {
		if _, err := New(c.name, c.m, c.settings...); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("New(%q, %d, %q): got error %v, want one with %q", c.name, c.m, c.settings, err, c.says)
		}
	}
}

// TestDirectionByHand checks that the shortest vector in the hull of (1, 0) and (−2, 1) is (.1, .3), with weights .7
// and .3.
func TestDirectionByHand(t *testing.T) {
	rule, err := New("mgda", 2)
	if err != nil {
		t.Fatal(err)
	}
	gradients := &algo.Jacobian{Rows: 2, Cols: 2, Data: []float64{1, 0, -2, 1}}
	got, err := Direction(rule, gradients, nil)
	if err != nil || !near(got.Direction, []float64{0.1, 0.3}, 1e-15) || !near(got.Weights, []float64{0.7, 0.3}, 1e-15) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = FromGramian(rule, []float64{1, -2, -2, 5}, nil)
	if err != nil || got.Direction != nil || !near(got.Weights, []float64{0.7, 0.3}, 1e-15) {
		t.Errorf("from the Gramian: %+v, %v", got, err)
	}
}

// TestFromGramian checks that a rule that does not read coordinates makes the same decision with the Gramian as with
// the gradients, at every scale.
func TestFromGramian(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, method := range Methods {
		for _, scale := range []float64{1, 1e-8, 1e8, 1e-150, 1e150} {
			for _, m := range []int{2, 3, 6} {
				gradients := algo.NewJacobian(m, 9)
				losses := make([]float64, m)
				for i := range gradients.Data {
					gradients.Data[i] = scale * random.NormFloat64()
				}
				for i := range losses {
					losses[i] = 1 + random.Float64()
				}
				gramian := make([]float64, m*m)
				gradients.Gram(gramian)
				want, err := Direction(must(New(method.Name, m)), gradients, losses)
				if err != nil {
					t.Fatalf("%s: %v", method.Name, err)
				}
				got, err := FromGramian(must(New(method.Name, m)), gramian, losses)
				if method.Coordinates {
					if err == nil {
						t.Errorf("FromGramian accepted %s, which reads coordinates", method.Name)
					}
					continue
				}
				if err != nil {
					t.Fatalf("%s: %v", method.Name, err)
				}
				largest := 0.0
				for _, v := range want.Weights {
					largest = max(largest, math.Abs(v))
				}
				if !near(got.Weights, want.Weights, 1e-7*largest) || got.Status != want.Status || got.Direction != nil {
					t.Errorf("%s, %d gradients of size %g: weights %v, by the gradients %v (%v, %v)", method.Name, m, scale, got.Weights, want.Weights,
						got.Status, want.Status)
				}
			}
		}
	}
}

// TestGramiansOfNoGradients checks that FromGramian rejects a matrix that cannot be a Gramian. It must accept
// duplicate, opposite and zero rows.
func TestGramiansOfNoGradients(t *testing.T) {
	for _, c := range []struct {
		gramian []float64
		fits    bool
	}{
		{[]float64{1, 1, 1, 1}, true},
		{[]float64{1, -1, -1, 1}, true},
		{[]float64{0, 0, 0, 4}, true},
		{[]float64{0, 0, 0, 0}, true},
		{[]float64{1e16, 1, 1, 1e-16}, true},
		{[]float64{1, 0.5, 0.5000001, 1}, false},
		{[]float64{1, 2, 2, 1}, false},
		{[]float64{0, 1, 1, 4}, false},
		{[]float64{-1, 0, 0, 4}, false},
		{[]float64{1, 0, 0}, false},
		{nil, false},
		{[]float64{1, math.NaN(), 0, 1}, false},
		{[]float64{1, -0.9, -0.9, -0.9, 1, -0.9, -0.9, -0.9, 1}, false},
	} {
		got, err := FromGramian(must(New("mgda", 2)), c.gramian, nil)
		var fault *InputError
		if c.fits != (err == nil) || err != nil && !errors.As(err, &fault) {
			t.Errorf("%v: %+v, %v", c.gramian, got, err)
		}
	}
	if _, err := FromGramian(nil, []float64{1}, nil); err == nil {
		t.Error("Direction accepted no rule")
	}
	var none *MGDA
	if _, err := Direction(none, algo.NewJacobian(2, 2), nil); err == nil {
		t.Error("FromGramian accepted a nil rule")
	}
	for _, j := range []*algo.Jacobian{nil, {Rows: 2, Cols: 2, Data: []float64{1, 2, 3}}, {Rows: 0, Cols: 2}} {
		if _, err := Direction(must(New("mgda", 2)), j, nil); err == nil {
			t.Errorf("accepted the gradients %+v", j)
		}
	}
}

// TestAfterGradDrop checks that a Result used by a rule without weights also works for other rules. Repeated decisions
// of GradDrop must not allocate.
func TestAfterGradDrop(t *testing.T) {
	var in algo.Input
	in.SetGradients(&algo.Jacobian{Rows: 2, Cols: 2, Data: []float64{1, 0, -2, 1}})
	out := algo.Result{Weights: make([]float64, 2), Direction: make([]float64, 2)}
	drop := must(New("graddrop", 2))
	if err := drop.Weigh(&out, &in); err != nil || out.Weights != nil {
		t.Fatalf("%+v, %v", out, err)
	}
	if n := testing.AllocsPerRun(10, func() { drop.Weigh(&out, &in) }); n != 0 {
		t.Errorf("GradDrop allocates %v times a call", n)
	}
	if err := must(New("mgda", 2)).Weigh(&out, &in); err != nil || !near(out.Weights, []float64{0.7, 0.3}, 1e-15) {
		t.Errorf("%+v, %v", out, err)
	}
}
