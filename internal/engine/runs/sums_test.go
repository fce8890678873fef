package runs_test

import (
	"math"
	"slices"
	"testing"

	"paretoplay/algo"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
)

// counter is a stepper with several solutions that counts its steps.
type counter struct {
	k    int
	x, f []float64
}

func (c *counter) Step() (algo.Status, error) {
	c.k++
	for i := range c.f {
		c.f[i]++
	}
	return algo.Running, nil
}

func (c *counter) View() algo.View {
	return algo.View{K: c.k, Solutions: len(c.f), X: c.x, F: c.f, Cost: algo.Cost{Backpropagations: 6 * c.k}}
}

func (c *counter) Save(to *algo.Snapshot)   { to.PutInt(c.k); to.PutFloats(c.f...) }
func (c *counter) Load(from *algo.Snapshot) { c.k = from.GetInt(); from.GetFloats(c.f) }

// TestSums checks that a method's numbers cover all its tracks, at the marker or at the latest iteration. A method that
// does not run must have no numbers.
func TestSums(t *testing.T) {
	run := func(name, method string, f ...float64) *timeline.Run {
		return &timeline.Run{Name: name, Method: method, Several: len(f) > 1, Starts: make([][]float64, len(f)),
			Stepper: &counter{x: make([]float64, len(f)), f: f}}
	}
	line := timeline.New(timeline.DefaultLimit)
	line.SetEnd(5, 0)
	line.Reset([]*timeline.Run{run("a-1", "a", 1), run("a-2", "a", 4), run("b", "b", 2, 0, 10)}, nil)
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	line.SetMarker(2)
	value := func(r timeline.Row) float64 { return r.F[0] }
	above := func(r timeline.Row) bool { return r.F[0] > 5 }
	shown := runs.RowOf((*timeline.Timeline).Shown)
	if got := runs.MethodsOf(line); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("got methods %v", got)
	}
	for _, c := range []struct {
		what             string
		number           func(method string, at runs.RowOf) float64
		a, b, endA, endB float64
	}{
		{"runs", func(m string, _ runs.RowOf) float64 { return runs.Runs(line, m) }, 2, 3, 2, 3},
		{"sum", func(m string, at runs.RowOf) float64 { return runs.Sum(line, m, at, value) }, 9, 18, 15, 27},
		{"mean", func(m string, at runs.RowOf) float64 { return runs.Mean(line, m, at, value) }, 4.5, 6, 7.5, 9},
		{"most", func(m string, at runs.RowOf) float64 { return runs.Most(line, m, at, value) }, 6, 12, 9, 15},
		{"count", func(m string, at runs.RowOf) float64 { return runs.Count(line, m, at, above) }, 1, 1, 2, 2},
		{"share", func(m string, at runs.RowOf) float64 { return runs.Share(line, m, at, above) }, 0.5, 1. / 3, 1, 2. / 3},
		{"spent", func(m string, at runs.RowOf) float64 { return runs.Sum(line, m, at, runs.Spent) }, 24, 12, 60, 30},
	} {
		got := []float64{c.number("a", shown), c.number("b", shown), c.number("a", runs.Latest), c.number("b", runs.Latest)}
		want := []float64{c.a, c.b, c.endA, c.endB}
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
			t.Errorf("%s: got %v, want %v", c.what, got, want)
		}
		if v := c.number("c", shown); !math.IsNaN(v) {
			t.Errorf("%s of a method that does not run: got %g, want NaN", c.what, v)
		}
	}
	// If the value of one run is unknown, the combined value is also unknown.
	for name, v := range map[string]float64{"mean": runs.Mean(line, "a", shown, runs.Stationarity),
		"most": runs.Most(line, "b", shown, runs.Stationarity)} {
		if !math.IsNaN(v) {
			t.Errorf("%s of unknown stationarities: got %g, want NaN", name, v)
		}
	}
}
