package stage

import (
	"math"
	"testing"
)

// TestFittingRatio: a canvas of any size fits into textures and memory, in the proportions it has,
// and an ordinary one has the pixels of the display.
func TestFittingRatio(t *testing.T) {
	const side = 8192
	for _, c := range []struct{ width, height, display, want float64 }{
		{1280, 800, 1, 1},
		{1280, 800, 3, 3},
		{2560, 1440, 2, 2},
		{9000, 900, 1, side / 9000.},
		{9000, 9000, 1, 4096 / 9000.},
		{2400, 900, 4, math.Sqrt(mostPixels / (2400. * 900))},
		{1, 20000, 2, side / 20000.},
		{0, 0, 2, 2},
	} {
		got := fittingRatio(c.width, c.height, c.display, side)
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v×%v at %v: ratio %v, want %v", c.width, c.height, c.display, got, c.want)
		}
		if got > c.display || got*max(c.width, c.height) > side || got*got*c.width*c.height > mostPixels*(1+1e-12) {
			t.Errorf("%v×%v at %v: ratio %v does not fit", c.width, c.height, c.display, got)
		}
	}
	if got := fittingRatio(1280, 800, 2, 0); got != 2 {
		t.Errorf("before the largest texture is known the ratio is %v", got)
	}
}

// TestCallsAreBounded: a line of any length is drawn by calls of a bounded number of triangles,
// and all of it is.
func TestCallsAreBounded(t *testing.T) {
	var zigzag polylines
	zigzag.begin()
	for i := range 200_000 {
		zigzag.add(point{float32(i%500) + 0.5, float32(400 * (i % 2))})
	}
	c := Canvas{now: state{width: 1.5, paint: paint{0, 0, 0, 1}}}
	var triangles, largest, calls int
	full := func() {
		n := len(c.batch.indices) / 3
		triangles, largest, calls = triangles+n, max(largest, n), calls+1
		c.batch.clear()
	}
	c.strokeParts(&zigzag, full)
	full()
	const ofPiece = 42 * longestPiece // a reversal has seven rows
	if largest > mostTriangles+ofPiece {
		t.Errorf("a call has %d triangles", largest)
	}
	if least := 6 * len(zigzag.points); triangles < least || calls < triangles/(mostTriangles+ofPiece) {
		t.Errorf("%d triangles in %d calls, want at least %d", triangles, calls, least)
	}
}
