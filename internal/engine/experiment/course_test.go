package experiment

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
)

// walker counts its steps, and diverges at the last one.
type walker struct {
	algo.Stepper
	steps, last int
}

func (w *walker) Step() (algo.Status, error) {
	switch w.steps++; {
	case w.last < 0:
		return algo.Running, errBroken
	case w.steps == w.last:
		return algo.Diverged, nil
	}
	return algo.Running, nil
}

func (w *walker) View() algo.View { return algo.View{K: w.steps} }

type walk struct {
	last   int
	ends   []int
	course *Course[walk]
}

func beginWalk(c *walk) (*Course[walk], error) {
	if c.last == 1 {
		return nil, errBroken
	}
	w := &walker{last: c.last}
	return &Course[walk]{Steps: Steps{Name: "a walk", Stepper: w, Left: 5, Piece: 2}, End: func(c *walk) error {
		c.ends = append(c.ends, w.steps)
		return nil
	}}, nil
}

// TestRuns checks that runs are computed in pieces, one after another. If a run ends early, the error must name the run
// and the step.
func TestRuns(t *testing.T) {
	work := Runs(func(c *walk) **Course[walk] { return &c.course }, beginWalk)
	var c walk
	for call, want := range []bool{false, false, true, false, false, true} {
		if complete, err := work(&c, func() bool { return false }); complete != want || err != nil {
			t.Errorf("call %d: %v, error %v", call, complete, err)
		}
	}
	if complete, err := work(&c, always); !complete || err != nil || !slices.Equal(c.ends, []int{5, 5, 5}) || c.course != nil {
		t.Errorf("got ends %v, error %v", c.ends, err)
	}
	for last, want := range map[int]string{1: errBroken.Error(), 3: "a walk: iteration 3 ended as diverged", -1: "a walk: the run diverges"} {
		c := walk{last: last}
		if complete, err := work(&c, always); complete || err == nil || err.Error() != want || c.ends != nil {
			t.Errorf("last step %d: %v, %v", last, complete, err)
		}
	}
	plan := Plan[walk]{Cells: make([]walk, 3), Parts: func(c *walk) (done, wanted int) { return len(c.ends), 2 }}
	under := func(c *walk) **Course[walk] { return &c.course }
	if g, err := NewRuns(plan, under, beginWalk); err != nil || g.Cells()[0].course != nil {
		t.Error(err)
	} else if err := Run(g, Options{Jobs: 2}); err != nil || !g.Finished() {
		t.Error(err)
	}
	plan.Cells[1].last = 1
	if _, err := NewRuns(plan, under, beginWalk); !errors.Is(err, errBroken) {
		t.Errorf("an invalid cell: got error %v", err)
	}
}

// TestOver checks that Summary.Over compares two cells run by run, even if they were read from a file.
func TestOver(t *testing.T) {
	type cell struct{ Summary }
	summary := func(c *cell) *Summary { return &c.Summary }
	columns := append(SummaryColumns([]string{"u", "v"}, summary, nil), EachColumn("vs", 1, summary, nil))
	made := func(v ...float64) *cell {
		c := &cell{Summary{Wanted: 2}}
		for _, v := range v {
			c.Add([]float64{7, v})
		}
		return c
	}
	a, b := made(3, 6), made(1, 2)
	want := Estimate{3, 1}
	if got := a.Over(&b.Summary, 1); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	var again cell
	again.Wanted = 2
	for _, column := range columns {
		if err := column.read(&again, field(column.value(a))); err != nil {
			t.Fatal(err)
		}
	}
	if got := again.Over(&b.Summary, 1); got != want || again.Over(&b.Summary, 0).Known() {
		t.Errorf("from a file: got %+v, want %+v", got, want)
	}
	for what, e := range map[string]Estimate{
		"itself": a.Over(&a.Summary, 1), "an unfinished one": a.Over(&made(1).Summary, 1), "unfinished": made(1).Over(&b.Summary, 1),
	} {
		if e.Known() || !math.IsNaN(e.Spread) {
			t.Errorf("%s: %+v", what, e)
		}
	}
	if err := columns[len(columns)-1].read(&again, "3"); err == nil || !strings.Contains(err.Error(), "1 numbers, want 2") {
		t.Errorf("too few runs: got error %v", err)
	}
}
