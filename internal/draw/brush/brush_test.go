package brush

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/drawtest"
)

// axisRange is the range of a test's axis.
type axisRange struct {
	Min, Max float64
	Log      bool
}

// painted returns a brush on the given axes, and a canvas that has recorded the drawing calls of the function draws.
func painted(x, y axisRange, draws func(b *Brush)) (*Brush, *recorder.Canvas) {
	var rec recorder.Canvas
	area := vg.Rectangle{Min: vg.Point{X: 50, Y: 40}, Max: vg.Point{X: 390, Y: 260}}
	b := &Brush{
		Canvas: draw.Canvas{Canvas: &rec, Rectangle: area}, Theme: Light, Frame: Frame{Width: 400, Height: 300, Theme: Light}, Store: new(Store),
		X: NewScale(x.Min, x.Max, x.Log, area.Min.X, area.Max.X), Y: NewScale(y.Min, y.Max, y.Log, area.Min.Y, area.Max.Y),
	}
	draws(b)
	return b, &rec
}

func TestLineIsThinned(t *testing.T) {
	const n = 5000
	at := func(i int) (float64, float64) {
		u := float64(i) / (n - 1)
		return u, 0.5 + 0.3*math.Sin(20*u)
	}
	b, rec := painted(axisRange{Max: 1}, axisRange{Max: 1}, func(b *Brush) { b.Line(n, at, Stroke{Color: b.Theme.Ink, Width: 1}) })
	lines := drawtest.Strokes(rec.Actions)
	if len(lines) != 1 {
		t.Fatalf("%d lines, want 1", len(lines))
	}
	line := lines[0]
	if len(line) > n/3 {
		t.Errorf("kept %d of %d points", len(line), n)
	}
	for i := 1; i < len(line)-1; i++ {
		if d := math.Hypot(float64(line[i].X-line[i-1].X), float64(line[i].Y-line[i-1].Y)); d < Resolution-1e-9 {
			t.Fatalf("points %v and %v are %.3f apart", line[i-1], line[i], d)
		}
	}
	if line[0] != b.At(at(0)) || line[len(line)-1] != b.At(at(n-1)) {
		t.Error("the ends moved")
	}
}

func TestLineIsClipped(t *testing.T) {
	// The line crosses the box, leaves on the right, and returns from above.
	xs := []float64{-1, 2, 0.5, 0.5}
	ys := []float64{0.5, 0.5, 3, 0.2}
	b, rec := painted(axisRange{Max: 1}, axisRange{Max: 1}, func(b *Brush) {
		b.Line(4, func(i int) (float64, float64) { return xs[i], ys[i] }, Stroke{Color: b.Theme.Ink, Width: 1})
	})
	lines := drawtest.Strokes(rec.Actions)
	if len(lines) != 2 {
		t.Fatalf("%d pieces, want 2: %v", len(lines), lines)
	}
	for _, line := range lines {
		for _, q := range line {
			if !drawtest.Within(b.Canvas.Rectangle, q) {
				t.Errorf("%v is outside %v", q, b.Canvas.Rectangle)
			}
		}
	}
	if d := lines[0][1].X - lines[0][0].X; math.Abs(float64(d-b.Canvas.Rectangle.Size().X)) > 1e-6 {
		t.Errorf("the first piece is %v wide, the axes %v", d, b.Canvas.Rectangle.Size().X)
	}
	if d := lines[1][1].Y - lines[1][0].Y; math.Abs(float64(d+0.8*b.Canvas.Rectangle.Size().Y)) > 1e-6 {
		t.Errorf("the second piece goes down %v of %v", -d, b.Canvas.Rectangle.Size().Y)
	}
}

// TestFarLineIsClipped checks that even lines from far away, for which sums lose precision, stay inside the data area.
func TestFarLineIsClipped(t *testing.T) {
	b, rec := painted(axisRange{Max: 1}, axisRange{Max: 1}, func(b *Brush) {
		for _, far := range []float64{1e8, 1e16, 1e80, 1e150} {
			b.Line(4, func(i int) (float64, float64) {
				return []float64{0.3, far, -0.7 * far, 0.5}[i], []float64{0.2, 0.6 * far, -far, 0.9}[i]
			}, Stroke{Color: b.Theme.Ink, Width: 1})
		}
	})
	lines := drawtest.Strokes(rec.Actions)
	if len(lines) == 0 {
		t.Fatal("nothing is drawn")
	}
	for _, line := range lines {
		for _, q := range line {
			if q.X < b.Canvas.Rectangle.Min.X || q.X > b.Canvas.Rectangle.Max.X || q.Y < b.Canvas.Rectangle.Min.Y || q.Y > b.Canvas.Rectangle.Max.Y {
				t.Errorf("%v is outside %v", q, b.Canvas.Rectangle)
			}
		}
	}
}

func TestLineBreaksAtNaN(t *testing.T) {
	y := []float64{0.1, 0.2, math.NaN(), 0.4, math.Inf(1), 0.6, 0.7, 0.8}
	_, rec := painted(axisRange{Max: 7}, axisRange{Max: 1}, func(b *Brush) {
		b.Line(len(y), func(i int) (float64, float64) { return float64(i), y[i] }, Stroke{Color: b.Theme.Ink, Width: 1})
	})
	var lengths []int
	for _, l := range drawtest.Strokes(rec.Actions) {
		lengths = append(lengths, len(l))
	}
	if !slices.Equal(lengths, []int{2, 3}) {
		t.Errorf("pieces of %v points, want [2 3]", lengths)
	}
}

