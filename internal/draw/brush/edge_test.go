package brush

import (
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// TestOutward checks a point above the picture. Its Edge must be on the picture's upper edge. The arrow must end there,
// and the marker must be behind the arrow. A point in the picture must have no arrow.
func TestOutward(t *testing.T) {
	var record recorder.Canvas
	area := vg.Rectangle{Max: vg.Point{X: 100, Y: 50}}
	b := &Brush{Canvas: draw.Canvas{Canvas: &record, Rectangle: area}, Theme: Light, Store: &Store{},
		X: NewScale(0, 1, false, 0, 100), Y: NewScale(0, 1, false, 0, 50)}
	if at := b.Edge(0.5, 4); at != (vg.Point{X: 50, Y: 50}) {
		t.Errorf("got edge %v", at)
	}
	if behind := b.Outward(0.5, 4, 0, Light.Ink); behind.X != 50 || behind.Y >= 50-8 || behind.Y < 50-16 || len(record.Actions) == 0 {
		t.Errorf("got the marker at %v, after %d strokes", behind, len(record.Actions))
	}
	record.Actions = nil
	if behind := b.Outward(0.5, 0.5, 0, Light.Ink); behind != (vg.Point{X: 50, Y: 25}) || len(record.Actions) != 0 {
		t.Errorf("a point inside: got the marker at %v, after %d strokes", behind, len(record.Actions))
	}
}
