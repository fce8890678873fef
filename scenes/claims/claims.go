// Package claims lists what the five papers claim that a toy can test, and finds out what of it is
// true here: every verdict is worked out from numbers, which are computed or read from the tables
// that docs keeps of the experiments that take long.
package claims

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
)

// Verdict is what becomes of a claim.
type Verdict string

// The verdicts.
const (
	Holds       Verdict = "holds"
	InPart      Verdict = "holds in part"
	DoesNotHold Verdict = "does not hold"
	Untestable  Verdict = "not testable here"
)

// verdicts are all of them, from the best.
var verdicts = []Verdict{Holds, InPart, DoesNotHold, Untestable}

// keptIn begins the source of what is read from a kept file.
const keptIn = "kept in "

// Claim is what a paper claims, and how that is tested here.
type Claim struct {
	Name    string // for programs
	Paper   string // by the name of its method
	Section string // and theorem, figure or table
	Says    string // the claim as one sentence
	Check   string // what shows it: a command, or the part of a page's address behind its name; "" where nothing does
	Stated  string // the paper's figure

	kept    string // the file of an experiment that is read in place of computing it; "" where all is computed
	because string // why it cannot be tested, "" where it can
	// measure returns the numbers that the verdict follows from. What goes wrong it tells the lab.
	measure func(l *lab) []float64
	// judge says what the numbers come to, and what follows from them.
	judge func(v []float64) (ours string, verdict Verdict)
}

// Row is a claim with what was found of it.
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
	Numbers []float64 `json:"numbers"` // that the verdict follows from
}

// Options say how claims are tested.
type Options struct {
	// Kept is the source tree, or the part of it that holds the kept tables, such as docs/zdt.csv.
	Kept fs.FS
	// Quick reads everything from kept tables that takes longer than some seconds.
	Quick bool
	Jobs  int // computations at a time in an experiment, ≥ 1; the outcome does not depend on it
	// Progress hears of the share of the claims that is done, from 0 to 1; nil for nobody.
	Progress func(done float64)
}

// All lists the claims, paper by paper.
func All() []Claim { return slices.Concat(ofPSMGD, ofFORUM, ofMosT, ofJoGBa, ofBlockSMOO) }

// Test returns what is found of every claim, in their order.
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

// test finds out what there is of one claim.
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

// graded is the verdict on a claim of which all holds, some, or nothing.
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
