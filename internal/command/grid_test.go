package command

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"paretoplay/internal/atomicfile"
	"paretoplay/internal/engine/experiment"
)

// sharedBuffer is a buffer that allows concurrent reads and writes.
type sharedBuffer struct {
	lock sync.Mutex
	b    bytes.Buffer
}

func (s *sharedBuffer) Write(p []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.b.Write(p)
}

func (s *sharedBuffer) String() string {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.b.String()
}

// TestTellEvery checks that progress lines appear at a fixed interval, even without progress, and only between start and
// end.
func TestTellEvery(t *testing.T) {
	var b sharedBuffer
	hear, stop := tellEvery(5*time.Millisecond, &b, "toy")
	hear(experiment.Progress{Done: 0.25, Cells: 1, AllCells: 4})
	line := regexp.MustCompile(`(?m)^toy: 1 of 4 cells, 25 %(, \d+ s left)?, after \d+ s$`)
	for end := time.Now().Add(10 * time.Second); len(line.FindAllString(b.String(), -1)) < 3; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no three lines: %q", b.String())
		}
	}
	stop()
	text := b.String()
	hear(experiment.Progress{Done: 1, Cells: 4, AllCells: 4})
	time.Sleep(20 * time.Millisecond)
	if got := b.String(); got != text || len(line.FindAllString(text, -1)) != strings.Count(text, "\n") {
		t.Errorf("after the end: %q", got)
	}
	b = sharedBuffer{}
	_, stop = tellEvery(time.Hour, &b, "toy")
	if stop(); b.String() != "" {
		t.Errorf("before the first period: %q", b.String())
	}
}

