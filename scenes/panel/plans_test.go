package panel

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	"paretoplay/scenes/timeline"
)

// square is a plan of n by n with mass on its diagonal.
func square(n int) *PlanMatrix {
	mass := make([]float64, n*n)
	for i := range n {
		mass[i*n+i] = 1 / float64(n)
	}
	name := func(i int) string { return fmt.Sprint("number ", i+1) }
	return &PlanMatrix{Plan: func() ([]float64, int) { return mass, n }, RowName: name, ColumnName: name}
}

// TestPlans: every plan is found where it stands, at any size of the panel, and its cells
// are nearly square.
func TestPlans(t *testing.T) {
	titled := []TitledPlan{
		{Title: "One", Note: "k = 3", Method: "exact", Run: "one", Selected: true, Matrix: square(12)},
		{Title: "Two", Method: "ipot", Run: "two", Matrix: square(12)}, {Title: "Three", Method: "sinkhorn", Run: "three", Matrix: square(5)},
	}
	s := &Plans{Name: "plans", Heading: "Plans", Plans: func() []TitledPlan { return titled }, Text: func() string { return "Plans." }}
	p := s.Panel()
	for _, size := range []vg.Point{{X: 1000, Y: 300}, {X: 400, Y: 260}, {X: 300, Y: 900}, {X: 60, Y: 50}} {
		f := Frame{Width: size.X, Height: size.Y, Theme: Light}
		if calls := len(drawn(p, f)); calls < 20 {
			t.Errorf("%v: %d drawing calls", size, calls)
		}
		if size.X < 100 {
			continue // there is no room for anything
		}
		b := p.brush(p.layout(f), nil)
		for i, place := range s.places(b, len(titled)) {
			matrix, part := titled[i].within(b, place)
			at, _, ok := matrix.places(part)
			if !ok || at.w > longestCell*at.h*1.001 || at.h > longestCell*at.w*1.001 {
				t.Errorf("%v, plan %d: cells of %v by %v", size, i, at.w, at.h)
			}
			if matrix.Unsummed != (place.Size().X < narrowPlan) {
				t.Errorf("%v: a plan of width %v has sums", size, place.Size().X)
			}
			c := at.cell(1, 2)
			pick, ok := p.Pick(f, c.Min.Add(c.Max).Scale(0.5))
			if !ok || pick.Run != titled[i].Run || pick.Lines[0] != titled[i].Title || pick.Lines[1] != "number 2, number 3" {
				t.Errorf("%v: over plan %d is %+v", size, i, pick)
			}
		}
	}
	titled = titled[:0]
	if _, ok := p.Pick(Frame{Width: 400, Height: 300, Theme: Dark}, vg.Point{X: 200, Y: 100}); ok {
		t.Error("something is found of no plan")
	}
}

// TestMarkedPlan: entries have their own texts and frames, and no sums.
func TestMarkedPlan(t *testing.T) {
	m := square(3)
	m.Unsummed, m.Most = true, func() float64 { return 1 }
	m.Number = func(i, j int) string { return fmt.Sprint("<", i, j, ">") }
	p, f := m.Panel(), Frame{Width: 400, Height: 300, Theme: Light}
	plain := drawn(p, f)
	for i := range 3 {
		want := m.Number(i, 2-i)
		if !slices.ContainsFunc(plain, func(a recorder.Action) bool { f, ok := a.(*recorder.FillString); return ok && f.String == want }) {
			t.Errorf("%s is not drawn", want)
		}
	}
	m.Marked = func(i, j int) bool { return i == j }
	if framed := drawn(p, f); len(framed) <= len(plain) {
		t.Error("frames are not drawn")
	}
	b := p.brush(p.layout(f), nil)
	at, _, _ := m.places(b)
	for _, c := range []struct {
		i, j int
		ok   bool
	}{{0, 0, true}, {2, 1, true}, {3, 0, false}, {0, -1, false}} {
		cell := at.cell(c.i, c.j)
		if i, j, ok := m.Cell(b, cell.Min.Add(cell.Max).Scale(0.5)); ok != c.ok || i != c.i || j != c.j {
			t.Errorf("over (%d, %d) is (%d, %d), %v", c.i, c.j, i, j, ok)
		}
	}
}

// ended is a stepper that is done after some steps.
type ended struct{ k, until int }

func (e *ended) Step() (algo.Status, error) {
	if e.k == e.until {
		return algo.Converged, nil
	}
	e.k++
	return algo.Running, nil
}
func (e *ended) View() algo.View          { return algo.View{K: e.k, X: []float64{0}, F: []float64{1}} }
func (e *ended) Save(to *algo.Snapshot)   { to.PutInt(e.k) }
func (e *ended) Load(from *algo.Snapshot) { e.k = from.GetInt() }

// TestMarkerBeyondEnd: the marker goes on where the selected run has ended before others.
func TestMarkerBeyondEnd(t *testing.T) {
	line := timeline.New(timeline.DefaultLimit)
	line.SetEnd(100, 0)
	starts := make([][]float64, 1)
	line.Reset([]*timeline.Run{
		{Name: "short", Starts: starts, Stepper: &ended{until: 10}}, {Name: "long", Starts: starts, Stepper: &ended{until: 50}},
	}, nil)
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	h := &History{Name: "h", Timeline: line, Value: func(r timeline.Row) float64 { return r.F[0] }, Y: func() Axis { return Axis{Max: 2} }}
	if g := h.Panel().Grips(); line.SelectedName() != "short" || len(g) != 1 || g[0].X != 50 {
		t.Errorf("with %s selected the grips are %+v", line.SelectedName(), g)
	}
}
