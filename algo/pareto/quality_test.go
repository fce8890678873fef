package pareto

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
)

func TestQualityOracle(t *testing.T) {
	var oracle struct {
		Fronts []struct {
			Name      string
			Methods   map[string][][]float64
			Reference [][]float64
			Results   map[string]struct {
				Nondominated  []int
				Front         [][]float64
				Purity, Gamma float64
				Delta         *float64 `json:"delta_absolute_ends"`
			}
		}
	}
	data, err := os.ReadFile("testdata/fronts.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	if len(oracle.Fronts) != 9 {
		t.Fatalf("%d cases", len(oracle.Fronts))
	}
	same := func(a, b [][]float64) bool { return slices.EqualFunc(a, b, slices.Equal[[]float64]) }
	for _, c := range oracle.Fronts {
		names := slices.Sorted(maps.Keys(c.Methods))
		var sets [][][]float64
		for _, name := range names {
			sets = append(sets, c.Methods[name])
			if kept, err := NonDominated(c.Methods[name]); err != nil || !slices.Equal(kept, c.Results[name].Nondominated) {
				t.Errorf("%s, %s: %v are not dominated, want %v; %v", c.Name, name, kept, c.Results[name].Nondominated, err)
			}
		}
		qualities, reference, err := Compare(sets...)
		if err != nil || !same(reference, c.Reference) {
			t.Errorf("%s: the reference is %v, want %v; %v", c.Name, reference, c.Reference, err)
		}
		for i, name := range names {
			got, want := qualities[i], c.Results[name]
			if !same(got.Front, want.Front) {
				t.Errorf("%s, %s: the front is %v, want %v", c.Name, name, got.Front, want.Front)
			}
			if math.Abs(got.Purity-want.Purity) > 1e-15 || math.Abs(got.Gamma-want.Gamma) > 1e-15 {
				t.Errorf("%s, %s: purity %v and Γ %v, want %v and %v", c.Name, name, got.Purity, got.Gamma, want.Purity, want.Gamma)
			}
			if got.HasDelta != (want.Delta != nil) || want.Delta != nil && math.Abs(got.Delta-*want.Delta) > 1e-15 {
				t.Errorf("%s, %s: Δ is %v, %v, want %v", c.Name, name, got.Delta, got.HasDelta, want.Delta)
			}
		}
	}
}

// TestQualityByHand compares the measures of two fronts with numbers computed by hand. The reference is (0, 4), (1,
// 2), (2, 1), (5, 0). A's front is (0, 4), (2, 1), (5, 0), which is part of the reference. Its gaps are 0, 2, 3, 0
// and 0, 1, 3, 0, so Γ = 3 and Δ = max(1/5, 2/4). B's front is (1, 2), (3, 1). Half of it is in the reference. Its
// gaps are 1, 2, 2 and 1, 1, 2, so Γ = 2 and Δ = max(3/5, 3/4).
func TestQualityByHand(t *testing.T) {
	qualities, reference, err := Compare(
		[][]float64{{5, 0}, {0, 4}, {2, 1}, {2, 2}, {2, 1}},
		[][]float64{{3, 1}, {1, 2}, {4, 3}},
		nil)
	if err != nil || len(reference) != 4 {
		t.Fatal(reference, err)
	}
	for i, want := range []Quality{
		{Purity: 1, Gamma: 3, Delta: 0.5, HasDelta: true}, {Purity: 0.5, Gamma: 2, Delta: 0.75, HasDelta: true}, {},
	} {
		got := qualities[i]
		if len(got.Front) != [...]int{3, 2, 0}[i] || got.Purity != want.Purity || got.Gamma != want.Gamma || got.Delta != want.Delta ||
			got.HasDelta != want.HasDelta {
			t.Errorf("set %d: %+v, want %+v", i, got, want)
		}
	}
	qualities, reference, err = Compare([][]float64{{1, 1}, {1, 1}}, [][]float64{{2, 3}, {3, 2}})
	if err != nil || len(reference) != 1 {
		t.Fatal(reference, err)
	}
	if q := qualities[1]; q.Purity != 0 || q.Gamma != 1 || q.HasDelta {
		t.Errorf("behind a single point: %+v", q)
	}
	if q := qualities[0]; q.Purity != 1 || q.Gamma != 0 || q.HasDelta {
		t.Errorf("a single point: %+v", q)
	}
	if qualities, reference, err := Compare(); err != nil || len(qualities) != 0 || len(reference) != 0 {
		t.Errorf("nothing: %v, %v, %v", qualities, reference, err)
	}
}

