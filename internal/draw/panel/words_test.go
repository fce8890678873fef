package panel

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg/recorder"
)

// TestWords: what a panel says stands in lines that fit, in order, as far as there is room.
func TestWords(t *testing.T) {
	const text = "Signs decide nothing here: the next order is drawn when this epoch ends."
	p := &Plane{Name: "words", Heading: "Words", Bare: true, Axes: func() (x, y Axis) { return Axis{Max: 1}, Axis{Max: 1} },
		Sheets: func() []Sheet { return []Sheet{{Draw: func(b *Brush) { b.Words(text) }}} }}
	for _, f := range []Frame{{Width: 900, Height: 500, Theme: Light}, {Width: 180, Height: 120, Theme: Dark, Detail: Mini}} {
		lines := texts(p, f)[1:]
		if got := strings.Join(lines, " "); got != text {
			t.Errorf("at a width of %v it says %q", f.Width, got)
		}
		for _, line := range lines {
			if w := handler.width(line, font.From(sans, LabelText)); w > f.Width {
				t.Errorf("%q is %v wide, on %v", line, w, f.Width)
			}
		}
	}
	if lines := texts(p, Frame{Width: 180, Height: 60, Theme: Light}); len(lines) > 4 {
		t.Errorf("on a low panel it says %q", lines)
	}
	if lines := texts(p, Frame{Width: 180, Height: 120, Theme: Light, Detail: Thumbnail}); len(lines) != 0 {
		t.Errorf("a thumbnail says %q", lines)
	}
	got := wrapped("extraordinarily wide", font.From(sans, LabelText), 40)
	if !slices.Equal(got[1:], []string{"wide"}) || !strings.HasSuffix(got[0], "…") {
		t.Errorf("a wide word is broken into %q", got)
	}
}

// TestFootnote: a remark stands in the lower left corner, one line below the other.
func TestFootnote(t *testing.T) {
	p := &Plane{Name: "words", Heading: "Words", Bare: true, Axes: func() (x, y Axis) { return Axis{Max: 1}, Axis{Max: 1} },
		Sheets: func() []Sheet {
			return []Sheet{{Draw: func(b *Brush) { b.Footnote(strings.Repeat("The slope cannot be seen yet. ", 6)) }}}
		}}
	f := Frame{Width: 374, Height: 330, Theme: Light}
	last := math.Inf(1)
	for _, a := range drawn(p, f) {
		if w, ok := a.(*recorder.FillString); ok && w.String != "Words" {
			right := float64(w.Point.X + handler.width(w.String, font.From(sans, SmallText)))
			if y := float64(w.Point.Y); y > last-float64(SmallText) || y < 0 || right > 0.7*float64(f.Width) {
				t.Errorf("%q is at %v, to %v, below %v", w.String, w.Point, right, last)
			}
			last = float64(w.Point.Y)
		}
	}
	if len(texts(p, f)) < 4 {
		t.Errorf("it says %q", texts(p, f))
	}
}

// TestStretched: a unit is as long on both axes in front, and not where there is little room.
func TestStretched(t *testing.T) {
	p := &Plane{Name: "plane", Heading: "Plane", Equal: true, Stretched: true, Axes: func() (x, y Axis) { return Axis{Max: 1}, Axis{Max: 1} }}
	for _, c := range []struct {
		detail Detail
		equal  bool
	}{{Full, true}, {Mini, false}, {Thumbnail, false}} {
		l := p.layout(Frame{Width: 600, Height: 200, Theme: Light, Detail: c.detail})
		if equal := math.Abs(l.x.Factor()-l.y.Factor()) < 1e-6*l.y.Factor(); equal != c.equal {
			t.Errorf("detail %d: units of %v and %v", c.detail, l.x.Factor(), l.y.Factor())
		}
	}
}
