package runlog

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"
)

// shipped lists the logs of the site. testdata contains numpy's results for them.
var shipped = []string{"digits-two", "digits-eight", "digits-units"}

// oracle contains the reference results of a log. The min-norm points were found by enumerating supports.
type oracle struct {
	T, S          int
	ConflictShare float64     `json:"conflict_share"`
	PairConflict  [][]float64 `json:"pair_conflict"`
	MeanCosine    [][]float64 `json:"mean_cosine"`
	NormsRatio    float64     `json:"norms_ratio_median"`
	First         []float64   `json:"mgda_first"`
	Last          []float64   `json:"mgda_last"`
	Mean          []float64   `json:"mgda_mean"`
	HurtEqual     float64     `json:"hurt_equal"`
	HarmEqual     float64     `json:"harm_equal"`
	HurtMGDA      float64     `json:"hurt_mgda"`
	HurtFixed     float64     `json:"hurt_fixed_mgda_mean"`
	HarmFixed     float64     `json:"harm_fixed_mgda_mean"`
	OmegaFirst    float64     `json:"omega_first"`
	OmegaLast     float64     `json:"omega_last"`
	Stale         map[string]struct {
		Hurt, Harm float64
		Backprops  float64 `json:"backprops_per_step"`
	} `json:"stale_mgda"`
	Independent struct{ MGDA, Equal float64 } `json:"hurt_on_independent_batch"`
	Pairs       struct {
		Batch    float64
		Averaged float64 `json:"averaged_over_50"`
	} `json:"conflicting_pairs"`
	HurtAveraged float64   `json:"hurt_equal_averaged_over_50"`
	Signal       []float64 `json:"signal_share_mean"`
}

func readOracle(t testing.TB, name string) *oracle {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var o oracle
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	return &o
}

// TestOracles compares the figures of the shipped logs with every number in testdata. Fractions are counts divided by
// T, and must agree up to rounding. Min-norm points, and numbers that depend on them, must agree up to 1e-9.
func TestOracles(t *testing.T) {
	for _, name := range shipped {
		t.Run(name, func(t *testing.T) {
			o, l := readOracle(t, name), open(t, name)
			options := NewOptions()
			options.Series = true
			r, err := Analyse(l, options)
			if err != nil {
				t.Fatal(err)
			}
			check := func(what string, got, want, tolerance float64) {
				t.Helper()
				if !(math.Abs(got-want) <= tolerance) {
					t.Errorf("%s: %v, numpy makes %v", what, got, want)
				}
			}
			list := func(what string, got, want []float64, tolerance float64) {
				t.Helper()
				if len(got) != len(want) {
					t.Fatalf("%s: %v, numpy makes %v", what, got, want)
				}
				for i := range want {
					check(what, got[i], want[i], tolerance)
				}
			}
			const counted, solved = 1e-12, 1e-9
			check("T", float64(r.Records), float64(o.T), 0)
			check("S", float64(r.Objectives), float64(o.S), 0)
			check("conflict share", r.ConflictShare, o.ConflictShare, counted)
			var batch, averaged float64
			for _, p := range r.Pairs {
				check("conflict of a pair", p.Conflict, o.PairConflict[p.I][p.J], counted)
				check("mean cosine", p.Cosine, o.MeanCosine[p.I][p.J], counted)
				batch += p.Conflict / float64(len(r.Pairs))
				averaged += *p.Averaged / float64(len(r.Pairs))
			}
			check("pairs in conflict", batch, o.Pairs.Batch, counted)
			check("pairs in conflict, averaged", averaged, o.Pairs.Averaged, counted)
			check("ratio of norms", *r.NormRatio, o.NormsRatio, 1e-12*o.NormsRatio)
			check("hurt of equal weights", r.Equal.Hurt, o.HurtEqual, counted)
			check("harm of equal weights", r.Equal.Harm, o.HarmEqual, counted)
			check("independent, equal weights", *r.Equal.Independent, o.Independent.Equal, counted)
			check("averaged, equal weights", *r.Equal.AveragedHurt, o.HurtAveraged, counted)
			check("first omega", r.Omega.First, o.OmegaFirst, solved)
			check("last omega", r.Omega.Last, o.OmegaLast, solved)
			list("signal", r.Signal, o.Signal, counted)
			m := r.Methods[0]
			check("hurt", m.Hurt, o.HurtMGDA, counted)
			check("independent", *m.Independent, o.Independent.MGDA, counted)
			list("mean weights", m.MeanWeights, o.Mean, solved)
			check("hurt of fixed weights", m.Fixed.Hurt, o.HurtFixed, counted)
			check("harm of fixed weights", m.Fixed.Harm, o.HarmFixed, solved)
			s := r.Objectives
			list("first weights", m.Series.Weights[:s], o.First, solved)
			list("last weights", m.Series.Weights[len(m.Series.Weights)-s:], o.Last, solved)
			if len(m.Stale) != len(o.Stale) {
				t.Errorf("%d periods, numpy has %d", len(m.Stale), len(o.Stale))
			}
			for _, got := range m.Stale {
				want := o.Stale[strconv.Itoa(got.R)]
				check("hurt with R = "+strconv.Itoa(got.R), got.Hurt, want.Hurt, counted)
				check("harm with R = "+strconv.Itoa(got.R), got.Harm, want.Harm, solved)
				check("backpropagations with R = "+strconv.Itoa(got.R), got.Backprops, want.Backprops, counted)
			}
		})
	}
}
