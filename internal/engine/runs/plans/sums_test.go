package plans

import (
	"math"
	"slices"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/problem"
)

// two returns a course on two quadratics with three solutions.
func two(t *testing.T) Course {
	t.Helper()
	p, err := problem.NewClusters([][]float64{{1, 0}, {-1, 0}}, problem.Quadratic)
	if err != nil {
		t.Fatal(err)
	}
	return Course{Problem: algo.Exact(p), Starts: [][]float64{{1, 1}, {-2, 0.5}, {0.1, -1}}, Horizon: 10, Seed: 4}
}

// TestPreference checks that the rays are evenly spaced for two objectives and drawn at random for more.
func TestPreference(t *testing.T) {
	c := two(t)
	for j, degrees := range []float64{15, 45, 75} {
		r := Preference(&c, j)
		if got := math.Atan2(r[1], r[0]) * 180 / math.Pi; math.Abs(got-degrees) > 1e-12 {
			t.Errorf("ray %d: got %v°, want %v°", j, got, degrees)
		}
	}
	many := course(t, 6, 2)
	if a, b := Preference(&many, 0), Preference(&many, 1); len(a) != 6 || slices.Equal(a, b) {
		t.Errorf("six objectives: got %v and %v", a, b)
	}
}

// TestMixturesOf checks that linearization descends on the reported sums, and that each solution ends at the minimum of
// its sum.
func TestMixturesOf(t *testing.T) {
	c := two(t)
	r, l := bound(2, 3, all()...)
	assign(t, l, "extended", "7")
	sums, err := r.MixturesOf(Linearization, c)
	if err != nil {
		t.Fatal(err)
	}
	stepper, err := r.Stepper(Linearization, &c)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if _, err := stepper.Step(); err != nil {
			t.Fatal(err)
		}
	}
	for j, w := range sums {
		if x := stepper.View().X[2*j : 2*j+2]; math.Abs(x[0]-(w[0]-w[1])) > 1e-12 || math.Abs(x[1]) > 1e-12 {
			t.Errorf("weights %v, solution %d: got end %v", w, j, x)
		}
	}
	if most, err := r.MixturesOf(Extended, c); err != nil || len(most) != 7 || most[0][0] != 1 || most[1][1] != 1 {
		t.Errorf("MosT-E: got %v, error %v", most, err)
	}
	if none, err := r.MixturesOf(MGDA, c); err != nil || none != nil {
		t.Errorf("MGDA: got %v, error %v", none, err)
	}
}

// TestSeen checks that, for a single point, MOO-SVGD takes MGDA's steps, also with signs and weight decay.
func TestSeen(t *testing.T) {
	for _, step := range []string{"plain", "sign", "adam"} {
		c := two(t)
		c.Starts = c.Starts[:1]
		r, l := bound(2, 1, all()...)
		assign(t, l, "step", step)
		r.Eta, r.WeightDecay = 0.03, 0.1
		var ends [2][]float64
		for i, method := range []string{MGDA, MOOSVGD} {
			stepper, err := r.Stepper(method, &c)
			if err != nil {
				t.Fatal(err)
			}
			for range 15 {
				if _, err := stepper.Step(); err != nil {
					t.Fatal(err)
				}
			}
			ends[i] = slices.Clone(stepper.View().X)
		}
		if d := math.Hypot(ends[0][0]-ends[1][0], ends[0][1]-ends[1][1]); !(d < 1e-12) {
			t.Errorf("%s steps: MGDA comes to %v, MOO-SVGD to %v", step, ends[0], ends[1])
		}
	}
}
