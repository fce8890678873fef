package timeline

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/algo/transport"
)

// rounds returns a run of MosT on clusters that also measures its points. The method's solver takes many iterations, and
// τ is a live parameter. Runs with different numbers take steps of different duration.
func rounds(t *testing.T, number int) *Run {
	t.Helper()
	centres := make([][]float64, 12)
	for i := range centres {
		centres[i] = []float64{math.Cos(float64(i)), math.Sin(1.7 * float64(i))}
	}
	p, err := problem.NewClusters(centres, problem.Quadratic)
	if err != nil {
		t.Fatal(err)
	}
	solver, err := transport.NewIPOT(transport.IPOTConfig{Beta: 1 + float64(number)})
	if err != nil {
		t.Fatal(err)
	}
	starts := [][]float64{{0.9, 0.1}, {-0.5, 0.7}, {0.1, -0.3 * float64(number+1)}}
	s, err := transport.NewMosT(transport.Config{Problem: algo.Exact(p), Starts: starts, StepSize: 0.05, Tau: 0.2, Inner: 3, Solver: solver})
	if err != nil {
		t.Fatal(err)
	}
	return &Run{
		Name: fmt.Sprint("most-", number), Method: "most", Several: true, Starts: starts, Stepper: s,
		OfStep: []Extra{{Name: "objective"}},
		MeasureStep: func(_ []float64, _ algo.View, further []float64) {
			if round, ok := s.Round(); ok {
				further[0] = round.Objective
			}
		},
		Apply: func(c Change) error {
			v, err := strconv.ParseFloat(c.Text, 64)
			if err != nil {
				return err
			}
			return s.SetTau(v)
		},
	}
}

const roundsBudget = 6

func roundsLine(t *testing.T) *Timeline {
	t.Helper()
	line := New(DefaultLimit)
	line.SetEnd(roundsBudget, 0)
	line.Reset([]*Run{rounds(t, 0), rounds(t, 1), rounds(t, 2)}, []Change{{K: 3, Name: "tau", Text: "0.4"}})
	return line
}

