package pareto

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"paretoplay/algo"
)

func TestDominance(t *testing.T) {
	for _, c := range []struct {
		a, b                          []float64
		weakly, dominates, everywhere bool
	}{
		{[]float64{1, 2}, []float64{1, 2}, true, false, false},
		{[]float64{1, 2}, []float64{1, 3}, true, true, false},
		{[]float64{0, 2}, []float64{1, 3}, true, true, true},
		{[]float64{0, 4}, []float64{1, 3}, false, false, false},
		{[]float64{2, 3}, []float64{1, 3}, false, false, false},
		{[]float64{math.Inf(-1)}, []float64{0}, true, true, true},
		{[]float64{math.NaN(), 0}, []float64{1, 1}, false, false, false},
	} {
		if w, d, s := WeaklyDominates(c.a, c.b), Dominates(c.a, c.b), StrictlyDominates(c.a, c.b); w != c.weakly || d != c.dominates ||
			s != c.everywhere {
			t.Errorf("%v, %v: weakly %v, dominates %v, strictly %v", c.a, c.b, w, d, s)
		}
	}
	for name, f := range map[string]func(a, b []float64) bool{"weak": WeaklyDominates, "plain": Dominates, "strict": StrictlyDominates} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s accepts different lengths", name)
				}
			}()
			f([]float64{1}, []float64{1, 2})
		}()
	}
}

func TestNonDominatedByHand(t *testing.T) {
	for _, c := range []struct {
		points [][]float64
		want   []int
	}{
		{nil, nil},
		{[][]float64{{3}, {1}, {2}, {1}}, []int{1, 3}},
		{[][]float64{{2, 2}, {1, 3}, {3, 1}, {2, 2}, {2, 3}, {3, 3}}, []int{0, 1, 2, 3}},
		{[][]float64{{1, 1}, {1, 2}, {2, 1}}, []int{0}},
		{[][]float64{{0, math.Inf(1)}, {math.Inf(-1), 5}, {0, 5}}, []int{1}},
		{[][]float64{{1, 2, 3}, {3, 2, 1}, {2, 2, 2}, {3, 3, 3}, {2, 2, 2}}, []int{0, 1, 2, 4}},
	} {
		if got, err := NonDominated(c.points); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v, %v; want %v", c.points, got, err, c.want)
		}
	}
}

func TestBadPoints(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		points    [][]float64
		reference []float64
		want      string
	}{
		{[][]float64{{1, 2}, {1}}, []float64{3, 3}, "point 1 has 1 objectives, point 0 has 2"},
		{[][]float64{{1, 2}, {5, nan}}, []float64{3, 3}, "objective 1 of point 1 is NaN"},
		{[][]float64{{1, 2}}, []float64{3}, "points have 2 objectives, the reference has 1"},
		{[][]float64{{1, 2}}, []float64{3, math.Inf(1)}, "objective 1 of the reference is +Inf, it must be finite"},
		{[][]float64{{1, 2}}, []float64{nan, 1}, "objective 0 of the reference is NaN, it must be finite"},
		{[][]float64{{1, 2}}, nil, "reference has no objectives"},
		{[][]float64{{1, math.Inf(-1)}}, []float64{3, 3}, "objective 1 of point 0 is -Inf, too far from the reference's 3"},
	} {
		if _, err := Hypervolume(c.points, c.reference); err == nil || err.Error() != c.want {
			t.Errorf("%v below %v: got %v, want %s", c.points, c.reference, err, c.want)
		}
	}
	if _, err := NonDominated([][]float64{{1, 2}, {nan, 0}}); err == nil {
		t.Error("NonDominated accepts NaN")
	}
}

func TestHypervolumeOracle(t *testing.T) {
	data, err := os.ReadFile("testdata/zdt_hypervolume.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Hypervolume []struct {
			Name   string
			Points [][]float64
			Ref    []float64
			HV     float64
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Hypervolume) < 10 {
		t.Fatalf("%d cases, want 10", len(file.Hypervolume))
	}
	for _, c := range file.Hypervolume {
		got, err := Hypervolume(c.Points, c.Ref)
		if err != nil || !(math.Abs(got-c.HV) <= 1e-13*c.HV) {
			t.Errorf("%s: %.17g, %v; want %.17g", c.Name, got, err, c.HV)
		}
	}
}

