package loop

import (
	"image"
	"math"
	"testing"
	"time"
)

// TestFittingRatio checks that a canvas of any size fits into textures and memory without a change of its proportions. An ordinary
// canvas must use the display's ratio.
func TestFittingRatio(t *testing.T) {
	const side = 8192
	for _, c := range []struct{ width, height, display, want float64 }{
		{1280, 800, 1, 1},
		{1280, 800, 3, 3},
		{2560, 1440, 2, 2},
		{9000, 900, 1, side / 9000.},
		{9000, 9000, 1, 4096 / 9000.},
		{2400, 900, 4, math.Sqrt(maxPixels / (2400. * 900))},
		{1, 20000, 2, side / 20000.},
		{0, 0, 2, 2},
	} {
		got := fittingRatio(c.width, c.height, c.display, side)
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v×%v at %v: ratio %v, want %v", c.width, c.height, c.display, got, c.want)
		}
		if got > c.display || got*max(c.width, c.height) > side || got*got*c.width*c.height > maxPixels*(1+1e-12) {
			t.Errorf("%v×%v at %v: ratio %v does not fit", c.width, c.height, c.display, got)
		}
	}
	if got := fittingRatio(1280, 800, 2, 0); got != 2 {
		t.Errorf("with no limit on edges: got ratio %v", got)
	}
}

// TestBudget checks that iterations get a quarter of the time, at least leastBudget, and at most the part of
// frameBudget that drawing leaves.
func TestBudget(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct{ dt, drawing, want time.Duration }{
		{0, 0, leastBudget}, {16 * ms, 2 * ms, leastBudget}, {32 * ms, 2 * ms, 8 * ms}, {200 * ms, 2 * ms, frameBudget - 2*ms},
		{200 * ms, 60 * ms, leastBudget},
	} {
		if got := budget(c.dt, c.drawing); got != c.want {
			t.Errorf("%v after a frame that took %v to draw: got a budget of %v, want %v", c.dt, c.drawing, got, c.want)
		}
	}
}

func TestCacheIsBoundedAndFresh(t *testing.T) {
	live := map[int]bool{}
	made := 0
	c := newCache(
		func(image.Point) int { made++; live[made] = true; return made },
		func(v int) { delete(live, v) },
	)
	at := slot{"plane", 0}
	want := stamp{key: "a", theme: "light", size: image.Pt(10, 10), ratio: 1}
	if _, drawn := c.get(at, want); drawn {
		t.Error("a new picture is reported as drawn")
	}
	first, drawn := c.get(at, want)
	if !drawn {
		t.Error("a picture with the same stamp is not reported as drawn")
	}
	for name, change := range map[string]func(s *stamp){
		"key":   func(s *stamp) { s.key = "b" },
		"theme": func(s *stamp) { s.theme = "dark" },
		"ratio": func(s *stamp) { s.ratio = 2 },
		"touch": func(s *stamp) { s.touch = true },
	} {
		other := want
		change(&other)
		if v, drawn := c.get(at, other); drawn || v != first {
			t.Errorf("%s: got picture %d, drawn=%v; want the same picture, not drawn", name, v, drawn)
		}
		c.get(at, want)
	}
	bigger := want
	bigger.size = image.Pt(20, 10)
	if v, drawn := c.get(at, bigger); drawn || v == first || live[first] {
		t.Error("a picture of another size was reused")
	}
	for i := range 1000 {
		c.get(slot{"plane", i}, want)
		c.next()
		if len(live) > IdleFrames+2 || len(live) != len(c.kept) {
			t.Fatalf("%d pictures exist, %d are in the cache", len(live), len(c.kept))
		}
	}
	if got := c.bytes(); got != 400*len(c.kept) {
		t.Errorf("got %d bytes for %d pictures of 400 bytes each", got, len(c.kept))
	}
}
