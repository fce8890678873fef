package stage

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
)

var identity = affine{a: 1, d: 1}

func TestStrokeLeavesOutPointsOnOnePixel(t *testing.T) {
	var converged []point
	for i := range 2000 {
		r := 50 * float32(math.Exp(-float64(i)/50))
		converged = append(converged, point{60 + r, 60 - r})
	}
	var b batch
	b.stroke(converged, false, false, 2, paint{0, 0, 0, 1})
	if rows := len(b.vertices) / 4; rows > 300 {
		t.Errorf("%d rows for a line of 71 pixels", rows)
	}
	last := b.vertices[len(b.vertices)-1]
	if end := (point{last.DstX, last.DstY}); end.sub(converged[len(converged)-1]).length() > 2 {
		t.Errorf("the line ends at %v, not at its last point", end)
	}
}

func TestStrokeReachesNoFurtherThanItsWidth(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	points := make([]point, 400)
	for i := range points {
		points[i] = point{random.Float32() * 100, random.Float32() * 100}
	}
	for _, closed := range []bool{false, true} {
		var b batch
		const width = 6
		b.stroke(points, closed, false, width, paint{0, 0, 0, 1})
		for _, v := range b.vertices {
			least := float32(math.Inf(1))
			for _, p := range points {
				least = min(least, p.sub(point{v.DstX, v.DstY}).length())
			}
			// A mitre at a gentle turn reaches 1/cos(30°) times half the width.
			if far := float32(width/2+0.5)*1.16 + 1e-3; least > far {
				t.Fatalf("closed=%v: a vertex is %g from the line's points, more than %g", closed, least, far)
			}
		}
		if b.indices[len(b.indices)-1] >= uint32(len(b.vertices)) {
			t.Fatal("an index is out of range")
		}
	}
}

func TestRoundStrokesCoverNothingTwice(t *testing.T) {
	circle := func(radius float64, rounds int) (points []point) {
		for i := range 24 * rounds {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / 24)
			points = append(points, point{50 + float32(radius*cos), 50 + float32(radius*sin)})
		}
		return points
	}
	dented := circle(20, 1)
	dented[3] = point{50, 50}
	for _, test := range []struct {
		name   string
		points []point
		width  float32
		want   bool
	}{
		{"ring", circle(12, 1), 1, true},
		{"twice around", circle(12, 2), 1, false},
		{"as wide as its circle", circle(3, 1), 6, false},
		{"dented", dented, 1, false},
		{"square", []point{{0, 0}, {40, 0}, {40, 40}, {0, 40}}, 1, true},
		{"the other way round", []point{{0, 40}, {40, 40}, {40, 0}, {0, 0}}, 1, true},
		{"triangle", []point{{0, 0}, {60, 0}, {30, 52}}, 1, true},
		{"as wide as its square", []point{{0, 0}, {4, 0}, {4, 4}, {0, 4}}, 4, false},
		{"a sharp corner", []point{{0, 0}, {60, 0}, {60, 10}}, 1, false},
	} {
		var b batch
		if got := b.round(test.points, test.width); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
		if !test.want {
			continue
		}
		b.stroke(test.points, true, true, test.width, paint{0, 0, 0, 1})
		var area, outline float32
		for i := 0; i < len(b.indices); i += 3 {
			p, q, r := b.vertices[b.indices[i]], b.vertices[b.indices[i+1]], b.vertices[b.indices[i+2]]
			a := cross(point{q.DstX - p.DstX, q.DstY - p.DstY}, point{r.DstX - p.DstX, r.DstY - p.DstY}) / 2
			area += max(a, -a)
		}
		for i, p := range test.points {
			outline += test.points[(i+1)%len(test.points)].sub(p).length()
		}
		if want := outline * (test.width + 1); math.Abs(float64(area-want)) > 1e-2*float64(want) {
			t.Errorf("%s: triangles of area %g for a stroke of %g", test.name, area, want)
		}
	}
}

func TestStrokeOfNothing(t *testing.T) {
	for _, points := range [][]point{nil, {{1, 1}}, {{1, 1}, {1, 1}, {1, 1}}} {
		for _, closed := range []bool{false, true} {
			var b batch
			b.stroke(points, closed, false, 2, paint{0, 0, 0, 1})
			if len(b.indices) != 0 {
				t.Errorf("%v: %d indices", points, len(b.indices))
			}
		}
	}
}

