package runlog

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"paretoplay/internal/portable"
)

// The sentences that judge what a log said by trainings that were run beside it. They are there where it has outcomes of these.
const (
	SentenceMended = "mended" // what the log said of something to mend is what became of it
	SentenceAged   = "aged"   // old weights ended as well as new ones
)

// FigureNone is that of a sentence which is read off no picture.
const FigureNone Figure = ""

// alike is how far two trainings may end apart, as a ratio of losses above 1, and count as equally good.
const alike = 1.05

// equalRule is the rule of equal weights.
const equalRule = "ls"

// Beside compares the outcomes of the trainings that were run beside a recorded one. Ratios are of losses, to those with equal
// weights or with new weights at every step, as geometric means over the objectives.
type Beside struct {
	Equal  *Outcome
	Best   *Outcome // of all others, the one with the least ratio
	Method *Outcome // of the first of Methods, with the least period; nil for none
	Old    *Outcome // of the same rule, with the largest period of those in Stale; nil where there is none besides a Method with R = 1

	BestRatio, MethodRatio float64 // to Equal; NaN where there is none
	OldRatio               float64 // of Old to Method; NaN likewise
}

// Beside returns the comparison, nil where the log has no outcome of equal weights and of some other, all with positive losses.
func (r *Report) Beside() *Beside {
	b := &Beside{BestRatio: math.NaN(), MethodRatio: math.NaN(), OldRatio: math.NaN()}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if slices.ContainsFunc(o.Losses, func(v float64) bool { return v <= 0 }) {
			return nil
		}
		if b.Equal == nil && o.Rule == equalRule {
			b.Equal = o
		}
	}
	if b.Equal == nil || len(r.Outcomes) < 2 {
		return nil
	}
	var m *Method
	if len(r.Methods) > 0 {
		m = &r.Methods[0]
	}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if o == b.Equal {
			continue
		}
		if v := o.ratio(b.Equal); b.Best == nil || v < b.BestRatio {
			b.Best, b.BestRatio = o, v
		}
		if m != nil && o.Rule == m.Name && (b.Method == nil || o.Period < b.Method.Period) {
			b.Method, b.MethodRatio = o, o.ratio(b.Equal)
		}
	}
	if b.Method == nil || b.Method.Period != 1 {
		return b
	}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		tried := slices.ContainsFunc(m.Stale, func(s Stale) bool { return s.R == o.Period })
		if o.Rule == m.Name && o.Period > 1 && tried && (b.Old == nil || o.Period > b.Old.Period) {
			b.Old, b.OldRatio = o, o.ratio(b.Method)
		}
	}
	return b
}

// ratio is the geometric mean of the losses over those of another.
func (o *Outcome) ratio(to *Outcome) float64 {
	sum := 0.0
	for i, v := range o.Losses {
		sum += portable.Log(v) - portable.Log(to.Losses[i])
	}
	return portable.Exp(sum / float64(len(o.Losses)))
}

// right returns the share of right answers in words, "" where it is unknown.
func (o *Outcome) right() string {
	if o.Accuracy == nil {
		return ""
	}
	sum := 0.0
	for _, v := range o.Accuracy {
		sum += v / float64(len(o.Accuracy))
	}
	return fmt.Sprintf(", %s right", percent(sum))
}

// became says how a training ended, beside another of which was spoken just before.
func (o *Outcome) became(ratio float64, to *Outcome) string {
	text := fmt.Sprintf("%s ended at %s times its losses", o.Name, short(ratio))
	if to.Backprops > 0 {
		text += fmt.Sprintf(" for %s times the backpropagations", short(o.Backprops/to.Backprops))
	}
	return text + o.right()
}

// saysBeside judges the verdict by what became of the trainings beside the recorded one; nothing where nobody knows.
func (r *Report) saysBeside() (out []Sentence) {
	b := r.Beside()
	if b == nil {
		return nil
	}
	nothing := r.nothingToMend()
	s := Sentence{ID: SentenceMended, Figure: FigureNone, Holds: nothing == (b.BestRatio*alike >= 1)}
	said := "something"
	if nothing {
		said = "nothing"
	}
	mean := 0.0
	for _, v := range b.Equal.Losses {
		mean += v / float64(len(b.Equal.Losses))
	}
	var parts []string
	if b.Method != nil && b.Method != b.Best {
		parts = append(parts, b.Method.became(b.MethodRatio, b.Equal))
	}
	best := b.Best.became(b.BestRatio, b.Equal)
	if len(r.Outcomes) > 2 {
		best = "the best of the others, " + best
	}
	s.Text = fmt.Sprintf("What became of it: the log said that there is %s to mend. %s, equal weights reached a mean test "+
		"loss of %s%s; %s. %s", said, b.Equal.beside(), short(mean), b.Equal.right(), strings.Join(append(parts, best), "; "),
		b.Equal.wasRight(s.Holds))
	out = append(out, s)
	if b.Old == nil {
		return out
	}
	s = Sentence{ID: SentenceAged, Figure: FigureNone, Holds: b.OldRatio <= alike}
	as := "no worse than"
	if !s.Holds {
		as = "worse than"
	}
	s.Text = fmt.Sprintf("What became of old weights: with R = 1 %s ended at %s times the losses of equal weights%s; %s. Old weights "+
		"ended %s new ones, in one %s each.", r.Methods[0].Title(), short(b.MethodRatio), b.Method.right(),
		b.Old.became(b.OldRatio, b.Method), as, b.Equal.kind())
	if r.Stride > 1 {
		s.Text += " R counts steps here, and records in the log."
	}
	return append(out, s)
}

// beside says how a training was run.
func (o *Outcome) beside() string {
	if o.Steps > 0 {
		return fmt.Sprintf("In a trial of %d steps", o.Steps)
	}
	return "Trained beside it"
}

// kind says what the outcome is of.
func (o *Outcome) kind() string {
	if o.Steps > 0 {
		return "trial"
	}
	return "training"
}

// wasRight closes a sentence.
func (o *Outcome) wasRight(right bool) string {
	if right {
		return fmt.Sprintf("The log was right, in one %s each.", o.kind())
	}
	return fmt.Sprintf("The log was wrong, in one %s each.", o.kind())
}
