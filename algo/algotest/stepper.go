package algotest

import (
	"math"

	"paretoplay/algo"
)

const (
	stepperSteps   = 40
	divergingSteps = 10000
)

// saveAfter lists the numbers of steps after which a stepper is saved: at the start, and in several phases of periodic
// behaviour.
var saveAfter = []int{0, 1, 2, 3, 5, 8, 13}

// Stepper checks the steppers that construct returns. Each call must return a fresh stepper with the same
// configuration. It checks that
//   - a fresh stepper is at K = 0 with a finite X and F, no cost, and no data about a last step;
//   - a view is consistent: K counts the steps, costs never decrease, slices are finite, contain one row per solution
//     and keep their lengths, and View changes nothing;
//   - two fresh steppers agree bit by bit;
//   - Load restores what Save appended, both in a fresh stepper and in the saved one after further steps: steps repeat
//     bit for bit, and Load reads exactly what Save appended;
//   - after the first call, Step, View and Save do not allocate;
//   - an algo.Yielding stepper yields at least once in a step, takes the same steps and allocates nothing while it
//     yields. After a step is abandoned at one of its yields, Load restores the stepper completely.
//
// Each diverging constructor must return a stepper whose run becomes non-finite within 10000 steps. The stepper must
// report Diverged with the iteration and the quantity, and keep the last finite state. Further steps must change
// nothing.
func Stepper(t T, construct func() algo.Stepper, diverging ...func() algo.Stepper) {
	t.Helper()
	checkStart(t, construct())
	checkViews(t, construct())
	checkReset(t, construct)
	for _, k := range saveAfter {
		checkReplay(t, construct, k)
	}
	checkStepperAllocations(t, construct())
	checkYields(t, construct)
	for _, d := range diverging {
		checkDivergence(t, d)
	}
}

// state combines a deep copy of a view with the status that Step returned.
type state struct {
	status algo.Status
	view   algo.View
}

func freeze(status algo.Status, v algo.View) state {
	v.X, v.F = clone(v.X), clone(v.F)
	v.Weights, v.Direction = clone(v.Weights), clone(v.Direction)
	if v.Jacobian != nil {
		v.Jacobian = &algo.Jacobian{Rows: v.Jacobian.Rows, Cols: v.Jacobian.Cols, Data: clone(v.Jacobian.Data)}
	}
	return state{status, v}
}

// difference returns the name of the first field in which a and b differ, or "" if they are equal.
func (a state) difference(b state) string {
	if a.status != b.status {
		return "status"
	}
	if d := a.positionDifference(b); d != "" {
		return d
	}
	v, w := &a.view, &b.view
	switch {
	case (v.Jacobian == nil) != (w.Jacobian == nil):
		return "presence of Jacobian"
	case v.Jacobian != nil && !sameBits(v.Jacobian.Data, w.Jacobian.Data):
		return "Jacobian"
	case !sameBits(v.Weights, w.Weights):
		return "Weights"
	case !sameBits(v.Direction, w.Direction):
		return "Direction"
	case math.Float64bits(v.StepSize) != math.Float64bits(w.StepSize):
		return "StepSize"
	case v.Refreshed != w.Refreshed:
		return "Refreshed"
	}
	return ""
}

// positionDifference is like difference, but compares only the fields that do not describe the last step. Load need not
// restore the last step.
func (a state) positionDifference(b state) string {
	v, w := &a.view, &b.view
	switch {
	case v.K != w.K:
		return "K"
	case v.Solutions != w.Solutions:
		return "Solutions"
	case !sameBits(v.X, w.X):
		return "X"
	case !sameBits(v.F, w.F):
		return "F"
	case v.Cost != w.Cost:
		return "Cost"
	case v.Diverged != w.Diverged:
		return "Diverged"
	}
	return ""
}

// advance takes count steps, or fewer if the run ends, and returns the state after each step.
func advance(t T, s algo.Stepper, count int) []state {
	t.Helper()
	var states []state
	for range count {
		status, err := s.Step()
		if err != nil {
			t.Errorf("Step from K = %d: %v", s.View().K, err)
			break
		}
		states = append(states, freeze(status, s.View()))
		if status != algo.Running {
			break
		}
	}
	return states
}

func compareRuns(t T, what string, got, want []state) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d steps, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if d := got[i].difference(want[i]); d != "" {
			t.Errorf("%s: %s differs after step %d:\n got %+v\nwant %+v", what, d, i+1, got[i].view, want[i].view)
			return
		}
	}
}

func checkStart(t T, s algo.Stepper) {
	t.Helper()
	v := s.View()
	if v.K != 0 {
		t.Errorf("a fresh stepper is at K = %d, want 0", v.K)
	}
	if len(v.X) == 0 || len(v.F) == 0 || !algo.Finite(v.X) || !algo.Finite(v.F) {
		t.Errorf("a fresh stepper has X = %v and F = %v, both must be present and finite", v.X, v.F)
	}
	checkRows(t, &v)
	if v.Jacobian != nil || v.Weights != nil || v.Direction != nil || v.StepSize != 0 || v.Refreshed {
		t.Errorf("a fresh stepper shows data of a step: %+v", v)
	}
	if v.Cost != (algo.Cost{}) {
		t.Errorf("a fresh stepper has cost %+v, want none", v.Cost)
	}
	if v.Diverged != (algo.Divergence{}) {
		t.Errorf("a fresh stepper has diverged: %+v", v.Diverged)
	}
}

