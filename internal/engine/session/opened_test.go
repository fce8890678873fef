package session

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/scenes"
)

// TestOpenedHandles checks that a scene's large panel opens with its handles in view and a ring around each, on a desktop, a tablet
// and a phone.
func TestOpenedHandles(t *testing.T) {
	first := map[string]string{ // the first handle of the large panel
		"fonseca": "start-f-1", "lab": "g-1", "toy": "start-1", "bilevel": "start-1", "clusters": "goal-1", "fronts": "reference",
		"blocks": "start-1", "regression": "marker", "sweep": "camera", "yours": "start-1", "log": "marker",
		"fairness": "attribute",
		// The large panels of these scenes have no handles: they show measured bars and curves, data, or plans.
		"bilevelcost": "", "cleaning": "", "transport": "", "federated": "", "network": "", "ordering": "",
	}
	for _, about := range scenes.All {
		want, known := first[about.ID]
		if !known {
			t.Errorf("%s: the test lacks the large panel’s handle", about.ID)
		}
		for _, screen := range []struct {
			width, height float64
			touch         bool
		}{{1168, 731, false}, {1024, 560, true}, {390, 388, true}} {
			s, err := New(scenes.All, about.ID)
			if err != nil {
				t.Fatal(err)
			}
			settle(t, s)
			s.Layout(screen.width, screen.height, screen.touch, screen.width < 500)
			got := ""
			for i, h := range s.Handles() {
				if i == 0 {
					got = h.ID
				}
				if h.X < 0 || h.Y < 0 || h.X > screen.width || h.Y > screen.height {
					t.Errorf("%s, %g wide: %s is at %g, %g", about.ID, screen.width, h.ID, h.X, h.Y)
				}
			}
			if got != want {
				t.Errorf("%s, %g wide: the large panel’s first handle is %q in place of %q", about.ID, screen.width, got, want)
			}
			front := s.placed()[0]
			if front.Panel.ID() != about.Hero || front.Detail != brush.Full {
				t.Errorf("%s opens with %s", about.ID, front.Panel.ID())
			}
			f := front.Frame(brush.Light, screen.touch)
			drawn := rings(front.Panel, f)
			for _, h := range front.Panel.Handles(f) {
				if !slices.ContainsFunc(drawn, func(at vg.Point) bool {
					return math.Hypot(float64(at.X-h.At.X), float64(at.Y-h.At.Y)) < 0.01
				}) {
					t.Errorf("%s, %g wide: %s has no ring", about.ID, screen.width, h.ID)
				}
			}
		}
	}
}

// rings returns the centres of the rings that a panel draws around its handles.
func rings(p axes.Panel, f brush.Frame) (middles []vg.Point) {
	var c recorder.Canvas
	for _, layer := range p.Layers(f) {
		layer.Draw(draw.NewCanvas(&c, f.Width, f.Height))
	}
	for _, action := range c.Actions {
		if s, is := action.(*recorder.Stroke); is {
			for _, part := range s.Path {
				if part.Type == vg.ArcComp && part.Radius == brush.GripRadius {
					middles = append(middles, part.Pos)
				}
			}
		}
	}
	return middles
}

// TestObjectiveDrag checks that a start point can be dragged to other objective values, with the pointer and with keys, for
// several numbers of variables. If no point has these values, the start must move to the nearest attainable values. The axes
// must stay fixed during the drag.
func TestObjectiveDrag(t *testing.T) {
	for _, link := range []string{"", "d=5", "problem=quadratic", "d=1"} {
		t.Run(link, func(t *testing.T) {
			opened, err := openLink("v=1&scene=fonseca&" + link)
			if err != nil {
				t.Fatal(err)
			}
			s := opened.Session
			s.Layout(1120, 720, false, false)
			do(t, s, "step", `{"n":20}`)
			value := func() []float64 { return s.timeline().Tracks()[2].Kept(0).F }
			drag := func(dx, dy float64) (asked, got ScreenHandle) {
				h := handle(t, s, "start-f-3")
				point(t, s, "down", h.X, h.Y, false)
				point(t, s, "move", h.X+dx, h.Y+dy, false)
				got = handle(t, s, "start-f-3")
				point(t, s, "up", h.X+dx, h.Y+dy, false)
				h.X, h.Y = h.X+dx, h.Y+dy
				return h, got
			}
			before := value()
			asked, got := drag(-12, 9)
			if away := math.Hypot(asked.X-got.X, asked.Y-got.Y); link != "d=1" && away > 0.5 {
				t.Errorf("asked for %+v, it is %g pixels away at %+v", asked, away, got)
			}
			if after := value(); after[0] >= before[0] || link != "d=1" && after[1] >= before[1] {
				t.Errorf("to the left and down leads from %v to %v", before, after)
			}
			at(t, s, 20, 20)
			before = value()
			do(t, s, "nudge", `{"id":"start-f-3","dx":-1}`)
			if after := value(); after[0] >= before[0] || link != "d=1" && math.Abs(after[1]-before[1]) > 1e-3 {
				t.Errorf("a key to the left leads from %v to %v", before, after)
			}
			// Nothing below the front is attainable, so the start is on the front.
			drag(-3000, 3000)
			x := s.timeline().Tracks()[2].Start()
			for i := range x[1:] {
				if math.Abs(x[i]-x[i+1]) > 1e-3 {
					t.Errorf("below the front it starts at %v", x)
				}
			}
			if hash := state(t, s).Hash; !strings.Contains(hash, "start=") {
				t.Errorf("the link %s lacks the start", hash)
			}
		})
	}
}
