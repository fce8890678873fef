// Package experimenttest contains the tests that every experiment runs on its tables. The tests compute the tables,
// write them, divide the work into pieces, and compare the results with the tables kept in docs.
package experimenttest

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"paretoplay/internal/engine/experiment"
)

var regenerate = flag.Bool("regen", false, "rewrite the tables in docs/*.md from docs/*.csv")

// docs is the folder of the kept files, relative to an experiment's folder.
const docs = "../../../docs/"

// fence marks the start and the end of the tables in a document.
const fence = "```\n"

// Tables is the result of an experiment's constructor.
type Tables interface {
	experiment.Outcome
	Work(more func() bool) (pending bool, err error)
	Finished() bool
}

// Harness creates tables for configurations.
type Harness[Config, Cell any, T Tables] struct {
	New  func(Config) (T, error)
	Grid func(T) *experiment.Grid[Cell]
	// Same compares two files that contain measured times. If Same is nil, files are compared byte by byte.
	Same func(t testing.TB, a, b string) bool
}

// Begin returns tables with nothing computed.
func (h Harness[Config, Cell, T]) Begin(t testing.TB, c Config) T {
	t.Helper()
	s, err := h.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Complete returns completely computed tables.
func (h Harness[Config, Cell, T]) Complete(t testing.TB, c Config, jobs int) T {
	t.Helper()
	s := h.Begin(t, c)
	if err := experiment.Run(h.Grid(s), experiment.Options{Jobs: jobs}); err != nil {
		t.Fatal(err)
	}
	return s
}

// Run computes the next run of a cell.
func Run[Cell any](t testing.TB, c *Cell, begin func(c *Cell) (*experiment.Course[Cell], error)) {
	t.Helper()
	r, err := begin(c)
	if err == nil {
		_, err = r.Advance(func() bool { return true })
	}
	if err == nil {
		err = r.End(c)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// CSV returns what an outcome writes as CSV.
func CSV(t testing.TB, o experiment.Outcome) string {
	t.Helper()
	var b bytes.Buffer
	if err := o.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Kept returns the tables of docs/NAME.csv, which must be complete, and the file's contents. The test fails if
// writing the tables does not reproduce the file.
func (h Harness[Config, Cell, T]) Kept(t testing.TB, name string, c Config) (s T, file string) {
	t.Helper()
	data, err := os.ReadFile(docs + name + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	s = h.Begin(t, c)
	if err := experiment.Resume(h.Grid(s), bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	if !s.Finished() {
		t.Fatalf("docs/%s.csv is not complete", name)
	}
	if CSV(t, s) != string(data) {
		t.Errorf("docs/%s.csv changes when it is read and written again", name)
	}
	return s, string(data)
}

// KeptText fails the test unless docs/NAME.md contains the tables of an outcome between its fences. With -regen it
// first rewrites the tables in the document.
func KeptText(t *testing.T, name string, o experiment.Printed) {
	t.Helper()
	var text bytes.Buffer
	if err := o.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	path := docs + name + ".md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(data), fence)
	if len(parts) != 3 {
		t.Fatalf("%s has %d fences, want two", path, len(parts)-1)
	}
	if *regenerate {
		parts[1] = text.String()
		if err := os.WriteFile(path, []byte(strings.Join(parts, fence)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if parts[1] != text.String() {
		t.Errorf("docs/%s.md has other tables than docs/%s.csv; make regen-kept rewrites them:\n%s", name, name, text.String())
	}
}

// Words returns the text of docs/NAME.md as a single line.
func Words(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(docs + name + ".md")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(data)), " ")
}

// Pieces fails the test if the CSV file depends on the number of jobs, or on how the work is divided into pieces. In
// pieces of a given size, the work must take at least steps/size calls.
func (h Harness[Config, Cell, T]) Pieces(t *testing.T, c Config, jobs, steps int, sizes ...int) {
	t.Helper()
	same := func(a, b string) bool { return a == b }
	if h.Same != nil {
		same = func(a, b string) bool { return h.Same(t, a, b) }
	}
	want := CSV(t, h.Complete(t, c, 1))
	if got := CSV(t, h.Complete(t, c, jobs)); !same(got, want) {
		t.Errorf("%d jobs: %s", jobs, got)
	}
	for _, size := range sizes {
		s := h.Begin(t, c)
		calls := 0
		for pending := true; pending; calls++ {
			left := size
			var err error
			if pending, err = s.Work(func() bool { left--; return left >= 0 }); err != nil {
				t.Fatal(err)
			}
		}
		if got := CSV(t, s); !same(got, want) || calls < steps/size {
			t.Errorf("%d pieces of %d: %s", calls, size, got)
		}
	}
}