func TestFillLeavesHardOutlinesAlone(t *testing.T) {
	star := make([]point, 5)
	for i := range star {
		sin, cos := math.Sincos(4 * math.Pi * float64(i) / 5)
		star[i] = point{50 + 40*float32(cos), 50 + 40*float32(sin)}
	}
	var large []point
	for i := range 2 * maxEars {
		sin, cos := math.Sincos(math.Pi * float64(i) / maxEars)
		r := 30 + 10*float32(i%2)
		large = append(large, point{50 + r*float32(cos), 50 + r*float32(sin)})
	}
	for name, points := range map[string][]point{"star": star, "large": large} {
		var b batch
		if b.fill(points, paint{0, 0, 0, 1}) || len(b.vertices)+len(b.indices) != 0 {
			t.Errorf("%s: filled with %d vertices", name, len(b.vertices))
		}
	}
	var b batch
	if !b.fill(star[:2], paint{0, 0, 0, 1}) || len(b.indices) != 0 {
		t.Error("two points have an inside")
	}
}

func TestEarsCoverTheOutlineOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 4 + random.IntN(maxEars-4)
		points := make([]point, n)
		for i := range points { // a star-shaped outline is simple
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			r := 20 + 80*random.Float32()
			points[i] = point{100 + r*float32(cos), 100 + r*float32(sin)}
		}
		want := float32(0)
		for i, p := range points {
			want += cross(p, points[(i+1)%n]) / 2
		}
		var b batch
		for i := range points {
			b.vertex(points[i], paint{})
			b.vertex(points[i], paint{})
		}
		if !b.earClip(points, 1, 0) {
			t.Fatalf("%d points were rejected", n)
		}
		got := float32(0)
		for i := 0; i < len(b.indices); i += 3 {
			p, q, r := points[b.indices[i]/2], points[b.indices[i+1]/2], points[b.indices[i+2]/2]
			a := cross(q.sub(p), r.sub(p)) / 2
			if a < 0 {
				t.Fatal("a triangle is turned over")
			}
			got += a
		}
		if len(b.indices) != 3*(n-2) || math.Abs(float64(got-want)) > 1e-3*float64(want) {
			t.Fatalf("%d points: %d triangles of area %g, want %d of %g", n, len(b.indices)/3, got, n-2, want)
		}
	}
}

func TestCoverageHasHolesAndEdges(t *testing.T) {
	var l polylines
	p := closed(path(10, 10, 50, 10, 50, 50, 10, 50))
	p = append(p, closed(path(20, 20, 20, 40, 40, 40, 40, 20))...)
	// This point is far outside the clip and must cost nothing.
	p = append(p, closed(path(1e7, 10, 1e7, 1e7, 1e7+5, 20))...)
	l.flatten(p, identity)
	var c coverage
	mask := c.fill(&l, image.Rect(0, 0, 45, 60))
	for _, test := range []struct {
		x, y int
		want uint8
	}{{15, 15, 0xff}, {30, 30, 0}, {44, 30, 0xff}, {12, 48, 0xff}, {5, 5, 0}} {
		if got := mask.AlphaAt(test.x, test.y).A; got != test.want {
			t.Errorf("opacity at %d, %d is %d, want %d", test.x, test.y, got, test.want)
		}
	}
	if outside := c.fill(&l, image.Rect(60, 60, 90, 90)); !outside.Rect.Empty() && outside.AlphaAt(70, 70).A != 0 {
		t.Error("opaque outside of the outline")
	}
}

func TestFlattenDropsWhatIsNotFinite(t *testing.T) {
	nan := math.NaN()
	var l polylines
	l.flatten(path(0, 0, 1, 0, nan, 0, 3, 0, 4, 0, math.Inf(1), 1, 5, 5, 6, 6), identity)
	if len(l.parts) != 3 || len(l.points) != 6 {
		t.Errorf("%d parts of %d points, want 3 of 6", len(l.parts), len(l.points))
	}
}

func TestFlattenedArcsAreRound(t *testing.T) {
	for _, radius := range []float64{0.5, 3, 40, 900} {
		var p vg.Path
		p.Move(vg.Point{X: vg.Length(radius)})
		p.Arc(vg.Point{}, vg.Length(radius), 0, 2*math.Pi)
		var l polylines
		l.flatten(p, identity)
		for i := 1; i < len(l.points); i++ {
			a, b := l.points[i-1], l.points[i]
			middle := point{(a.x + b.x) / 2, (a.y + b.y) / 2}
			if sag := radius - float64(middle.length()); sag > max(1.5*flatness, radius*0.3) || sag > 0.3 {
				t.Fatalf("radius %g: a chord is %g off", radius, sag)
			}
		}
	}
}

