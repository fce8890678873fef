package blocksteps

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo/blocks"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

// actions returns the drawing calls that a panel makes in a frame.
func actions(p axes.Panel, f brush.Frame) []recorder.Action {
	var r recorder.Canvas
	for _, l := range p.Layers(f) {
		l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
	}
	return r.Actions
}

// worked returns s after its background work is done.
func worked(t testing.TB, s *Scene) *Scene {
	t.Helper()
	if pending, err := s.Work(func() bool { return true }); pending || err != nil {
		t.Fatal(pending, err)
	}
	return s
}

// TestPictures checks that every panel can be drawn at every level of detail, in every theme, width and state, and
// describes what it shows. No panel may draw or write invalid numbers.
func TestPictures(t *testing.T) {
	states := []struct {
		values map[string]string
		file   string
		steps  int
	}{
		{map[string]string{"problem": yours}, "", 0},
		{nil, "", 0},
		{nil, "", 1},
		{map[string]string{"seeds": "3", "sigma": "0.5", "zoom": zoomEnd}, "", 40},
		{map[string]string{"q": "3", "m": "1,2,3", "field": fieldEach, "order": "contiguous"}, "", 60},
		{map[string]string{"q": "5", "m": "", "schedule": "safe", "field": fieldNone, "update": "jacobi"}, "", 60},
		{map[string]string{"schedule": "invsqrt", "partition": one, "moment": "1.5"}, "", 50},
		{map[string]string{"schedule": "printed", "moment": "2.5"}, "", 30},
		{map[string]string{"m": "0,1", "moment": "3.5", "start": "1,-0.5"}, "", 9}, // at rest from the start
		{map[string]string{"alpha": "5"}, "", 500},                                 // diverges
		{nil, three, 30},
		{nil, plain, 30},
	}
	frames := []brush.Frame{
		{Width: 900, Height: 600, Theme: brush.Light}, {Width: 374, Height: 330, Theme: brush.Dark, Touch: true},
		{Width: 280, Height: 140, Theme: brush.Light, Detail: brush.Mini}, {Width: 320, Height: 200, Theme: brush.Dark, Detail: brush.Thumbnail},
		{Width: 30, Height: 20, Theme: brush.Light},
	}
	for i, state := range states {
		for j, view := range []string{viewGap, viewOutputs, viewBias, viewBounds} {
			if i%2 != j%2 && i != 3 { // every view in some states of all kinds
				continue
			}
			s := New()
			values := map[string]string{"view": view, "method": every(), "budget": "500"}
			for name, text := range state.values {
				values[name] = text
			}
			if state.file != "" {
				if err := s.Paste(pasted(t, state.file)); err != nil {
					t.Fatal(err)
				}
			}
			scenetest.Open(t, s, values)
			scenetest.Step(t, s, state.steps)
			for _, m := range Methods {
				s.Timeline().Select(m.ID + "-1")
				worked(t, s)
				for _, p := range s.Panels() {
					if text := p.Describe(); text == "" || strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
						t.Errorf("%v, %s, %s: %s says %q", state, view, m.ID, p.ID(), text)
					}
					for _, f := range frames {
						for _, a := range actions(p, f) {
							if !scenetest.Drawable(a) {
								t.Fatalf("%v, %s, %s: %s draws %s", state, view, m.ID, p.ID(), a.Call())
							}
						}
						p.Pick(f, vg.Point{X: f.Width / 2, Y: f.Height / 2})
						for _, h := range p.Handles(f) {
							if h.At.X < 0 || h.At.Y < 0 || h.At.X > f.Width || h.At.Y > f.Height {
								t.Errorf("%s: handle %s at %v", p.ID(), h.ID, h.At)
							}
						}
						if l, ok := p.(axes.Linking).Mark(f, axes.Pick{Run: m.ID + "-1", K: state.steps / 2}); ok {
							var r recorder.Canvas
							l.Draw(draw.NewCanvas(&r, f.Width, f.Height))
						}
					}
				}
			}
		}
	}
}

