package stage

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"paretoplay/internal/draw/brush"
)

// rasterise draws a batch's triangles like a graphics card: source over, at pixel centres, with interpolated colours and
// the atlas's nearest texel.
func rasterise(b *batch, a *atlas, size image.Point, paper color.Color) *image.RGBA {
	img := image.NewRGBA(image.Rectangle{Max: size})
	pixels := make([][4]float32, size.X*size.Y)
	pr, pg, pb, pa := paper.RGBA()
	for i := range pixels {
		pixels[i] = [4]float32{float32(pr) / 0xffff, float32(pg) / 0xffff, float32(pb) / 0xffff, float32(pa) / 0xffff}
	}
	for i := 0; i < len(b.indices); i += 3 {
		u, v, w := b.vertices[b.indices[i]], b.vertices[b.indices[i+1]], b.vertices[b.indices[i+2]]
		pu, pv, pw := point{u.DstX, u.DstY}, point{v.DstX, v.DstY}, point{w.DstX, w.DstY}
		area := cross(pv.sub(pu), pw.sub(pu))
		if area == 0 {
			continue
		}
		x0, x1 := int(min(pu.x, pv.x, pw.x)), int(max(pu.x, pv.x, pw.x))+1
		y0, y1 := int(min(pu.y, pv.y, pw.y)), int(max(pu.y, pv.y, pw.y))+1
		for y := max(0, y0); y < min(size.Y, y1); y++ {
			for x := max(0, x0); x < min(size.X, x1); x++ {
				// The shift keeps pixel centres off all edges in the tests. It replaces the rule that assigns a
				// pixel on a shared edge to one triangle.
				p := point{float32(x) + 0.50013, float32(y) + 0.50007}
				s, t := cross(pw.sub(pv), p.sub(pv))/area, cross(pu.sub(pw), p.sub(pw))/area
				r := 1 - s - t
				if s < 0 || t < 0 || r < 0 {
					continue
				}
				mix := func(a, b, c float32) float32 { return a*s + b*t + c*r }
				texel := a.mask.AlphaAt(int(mix(u.SrcX, v.SrcX, w.SrcX)), int(mix(u.SrcY, v.SrcY, w.SrcY))).A
				cover := float32(texel) / 0xff
				alpha := mix(u.ColorA, v.ColorA, w.ColorA) * cover
				q := &pixels[y*size.X+x]
				for k, c := range [4]float32{mix(u.ColorR, v.ColorR, w.ColorR) * cover, mix(u.ColorG, v.ColorG, w.ColorG) * cover,
					mix(u.ColorB, v.ColorB, w.ColorB) * cover, alpha} {
					q[k] = c + q[k]*(1-alpha)
				}
			}
		}
	}
	for i, q := range pixels {
		for k, c := range q {
			img.Pix[4*i+k] = uint8(max(0, min(255, c*255+0.5)))
		}
	}
	return img
}

// collected is a canvas that collects the triangles of all pieces, which would otherwise take several calls.
type collected struct {
	*Canvas
	batch batch
}

func (c *collected) collect() {
	from := uint32(len(c.batch.vertices))
	c.batch.vertices = append(c.batch.vertices, c.Canvas.batch.vertices...)
	for _, i := range c.Canvas.batch.indices {
		c.batch.indices = append(c.batch.indices, from+i)
	}
	c.Canvas.batch.clear()
}

func (c *collected) Stroke(p vg.Path) { c.Canvas.Stroke(p); c.collect() }

func (c *collected) Fill(p vg.Path) { c.Canvas.Fill(p); c.collect() }

func (c *collected) FillString(f font.Face, at vg.Point, s string) {
	c.Canvas.FillString(f, at, s)
	c.collect()
}