// part computes one part of an iteration, up to the next yield.
func part(t *testing.T, line *Timeline) (made int) {
	t.Helper()
	first := !line.UnderWay()
	made, err := line.Advance(1, func() bool {
		again := first
		first = false
		return again
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// wholly computes n iterations without interruption.
func wholly(t *testing.T, line *Timeline, n int) {
	t.Helper()
	for range n {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
}

func sameRuns(t *testing.T, what string, got, want *Timeline) {
	t.Helper()
	for i, r := range want.Runs() {
		o := got.Runs()[i]
		if r.Len() != o.Len() || r.Status() != o.Status() {
			t.Errorf("%s: %s has %d rows and is %v, want %d and %v", what, r.Name, o.Len(), o.Status(), r.Len(), r.Status())
			continue
		}
		for j := range r.Len() {
			if !same(o.Kept(j), r.Kept(j)) {
				t.Errorf("%s: %s differs at %d", what, r.Name, j)
				break
			}
		}
	}
}

// TestParts checks that iterations interrupted at every yield give the same records bit for bit as uninterrupted ones. It
// tests several runs with live changes, and checks that no goroutine remains.
func TestParts(t *testing.T) {
	want, got := roundsLine(t), roundsLine(t)
	wholly(t, want, roundsBudget)
	before := runtime.NumGoroutine()
	parts, made := 0, 0
	for got.Running() {
		k := made
		if made += part(t, got); made == k {
			for _, r := range got.Runs() {
				if r.Last() != k || r.Len() != k+1 {
					t.Fatalf("in the step to %d, %s is at %d", k+1, r.Name, r.Last())
				}
			}
			if got.Latest() != k || got.Marker() != k || !got.UnderWay() {
				t.Fatalf("in the step to %d the latest is %d, the marker %d, under way %v", k+1, got.Latest(), got.Marker(), got.UnderWay())
			}
		}
		parts++
	}
	if parts < 10*roundsBudget || made != roundsBudget {
		t.Fatalf("got %d iterations in %d parts", made, parts)
	}
	sameRuns(t, "in parts", got, want)
	if got.UnderWay() || runtime.NumGoroutine() != before {
		t.Errorf("under way: %v; %d goroutines, before %d", got.UnderWay(), runtime.NumGoroutine(), before)
	}
}

// TestPartsOfManyRuns checks that an iteration of many runs with short steps can also be interrupted.
func TestPartsOfManyRuns(t *testing.T) {
	const count, page = 450, 4 << 20 // as many as a scene has, and the page's stretch
	runs := make([]*Run, count)
	for i := range runs {
		runs[i] = psmgd(t, i, new(int))
	}
	line := New(DefaultLimit)
	line.SetStretch(page)
	line.SetEnd(1, 0)
	line.Reset(runs, nil)
	parts := 0
	for line.Running() {
		part(t, line)
		parts++
	}
	if parts < 2 {
		t.Errorf("iteration of %d runs: got %d parts", count, parts)
	}
}

// TestDrop checks that abandoning an iteration at any point restores the state before it.
func TestDrop(t *testing.T) {
	want := roundsLine(t)
	wholly(t, want, roundsBudget)
	for _, parts := range []int{1, 2, 5, 20, 60} {
		line := roundsLine(t)
		for line.Running() {
			k, version := line.Latest(), line.Version()
			for range parts {
				if part(t, line) > 0 {
					break
				}
			}
			if under := line.UnderWay(); under {
				line.Drop()
				if line.UnderWay() || line.Latest() != k || line.Version() == version {
					t.Fatalf("%d parts: at %d after the step from %d was given up, version %d after %d", parts, line.Latest(), k, line.Version(), version)
				}
			}
			if line.Latest() == k {
				wholly(t, line, 1)
			}
		}
		sameRuns(t, fmt.Sprint("given up after parts ", parts), line, want)
	}
}

// TestChangeUnderWay checks that a live change during an iteration restarts the iteration with the change. SetEnd must
// also restart it.
func TestChangeUnderWay(t *testing.T) {
	want, got := roundsLine(t), roundsLine(t)
	wholly(t, want, 2)
	want.Change(2, "tau", "1.5")
	wholly(t, want, 4)
	wholly(t, got, 2)
	for range 5 {
		part(t, got)
	}
	got.Change(2, "tau", "1.5")
	if log := got.Log(); got.UnderWay() || len(log) != 1 || log[0] != (Change{2, "tau", "1.5"}) {
		t.Fatalf("under way %v, log %v", got.UnderWay(), log)
	}
	wholly(t, got, 2)
	part(t, got)
	part(t, got)
	got.SetEnd(roundsBudget, 0) // unchanged
	if !got.UnderWay() {
		t.Error("SetEnd with the same end abandons an iteration")
	}
	got.SetEnd(4, 0)
	if got.UnderWay() || got.Running() {
		t.Error("runs continue after their end")
	}
	got.SetEnd(roundsBudget, 0)
	wholly(t, got, 2)
	sameRuns(t, "changed under way", got, want)
}

// TestRecordUnderWay checks that runs with slow observers are recorded one after another once all steps are complete, and
// that Drop completes the iteration.
func TestRecordUnderWay(t *testing.T) {
	want := roundsLine(t)
	wholly(t, want, roundsBudget)
	line, heard := roundsLine(t), 0
	for _, r := range line.Runs() {
		r.Labour = 10 * quantum
		r.Observe = func(algo.View) { heard++ }
	}
	for line.Running() {
		k, between := line.Latest(), false
		for line.Latest() == k {
			part(t, line)
		}
		between = line.UnderWay()
		line.Drop()
		if !between || line.UnderWay() || heard != 3*(k+1) || line.Marker() != k+1 {
			t.Fatalf("recorded %v at %d of %d, under way %v", heard, line.Marker(), k+1, line.UnderWay())
		}
	}
	sameRuns(t, "recorded one after the other", line, want)
}

// TestStepUnderWay checks that Step completes the iteration in progress.
func TestStepUnderWay(t *testing.T) {
	want, got := roundsLine(t), roundsLine(t)
	wholly(t, want, 1)
	part(t, got)
	wholly(t, got, 1)
	if got.UnderWay() || got.Latest() != 1 {
		t.Fatalf("at %d, under way %v", got.Latest(), got.UnderWay())
	}
	sameRuns(t, "completed", got, want)
}

// TestResetUnderWay checks that Reset can replace runs while a step is in progress, and that it ends their coroutine.
func TestResetUnderWay(t *testing.T) {
	line := roundsLine(t)
	before := runtime.NumGoroutine()
	part(t, line)
	part(t, line)
	line.Reset([]*Run{rounds(t, 0), rounds(t, 1), rounds(t, 2)}, []Change{{K: 3, Name: "tau", Text: "0.4"}})
	if line.UnderWay() || line.Latest() != 0 || runtime.NumGoroutine() != before {
		t.Errorf("at %d, under way %v, %d goroutines after %d", line.Latest(), line.UnderWay(), runtime.NumGoroutine(), before)
	}
	want := roundsLine(t)
	wholly(t, want, roundsBudget)
	wholly(t, line, roundsBudget)
	sameRuns(t, "reset", line, want)
}

// TestVisitUnderWay checks that recorded rows can be read during an iteration, and that visits fail without changing
// anything.
func TestVisitUnderWay(t *testing.T) {
	want, got := roundsLine(t), roundsLine(t)
	wholly(t, want, roundsBudget)
	wholly(t, got, 3)
	row := got.Runs()[1].Kept(2).clone()
	for range 10 {
		part(t, got)
		for _, r := range got.Runs() {
			for k := range 5 {
				if err := got.Visit(r, k, func(algo.Stepper) { t.Error("visited") }); got.UnderWay() && !errors.Is(err, ErrUnderWay) {
					t.Fatalf("a visit of %d: %v", k, err)
				}
			}
			if _, _, ok := got.Ahead(r, 3); ok {
				t.Error("Ahead succeeds during an iteration")
			}
		}
		if !same(got.Near(got.Runs()[1], 2), row) {
			t.Error("a recorded row has changed")
		}
		if !got.UnderWay() {
			t.Fatal("the iteration is not in progress")
		}
	}
	got.SetMarker(1)
	if readout := got.Readout(); len(readout.Rows) != 9 {
		t.Errorf("%d rows in the table", len(readout.Rows))
	}
	wholly(t, got, roundsBudget-3)
	sameRuns(t, "visited under way", got, want)
}

// TestStretch checks that work below the stretch is not interrupted. A longer visit must stop, change nothing, and not be
// attempted again before the run advances.
func TestStretch(t *testing.T) {
	line := roundsLine(t)
	line.SetStretch(1 << 40)
	if part(t, line) != 1 || line.UnderWay() {
		t.Error("a short iteration is interrupted")
	}
	want := roundsLine(t)
	wholly(t, want, roundsBudget)
	line.SetStretch(2 * quantum)
	worked := line.worked
	for range 3 {
		for _, r := range line.Runs() {
			if err := line.Visit(r, 2, func(algo.Stepper) { t.Error("visited") }); !errors.Is(err, ErrLong) || !NotNow(err) {
				t.Fatalf("a long visit: %v", err)
			}
		}
	}
	if done := line.worked - worked; done > 3*4*quantum {
		t.Errorf("refused visits: got %d units of work", done)
	}
	wholly(t, line, 1)
	if err := line.Visit(line.Runs()[0], 1, func(algo.Stepper) {}); !errors.Is(err, ErrLong) {
		t.Errorf("a long visit of what is recorded: %v", err)
	}
	line.SetStretch(0)
	visited := 0
	if err := line.Visit(line.Runs()[0], 3, func(s algo.Stepper) { visited = s.View().K }); err != nil || visited != 3 {
		t.Errorf("without a stretch iteration %d is visited, %v", visited, err)
	}
	wholly(t, line, roundsBudget-2)
	sameRuns(t, "visits given up", line, want)
}

// TestDroppedRows checks that Near returns the nearest kept row if replaying a dropped row would take too long.
func TestDroppedRows(t *testing.T) {
	line := roundsLine(t)
	line.SetLimit(1)
	wholly(t, line, roundsBudget)
	r := line.Runs()[0]
	if r.Len() > 4 {
		t.Fatalf("got %d rows", r.Len())
	}
	exact, err := line.At(r, 2)
	if err != nil || exact.K != 2 {
		t.Fatal(err)
	}
	r.replayedK = -1
	line.SetStretch(1)
	if _, err := line.At(r, 2); !errors.Is(err, ErrLong) {
		t.Errorf("a long replay: got error %v", err)
	}
	if row := line.Near(r, 2); row.K > 2 || row.K != r.k[r.Index(2)] {
		t.Errorf("near 2: got row %d", row.K)
	}
}

// failing is a stepper that returns an error or panics at a given iteration.
type failing struct {
	algo.Stepper
	at    int
	panic bool
}

var errFailing = errors.New("this step fails")

func (f *failing) Step() (algo.Status, error) {
	if f.View().K == f.at {
		if f.panic {
			panic(errFailing)
		}
		return algo.Running, errFailing
	}
	return f.Stepper.Step()
}

// TestFailingParts checks that nothing of an iteration is recorded if one run's step fails.
func TestFailingParts(t *testing.T) {
	for _, panics := range []bool{false, true} {
		want := roundsLine(t)
		wholly(t, want, 2)
		line := roundsLine(t)
		f := &failing{line.Runs()[1].Stepper, 2, panics}
		line.Runs()[1].Stepper = f
		wholly(t, line, 2)
		before := runtime.NumGoroutine()
		var err error
		func() {
			defer func() {
				if fault := recover(); fault != nil {
					err = fault.(error)
				}
			}()
			_, err = line.Advance(3, func() bool { return true })
		}()
		if !errors.Is(err, errFailing) || line.UnderWay() || line.Latest() != 2 || runtime.NumGoroutine() != before {
			t.Errorf("%v; under way %v at %d", err, line.UnderWay(), line.Latest())
		}
		sameRuns(t, "after a failure", line, want)
		f.at = -1
		wholly(t, want, 2)
		wholly(t, line, 2)
		sameRuns(t, "after a failure that is over", line, want)
	}
}

// TestSteadyAdvance checks that during many iterations only the rows allocate memory.
func TestSteadyAdvance(t *testing.T) {
	steps := 0
	line := New(DefaultLimit)
	line.SetEnd(1<<30, 0)
	line.Reset([]*Run{psmgd(t, 0, &steps)}, nil)
	each := testing.AllocsPerRun(20, func() {
		if made, err := line.Advance(500, func() bool { return true }); made != 500 || err != nil {
			t.Fatal(made, err)
		}
	})
	if most := 40.0; each > most {
		t.Errorf("500 iterations: got %v allocations", each)
	}
}