// TestStepsAreDrawn checks that the steps of the marker's outer iteration replace the path, each drawn in its
// objective's colour and along its block's axis.
func TestStepsAreDrawn(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"m": "1,1", "order": "contiguous", "blockorder": "listed", "method": sweeps.BlockSMOO})
	scenetest.Step(t, s, 4)
	f := brush.Frame{Width: 900, Height: 600, Theme: brush.Light}
	lines := func() (drawn []string, path int) {
		var width vg.Length
		var hue color.Color
		for _, a := range actions(s.Panels()[0], f) {
			switch a := a.(type) {
			case *recorder.SetLineWidth:
				width = a.Width
			case *recorder.SetColor:
				hue = a.Color
			case *recorder.Stroke:
				if width == 1 && hue == brush.Faded(f.Theme.Look(sweeps.BlockSMOO).Hue, 0.4) {
					path++
				}
				for i := 0; width == 4 && i+1 < len(a.Path); i += 2 {
					d, axis := a.Path[i+1].Pos.Sub(a.Path[i].Pos), "x"
					if math.Abs(float64(d.Y)) > math.Abs(float64(d.X)) {
						axis = "y"
					}
					for k := range 2 {
						if hue == f.Theme.Goal(k).Hue {
							drawn = append(drawn, fmt.Sprintf("%d%s", k+1, axis))
						}
					}
				}
			}
		}
		return drawn, path
	}
	// The first two lines belong to the legend.
	if drawn, path := lines(); !slices.Equal(drawn, []string{"1x", "2x", "1x", "1y", "2x", "2y"}) || path > 0 {
		t.Errorf("steps are drawn for and along %v beside %d stretches of the path", drawn, path)
	}
	scenetest.Open(t, s, map[string]string{"budget": "2000"})
	scenetest.Step(t, s, -1)
	if _, path := lines(); path == 0 {
		t.Error("a way too long for single steps has no path")
	}
}

// TestShortStepsAddUp checks that steps too short to draw singly are drawn as one if they follow the same objective, so
// that no part of the path is missing.
func TestShortStepsAddUp(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"m": "5,15", "alpha": "0.01", "order": "contiguous", "blockorder": "listed",
		"method": sweeps.BlockSMOO, "budget": "400"})
	scenetest.Step(t, s, -1)
	var drawn, width vg.Length
	var from, to vg.Point // opposite corners of the drawn steps' bounding box
	for _, a := range actions(s.Panels()[0], brush.Frame{Width: 390, Height: 400, Theme: brush.Light}) {
		switch a := a.(type) {
		case *recorder.SetLineWidth:
			width = a.Width
		case *recorder.Stroke:
			for i := 0; width == 2.25 && i+1 < len(a.Path); i += 2 {
				p, q := a.Path[i].Pos, a.Path[i+1].Pos
				if drawn == 0 {
					from, to = p, q
				}
				from = vg.Point{X: max(from.X, p.X, q.X), Y: max(from.Y, p.Y, q.Y)}
				to = vg.Point{X: min(to.X, p.X, q.X), Y: min(to.Y, p.Y, q.Y)}
				drawn += vg.Length(math.Abs(float64(q.X-p.X)) + math.Abs(float64(q.Y-p.Y)))
			}
		}
	}
	if way := from.X - to.X + from.Y - to.Y; drawn < way {
		t.Errorf("of a way of at least %.0f pixels, %.0f are drawn", way, drawn)
	}
}

