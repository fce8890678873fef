package kinds

import (
	"bytes"
	"flag"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
)

// planOf returns a panel of a plan with n rows and m columns. The plan transports 1/n from every row i to column i mod m.
func planOf(n, m int) *PlanMatrix {
	mass := make([]float64, n*m)
	rows, columns := make([]float64, n), make([]float64, m)
	for i := range n {
		mass[i*m+i%m] = 1 / float64(n)
		rows[i] = 1 / float64(n)
		columns[i%m] += 1 / float64(n)
	}
	return &PlanMatrix{Name: "plan", Heading: "Plan",
		Plan:    func() ([]float64, int) { return mass, m },
		Wanted:  func() (a, b []float64) { return rows, columns },
		Column:  func(t *brush.Theme, j int) brush.Look { return t.Solution(j) },
		Run:     func(j int) string { return fmt.Sprint("run-", j+1) },
		RowName: func(i int) string { return fmt.Sprint("goal ", i+1) }, ColumnName: func(j int) string { return fmt.Sprint("solution ", j+1) },
		Lines: func(i, j int) []string { return []string{fmt.Sprint("cost of ", i, " ", j)} },
		Text:  func() string { return "A plan." },
	}
}

// TestPlanMatrix checks that the pointer finds entries, row sums on the right, and column sums above. Nothing may be
// drawn outside the panel, and a missing plan must be allowed.
func TestPlanMatrix(t *testing.T) {
	for _, size := range [][2]int{{3, 2}, {30, 5}, {200, 10}, {12, 12}, {1, 1}, {2, 40}} {
		n, m := size[0], size[1]
		plan := planOf(n, m)
		p := plan.Panel()
		for _, f := range []brush.Frame{
			{Width: 360, Height: 300, Theme: brush.Light}, {Width: 200, Height: 120, Theme: brush.Dark}, {Width: 10, Height: 10, Theme: brush.Light},
		} {
			for _, a := range drawn(p, f) {
				if path, ok := a.(*recorder.Fill); ok {
					for _, c := range path.Path {
						if math.IsNaN(float64(c.Pos.X)) || c.Pos.X < -1 || c.Pos.X > max(f.Width, 80)+1 || math.IsNaN(float64(c.Pos.Y)) {
							t.Fatalf("%v in %v: a corner at %v", size, f.Width, c.Pos)
						}
					}
				}
			}
		}
		f := brush.Frame{Width: 360, Height: 300, Theme: brush.Light}
		b := p.Brush(f, nil)
		at, _, _ := plan.places(b)
		middle := func(r vg.Rectangle) vg.Point { return r.Min.Add(r.Max).Scale(0.5) }
		i, j := n-1, (n-1)%m
		pick, ok := p.Pick(f, middle(at.cell(i, j)))
		want := []string{fmt.Sprintf("goal %d, solution %d", n, j+1), "mass " + timeline.Number(1/float64(n)), fmt.Sprintf("cost of %d %d", i, j)}
		if !ok || !slices.Equal(pick.Lines, want) || pick.Run != fmt.Sprint("run-", j+1) {
			t.Errorf("%v: entry %+v, want %q", size, pick, want)
		}
		right := middle(at.cell(i, j))
		right.X = at.cells.Max.X + planEdge + 2
		if pick, ok = p.Pick(f, right); !ok || pick.Lines[0] != fmt.Sprint("goal ", n) || !strings.Contains(pick.Lines[1], " of ") {
			t.Errorf("%v: row %+v", size, pick)
		}
		above := middle(at.cell(0, j))
		above.Y = at.cells.Max.Y + planEdge + 2
		if pick, ok = p.Pick(f, above); !ok || pick.Lines[0] != fmt.Sprint("solution ", j+1) {
			t.Errorf("%v: column %+v", size, pick)
		}
		if _, ok = p.Pick(f, vg.Point{X: 1, Y: 299}); ok {
			t.Errorf("%v: got a pick in the corner", size)
		}
	}
	none := planOf(2, 2)
	none.Plan = func() ([]float64, int) { return nil, 0 }
	p, f := none.Panel(), brush.Frame{Width: 360, Height: 300, Theme: brush.Light}
	drawn(p, f)
	if _, ok := p.Pick(f, vg.Point{X: 180, Y: 150}); ok {
		t.Error("got a pick without a plan")
	}
}

