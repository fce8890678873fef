package runlog

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"paretoplay/internal/numeral"
)

// Figure identifies the picture that illustrates a sentence.
type Figure string

// These are the pictures of a log.
const (
	FigureConflict Figure = "conflict" // cosines over the records, raw and averaged
	FigureHurt     Figure = "hurt"     // which objectives each method hurts at each record, on the method's batch and on the other batch
	FigureAge      Figure = "age"      // harm and hurt as functions of R
	FigureLengths  Figure = "lengths"  // losses and gradient lengths
	FigureWeights  Figure = "weights"  // weights of the method over the records
)

// Sentence is one sentence of a verdict, with its condition and its picture.
type Sentence struct {
	ID    string `json:"id"` // advice, pairs, sum, promise, age, units, fixed, trade, end, mended or aged
	Text  string `json:"text"`
	Holds bool   `json:"holds"`           // whether the condition in the comment on the ID's constant holds
	Claim Claim  `json:"claim,omitempty"` // claim about training with another method; "" if there is none
	// Confirmed counts how often Claim was right when training runs were repeated. It is nil without a claim.
	Confirmed *Confirmed `json:"confirmed,omitempty"`
	Figure    Figure     `json:"-"`
}

// These are the IDs of a verdict's sentences, each with the condition under which it holds.
const (
	SentenceAdvice  = "advice"  // equal weights hurt no objective often enough for a method to help
	SentencePairs   = "pairs"   // averaging at least halves the fraction of pairs in conflict: the conflict is mostly noise
	SentenceSum     = "sum"     // equal weights hurt an objective in less than 5 % of the records and of the windows
	SentencePromise = "promise" // the fraction of records in which the method hurts an objective is at most Bound larger on the other batch
	SentenceAge     = "age"     // an R ≥ 2 does no more harm than equal weights, and its Hurt exceeds that of R = 1 by at most Bound
	SentenceUnits   = "units"   // in the median, the longest gradient is more than ten times as long as the shortest
	SentenceFixed   = "fixed"   // fixed weights from the first half do less harm on the second half than equal weights
	SentenceTrade   = "trade"   // a loss rose while the sum of the losses fell
	SentenceEnd     = "end"     // ω has fallen to at most a tenth of its initial value
)

const (
	littleHurt  = 0.05 // fraction of records in which equal weights hurt an objective; below this fraction, no method could help
	manyTimes   = 10   // ratio of gradient lengths above which the scale of the losses matters most
	nearEnd     = 0.1  // relative to ω at the start
	halvedShare = 0.5  // relative to all conflicts, or to all records in which equal weights hurt an objective
	namedPairs  = 2    // maximum number of pairs that a sentence names

	judgedPeriod = 8 // R of the reused weights in the repeated training runs
)

// Limits describes what a log cannot show. Display it with every verdict.
const Limits = "What a log cannot say: it shows steps along the recorded path, not training with another method. Rates " +
	"are first-order estimates. Adam and momentum change directions. Rules with memory are applied to a path that they did " +
	"not take."

// Verdict describes the report in nine sentences, in the order of their constants. Sentences about a method concern
// the first of Methods. If the report has no methods, they state this instead. If the log has outcomes of other
// training runs, one or two further sentences compare the verdict with these outcomes.
func (r *Report) Verdict() []Sentence {
	said := []Sentence{r.saysAdvice(), r.saysPairs(), r.saysSum(), r.saysPromise(), r.saysAge(), r.saysUnits(), r.saysFixed(),
		r.saysTrade(), r.saysEnd()}
	for i := range said {
		if record, ok := confirmed[said[i].Claim]; ok {
			said[i].Confirmed = &record
			said[i].Text += fmt.Sprintf(" %s in %d of %d repeated training runs.", said[i].Claim.was(), record.Right, record.Of)
			if said[i].ID == SentenceAdvice {
				said[i].Text += fmt.Sprintf(" Of all %d, the plain sum was best in %d.", Judged, KeepRight)
			}
		}
	}
	return append(said, r.saysBeside()...)
}

// nothingToMend reports whether equal weights rarely hurt an objective, both on single batches and after averaging out
// noise. No method could then improve anything.
func (r *Report) nothingToMend() bool {
	return r.Equal.Hurt < littleHurt && (r.Equal.AveragedHurt == nil || *r.Equal.AveragedHurt < littleHurt)
}

