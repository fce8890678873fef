package runlog

import (
	"strings"
	"testing"
)

// TestVerdictOnShippedLogs: the sentences hold where the specification of the figures says that they do.
func TestVerdictOnShippedLogs(t *testing.T) {
	for name, want := range map[string]string{"digits-two": "pairs sum", "digits-eight": "", "digits-units": "units"} {
		var holds []string
		for _, s := range analyse(t, open(t, name), NewOptions()).Verdict() {
			if s.Figure == "" {
				t.Errorf("%s: no figure belongs to %s", name, s.ID)
			}
			if s.Holds {
				holds = append(holds, s.ID)
			}
		}
		if got := strings.Join(holds, " "); got != want {
			t.Errorf("%s: %q hold, want %q", name, got, want)
		}
	}
}

// TestVerdictConditions: a sentence holds on one side of its bound, and says so.
func TestVerdictConditions(t *testing.T) {
	share := func(v float64) *float64 { return &v }
	base := func() *Report {
		return &Report{
			Records: 100, Objectives: 3, Names: []string{"a", "b c", "d"}, Stride: 1, Window: 50, Bound: 0.05, HasCross: true, Windows: 2,
			Pairs:     []Pair{{0, 1, 0.4, 0, share(0.3)}, {0, 2, 0.6, 0, share(0.5)}, {1, 2, 0.2, 0, share(0.4)}},
			NormRatio: share(10), Omega: Omega{1, 0.11},
			Equal: Equal{Figures: Figures{0.05, 0.02}, Independent: share(0.5), AveragedHurt: share(0)},
			Methods: []Method{{Name: "mgda", Independent: share(0.051),
				Stale: []Stale{{1, Figures{0, 0}, 3}, {2, Figures{0.06, 0.02}, 2}, {4, Figures{0.04, 0.03}, 1.5}, {8, Figures{0.3, 0.02}, 1.25}},
				Half:  &Half{Weights: []float64{0.2, 0.3, 0.5}, Fixed: Figures{0.1, 0.02}, Equal: Figures{0.1, 0.02}}}},
		}
	}
	for _, c := range []struct {
		id, says string
		holds    bool
		change   func(r *Report)
	}{
		{"pairs", "40 % of all pairs of gradients on single batches, 40 % averaged over 50 records. It stays, most in a and d (50 %), " +
			"“b c” and d (40 %).", false, func(*Report) {}},
		{"pairs", "mostly noise: measure with larger batches. What stays is a and d (50 %)", true, func(r *Report) {
			r.Pairs[0].Averaged, r.Pairs[2].Averaged = share(0), share(0)
		}},
		{"pairs", "Without a second batch (cross)", false, func(r *Report) {
			r.HasCross = false
			for i := range r.Pairs {
				r.Pairs[i].Averaged = nil
			}
		}},
		{"pairs", "0 % of all pairs", false, func(r *Report) {
			for i := range r.Pairs {
				r.Pairs[i].Conflict = 0
			}
		}},
		{"pairs", "one objective", false, func(r *Report) { r.Pairs = nil }},
		{"sum", "5 % of the records, harm .020", false, func(*Report) {}},
		{"sum", "nothing here for a method to mend, to first order", true, func(r *Report) { r.Equal.Hurt = 0.049 }},
		{"promise", "about its own batch", false, func(*Report) {}},
		{"promise", "about its own batch, but it helps on others too", false, func(r *Report) { r.Methods[0].Independent = share(0.25) }},
		{"promise", "survives", true, func(r *Report) { r.Methods[0].Independent = share(0.05) }},
		{"promise", "nobody knows", false, func(r *Report) { r.Methods[0].Independent = nil }},
		{"promise", "MoCo cannot be asked", false, func(r *Report) { r.Methods, r.Absent = nil, []Absent{{"moco", "so"}} }},
		{"age", "By harm, no more than of equal ones: R = 8 (1.25 backpropagations a step for 3). By hurt, at most 5 points above R = 1: R = 4",
			false, func(*Report) {}},
		{"age", "R = 8 (2 times less time", true, func(r *Report) {
			r.Bound, r.Forward, r.Backward, r.Stride = 0.06, 0.5, 1, 7
		}},
		{"age", "R = 1: R = 4 (1.5 backpropagations a step for 3). Both: new weights alone.", false, func(*Report) {}},
		{"age", "Both: R = 2.", true, func(r *Report) { r.Methods[0].Stale[1].Hurt = 0.05 }},
		{"age", "Both: no R.", false, func(r *Report) { r.Methods[0].Stale[0].Harm, r.Methods[0].Hurt = 0.03, 0 }},
		{"age", "Records are 7 steps apart.", false, func(r *Report) { r.Stride = 7 }},
		{"age", "not even R = 1", false, func(r *Report) {
			r.Equal.Harm = 0.01
			r.Methods[0].Stale[0].Harm = 0.02
		}},
		{"units", "Units do not decide", false, func(*Report) {}},
		{"units", "The scale decides", true, func(r *Report) { r.NormRatio = share(10.1) }},
		{"units", "some gradient is zero", true, func(r *Report) { r.NormRatio = nil }},
		{"fixed", ".20 .30 .50, the mean of MGDA in the first half. In the second they hurt in 10 %, harm .020; " +
			"equal ones in 10 %, harm .020: no better.",
			false, func(*Report) {}},
		{"fixed", "equal ones in 10 %, harm .020.", true, func(r *Report) { r.Methods[0].Half.Fixed.Harm = 0.019 }},
		{"fixed", "no positive sum", false, func(r *Report) { r.Methods[0].Half = nil }},
		{"end", "Something is left", false, func(*Report) {}},
		{"end", "little left", true, func(r *Report) { r.Omega.Last = 0.1 }},
	} {
		r := base()
		c.change(r)
		found := false
		for _, s := range r.Verdict() {
			if s.ID == c.id {
				found = true
				if s.Holds != c.holds || !strings.Contains(s.Text, c.says) {
					t.Errorf("%s: holds %v, %q; want %v, and %q in it", c.id, s.Holds, s.Text, c.holds, c.says)
				}
			}
		}
		if !found {
			t.Errorf("there is no sentence %s", c.id)
		}
	}
}

// TestPercent: only none is 0 %, and only all is 100 %.
func TestPercent(t *testing.T) {
	for v, want := range map[float64]string{0: "0 %", 1: "100 %", 0.001: "under 1 %", 0.9999: "over 99 %", 0.126: "13 %"} {
		if got := percent(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