// barsOf returns a panel of bars for the given shares. Drags change these shares.
func barsOf(shares *[]float64) *Bars {
	return &Bars{Name: "b", Heading: "Shares", Label: "solution", Shares: func() []float64 { return *shares },
		Of:   func(i int) string { return fmt.Sprint("solution ", i+1) },
		Look: func(t *brush.Theme, i int) brush.Look { return t.Solution(i) },
		Text: func() string { return "Shares." }}
}

// TestFewBars checks that each of a few bars is a handle, which visitors can grab at the bar's end and anywhere in its
// column.
func TestFewBars(t *testing.T) {
	shares := []float64{0.5, 0.25, 0.25}
	s := barsOf(&shares)
	p, f := s.Panel(), brush.Frame{Width: 320, Height: 220, Theme: brush.Light}
	drawn(p, f)
	handles := p.Handles(f)
	if len(handles) != 3 || handles[1].ID != "b-2" || handles[1].Value != "0.25" || handles[1].Y != 0.25 {
		t.Fatalf("got handles %+v", handles)
	}
	for i, h := range handles {
		low := h.At
		low.Y = p.Brush(f, nil).Canvas.Min.Y + 3
		for _, at := range []vg.Point{h.At, low, {X: h.At.X + 12, Y: h.At.Y - 2}} {
			if pick, ok := p.Pick(f, at); !ok || pick.Handle != h.ID {
				t.Errorf("bar %d at %v: %+v", i+1, at, pick)
			}
		}
	}
	x, y := p.World(f, "b-2", vg.Point{X: handles[1].At.X, Y: handles[0].At.Y})
	if shares, ok := s.Drag("b-2", x, y); !ok || !slices.Equal(shares, []float64{0.333333, 0.5, 0.166667}) {
		t.Errorf("dragged to 0.5: %v", shares)
	}
	for _, h := range []string{"a-1", "b-0", "b-4", "b-x", "marker"} {
		if shares, ok := s.Drag(h, 0, 0.5); ok {
			t.Errorf("%s makes %v", h, shares)
		}
	}
}

// TestManyBars checks that the pointer sets the bar under it, and that the keyboard has a single handle.
func TestManyBars(t *testing.T) {
	shares := make([]float64, 200)
	for i := range shares {
		shares[i] = 1. / 200
	}
	s := barsOf(&shares)
	s.Look = nil
	p, f := s.Panel(), brush.Frame{Width: 320, Height: 220, Theme: brush.Dark}
	drawn(p, f)
	handles := p.Handles(f)
	if len(handles) != 1 || handles[0].ID != "b-bar" || handles[0].Label != "share of solution 1" {
		t.Fatalf("got handles %+v", handles)
	}
	b := p.Brush(f, nil)
	over := b.At(120, 0.02)
	pick, ok := p.Pick(f, over)
	if !ok || pick.Handle != "b-paint" || pick.Lines[0] != "solution 121" {
		t.Fatalf("over bar 121: %+v", pick)
	}
	x, y := p.World(f, pick.Handle, over)
	next, ok := s.Drag(pick.Handle, x, y)
	if !ok || next[120] != 0.02 {
		t.Fatalf("painted %v", next[120])
	}
	shares = next
	if h := p.Handles(f)[0]; h.X != 120 || h.Y != 0.02 || h.StepX != 1 {
		t.Errorf("got the handle at %+v", h)
	}
	if _, ok := s.Drag("b-bar", 121, 0.02); ok || p.Handles(f)[0].X != 121 {
		t.Errorf("a step to the right changes shares, or leaves the handle at %v", p.Handles(f)[0].X)
	}
	if next, ok := s.Drag("b-bar", 121, 0.01); !ok || next[121] != 0.01 || next[120] >= 0.02 {
		t.Errorf("a step up: %v", next)
	}
	shares = shares[:3]
	if h := p.Handles(f); len(h) != 3 {
		t.Errorf("of three: %+v", h)
	}
}