// distance returns the mean difference between two pictures' channels, from 0 to 1, and the largest mean difference
// over a square of 4 by 4 pixels. Both depend little on how the two rasterisers treat an edge.
func distance(a, b image.Image) (mean, worst float64) {
	size := a.Bounds().Size()
	const block = 4
	blocks := 0
	for y := 0; y+block <= size.Y; y += block {
		for x := 0; x+block <= size.X; x += block {
			var signed [3]float64
			for j := range block {
				for i := range block {
					ra, ga, ba, _ := a.At(x+i, y+j).RGBA()
					rb, gb, bb, _ := b.At(x+i, y+j).RGBA()
					for k, d := range [3]float64{float64(ra) - float64(rb), float64(ga) - float64(gb), float64(ba) - float64(bb)} {
						signed[k] += d / 0xffff / (block * block)
					}
				}
			}
			d := max(math.Abs(signed[0]), math.Abs(signed[1]), math.Abs(signed[2]))
			mean += d
			worst = max(worst, d)
			blocks++
		}
	}
	return mean / float64(blocks), worst
}

func path(points ...float64) vg.Path {
	var p vg.Path
	for i := 0; i < len(points); i += 2 {
		at := vg.Point{X: vg.Length(points[i]), Y: vg.Length(points[i+1])}
		if i == 0 {
			p.Move(at)
		} else {
			p.Line(at)
		}
	}
	return p
}

func closed(p vg.Path) vg.Path {
	p.Close()
	return p
}

