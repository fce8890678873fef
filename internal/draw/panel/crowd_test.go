package panel

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/timeline"
)

// colours are those that a layer paints with.
func colours(l Layer, f Frame) (out []string) {
	var c recorder.Canvas
	l.Draw(draw.Canvas{Canvas: &c, Rectangle: vg.Rectangle{Max: vg.Point{X: f.Width, Y: f.Height}}})
	for _, a := range c.Actions {
		if s, is := a.(*recorder.SetColor); is {
			out = append(out, fmt.Sprint(s.Color))
		}
	}
	return out
}

// TestCrowd: of more methods than are told apart the selected one has its colour, and the one under
// the pointer; the legend counts the others.
func TestCrowd(t *testing.T) {
	f := Frame{Width: 600, Height: 400, Theme: Light}
	names := []string{"psmgd", "mgda", "cagrad", "pcgrad", "famo", "moco", "upgrad", "imtlg", "fairgrad", "modo"}
	for _, n := range []int{MaxMethods, len(names)} {
		line := timeline.New(timeline.DefaultLimit)
		line.SetEnd(10, 0)
		var runs []*timeline.Run
		var methods []param.Method
		for _, name := range names[:n] {
			runs = append(runs, &timeline.Run{Name: name, Method: name, Label: name, Starts: [][]float64{{0, 0}}, Stepper: &resting{}})
			methods = append(methods, param.Method{ID: name, Title: name})
		}
		line.Reset(runs, nil)
		advance(t, line, 10)
		line.Select("mgda")
		track := &Tracks{Name: "plane", Timeline: line, Point: func(r timeline.Row) (x, y float64) { return r.X[0], r.X[1] }}
		p := &Plane{Name: "plane", Axes: func() (x, y Axis) { return Axis{Min: -1, Max: 1}, Axis{Min: -1, Max: 1} },
			Sheets: func() []Sheet { return append(track.Sheets(), Sheet{Draw: track.Ends}) }}
		own := func(name string) string { return fmt.Sprint(Light.Look(name).Hue) }
		var seen []string
		for _, l := range p.Layers(f)[1:] {
			seen = append(seen, colours(l, f)...)
		}
		crowd := n > MaxMethods
		if !slices.Contains(seen, own("mgda")) || slices.Contains(seen, own("fairgrad")) || slices.Contains(seen, own("cagrad")) == crowd {
			t.Errorf("%d methods: colours %v", n, seen)
		}
		if l, ok := p.Mark(f, Pick{Run: "cagrad", K: 3}); !ok || !slices.Contains(colours(l, f), own("cagrad")) {
			t.Errorf("%d methods: the run under the pointer has not its colour", n)
		}
		entries := MethodEntries(Light, methods, line)
		if !crowd {
			if len(entries) != n {
				t.Errorf("%d entries of %d methods", len(entries), n)
			}
			continue
		}
		if len(entries) != 2 || entries[0].Label != "mgda" || entries[1].Label != "and 9 more in grey" {
			t.Errorf("the legend is %+v", entries)
		}
	}
}

// TestMini: beside the panel in front there is a title and no legend, nothing to take, and no text
// that is too long to be read there; a thumbnail has no text at all.
func TestMini(t *testing.T) {
	_, plane, history := restingRun(t, 60)
	plane.Legend = func(t *Theme) []Entry { return []Entry{{Label: "what is what"}} }
	sheets := plane.Sheets
	plane.Sheets = func() []Sheet {
		return append(sheets(), Sheet{Draw: func(b *Brush) {
			b.Text(0, 0, "short", 12, b.Theme.Ink, Centred)
			b.Text(0, 0, "a hint that takes more than half of the width of such a panel", 12, b.Theme.Ink, Centred)
		}})
	}
	plane.Grips = func() []Grip { return []Grip{{ID: "grip", Label: "grip", Run: "a", X: 0.5, Y: -0.5}} }
	for _, p := range []*Plane{plane, history} {
		f := Frame{Width: 200, Height: 150, Theme: Dark, Detail: Mini}
		words := texts(p, f)
		if !slices.Contains(words, p.Heading) || slices.Contains(words, "what is what") || slices.Contains(words, "iteration k") {
			t.Errorf("%s says %q", p.Name, words)
		}
		if p == plane && (!slices.Contains(words, "short") || slices.ContainsFunc(words, func(s string) bool { return len(s) > 20 })) {
			t.Errorf("%s says %q", p.Name, words)
		}
		b := p.brush(p.layout(f), nil)
		if pick, _ := p.Pick(f, b.At(0.5, -0.5)); pick.Handle != "" {
			t.Errorf("%s has the handle %q", p.Name, pick.Handle)
		}
		if f.Detail = Thumbnail; len(texts(p, f)) > 0 {
			t.Errorf("the thumbnail of %s says %q", p.Name, texts(p, f))
		}
	}
}

