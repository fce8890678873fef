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
			t.Fatal("an arc is left")
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
