package files

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/internal/engine/timeline"
)

// still is a stepper with two solutions. The second solution has no weights.
type still struct{ k int }

func (s *still) Step() (algo.Status, error) { s.k++; return algo.Running, nil }

func (s *still) Save(to *algo.Snapshot) { to.PutInt(s.k) }

func (s *still) Load(from *algo.Snapshot) { s.k = from.GetInt() }

func (s *still) View() algo.View {
	v := algo.View{K: s.k, Solutions: 2, X: []float64{1, 2}, F: []float64{1, 2, 3, 4, 5, 6}}
	if s.k > 0 {
		v.Weights, v.Direction = []float64{0.5, 0.5, 0, 0, 0, 0}, []float64{1, 0}
	}
	return v
}

// TestTables checks that files contain a table's rows, with one number per solution, and that the weights of a
// solution without weights are null.
func TestTables(t *testing.T) {
	run := &timeline.Run{Name: "still", Method: "still", Several: true, Starts: [][]float64{{1}, {2}}, Stepper: new(still),
		OfStep: []timeline.Extra{{Name: "plan", Size: 3, Each: true, Table: true}},
		MeasureStep: func(_ []float64, _ algo.View, further []float64) {
			copy(further, []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6})
		}}
	line := timeline.New(timeline.DefaultLimit)
	line.SetEnd(1, 0)
	line.Reset([]*timeline.Run{run}, nil)
	if _, err := line.Step(); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(IterateOf(run, run.Kept(0)))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"plan":[[0.1,0.4],[0.2,0.5],[0.3,0.6]]`, `"weights":[[0.5,0.5,0],null]`} {
		if !strings.Contains(string(data), part) {
			t.Errorf("got %s, want %s in it", data, part)
		}
	}
	if data, err = json.Marshal(IterateOf(run, run.Kept(1))); err != nil || !strings.Contains(string(data), `"weights":null`) ||
		!strings.Contains(string(data), `"plan":null`) {
		t.Errorf("got %s, error %v", data, err)
	}
	// A run with fewer numbers than the others must have lines of the same length.
	sizes := furtherSizes([]*timeline.Run{run})
	if !slices.Equal(sizes, []int{3}) {
		t.Fatalf("got sizes %v", sizes)
	}
	got := cells(nil, timeline.Track{Run: run, Solution: 1}.Of(run.Kept(0)), 0, []int{5})
	if want := []string{"2.0", "4.0", "5.0", "6.0", "", "", "", "", "0", "0.4", "0.5", "0.6", "", ""}; !slices.Equal(got, want) {
		t.Errorf("got line %q, want %q", got, want)
	}
}
