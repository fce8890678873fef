// Package claims lists the claims of the five papers that a toy can test, and finds out which of
// them hold here. Every verdict follows from numbers, which are computed or read from the tables
// of long experiments in docs. For each experiment it also puts the figures that a paper publishes
// beside those that are computed.
package claims

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Verdict is the outcome of a claim's test.
type Verdict string

// The verdicts.
const (
	Holds       Verdict = "holds"
	InPart      Verdict = "holds in part" // of a claim with several parts, some of which hold
	DoesNotHold Verdict = "does not hold"
	Undecided   Verdict = "undecided here" // the interval is too wide to tell
	Untestable  Verdict = "not testable here"
)

// verdicts lists them, best first.
var verdicts = []Verdict{Holds, InPart, DoesNotHold, Undecided, Untestable}

// keptIn begins the source of numbers that are read from a kept file.
const keptIn = "kept in "

// Claim is a claim of a paper, with the way to test it here.
type Claim struct {
	Name    string // for programs
	Paper   string // by the name of its method
	Section string // and theorem, figure or table
	Says    string // the claim as one sentence
	Stated  string // the paper's figure
	Setting string // in which the paper claims it: problem, sizes, parameters
	Here    string // our setting, in the same order
	Choices string // what of our setting the paper leaves open or has otherwise, and why it is so; "" where nothing is
	Check   string // what shows it: a command, or the part of a page's address behind its name; "" where nothing does

	kept    string // the file of an experiment that is read in place of computing it; "" where all is computed
	because string // why it cannot be tested, "" where it can
	// settings are those in each of which the same numbers are measured, one setting after the other; nil where there is one.
	settings []string
	numbers  []string // what each number of a setting is, all different
	// measure returns the numbers from which the verdict follows. It reports errors to the lab.
	measure func(l *lab) []Number
	parts   []part // the verdicts on a setting: one for a claim that is judged as a whole
	// decide draws the verdicts where bounds on single numbers do not say them; nil where parts do.
	decide func(v []Number) []Part
}

// Part is a part of a claim with its result.
type Part struct {
	Of      string  `json:"of"` // which part, such as a value of a parameter; "" for the whole claim
	Ours    string  `json:"ours"`
	Verdict Verdict `json:"verdict"`
}

// whole is the result of a claim that is judged as a whole.
func whole(verdict Verdict, ours string) []Part { return []Part{{Ours: ours, Verdict: verdict}} }

// Row is a claim with its result.
type Row struct {
	Name    string  `json:"name"`
	Paper   string  `json:"paper"`
	Section string  `json:"section"`
	Claim   string  `json:"claim"`
	Stated  string  `json:"stated"`
	Setting string  `json:"setting"`
	Here    string  `json:"here"`
	Choices string  `json:"choices"`
	Check   string  `json:"check"`
	Verdict Verdict `json:"verdict"`
	Parts   []Part  `json:"parts"`   // one at least, but none where it cannot be tested
	Because string  `json:"because"` // why it cannot be tested, "" where it can
	Source  string  `json:"source"`  // where the numbers come from, "" where there are none
	Numbers []Named `json:"numbers"` // from which the verdicts follow
}

// Options sets how claims are tested.
type Options struct {
	// Kept holds the kept tables by name, such as zdt.csv.
	Kept fs.FS
	Only string // the name of the only claim to test; "" for all
	// Quick reads everything from kept tables that takes longer than some seconds.
	Quick bool
	Jobs  int // computations at a time in an experiment, ≥ 1; the outcome does not depend on it
	// SeedBase is the seed before the first of those that are drawn: UsualSeedBase, or another for the same questions on other
	// runs, from 0 to MostSeedBase. What is read from kept tables does not depend on it.
	SeedBase int
	// Progress is called with the share of the claims that is done, from 0 to 1; may be nil.
	Progress func(done float64)
}

// All lists the claims, paper by paper.
func All() []Claim {
	return slices.Concat(ofPSMGD, onNetworks, onDigits, ofFORUM, ofMosT, ofJoGBa, ofBlockSMOO)
}

// Find returns the claim of that name; the error lists those there are.
func Find(name string) (Claim, error) {
	var names []string
	for _, c := range All() {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Claim{}, fmt.Errorf("%q is no claim; there are: %s", name, strings.Join(names, " "))
}

// Test tests every claim, or the only one that is asked for, and returns the results in their order.
func Test(o Options) ([]Row, error) {
	if o.SeedBase < 0 || o.SeedBase > MostSeedBase {
		return nil, fmt.Errorf("the seed base %d: allowed is 0 to %d", o.SeedBase, MostSeedBase)
	}
	l := newLab(o)
	all := All()
	if o.Only != "" {
		c, err := Find(o.Only)
		if err != nil {
			return nil, err
		}
		all = []Claim{c}
	}
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

// catch, deferred, makes an error of what a function fails on.
func catch(err *error) {
	switch end := recover().(type) {
	case nil:
	case failed:
		*err = end.error
	default:
		panic(end)
	}
}

// test tests one claim.
func (c *Claim) test(l *lab) (row Row, err error) {
	defer catch(&err)
	row = Row{
		Name: c.Name, Paper: c.Paper, Section: c.Section, Claim: c.Says, Stated: c.Stated, Setting: c.Setting, Here: c.Here,
		Choices: c.Choices, Check: c.Check, Verdict: Untestable, Parts: []Part{}, Because: c.because, Numbers: []Named{},
	}
	if c.because != "" {
		return row, nil
	}
	numbers, names := c.measure(l), c.names()
	if len(numbers) != len(names) {
		fail(fmt.Errorf("%d numbers have %d names", len(numbers), len(names)))
	}
	for i, n := range numbers {
		if !n.known() {
			fail(fmt.Errorf("number %d, %s, is %v, from %v to %v", i+1, names[i], n.Value, n.Low, n.High))
		}
		row.Numbers = append(row.Numbers, Named{names[i], n})
	}
	row.Parts = c.judge(numbers)
	row.Verdict = overall(row.Parts)
	row.Source = "computed now"
	if c.kept != "" && !l.recomputes(c.kept) {
		row.Source = keptIn + "docs/" + c.kept
	}
	return row, nil
}

// overall is the verdict on a claim with these parts: what all have in common; where they differ,
// it holds in part if any part holds. Where none holds and not all are decided, it does not hold,
// because one part that fails is enough for that.
func overall(parts []Part) Verdict {
	out := parts[0].Verdict
	for _, p := range parts[1:] {
		switch {
		case p.Verdict == out:
		case p.Verdict == Holds || out == Holds || out == InPart:
			out = InPart
		default:
			out = DoesNotHold
		}
	}
	return out
}
