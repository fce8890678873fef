// Package claims lists claims of the five papers, and tests those that small problems can test. Every verdict follows
// from numbers. The package computes these numbers or reads them from the kept tables of long experiments in docs. For
// each experiment it also compares a paper's published figures with the computed ones.
package claims

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Verdict is the outcome of a claim's test.
type Verdict string

// The possible verdicts.
const (
	Holds       Verdict = "holds"
	InPart      Verdict = "holds in part" // some parts of the claim hold
	DoesNotHold Verdict = "does not hold"
	Undecided   Verdict = "undecided here" // the interval is too wide to tell
	Untestable  Verdict = "not testable here"
)

// verdicts lists all verdicts, best first.
var verdicts = []Verdict{Holds, InPart, DoesNotHold, Undecided, Untestable}

// keptIn is the prefix of Source for numbers from a kept file.
const keptIn = "kept in "

// Claim is a claim in a paper, with the description of its test.
type Claim struct {
	Name    string // identifier, used by programs
	Paper   string // name of the paper's method
	Section string // section, with theorem, figure or table
	Says    string // the claim in one sentence
	Stated  string // the paper's figure or words
	Setting string // the paper's setting: problem, sizes, parameters
	Here    string // our setting, in the same order as Setting
	Choices string // our choices where the paper specifies nothing, and our departures from it; "" if there are none
	Check   string // how to show the result: a command, or the part after the page's address; "" if there is none

	kept    string // file of the experiment to read; "" if everything is computed
	because string // why the claim cannot be tested; "" if it can
	// settings lists the settings in order. The same numbers are measured in each of them. It is nil if there is only
	// one setting.
	settings []string
	numbers  []string // names of a setting's numbers, all different
	// measure returns the numbers that determine the verdict. It reports errors to the lab.
	measure func(l *lab) []Number
	parts   []part // verdicts per setting; one part if the claim is judged as a whole
	// decide returns the verdicts if bounds on single numbers cannot express them. It is nil if parts determines
	// them.
	decide func(v []Number) []Part
}

// Part is a part of a claim with its result.
type Part struct {
	Of      string  `json:"of"` // name of the part, such as a parameter's value; "" for the whole claim
	Ours    string  `json:"ours"`
	Verdict Verdict `json:"verdict"`
}

// whole returns the result of a claim that is judged as a whole.
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
	Parts   []Part  `json:"parts"`   // parts with verdicts; none if the claim cannot be tested
	Because string  `json:"because"` // why the claim cannot be tested; "" if it can
	Source  string  `json:"source"`  // source of the numbers; "" if there are none
	Numbers []Named `json:"numbers"` // numbers that determine the verdicts
}

// Options configures Test.
type Options struct {
	// Kept contains the kept tables by name, such as zdt.csv.
	Kept fs.FS
	Only string // name of the only claim to test; "" for all
	// Quick is true if all results that would take more than a few seconds to compute come from kept tables.
	Quick bool
	Jobs  int // parallel computations in an experiment, ≥ 1; the result does not depend on it
	// SeedBase is the number before the first seed. Set it to UsualSeedBase, or to another number from 0 to
	// MostSeedBase to repeat the tests on other runs. Numbers from kept tables do not depend on it.
	SeedBase int
	// Progress is called with the finished share of the claims, from 0 to 1. It may be nil.
	Progress func(done float64)
}

// All returns the claims, paper by paper.
func All() []Claim {
	return slices.Concat(ofPSMGD, onNetworks, onDigits, ofFORUM, ofMosT, ofJoGBa, ofBlockSMOO)
}

// Find returns the claim with the given name. Its error lists the available names.
func Find(name string) (Claim, error) {
	var names []string
	for _, c := range All() {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Claim{}, fmt.Errorf("unknown claim %q; available: %s", name, strings.Join(names, " "))
}

// Test tests every claim, or only the one in o, and returns the results in order.
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

// catch turns a lab's panic into an error. It must be deferred.
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
			fail(fmt.Errorf("number %d, %s, is %v with the interval from %v to %v", i+1, names[i], n.Value, n.Low, n.High))
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

// overall returns the verdict on a claim with the given parts. If all parts agree, it returns their verdict.
// Otherwise the claim holds in part if any part holds. If none holds but some are undecided, the claim does not hold,
// because one failed part is enough.
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