// TestPointerOnTurns checks what the pointer finds in the panels of frequencies. On the line it finds the runs, and the
// objectives' values for any shares of the turns. In the triangle it finds other frequencies with the same sum.
func TestPointerOnTurns(t *testing.T) {
	s := scenetest.Open(t, New(), nil)
	scenetest.Step(t, s, 9)
	f := brush.Frame{Width: 600, Height: 400, Theme: brush.Light}
	pick := func(x, y float64) (found axes.Pick) {
		p := s.Panels()[1].(*axes.Plane)
		least := math.Inf(1)
		for h := range 60 { // the grid point nearest to the pointer
			for v := range 40 {
				at := vg.Point{X: vg.Length(10 * h), Y: vg.Length(10 * v)}
				px, py := p.World(f, "", at)
				if d := math.Hypot(px-x, py-y); d < least {
					if here, ok := p.Pick(f, at); ok && here.Handle == "" {
						least, found = d, here
					}
				}
			}
		}
		return found
	}
	r := s.Timeline().FindFrom(sweeps.WeightedSum, 0)
	if got := pick(0.75, r.Kept(9).F[0]); got.Run != r.Name() || got.K != 9 {
		t.Errorf("on the sign of a run: %+v", got)
	}
	if got := pick(0.5, s.along(setPoints / 2)[0]); got.K != -1 || len(got.Lines) != 2 || !strings.HasPrefix(got.Lines[0], "share of f2: 0.") {
		t.Errorf("on a curve: %+v", got)
	}
	scenetest.Open(t, s, map[string]string{"q": "3", "m": "2,2,2"})
	if got := pick(sweeps.Corner(0, 3)); len(got.Lines) != 2 || got.Lines[0] != "m = (6,0,0)" {
		t.Errorf("in a corner of the triangle: %+v", got)
	}
	if got := pick(-5, 5); got.Lines != nil && strings.Contains(got.Lines[0], "-") {
		t.Errorf("outside: %+v", got)
	}
}

// TestTurnsBetweenIterations checks that curves of outputs and bounds use the points between outer iterations.
func TestTurnsBetweenIterations(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"schedule": "invsqrt", "budget": "400"})
	scenetest.Step(t, s, -1)
	r := s.Timeline().FindFrom(sweeps.BlockSMOO, 0)
	turns := s.ways.Done(r.Run)
	if len(turns) != 51 {
		t.Fatalf("%d turns", len(turns))
	}
	mean, loss := make([]float64, 2), 0.0
	for i := range 50 {
		row := r.Kept(8 * i)
		for j, v := range row.X {
			mean[j] += v / 50
		}
		loss += s.goal.Above(row.F) / 50
	}
	f := make([]float64, 2)
	s.problem.Values(f, mean)
	end := turns[50]
	for _, c := range [][2]float64{{end.Last, s.goal.Above(r.Kept(400).F)}, {end.Average, s.goal.Above(f)}, {end.Random, loss}} {
		if !(math.Abs(c[0]-c[1]) <= 1e-12) {
			t.Errorf("%g, want %g", c[0], c[1])
		}
	}
	if !math.IsNaN(turns[0].Average) || !math.IsNaN(turns[0].Random) {
		t.Errorf("before an outer iteration: %+v", turns[0])
	}
	for i := range sweeps.Theorems {
		th := &sweeps.Theorems[i]
		bound, measured := s.bounded(th)
		if (th.Name != "33") != (bound > 1000*measured && measured > 0) {
			t.Errorf("Theorem %s: %g for %g", th.Number(), bound, measured)
		}
	}
	c := s.constants(r.Run, end)
	if c.Blocks != 2 || c.Steps != 4 || c.Gap != s.goal.Above(r.Kept(0).F) || c.Distance != s.goal.Away(s.Start) ||
		c.Convexity > c.Lipschitz || c.Reach < s.goal.Away(r.Kept(400).X) {
		t.Errorf("%+v", c)
	}
	s.values.Schedule = string(blocks.Constant)
	if text := s.pictures.curves[viewBounds].Describe(); !strings.Contains(text, "not a constant step size") {
		t.Errorf("with a constant step size it says %q", text)
	}
}

