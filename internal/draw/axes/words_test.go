package axes

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
)

// TestWords checks that a panel writes its text in order, in lines that fit. It must omit lines for which there is no
// space.
func TestWords(t *testing.T) {
	const text = "Signs decide nothing here: the next order is drawn when this epoch ends."
	p := &Plane{Name: "words", Heading: "Words", Bare: true, Axes: func() (x, y Axis) { return Axis{Max: 1}, Axis{Max: 1} },
		Sheets: func() []Sheet { return []Sheet{{Draw: func(b *brush.Brush) { b.Words(text) }}} }}
	for _, f := range []brush.Frame{
		{Width: 900, Height: 500, Theme: brush.Light}, {Width: 180, Height: 120, Theme: brush.Dark, Detail: brush.Mini},
	} {
		lines := drawtest.Texts(drawn(p, f))[1:]
		if got := strings.Join(lines, " "); got != text {
			t.Errorf("width %v: got %q", f.Width, got)
		}
		for _, line := range lines {
			if w := brush.Text.Width(line, font.From(brush.Sans, brush.LabelText)); w > f.Width {
				t.Errorf("%q: got width %v, want at most %v", line, w, f.Width)
			}
		}
	}
	if lines := drawtest.Texts(drawn(p, brush.Frame{Width: 180, Height: 60, Theme: brush.Light})); len(lines) > 4 {
		t.Errorf("low panel: got %q", lines)
	}
	if lines := drawtest.Texts(drawn(p, brush.Frame{Width: 180, Height: 120, Theme: brush.Light, Detail: brush.Thumbnail})); len(lines) != 0 {
		t.Errorf("thumbnail: got %q", lines)
	}
	got := brush.Wrapped("extraordinarily wide", font.From(brush.Sans, brush.LabelText), 40)
	if !slices.Equal(got[1:], []string{"wide"}) || !strings.HasSuffix(got[0], "…") {
		t.Errorf("wide word: got %q", got)
	}
}

// TestFootnote checks that a footnote is in the lower left corner, with its lines one below another.
func TestFootnote(t *testing.T) {
	p := &Plane{Name: "words", Heading: "Words", Bare: true, Axes: func() (x, y Axis) { return Axis{Max: 1}, Axis{Max: 1} },
		Sheets: func() []Sheet {
			return []Sheet{{Draw: func(b *brush.Brush) { b.Footnote(strings.Repeat("The slope cannot be seen yet. ", 6)) }}}
		}}
	f := brush.Frame{Width: 374, Height: 330, Theme: brush.Light}
	last := math.Inf(1)
	for _, a := range drawn(p, f) {
		if w, ok := a.(*recorder.FillString); ok && w.String != "Words" {
			right := float64(w.Point.X + brush.Text.Width(w.String, font.From(brush.Sans, brush.SmallText)))
			if y := float64(w.Point.Y); y > last-float64(brush.SmallText) || y < 0 || right > 0.7*float64(f.Width) {
				t.Errorf("%q is at %v, to %v, below %v", w.String, w.Point, right, last)
			}
			last = float64(w.Point.Y)
		}
	}
	if len(drawtest.Texts(drawn(p, f))) < 4 {
		t.Errorf("got %q", drawtest.Texts(drawn(p, f)))
	}
}

// TestStretched checks that a unit has the same length on both axes at full detail, but not in small panels.
func TestStretched(t *testing.T) {
	p := &Plane{Name: "plane", Heading: "Plane", Equal: true, Stretched: true, Axes: func() (x, y Axis) { return Axis{Max: 1}, Axis{Max: 1} }}
	for _, c := range []struct {
		detail brush.Detail
		equal  bool
	}{{brush.Full, true}, {brush.Mini, false}, {brush.Thumbnail, false}} {
		l := p.layout(brush.Frame{Width: 600, Height: 200, Theme: brush.Light, Detail: c.detail})
		if equal := math.Abs(l.x.Factor()-l.y.Factor()) < 1e-6*l.y.Factor(); equal != c.equal {
			t.Errorf("detail %d: units of %v and %v", c.detail, l.x.Factor(), l.y.Factor())
		}
	}
}