func TestCanvasDrawsWhatTheExportDraws(t *testing.T) {
	const width, height = 120, 80
	fonts := font.NewCache(liberation.Collection())
	face := fonts.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, 12)
	turn := path(10, 10, 60, 12, 62, 60, 20, 70, 100, 72, 110, 20)
	var arc vg.Path
	arc.Move(vg.Point{X: 90, Y: 40})
	arc.Arc(vg.Point{X: 60, Y: 40}, 30, 0, 2*math.Pi)
	arc.Close()
	var curve vg.Path
	curve.Move(vg.Point{X: 10, Y: 10})
	curve.CubeTo(vg.Point{X: 20, Y: 90}, vg.Point{X: 80, Y: -20}, vg.Point{X: 110, Y: 70})
	curve.QuadTo(vg.Point{X: 90, Y: 10}, vg.Point{X: 50, Y: 10})
	tests := []struct {
		name        string
		mean, worst float64 // bounds of the two distances
		draw        func(c vg.Canvas)
	}{
		{"stroke", 0.005, 0.1, func(c vg.Canvas) { c.SetLineWidth(3); c.Stroke(turn) }},
		{"hairline", 0.004, 0.08, func(c vg.Canvas) { c.SetLineWidth(0.6); c.Stroke(turn) }},
		// The line closes within an edge, because vgimg leaves a notch in a corner.
		{"closed stroke", 0.005, 0.1, func(c vg.Canvas) {
			c.SetLineWidth(4)
			c.Stroke(closed(path(60, 15, 10, 10, 60, 12, 62, 60, 20, 70, 100, 72, 110, 20)))
		}},
		{"dashes", 0.006, 0.15, func(c vg.Canvas) {
			c.SetLineWidth(2)
			c.SetLineDash([]vg.Length{7, 4}, 2)
			c.Stroke(turn)
		}},
		{"circle", 0.004, 0.1, func(c vg.Canvas) { c.SetLineWidth(2); c.Stroke(arc) }},
		{"translucent circle", 0.003, 0.06, func(c vg.Canvas) {
			c.SetColor(color.NRGBA{R: 200, A: 100})
			c.SetLineWidth(2)
			c.Stroke(arc)
		}},
		{"translucent square", 0.003, 0.06, func(c vg.Canvas) {
			c.SetColor(color.NRGBA{R: 200, A: 100})
			c.SetLineWidth(6)
			c.Stroke(closed(path(55, 15, 90, 15, 90, 65, 20, 65, 20, 15))) // vgimg leaves a notch where a closed line begins in a corner
		}},
		// Most points are stamped, with an error in position of at most an eighth of a pixel. Because there are many
		// marks, the mean difference is large.
		{"cloud", 0.02, 0.15, func(c vg.Canvas) {
			c.SetColor(color.NRGBA{R: 200, A: 100})
			c.SetLineWidth(2)
			for i := range 300 {
				at := vg.Point{X: vg.Length(6 + 7.13*float64(i%15)), Y: vg.Length(5 + 3.57*float64(i/15))}
				shape := brush.Shape(i % 3)
				if i%2 == 0 {
					brush.DrawMarker(c, nil, brush.Ring, at, 2.5, color.NRGBA{R: 200, A: 100}, nil)
				} else {
					brush.DrawMarker(c, nil, shape, at, 2.5, color.NRGBA{B: 200, A: 190}, nil)
				}
			}
		}},
		{"disc", 0.003, 0.08, func(c vg.Canvas) { c.Fill(arc) }},
		{"curve", 0.004, 0.1, func(c vg.Canvas) { c.SetLineWidth(2); c.Stroke(curve) }},
		{"rectangle", 0.001, 0.01, func(c vg.Canvas) { c.Fill(closed(path(10, 10, 50, 10, 50, 30, 10, 30))) }},
		{"triangle", 0.003, 0.08, func(c vg.Canvas) { c.Fill(closed(path(10, 10, 100, 30, 40, 75))) }},
		{"notched fill", 0.003, 0.1, func(c vg.Canvas) {
			c.Fill(closed(path(10, 10, 60, 30, 110, 10, 80, 40, 110, 70, 60, 50, 10, 70, 40, 40)))
		}},
		{"translucent fill", 0.003, 0.08, func(c vg.Canvas) {
			c.SetColor(color.NRGBA{R: 200, A: 100})
			c.Fill(closed(path(10, 10, 100, 30, 40, 75)))
		}},
		{"transforms", 0.004, 0.1, func(c vg.Canvas) {
			c.Push()
			c.Translate(vg.Point{X: 60, Y: 40})
			c.Rotate(0.7)
			c.Scale(0.5, 0.8)
			c.Fill(closed(path(-40, -20, 40, -20, 40, 20, -40, 20)))
			c.Pop()
			c.Fill(closed(path(2, 2, 8, 2, 8, 8, 2, 8)))
		}},
		// Text is aligned to the pixel grid in this package, but not in vgimg.
		{"text", 0.012, 0.25, func(c vg.Canvas) { c.FillString(face, vg.Point{X: 10, Y: 30}, "Pareto front, 0.5") }},
		{"upright text", 0.012, 0.25, func(c vg.Canvas) {
			c.Push()
			c.Rotate(math.Pi / 2)
			c.FillString(face, vg.Point{X: 5, Y: -30}, "λ₁ Weights")
			c.Pop()
		}},
		{"slanted text", 0.012, 0.3, func(c vg.Canvas) {
			c.Push()
			c.Rotate(0.4)
			c.FillString(face, vg.Point{X: 15, Y: 5}, "Weights")
			c.Pop()
		}},
		{"pairs of letters", 0.012, 0.25, func(c vg.Canvas) {
			c.FillString(face, vg.Point{X: 4, Y: 20}, "T, FA 11 AV")
		}},
	}
	for _, ratio := range []float64{1, 2} {
		for _, test := range tests {
			dpi := int(72 * ratio)
			want := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))
			vg.Initialize(want)
			test.draw(brush.Kerned{Canvas: want})

			size := image.Pt(int(width*ratio), int(height*ratio))
			got := NewCanvas()
			got.Reset(ebiten.NewImage(size.X, size.Y), ratio)
			all := &collected{Canvas: got}
			test.draw(all)
			if len(all.batch.indices) == 0 {
				t.Fatalf("%s: nothing is drawn", test.name)
			}
			mean, worst := distance(rasterise(&all.batch, got.atlas, size, color.White), want.Image())
			if mean > test.mean || worst > test.worst {
				t.Errorf("%s at ratio %g differs by %.4f on average and %.3f at most; bounds are %g and %g", test.name, ratio, mean, worst,
					test.mean, test.worst)
			}
		}
	}
}