func TestContourOfACircle(t *testing.T) {
	b, rec := painted(axisRange{Min: -1, Max: 1}, axisRange{Min: -1, Max: 1}, func(b *Brush) {
		b.Contours(41, 41, math.Hypot, []float64{0.5, 1.2}, Stroke{Color: b.Theme.Ink, Width: 1})
	})
	lines := drawtest.Strokes(rec.Actions)
	if len(lines) != 5 { // a loop and four corners
		t.Fatalf("%d lines, want 5", len(lines))
	}
	for i, line := range lines {
		want := 1.2
		if i == 0 {
			want = 0.5
			if line[0] != line[len(line)-1] {
				t.Error("the circle is not closed")
			}
		}
		for _, q := range line {
			if x, y := b.World(q); math.Abs(math.Hypot(x, y)-want) > 2e-3 {
				t.Fatalf("line %d passes %v, %v", i, x, y)
			}
			if !drawtest.Within(b.Canvas.Rectangle, q) {
				t.Fatalf("%v is outside", q)
			}
		}
	}
}

func TestContourOfASaddle(t *testing.T) {
	// The curves x·y = ±0.1 have two branches for each sign, which never touch the axes.
	_, rec := painted(axisRange{Min: -1, Max: 1}, axisRange{Min: -1, Max: 1}, func(b *Brush) {
		b.Contours(30, 30, func(x, y float64) float64 { return x * y }, []float64{-0.1, 0.1}, Stroke{Color: b.Theme.Ink, Width: 1})
	})
	if lines := drawtest.Strokes(rec.Actions); len(lines) != 4 {
		t.Errorf("%d branches, want 4", len(lines))
	}
}

func TestFieldIsTheRightWayUp(t *testing.T) {
	b, rec := painted(axisRange{Max: 1}, axisRange{Min: 1, Max: 100, Log: true}, func(b *Brush) {
		b.Field(4, 2, func(x, y float64) float64 {
			if x < 0.25 && y < 10 {
				return math.NaN()
			}
			return y
		}, 1, 100)
	})
	for _, a := range rec.Actions {
		d, ok := a.(*recorder.DrawImage)
		if !ok {
			continue
		}
		if d.Rectangle != b.Canvas.Rectangle {
			t.Errorf("field on %v, axes on %v", d.Rectangle, b.Canvas.Rectangle)
		}
		img := d.Image.(*image.RGBA)
		if top, want := img.RGBAAt(1, 0), color.RGBA(Light.Field((math.Pow(10, 1.5)-1)/99)); top != want {
			t.Errorf("top %v, want %v", top, want)
		}
		if img.RGBAAt(0, 1).A != 0 || img.RGBAAt(0, 0).A == 0 {
			t.Error("NaN is not blank at the lower left only")
		}
		return
	}
	t.Error("no image")
}

func TestArrowHeadKeepsItsSize(t *testing.T) {
	_, rec := painted(axisRange{Max: 1}, axisRange{Max: 1}, func(b *Brush) {
		for _, y := range []float64{0.3, 0.9} {
			b.Arrow(0.1, 0.1, 0.1, y, Stroke{Color: b.Theme.Ink, Width: 2})
		}
		b.Arrow(0.5, 0.5, 0.5, 2, Stroke{Color: b.Theme.Ink, Width: 2})
	})
	var heights []float64
	for _, a := range rec.Actions {
		if f, ok := a.(*recorder.Fill); ok {
			heights = append(heights, float64(f.Path[0].Pos.Y-f.Path[1].Pos.Y))
		}
	}
	if len(heights) != 2 || math.Abs(heights[0]-10) > 1e-9 || math.Abs(heights[1]-10) > 1e-9 {
		t.Errorf("heads of %v, want two of 10: the third arrow's tip lies outside", heights)
	}
}

// TestOptima checks that a Pareto set is drawn as a wide line in the colour of optimal points.
func TestOptima(t *testing.T) {
	_, rec := painted(axisRange{Max: 1}, axisRange{Max: 1}, func(b *Brush) {
		b.Optima(2, func(i int) (float64, float64) { return float64(i), float64(i) })
	})
	if lines := drawtest.Strokes(rec.Actions); len(lines) != 1 || len(lines[0]) != 2 || rec.Actions[1].Call() != "SetLineWidth(9)" {
		t.Errorf("lines %v", lines)
	}
}

// TestNumbered checks that a numbered marker is a disc with its number in black or white. In a thumbnail, it must be a
// plain disc.
func TestNumbered(t *testing.T) {
	for _, c := range []struct {
		detail Detail
		texts  int
	}{{Full, 1}, {Mini, 1}, {Thumbnail, 0}} {
		var r recorder.Canvas
		b := &Brush{Canvas: draw.NewCanvas(&r, 100, 100), Theme: Light, Frame: Frame{Width: 100, Height: 100, Theme: Light, Detail: c.detail},
			X: NewScale(0, 1, false, 0, 100), Y: NewScale(0, 1, false, 0, 100), Store: new(Store)}
		b.Marker(0.5, 0.5, Numbered(12), 3, Light.Ink, true)
		texts := 0
		for _, a := range r.Actions {
			if s, is := a.(*recorder.FillString); is {
				if texts++; s.String != "12" {
					t.Errorf("got marker text %q", s.String)
				}
			}
		}
		if texts != c.texts {
			t.Errorf("detail %d: got %d texts, want %d", c.detail, texts, c.texts)
		}
	}
}
