package timeline

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"paretoplay/algo"
)

// pack is a stepper of several solutions. Solution i starts at (i, 10·i), and every coordinate moves by −1/(i+1).
type pack struct {
	k, n    int
	x, f    []float64
	weights []float64
	idle    bool // the first solution has no weights
}

func newPack(n int) *pack {
	p := &pack{n: n}
	p.place()
	return p
}

func (p *pack) place() {
	p.x, p.f, p.weights = nil, nil, nil
	for i := range p.n {
		step := float64(p.k) / float64(i+1)
		x := float64(i) - step
		p.x = append(p.x, x, 10*float64(i)-step)
		p.f = append(p.f, x, x*x, -x)
		p.weights = append(p.weights, 1, float64(i), 0)
	}
	if p.idle {
		p.weights[0] = 0
	}
}

func (p *pack) Step() (algo.Status, error) {
	p.k++
	p.place()
	return algo.Running, nil
}

func (p *pack) View() algo.View {
	v := algo.View{K: p.k, Solutions: p.n, X: p.x, F: p.f, StepSize: 1, Cost: algo.Cost{Backpropagations: 3 * p.n * p.k}}
	if p.k > 0 {
		v.Weights, v.Direction = p.weights, make([]float64, 2*p.n)
		for i := range v.Direction {
			v.Direction[i] = 1 / float64(i/2+1)
		}
	}
	return v
}

func (p *pack) Save(to *algo.Snapshot) { to.PutInt(p.k) }
func (p *pack) Load(from *algo.Snapshot) {
	p.k = from.GetInt()
	p.place()
}

// packed returns a run of n solutions, whose stationarities are 1/(i+k+1).
func packed(n int) *Run {
	s := newPack(n)
	var starts [][]float64
	for i := range n {
		starts = append(starts, slices.Clone(s.x[2*i:2*i+2]))
	}
	return &Run{
		Name: "pack", Method: "pack", Title: "The pack", Label: "The pack", Several: true, Starts: starts, Stepper: s,
		AtPoint: []Extra{{Name: "total"}, {Name: "place", Size: 2, Each: true, Label: "place"}, {Name: "number", Each: true, Label: "number"}},
		MeasurePoint: func(v algo.View, stationarity, further []float64) {
			further[0] = float64(v.K)
			for i := range stationarity {
				stationarity[i] = 1 / float64(i+v.K+1)
				further[1+2*i], further[2+2*i], further[1+2*n+i] = v.X[2*i], v.X[2*i+1], float64(i)
			}
		},
		OfStep:      []Extra{{Name: "from", Size: 2, Each: true}},
		MeasureStep: func(from []float64, _ algo.View, further []float64) { copy(further, from) },
	}
}

