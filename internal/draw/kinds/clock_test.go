package kinds

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/drawtest"
	"paretoplay/internal/engine/timeline"
)

// pair is a stepper with two solutions in one variable, which move apart. Every fourth step costs twelve
// backpropagations, and each of the others costs two.
type pair struct {
	k    int
	x, f [2]float64
}

const (
	pairSteps    = 40
	pairDear     = 12
	pairCheap    = 2
	pairPeriod   = 4
	pairGradient = 3     // coordinates of a gradient
	pairSeconds  = 0.003 // seconds that a backpropagation takes
)

// spent returns the number of backpropagations that the stepper spends up to iteration k.
func (*pair) spent(k int) int {
	dear := (k + pairPeriod - 1) / pairPeriod
	return dear*pairDear + (k-dear)*pairCheap
}

func (s *pair) Step() (algo.Status, error) {
	s.k++
	return algo.Running, nil
}

func (s *pair) View() algo.View {
	s.x = [2]float64{float64(s.k) / pairSteps, -float64(s.k) / pairSteps}
	s.f = [2]float64{0.25 + 0.5*float64(s.k)/pairSteps, 0.75 - 0.5*float64(s.k)/pairSteps}
	bp := s.spent(s.k)
	return algo.View{K: s.k, Solutions: 2, X: s.x[:], F: s.f[:], Cost: algo.Cost{Backpropagations: bp, GradientCoordinates: pairGradient * bp}}
}

func (s *pair) Save(to *algo.Snapshot)   { to.PutInt(s.k) }
func (s *pair) Load(from *algo.Snapshot) { s.k = from.GetInt() }

// pairLine runs pair to its end and returns the timeline, which keeps as many rows as the limit allows.
func pairLine(t *testing.T, limit int) *timeline.Timeline {
	t.Helper()
	line := timeline.New(limit)
	line.SetEnd(pairSteps, 0)
	line.Reset([]*timeline.Run{{
		Name: "moosvgd", Method: "moosvgd", Title: "MOO-SVGD", Several: true, Starts: [][]float64{{0}, {0}}, Stepper: new(pair),
		AtPoint: []timeline.Extra{{Name: "coordinates"}, {Name: "seconds"}},
		MeasurePoint: func(v algo.View, _, further []float64) {
			further[0], further[1] = float64(v.Cost.GradientCoordinates), pairSeconds*float64(v.Cost.Backpropagations)
		},
	}}, nil)
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	return line
}

// clocks returns all clocks, each with a function that returns the time of iteration k of pair's tracks.
func clocks(line *timeline.Timeline) map[string]struct {
	clock *Clock
	label string
	at    func(k int) float64
} {
	spent := func(k int) float64 { return float64(new(pair).spent(k)) }
	most := func(unit float64) func() float64 { return func() float64 { return unit * spent(line.Budget()) } }
	return map[string]struct {
		clock *Clock
		label string
		at    func(k int) float64
	}{
		"iterations": {IterationClock(line.Budget), "iteration k", func(k int) float64 { return float64(k) }},
		"rounds":     {RoundClock(line.Budget), "round", func(k int) float64 { return float64(k) }},
		"epochs":     {EpochClock(8, line.Budget), "epoch", func(k int) float64 { return float64(k) / 8 }},
		"backpropagations": {BackpropagationClock(func() int { return int(most(0.5)()) }), "backpropagations",
			func(k int) float64 { return spent(k) / 2 }},
		"coordinates": {CoordinateClock("coordinates", most(pairGradient)), "gradient coordinates",
			func(k int) float64 { return pairGradient * spent(k) }},
		"seconds": {&Clock{Name: "seconds", Label: "seconds measured", Fractional: true, End: most(pairSeconds),
			Of: func(r timeline.Row) float64 { return r.Number("seconds") }}, "seconds measured",
			func(k int) float64 { return pairSeconds * spent(k) }},
	}
}

// TestClocks checks the places of rows, the end of the axis, and the iteration at a place for every clock. The arrow keys
// must reach the previous iteration, and one of the next two, regardless of costs.
func TestClocks(t *testing.T) {
	line := pairLine(t, timeline.DefaultLimit)
	for name, c := range clocks(line) {
		h := &History{Name: "h", Timeline: line, Value: func(r timeline.Row) float64 { return r.F[0] },
			Y: func() axes.Axis { return axes.Axis{Max: 1} }, Clock: func() *Clock { return c.clock }}
		p := h.Panel()
		x, _ := p.Axes()
		if c.clock.Name != name || x.Label != c.label || x.Min != 0 || x.Max != c.at(pairSteps) || x.Integer == (name == "seconds") {
			t.Errorf("%s: the axis is %+v, up to %g", name, x, c.at(pairSteps))
		}
		track := line.Tracks()[1]
		line.Select(track.Name())
		for k := range pairSteps + 1 {
			line.SetMarker(k)
			if got := h.At(track.Kept(k)); math.Abs(got-c.at(k)) > 1e-12*(1+got) {
				t.Errorf("%s: iteration %d is at %g, want %g", name, k, got, c.at(k))
			}
			grips := p.Grips()
			if len(grips) != 1 || grips[0].ID != MarkerHandle || grips[0].X != h.At(track.Kept(k)) {
				t.Fatalf("%s: got grips %+v", name, grips)
			}
			here, step := grips[0].X, grips[0].StepX
			if got := h.IterationAt(here); got != k {
				t.Errorf("%s: the place of iteration %d is where %d belongs", name, k, got)
			}
			if got := h.IterationAt(here + step); k < pairSteps && !(got > k && got <= k+pairPeriod) {
				t.Errorf("%s: an arrow key leads from iteration %d on to %d", name, k, got)
			}
			if got := h.IterationAt(here - step); k > 0 && !(got < k && got >= k-pairPeriod) {
				t.Errorf("%s: an arrow key leads from iteration %d back to %d", name, k, got)
			}
		}
		// Places beyond the ends of the axis belong to the first and the last iteration.
		if first, end := h.IterationAt(-1), h.IterationAt(2*x.Max); first != 0 || end != pairSteps {
			t.Errorf("%s: the ends are at iterations %d and %d", name, first, end)
		}
	}
}

