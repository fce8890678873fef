package blocksmoo

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/experiment/experimenttest"
	"paretoplay/internal/engine/runs/sweeps"
)

// tables creates tables for tests.
var tables = experimenttest.Harness[Config, experiment.Line, *Tables]{New: New,
	Grid: func(s *Tables) *experiment.Grid[experiment.Line] { return s.Grid }}

// TestKept checks that docs/block-smoo.csv, which takes a long time to compute, is reproduced when it is read and
// written again, and that docs/block-smoo.md contains the tables of that file.
func TestKept(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	experimenttest.KeptText(t, name, s)
}

// TestKeptRuns computes a part of the table again, without times, and checks that it agrees exactly with the kept
// table.
func TestKeptRuns(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("data of full size take long here")
	}
	s, _ := tables.Kept(t, name, Default())
	for want := range experiment.Of[cell[attempt]](s.Grid) {
		if want.Key != (attempt{s.config.plain(byFunction), 1}) {
			continue
		}
		again, err := s.count(want.Key)
		if err != nil {
			t.Fatal(err)
		}
		again.Round(digits)
		if got, want := experiment.JoinRows(again), experiment.JoinRows(want.Rows); got != want {
			t.Errorf("computed is\n%s, kept is\n%s", got, want)
		}
	}
}

// found gives access to the kept tables, to check the text about them.
type found struct {
	t *testing.T
	*Tables
}

var (
	alternating = Method{ID: sweeps.BlockSMOO}
	sharing     = Method{sweeps.BlockSMOO, true}
	byFunction  = Method{ID: sweeps.FunctionAlternate}
	byBlock     = Method{ID: sweeps.BlockAlternate}
)

// same returns a method's trial with the common step size. cheap returns the trial that reaches the last level at the
// smallest cost.
func (f found) same(m Method) trial { return trial{f.config.plain(m), f.config.EqualAlpha} }

func (f found) cheap(m Method) trial {
	f.t.Helper()
	return f.cheapOf(f.config.plain(m), len(f.config.Levels)-1)
}

func (f found) cheapOf(s Setting, level int) trial {
	f.t.Helper()
	t, ok := f.cheapest(s, level)
	if !ok {
		f.t.Fatalf("%+v never gets to level %d", s, level)
	}
	return t
}

// costs returns the costs at which the trials reach a level, formatted as in the tables.
func (f found) costs(level int, trials ...trial) (out []any) {
	f.t.Helper()
	for _, t := range trials {
		out = append(out, costText(f.countedValues(t, workTo(level), false)))
	}
	return out
}

// ratio returns the ratio of the costs at which two trials, t and to, reach a level.
func (f found) ratio(level int, t, to trial) string {
	f.t.Helper()
	return f.against(t, to, workTo(level)).Ratio(math.E)
}

// loss returns a contender's loss after the given seconds.
func (f found) loss(m Method, tuned bool, seconds float64) string {
	f.t.Helper()
	for i, at := range f.config.Records {
		if at == seconds {
			return lossText(f.lossOverTime(contender{m, tuned}, i))
		}
	}
	f.t.Fatalf("there is no record after %g s", seconds)
	return ""
}

// quality returns a quality measure of a method's fronts.
func (f found) quality(method, rank int, reading string, passes, measure, decimals int) string {
	f.t.Helper()
	for i := range f.config.Fronts {
		if front := &f.config.Fronts[i]; front.Rank == rank && front.Reading == reading && front.Passes == passes {
			return f.frontValue(front, method, measure).Text(decimals)
		}
	}
	f.t.Fatalf("there is no front of r = %d, %s, %d", rank, reading, passes)
	return ""
}

// TestSays checks that every number in docs/block-smoo.md outside its tables agrees with the tables.
func TestSays(t *testing.T) {
	s, _ := tables.Kept(t, name, Default())
	f := found{t, s}
	words, _, _ := strings.Cut(experimenttest.Words(t, name), "``` ")
	for _, want := range f.sentences() {
		if !strings.Contains(words, want) {
			t.Errorf("docs/block-smoo.md does not say %q", want)
		}
	}
}

