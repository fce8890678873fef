package axes

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
)

// namesOn returns Names for a ten-by-ten square, and the canvas.
func namesOn(detail brush.Detail) (*Names, *recorder.Canvas) {
	p := &Plane{Name: "p", Axes: func() (Axis, Axis) { return Axis{Max: 10}, Axis{Max: 10} }}
	var rec recorder.Canvas
	return NewNames(p.brush(p.layout(brush.Frame{Width: 400, Height: 400, Theme: brush.Light, Detail: detail}), &rec)), &rec
}

// TestNamesApart checks that names at the same place are on different sides and never overlap. A name for which there
// is no space must be omitted.
func TestNamesApart(t *testing.T) {
	names, rec := namesOn(brush.Full)
	for i, text := range []string{"first", "second", "third"} {
		if put := names.Put(Name{X: 5, Y: 5, Text: text, Sides: []brush.Align{brush.RightOf, brush.LeftOf}}); put != (i < 2) {
			t.Errorf("%s has a place: %v", text, put)
		}
	}
	if texts := drawtest.Texts(rec.Actions); texts != nil {
		t.Errorf("%q are drawn before the end", texts)
	}
	for i, a := range names.taken {
		for _, b := range names.taken[:i] {
			if overlap(a.Min.X, a.Max.X, b.Min.X, b.Max.X) && overlap(a.Min.Y, a.Max.Y, b.Min.Y, b.Max.Y) {
				t.Errorf("%v and %v overlap", a, b)
			}
		}
	}
	names.Draw()
	if texts := drawtest.Texts(rec.Actions); !slices.Equal(texts, []string{"first", "second"}) {
		t.Errorf("%q are drawn", texts)
	}
}

// TestNamesKeepClear checks that names cover neither reserved areas nor the markers of points.
func TestNamesKeepClear(t *testing.T) {
	names, _ := namesOn(brush.Full)
	right := names.brush.At(5, 5)
	names.Keep(vg.Rectangle{Min: right.Sub(vg.Point{Y: 30}), Max: right.Add(vg.Point{X: 60, Y: 30})})
	names.PutPoints([]Name{{X: 5, Y: 5, Text: "a", Sides: []brush.Align{brush.RightOf, brush.LeftOf}}})
	if len(names.placed) != 1 || names.placed[0].side != brush.LeftOf {
		t.Errorf("%+v are placed, want one name on the left", names.placed)
	}
	x, y := names.brush.World(names.placed[0].at.Sub(vg.Point{X: 10}))
	if names.Put(Name{X: x, Y: y, Text: "over it", Sides: []brush.Align{brush.Centred}}) {
		t.Error("got overlapping names")
	}
}

// TestNamesOfOnePlace checks that points at nearly the same place share a name.
func TestNamesOfOnePlace(t *testing.T) {
	names, rec := namesOn(brush.Full)
	names.PutPoints([]Name{
		{X: 5, Y: 5, Text: "a", Sides: Rightward}, {X: 5.01, Y: 5, Text: "b", Sides: Upward}, {X: 8, Y: 5, Text: "c", Sides: Upward},
	})
	names.Draw()
	if texts := strings.Join(drawtest.Texts(rec.Actions), "|"); texts != "a, b|c" {
		t.Errorf("%s are drawn", texts)
	}
}

// TestNamesOfArrows checks that a name is above a flat arrow, and to the right of a steep arrow. A short arrow must have
// no name.
func TestNamesOfArrows(t *testing.T) {
	names, _ := namesOn(brush.Full)
	names.PutArrow(1, 2, 9, 3, "flat")
	names.PutArrow(5, 4, 5.5, 9, "steep")
	names.PutArrow(1, 9, 1.1, 9, "short")
	if len(names.placed) != 2 || names.placed[0].side != brush.Above || names.placed[1].side != brush.RightOf {
		t.Errorf("%+v are placed", names.placed)
	}
}

// TestNamesOfSmallPictures checks that small pictures have no names.
func TestNamesOfSmallPictures(t *testing.T) {
	for _, detail := range []brush.Detail{brush.Mini, brush.Thumbnail} {
		names, rec := namesOn(detail)
		names.PutPoints([]Name{{X: 5, Y: 5, Text: "a", Sides: Rightward}})
		names.Draw()
		if texts := drawtest.Texts(rec.Actions); texts != nil {
			t.Errorf("detail %d: %q are drawn", detail, texts)
		}
	}
}