// TestClocksAreExact checks that iterations whose rows were dropped are found if the clock's time is the iteration. The
// default clock must count iterations.
func TestClocksAreExact(t *testing.T) {
	line := pairLine(t, 1)
	if line.Tracks()[0].Len() > pairSteps/2 {
		t.Fatal("all rows are kept")
	}
	h := &History{Timeline: line, Y: func() axes.Axis { return axes.Axis{} }}
	for _, c := range []*Clock{nil, IterationClock(line.Budget), RoundClock(line.Budget)} {
		if h.Clock = nil; c != nil {
			h.Clock = func() *Clock { return c }
		}
		for k := range pairSteps + 1 {
			if got := h.IterationAt(float64(k) + 0.3); got != min(k, pairSteps) {
				t.Errorf("got iteration %d at %g", got, float64(k)+0.3)
			}
		}
		if x, _ := h.Panel().Axes(); x.Max != pairSteps || !x.Integer {
			t.Errorf("got axis %+v", x)
		}
	}
}

// recorded returns the lines that a sheet draws with the given width.
func recorded(p *axes.Plane, width vg.Length) (lines [][]vg.Point) {
	var wide []recorder.Action
	current := vg.Length(0)
	for _, a := range sheetActions(p, frame) {
		switch a := a.(type) {
		case *recorder.SetLineWidth:
			current = a.Width
		case *recorder.Stroke:
			if current == width {
				wide = append(wide, a)
			}
		}
	}
	return drawtest.Strokes(wide)
}

// TestSolutions checks that every solution of a run has a separate line, in the plane and over time. The pointer must
// find the line, and give its track's name and the solution's numbers. The selected track's line must be wider.
func TestSolutions(t *testing.T) {
	line := pairLine(t, timeline.DefaultLimit)
	inPlane := &Tracks{Name: "plane", Timeline: line, Point: func(r timeline.Row) (float64, float64) { return r.X[0], r.F[0] }}
	history := (&History{Name: "time", Timeline: line, Value: func(r timeline.Row) float64 { return r.F[0] }, Unticked: true, Fixed: true,
		Y: func() axes.Axis { return axes.Axis{Max: 1} }}).Panel()
	plane := &axes.Plane{Name: "plane", Find: inPlane.Find, Sheets: inPlane.Sheets,
		Axes: func() (axes.Axis, axes.Axis) { return axes.Axis{Min: -1, Max: 1}, axes.Axis{Max: 1} }}
	for _, c := range []struct {
		plane *axes.Plane
		at    func(track timeline.Track, k int) (x, y float64)
	}{
		{plane, func(r timeline.Track, k int) (float64, float64) { return inPlane.Point(r.Kept(k)) }},
		{history, func(r timeline.Track, k int) (float64, float64) { return float64(k), r.Kept(k).F[0] }},
	} {
		b := c.plane.Brush(frame, nil)
		for chosen, name := range []string{"moosvgd-1", "moosvgd-2"} {
			line.Select(name)
			if line.Selected() != line.Tracks()[chosen] {
				t.Fatalf("%s selects %s", name, line.SelectedName())
			}
			for i, track := range line.Tracks() {
				width := vg.Length(1.5)
				if i == chosen {
					width = 2.75
				}
				lines := recorded(c.plane, width)
				if len(lines) != 1 {
					t.Fatalf("%s: %d lines of width %g", c.plane.Name, len(lines), width)
				}
				for n, k := range map[int]int{0: 0, len(lines[0]) - 1: pairSteps} {
					if want := b.At(c.at(track, k)); math.Hypot(float64(lines[0][n].X-want.X), float64(lines[0][n].Y-want.Y)) > 1e-9 {
						t.Errorf("%s: the line of %s is at %v, want %v", c.plane.Name, track.Name(), lines[0][n], want)
					}
				}
				pick, ok := c.plane.Pick(frame, b.At(c.at(track, 10)))
				if !ok || pick.Run != track.Name() || pick.K != 10 || pick.Lines[0] != track.Label()+", k = 10" {
					t.Errorf("%s: at iteration 10 of %s is %+v", c.plane.Name, track.Name(), pick)
				}
				if !slices.Contains(pick.Lines, "x = "+timeline.Vector(track.Kept(10).X)) || !slices.Contains(pick.Lines, "ω = –, BP = 25") {
					t.Errorf("%s: %q", c.plane.Name, pick.Lines)
				}
			}
		}
	}
}