// TestBiasAppears checks that the lines of the bias appear once they are computed, even after runs are rebuilt, and
// that the lines pass through the runs' cycles.
func TestBiasAppears(t *testing.T) {
	s := New()
	f := brush.Frame{Width: 600, Height: 400, Theme: brush.Light}
	for _, m := range []string{"1,3", "2,6"} {
		scenetest.Open(t, s, map[string]string{"view": viewBias, "m": m, "order": "contiguous", "blockorder": "listed", "budget": "800"})
		scenetest.Step(t, s, -1)
		p := s.Panels()[3]
		before := len(actions(p, f))
		if after := len(actions(p, f)); after != before {
			t.Errorf("drawn twice it takes %d and %d calls", before, after)
		}
		worked(t, s)
		if after := len(actions(p, f)); after <= before {
			t.Errorf("with m = %s there are %d calls before and %d after the work", m, before, after)
		}
		curves := s.biasCurves(s.Timeline().Selected())
		line := curves[0]
		i := line.At(s.values.Alpha)
		at := line.Y[i] + (line.Y[i+1]-line.Y[i])*(s.values.Alpha-line.X[i])/(line.X[i+1]-line.X[i])
		if now := s.ways.Round(s.Timeline().Selected().Run); len(line.Y) < 10 || math.Abs(at/now.Bias-1) > 0.02 {
			t.Errorf("with m = %s the line is at %g, the run at %g", m, at, now.Bias)
		}
	}
}

// TestGapAxis checks that the axis contains all gaps except those that are only rounding errors.
func TestGapAxis(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"method": every()})
	for range 4 {
		y := s.gapAxis()
		for _, track := range s.Timeline().Tracks() {
			for i := range track.Len() {
				if v := s.goal.Above(track.Kept(i).F); v > y.Max || v < y.Min && v > 1e-9*y.Max {
					t.Errorf("%g is outside %g to %g", v, y.Min, y.Max)
				}
			}
		}
		scenetest.Step(t, s, 50)
	}
}

// TestWindow checks that the plane contains the Pareto set and the start, and that the zoomed-in plane contains the
// run's point.
func TestWindow(t *testing.T) {
	s := scenetest.Open(t, New(), nil)
	inside := func(x []float64) bool {
		w := s.Window()
		return math.Abs(x[0]-w.X) <= w.Half && math.Abs(x[1]-w.Y) <= w.Half
	}
	for _, x := range append(slices.Clone(s.reach), s.Start) {
		if !inside(x) {
			t.Errorf("%v is outside %v", x, s.Window())
		}
	}
	scenetest.Step(t, s, -1)
	all := s.Window()
	s.values.Zoom = zoomEnd
	r := s.Timeline().Selected()
	if !(s.Window().Half < all.Half/4) || !inside(s.goal.Minimiser) || !inside(r.Kept(160).X) || !inside(r.Kept(146).X) {
		t.Errorf("the window becomes %v", s.Window())
	}
	s.Timeline().SetMarker(0)
	if !inside(s.Start) {
		t.Errorf("at the start it is %v", s.Window())
	}
}