func TestDashesHaveTheirLengths(t *testing.T) {
	tests := []struct {
		pattern []float64
		offset  float64
		want    []float64 // starts and ends of the dashes, in turn, along a line of 20 pixels
	}{
		{[]float64{5, 3}, 0, []float64{0, 5, 8, 13, 16, 20}},
		{[]float64{5, 3}, 6, []float64{2, 7, 10, 15, 18, 20}},
		{[]float64{5, 3}, -1, []float64{1, 6, 9, 14, 17, 20}},
		{[]float64{4}, 0, []float64{0, 4, 8, 12, 16, 20}},
	}
	for _, test := range tests {
		var l, dashes polylines
		// The bend in the middle of the line must not change the dashes' lengths.
		l.flatten(path(0, 0, 10, 0, 10, 10), identity)
		dashes.dash(&l, test.pattern, test.offset)
		var got []float64
		for _, p := range dashes.parts {
			for _, end := range []point{dashes.points[p.from], dashes.points[p.to-1]} {
				got = append(got, float64(end.x+end.y))
			}
		}
		if len(got) != len(test.want) {
			t.Errorf("pattern %v, offset %g: %v, want %v", test.pattern, test.offset, got, test.want)
			continue
		}
		for i := range got {
			if math.Abs(got[i]-test.want[i]) > 1e-4 {
				t.Errorf("pattern %v, offset %g: %v, want %v", test.pattern, test.offset, got, test.want)
				break
			}
		}
	}
	var l, dashes polylines
	l.flatten(path(0, 0, 1e9, 0), identity)
	dashes.dash(&l, []float64{5, 3}, 0)
	if len(dashes.points) > 10 {
		t.Errorf("%d points for a line larger than any screen", len(dashes.points))
	}
}

func TestAtlasKeepsGlyphsApartAndFillsUp(t *testing.T) {
	fonts := font.NewCache(liberation.Collection())
	a := newAtlas()
	size := font.Length(8)
	var boxes []image.Rectangle
	full := false
	for !full {
		f, ok := a.face(fonts.Lookup(font.Font{Typeface: "Liberation", Variant: "Serif"}, size), 72)
		if !ok {
			full = true
			break
		}
		for r := '!'; r < 'z' && !full; r++ {
			g, ok := a.glyph(f, r, uint8(r)%subpixels)
			if !ok {
				full = true
				break
			}
			if again, _ := a.glyph(f, r, uint8(r)%subpixels); again != g {
				t.Fatal("the same glyph is drawn twice")
			}
			boxes = append(boxes, image.Rectangle{Min: g.at, Max: g.at.Add(g.bounds.Size())})
		}
		size += 4
	}
	white := image.Rect(0, 0, 3, 3)
	for i, b := range boxes {
		if !b.In(a.mask.Rect) || b.Overlaps(white) {
			t.Fatalf("glyph %d is at %v", i, b)
		}
		for _, other := range boxes[:i] {
			if b.Overlaps(other) {
				t.Fatalf("glyphs at %v and %v overlap", b, other)
			}
		}
	}
	if len(boxes) < 500 {
		t.Errorf("full after %d glyphs", len(boxes))
	}
	a.reset()
	pix, changed := a.changed(nil)
	if changed != a.mask.Rect || len(pix) != 4*atlasSize*atlasSize {
		t.Errorf("after a reset %v is to be uploaded", changed)
	}
	if _, changed := a.changed(nil); !changed.Empty() {
		t.Errorf("%v is uploaded twice", changed)
	}
}

func TestRepeatEdges(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 4, 5))
	for y := 1; y < 4; y++ {
		for x := 1; x < 3; x++ {
			img.SetRGBA(x, y, color.RGBA{R: uint8(10*x + y), A: 0xff})
		}
	}
	repeatEdges(img)
	for y := range 5 {
		for x := range 4 {
			want := img.RGBAAt(min(max(x, 1), 2), min(max(y, 1), 3))
			if got := img.RGBAAt(x, y); got != want {
				t.Errorf("pixel %d, %d is %v, want %v", x, y, got, want)
			}
		}
	}
}
