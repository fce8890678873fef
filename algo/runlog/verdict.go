package runlog

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Figure names the picture that a sentence is read off.
type Figure string

// The figures of a log.
const (
	FigureConflict Figure = "conflict" // cosines over the records, raw and averaged
	FigureHurt     Figure = "hurt"     // who is hurt: method by record, on its own batch and on the other
	FigureAge      Figure = "age"      // harm and hurt over R
	FigureLengths  Figure = "lengths"  // losses and gradient lengths
	FigureWeights  Figure = "weights"  // of the method, over the records
)

// Sentence is one of the verdict.
type Sentence struct {
	ID     string `json:"id"` // pairs, sum, promise, age, units, fixed, end, mended or aged
	Text   string `json:"text"`
	Holds  bool   `json:"holds"` // whether its condition does, which its constant names
	Figure Figure `json:"-"`
}

// The sentences of a verdict, and when they hold.
const (
	SentencePairs   = "pairs"   // averaging halves the share of pairs in conflict, or more: the conflict is mostly noise
	SentenceSum     = "sum"     // equal weights hurt somebody in less than 5 % of the records: nothing to mend
	SentencePromise = "promise" // the method hurts somebody on the other batch at most Bound more often than on its own
	SentenceAge     = "age"     // some R ≥ 2 does no more harm than equal weights, and at most Bound more hurt than R = 1
	SentenceUnits   = "units"   // the longest gradient is more than ten times the shortest, in the median
	SentenceFixed   = "fixed"   // fixed weights from the first half do less harm on the second than equal ones
	SentenceEnd     = "end"     // ω has fallen to a tenth of its start, or further
)

const (
	littleHurt  = 0.05 // of equal weights: nothing to mend below it
	manyTimes   = 10   // in lengths: units decide
	nearEnd     = 0.1  // of ω at the start
	halvedShare = 0.5  // of the conflicts, and of what equal weights hurt
	namedPairs  = 2    // pairs that a sentence names
)

// Limits is what a log cannot say. It belongs beside every verdict.
const Limits = "What a log cannot say: it shows steps along the recorded path, not what training would have become with " +
	"another method. Rates are of first order. Adam and momentum change directions. Rules with memory run on a path " +
	"that they did not make."

// Verdict returns what the report says in words: seven sentences, in the order of their constants. Those on a method
// are about the first of Methods, and say so where there is none. Where the log has outcomes of trainings that were run
// beside it, one or two more judge the others by these.
func (r *Report) Verdict() []Sentence {
	said := []Sentence{r.saysPairs(), r.saysSum(), r.saysPromise(), r.saysAge(), r.saysUnits(), r.saysFixed(), r.saysEnd()}
	return append(said, r.saysBeside()...)
}

// percent writes a share, so that only none is 0 and only all is 100.
func percent(share float64) string {
	switch {
	case share > 0 && share < 0.005:
		return "under 1 %"
	case share < 1 && share > 0.995:
		return "over 99 %"
	}
	return strconv.Itoa(int(math.Round(100*share))) + " %"
}

// harm writes a mean cosine.
func harm(v float64) string {
	switch {
	case v < -hurtBelow:
		return "0"
	case v < 0.0005:
		return "under .001"
	}
	return strings.TrimPrefix(strconv.FormatFloat(v, 'f', 3, 64), "0")
}