// texts returns the texts of a panel.
func texts(p Panel, f Frame) (out []string) {
	var c recorder.Canvas
	for _, l := range p.Layers(f) {
		l.Draw(draw.Canvas{Canvas: &c, Rectangle: vg.Rectangle{Max: vg.Point{X: f.Width, Y: f.Height}}})
	}
	for _, a := range c.Actions {
		if s, is := a.(*recorder.FillString); is {
			out = append(out, s.String)
		}
	}
	return out
}

// TestHint: what a visitor can do is written where nothing is to be dragged.
func TestHint(t *testing.T) {
	f := Frame{Width: 500, Height: 400, Theme: Light}
	at := [2]float64{}
	p := &Plane{Name: "plane", Axes: func() (x, y Axis) { return Axis{Min: -1, Max: 1}, Axis{Min: -1, Max: 1} },
		Sheets: func() []Sheet { return []Sheet{{Draw: func(b *Brush) { b.Hint("drag this") }}} },
		Grips:  func() []Grip { return []Grip{{ID: "grip", Label: "grip", X: at[0], Y: at[1]}} }}
	hint := func() vg.Point {
		for _, a := range drawn(p, f) {
			if s, is := a.(*recorder.FillString); is && s.String == "drag this" {
				return s.Point
			}
		}
		t.Fatal("there is no hint")
		return vg.Point{}
	}
	first := hint()
	if at = [2]float64{-0.95, 0.95}; hint() == first {
		t.Error("the hint is under a handle")
	}
	if at = [2]float64{-0.95, -0.95}; hint() != first {
		t.Error("the hint makes way for what is far from it")
	}
	if f.Detail = Mini; slices.Contains(texts(p, f), "drag this") {
		t.Error("a small panel says what can be dragged in it")
	}
}

// TestHintWraps: what is too wide for a narrow panel has several lines, from the edge downwards.
func TestHintWraps(t *testing.T) {
	const words = "drag the tips g; a step goes against its arrow; the methods’ are drawn equally long"
	p := &Plane{Name: "plane", Axes: func() (x, y Axis) { return Axis{Min: -1, Max: 1}, Axis{Min: -1, Max: 1} },
		Sheets: func() []Sheet { return []Sheet{{Draw: func(b *Brush) { b.Hint(words) }}} }}
	f := Frame{Width: 700, Height: 300, Theme: Light}
	if !slices.Contains(texts(p, f), words) {
		t.Errorf("there is room for one line, not %q", texts(p, f))
	}
	f.Width = 360
	var below vg.Length
	for _, line := range []string{"drag the tips g; a step goes against its arrow;", "the methods’ are drawn equally long"} {
		i := slices.IndexFunc(drawn(p, f), func(a recorder.Action) bool {
			s, is := a.(*recorder.FillString)
			return is && s.String == line
		})
		if i < 0 {
			t.Fatalf("%q is not among %q", line, texts(p, f))
		}
		at := drawn(p, f)[i].(*recorder.FillString).Point
		if below != 0 && at.Y > below-SmallText {
			t.Errorf("%q is at %v, over the line before at %v", line, at.Y, below)
		}
		below = at.Y
	}
}

// TestLabelsOffAxes: the paper of a label does not hide the numbers of the axes.
func TestLabelsOffAxes(t *testing.T) {
	f := Frame{Width: 390, Height: 390, Theme: Light}
	p := &Plane{Name: "plane", Axes: func() (x, y Axis) { return Axis{Min: 0, Max: 1}, Axis{Min: 0, Max: 1} },
		Sheets: func() []Sheet {
			return []Sheet{{Draw: func(b *Brush) { b.Label(0.3, 0.01, "a sum along this line", 12, b.Theme.Ink, Align{X: -1, Y: -1}) }}}
		}}
	var label vg.Point
	zeros := vg.Point{Y: f.Height}
	for _, a := range drawn(p, f) {
		if s, is := a.(*recorder.FillString); is && s.String == "a sum along this line" {
			label = s.Point
		} else if is && s.String == "0" {
			zeros = vg.Point{X: max(zeros.X, s.Point.X), Y: min(zeros.Y, s.Point.Y)}
		}
	}
	if label.X < zeros.X || label.Y < zeros.Y+SmallText {
		t.Errorf("the label is at %v, over the axes’ numbers at %v", label, zeros)
	}
}
