package session

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/pointer"
	"paretoplay/scenes"
)

func openTransport(t testing.TB, values ...link.Value) *Session {
	t.Helper()
	s, err := NewConfigured(scenes.All, "transport", Setup{Values: values})
	if err != nil {
		t.Fatal(err)
	}
	s.Layout(1120, 720, false, false)
	return s
}

// cellCost returns the cost in the given row and column, counted from 0, as the page shows it.
func cellCost(s *Session, row, column int) float64 {
	return s.scene.Params().Value("cost").([][]float64)[row][column]
}

// TestPaintCosts checks that a cell can be dragged from anywhere inside it and that its cost follows the pointer's vertical
// motion. The runs must be replayed.
func TestPaintCosts(t *testing.T) {
	for _, touch := range []bool{false, true} {
		s := openTransport(t, link.Value{Name: "n", Text: "6"}, link.Value{Name: "m", Text: "6"},
			link.Value{Name: "a", Text: ""}, link.Value{Name: "b", Text: ""})
		do(t, s, "hero", `{"panel":"cost"}`)
		do(t, s, "step", `{"n":8}`)
		var x, y float64
		for _, pl := range s.placed() {
			if pl.Panel.ID() == "cost" {
				c := pl.Rect.Min.Add(pl.Rect.Max).Scale(0.5)
				x, y = float64(c.X), s.screen.height-float64(c.Y)
			}
		}
		pl, pick, ok := pointer.Pick(canvas{s}, vg.Point{X: vg.Length(x), Y: vg.Length(s.screen.height - y)}, touch)
		if !ok || pl.Panel.ID() != "cost" || !strings.HasPrefix(pick.Handle, "cost-") {
			t.Fatalf("in the middle of the costs is %+v", pick)
		}
		if !point(t, s, "down", x, y, touch) || s.Cursor() != "grabbing" {
			t.Errorf("a press on a cell is not claimed, or the cursor is %s", s.Cursor())
		}
		var costs []float64
		for _, by := range []float64{20, 40, 60, 20} {
			point(t, s, "move", x+3, y-by, touch)
			var row, column int
			for i, c := range []byte(strings.TrimPrefix(pick.Handle, "cost-")) {
				switch i {
				case 0:
					row = int(c - '1')
				case 2:
					column = int(c - '1')
				}
			}
			costs = append(costs, cellCost(s, row, column))
		}
		point(t, s, "up", x+3, y-20, touch)
		if d := costs[1] - costs[0]; !(d > 0.05) || math.Abs(costs[2]-costs[1]-d) > 0.002 || math.Abs(costs[3]-costs[0]) > 1e-9 {
			t.Errorf("the costs are %v", costs)
		}
		if got := s.scene.Params().Text("costs"); got != "given" {
			t.Errorf("the costs are %s", got)
		}
		if s.timeline().Marker() != 8 {
			t.Errorf("the marker is at %d", s.timeline().Marker())
		}
		// A link contains the painted costs.
		other := openTransport(t)
		if err := other.Load(s.Settings()); err != nil {
			t.Fatal(err)
		}
		settle(t, other)
		if a, b := s.scene.Params().Text("cost"), other.scene.Params().Text("cost"); a != b || other.timeline().Marker() != 8 {
			t.Errorf("a link shows the costs %s of %s at %d", b, a, other.timeline().Marker())
		}
	}
}

// TestGivenMasses checks that the right number of masses is supplied if none are given, and that a wrong number of given
// masses is refused.
func TestGivenMasses(t *testing.T) {
	s := openTransport(t, link.Value{Name: "n", Text: "6"}, link.Value{Name: "b", Text: "1"}, link.Value{Name: "m", Text: "1"})
	if a := s.scene.Params().Value("a").([]float64); len(a) != 6 {
		t.Errorf("six rows have the masses %v", a)
	}
	values := []link.Value{{Name: "n", Text: "6"}, {Name: "a", Text: "0.5,0.5"}}
	if _, err := NewConfigured(scenes.All, "transport", Setup{Values: values}); err == nil ||
		!strings.Contains(err.Error(), "a has 2 shares, but n = 6 needs 6") {
		t.Errorf("two masses of six: %v", err)
	}
}

// TestOwnCosts checks that a link does not contain costs from a file. A session without the file must ask for it and, once
// the file arrives, show the same state.
func TestOwnCosts(t *testing.T) {
	const text = `{"cost": [[1,2,4],[3,1,2]], "a": [1,3], "tau": 0.5}`
	s := openTransport(t)
	if err := s.readData(strings.NewReader(text), data.Choice{}, nil); err != nil {
		t.Fatal(err)
	}
	settle(t, s)
	if err := s.setParam("eps", "0.1", false); err != nil {
		t.Fatal(err)
	}
	do(t, s, "step", `{"n":5}`)
	want := fact(t, s, "gap.sinkhorn")
	link := s.Settings()
	for _, v := range link.Values {
		if v.Name == "cost" || v.Name == "a" || v.Name == "tau" {
			t.Errorf("the link tells %s = %s", v.Name, v.Text)
		}
	}
	other := openTransport(t)
	if err := other.Load(link); err != nil {
		t.Fatal(err)
	}
	settle(t, other)
	if len(other.timeline().Runs()) != 0 {
		t.Error("there are runs without the file")
	}
	if err := other.readData(strings.NewReader(text), data.Choice{}, nil); err != nil {
		t.Fatal(err)
	}
	settle(t, other)
	if got := fact(t, other, "gap.sinkhorn"); got != want || other.timeline().Marker() != 5 {
		t.Errorf("the gap is %v at %d, was %v at 5", got, other.timeline().Marker(), want)
	}
	// A file with a Jacobian, which the scene lab accepts, is not valid in this scene.
	if err := openTransport(t).readData(strings.NewReader(`{"jacobian": [[1]]}`), data.Choice{}, nil); err == nil ||
		!strings.Contains(err.Error(), "available: cost a b tau") {
		t.Errorf("a Jacobian: %v", err)
	}
}
