package panel

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestHaunt: ghosts are drawn in grey with their letter, on axes that hold them; ghosts with other
// axes are not drawn, and without ghosts the picture is as before.
func TestHaunt(t *testing.T) {
	_, livePlane, live := restingRun(t, 60)
	_, otherPlane, other := restingRun(t, 200)
	f := Frame{Width: 400, Height: 300, Theme: Light}
	plain := calls(live, f)
	live.SetGhosts([]Ghost{{Letter: "B", Panel: other}})
	l := live.layout(f)
	if l.x.max != 200 || l.x.min != 0 {
		t.Errorf("the axis goes from %v to %v", l.x.min, l.x.max)
	}
	if words := texts(live, f); !slices.Contains(words, "B") {
		t.Errorf("it says %q", words)
	}
	ghosts := 0
	for _, layer := range live.Layers(f) {
		if !strings.Contains(layer.Key, "ghost B") {
			continue
		}
		ghosts++
		if own := fmt.Sprint(Light.Look("psmgd").Hue); slices.Contains(colours(layer, f), own) {
			t.Error("the ghost has the method’s colour")
		}
	}
	if ghosts != 1 {
		t.Errorf("%d layers of the ghost", ghosts)
	}
	const name = "B: R = 4, now R = 32"
	live.SetGhosts([]Ghost{{Letter: "B", Name: name, Panel: other}})
	if words := texts(live, f); !slices.Contains(words, name) {
		t.Errorf("it says %q", words)
	}
	small := f
	small.Detail = Mini
	if words := texts(live, small); slices.Contains(words, name) {
		t.Errorf("beside another panel it says %q", words)
	}
	other.Axes = func() (x, y Axis) { return Axis{Label: "seconds", Max: 9}, Axis{Min: -1, Max: 1} }
	if words := texts(live, f); slices.Contains(words, "B") || slices.Contains(words, name) || live.layout(f).x.max != 60 {
		t.Errorf("a ghost over other axes is drawn: %q", words)
	}
	live.SetGhosts(nil)
	if calls(live, f) != plain {
		t.Error("the picture is not what it was")
	}

	livePlane.SetGhosts([]Ghost{{Letter: "A", Panel: otherPlane}, {Letter: "D", Panel: otherPlane}})
	if words := texts(livePlane, f); !slices.Contains(words, "A") || !slices.Contains(words, "D") {
		t.Errorf("it says %q", words)
	}
}

// calls are the drawing calls of a picture.
func calls(p Panel, f Frame) string {
	var b strings.Builder
	for _, a := range drawn(p, f) {
		b.WriteString(a.Call() + "\n")
	}
	return b.String()
}