func TestHypervolumeByHand(t *testing.T) {
	for _, c := range []struct {
		points    [][]float64
		reference []float64
		want      float64
	}{
		{nil, []float64{1}, 0},
		{[][]float64{{0.25}, {0.5}}, []float64{1}, 0.75},
		{[][]float64{{0, 0, 0, 0}}, []float64{1, 2, 3, 4}, 24},
		{[][]float64{{0, 0, 0, 0}, {1, 1, 1, 1}}, []float64{1, 2, 3, 4}, 24}, // the second is on the reference's edge
		{[][]float64{{math.Inf(1), 0}, {0, 0}}, []float64{1, 1}, 1},
		// Two boxes 1×2×2×2 and 2×1×2×2 share 1×1×2×2.
		{[][]float64{{1, 0, 0, 0}, {0, 1, 0, 0}}, []float64{2, 2, 2, 2}, 12},
	} {
		if got, err := Hypervolume(c.points, c.reference); err != nil || got != c.want {
			t.Errorf("%v below %v: %g, %v; want %g", c.points, c.reference, got, err, c.want)
		}
	}
}

// inclusionExclusion sums the volumes shared by the points of each non-empty subset, with alternating signs.
func inclusionExclusion(points [][]float64, reference []float64) float64 {
	var total float64
	for set := 1; set < 1<<len(points); set++ {
		volume := -1.0
		for k, r := range reference {
			worst := math.Inf(-1)
			for i, p := range points {
				if set>>i&1 == 1 {
					worst = max(worst, p[k])
				}
			}
			volume *= max(r-worst, 0)
		}
		for i := range points {
			if set>>i&1 == 1 {
				volume = -volume
			}
		}
		total += volume
	}
	return total
}

func TestHypervolumeAgainstInclusionExclusion(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		m, n := 1+r.IntN(7), r.IntN(10)
		integers := r.IntN(2) == 0 // with ties, duplicates and points on the reference
		points := make([][]float64, n)
		reference := make([]float64, m)
		for k := range reference {
			reference[k] = 4
		}
		for i := range points {
			points[i] = make([]float64, m)
			for k := range points[i] {
				points[i][k] = 5 * r.Float64()
				if integers {
					points[i][k] = math.Floor(points[i][k])
				}
			}
		}
		copied := make([][]float64, n)
		for i, p := range points {
			copied[i] = slices.Clone(p)
		}
		want := inclusionExclusion(points, reference)
		got, err := Hypervolume(points, reference)
		if err != nil || !(math.Abs(got-want) <= 1e-12*math.Pow(4, float64(m))) || integers && got != want {
			t.Fatalf("%v: %.17g, %v; want %.17g", points, got, err, want)
		}
		for i, p := range points {
			if !slices.Equal(p, copied[i]) {
				t.Fatalf("point %d was modified", i)
			}
		}
	}
}

// TestHypervolumeOfPrisms compares the recursion with the sweep. Points that share a value of the fourth objective
// cover a prism over the volume that they cover in the first three.
func TestHypervolumeOfPrisms(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 63, 64, 65, 300} {
		flat, prism := make([][]float64, n), make([][]float64, n)
		for i := range flat {
			flat[i] = sphere(r, 3)
			prism[i] = append(slices.Clone(flat[i]), 0.5)
		}
		a, err := Hypervolume(flat, []float64{1, 1, 1})
		if err != nil {
			t.Fatal(err)
		}
		b, err := Hypervolume(prism, []float64{1, 1, 1, 2.5})
		if err != nil || math.Abs(b-2*a) > 1e-12*a {
			t.Errorf("%d points: %g, prism %g, %v", n, a, b, err)
		}
	}
}

