package kinds

import (
	"fmt"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
)

// square returns an n×n plan with mass on the diagonal.
func square(n int) *PlanMatrix {
	mass := make([]float64, n*n)
	for i := range n {
		mass[i*n+i] = 1 / float64(n)
	}
	name := func(i int) string { return fmt.Sprint("number ", i+1) }
	return &PlanMatrix{Plan: func() ([]float64, int) { return mass, n }, RowName: name, ColumnName: name}
}

// TestPlans checks that every plan is found at its place at any size of the panel, and that its cells are nearly square.
func TestPlans(t *testing.T) {
	titled := []TitledPlan{
		{Title: "One", Note: "k = 3", Method: "exact", Run: "one", Selected: true, Matrix: square(12)},
		{Title: "Two", Method: "ipot", Run: "two", Matrix: square(12)}, {Title: "Three", Method: "sinkhorn", Run: "three", Matrix: square(5)},
	}
	s := &Plans{Name: "plans", Heading: "Plans", Plans: func() []TitledPlan { return titled }, Text: func() string { return "Plans." }}
	p := s.Panel()
	for _, size := range []vg.Point{{X: 1000, Y: 300}, {X: 400, Y: 260}, {X: 300, Y: 900}, {X: 60, Y: 50}} {
		f := brush.Frame{Width: size.X, Height: size.Y, Theme: brush.Light}
		if calls := len(drawn(p, f)); calls < 20 {
			t.Errorf("%v: %d drawing calls", size, calls)
		}
		if size.X < 100 {
			continue // there is no room for anything
		}
		b := p.Brush(f, nil)
		for i, place := range places(b, titled) {
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
	if _, ok := p.Pick(brush.Frame{Width: 400, Height: 300, Theme: brush.Dark}, vg.Point{X: 200, Y: 100}); ok {
		t.Error("got a pick without plans")
	}
}

// TestFlow checks that a plan with enough space also draws its flow above the matrix. The matrix's columns must be
// below the flow's columns, and the sums must be visible only in the flow.
func TestFlow(t *testing.T) {
	plan := TitledPlan{Title: "One", Method: "exact", Matrix: square(5), Flow: true}
	s := &Plans{Name: "plans", Heading: "Plans", Text: func() string { return "Plans." },
		Plans: func() []TitledPlan { return []TitledPlan{plan} }}
	lines := func(f brush.Frame) (n int) {
		for _, a := range drawn(s.Panel(), f) {
			if stroke, is := a.(*recorder.Stroke); is && len(stroke.Path) == 2 {
				n++
			}
		}
		return n
	}
	full := brush.Frame{Width: 600, Height: 600, Theme: brush.Light}
	with := lines(full)
	plan.Flow = false
	if without := lines(full); with != without+5 {
		t.Errorf("got %d lines for five entries", with-without)
	}
	plan.Flow = true
	for _, f := range []brush.Frame{{Width: 90, Height: 600, Theme: brush.Light}, {Width: 600, Height: 200, Theme: brush.Light},
		{Width: 600, Height: 600, Theme: brush.Light, Detail: brush.Thumbnail}} {
		p := s.Panel()
		b := p.Brush(f, nil)
		if place := places(b, s.Plans())[0]; plan.flow(b, place) != 0 {
			t.Errorf("%v by %v: there is no room", f.Width, f.Height)
		}
	}
	three := &Plans{Name: "plans", Heading: "Plans", Plans: func() []TitledPlan { return []TitledPlan{plan, plan, plan} }}
	phone := three.Panel().Brush(brush.Frame{Width: 374, Height: 314, Theme: brush.Light}, nil)
	for i, place := range places(phone, three.Plans()) {
		if plan.flow(phone, place) == 0 || place.Max.Y < phone.Canvas.Max.Y-1 {
			t.Errorf("on a phone plan %d has only %v, without its lines", i+1, place)
		}
	}
	p := s.Panel()
	b := p.Brush(full, nil)
	place := places(b, s.Plans())[0]
	matrix, part := plan.within(b, place)
	if at, _, ok := matrix.places(part); !ok || !matrix.Unsummed || at.cells.Max.Y > place.Max.Y-planHead-leastFlow {
		t.Errorf("the matrix takes %v of %v", at.cells, place)
	}
	plan.Matrix = &PlanMatrix{Plan: func() ([]float64, int) { return make([]float64, 4), 2 }}
	if calls := len(drawn(s.Panel(), full)); calls == 0 {
		t.Error("got no drawing of a plan without mass")
	}
}

// TestKeyed checks that a keyed grip is among the handles, and that a press on it picks the item below.
func TestKeyed(t *testing.T) {
	p := &axes.Plane{Name: "p", Heading: "P",
		Axes:   func() (axes.Axis, axes.Axis) { return axes.Axis{Min: 0, Max: 1}, axes.Axis{Min: 0, Max: 1} },
		Sheets: func() []axes.Sheet { return nil },
		Grips:  func() []axes.Grip { return []axes.Grip{{ID: "keys", X: 0.5, Y: 0.5, Keyed: true}} },
		Find:   func(_ *brush.Brush, at vg.Point) (axes.Pick, bool) { return axes.Pick{Handle: "beneath", At: at}, true }}
	f := brush.Frame{Width: 400, Height: 300, Theme: brush.Light}
	handles := p.Handles(f)
	if len(handles) != 1 || handles[0].ID != "keys" {
		t.Fatalf("got handles %+v", handles)
	}
	if pick, ok := p.Pick(f, handles[0].At); !ok || pick.Handle != "beneath" {
		t.Errorf("got pick %+v", pick)
	}
}

// ended is a stepper that finishes after some steps.
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

// TestMarkerBeyondEnd checks that the marker can move past the end of the selected run while other runs continue.
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
	h := &History{Name: "h", Timeline: line, Value: func(r timeline.Row) float64 { return r.F[0] },
		Y: func() axes.Axis { return axes.Axis{Max: 2} }}
	if g := h.Panel().Grips(); line.SelectedName() != "short" || len(g) != 1 || g[0].X != 50 {
		t.Errorf("with %s selected the grips are %+v", line.SelectedName(), g)
	}
}
