package axes

import (
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
)

// TestHint checks that a hint appears in a corner without handles.
func TestHint(t *testing.T) {
	f := brush.Frame{Width: 500, Height: 400, Theme: brush.Light}
	at := [2]float64{}
	p := &Plane{Name: "plane", Axes: func() (x, y Axis) { return Axis{Min: -1, Max: 1}, Axis{Min: -1, Max: 1} },
		Sheets: func() []Sheet { return []Sheet{{Draw: func(b *brush.Brush) { b.Hint("drag this") }}} },
		Grips:  func() []Grip { return []Grip{{ID: "grip", Label: "grip", X: at[0], Y: at[1]}} }}
	hint := func() vg.Point {
		for _, a := range drawn(p, f) {
			if s, is := a.(*recorder.FillString); is && s.String == "drag this" {
				return s.Point
			}
		}
		t.Fatal("got no hint")
		return vg.Point{}
	}
	first := hint()
	if at = [2]float64{-0.95, 0.95}; hint() == first {
		t.Error("got the hint under a handle")
	}
	if at = [2]float64{-0.95, -0.95}; hint() != first {
		t.Error("the hint avoids a distant handle")
	}
	if f.Detail = brush.Mini; slices.Contains(drawtest.Texts(drawn(p, f)), "drag this") {
		t.Error("got a hint in a small panel")
	}
}

// TestHintWraps checks that a hint that is too wide for a narrow panel is broken into several lines, from the edge
// downwards.
func TestHintWraps(t *testing.T) {
	const words = "drag the tips g; a step goes against its arrow; the methods’ are drawn equally long"
	p := &Plane{Name: "plane", Axes: func() (x, y Axis) { return Axis{Min: -1, Max: 1}, Axis{Min: -1, Max: 1} },
		Sheets: func() []Sheet { return []Sheet{{Draw: func(b *brush.Brush) { b.Hint(words) }}} }}
	f := brush.Frame{Width: 700, Height: 300, Theme: brush.Light}
	if !slices.Contains(drawtest.Texts(drawn(p, f)), words) {
		t.Errorf("got %q, want one line", drawtest.Texts(drawn(p, f)))
	}
	f.Width = 360
	var below vg.Length
	for _, line := range []string{"drag the tips g; a step goes against its arrow;", "the methods’ are drawn equally long"} {
		i := slices.IndexFunc(drawn(p, f), func(a recorder.Action) bool {
			s, is := a.(*recorder.FillString)
			return is && s.String == line
		})
		if i < 0 {
			t.Fatalf("%q is not among %q", line, drawtest.Texts(drawn(p, f)))
		}
		at := drawn(p, f)[i].(*recorder.FillString).Point
		if below != 0 && at.Y > below-brush.SmallText {
			t.Errorf("%q is at %v, over the line before at %v", line, at.Y, below)
		}
		below = at.Y
	}
}

// TestLabelsOffAxes checks that the patch of paper behind a label does not hide the axes' numbers.
func TestLabelsOffAxes(t *testing.T) {
	f := brush.Frame{Width: 390, Height: 390, Theme: brush.Light}
	p := &Plane{Name: "plane", Axes: func() (x, y Axis) { return Axis{Min: 0, Max: 1}, Axis{Min: 0, Max: 1} },
		Sheets: func() []Sheet {
			return []Sheet{{Draw: func(b *brush.Brush) {
				b.Label(0.3, 0.01, "a sum along this line", 12, b.Theme.Ink, brush.Align{X: -1, Y: -1})
			}}}
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
	if label.X < zeros.X || label.Y < zeros.Y+brush.SmallText {
		t.Errorf("got the label at %v, over the axes’ numbers at %v", label, zeros)
	}
}