// sentences returns the findings of the tables in words.
func (f found) sentences() []string {
	f.t.Helper()
	c := &f.config
	last := len(c.Levels) - 1
	say := func(format string, values ...any) string { return fmt.Sprintf(format, values...) }
	all := []Method{byFunction, sharing, alternating, baseline, byBlock}
	same := func(level int, list ...Method) (out []any) {
		for _, m := range list {
			out = append(out, f.costs(level, f.same(m))...)
		}
		return out
	}
	cheap := func(level int, list ...Method) (out []any) {
		for _, m := range list {
			out = append(out, f.costs(level, f.cheap(m))...)
		}
		return out
	}
	coordinates := func(t trial) string { return costText(f.countedValues(t, f.config.coordinatesTo(last), false)) }
	variant := func(s Setting) string { return costText(f.countedValues(f.cheapOf(s, last), workTo(last), true)) }
	rate := func(m Method) string {
		return experiment.Significant(f.timedMean(contender{m, false}, work)/c.Budget, 2)
	}
	rows := f.countedValues(f.cheapOf(Setting{alternating, true, 2}, last), workTo(last), true)
	const five = "%s, %s, %s, %s and %s"
	out := []string{
		say("Function-Alternate takes %s million multiplications to a loss of 100, Block-SMOO with a shared V batch %s, Block-SMOO %s, the "+
			"weighted sum %s and Block-Alternate %s", same(0, all...)...),
		say("are %s, %s and %s of the weighted sum’s, Block-Alternate’s %s", f.ratio(0, f.same(byFunction), f.same(baseline)),
			f.ratio(0, f.same(sharing), f.same(baseline)), f.ratio(0, f.same(alternating), f.same(baseline)),
			f.ratio(0, f.same(byBlock), f.same(baseline))),
		say("α = %g, %g, %g, %g and %g", f.cheap(byFunction).Alpha, f.cheap(sharing).Alpha, f.cheap(alternating).Alpha, f.cheap(baseline).Alpha,
			f.cheap(byBlock).Alpha),
		say("to 100 it takes "+five, cheap(0, all...)...),
		say("to 1 "+five, cheap(1, all...)...),
		say("and to 0.01 "+five, cheap(2, all...)...),
		say("Function-Alternate’s costs to 100 are %s and Block-SMOO’s %s of the weighted sum’s",
			f.ratio(0, f.cheap(byFunction), f.cheap(baseline)), f.ratio(0, f.cheap(alternating), f.cheap(baseline))),
		say("%s of Function-Alternate’s to 100 and %s to 1", f.ratio(0, f.same(alternating), f.same(byFunction)),
			f.ratio(1, f.same(alternating), f.same(byFunction))),
		say("with a shared V batch %s and %s", f.ratio(0, f.same(sharing), f.same(byFunction)), f.ratio(1, f.same(sharing), f.same(byFunction))),
		say("Block-SMOO takes %s thousand coordinates to 0.01, Function-Alternate %s, the weighted sum %s", coordinates(f.cheap(alternating)),
			coordinates(f.cheap(byFunction)), coordinates(f.cheap(baseline))),
		say("m_k = 1, 2, 4 and 8 take Block-SMOO %s, %s, %s and %s million", variant(Setting{alternating, false, 1}),
			variant(Setting{alternating, false, 2}), variant(Setting{alternating, false, 4}), variant(Setting{alternating, false, 8})),
		say("with each row of V as a block, %d of %d runs reach it, and with a shared batch they take %s instead of %s",
			finite(rows), len(rows), variant(Setting{sharing, true, 2}), variant(Setting{sharing, false, 2})),
		say("Block-Alternate takes %s instead of %s", variant(Setting{byBlock, true, 2}), variant(Setting{byBlock, false, 2})),
		say("%s million per second for Function-Alternate, %s for Block-SMOO, %s with a shared V batch, %s for the weighted sum and %s for "+
			"Block-Alternate", rate(byFunction), rate(alternating), rate(sharing), rate(baseline), rate(byBlock)),
	}
	for _, at := range []float64{0.02, 0.04, 0.1} {
		out = append(out, say("after %g s "+five, at, f.loss(byFunction, false, at), f.loss(sharing, false, at), f.loss(alternating, false, at),
			f.loss(baseline, false, at), f.loss(byBlock, false, at)))
	}
	for _, end := range []struct {
		name string
		Method
	}{{"Function-Alternate", byFunction}, {"Block-SMOO", alternating}, {"the weighted sum", baseline}} {
		t, ok := f.chosen(end.Method)
		if !ok {
			f.t.Fatal("nothing is chosen")
		}
		out = append(out, say("%s takes α = %g and ends at %s", end.name, t.Alpha, f.loss(end.Method, true, c.Budget)))
	}
	spread := func(method, measure, decimals int) string {
		return f.quality(method, 2, byStep, 20, measure, decimals)
	}
	out = append(out, say("Γ is %s and %s there, Δ %s and %s", spread(0, gamma, 2),
		spread(1, gamma, 2), spread(0, delta, 2), spread(1, delta, 2)))
	for _, front := range []struct {
		rank    int
		reading string
		passes  int
		before  string
	}{
		{2, byStep, 20, "20 passes and r = 2, the purity is"}, {1, byStep, 20, "with r = 1"}, {3, byStep, 20, "and with r = 3"},
		{2, byCost, 20, "with r = 2 it is then"}, {3, byCost, 20, "and with r = 3 it is"},
		{2, byVisit, 20, "it is"}, {2, byOuter, 20, "it is"},
	} {
		out = append(out, say("%s %s for Block-SMOO and %s for the weighted sum", front.before,
			f.quality(0, front.rank, front.reading, front.passes, purity, 2), f.quality(1, front.rank, front.reading, front.passes, purity, 2)))
	}
	return out
}