// TestPlan checks that -plan counts the remaining cells and computes no table.
func TestPlan(t *testing.T) {
	table := filepath.Join(t.TempDir(), "t.csv")
	plan := func(args ...string) (cells, parts int) {
		t.Helper()
		out, err := process(append([]string{"experiment", "fonseca-noise", "-quick", "-plan"}, args...)...).Output()
		line := regexp.MustCompile(`^fonseca-noise: (\d+) cells of (\d+) parts, about \d+ \S+( \d+ min)? on one processor\n$`)
		m := line.FindStringSubmatch(string(out))
		if err != nil || m == nil {
			t.Fatalf("%v: %q, error %v", args, out, err)
		}
		cells, _ = strconv.Atoi(m[1])
		parts, _ = strconv.Atoi(m[2])
		return cells, parts
	}
	cells, parts := plan()
	half, _ := plan("-shard", "0/2")
	if cells < 2 || parts != 10*cells || half != (cells+1)/2 {
		t.Errorf("%d cells of %d parts, %d of them in half", cells, parts, half)
	}
	if _, twice := plan("-seeds", "2"); twice != 2*parts {
		t.Errorf("%d parts with two seeds, %d with one", twice, parts)
	}
	if all, _ := plan("-resume", "-csv", table); all != cells {
		t.Errorf("%d cells without a table", all)
	}
	whole, err := process("experiment", "fonseca-noise", "-quick").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	if err := os.WriteFile(table, []byte(strings.Join(lines[:4], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	if left, _ := plan("-resume", "-csv", table); left != cells-3 {
		t.Errorf("%d of %d cells are left with three of them", left, cells)
	}
	for _, args := range [][]string{{"-csv", table}, {"-resume", "-csv", table, "-svg", "f"}, {"-json", "-"}} {
		out, err := process(append([]string{"experiment", "fonseca-noise", "-quick", "-plan"}, args...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "no table to write") {
			t.Errorf("%v: %q, error %v", args, out, err)
		}
	}
}

// TestResumeAlone starts a second process with the same -resume file. The second process must return an error that
// names the process that writes to the file, and must leave the file unchanged.
func TestResumeAlone(t *testing.T) {
	table := filepath.Join(t.TempDir(), "t.csv")
	release, err := atomicfile.Lock(table)
	if err != nil {
		t.Fatal(err)
	}
	again := func() (string, error) {
		out, err := process("experiment", "fonseca-noise", "-quick", "-resume", "-csv", table).CombinedOutput()
		return string(out), err
	}
	out, err := again()
	if want := "process " + strconv.Itoa(os.Getpid()); err == nil || !strings.Contains(out, want) || !strings.Contains(out, "is writing it") {
		t.Errorf("%q, error %v", out, err)
	}
	if _, err := os.Stat(table); err == nil {
		t.Error("the second process has written")
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if out, err := again(); err != nil {
		t.Errorf("after it ended: %q, %v", out, err)
	}
	if _, err := os.Stat(table + ".lock"); err == nil {
		t.Error("a lock stays")
	}
}

// TestVagueBuild checks that vagueBuild recognises names that cannot distinguish builds.
func TestVagueBuild(t *testing.T) {
	for name, want := range map[string]string{
		"(devel) commit unknown": "without a known commit", "v1 commit abc with changes": "with changes since their commit",
		"v1 commit abc": "",
	} {
		if got := vagueBuild(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// table computes an experiment in its quick form.
func table(t *testing.T, name string, o experiment.Options) string {
	t.Helper()
	e, err := FindExperiment(name)
	if err != nil {
		t.Fatal(err)
	}
	o.Quick, o.Jobs = true, 2
	outcome, err := e.Run(o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := outcome.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestMoreSeeds checks that a table extended to more seeds has the same bytes as a table computed with these seeds at
// once. While the table grows, its file must lose no cell, and it must always be possible to resume from the file. In
// short mode, the test uses one table of each kind.
func TestMoreSeeds(t *testing.T) {
	for name, further := range map[string]bool{"fonseca-staleness": true, "fonseca-noise": true, "hyper-cleaning": false} {
		if testing.Short() && name == "fonseca-staleness" {
			continue
		}
		small := table(t, name, experiment.Options{Seeds: 1})
		whole := table(t, name, experiment.Options{Seeds: 2})
		cells := strings.Count(small, "\n") - 1
		var parts []string
		old := regexp.MustCompile(`\.0\b`).ReplaceAllString(small, "") // the format of earlier versions
		if old == small {
			t.Errorf("%s: no whole number among its reals", name)
		}
		for _, file := range []string{old, ""} {
			if file == "" {
				file = parts[len(parts)/2] // some cells already have more runs
			}
			told := 0
			got := table(t, name, experiment.Options{Seeds: 2, Resume: strings.NewReader(file),
				Grown: func(more, again int) {
					if told = more + again; further == (more == 0) || further == (again > 0) {
						t.Errorf("%s: %d cells get further runs, %d are computed again", name, more, again)
					}
				},
				Partial: func(o experiment.Outcome) error {
					var b bytes.Buffer
					err := o.WriteCSV(&b)
					if strings.Count(b.String(), "\n") != cells+1 {
						t.Errorf("%s: a file on the way has %d lines", name, strings.Count(b.String(), "\n"))
					}
					parts = append(parts, b.String())
					for i, line := range strings.Split(old, "\n") { // each column of a file has one format
						if line != strings.Split(small, "\n")[i] && strings.Contains(b.String(), "\n"+line+"\n") {
							t.Errorf("%s: reals of an earlier line have no point: %s", name, line)
						}
					}
					return err
				}})
			if got != whole {
				t.Errorf("%s: the table that has grown is not the whole", name)
			}
			if told == 0 || file == old && told != cells || file != old && told >= cells {
				t.Errorf("%s: %d of %d cells are said to grow", name, told, cells)
			}
		}
		e, err := FindExperiment(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(experiment.Options{Seeds: 1, Quick: true, Resume: strings.NewReader(whole)}); err == nil {
			t.Errorf("%s: a table with more seeds is accepted as one with fewer", name)
		}
	}
}

// TestSeed0 checks that another first seed changes the results and is stored in the files. An experiment must not
// resume from a table with another first seed. Every experiment must accept another first seed.
func TestSeed0(t *testing.T) {
	for _, name := range []string{"fonseca-staleness", "fonseca-noise", "hyper-cleaning"} {
		usual, other := table(t, name, experiment.Options{Seeds: 1}), table(t, name, experiment.Options{Seeds: 1, Seed0: 5000})
		without := regexp.MustCompile(`(?m)^(seed0|5000),`).ReplaceAllString(other, "")
		if !strings.HasPrefix(other, "seed0,") || strings.Count(other, "\n5000,") != strings.Count(usual, "\n")-1 || without == usual {
			t.Errorf("%s with another seed: %.200s", name, other)
		}
		e, err := FindExperiment(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, seed := range []uint64{0, 5001} {
			if _, err := e.Run(experiment.Options{Seeds: 1, Quick: true, Seed0: seed, Resume: strings.NewReader(other)}); err == nil {
				t.Errorf("%s: a table of seed 5000 is gone on from with %d", name, seed)
			}
		}
	}
	for i := range Experiments {
		e := &Experiments[i]
		plain, err := e.Begin(experiment.Options{Seeds: 1, Quick: true})
		if err != nil {
			t.Fatal(err)
		}
		seeded, err := e.Begin(experiment.Options{Seeds: 1, Quick: true, Seed0: 7})
		if err != nil {
			t.Fatal(err)
		}
		if plain.Size() != seeded.Size() {
			t.Errorf("%s: %+v with another seed, %+v without", e.Name, seeded.Size(), plain.Size())
		}
	}
}

// TestExperimentHelp checks that an experiment's help describes its grid, columns and flags.
func TestExperimentHelp(t *testing.T) {
	out, err := process("experiment", "fonseca-noise", "-h").CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Usage of paretoplay experiment fonseca-noise: ", "The grid: 50 cells of ", "Columns that identify a cell: method R ", "-seed0 seed",
		"takes about ", "With -quick it takes about ",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(string(out), "-data file") {
		t.Error("it has a flag for a file that it does not read")
	}
}