// TestFacts checks that every fact is a number if its method runs and NaN otherwise, and that facts agree with rows,
// weights and outputs.
func TestFacts(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"q": "3", "m": "1,2,5", "order": "contiguous", "blockorder": "listed", "alpha": "0.02",
		"budget": "2000"})
	scenetest.Step(t, s, -1)
	fact := func(name string) float64 { return scenetest.Fact(t, s.Facts(), name) }
	r := s.Timeline().FindFrom(sweeps.BlockSMOO, 0)
	end := r.Kept(r.Len() - 1)
	for name, want := range map[string]float64{
		"turns": 8, "weight.1": 0.125, "weight.3": 0.625, "coordinates.blocksmoo": 2000, "coordinates.weightedsum": 12000, "bp.blocksmoo": 2000,
		"endF.blocksmoo.2": end.F[1], "gap.blocksmoo": s.goal.Above(end.F), "distance.blocksmoo": s.goal.Away(end.X),
		"bias.blocksmoo": s.ways.Round(r.Run).Bias, "diameter.blocksmoo": s.ways.Round(r.Run).Width,
		"cyclebias.blocksmoo": s.endOf(r.Method).Bias,
		"average.blocksmoo":   s.ways.Done(r.Run)[125].Average, "random.blocksmoo": s.ways.Done(r.Run)[125].Random,
	} {
		if got := fact(name); got != want {
			t.Errorf("%s = %g, want %g", name, got, want)
		}
	}
	for _, name := range []string{"gap.functionalternate", "endF.blocksmoo.4", "weight.4", "bound.31", "loose.33", "cyclebias.weightedsum"} {
		if v := fact(name); !math.IsNaN(v) {
			t.Errorf("%s = %g, want none", name, v)
		}
	}
	scenetest.Open(t, s, map[string]string{"schedule": "safe"})
	scenetest.Step(t, s, -1)
	if bound := fact("bound.33"); !(bound > 0) || fact("loose.33") != bound/fact("gap.blocksmoo") {
		t.Errorf("Theorem 3.3 allows %g, which is %g times too large", bound, fact("loose.33"))
	}
	help := map[string]bool{}
	for _, h := range About.Facts {
		help[h.Name] = true
	}
	for _, f := range s.Facts() {
		name, _, _ := strings.Cut(f.Name, ".")
		if !help[name] {
			t.Errorf("%s is not explained", f.Name)
		}
	}
	waiting := scenetest.Open(t, New(), map[string]string{"problem": yours})
	for _, f := range waiting.Facts() {
		if v := f.Value(); !math.IsNaN(v) {
			t.Errorf("without runs %s = %g", f.Name, v)
		}
	}
}

// TestTips checks that the tooltip shows the run's point, F_m's height above its minimum, and the next step.
func TestTips(t *testing.T) {
	s := scenetest.Open(t, New(), map[string]string{"order": "contiguous", "blockorder": "listed"})
	scenetest.Step(t, s, 9)
	r := s.Timeline().FindFrom(sweeps.BlockSMOO, 0)
	lines := s.planeLines(r, r.Kept(0))
	if want := []string{"Block-SMOO, k = 0", "x = (1.5, 1.5)", "f = (8.15, 2.988)",
		"weighted sum above its minimum: " + timeline.Number(s.goal.Above(r.Kept(0).F)), "next: block 1, f1"}; !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
	if lines := s.planeLines(r, r.Kept(9)); len(lines) != 4 {
		t.Errorf("for a step that was not made: %q", lines)
	}
	if sweeps.ObjectiveOf(-1) != "F_m" || sweeps.ObjectiveOf(1) != "f_2" {
		t.Error("goals have other names")
	}
}

// TestPlusIsOnTop checks that the plus sign at the weighted sum's minimum is drawn on top of the runs, which come to
// rest there, and that its label explains the symbol in words.
func TestPlusIsOnTop(t *testing.T) {
	s := scenetest.Open(t, New(), nil)
	scenetest.Finish(t, s)
	scenetest.Says(t, s, "plane", scenetest.Full, "where the mixture is least (F", "best for goal 1 (f", "best for goal 2 (f")
	scenetest.Says(t, s, "curve", scenetest.Small, "mixture above its minimum (F")
	var c recorder.Canvas
	for _, l := range s.Panels()[0].Layers(scenetest.Full) {
		l.Draw(draw.NewCanvas(&c, scenetest.Full.Width, scenetest.Full.Height))
	}
	b := s.Panels()[0].(*axes.Plane).Brush(scenetest.Full, nil)
	at := b.At(s.goal.Minimiser[0], s.goal.Minimiser[1])
	last := ""
	for _, a := range c.Actions {
		switch a := a.(type) {
		case *recorder.SetColor:
			last = fmt.Sprint(a.Color)
		case *recorder.Fill, *recorder.Stroke:
			path, _ := a.(*recorder.Stroke)
			if path != nil && len(path.Path) == 4 && brush.Distance(path.Path[0].Pos, at) < 9 && last == fmt.Sprint(brush.Light.Ink) {
				return
			}
		}
	}
	t.Error("there is no plus sign in ink over the least mixture")
}
