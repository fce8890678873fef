package stage

import (
	"image/color"
	"math"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
)

// TestStamps checks that each of a cloud's many points takes four vertices, wherever it is, and that points of another
// size or kind are counted separately.
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
		t.Error("a large outline is stamped")
	}
	kept := len(c.atlas.stamps)
	if most := 6 * subpixels * subpixels; kept > most {
		t.Errorf("%d stamps, want at most %d", kept, most)
	}
	c.atlas.reset() // as if the atlas were full
	if n := cloud(brush.Circle, 2.5); n != 4 {
		t.Error("after a reset of the atlas, outlines are not stamped")
	}
}

// TestStampsCoverTheirShape checks that a stamp's opacities add up to the area of its outline or stroke.
func TestStampsCoverTheirShape(t *testing.T) {
	square := []point{{0, 0}, {5, 0}, {5, 5}, {0, 5}}
	for _, test := range []struct {
		width float32
		want  float64
	}{{0, 25}, {2, 49 - 9 - 4*(1-math.Sqrt2/2)}} { // the stroke's corners are cut off
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

// TestSwarmInOneCall checks that thousands of marks in many colours go into one draw call, with four vertices each, at
// the right places.
func TestSwarmInOneCall(t *testing.T) {
	const size, count = 400, 3000
	c := NewCanvas()
	c.Reset(ebiten.NewImage(size, size), 2)
	marks := make([]brush.Stamp, count)
	for i := range marks {
		marks[i] = brush.Stamp{At: vg.Point{X: vg.Length(10 + i%180), Y: vg.Length(10 + i/180)}, Fill: color.NRGBA{R: uint8(i), A: 255}}
	}
	var outline vg.Path
	outline.Move(vg.Point{X: 1.5})
	outline.Arc(vg.Point{}, 1.5, 0, 2*math.Pi)
	outline.Close()
	before := c.triangles
	c.Stamps(outline, marks)
	if n := c.triangles - before; n != 2*count || c.largest != 2*count {
		t.Errorf("%d triangles, %d in the largest draw call, want %d in one", n, c.largest, 2*count)
	}
	c.Stamps(outline, marks[:1])
	v := c.batch.vertices
	if len(v) != 4 {
		t.Fatalf("%d vertices of one mark", len(v))
	}
	x, y := (v[0].DstX+v[2].DstX)/2, (v[0].DstY+v[2].DstY)/2
	if math.Abs(float64(x)-20) > 1 || math.Abs(float64(y)-(size-20)) > 1 {
		t.Errorf("a mark at (20, %d) is drawn at (%v, %v)", size-20, x, y)
	}
	if n := testing.AllocsPerRun(10, func() { c.batch.clear(); c.Stamps(outline, marks[:1000]) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
