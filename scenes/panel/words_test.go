package panel

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
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
	if got := wrapped("extraordinarily wide", font.From(sans, LabelText), 40); !slices.Equal(got[1:], []string{"wide"}) || !strings.HasSuffix(got[0], "…") {
		t.Errorf("a wide word is broken into %q", got)
	}
}