// unitsDecide reports whether the lengths of the gradients differ so much that the scale of the losses matters most.
func (r *Report) unitsDecide() bool { return r.NormRatio == nil || *r.NormRatio > manyTimes }

// factors returns Scaled divided by its mean, so that steps keep about the same length.
func (r *Report) factors() []float64 {
	out := slices.Clone(r.Scaled)
	for i := range out {
		out[i] *= float64(r.Objectives)
	}
	return out
}

func (r *Report) saysAdvice() Sentence {
	s := Sentence{ID: SentenceAdvice, Figure: FigureHurt, Holds: r.nothingToMend()}
	switch {
	case r.Objectives == 1:
		s.Text = "What to do: there is only one objective, so no weights are needed."
		return s
	case s.Holds:
		s.Claim = ClaimKeep
		s.Text = "What to do: keep the sum of the losses."
	case r.unitsDecide() && r.Scaled == nil:
		s.Figure = FigureLengths
		s.Text = "What to do: before weighting, examine the losses whose gradients are zero in at least half of the records."
		return s
	case r.unitsDecide():
		s.Claim, s.Figure = ClaimRescale, FigureLengths
		s.Text = fmt.Sprintf("What to do: multiply the losses by %s, which equalises the median lengths of their gradients, and record again.",
			listShares(r.factors()))
	default:
		s.Claim = ClaimTry
		var named, ended []string
		for _, way := range Tries {
			title := way.Title
			if way.Name == scaledWay {
				title = "fixed weights " + listShares(r.factors())
			}
			named, ended = append(named, title), append(ended, way.Title+" "+way.Ended)
		}
		s.Text = fmt.Sprintf("What to try: %s or %s. This log cannot show whether one of them ends better than the sum, but a "+
			"trial can (replay -trial writes its program). Their losses elsewhere, relative to the sum: %s; MGDA %s.",
			strings.Join(named[:len(named)-1], ", "), named[len(named)-1], strings.Join(ended, ", "), mgdaEnded)
	}
	return s
}

// percent formats a fraction as a percentage. It writes 0 % only for exactly 0, and 100 % only for exactly 1.
func percent(share float64) string {
	switch {
	case share > 0 && share < 0.005:
		return "under 1 %"
	case share < 1 && share > 0.995:
		return "over 99 %"
	}
	return strconv.Itoa(int(math.Round(100*share))) + " %"
}

// harm formats a mean cosine.
func harm(v float64) string {
	switch {
	case v < -hurtBelow:
		return "0"
	case v < 0.0005:
		return "under .001"
	}
	return strings.TrimPrefix(strconv.FormatFloat(v, 'f', 3, 64), "0")
}

// weightText formats a weight with two decimals. A small weight gets two significant digits, so that only 0 becomes .00.
func weightText(v float64) string {
	if a := math.Abs(v); a > 0 && a < 0.005 {
		return strings.Replace(strconv.FormatFloat(v, 'g', 2, 64), "0.", ".", 1)
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', 2, 64), "0.", ".", 1)
}

// short formats a number of any size with three digits.
func short(v float64) string { return numeral.Format(v, 3) }

// name returns an objective's name for sentences. It shortens long names, and puts names of several words in quotation marks.
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
		s.Text = "Conflict: there is only one objective, so there is no conflict."
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
		// With a second batch, sort by the conflict that remains after averaging.
		if first && *p.Averaged != *q.Averaged {
			return cmp.Compare(*q.Averaged, *p.Averaged)
		}
		return cmp.Compare(q.Conflict, p.Conflict)
	})
	var b strings.Builder
	fmt.Fprintf(&b, "Conflict: %s of all pairs of gradients conflict on single batches", percent(batch))
	if !first && batch == 0 {
		b.WriteString(".")
		s.Text = b.String()
		return s
	}
	if !first {
		fmt.Fprintf(&b, "; most often %s.", r.listPairs(most, false))
		if r.HasCross {
			fmt.Fprintf(&b, " There is no complete window of %d records, so noise cannot be separated from conflict.", r.Window)
		} else {
			b.WriteString(" Without a second batch (cross), noise cannot be separated from conflict.")
		}
		s.Text = b.String()
		return s
	}
	s.Holds = averaged <= halvedShare*batch
	b.Reset()
	fmt.Fprintf(&b, "Conflict: %s of all pairs of gradients conflict if averaged over %d records, %s on single batches",
		percent(averaged), r.Window, percent(batch))
	switch {
	case batch == 0 && averaged == 0:
		b.WriteString(".")
		s.Holds = false
	case averaged > batch && batch <= halvedShare*averaged:
		fmt.Fprintf(&b, ". The losses share the noise of a batch, which hides the conflict, mostly between %s.", r.listPairs(most, true))
	case s.Holds && averaged == 0:
		b.WriteString(". The conflict is mostly noise: measure with larger batches.")
	case s.Holds:
		fmt.Fprintf(&b, ". The conflict is mostly noise: measure with larger batches. The rest is between %s.", r.listPairs(most, true))
	default:
		fmt.Fprintf(&b, ". The conflict remains, mostly between %s.", r.listPairs(most, true))
	}
	s.Text = b.String()
	return s
}

