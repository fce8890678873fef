package runlog

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"paretoplay/internal/portable"
)

// These sentences compare the verdict with other training runs. A verdict contains them if the log has outcomes.
const (
	SentenceMended = "mended" // the log was right about whether a method could improve something
	SentenceAged   = "aged"   // old weights ended as well as new ones
)

// FigureNone is the Figure of a sentence that has no picture.
const FigureNone Figure = ""

// alike is the largest loss ratio, above 1, at which two training runs still count as equally good.
const alike = 1.05

// equalRule is the name of the rule of equal weights.
const equalRule = "ls"

// Beside compares the outcomes of other training runs on the recorded problem. Each ratio compares a run with a
// reference: the run with equal weights, or the run with new weights at every step. The ratio is the geometric mean,
// over the objectives, of the run's loss divided by the reference's loss.
type Beside struct {
	Equal  *Outcome
	Best   *Outcome // the other outcome with the smallest ratio
	Method *Outcome // the outcome of the first method in Methods; of several, the one with the smallest period; nil if there is none
	Old    *Outcome // the outcome of the same rule with the largest period among those in Stale; nil if there is none or Method has R > 1

	BestRatio, MethodRatio float64 // relative to Equal; NaN if there is no such outcome
	OldRatio               float64 // Old relative to Method; NaN if there is no Old
}

// Beside returns the comparison. It returns nil unless the log has outcomes of equal weights and of another rule,
// all of them with positive losses.
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

// ratio returns the geometric mean of the losses relative to another outcome's losses.
func (o *Outcome) ratio(to *Outcome) float64 {
	sum := 0.0
	for i, v := range o.Losses {
		sum += portable.Log(v) - portable.Log(to.Losses[i])
	}
	return portable.Exp(sum / float64(len(o.Losses)))
}

// right returns, in words, the fraction of correct answers, or "" if the fraction is unknown.
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

// became describes how a training run ended, relative to another run that the sentence has just mentioned.
func (o *Outcome) became(ratio float64, to *Outcome) string {
	text := fmt.Sprintf("%s ended at %s times its losses", o.Name, short(ratio))
	if to.Backprops > 0 {
		text += fmt.Sprintf(" for %s times the backpropagations", short(o.Backprops/to.Backprops))
	}
	return text + o.right()
}

// saysBeside compares the verdict with the outcomes of other training runs. It returns nil if there are none.
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
	s.Text = fmt.Sprintf("What became of it: the log said that there is %s for a method to improve. %s, equal weights reached a mean test "+
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
		"ended %s new ones, with one %s each.", r.Methods[0].Title(), short(b.MethodRatio), b.Method.right(),
		b.Old.became(b.OldRatio, b.Method), as, b.Equal.kind())
	if r.Stride > 1 {
		s.Text += " Here R counts steps, but in the log it counts records."
	}
	return append(out, s)
}

// beside describes the kind of training run, as the beginning of a sentence.
func (o *Outcome) beside() string {
	if o.Steps > 0 {
		return fmt.Sprintf("In a trial of %d steps", o.Steps)
	}
	return "In a separate training run"
}

// kind returns the noun for the kind of run: "trial", or "training run" for complete training.
func (o *Outcome) kind() string {
	if o.Steps > 0 {
		return "trial"
	}
	return "training run"
}

// wasRight returns the last sentence of a comparison, which says whether the log was right.
func (o *Outcome) wasRight(right bool) string {
	if right {
		return fmt.Sprintf("The log was right, with one %s per method.", o.kind())
	}
	return fmt.Sprintf("The log was wrong, with one %s per method.", o.kind())
}
