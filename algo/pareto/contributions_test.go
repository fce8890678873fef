package pareto

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestContributionsByHand compares contributions with areas computed by hand.
func TestContributionsByHand(t *testing.T) {
	for _, c := range []struct {
		points    [][]float64
		reference []float64
		want      []float64
	}{
		{nil, []float64{1, 1}, []float64{}},
		{[][]float64{{1, 3}, {2, 2}, {3, 1}}, []float64{4, 4}, []float64{1, 1, 1}},
		{[][]float64{{0, 2}, {2, 0}, {3, 3}}, []float64{4, 4}, []float64{4, 4, 0}}, // the third is dominated
		{[][]float64{{1, 1}, {2, 2}}, []float64{3, 3}, []float64{3, 0}},            // and leaves the first 4 − 1
		{[][]float64{{1, 1}, {1, 1}}, []float64{3, 3}, []float64{0, 0}},            // each is replaceable by the other
		{[][]float64{{1, 1}, {0, 5}, {3, 0}}, []float64{3, 3}, []float64{4, 0, 0}}, // two are not below the reference
		{[][]float64{{2}, {1}, {5}}, []float64{4}, []float64{0, 1, 0}},
		{[][]float64{{1, 2, 3}, {3, 1, 2}, {2, 3, 1}}, []float64{4, 4, 4}, []float64{3, 3, 3}},
		{[][]float64{{math.Inf(1), 0}, {0, 0}}, []float64{1, 1}, []float64{0, 1}},
	} {
		got, err := Contributions(c.points, c.reference)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("contributions of %v below %v: got %v, error %v, want %v", c.points, c.reference, got, err, c.want)
		}
	}
	if got, err := Contributions([][]float64{{-1e200, -1e200}}, []float64{1e200, 1e200}); err != nil || !math.IsInf(got[0], 1) {
		t.Errorf("a volume beyond all numbers: got %v, error %v, want +Inf", got, err)
	}
}

// TestContributionsAgainstFractions compares each point's contribution with the volume lost by removing the point,
// computed in exact arithmetic.
func TestContributionsAgainstFractions(t *testing.T) {
	for shape, draw := range shapes {
		if shape == "ends of the range" {
			continue
		}
		r := rand.New(rand.NewPCG(23, 24))
		for range 60 {
			m := 1 + r.IntN(5)
			var points [][]float64
			for range 1 + r.IntN([]int{1: 6, 2: 20, 3: 12, 4: 8, 5: 6}[m]) {
				points = append(points, draw(r, m))
				if r.IntN(8) == 0 {
					points = append(points, slices.Clone(points[r.IntN(len(points))]))
				}
			}
			reference := slices.Repeat([]float64{[]float64{1, 1.1, 3}[r.IntN(3)]}, m)
			got, err := Contributions(points, reference)
			if err != nil {
				t.Fatal(err)
			}
			all := exactVolume(fractions(points, reference), m)
			for i, p := range points {
				rest := exactVolume(fractions(slices.Delete(slices.Clone(points), i, i+1), reference), m)
				want, _ := new(big.Rat).Sub(all, rest).Float64()
				box := 1.0
				for k, v := range p {
					box *= max(0, reference[k]-v)
				}
				if math.Abs(got[i]-want) > 1e-15*box+1e-14*want {
					t.Errorf("%s, point %d of %v below %v: got %g, want %g", shape, i, points, reference, got[i], want)
				}
			}
		}
	}
}

// TestContributionsAreSmall checks that the contribution of a point on a dense front keeps its digits. A difference
// of two volumes would lose them.
func TestContributionsAreSmall(t *testing.T) {
	const n = 2000
	points := make([][]float64, n)
	for i := range points {
		points[i] = []float64{float64(i) / n, float64(n-1-i) / n}
	}
	got, err := Contributions(points, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if want := 1.0 / n / n; math.Abs(v-want) > 1e-12*want {
			t.Fatalf("point %d: got %g, want %g", i, v, want)
		}
	}
}

// TestContributionsRefuse checks that Contributions rejects the same input as Hypervolume.
func TestContributionsRefuse(t *testing.T) {
	for _, c := range []struct {
		points    [][]float64
		reference []float64
	}{
		{[][]float64{{1, math.NaN()}}, []float64{2, 2}},
		{[][]float64{{1}, {1, 2}}, []float64{2}},
		{[][]float64{{1}}, []float64{2, 2}},
		{[][]float64{{1}}, nil},
		{[][]float64{{1}}, []float64{math.Inf(1)}},
		{[][]float64{{math.Inf(-1)}}, []float64{1}},
	} {
		_, want := Hypervolume(c.points, c.reference)
		if _, err := Contributions(c.points, c.reference); err == nil || fmt.Sprint(err) != fmt.Sprint(want) {
			t.Errorf("contributions of %v below %v: error %v, want %v", c.points, c.reference, err, want)
		}
	}
}
