package loop

import (
	"testing"
	"time"

	"paretoplay/internal/draw/axes"
)

// TestTravels: an axis that changes on the screen goes to its new range through all between, and its old ticks with it; for who wants
// no motion, and where it becomes another axis, it is there at once.
func TestTravels(t *testing.T) {
	y := axes.Axis{Label: "loss", Max: 1}
	plane := &axes.Plane{Name: "p", Axes: func() (axes.Axis, axes.Axis) { return axes.Axis{Label: "k", Max: 10}, y }}
	placed := []axes.Placed{{Panel: plane}}
	start := time.Unix(0, 0)
	var on travels
	show := func(after time.Duration, still bool) float64 {
		on.show(placed, start.Add(after), still)
		_, shown := plane.Shown()
		return shown.Max
	}
	if got := show(0, false); got != 1 || on.under() {
		t.Fatalf("at first the axis ends at %g", got)
	}
	y.Max = 4
	last := 0.0
	for after := time.Second; after <= time.Second+travelTime; after += travelTime / 10 {
		got := show(after, false)
		if got < 1 || got > 4 || got < last {
			t.Errorf("after %v the axis ends at %g, before at %g", after-time.Second, got, last)
		}
		if moving := after < time.Second+travelTime; on.under() != moving {
			t.Errorf("after %v it is on its way: %t", after-time.Second, !moving)
		}
		last = got
	}
	if last != 4 {
		t.Errorf("the axis comes to end at %g", last)
	}
	y.Max = 2
	if got := show(2*time.Second, true); got != 2 || on.under() {
		t.Errorf("without motion the axis ends at %g", got)
	}
	y = axes.Axis{Label: "accuracy", Max: 8}
	if got := show(3*time.Second, false); got != 8 || on.under() {
		t.Errorf("another axis ends at %g", got)
	}
	y.Max = 1
	show(4*time.Second, false)
	on.show(nil, start, false) // another scene
	if _, shown := plane.Shown(); shown.Max != 1 {
		t.Errorf("off the screen the axis ends at %g", shown.Max)
	}
}
