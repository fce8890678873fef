package kinds

import (
	"testing"

	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
)

// TestLandscape checks that a landscape draws its field and the contours at its levels, and has a legend entry. The zero
// landscape must draw nothing and have no entry.
func TestLandscape(t *testing.T) {
	l := Landscape{Key: "ridge", Label: "height", Value: func(x, _ float64) float64 { return x }, Nodes: 8, High: 4, Levels: []float64{1, 3}}
	draw := func(l Landscape) ([]recorder.Action, *brush.Brush) {
		p := &axes.Plane{Name: "p", Axes: func() (axes.Axis, axes.Axis) { return axes.Axis{Max: 4}, axes.Axis{Max: 2} },
			Sheets: func() []axes.Sheet { return []axes.Sheet{l.Sheet()} }}
		return sheetActions(p, frame), p.Brush(frame, nil)
	}
	rec, b := draw(l)
	lines := drawtest.Strokes(rec)
	if len(lines) != 2 {
		t.Fatalf("got %d contours", len(lines))
	}
	for i, level := range l.Levels {
		want := b.At(level, 0).X
		for _, p := range lines[i] {
			if p.X < want-0.01 || p.X > want+0.01 {
				t.Errorf("the contour of %g is at %v, want x = %v", level, p, want)
			}
		}
	}
	var field brush.Brush = *b
	var direct recorder.Canvas
	field.Canvas.Canvas = &direct
	field.Field(l.Nodes, l.Nodes, l.Value, l.Low, l.High)
	for i, a := range direct.Actions {
		if rec[i].Call() != a.Call() {
			t.Fatalf("call %d is %s, the field's is %s", i, rec[i].Call(), a.Call())
		}
	}
	if len(direct.Actions) == 0 {
		t.Error("got no field")
	}
	if s, e := l.Sheet(), l.Entries(); s.Key != "field ridge" || len(e) != 1 || e[0].Label != "height from 0 to 4" || !e[0].Field {
		t.Errorf("got sheet %q, entries %+v", s.Key, e)
	}
	none := Landscape{Key: "none", Levels: l.Levels}
	if rec, _ := draw(none); len(rec) > 0 || none.Entries() != nil {
		t.Errorf("zero landscape: got %d calls and entries %+v", len(rec), none.Entries())
	}
}

// TestLandscapeIsKept checks that a landscape is evaluated for the first picture, and later only if something that its
// values depend on has changed.
func TestLandscapeIsKept(t *testing.T) {
	calls := 0
	l := Landscape{Key: "a", Nodes: 8, High: 4, Levels: []float64{1}, Value: func(x, _ float64) float64 {
		calls++
		return x
	}}
	x := axes.Axis{Max: 4}
	p := &axes.Plane{Name: "p", Axes: func() (axes.Axis, axes.Axis) { return x, axes.Axis{Max: 2} },
		Sheets: func() []axes.Sheet { return []axes.Sheet{l.Sheet()} }}
	const once = 2 * 8 * 8 // the field and the contours
	larger := frame
	larger.Width *= 1.5
	dark := frame
	dark.Theme = brush.Dark
	for _, c := range []struct {
		what   string
		change func()
		frame  brush.Frame
		want   int
	}{
		{"the first picture", func() {}, frame, once},
		{"the same again", func() {}, frame, 0},
		{"another theme", func() {}, dark, 0},
		{"a larger picture", func() {}, larger, once},
		{"another function", func() { l.Key = "b" }, larger, once},
		{"other axes", func() { x.Max = 5 }, larger, once},
	} {
		c.change()
		calls = 0
		sheetActions(p, c.frame)
		if calls != c.want {
			t.Errorf("%s: got %d evaluations, want %d", c.what, calls, c.want)
		}
	}
}
