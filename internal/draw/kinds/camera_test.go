package kinds

import "testing"

// TestTurn checks that a camera turns by whole degrees, without limit around the axis, and up to the poles. The distance
// must not change.
func TestTurn(t *testing.T) {
	for _, c := range []struct {
		azimuth, elevation float64
		want               string
	}{
		{10.4, -3.6, "10,-4,1.25"}, {530, 95, "170,90,1.25"}, {-190.2, -400, "170,-90,1.25"}, {359.6, 0, "0,0,1.25"},
	} {
		from := Camera{-28, 20, 1.25}
		if got := from.Turn(c.azimuth, c.elevation); got.Text() != c.want || from != (Camera{-28, 20, 1.25}) {
			t.Errorf("to %v, %v: got %s, want %s", c.azimuth, c.elevation, got.Text(), c.want)
		}
	}
}
