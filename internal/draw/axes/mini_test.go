package axes

import (
	"slices"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
)

// TestMiniNames checks that at any width, the name of a small chart's horizontal axis neither replaces nor covers a tick
// label.
func TestMiniNames(t *testing.T) {
	for _, x := range []Axis{
		{Label: "evaluations", Max: 45000},
		{Label: "column", Categories: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}},
		{Label: "steps before the latest", Max: 20}, {Label: "age", Min: 1, Max: 70, Log: true}, {Label: "goal 1 (f_{1})", Max: 10},
	} {
		p := &Plane{Name: "p", Heading: "Chart", Axes: func() (Axis, Axis) { return x, Axis{Label: "cost", Max: 1} }}
		for width := vg.Length(200); width <= 340; width += 20 {
			f := brush.Frame{Width: width, Height: 180, Theme: brush.Light, Detail: brush.Mini}
			actions := drawn(p, f)
			texts := drawtest.Texts(actions)
			l := p.layout(f)
			for _, k := range l.axes.xTicks {
				// Tick labels may be omitted because they are close to their neighbours, but never because of the
				// axis's name.
				if at := l.x.At(k.Value); k.Label != "" && at+40 > l.data.Max.X && x.Categories == nil && !slices.Contains(texts, k.Label) {
					t.Errorf("%s, %v wide: there is no tick %s", x.Label, width, k.Label)
				}
			}
			var name *recorder.FillString
			for _, a := range actions {
				if w, is := a.(*recorder.FillString); is && w.String == x.Label {
					name = w
				}
			}
			for _, a := range actions {
				w, is := a.(*recorder.FillString)
				if !is || w == name || name == nil || w.Point.Y != name.Point.Y {
					continue
				}
				if right := w.Point.X + brush.Text.Width(w.String, font.From(brush.Sans, brush.SmallText)); right > name.Point.X && w.Point.X <
					name.Point.X+brush.Text.Width(name.String, font.From(brush.Sans, brush.SmallText)) {
					t.Errorf("%s, %v wide: %q overlaps the name", x.Label, width, w.String)
				}
			}
		}
	}
}

// TestBriefCategories checks that a small chart shows the brief names of categories, if they exist, and that a large
// chart shows the full names.
func TestBriefCategories(t *testing.T) {
	x := Axis{Label: "age", Categories: []string{"1 (8, 6.3 ms)", "2 (4.5, 4.9 ms)"}, Brief: []string{"1", "2"}}
	p := &Plane{Name: "p", Heading: "Chart", Axes: func() (Axis, Axis) { return x, Axis{Label: "harm", Max: 1} }}
	for detail, names := range map[brush.Detail][]string{brush.Full: x.Categories, brush.Mini: x.Brief} {
		texts := drawtest.Texts(drawn(p, brush.Frame{Width: 340, Height: 200, Theme: brush.Light, Detail: detail}))
		for _, name := range names {
			if !slices.Contains(texts, name) {
				t.Errorf("detail %d: there is no %q among %q", detail, name, texts)
			}
		}
	}
}
