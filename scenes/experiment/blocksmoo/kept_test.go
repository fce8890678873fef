package blocksmoo

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"paretoplay/scenes/experiment"
	"paretoplay/scenes/race/sweeps"
)

var regenerate = flag.Bool("regen", false, "write the tables in docs/block-smoo.md anew")

const (
	keptTables = "../../../docs/block-smoo.csv"
	keptText   = "../../../docs/block-smoo.md"
)

// kept are the tables of the command line, which take long: the file that
//
//	paretoplay experiment block-smoo -csv docs/block-smoo.csv
//
// writes.
func kept(t *testing.T) (s *Tables, file string) {
	t.Helper()
	data, err := os.ReadFile(keptTables)
	if err != nil {
		t.Fatal(err)
	}
	s = newTables(t, Default())
	if err := experiment.Resume(s.Grid, bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	if !s.Finished() {
		t.Fatal("docs/block-smoo.csv is not whole")
	}
	return s, string(data)
}

// TestKept: the tables that are kept are written as they were read, and docs/block-smoo.md
// has their text.
func TestKept(t *testing.T) {
	s, file := kept(t)
	if written(t, s) != file {
		t.Error("docs/block-smoo.csv is not written as it was read")
	}
	var text bytes.Buffer
	if err := s.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(keptText)
	if err != nil {
		t.Fatal(err)
	}
	const fence = "```\n"
	parts := strings.Split(string(data), fence)
	if len(parts) != 3 {
		t.Fatalf("docs/block-smoo.md has %d fences, want two", len(parts)-1)
	}
	if *regenerate {
		parts[1] = text.String()
		if err := os.WriteFile(keptText, []byte(strings.Join(parts, fence)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if parts[1] != text.String() {
		t.Error("docs/block-smoo.md has other tables than docs/block-smoo.csv; -regen writes them anew")
	}
}

// TestKeptRuns: what no clock decides is computed again, in part, to the last digit.
func TestKeptRuns(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("data of full size take long here")
	}
	s, _ := kept(t)
	front := false
	for i := range s.Cells() {
		want := &s.Cells()[i]
		short := want.Part == counting && want.Seed == 1 && want.M == 2 && !want.ByRows
		if want.Part == sweeping && !front && want.Front.Rank == 1 && want.Reading == byStep {
			short, front = true, true
		}
		if !short {
			continue
		}
		again := *want
		again.Rows = nil
		if err := s.work(&again); err != nil {
			t.Fatal(err)
		}
		if got, want := joinRows(again.Rows), joinRows(want.Rows); got != want {
			t.Errorf("%s, %+v: computed is\n%s, kept is\n%s", again.Part, again.Setting, got, want)
		}
	}
	if !front {
		t.Error("no front is computed again")
	}
}

// found is what of the kept tables words are about.
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

// same is the trial of a method with the step size of all, and cheap the one that gets to the
// last level at the least cost.
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

// costs are those of trials up to a level, as the tables have them.
func (f found) costs(level int, trials ...trial) (out []any) {
	f.t.Helper()
	for _, t := range trials {
		out = append(out, costText(f.countedValues(t, f.workTo(level), false)))
	}
	return out
}

// ratio is that of the costs of two trials.
func (f found) ratio(level int, t, to trial) string {
	f.t.Helper()
	return f.against(t, to, f.workTo(level)).ratio()
}

// loss is that of a contender after so many seconds.
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

// quality is a measure of the fronts of a method.
func (f found) quality(method, rank int, reading string, passes, measure, decimals int) string {
	f.t.Helper()
	for i := range f.config.Fronts {
		if front := &f.config.Fronts[i]; front.Rank == rank && front.Reading == reading && front.Passes == passes {
			return estimate(f.frontValues(front, method, measure)).plusMinus(decimals)
		}
	}
	f.t.Fatalf("there is no front of r = %d, %s, %d", rank, reading, passes)
	return ""
}