// listPairs formats the first namedPairs pairs of a list, and omits those without conflict.
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
	s := Sentence{ID: SentenceSum, Figure: FigureHurt, Holds: r.nothingToMend()}
	s.Text = fmt.Sprintf("Equal weights hurt an objective in %s of the records (mean harm %s)", percent(r.Equal.Hurt), harm(r.Equal.Harm))
	if r.Equal.AveragedHurt != nil {
		s.Text = fmt.Sprintf("Equal weights hurt an objective in %s of the windows averaged over %d records, and in %s of single records "+
			"(mean harm %s)",
			percent(*r.Equal.AveragedHurt), r.Window, percent(r.Equal.Hurt), harm(r.Equal.Harm))
	}
	if s.Holds {
		s.Text += ". To first order, there is nothing for a method to improve."
	} else {
		s.Text += ". There is something for a method to improve."
	}
	return s
}

// noMethod returns the text for sentences about a method if the report has no methods.
func (r *Report) noMethod() string {
	if len(r.Absent) > 0 {
		return fmt.Sprintf("%s cannot be applied to this log: %s.", title(r.Absent[0].Method), r.Absent[0].Why)
	}
	return "The report contains no method."
}

func (r *Report) saysPromise() Sentence {
	s := Sentence{ID: SentencePromise, Figure: FigureHurt}
	if len(r.Methods) == 0 {
		s.Text = r.noMethod()
		return s
	}
	m := &r.Methods[0]
	s.Text = fmt.Sprintf("Whose batch? %s hurts an objective in %s of the records on its own batch", m.Title(), percent(m.Hurt))
	if m.Independent == nil {
		s.Text += "; its effect on another batch is unknown, because the log has no second batch (cross)."
		return s
	}
	s.Holds = *m.Independent-m.Hurt <= r.Bound
	s.Text += fmt.Sprintf(" and in %s on an independent batch. There, equal weights do so in %s.",
		percent(*m.Independent), percent(*r.Equal.Independent))
	switch {
	case s.Holds:
		s.Text += " Its promise also holds on the other batch."
	case *m.Independent <= halvedShare**r.Equal.Independent:
		s.Text += " Its promise holds only on its own batch, but it also helps on others."
	default:
		s.Text += " Its promise holds only on its own batch."
	}
	return s
}

// Oldest returns three of the method's periods. byHarm is the largest period that does no more harm than equal
// weights. byHurt is the largest whose Hurt exceeds that of R = 1 by at most Bound. both is the largest with both
// properties. A result is 0 if no period qualifies.
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
	_, _, both := r.Oldest(m)
	s.Holds = both >= 2
	at := slices.IndexFunc(m.Stale, func(t Stale) bool { return t.R >= judgedPeriod })
	if at < 0 {
		at = len(m.Stale) - 1
	}
	old := m.Stale[at]
	s.Text = fmt.Sprintf("How old may weights of %s be? If held for %d records, their harm is %s. The harm of new weights is %s, "+
		"of equal weights %s.", m.Title(), old.R, harm(old.Harm), harm(m.Harm), harm(r.Equal.Harm))
	if r.Stride > 1 {
		s.Text += fmt.Sprintf(" Records are %d steps apart.", r.Stride)
	}
	if m.Name == DefaultMethod {
		s.Claim = ClaimOld
		s.Text += fmt.Sprintf(" Nevertheless, training with weights held for %d steps should end no worse, with %s.", judgedPeriod,
			r.saves(judgedPeriod))
	}
	return s
}

