package stage

import "testing"

// TestCallsAreBounded checks that a line of any length is drawn completely, by draw calls with a bounded number of
// triangles.
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
	c.strokeParts(&zigzag, false, full)
	full()
	const ofPiece = 42 * longestPiece // a reversal has seven rows
	if largest > maxTriangles+ofPiece {
		t.Errorf("a call has %d triangles", largest)
	}
	if least := 6 * len(zigzag.points); triangles < least || calls < triangles/(maxTriangles+ofPiece) {
		t.Errorf("%d triangles in %d calls, want at least %d", triangles, calls, least)
	}
}
