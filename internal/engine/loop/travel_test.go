package loop

import (
	"testing"
	"time"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// TestTravels checks that a visible axis moves to its new range in steps, together with its ticks. The axis must jump if the
// visitor wants no motion or if a different axis replaces it.
func TestTravels(t *testing.T) {
	y := axes.Axis{Label: "loss", Max: 1}
	plane := &axes.Plane{Name: "p", Axes: func() (axes.Axis, axes.Axis) {
		return axes.Axis{Label: "rule", Max: 1, Categories: []string{"a", "b"}}, y
	}}
	placed := []axes.Placed{{Panel: plane}}
	start := time.Unix(0, 0)
	var on travels
	show := func(after time.Duration, still bool) float64 {
		on.show(placed, start.Add(after), still)
		_, shown := plane.Shown()
		return shown.Max
	}
	if got := show(0, false); got != 1 || on.under() {
		t.Fatalf("before any change: axis ends at %g", got)
	}
	y.Max = 4
	last := 0.0
	for after := time.Second; after <= time.Second+travelTime; after += travelTime / 10 {
		got := show(after, false)
		if got < 1 || got > 4 || got < last {
			t.Errorf("after %v the axis ends at %g, before at %g", after-time.Second, got, last)
		}
		if moving := after < time.Second+travelTime; on.under() != moving {
			t.Errorf("after %v: moving is %t", after-time.Second, !moving)
		}
		last = got
	}
	if last != 4 {
		t.Errorf("after the move: axis ends at %g", last)
	}
	y.Max = 2
	if got := show(2*time.Second, true); got != 2 || on.under() {
		t.Errorf("without motion: axis ends at %g", got)
	}
	y = axes.Axis{Label: "accuracy", Max: 8}
	if got := show(3*time.Second, false); got != 8 || on.under() {
		t.Errorf("after a change of axis: axis ends at %g", got)
	}
	y.Max = 1
	show(4*time.Second, false)
	on.show(nil, start, false) // another scene
	if _, shown := plane.Shown(); shown.Max != 1 {
		t.Errorf("off the screen: axis ends at %g", shown.Max)
	}
}

// shown is a model that shows one plane.
type shown struct{ plane *axes.Plane }

func (shown) Advance(float64, func() bool) error           { return nil }
func (shown) Playing() bool                                { return false }
func (shown) Version() uint64                              { return 1 }
func (shown) Pictures() uint64                             { return 1 }
func (shown) Tooltip() (p axes.Pick, at vg.Point, ok bool) { return p, at, false }
func (m shown) View() (placed []axes.Placed, theme *brush.Theme, touch, still bool) {
	return []axes.Placed{{Panel: m.plane}}, brush.Light, false, false
}

// TestTravelsWantFrames checks that a display continues to draw while axes move, even if the model does not change.
func TestTravelsWantFrames(t *testing.T) {
	end := 1.
	m := shown{&axes.Plane{Name: "p", Axes: func() (axes.Axis, axes.Axis) { return axes.Axis{Max: end}, axes.Axis{Max: 1} }}}
	l := New(m, Listener{Updated: func() {}, Drawn: func() {}})
	frame := func() {
		l.Update()
		l.Begin()
		l.View()
		l.End()
	}
	if frame(); l.Stale() {
		t.Error("a frame is requested although nothing moves")
	}
	end = 2
	if frame(); !l.Stale() || !l.Update() {
		t.Error("no frame is requested while an axis moves")
	}
	l.travels.of[m.plane].began = time.Now().Add(-2 * travelTime)
	if frame(); l.Stale() {
		t.Error("a frame is requested after the axis has arrived")
	}
}
