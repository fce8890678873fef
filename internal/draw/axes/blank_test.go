package axes

import (
	"testing"

	"paretoplay/internal/draw/brush"
)

// TestBlank checks that the blank version of a plane has only the plane's axes, and that a plane without axes has no
// blank version.
func TestBlank(t *testing.T) {
	drawn := false
	p := &Plane{Name: "objective", Heading: "Objectives",
		Axes:   func() (Axis, Axis) { return Axis{Label: "f_1", Max: 2}, Axis{Label: "f_2", Max: 3} },
		Sheets: func() []Sheet { drawn = true; return nil }, Legend: func(*brush.Theme) []Entry { return []Entry{{Label: "a"}} }}
	of, ok := Blank(p)
	blank, is := of.(*Plane)
	if !ok || !is {
		t.Fatalf("%v, %T", ok, of)
	}
	x, y := blank.Axes()
	if blank.ID() != "objective" || x.Max != 2 || y.Label != "f_2" || len(blank.Sheets()) != 0 || drawn || blank.Legend != nil {
		t.Errorf("%+v", blank)
	}
	p.Bare = true
	if _, ok := Blank(p); ok {
		t.Error("got a blank picture of a plane without axes")
	}
}
