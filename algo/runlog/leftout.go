package runlog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// LeftOut counts the records of a file that were omitted from the log for the same reason.
type LeftOut struct {
	Cause string `json:"cause"`
	Count int    `json:"count"`
	First int64  `json:"first"` // step of the first such record
}

// These are the reasons why records are omitted.
const (
	causeRepeated   = "the run was resumed at or before their step, so later records count"
	causeNotFinite  = "a number is not finite"
	causeImpossible = "no gradients have such a Gramian; products of small gradients in 16 or 32 bits underflow"
	causeRecorder   = "the recorder did not keep them"
)

// boundTolerance is the fraction by which |C_ij| may exceed √(C_ii C_jj). It allows for the rounding errors of Gramians
// in 16 bits.
const boundTolerance = 1e-3

// impossible is the error for a matrix that cannot be the Gramian of any gradients.
type impossible struct{ what string }

func (e *impossible) Error() string { return e.what + ": no gradients have such products" }

// LeftOut returns, for each cause, the number of records that the log omits. It returns nil if the log omits none.
func (l *Log) LeftOut() []LeftOut { return l.leftOut }

// leaveOut counts an omitted record.
func (l *Log) leaveOut(cause string, step int64) {
	for i := range l.leftOut {
		if l.leftOut[i].Cause == cause {
			l.leftOut[i].Count++
			return
		}
	}
	l.leftOut = append(l.leftOut, LeftOut{cause, 1, step})
}

// sift removes three kinds of records: records whose step is repeated later, records with a number that is not
// finite, and records with an impossible Gramian. It makes all other Gramians exactly symmetric. It returns an
// error if fewer than two records remain.
func (l *Log) sift() error {
	causes := l.repeated()
	n := l.objectives * l.objectives
	c, own := make([]float64, n), make([]float64, n)
	for k, cause := range causes {
		switch {
		case cause != "":
		case !l.finiteRecord(k):
			causes[k] = causeNotFinite
		case l.gramian != nil:
			switch err := l.checkGramian(k, c, own); {
			case err == nil:
			case errors.As(err, new(*impossible)):
				causes[k] = causeImpossible
			default:
				return arrayError(gramian, k, "%w", err)
			}
		}
	}
	kept := 0
	for k, cause := range causes {
		if cause != "" {
			l.leaveOut(cause, l.steps[k])
			continue
		}
		if kept < k {
			l.steps[kept] = l.steps[k]
			for _, b := range l.blocks() {
				b.move(kept, k)
			}
		}
		kept++
	}
	if kept == l.records {
		return nil
	}
	if kept < 2 {
		reasons := describeLeftOut(l.leftOut)
		if len(l.notes) > 0 {
			reasons += ". " + strings.TrimSuffix(strings.Join(l.notes, " "), ".")
		}
		return fmt.Errorf("%s: %d of %d records can be used, and a log has at least 2; left out: %s", l.mainName(), kept, l.records, reasons)
	}
	l.records, l.steps = kept, l.steps[:kept]
	for _, b := range l.blocks() {
		*b = *b.part(0, kept)
	}
	return nil
}

// repeated returns one cause per record. The cause is causeRepeated if the run was later resumed at or before the
// record's step, otherwise "".
func (l *Log) repeated() []string {
	causes := make([]string, l.records)
	var path []int // indices of the records kept so far; their steps increase
	for k, step := range l.steps {
		for len(path) > 0 && l.steps[path[len(path)-1]] >= step {
			causes[path[len(path)-1]] = causeRepeated
			path = path[:len(path)-1]
		}
		path = append(path, k)
	}
	return causes
}

// blocks returns the numeric arrays that the log has.
func (l *Log) blocks() []*block {
	var out []*block
	for _, b := range []*block{l.losses, l.gramian, l.jacobian, l.cross, l.weights, l.after, l.forward, l.backward} {
		if b != nil {
			out = append(out, b)
		}
	}
	return out
}

// finiteRecord reports whether all numbers of record k are finite.
func (l *Log) finiteRecord(k int) bool {
	for _, b := range l.blocks() {
		for i := k * b.width; i < (k+1)*b.width; i++ {
			if v := b.at(i); v-v != 0 {
				return false
			}
		}
	}
	return true
}

// move copies one row of the block over another row.
func (b *block) move(to, from int) {
	if b.single == nil {
		copy(b.double[to*b.width:(to+1)*b.width], b.double[from*b.width:])
		return
	}
	copy(b.single[to*b.width:(to+1)*b.width], b.single[from*b.width:])
}

// describeLeftOut returns a text that says how many records are omitted, and why.
func describeLeftOut(list []LeftOut) string {
	parts := make([]string, len(list))
	for i, o := range list {
		parts[i] = fmt.Sprintf("%d from step %d on (%s)", o.Count, o.First, o.Cause)
		if o.Count == 1 {
			parts[i] = fmt.Sprintf("1, step %d (%s)", o.First, o.Cause)
		}
	}
	return strings.Join(parts, "; ")
}

// spacing returns the Spacing of the records, or nil if they are evenly spaced.
func (l *Log) spacing() *Spacing {
	s := Spacing{l.steps[1] - l.steps[0], l.steps[1] - l.steps[0]}
	for k := 2; k < l.records; k++ {
		gap := l.steps[k] - l.steps[k-1]
		s.Least, s.Most = min(s.Least, gap), max(s.Most, gap)
	}
	if s.Least == s.Most {
		return nil
	}
	return &s
}

// Remarks returns sentences that warn readers of the verdict about numbers that a tracker lost, omitted records, and
// uneven spacing. The result is empty if no remark is needed.
func (r *Report) Remarks() []string {
	out := slices.Clone(r.Notes)
	if len(r.LeftOut) > 0 {
		total := 0
		for _, o := range r.LeftOut {
			total += o.Count
		}
		word := "records"
		if total == 1 {
			word = "record"
		}
		out = append(out, fmt.Sprintf("Left out %d %s: %s.", total, word, describeLeftOut(r.LeftOut)))
	}
	if r.Spacing != nil {
		out = append(out, fmt.Sprintf("Records are unevenly spaced, %d to %d steps apart: R counts records, and windows average over different "+
			"numbers of steps. A thinned log may lead to another verdict than the complete log.", r.Spacing.Least, r.Spacing.Most))
	}
	return out
}