// won is a stepper whose solutions win varying shares.
type won struct{ k int }

func (w *won) Step() (algo.Status, error) { w.k++; return algo.Running, nil }
func (w *won) View() algo.View {
	return algo.View{K: w.k, Solutions: 3, X: []float64{float64(w.k), 0, 0}, F: make([]float64, 3)}
}
func (w *won) Save(to *algo.Snapshot)   { to.PutInt(w.k) }
func (w *won) Load(from *algo.Snapshot) { w.k = from.GetInt() }

func stackOf(t *testing.T, steps int) (*Stack, *timeline.Timeline) {
	line := timeline.New(timeline.DefaultLimit)
	line.SetEnd(steps, 0)
	line.Reset([]*timeline.Run{{Name: "most", Method: "most", Several: true, Starts: make([][]float64, 3), Stepper: &won{}}}, nil)
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	clock := RoundClock(line.Budget)
	return &Stack{Name: "won", Heading: "Won", Timeline: line, Label: "share", Clock: func() *Clock { return clock },
		Shares: func(r timeline.Row) []float64 {
			u := r.X[0] / float64(steps)
			return []float64{u / 2, 0.5, 0.5 - u/2}
		},
		Look: func(t *brush.Theme, j int) brush.Look { return t.Solution(j) }, Of: func(j int) string { return fmt.Sprint("solution ", j+1) },
		Text: func() string { return "Shares over time." }}, line
}

// TestStack checks that the pointer finds the share under it and selects the share's solution.
func TestStack(t *testing.T) {
	s, _ := stackOf(t, 100)
	p, f := s.Panel(), brush.Frame{Width: 320, Height: 220, Theme: brush.Light}
	if calls := len(drawn(p, f)); calls < 20 {
		t.Errorf("got %d drawing calls", calls)
	}
	b := p.Brush(f, nil)
	for _, c := range []struct {
		k, y float64
		run  string
		line string
	}{{1, 0.4, "most-2", "50 % at k = 1"}, {80, 0.2, "most-1", "40 % at k = 80"}, {80, 0.95, "most-3", "10 % at k = 80"}} {
		pick, ok := p.Pick(f, b.At(c.k, c.y))
		if !ok || pick.Run != c.run || pick.K != int(c.k) || pick.Lines[1] != c.line {
			t.Errorf("at %g, %g: %+v", c.k, c.y, pick)
		}
	}
	s.Timeline = timeline.New(timeline.DefaultLimit)
	if sheets := p.Sheets(); sheets != nil {
		t.Error("got drawing calls without a run")
	}
}

// TestSharesPictures checks that the pictures can be drawn. With -show, it also writes them to files.
func TestSharesPictures(t *testing.T) {
	few, many := []float64{0.2, 0.2, 0.4, 0.2, 0}, make([]float64, 30)
	for i := range many {
		many[i] = float64(i%7+1) / 118
	}
	bars, fine := barsOf(&few), barsOf(&many)
	fine.Look, fine.Name, fine.Label = nil, "a", "goal"
	stack, _ := stackOf(t, 40)
	panels := []axes.Panel{planOf(30, 5).Panel(), planOf(200, 10).Panel(), planOf(12, 12).Panel(), bars.Panel(), fine.Panel(), stack.Panel()}
	for _, theme := range []*brush.Theme{brush.Light, brush.Dark} {
		var out bytes.Buffer
		if err := axes.WritePNG(&out, 1100, 700, 1, theme, axes.Arrange(1100, 700, panels, "")); err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(bytes.NewReader(out.Bytes())); err != nil {
			t.Fatal(err)
		}
		if *show != "" {
			if err := os.WriteFile(filepath.Join(*show, "shares-"+theme.Name+".png"), out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

var show = flag.String("show", "", "directory to write the pictures of shares to")
