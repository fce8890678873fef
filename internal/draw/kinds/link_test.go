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

// resting is a stepper that stops moving at iteration 20.
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

// restingRun returns the timeline of a resting run, with its panels in the plane and over time.
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

// TestFindResting checks that the marker of a resting run gives the iteration at the time marker, not the iteration at
// which the run first reached the marker's place. Elsewhere, the pointer must find the run's earlier places.
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
		t.Errorf("on the way: got %+v", pick)
	}
	// Over time, the pointer's place determines the iteration.
	line.SetMarker(200)
	b = history.Brush(f, nil)
	if pick, ok := history.Pick(f, b.At(100, 0)); !ok || pick.K != 100 {
		t.Errorf("over time, at 100: got %+v", pick)
	}
}

// TestMark checks that every panel can mark the item under the pointer, whichever panel the pointer is in.
func TestMark(t *testing.T) {
	line, plane, history := restingRun(t, 200)
	f := brush.Frame{Width: 400, Height: 300, Theme: brush.Light}
	for _, p := range []*axes.Plane{plane, history} {
		for _, k := range []int{0, 7, 200, -1} {
			l, ok := p.Mark(f, axes.Pick{Run: "a", K: k})
			if !ok {
				t.Fatalf("%s: got no mark", p.Name)
			}
			if l.Key != "" {
				t.Errorf("%s: got a cached mark", p.Name)
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
			t.Errorf("%s: got a mark of no run: %+v", p.Name, l)
		}
		if calls := marks(p, f, "b", 3); calls != 0 {
			t.Errorf("%s: got %d calls for an unknown run", p.Name, calls)
		}
	}
}

// marks returns the number of drawing calls of a mark.
func marks(p axes.Linking, f brush.Frame, run string, k int) int {
	l, ok := p.Mark(f, axes.Pick{Run: run, K: k})
	if !ok {
		return 0
	}
	var c recorder.Canvas
	l.Draw(draw.Canvas{Canvas: &c, Rectangle: vg.Rectangle{Max: vg.Point{X: f.Width, Y: f.Height}}})
	return len(c.Actions)
}

// TestMarkPlans checks that a mark frames the plan of a run, or the run's column if there is a single matrix.
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
			t.Errorf("%s: got %d calls for a run, %d for an unknown one", p.Name, marks(p, f, "one", -1), marks(p, f, "three", -1))
		}
	}
}
