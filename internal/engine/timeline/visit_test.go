package timeline

import (
	"errors"
	"slices"
	"testing"

	"paretoplay/algo"
)

// TestVisit checks that a visit provides the stepper's state at any iteration, just after the step that led to it,
// with or without dropped rows. The iteration after the last must be computed and undone. Later iterations must not
// change.
func TestVisit(t *testing.T) {
	const iterations = 160
	var steps int
	_, want := history(t, DefaultLimit, iterations, 1, &steps)
	for _, limit := range []int{DefaultLimit, 8 << 10} {
		line, _ := history(t, limit, iterations, 1, &steps)
		r := line.Runs()[0]
		for _, k := range []int{0, 1, 2, 2, 1, 37, 38, 39, 64, 65, 63, 159, 160, 5, 161, 160, 161} {
			visited := 0
			err := line.Visit(r, k, func(s algo.Stepper) {
				visited++
				v := s.View()
				if v.K != k {
					t.Fatalf("at %d the stepper is at %d", k, v.K)
				}
				if (v.Direction != nil) != (k > 0) {
					t.Errorf("at %d the step is %v", k, v.Direction)
				}
				if k <= iterations && !slices.Equal(v.X, want[0][k].X) {
					t.Errorf("at %d the stepper is at x = %v, recorded was %v", k, v.X, want[0][k].X)
				}
				if k > 0 && k <= iterations && (!slices.Equal(v.Direction, want[0][k-1].Direction) || v.Refreshed != want[0][k-1].Refreshed) {
					t.Errorf("at %d the step is %v, recorded was %v", k, v.Direction, want[0][k-1].Direction)
				}
				if _, err := s.Step(); err != nil { // f may change the stepper
					t.Fatal(err)
				}
			})
			if err != nil || visited != 1 {
				t.Fatalf("visit of %d: %d calls, error %v", k, visited, err)
			}
			if v := r.Stepper.View(); v.K != iterations || r.Last() != iterations {
				t.Fatalf("after a visit the stepper is at %d, the run at %d", v.K, r.Last())
			}
		}
		for _, k := range []int{-1, iterations + 2} {
			var refused *algo.RangeError
			if err := line.Visit(r, k, func(algo.Stepper) { t.Error("called") }); !errors.As(err, &refused) {
				t.Errorf("visit of %d: %v", k, err)
			}
		}
		line.SetEnd(iterations+20, 0)
		for line.Running() {
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
		}
		_, longer := history(t, DefaultLimit, iterations+20, 1, &steps)
		if got := r.Kept(r.Len() - 1); !same(got, longer[0][iterations+20]) {
			t.Errorf("after visits the run ends at %+v, not at %+v", got, longer[0][iterations+20])
		}
	}
}

// TestVisitsInOrder checks that visits in order cost one step each, and that a repeated visit also costs one step.
func TestVisitsInOrder(t *testing.T) {
	var steps int
	line, _ := history(t, DefaultLimit, 300, 1, &steps)
	r := line.Runs()[0]
	visit := func(k int) {
		if err := line.Visit(r, k, func(algo.Stepper) {}); err != nil {
			t.Fatal(err)
		}
	}
	visit(50)
	steps = 0
	for k := 51; k <= 301; k++ {
		visit(k)
	}
	if steps != 251 {
		t.Errorf("251 visits in order: got %d steps", steps)
	}
	steps = 0
	for range 3 {
		visit(300)
	}
	if steps > 3 {
		t.Errorf("three equal visits: got %d steps", steps)
	}
}

// TestVisitPending checks that a change logged at the last iteration affects the step that a visit takes from there.
// A change that replaces it must affect the step, too.
func TestVisitPending(t *testing.T) {
	var steps int
	line := New(DefaultLimit)
	line.SetEnd(50, 0)
	r := psmgd(t, 0, &steps)
	line.Reset([]*Run{r}, nil)
	for range 10 {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	for _, eta := range []struct {
		text string
		want float64
	}{{"0.05", 0.05}, {"0.2", 0.2}} {
		line.Change(10, "eta", eta.text)
		for range 2 {
			if err := line.Visit(r, 11, func(s algo.Stepper) {
				if got := s.View().StepSize; got != eta.want {
					t.Errorf("η = %v in the step to come, want %v", got, eta.want)
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestVisitNothing checks that a visit fails if no step is possible.
func TestVisitNothing(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		s    *script
		want error
	}{{&script{until: 2, status: algo.Diverged}, ErrNoStep}, {&script{until: 2, fault: broken}, broken}} {
		line := New(DefaultLimit)
		line.SetEnd(10, 0)
		bad := scripted("bad", c.s)
		line.Reset([]*Run{bad}, nil)
		for range 2 {
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
		}
		if err := line.Visit(bad, 3, func(algo.Stepper) { t.Error("called") }); !errors.Is(err, c.want) {
			t.Errorf("error %v, want %v", err, c.want)
		}
		if err := line.Visit(bad, 2, func(algo.Stepper) {}); err != nil {
			t.Error(err)
		}
	}
}

// TestVisitWithin checks that a nested visit panics, because it would lose the run's state, and that the state is
// restored.
func TestVisitWithin(t *testing.T) {
	var steps int
	line, _ := history(t, DefaultLimit, 20, 1, &steps)
	r := line.Runs()[0]
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a visit within a visit is not refused")
			}
		}()
		if err := line.Visit(r, 5, func(algo.Stepper) {
			if err := line.Visit(r, 3, func(algo.Stepper) {}); err != nil {
				t.Error(err)
			}
		}); err != nil {
			t.Error(err)
		}
	}()
	if k := r.Stepper.View().K; k != 20 {
		t.Errorf("after a visit that panics the stepper is at %d", k)
	}
	if err := line.Visit(r, 7, func(algo.Stepper) {}); err != nil {
		t.Error(err)
	}
}

// TestObserve checks that the start and every committed iteration are observed once, in order, each after its row is
// recorded. Replays, calls of Ahead, visits and dropped rows must neither add nor remove observations.
func TestObserve(t *testing.T) {
	for _, limit := range []int{1, DefaultLimit} {
		var steps int
		var seen []int
		line := New(limit)
		line.SetEnd(200, 0)
		r := psmgd(t, 0, &steps)
		r.Observe = func(v algo.View) {
			seen = append(seen, v.K)
			if row := r.Kept(r.Len() - 1); row.K != v.K || !slices.Equal(row.X, v.X) {
				t.Fatalf("at %d the latest row is of %d", v.K, row.K)
			}
		}
		line.Reset([]*Run{r}, nil)
		for k := 0; line.Running(); k++ {
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
			line.Ahead(r, k/3)
			line.Ahead(r, k+1) // the next step
			if _, err := line.At(r, k/2); err != nil {
				t.Fatal(err)
			}
			for _, at := range []int{k / 2, k + 1, k + 2} {
				if err := line.Visit(r, at, func(algo.Stepper) {}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for k, v := range seen {
			if k != v {
				t.Fatalf("limit %d: observed %v", limit, seen)
			}
		}
		if len(seen) != 201 {
			t.Errorf("limit %d: got %d observed iterations", limit, len(seen))
		}
	}
}