// saves says in words how much a period reduces the cost of a step.
func (r *Report) saves(period int) string {
	if r.Backward > 0 {
		return fmt.Sprintf("%s times less time for gradients", short(r.Saved(period)))
	}
	return fmt.Sprintf("%s backpropagations per step instead of %d", short(r.Backprops(period)), r.Objectives)
}

func (r *Report) saysUnits() Sentence {
	const units = "Units: in the median, the longest gradient is %s times as long as the shortest."
	s := Sentence{ID: SentenceUnits, Figure: FigureLengths}
	switch {
	case r.Objectives == 1:
		s.Text = "Units: there is only one objective, so nothing can be compared."
	case r.NormRatio == nil:
		s.Holds = true
		s.Text = "Units: in at least half of the records, a gradient is zero."
	case r.unitsDecide():
		s.Holds = true
		s.Text = fmt.Sprintf(units+" The scale of the losses matters more than the method.", short(*r.NormRatio))
	default:
		s.Text = fmt.Sprintf(units+" The units of the losses do not dominate.", short(*r.NormRatio))
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
		s.Text = fmt.Sprintf("Fixed weights to try first: %s provides none, because its weights have no positive sum.", m.Title())
		return s
	}
	s.Holds = h.Fixed.Harm < h.Equal.Harm
	if m.Name == DefaultMethod {
		s.Claim = ClaimUnfixed
		if s.Holds {
			s.Claim = ClaimFixed
		}
	}
	s.Text = fmt.Sprintf("Fixed weights to try first: %s, the mean of %s in the first half. In the second half, they hurt an "+
		"objective in %s of the records (mean harm %s), and equal weights in %s (mean harm %s)",
		listShares(h.Weights), m.Title(), percent(h.Fixed.Hurt), harm(h.Fixed.Harm), percent(h.Equal.Hurt), harm(h.Equal.Harm))
	if !s.Holds {
		s.Text += ". They are no better."
	} else {
		s.Text += "."
	}
	switch s.Claim {
	case ClaimFixed:
		s.Text += " This log cannot show whether they end no worse than the sum and MGDA."
	case ClaimUnfixed:
		s.Text += " Do not expect them to end better."
	}
	return s
}

// listShares formats a list of weights, shortened to the first ten.
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

func (r *Report) saysTrade() Sentence {
	s := Sentence{ID: SentenceTrade, Figure: FigureLengths}
	if r.LossEnds == nil {
		s.Text = "One for the other? The log has no losses."
		return s
	}
	var first, last float64
	var rose []string
	for i, ends := range r.LossEnds {
		first, last = first+ends.First/float64(r.Objectives), last+ends.Last/float64(r.Objectives)
		if ends.Last > alike*ends.First {
			rose = append(rose, fmt.Sprintf("%s from %s to %s", r.name(i), short(ends.First), short(ends.Last)))
		}
	}
	s.Holds = len(rose) > 0 && last < first
	switch {
	case s.Holds:
		s.Claim = ClaimTrade
		s.Text = fmt.Sprintf("One for the other? While the sum of the losses fell, some losses rose: %s. A method may keep them down by "+
			"learning less of the others. This log cannot show whether one does.",
			strings.Join(rose[:min(namedPairs, len(rose))], ", "))
	case len(rose) > 0:
		s.Text = "One for the other? The sum of the losses did not fall."
	default:
		s.Text = "One for the other? All losses fell together. This log cannot show whether a method would give one up."
	}
	return s
}

func (r *Report) saysEnd() Sentence {
	s := Sentence{ID: SentenceEnd, Figure: FigureLengths}
	first, last := r.Omega.First, r.Omega.Last
	s.Holds = last <= nearEnd*first
	s.Text = fmt.Sprintf("The end: the shortest mix of gradients has length %s at the first record and %s at the last.",
		short(first), short(last))
	switch {
	case first == 0:
		s.Text += " Even at the start, no direction improved all losses."
	case s.Holds:
		s.Text += " There, all losses together can hardly improve further."
	default:
		s.Text += " There, all losses together can still improve."
	}
	return s
}

// Told is a report with its verdict, in the form that replay -json prints.
type Told struct {
	*Report
	Verdict []Sentence `json:"verdict"`
}

// Told returns the report together with its verdict.
func (r *Report) Told() Told { return Told{r, r.Verdict()} }