// TestTracks checks that each solution of a run is a separate track. A track must have its own part of every row,
// recorded or replayed, and its share of the cost.
func TestTracks(t *testing.T) {
	for _, limit := range []int{1, DefaultLimit} {
		line := New(limit)
		line.SetEnd(100, 0)
		single := scripted("one", &script{until: -1})
		run := packed(3)
		line.Reset([]*Run{single, run}, nil)
		for line.Running() {
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
		}
		var names []string
		for _, track := range line.Tracks() {
			names = append(names, track.Name())
		}
		if want := []string{"one", "pack-1", "pack-2", "pack-3"}; !slices.Equal(names, want) {
			t.Fatalf("tracks %v, want %v", names, want)
		}
		for i := range 3 {
			track := line.Find(fmt.Sprintf("pack-%d", i+1))
			if track.Run != run || track.Solution != i || track.StartIndex() != i || track.Label() != fmt.Sprintf("The pack, start %d", i+1) ||
				!slices.Equal(track.Start(), []float64{float64(i), 10 * float64(i)}) || line.FindFrom("pack", i) != track {
				t.Errorf("track %+v", track)
			}
			for _, k := range []int{0, 1, 50, 99, 100} {
				whole, err := line.At(run, k)
				if err != nil {
					t.Fatal(err)
				}
				row := track.Of(whole)
				x := float64(i) - float64(k)/float64(i+1)
				if len(whole.X) != 6 || len(whole.F) != 9 || len(whole.Stationarities) != 3 || whole.BP != 9*k {
					t.Fatalf("the run at %d: %+v", k, whole)
				}
				if !slices.Equal(row.F, []float64{x, x * x, -x}) || row.X[0] != x || len(row.X) != 2 || row.BP != 3*k {
					t.Errorf("%s at %d: %+v", track.Name(), k, row)
				}
				if row.Stationarity != 1/float64(i+k+1) || whole.Stationarity != 1/float64(k+1) {
					t.Errorf("%s at %d: stationarity %v of %v", track.Name(), k, row.Stationarity, whole.Stationarity)
				}
				if row.Number("total") != float64(k) || !slices.Equal(row.Value("place"), row.X) || row.Number("number") != float64(i) ||
					len(whole.Value("place")) != 6 {
					t.Errorf("%s at %d: total %v, place %v, number %v", track.Name(), k, row.Value("total"), row.Value("place"), row.Value("number"))
				}
				made := k < 100
				if (row.Weights != nil) != made || (row.Direction != nil) != made || (row.Value("from") != nil) != made {
					t.Errorf("%s at %d: a step %v", track.Name(), k, row.Weights)
				}
				if made && (!slices.Equal(row.Weights, []float64{1, float64(i), 0}) || row.Direction[0] != 1/float64(i+1) ||
					!slices.Equal(row.List("from"), row.X)) {
					t.Errorf("%s at %d: weights %v, direction %v, from %v", track.Name(), k, row.Weights, row.Direction, row.Value("from"))
				}
				if row.Value("nothing") != nil || !math.IsNaN(row.Number("nothing")) || row.List("nothing") != nil {
					t.Error("Value: got a value for an unknown name")
				}
			}
		}
		line.Select("pack-2")
		if line.SelectedName() != "pack-2" || line.Selected().Solution != 1 {
			t.Errorf("got selected %s", line.SelectedName())
		}
		for _, k := range []int{0, 37, 100} {
			line.SetMarker(k)
			if row := line.AtMarker(line.Selected()); row.K != k || len(row.X) != 2 || row.X[0] != 1-float64(k)/2 {
				t.Errorf("at the marker %d: %+v", k, row)
			}
		}
		line.Reset([]*Run{packed(2)}, nil)
		if line.SelectedName() != "pack-2" {
			t.Errorf("after a restart: got selected %s", line.SelectedName())
		}
		if line.Select("pack-9"); line.SelectedName() != "pack-1" {
			t.Errorf("unknown name: got selected %s", line.SelectedName())
		}
	}
}

// TestNoWeights checks that zero weights in a run of several solutions mean that the step used no weights for that
// solution.
func TestNoWeights(t *testing.T) {
	for _, n := range []int{1, 2} {
		run := packed(n)
		line := New(DefaultLimit)
		line.SetEnd(3, 0)
		line.Reset([]*Run{run}, nil)
		run.Stepper.(*pack).idle = true
		for range 3 {
			if _, err := line.Step(); err != nil {
				t.Fatal(err)
			}
		}
		if row := line.Find("pack-1").Kept(1); row.Weights != nil || row.Direction == nil {
			t.Errorf("of %d, the first has weights %v, direction %v", n, row.Weights, row.Direction)
		}
		if n == 2 && line.Find("pack-2").Kept(1).Weights == nil {
			t.Error("the second solution has no weights")
		}
	}
}

// TestSeveralStop checks that a run of several solutions ends when all of them are stationary.
func TestSeveralStop(t *testing.T) {
	line := New(DefaultLimit)
	line.SetEnd(100, 0.1)
	run := packed(4)
	line.Reset([]*Run{run}, nil)
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	// The first solution, with stationarity 1/(k+1), becomes stationary last.
	if run.Status() != algo.Stationary || run.Last() != 9 {
		t.Errorf("the run ends at %d: %v", run.Last(), run.Status())
	}
}

// TestSeveralReadout checks that the table has a row for every solution.
func TestSeveralReadout(t *testing.T) {
	line := New(DefaultLimit)
	line.SetEnd(4, 0)
	line.Reset([]*Run{packed(2)}, nil)
	for range 4 {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	out := line.Readout()
	if len(out.Rows) != 2 || out.Rows[1].Run != "pack-2" || out.Rows[1].Label != "The pack, start 2" {
		t.Fatalf("%+v", out.Rows)
	}
	if got, want := out.Rows[1].Cells, []string{"4", "(−1, 8)", "(−1, 1, 1)", "(1, 1, 0)", "0.1667", "12", "budget", "(−1, 8)",
		"1"}; !slices.Equal(got, want) {
		t.Errorf("cells %q, want %q", got, want)
	}
}
