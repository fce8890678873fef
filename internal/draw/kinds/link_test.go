package kinds

import (
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
)

// resting is a stepper that has come to rest at iteration 20.
type resting struct{ k int }

func (s *resting) Step() (algo.Status, error) {
	s.k++
	return algo.Running, nil
}

func (s *resting) View() algo.View {
	at := 0.8 - 0.04*float64(min(s.k, 20))
	return algo.View{K: s.k, Solutions: 1, X: []float64{at, at / 2}, F: []float64{at, -at}}
}

func (s *resting) Save(to *algo.Snapshot)   { to.PutInt(s.k) }
func (s *resting) Load(from *algo.Snapshot) { s.k = from.GetInt() }

// restingRun is a timeline of a run that stands still, and the plane and the history of it.
func restingRun(t testing.TB, budget int) (line *timeline.Timeline, plane, history *axes.Plane) {
	line = timeline.New(timeline.DefaultLimit)
	line.SetEnd(budget, 0)
	line.Reset([]*timeline.Run{
		{Name: "a", Method: "psmgd", Title: "A", Label: "A, start 1", Starts: [][]float64{{0.8, 0.4}}, Stepper: &resting{}},
	}, nil)
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	track := &Tracks{Name: "plane", Timeline: line, Point: func(r timeline.Row) (x, y float64) { return r.X[0], r.X[1] }}
	side := axes.Axis{Min: -1, Max: 1}
	plane = &axes.Plane{Name: "plane", Heading: "Plane", Axes: func() (x, y axes.Axis) { return side, side },
		Sheets: track.Sheets, Find: track.Find}
	h := &History{Name: "history", Heading: "History", Timeline: line, Value: func(r timeline.Row) float64 { return r.F[0] },
		Y: func() axes.Axis { return side }}
	return line, plane, h.Panel()
}

// TestFindResting: on the sign of a run is the iteration of the marker, not the one at which the
// run came there first; beside it is where the run was.
func TestFindResting(t *testing.T) {
	line, plane, history := restingRun(t, 200)
	f := brush.Frame{Width: 400, Height: 300, Theme: brush.Light}
	b := plane.Brush(f, nil)
	rest := b.At(0, 0)
	for _, k := range []int{200, 150, 20} {
		line.SetMarker(k)
		for _, away := range []vg.Point{{}, {X: 3}, {Y: -4}} {
			pick, ok := plane.Pick(f, rest.Add(away))
			if !ok || pick.K != k || pick.Run != "a" || len(pick.Lines) == 0 {
				t.Errorf("with the marker at %d, %v from the sign is %+v", k, away, pick)
			}
		}
	}
	if pick, ok := plane.Pick(f, b.At(0.4, 0.2)); !ok || pick.K != 10 {
		t.Errorf("on the way is %+v", pick)
	}
	// Over time the iteration is where the pointer is.
	line.SetMarker(200)
	b = history.Brush(f, nil)
	if pick, ok := history.Pick(f, b.At(100, 0)); !ok || pick.K != 100 {
		t.Errorf("over time, at 100, is %+v", pick)
	}
}

// TestMark: what is hovered over in one panel is marked where it stands in each.
func TestMark(t *testing.T) {
	line, plane, history := restingRun(t, 200)
	f := brush.Frame{Width: 400, Height: 300, Theme: brush.Light}
	for _, p := range []*axes.Plane{plane, history} {
		for _, k := range []int{0, 7, 200, -1} {
			l, ok := p.Mark(f, axes.Pick{Run: "a", K: k})
			if !ok {
				t.Fatalf("%s marks nothing", p.Name)
			}
			if l.Key != "" {
				t.Errorf("%s: the mark is kept", p.Name)
			}
			at := k
			if k < 0 {
				at = line.Marker()
			}
			row := line.Runs()[0].Kept(at)
			x, y := row.X[0], row.X[1]
			if p == history {
				x, y = float64(at), row.F[0]
			}
			want := p.Brush(f, nil).At(x, y)
			var c recorder.Canvas
			l.Draw(draw.Canvas{Canvas: &c, Rectangle: vg.Rectangle{Max: vg.Point{X: f.Width, Y: f.Height}}})
			found := false
			for _, a := range c.Actions {
				if s, is := a.(*recorder.Stroke); is {
					for _, comp := range s.Path {
						found = found || comp.Type == vg.ArcComp && brush.Distance(comp.Pos, want) < 1e-6
					}
				}
			}
			if !found {
				t.Errorf("%s: no ring at %v for k = %d", p.Name, want, k)
			}
		}
		if l, ok := p.Mark(f, axes.Pick{K: 3}); ok {
			t.Errorf("%s marks no run: %+v", p.Name, l)
		}
		if calls := marks(p, f, "b", 3); calls != 0 {
			t.Errorf("%s: %d calls for a run that there is not", p.Name, calls)
		}
	}
}

// marks counts the drawing calls of a mark.
func marks(p axes.Linking, f brush.Frame, run string, k int) int {
	l, ok := p.Mark(f, axes.Pick{Run: run, K: k})
	if !ok {
		return 0
	}
	var c recorder.Canvas
	l.Draw(draw.Canvas{Canvas: &c, Rectangle: vg.Rectangle{Max: vg.Point{X: f.Width, Y: f.Height}}})
	return len(c.Actions)
}

// TestMarkPlans: the plan of a run is framed, and of one matrix the column that is the run's.
func TestMarkPlans(t *testing.T) {
	f := brush.Frame{Width: 600, Height: 300, Theme: brush.Dark}
	titled := []TitledPlan{
		{Title: "One", Method: "exact", Run: "one", Matrix: square(4)},
		{Title: "Two", Method: "ipot", Run: "two", Matrix: square(4)},
	}
	plans := &Plans{Name: "plans", Heading: "Plans", Plans: func() []TitledPlan { return titled }}
	m := square(4)
	m.Name, m.Run = "plan", func(j int) string { return []string{"one", "two", "", ""}[j] }
	for _, p := range []*axes.Plane{plans.Panel(), m.Panel()} {
		if marks(p, f, "one", -1) == 0 || marks(p, f, "three", -1) != 0 {
			t.Errorf("%s: %d calls for a run, %d for one that there is not", p.Name, marks(p, f, "one", -1), marks(p, f, "three", -1))
		}
	}
}