// weightText writes a weight with two digits behind the point, a smaller one with its own two digits, so that only none is .00.
func weightText(v float64) string {
	if a := math.Abs(v); a > 0 && a < 0.005 {
		return strings.Replace(strconv.FormatFloat(v, 'g', 2, 64), "0.", ".", 1)
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', 2, 64), "0.", ".", 1)
}

// short writes a number of any size.
func short(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

// name returns an objective's name, in quotation marks where it has more than one word.
func (r *Report) name(i int) string {
	name := r.Names[i]
	if runes := []rune(name); len(runes) > 24 {
		name = string(runes[:23]) + "…"
	}
	if strings.ContainsAny(name, " ,;.") || name == "" {
		return "“" + name + "”"
	}
	return name
}

func (r *Report) saysPairs() Sentence {
	s := Sentence{ID: SentencePairs, Figure: FigureConflict}
	if len(r.Pairs) == 0 {
		s.Text = "Conflict: there is one objective, so nobody is in its way."
		return s
	}
	var batch, averaged float64
	for _, p := range r.Pairs {
		batch += p.Conflict / float64(len(r.Pairs))
		if p.Averaged != nil {
			averaged += *p.Averaged / float64(len(r.Pairs))
		}
	}
	first := r.Pairs[0].Averaged != nil
	most := slices.Clone(r.Pairs)
	slices.SortStableFunc(most, func(p, q Pair) int {
		// With a second batch, what is left after averaging comes first.
		if first && *p.Averaged != *q.Averaged {
			return cmp.Compare(*q.Averaged, *p.Averaged)
		}
		return cmp.Compare(q.Conflict, p.Conflict)
	})
	var b strings.Builder
	fmt.Fprintf(&b, "Conflict: %s of all pairs of gradients on single batches", percent(batch))
	if batch == 0 {
		b.WriteString(".")
		s.Text = b.String()
		return s
	}
	if !first {
		fmt.Fprintf(&b, "; most often %s.", r.listPairs(most, false))
		if r.HasCross {
			fmt.Fprintf(&b, " There is no whole window of %d records, so noise is not told from conflict.", r.Window)
		} else {
			b.WriteString(" Without a second batch (cross), noise is not told from conflict.")
		}
		s.Text = b.String()
		return s
	}
	s.Holds = averaged <= halvedShare*batch
	fmt.Fprintf(&b, ", %s averaged over %d records", percent(averaged), r.Window)
	switch {
	case s.Holds && averaged == 0:
		b.WriteString(". It is mostly noise: measure with larger batches.")
	case s.Holds:
		fmt.Fprintf(&b, ". It is mostly noise: measure with larger batches. What stays is %s.", r.listPairs(most, true))
	default:
		fmt.Fprintf(&b, ". It stays, most in %s.", r.listPairs(most, true))
	}
	s.Text = b.String()
	return s
}

// listPairs names the first pairs of a list that conflict.
func (r *Report) listPairs(list []Pair, averaged bool) string {
	var parts []string
	for _, p := range list[:min(namedPairs, len(list))] {
		share := p.Conflict
		if averaged {
			share = *p.Averaged
		}
		if share > 0 {
			parts = append(parts, fmt.Sprintf("%s and %s (%s)", r.name(p.I), r.name(p.J), percent(share)))
		}
	}
	return strings.Join(parts, ", ")
}

func (r *Report) saysSum() Sentence {
	s := Sentence{ID: SentenceSum, Figure: FigureHurt, Holds: r.Equal.Hurt < littleHurt}
	s.Text = fmt.Sprintf("Equal weights hurt somebody in %s of the records, harm %s", percent(r.Equal.Hurt), harm(r.Equal.Harm))
	if r.Equal.AveragedHurt != nil {
		s.Text += fmt.Sprintf("; averaged over %d records, in %s", r.Window, percent(*r.Equal.AveragedHurt))
	}
	if s.Holds {
		s.Text += ". There is nothing here for a method to mend, to first order."
	} else {
		s.Text += ". Here is something to mend."
	}
	return s
}

// noMethod returns the text of sentences on a method where there is none.
func (r *Report) noMethod() string {
	if len(r.Absent) > 0 {
		return fmt.Sprintf("%s cannot be asked about this log: %s.", title(r.Absent[0].Method), r.Absent[0].Why)
	}
	return "No method was asked."
}

func (r *Report) saysPromise() Sentence {
	s := Sentence{ID: SentencePromise, Figure: FigureHurt}
	if len(r.Methods) == 0 {
		s.Text = r.noMethod()
		return s
	}
	m := &r.Methods[0]
	s.Text = fmt.Sprintf("Whose batch? %s hurts somebody in %s of the records on its own batch", m.Title(), percent(m.Hurt))
	if m.Independent == nil {
		s.Text += "; on another one nobody knows, since the log has no second batch (cross)."
		return s
	}
	s.Holds = *m.Independent-m.Hurt <= r.Bound
	s.Text += fmt.Sprintf(" and in %s on an independent one; equal weights in %s there.",
		percent(*m.Independent), percent(*r.Equal.Independent))
	switch {
	case s.Holds:
		s.Text += " Its promise survives the batch."
	case *m.Independent <= halvedShare**r.Equal.Independent:
		s.Text += " Its promise is about its own batch, but it helps on others too."
	default:
		s.Text += " Its promise is about its own batch."
	}
	return s
}

// Oldest returns the largest of the method's periods whose harm is at most that of equal weights, the largest that has
// at most Bound more hurt than R = 1, and the largest of which both are true; 0 where there is none.
func (r *Report) Oldest(m *Method) (byHarm, byHurt, both int) {
	const rounding = 1e-12
	for _, p := range m.Stale {
		harms, hurts := p.Harm > r.Equal.Harm+rounding, p.Hurt > m.Hurt+r.Bound+rounding
		if !harms {
			byHarm = p.R
		}
		if !hurts {
			byHurt = p.R
		}
		if !harms && !hurts {
			both = p.R
		}
	}
	return byHarm, byHurt, both
}

func (r *Report) saysAge() Sentence {
	s := Sentence{ID: SentenceAge, Figure: FigureAge}
	if len(r.Methods) == 0 {
		s.Text = r.noMethod()
		return s
	}
	m := &r.Methods[0]
	if len(m.Stale) < 2 {
		s.Text = "How old may weights be? Only R = 1 was tried."
		return s
	}
	byHarm, byHurt, both := r.Oldest(m)
	s.Holds = both >= 2
	s.Text = fmt.Sprintf("How old may weights of %s be? By harm, no more than of equal ones: %s. By hurt, at most %s points above R = 1: %s.",
		m.Title(), r.oldest(byHarm), short(100*r.Bound), r.oldest(byHurt))
	if byHarm != byHurt {
		s.Text += fmt.Sprintf(" Both: %s.", allowed(both))
	}
	if r.Stride > 1 {
		s.Text += fmt.Sprintf(" Records are %d steps apart.", r.Stride)
	}
	return s
}

// allowed puts a period of which two things hold into words.
func allowed(period int) string {
	switch period {
	case 0:
		return "no R"
	case 1:
		return "new weights alone"
	}
	return fmt.Sprintf("R = %d", period)
}

// oldest puts a period into words, with what it saves.
func (r *Report) oldest(period int) string {
	switch {
	case period == 0:
		return "not even R = 1"
	case period == 1:
		return "not even two records"
	case r.Backward > 0:
		return fmt.Sprintf("R = %d (%s times less time for gradients)", period, short(r.Saved(period)))
	}
	return fmt.Sprintf("R = %d (%s backpropagations a step for %d)", period, short(r.Backprops(period)), r.Objectives)
}

func (r *Report) saysUnits() Sentence {
	const units = "Units: the longest gradient is %s times the shortest, in the median."
	s := Sentence{ID: SentenceUnits, Figure: FigureLengths}
	switch {
	case r.Objectives == 1:
		s.Text = "Units: there is one objective."
	case r.NormRatio == nil:
		s.Holds = true
		s.Text = "Units: in half of the records or more some gradient is zero."
	case *r.NormRatio > manyTimes:
		s.Holds = true
		s.Text = fmt.Sprintf(units+" The scale decides before any method does.", short(*r.NormRatio))
	default:
		s.Text = fmt.Sprintf(units+" Units do not decide.", short(*r.NormRatio))
	}
	return s
}

func (r *Report) saysFixed() Sentence {
	s := Sentence{ID: SentenceFixed, Figure: FigureWeights}
	if len(r.Methods) == 0 {
		s.Text = r.noMethod()
		return s
	}
	m := &r.Methods[0]
	h := m.Half
	if h == nil {
		s.Text = fmt.Sprintf("Fixed weights to try first: %s gives none, since its weights have no positive sum.", m.Title())
		return s
	}
	s.Holds = h.Fixed.Harm < h.Equal.Harm
	s.Text = fmt.Sprintf("Fixed weights to try first: %s, the mean of %s in the first half. In the second they hurt in %s, harm %s; "+
		"equal ones in %s, harm %s",
		listShares(h.Weights), m.Title(), percent(h.Fixed.Hurt), harm(h.Fixed.Harm), percent(h.Equal.Hurt), harm(h.Equal.Harm))
	if s.Holds {
		s.Text += "."
	} else {
		s.Text += ": no better."
	}
	return s
}

// listShares writes weights; of many the first.
func listShares(w []float64) string {
	const limit = 10
	var parts []string
	for _, v := range w[:min(limit, len(w))] {
		parts = append(parts, weightText(v))
	}
	text := strings.Join(parts, " ")
	if len(w) > limit {
		text += fmt.Sprintf(" and %d more", len(w)-limit)
	}
	return text
}

func (r *Report) saysEnd() Sentence {
	s := Sentence{ID: SentenceEnd, Figure: FigureLengths}
	first, last := r.Omega.First, r.Omega.Last
	s.Holds = last <= nearEnd*first
	s.Text = fmt.Sprintf("The end: the shortest mix of gradients has length %s at the first record and %s at the last.",
		short(first), short(last))
	switch {
	case first == 0:
		s.Text += " Already at the start nothing helped all."
	case s.Holds:
		s.Text += " There is little left that helps all."
	default:
		s.Text += " Something is left that helps all there."
	}
	return s
}
