package stage

import (
	"image/color"
	"math"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
)

// TestStamps: the points of a cloud take four vertices each once there are many, whatever their place, and those of another size or
// kind count for themselves.
func TestStamps(t *testing.T) {
	const size = 400
	c := NewCanvas()
	c.Reset(ebiten.NewImage(size, size), 1)
	cloud := func(shape brush.Shape, radius float64) (vertices int) {
		for i := range 2 * stampedFrom {
			before := len(c.batch.vertices)
			at := vg.Point{X: vg.Length(20 + math.Mod(17.37*float64(i), size-40)), Y: vg.Length(20 + math.Mod(5.21*float64(i), size-40))}
			brush.DrawMarker(c, nil, shape, at, vg.Length(radius), color.NRGBA{R: 200, A: 100}, nil)
			vertices = len(c.batch.vertices) - before
		}
		return vertices
	}
	for _, shape := range []brush.Shape{brush.Circle, brush.Ring, brush.RingSquare} {
		for _, radius := range []float64{2.5, 3} {
			if n := cloud(shape, radius); n != 4 {
				t.Errorf("shape %v of radius %v has %d vertices", shape, radius, n)
			}
		}
	}
	if n := cloud(brush.Circle, 12); n <= 4 {
		t.Error("a large one is stamped")
	}
	kept := len(c.atlas.stamps)
	if most := 6 * subpixels * subpixels; kept > most {
		t.Errorf("%d stamps, want at most %d", kept, most)
	}
	c.atlas.reset() // as when it is full
	if n := cloud(brush.Circle, 2.5); n != 4 {
		t.Error("after a reset of the atlas they are not stamped")
	}
}

// TestStampsCoverTheirShape: the opacities of a stamp add up to the area of its outline, or of its stroke.
func TestStampsCoverTheirShape(t *testing.T) {
	square := []point{{0, 0}, {5, 0}, {5, 5}, {0, 5}}
	for _, test := range []struct {
		width float32
		want  float64
	}{{0, 25}, {2, 49 - 9 - 4*(1-math.Sqrt2/2)}} { // the corners of the stroke are cut
		o, ok := outlineOf(square, test.width)
		if !ok {
			t.Fatal("it is too large")
		}
		var s stamps
		sum := 0.0
		for _, v := range s.opacities(stampKey{o, 1, 2}).Pix {
			sum += float64(v) / math.MaxUint8
		}
		if math.Abs(sum-test.want) > 0.2 {
			t.Errorf("width %v: area %v, want %v", test.width, sum, test.want)
		}
	}
}