// TestSweepOfManyPoints compares the staircase with slices, for so many points that the staircase has more than one
// level.
func TestSweepOfManyPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	points := make([][]float64, 6000)
	for i := range points {
		points[i] = sphere(r, 3)
	}
	got, err := Hypervolume(points, []float64{1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	// Between two neighbouring values of the third coordinate, only the points below contribute to the area.
	byThird := slices.Clone(points)
	slices.SortFunc(byThird, func(p, q []float64) int { return slices.Compare(p[2:], q[2:]) })
	var want float64
	for i := range 600 {
		top := 1.0
		if i+1 < 600 {
			top = byThird[i+1][2]
		}
		area, err := Hypervolume(firstTwo(byThird[:i+1]), []float64{1, 1})
		if err != nil {
			t.Fatal(err)
		}
		want += area * (top - byThird[i][2])
	}
	part, err := Hypervolume(byThird[:600], []float64{1, 1, 1})
	if err != nil || math.Abs(part-want) > 1e-12*want {
		t.Errorf("600 points: %.15g, %v; slices give %.15g", part, err, want)
	}
	// The covered region is inside an eighth of the ball around (1, 1, 1).
	if bound := math.Pi / 6; !(got > part && got < bound && got > bound-0.03) {
		t.Errorf("6000 points: %g, the whole front %g", got, bound)
	}
}

func firstTwo(points [][]float64) [][]float64 {
	out := make([][]float64, len(points))
	for i, p := range points {
		out[i] = p[:2]
	}
	return out
}

// sphere draws a point of the part of the unit sphere around (1, …, 1) that faces the origin. Such points do not
// dominate each other.
func sphere(r *rand.Rand, m int) []float64 {
	p := make([]float64, m)
	var square float64
	for k := range p {
		p[k] = math.Abs(r.NormFloat64())
		square += p[k] * p[k]
	}
	for k := range p {
		p[k] = 1 - p[k]/math.Sqrt(square)
	}
	return p
}

func TestStationarity(t *testing.T) {
	var s Stationarity
	for _, c := range []struct {
		rows      [][]float64
		want      float64
		tolerance float64
	}{
		{[][]float64{{1, 0}, {0, 1}}, math.Sqrt2 / 2, 1e-15},
		{[][]float64{{1, 0}, {0, 2}}, 2 / math.Sqrt(5), 1e-15},
		{[][]float64{{3, 4}}, 5, 0},
		{[][]float64{{1, 1}, {-3, -3}}, 0, 1e-15},
		{[][]float64{{0, 0}, {1, 0}}, 0, 0},
		// √(λᵀGGᵀλ) would give 0 or 1e-8 here.
		{[][]float64{{1, 1e-12}, {-1, 1e-12}}, 1e-12, 1e-25},
		{[][]float64{{1, 0, 1e-12}, {-1, 1, 1e-12}, {0, -1, 1e-12}}, 1e-12, 1e-16},
		{[][]float64{{3e-200, 0}, {0, 4e-200}}, 2.4e-200, 1e-214},
	} {
		j := algo.NewJacobian(len(c.rows), len(c.rows[0]))
		for i, r := range c.rows {
			copy(j.Row(i), r)
		}
		if got := s.Measure(j); !(math.Abs(got-c.want) <= c.tolerance) {
			t.Errorf("%v: %g, want %g", c.rows, got, c.want)
		}
		want := make([]float64, j.Cols)
		j.Combine(want, s.Weights())
		if !slices.Equal(want, s.Direction()) {
			t.Errorf("%v: direction %v, of the weights %v", c.rows, s.Direction(), want)
		}
		if n := testing.AllocsPerRun(10, func() { s.Measure(j) }); n != 0 {
			t.Errorf("%v: %g allocations", c.rows, n)
		}
	}
	if got := s.Measure(&algo.Jacobian{Rows: 1, Cols: 2, Data: []float64{math.NaN(), 0}}); !math.IsNaN(got) {
		t.Errorf("NaN: %g", got)
	}
}

func BenchmarkStationarity(b *testing.B) {
	j := algo.NewJacobian(2, 2)
	copy(j.Data, []float64{1, 0.3, -0.4, 2})
	var s Stationarity
	b.ReportAllocs()
	for b.Loop() {
		s.Measure(j)
	}
}
