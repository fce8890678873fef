package kinds

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
)

// TestGhosts checks that ghosts are drawn in grey with their letter, and that the axes are extended to include them.
// Ghosts with other axes must not be drawn. Without ghosts, the picture must not change.
func TestGhosts(t *testing.T) {
	_, livePlane, live := restingRun(t, 60)
	_, otherPlane, other := restingRun(t, 200)
	f := brush.Frame{Width: 400, Height: 300, Theme: brush.Light}
	plain := calls(live, f)
	live.SetGhosts([]axes.Ghost{{Letter: "B", Panel: other}})
	if first, last, _, _ := live.Brush(f, nil).Bounds(); last != 200 || first != 0 {
		t.Errorf("got an axis from %v to %v", first, last)
	}
	if words := drawtest.Texts(drawn(live, f)); !slices.Contains(words, "B") {
		t.Errorf("got %q", words)
	}
	ghosts := 0
	for _, layer := range live.Layers(f) {
		if !strings.Contains(layer.Key, "ghost B") {
			continue
		}
		ghosts++
		if own := fmt.Sprint(brush.Light.Look("psmgd").Hue); slices.Contains(drawtest.Colours(layerActions(layer, f)), own) {
			t.Error("the ghost has the method’s colour")
		}
	}
	if ghosts != 1 {
		t.Errorf("got %d layers of the ghost", ghosts)
	}
	const name = "B: R = 4, now R = 32"
	live.SetGhosts([]axes.Ghost{{Letter: "B", Name: name, Panel: other}})
	if words := drawtest.Texts(drawn(live, f)); !slices.Contains(words, name) {
		t.Errorf("got %q", words)
	}
	small := f
	small.Detail = brush.Mini
	if words := drawtest.Texts(drawn(live, small)); slices.Contains(words, name) {
		t.Errorf("beside another panel: got %q", words)
	}
	other.Axes = func() (x, y axes.Axis) { return axes.Axis{Label: "seconds", Max: 9}, axes.Axis{Min: -1, Max: 1} }
	_, last, _, _ := live.Brush(f, nil).Bounds()
	if words := drawtest.Texts(drawn(live, f)); slices.Contains(words, "B") || slices.Contains(words, name) || last != 60 {
		t.Errorf("a ghost with other axes: got %q", words)
	}
	live.SetGhosts(nil)
	if calls(live, f) != plain {
		t.Error("the picture has changed")
	}

	livePlane.SetGhosts([]axes.Ghost{{Letter: "A", Panel: otherPlane}, {Letter: "D", Panel: otherPlane}})
	if words := drawtest.Texts(drawn(livePlane, f)); !slices.Contains(words, "A") || !slices.Contains(words, "D") {
		t.Errorf("got %q", words)
	}
}

// calls returns the drawing calls of a picture as text.
func calls(p axes.Panel, f brush.Frame) string {
	var b strings.Builder
	for _, a := range drawn(p, f) {
		b.WriteString(a.Call() + "\n")
	}
	return b.String()
}