func checkViews(t T, s algo.Stepper) {
	t.Helper()
	before := freeze(algo.Running, s.View())
	for range stepperSteps {
		status, err := s.Step()
		if err != nil {
			t.Errorf("Step from K = %d: %v", before.view.K, err)
			return
		}
		now := freeze(status, s.View())
		if d := freeze(status, s.View()).difference(now); d != "" {
			t.Errorf("looking twice at K = %d shows another %s", now.view.K, d)
		}
		v, w := &now.view, &before.view
		if status == algo.Running && v.K != w.K+1 {
			t.Errorf("a step from K = %d leads to K = %d", w.K, v.K)
		}
		checkRows(t, v)
		if v.Solutions != w.Solutions {
			t.Errorf("K = %d: there are %d solutions, there were %d", v.K, v.Solutions, w.Solutions)
		}
		if len(v.X) != len(w.X) || len(v.F) != len(w.F) {
			t.Errorf("K = %d: X and F have lengths %d and %d, had %d and %d", v.K, len(v.X), len(v.F), len(w.X), len(w.F))
		}
		for _, q := range []struct {
			name string
			data []float64
		}{{"X", v.X}, {"F", v.F}, {"Weights", v.Weights}, {"Direction", v.Direction}, {"StepSize", []float64{v.StepSize}}} {
			if !algo.Finite(q.data) {
				t.Errorf("K = %d: %s is not finite: %v", v.K, q.name, q.data)
			}
		}
		if j := v.Jacobian; j != nil {
			if len(j.Data) != j.Rows*j.Cols || j.Rows < 1 || j.Cols < 1 {
				t.Errorf("K = %d: a %d×%d Jacobian with %d numbers", v.K, j.Rows, j.Cols, len(j.Data))
			}
			if !algo.Finite(j.Data) {
				t.Errorf("K = %d: Jacobian is not finite: %v", v.K, j.Data)
			}
		}
		if v.Cost.Backpropagations < w.Cost.Backpropagations || v.Cost.GradientCoordinates < w.Cost.GradientCoordinates ||
			v.Cost.HessianVectorProducts < w.Cost.HessianVectorProducts {
			t.Errorf("K = %d: cost fell from %+v to %+v", v.K, w.Cost, v.Cost)
		}
		if status != algo.Diverged && v.Diverged != (algo.Divergence{}) {
			t.Errorf("K = %d: status %v with divergence %+v", v.K, status, v.Diverged)
		}
		if status != algo.Running {
			return
		}
		before = now
	}
}

// checkRows checks that X, F, Weights and Direction have one row per solution.
func checkRows(t T, v *algo.View) {
	t.Helper()
	if v.Solutions < 1 {
		t.Errorf("K = %d: there are %d solutions, there must be at least one", v.K, v.Solutions)
		return
	}
	for _, rows := range []struct {
		name string
		data []float64
	}{{"X", v.X}, {"F", v.F}, {"Direction", v.Direction}} {
		if len(rows.data)%v.Solutions != 0 {
			t.Errorf("K = %d: %s has length %d, which is not a row for each of %d solutions", v.K, rows.name, len(rows.data), v.Solutions)
		}
	}
	if v.Weights != nil && len(v.Weights) != len(v.F) {
		t.Errorf("K = %d: %d weights for %d objective values of %d solutions", v.K, len(v.Weights), len(v.F), v.Solutions)
	}
	if len(v.Direction) > len(v.X) {
		t.Errorf("K = %d: Direction has length %d, X has only %d", v.K, len(v.Direction), len(v.X))
	}
}

func checkReset(t T, construct func() algo.Stepper) {
	t.Helper()
	// Steps alternate between the two steppers, so that shared state is detected.
	a, b := construct(), construct()
	if d := freeze(algo.Running, a.View()).difference(freeze(algo.Running, b.View())); d != "" {
		t.Errorf("reset equals new: two fresh steppers start with another %s", d)
	}
	var first, second []state
	for range stepperSteps {
		first = append(first, advance(t, a, 1)...)
		second = append(second, advance(t, b, 1)...)
		if len(first) == 0 || first[len(first)-1].status != algo.Running {
			break
		}
	}
	compareRuns(t, "reset equals new", second, first)
}

