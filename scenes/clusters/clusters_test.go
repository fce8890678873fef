package clusters

import (
	"encoding/json"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/scene/scenetest"
)

var (
	_ scene.Scene     = (*Scene)(nil)
	_ scene.DataTaker = (*Scene)(nil)
)

// TestDraws checks that every panel of every card and view draws at every size, in both themes, before the first round, halfway and at
// the end.
func TestDraws(t *testing.T) {
	settings := []map[string]string{
		nil, {"view": viewZeros, "solver": plans.Sinkhorn}, {"view": viewChange}, {"view": viewTheorem, "tau": "0"}, {"n": "1", "m": "1"},
		{"method": strings.Join(offered, ","), "basin": basinWell}, {"n": "7", "m": "10", "a": one(7, 1)}, {"spread": "2", "centrespread": "6"},
	}
	for _, p := range About.Presets {
		settings = append(settings, p.Values)
	}
	for _, set := range settings {
		s := with(t, set)
		for _, rounds := range []int{0, 2, 3} {
			scenetest.Step(t, s, rounds)
			for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
				for _, size := range [][2]vg.Length{{1120, 720}, {320, 300}, {120, 90}} {
					if _, calls := scenetest.Draw(t, s, size[0], size[1], theme); calls < 20 {
						t.Errorf("%v at %v: %d calls", set, size, calls)
					}
				}
			}
		}
	}
}

// TestWaitingForFile checks that, while the visitor's file is missing, the page says that there are no runs and
// everything still works.
func TestWaitingForFile(t *testing.T) {
	s := with(t, map[string]string{"layout": layoutData})
	if len(s.Timeline().Runs()) != 0 || !s.ShowsPasted() {
		t.Fatalf("%d runs", len(s.Timeline().Runs()))
	}
	for _, view := range []string{viewLosses, viewZeros, viewChange, viewTheorem} {
		if err := s.Params().Assign("view", view); err != nil {
			t.Fatal(err)
		}
		scenetest.Draw(t, s, 1120, 720, brush.Light)
	}
	if text := s.Panels()[0].Describe(); !strings.Contains(text, "Load a file") {
		t.Error(text)
	}
	for _, f := range s.Facts() {
		if v := f.Value(); !math.IsNaN(v) {
			t.Errorf("%s = %v", f.Name, v)
		}
	}
	if err := s.Params().Assign("layout", layoutRing); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil || len(s.Timeline().Runs()) != 1 {
		t.Errorf("on the ring: %v", err)
	}
}

// TestDrag checks that handles move goals, starts and bars.
func TestDrag(t *testing.T) {
	s := with(t, nil)
	for _, c := range []struct{ handle, name, text string }{
		{"goal-3", "centres", ";;0.5,-0.25"},
		{"start-2", "start", ";0.5,-0.25"},
		{"goal-31", "", ""}, {"goal-0", "", ""}, {"nothing", "", ""},
	} {
		if name, text := s.Drag(c.handle, 0.5, -0.25); name != c.name || text != c.text {
			t.Errorf("%s: %s = %s", c.handle, name, text)
		}
	}
	name, text := s.Drag("b-2", 1, 0.6)
	if name != "b" || text != "0.1,0.6,0.1,0.1,0.1" {
		t.Errorf("%s = %s", name, text)
	}
	name, text = s.Drag("a-paint", 4, 0.2)
	again(t, s, "a", text)
	if name != "a" || s.a[4] != 0.2 || s.goals.Cursor != 4 {
		t.Errorf("%s = %s, the cursor at %d", name, text, s.goals.Cursor)
	}
	if name, _ := s.Drag(kinds.MarkerHandle, 0, 0); name != "" {
		t.Errorf("the marker sets %s", name)
	}
	// Dragging a goal a little does not change the window, but dragging it far out makes the window grow.
	view := s.view
	again(t, s, "centres", "0.3,0.3")
	if s.view != view {
		t.Errorf("the window is %v, was %v", s.view, view)
	}
	again(t, s, "centres", "9,0.3")
	if s.view.Half < 9 {
		t.Errorf("the window is %v", s.view)
	}
}

// TestManyGoals checks that only one of many goals has a handle for the keyboard, and that the pointer finds each goal.
func TestManyGoals(t *testing.T) {
	s := with(t, map[string]string{"n": "200", "m": "10"})
	f := brush.Frame{Width: 700, Height: 500, Theme: brush.Light}
	p := s.Panels()[0]
	if handles := p.Handles(f); len(handles) != 1+10 || handles[0].ID != "goal-1" {
		t.Errorf("%d handles", len(handles))
	}
	s.Drag("a-paint", 90, 0.01)
	h := p.Handles(f)[0]
	if h.ID != "goal-91" {
		t.Errorf("the handle is %s", h.ID)
	}
	pick, ok := p.Pick(f, h.At)
	if !ok || pick.Handle != "goal-91" || !strings.Contains(strings.Join(pick.Lines, " "), "mass 0.005") {
		t.Errorf("%+v", pick)
	}
}

