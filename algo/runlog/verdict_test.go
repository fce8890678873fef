package runlog

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestVerdictOnShippedLogs checks that the sentences hold exactly where the specification of the figures says that they hold.
func TestVerdictOnShippedLogs(t *testing.T) {
	for name, want := range map[string]string{"digits-two": "advice pairs sum", "digits-eight": "", "digits-units": "units"} {
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

// TestVerdictConditions checks that each sentence holds on only one side of its bound, and that its text changes with
// the side.
func TestVerdictConditions(t *testing.T) {
	share := func(v float64) *float64 { return &v }
	base := func() *Report {
		return &Report{
			Records: 100, Objectives: 3, Names: []string{"a", "b c", "d"}, Stride: 1, Window: 50, Bound: 0.05, HasCross: true, Windows: 2,
			Pairs:     []Pair{{0, 1, 0.4, 0, share(0.3)}, {0, 2, 0.6, 0, share(0.5)}, {1, 2, 0.2, 0, share(0.4)}},
			NormRatio: share(10), Omega: Omega{1, 0.11}, Scaled: []float64{0.2, 0.3, 0.5}, LossEnds: []LossEnds{{4, 1}, {1, 0.5}, {2, 1}},
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
		{"advice", "What to try: CAGrad, UPGrad or fixed weights .60 .90 1.50. This log cannot show whether one of them ends " +
			"better than the sum, but a trial can (replay -trial writes its program).", false, func(*Report) {}},
		{"advice", "What to do: keep the sum of the losses. This was right in ", true, func(r *Report) { r.Equal.Hurt = 0.049 }},
		{"advice", "What to try", false, func(r *Report) { r.Equal.Hurt, r.Equal.AveragedHurt = 0.049, share(0.5) }},
		{"advice", "multiply the losses by .60 .90 1.50, which equalises the median lengths of their gradients, and record again.", false,
			func(r *Report) { r.NormRatio = share(11) }},
		{"advice", "zero in at least half of the records", false, func(r *Report) { r.NormRatio, r.Scaled = nil, nil }},
		{"advice", "no weights are needed", false, func(r *Report) { r.Objectives = 1 }},
		{"pairs", "40 % of all pairs of gradients conflict if averaged over 50 records, 40 % on single batches. The conflict remains, " +
			"mostly between a and d (50 %), " +
			"“b c” and d (40 %).", false, func(*Report) {}},
		{"pairs", "27 % on single batches. The losses share the noise of a batch, which hides the conflict, mostly between a and d (100 %)",
			false, func(r *Report) {
				r.Pairs = []Pair{{0, 1, 0, 0, share(0.3)}, {0, 2, 0.8, 0, share(1)}, {1, 2, 0, 0, share(0.9)}}
			}},
		{"pairs", "100 % of all pairs of gradients conflict if averaged over 50 records, 0 % on single batches. The", false, func(r *Report) {
			for i := range r.Pairs {
				r.Pairs[i].Conflict, r.Pairs[i].Averaged = 0, share(1)
			}
		}},
		{"pairs", "mostly noise: measure with larger batches. The rest is between a and d (50 %)", true, func(r *Report) {
			r.Pairs[0].Averaged, r.Pairs[2].Averaged = share(0), share(0)
		}},
		{"pairs", "Without a second batch (cross)", false, func(r *Report) {
			r.HasCross = false
			for i := range r.Pairs {
				r.Pairs[i].Averaged = nil
			}
		}},
		{"pairs", "0 % of all pairs of gradients conflict if averaged over 50 records, 0 % on single batches.", false, func(r *Report) {
			for i := range r.Pairs {
				r.Pairs[i].Conflict, r.Pairs[i].Averaged = 0, share(0)
			}
		}},
		{"pairs", "one objective", false, func(r *Report) { r.Pairs = nil }},
		{"sum", "an objective in 0 % of the windows averaged over 50 records, and in 5 % of single records (mean harm .020). There is", false,
			func(*Report) {}},
		{"sum", "an objective in 5 % of the records (mean harm .020). There is something", false, func(r *Report) { r.Equal.AveragedHurt = nil }},
		{"sum", "There is something for a method to improve", false, func(r *Report) { r.Equal.Hurt, r.Equal.AveragedHurt = 0, share(0.05) }},
		{"sum", "To first order, there is nothing for a method to improve", true, func(r *Report) { r.Equal.Hurt = 0.049 }},
		{"promise", "holds only on its own batch", false, func(*Report) {}},
		{"promise", "holds only on its own batch, but it also helps", false, func(r *Report) { r.Methods[0].Independent = share(0.25) }},
		{"promise", "also holds on the other batch", true, func(r *Report) { r.Methods[0].Independent = share(0.05) }},
		{"promise", "its effect on another batch is unknown", false, func(r *Report) { r.Methods[0].Independent = nil }},
		{"promise", "MoCo cannot be applied", false, func(r *Report) { r.Methods, r.Absent = nil, []Absent{{"moco", "so"}} }},
		{"age", "If held for 8 records, their harm is .020. The harm of new weights is 0, of equal weights .020. Nevertheless, training " +
			"with weights held for 8 steps should end no worse, with 1.25 backpropagations per step instead of 3. This was right in ",
			false, func(*Report) {}},
		{"age", "with 2 times less time for gradients", true, func(r *Report) {
			r.Bound, r.Forward, r.Backward, r.Stride = 0.06, 0.5, 1, 7
		}},
		{"age", "If held for 4 records, their harm is .030", true, func(r *Report) {
			r.Methods[0].Stale = r.Methods[0].Stale[:3]
			r.Methods[0].Stale[1].Hurt = 0.05
		}},
		{"age", "Records are 7 steps apart. Nevertheless", false, func(r *Report) { r.Stride = 7 }},
		{"age", "Only R = 1", false, func(r *Report) { r.Methods[0].Stale = r.Methods[0].Stale[:1] }},
		{"trade", "All losses fell together", false, func(*Report) {}},
		{"trade", "rose: “b c” from 1 to 1.5. A method may keep them down by learning less of the others. This log cannot show whether one does.",
			true, func(r *Report) { r.LossEnds[1].Last = 1.5 }},
		{"trade", "did not fall", false, func(r *Report) { r.LossEnds[1].Last = 5 }},
		{"trade", "has no losses", false, func(r *Report) { r.LossEnds = nil }},
		{"units", "The units of the losses do not dominate", false, func(*Report) {}},
		{"units", "The scale of the losses matters more than the method", true, func(r *Report) { r.NormRatio = share(10.1) }},
		{"units", "a gradient is zero", true, func(r *Report) { r.NormRatio = nil }},
		{"fixed", ".20 .30 .50, the mean of MGDA in the first half. In the second half, they hurt an objective in 10 % " +
			"of the records (mean harm .020), and equal weights in 10 % (mean harm .020). They are no better. Do not expect them to end " +
			"better. This was right in ",
			false, func(*Report) {}},
		{"fixed", "10 % (mean harm .020). This log cannot show whether they end no worse than the sum and MGDA. They did in ", true,
			func(r *Report) { r.Methods[0].Half.Fixed.Harm = 0.019 }},
		{"fixed", "no positive sum", false, func(r *Report) { r.Methods[0].Half = nil }},
		{"end", "all losses together can still improve", false, func(*Report) {}},
		{"end", "all losses together can hardly improve further", true, func(r *Report) { r.Omega.Last = 0.1 }},
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

// TestBeside checks that the verdict is compared with outcomes of other training runs. Without outcomes, the verdict
// must not change.
func TestBeside(t *testing.T) {
	base := Report{Objectives: 2, Stride: 1, Bound: 0.05, Equal: Equal{Figures: Figures{Hurt: 0.4, Harm: 0.1}},
		Methods: []Method{{Name: "mgda", Stale: []Stale{{R: 1}, {R: 8, Figures: Figures{Hurt: 0.5, Harm: 0.2}}}}}}
	equal := Outcome{Name: "Equal weights", Rule: "ls", Period: 1, Backprops: 100, Losses: []float64{0.1, 0.2}, Accuracy: []float64{0.9, 0.8}}
	mgda := Outcome{Name: "MGDA", Rule: "mgda", Period: 1, Backprops: 4000, Losses: []float64{0.4, 0.2}, Accuracy: []float64{0.5, 0.8}}
	old := Outcome{Name: "PSMGD, R = 8", Rule: "mgda", Period: 8, Backprops: 600, Losses: []float64{0.2, 0.1}, Accuracy: []float64{0.9, 0.8}}
	other := Outcome{Name: "UPGrad", Rule: "upgrad", Period: 1, Backprops: 4000, Losses: []float64{0.05, 0.1}, Accuracy: []float64{1, 1}}
	worse, trial := old, equal
	worse.Losses, trial.Steps = []float64{0.9, 0.9}, 40
	for _, c := range []struct {
		change   func(r *Report)
		outcomes []Outcome
		mended   string
		aged     string
		holds    string
	}{
		{nil, nil, "", "", ""},
		{nil, []Outcome{equal}, "", "", ""},
		{nil, []Outcome{mgda, other}, "", "", ""},
		{nil, []Outcome{equal, {Rule: "mgda", Period: 1, Losses: []float64{0, 1}}}, "", "", ""},
		{nil, []Outcome{equal, mgda}, "What became of it: the log said that there is something for a method to improve. In a separate " +
			"training run, equal weights reached a mean test loss of 0.15, 85 % right; MGDA ended at 2 times its losses for 40 times the " +
			"backpropagations, 65 % right. The log was wrong, with one training run per method.", "", "false"},
		{func(r *Report) { r.Equal.Hurt = 0.01 }, []Outcome{equal, mgda}, "nothing for a method to improve", "", "true"},
		{nil, []Outcome{equal, mgda, other}, "MGDA ended at 2 times its losses for 40 times the backpropagations, 65 % right; the best of the " +
			"others, UPGrad ended at 0.5 times its losses", "", "true"},
		{func(r *Report) { r.Equal.Hurt = 0.01 }, []Outcome{other, equal}, "UPGrad ended at 0.5 times", "", "false"},
		{nil, []Outcome{equal, mgda, old}, "the best of the others, PSMGD, R = 8 ended at 1 times", "What became of old weights: with R = 1 " +
			"MGDA ended at 2 times the losses of equal weights, 65 % right; PSMGD, R = 8 ended at 0.5 times its losses for 0.15 times the " +
			"backpropagations, 85 % right. Old weights ended no worse than new ones, with one training run each.", "false true"},
		{func(r *Report) { r.Stride = 3 }, []Outcome{equal, mgda, worse}, "something", "Old weights ended worse than new ones", "false false"},
		{nil, []Outcome{trial, mgda}, "In a trial of 40 steps, equal weights reached a mean test loss of 0.15, 85 % right; MGDA ended at 2 " +
			"times its losses for " +
			"40 times the backpropagations, 65 % right. The log was wrong, with one trial per method.", "", "false"},
		{func(r *Report) { r.Methods[0].Stale[1].R = 4 }, []Outcome{equal, mgda, old}, "something", "", "false"},
		{func(r *Report) { r.Methods = nil }, []Outcome{equal, mgda, old}, "something", "", "false"},
		{nil, []Outcome{equal, old}, "PSMGD, R = 8 ended at 1 times its losses for 6 times", "", "false"},
	} {
		r := base
		r.Methods = []Method{base.Methods[0]}
		r.Methods[0].Stale = slices.Clone(base.Methods[0].Stale)
		if c.change != nil {
			c.change(&r)
		}
		r.Outcomes = c.outcomes
		var texts [2]string
		var holds []string
		for _, s := range r.saysBeside() {
			i := map[string]int{SentenceMended: 0, SentenceAged: 1}[s.ID]
			texts[i] = s.Text
			holds = append(holds, fmt.Sprint(s.Holds))
		}
		for i, want := range []string{c.mended, c.aged} {
			if (want == "") != (texts[i] == "") || !strings.Contains(texts[i], want) {
				t.Errorf("sentence %d: %q, want %q", i, texts[i], want)
			}
		}
		if got := strings.Join(holds, " "); got != c.holds {
			t.Errorf("%q: they hold %s, want %s", texts, got, c.holds)
		}
		if strings.Contains(texts[1], "R counts steps, but") != (r.Stride > 1 && texts[1] != "") {
			t.Errorf("the stride is %d: %s", r.Stride, texts[1])
		}
	}
}

// TestPercent checks that only a fraction of 0 is 0 %, and only a fraction of 1 is 100 %.
func TestPercent(t *testing.T) {
	for v, want := range map[float64]string{0: "0 %", 1: "100 %", 0.001: "under 1 %", 0.9999: "over 99 %", 0.126: "13 %"} {
		if got := percent(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
