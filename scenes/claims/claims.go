// Package claims lists the claims of the five papers that a toy can test, and finds out which of
// them hold here. Every verdict follows from numbers, which are computed or read from the tables
// of long experiments in docs.
package claims

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
)

// Verdict is the outcome of a claim's test.
type Verdict string

// The verdicts.
const (
	Holds       Verdict = "holds"
	InPart      Verdict = "holds in part"
	DoesNotHold Verdict = "does not hold"
	Untestable  Verdict = "not testable here"
)

// verdicts lists them, best first.
var verdicts = []Verdict{Holds, InPart, DoesNotHold, Untestable}

// keptIn begins the source of numbers that are read from a kept file.
const keptIn = "kept in "

// Claim is a claim of a paper, with the way to test it here.
type Claim struct {
	Name    string // for programs
	Paper   string // by the name of its method
	Section string // and theorem, figure or table
	Says    string // the claim as one sentence
	Check   string // what shows it: a command, or the part of a page's address behind its name; "" where nothing does
	Stated  string // the paper's figure

	kept    string // the file of an experiment that is read in place of computing it; "" where all is computed
	because string // why it cannot be tested, "" where it can
	// measure returns the numbers from which the verdict follows. It reports errors to the lab.
	measure func(l *lab) []float64
	// judge sums up the numbers in words, and draws the verdict from them.
	judge func(v []float64) (ours string, verdict Verdict)
}

// Row is a claim with its result.
type Row struct {
	Name    string    `json:"name"`
	Paper   string    `json:"paper"`
	Section string    `json:"section"`
	Claim   string    `json:"claim"`
	Check   string    `json:"check"`
	Stated  string    `json:"stated"`
	Ours    string    `json:"ours"` // or why it cannot be tested
	Verdict Verdict   `json:"verdict"`
	Source  string    `json:"source"`  // where Ours comes from, "" where there is nothing to come from
	Numbers []float64 `json:"numbers"` // from which the verdict follows
}

// Options sets how claims are tested.
type Options struct {
	// Kept is the source tree, or the part of it that holds the kept tables, such as docs/zdt.csv.
	Kept fs.FS
	// Quick reads everything from kept tables that takes longer than some seconds.
	Quick bool
	Jobs  int // computations at a time in an experiment, ≥ 1; the outcome does not depend on it
	// Progress is called with the share of the claims that is done, from 0 to 1; may be nil.
	Progress func(done float64)
}

// All lists the claims, paper by paper.
func All() []Claim { return slices.Concat(ofPSMGD, ofFORUM, ofMosT, ofJoGBa, ofBlockSMOO) }

// Test tests every claim, and returns the results in their order.
func Test(o Options) ([]Row, error) {
	l := newLab(o)
	all := All()
	rows := make([]Row, len(all))
	for i := range all {
		if o.Progress != nil {
			o.Progress(float64(i) / float64(len(all)))
		}
		var err error
		if rows[i], err = all[i].test(l); err != nil {
			return nil, fmt.Errorf("claim %s: %w", all[i].Name, err)
		}
	}
	if o.Progress != nil {
		o.Progress(1)
	}
	return rows, nil
}

// test tests one claim.
func (c *Claim) test(l *lab) (Row, error) {
	row := Row{
		Name: c.Name, Paper: c.Paper, Section: c.Section, Claim: c.Says, Check: c.Check, Stated: c.Stated,
		Ours: c.because, Verdict: Untestable, Numbers: []float64{},
	}
	if c.because != "" {
		return row, nil
	}
	row.Numbers = c.measure(l)
	for i, v := range row.Numbers {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			l.fail(fmt.Errorf("number %d is %v", i+1, v))
		}
	}
	if l.err != nil {
		return row, l.err
	}
	row.Ours, row.Verdict = c.judge(row.Numbers)
	row.Source = "computed now"
	if c.kept != "" && !l.recomputes(c.kept) {
		row.Source = keptIn + c.kept
	}
	return row, nil
}

// graded returns the verdict on a claim that holds in all, some or no cases.
func graded(all, some bool) Verdict {
	switch {
	case all:
		return Holds
	case some:
		return InPart
	}
	return DoesNotHold
}

// every reports whether something holds of all numbers, and whether of any.
func every(v []float64, holds func(v float64) bool) (all, some bool) {
	all = true
	for _, v := range v {
		all, some = all && holds(v), some || holds(v)
	}
	return all, some
}