// TestTheorem checks that the running mean of Σ b_j‖d_j‖² stays below the bound, for every scale and every method for
// which the theorem holds.
func TestTheorem(t *testing.T) {
	for _, scale := range []string{"raw", "column", "columncount"} {
		for _, method := range []string{plans.MosT, plans.WithoutR, plans.WithoutCL, plans.Objectives, plans.Models, plans.RandomPlan} {
			for _, basin := range []string{basinQuadratic, basinWell} {
				s := with(t, map[string]string{"scale": scale, "method": method, "tau": "0", "eta": "0.9", "layout": layoutRing, "basin": basin})
				scenetest.Step(t, s, -1)
				c, holds := s.bound()
				if !holds {
					t.Errorf("%s, %s: no bound", scale, method)
				}
				r := s.Timeline().Selected()
				for i := range r.Len() - 1 {
					row := r.Kept(i)
					if v := row.Number(plans.BD2Mean); !(v <= c/float64(row.K+1)*(1+1e-12)) {
						t.Errorf("%s, %s, %s: %g after %d rounds, at most %g", scale, method, basin, v, row.K+1, c/float64(row.K+1))
					}
				}
			}
		}
	}
	for _, set := range []map[string]string{{"tau": "0.1"}, {"method": "most-l", "tau": "0"}, {"tau": "0", "K": "2"},
		{"tau": "0", "solver": "ipot"}, {"tau": "0", "curriculum": "paper"}, {"tau": "0", "eta": "2"}} {
		s := with(t, set)
		scenetest.Step(t, s, 2)
		if _, holds := s.bound(); holds {
			t.Errorf("%v has a bound", set)
		}
	}
}

// TestResults checks that the results, encoded as JSON, contain the outcome of each run.
func TestResults(t *testing.T) {
	s := with(t, map[string]string{"method": "most,mgda"})
	scenetest.Step(t, s, -1)
	data, err := json.Marshal(s.Results())
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]struct {
		OracleLoss, MeanLoss float64
		Won                  []float64
		Zeros, KL            *float64
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got["most"].OracleLoss != scenetest.Fact(t, s.Facts(), "oracle.most") || len(got["most"].Won) != 5 ||
		*got["most"].Zeros != 0.8 || got["most"].KL == nil || got["mgda"].Zeros != nil {
		t.Errorf("%s", data)
	}
}

// TestPictureFollowsSelection checks that the picture shows the selected run at the marker, even after the selection or
// the marker changes.
func TestPictureFollowsSelection(t *testing.T) {
	s := with(t, map[string]string{"method": "most,linearization"})
	scenetest.Step(t, s, 5)
	at := func(k int) *shown {
		s.Timeline().SetMarker(k)
		return s.shown()
	}
	if first, last := at(0), at(5); slices.Equal(first.x[0], last.x[0]) || !slices.Equal(first.x[0], s.starts[0]) {
		t.Errorf("at the start %v, at the end %v", first.x, last.x)
	}
	if plan := at(5); !plan.carried || !slices.Equal(plan.mass, at(4).mass) {
		t.Error("at the end the plan is not the last step's")
	}
	s.Timeline().Select("linearization-3")
	now := s.shown()
	if now.carried {
		t.Error("linearization has a plan")
	}
	for i := range s.centres {
		given := 0
		for j, x := range now.x {
			if now.mass[i*5+j] > 0 {
				given++
				for _, y := range now.x {
					if s.lossAt(i, y) < s.lossAt(i, x)-1e-12 {
						t.Errorf("goal %d is not with its best solution", i+1)
					}
				}
			}
		}
		if given != 1 {
			t.Errorf("goal %d is with %d solutions", i+1, given)
		}
	}
}

// BenchmarkFrame measures a round with 200 goals and ten solutions, including the rendering of the changes to a canvas
// that draws nothing.
func BenchmarkFrame(b *testing.B) {
	s := with(b, map[string]string{"n": "200", "m": "10", "tau": "0", "budget": "5000"})
	scenetest.Step(b, s, 20)
	placed, kept := axes.Arrange(1120, 720, s.Panels(), ""), map[string]string{}
	b.ReportAllocs()
	for b.Loop() {
		scenetest.Step(b, s, 1)
		if !s.Timeline().Running() {
			b.StopTimer()
			if err := s.Restart(nil); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		for _, p := range placed {
			size := p.Rect.Size()
			f := brush.Frame{Width: size.X, Height: size.Y, Theme: brush.Light}
			for i, l := range p.Panel.Layers(f) {
				at := p.Panel.ID() + strconv.Itoa(i)
				if l.Key == "" || kept[at] != l.Key {
					l.Draw(nothing(size))
				}
				kept[at] = l.Key
			}
		}
	}
}

// blank is a canvas that draws nothing.
type blank struct{}

func (blank) SetLineWidth(vg.Length)                 {}
func (blank) SetLineDash([]vg.Length, vg.Length)     {}
func (blank) SetColor(color.Color)                   {}
func (blank) Rotate(float64)                         {}
func (blank) Translate(vg.Point)                     {}
func (blank) Scale(_, _ float64)                     {}
func (blank) Push()                                  {}
func (blank) Pop()                                   {}
func (blank) Stroke(vg.Path)                         {}
func (blank) Fill(vg.Path)                           {}
func (blank) FillString(font.Face, vg.Point, string) {}
func (blank) DrawImage(vg.Rectangle, image.Image)    {}

func nothing(size vg.Point) draw.Canvas { return draw.NewCanvas(blank{}, size.X, size.Y) }

// TestFirstPlan checks that before the first round the page shows the first round's plan, and that computing this plan
// does not advance the run. For a method without plans, the page must show no plan.
func TestFirstPlan(t *testing.T) {
	s := with(t, map[string]string{"seed": "3"})
	before := *s.shown()
	if run := s.Timeline().Runs()[0]; !before.carried || run.Last() != 0 || run.Stepper.View().K != 0 {
		t.Fatalf("at the start a plan is shown: %v, iteration %d", before.carried, run.Last())
	}
	scenetest.Step(t, s, 1)
	s.Timeline().SetMarker(0)
	if after := s.shown(); !slices.Equal(after.mass, before.mass) || !slices.Equal(after.a, before.a) || !slices.Equal(after.b, before.b) {
		t.Errorf("the first plan is %v, shown before it is made is %v", after.mass, before.mass)
	}
	if s := with(t, map[string]string{"method": "mgda"}); s.shown().carried {
		t.Error("MGDA shows a plan")
	}
}