// TestQualityInvariances checks that the measures do not depend on the order of points or methods, or on duplicates and
// dominated points. Changing the common unit of all objectives must scale Γ and must not change anything else.
func TestQualityInvariances(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 200 {
		m := 1 + r.IntN(4)
		sets := make([][][]float64, 1+r.IntN(3))
		for i := range sets {
			for range 1 + r.IntN(20) {
				p := shapes[[]string{"front", "ties", "opposites"}[r.IntN(3)]](r, m)
				sets[i] = append(sets[i], p)
			}
		}
		want, reference, err := Compare(sets...)
		if err != nil {
			t.Fatal(err)
		}
		for _, unit := range []float64{1, 0x1p-27, 0x1p27, 0x1p990, 0x1p-990} {
			changed := make([][][]float64, len(sets))
			for i, set := range sets {
				for _, j := range r.Perm(len(set)) {
					p, worse := make([]float64, m), make([]float64, m)
					for k, v := range set[j] {
						p[k], worse[k] = unit*v, unit*(v+float64(r.IntN(2)))
					}
					changed[len(sets)-1-i] = append(changed[len(sets)-1-i], p, worse, slices.Clone(p))
				}
			}
			got, other, err := Compare(changed...)
			if err != nil || len(other) != len(reference) {
				t.Fatalf("%v: a reference of %d points, not %d; %v", sets, len(other), len(reference), err)
			}
			for i, w := range want {
				g := got[len(sets)-1-i]
				if g.Purity != w.Purity || g.Gamma != unit*w.Gamma || g.HasDelta != w.HasDelta || math.Abs(g.Delta-w.Delta) > 1e-13 {
					t.Fatalf("%v in units of %g: %+v, want %+v", sets, unit, g, w)
				}
				if !(w.Purity >= 0 && w.Purity <= 1) || !(w.Gamma >= 0) || !(w.Delta >= 0) || math.IsInf(w.Gamma+w.Delta, 1) {
					t.Fatalf("%v: %+v", sets, w)
				}
			}
		}
	}
}

func TestQualityRefuses(t *testing.T) {
	for want, sets := range map[string][][][]float64{
		"point 1 of set 0 has 1 objectives, the first point has 2":                               {{{1, 2}, {1}}},
		"point 0 of set 1 has 3 objectives, the first point has 2":                               {{{1, 2}}, {{1, 2, 3}}},
		"point 1 of set 1 has NaN in objective 0, it must be finite and at most 1e+300 in size":  {{{1, 2}}, {{1, 2}, {math.NaN(), 2}}},
		"point 0 of set 0 has +Inf in objective 1, it must be finite and at most 1e+300 in size": {{{1, math.Inf(1)}}},
	} {
		_, _, err := Compare(sets...)
		var refused *algo.RangeError
		if !errors.As(err, &refused) || err.Error() != want {
			t.Errorf("%v: %v, want %s", sets, err, want)
		}
	}
	if _, _, err := Compare([][]float64{{-1e300, 1e300}, {1e300, -1e300}, {0, 0}}); err != nil {
		t.Error(err)
	}
	_, err := NonDominated([][]float64{{1, 2}, {math.NaN(), 0}})
	if err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Error(err)
	}
}

// BenchmarkCompare compares two methods, each with the end points of 231 runs.
func BenchmarkCompare(b *testing.B) {
	r := rand.New(rand.NewPCG(19, 20))
	sets := make([][][]float64, 2)
	for i := range sets {
		for range 231 {
			sets[i] = append(sets[i], sphere(r, 3))
		}
	}
	for b.Loop() {
		if _, _, err := Compare(sets...); err != nil {
			b.Fatal(err)
		}
	}
}
