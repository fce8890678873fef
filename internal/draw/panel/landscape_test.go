package panel

import (
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"
)

// TestLandscape: it is drawn as its field and the contours at its levels, and named in
// the legend; none draws and names nothing.
func TestLandscape(t *testing.T) {
	l := Landscape{Key: "ridge", Label: "height", Value: func(x, _ float64) float64 { return x }, Nodes: 8, High: 4, Levels: []float64{1, 3}}
	draw := func(l Landscape) (*recorder.Canvas, *Brush) {
		p := plain(Axis{Max: 4}, Axis{Max: 2}, l.Sheet().Draw)
		rec, _ := record(p, frame)
		return rec, p.brush(p.layout(frame), nil)
	}
	rec, b := draw(l)
	lines := strokes(rec)
	if len(lines) != 2 {
		t.Fatalf("%d contours", len(lines))
	}
	for i, level := range l.Levels {
		want := b.At(level, 0).X
		for _, p := range lines[i] {
			if p.X < want-0.01 || p.X > want+0.01 {
				t.Errorf("the contour of %g is at %v, want x = %v", level, p, want)
			}
		}
	}
	var field Brush = *b
	var direct recorder.Canvas
	field.Canvas.Canvas = &direct
	field.Field(l.Nodes, l.Nodes, l.Value, l.Low, l.High)
	for i, a := range direct.Actions {
		if rec.Actions[i].Call() != a.Call() {
			t.Fatalf("call %d is %s, the field's is %s", i, rec.Actions[i].Call(), a.Call())
		}
	}
	if len(direct.Actions) == 0 {
		t.Error("there is no field")
	}
	if s, e := l.Sheet(), l.Entries(); s.Key != "field ridge" || len(e) != 1 || e[0].Label != "height from 0 to 4" || !e[0].Field {
		t.Errorf("sheet %q, entries %+v", s.Key, e)
	}
	none := Landscape{Key: "none", Levels: l.Levels}
	if rec, _ := draw(none); len(rec.Actions) > 0 || none.Entries() != nil {
		t.Errorf("no landscape makes %d calls and the entries %+v", len(rec.Actions), none.Entries())
	}
}

// TestLandscapeIsKept: it is evaluated for the first picture, and again only when what its values depend
// on has changed.
func TestLandscapeIsKept(t *testing.T) {
	calls := 0
	l := Landscape{Key: "a", Nodes: 8, High: 4, Levels: []float64{1}, Value: func(x, _ float64) float64 {
		calls++
		return x
	}}
	x := Axis{Max: 4}
	p := &Plane{Name: "p", Axes: func() (Axis, Axis) { return x, Axis{Max: 2} }, Sheets: func() []Sheet { return []Sheet{l.Sheet()} }}
	const once = 2 * 8 * 8 // the field and the contours
	larger := frame
	larger.Width *= 1.5
	dark := frame
	dark.Theme = Dark
	for _, c := range []struct {
		what   string
		change func()
		frame  Frame
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
		record(p, c.frame)
		if calls != c.want {
			t.Errorf("%s evaluates it %d times, want %d", c.what, calls, c.want)
		}
	}
}

// TestOptima: a Pareto set is a wide line in the colour of what is optimal.
func TestOptima(t *testing.T) {
	p := plain(Axis{Max: 1}, Axis{Max: 1}, func(b *Brush) {
		b.Optima(2, func(i int) (float64, float64) { return float64(i), float64(i) })
	})
	if lines := recorded(p, vg.Length(9)); len(lines) != 1 || len(lines[0]) != 2 {
		t.Errorf("lines %v", lines)
	}
}
