package brush

import (
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestArcsBecomeCurves(t *testing.T) {
	centre := vg.Point{X: 3, Y: 4}
	var p vg.Path
	p.Move(vg.Point{X: 5, Y: 4})
	p.Arc(centre, 2, 0, 2*math.Pi)
	curves := 0
	for _, comp := range withoutArcs(p) {
		if comp.Type == vg.ArcComp {
			t.Fatal("got an arc")
		}
		if d := comp.Pos.Sub(centre); math.Abs(math.Hypot(float64(d.X), float64(d.Y))-2) > 1e-12 {
			t.Errorf("%v is not on the circle", comp.Pos)
		}
		if comp.Type == vg.CurveComp {
			curves++
		}
	}
	if curves != 4 {
		t.Errorf("%d curves, want 4", curves)
	}
}

// TestPatch checks that patch returns an error and changes nothing if the text has another length or does not occur the
// expected number of times.
func TestPatch(t *testing.T) {
	for _, c := range []struct {
		old, replacement string
		times            int
		want             string
	}{{"b", "x", 2, "axaxc"}, {"b", "x", 3, ""}, {"b", "xx", 2, ""}, {"bb", "xx", 1, ""}} {
		file := []byte("ababc")
		switch err := patch(file, c.old, c.replacement, c.times); {
		case c.want == "" && (err == nil || string(file) != "ababc"):
			t.Errorf("%+v: %s, %v", c, file, err)
		case c.want != "" && (err != nil || string(file) != c.want):
			t.Errorf("%+v: %s, %v", c, file, err)
		}
	}
}