func checkReplay(t T, construct func() algo.Stepper, k int) {
	t.Helper()
	const mark, markWord = 0.25, 77
	s := construct()
	if states := advance(t, s, k); len(states) < k {
		return // the run ended before this point
	}
	saved := freeze(algo.Running, s.View())
	var snap algo.Snapshot
	snap.PutFloats(mark)
	snap.PutWord(markWord)
	s.Save(&snap)
	snap.PutFloats(mark)
	snap.PutWord(markWord)
	if d := freeze(algo.Running, s.View()).difference(saved); d != "" {
		t.Errorf("Save at K = %d changes %s", k, d)
	}
	want := advance(t, s, stepperSteps)

	load := func(what string, into algo.Stepper) {
		t.Helper()
		snap.Rewind()
		if snap.GetFloat() != mark || snap.GetWord() != markWord {
			t.Errorf("%s: Save at K = %d overwrites what was in the snapshot", what, k)
			return
		}
		floats, words := len(snap.Floats), len(snap.Words)
		if fault := recovered(func() { into.Load(&snap) }); fault != nil {
			t.Errorf("%s: Load at K = %d panics: %v", what, k, fault)
			return
		}
		if len(snap.Floats) != floats || len(snap.Words) != words {
			t.Errorf("%s: Load at K = %d changes the snapshot", what, k)
			return
		}
		if !atEnd(&snap, mark, markWord) {
			t.Errorf("%s: Load at K = %d does not read exactly what Save appended", what, k)
		}
		if d := freeze(algo.Running, into.View()).positionDifference(saved); d != "" {
			t.Errorf("%s: after Load at K = %d %s differs: %+v, saved %+v", what, k, d, into.View(), saved.view)
		}
		compareRuns(t, what, advance(t, into, stepperSteps), want)
	}
	load("load into the same stepper", s)
	load("load into a fresh stepper", construct())
}

// atEnd reports whether the given float and word are the only unread numbers.
func atEnd(s *algo.Snapshot, float float64, word uint64) bool {
	matches := false
	// Reading beyond the end panics, which counts as a difference.
	if recovered(func() { matches = s.GetFloat() == float && s.GetWord() == word }) != nil {
		return false
	}
	return matches && recovered(func() { s.GetFloat() }) != nil && recovered(func() { s.GetWord() }) != nil
}

// recovered calls f and returns the value it panicked with, or nil.
func recovered(f func()) (fault any) {
	defer func() { fault = recover() }()
	f()
	return nil
}

func checkStepperAllocations(t T, s algo.Stepper) {
	t.Helper()
	var snap algo.Snapshot
	if _, err := s.Step(); err != nil {
		t.Errorf("Step from K = 0: %v", err)
		return
	}
	s.Save(&snap)
	noAllocations(t, "Step", func() {
		if _, err := s.Step(); err != nil {
			t.Errorf("Step: %v", err)
		}
	})
	var v algo.View
	noAllocations(t, "View", func() { v = s.View() })
	if v.K == 0 {
		t.Errorf("after steps View is still at K = 0")
	}
	noAllocations(t, "a warm Save", func() {
		snap.Reset()
		s.Save(&snap)
	})
}

func checkDivergence(t T, construct func() algo.Stepper) {
	t.Helper()
	s := construct()
	last := freeze(algo.Running, s.View())
	for range divergingSteps {
		status, err := s.Step()
		if err != nil {
			t.Errorf("diverging run: Step from K = %d: %v", last.view.K, err)
			return
		}
		now := freeze(status, s.View())
		if status == algo.Diverged {
			checkDiverged(t, construct, s, last, now)
			return
		}
		if !algo.Finite(now.view.X) || !algo.Finite(now.view.F) {
			t.Errorf("diverging run: X = %v, F = %v at K = %d with status %v", now.view.X, now.view.F, now.view.K, status)
			return
		}
		last = now
	}
	t.Errorf("diverging run: not diverged after %d steps", divergingSteps)
}

func checkDiverged(t T, construct func() algo.Stepper, s algo.Stepper, last, now state) {
	t.Helper()
	v := &now.view
	if v.K != last.view.K || !sameBits(v.X, last.view.X) || !sameBits(v.F, last.view.F) {
		t.Errorf("diverging run: the last good state K = %d, X = %v, F = %v is not kept: %+v", last.view.K, last.view.X, last.view.F, *v)
	}
	if !algo.Finite(v.X) || !algo.Finite(v.F) {
		t.Errorf("diverging run: X = %v, F = %v", v.X, v.F)
	}
	if v.Diverged.Quantity == "" || v.Diverged.K != last.view.K {
		t.Errorf("diverging run: reports %+v, but the failed step started at K = %d", v.Diverged, last.view.K)
	}
	still := func(what string, s algo.Stepper) {
		t.Helper()
		status, err := s.Step()
		if err != nil || status != algo.Diverged {
			t.Errorf("diverging run: a further step %s returns %v, %v, want %v", what, status, err, algo.Diverged)
		}
		if d := freeze(algo.Diverged, s.View()).positionDifference(now); d != "" {
			t.Errorf("diverging run: a further step %s changes %s", what, d)
		}
	}
	still("after divergence", s)
	var snap algo.Snapshot
	s.Save(&snap)
	fresh := construct()
	if fault := recovered(func() { fresh.Load(&snap) }); fault != nil {
		t.Errorf("diverging run: Load after divergence panics: %v", fault)
		return
	}
	if d := freeze(algo.Diverged, fresh.View()).positionDifference(now); d != "" {
		t.Errorf("diverging run: after loading a diverged run %s differs: %+v, saved %+v", d, fresh.View(), *v)
	}
	still("after loading a diverged run", fresh)
}
