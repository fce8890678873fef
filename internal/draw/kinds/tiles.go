package kinds

import (
	"image/color"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// Tiles is a panel of small pictures of equal size in a grid. Each picture has Rows rows and Cols columns of dots.
type Tiles struct {
	Name, Heading string
	Rows, Cols    int // size of a picture in dots
	// Pictures returns the current pictures. Each lists its dots row by row from the top.
	Pictures func() [][]float64
	// Shade returns the colour of a dot.
	Shade func(t *brush.Theme, v float64) color.NRGBA
	// Key returns a text that identifies everything that the pictures depend on, for caching. If it returns "", the
	// pictures are redrawn in every frame.
	Key func() string
	// Missing returns the reason why there are no pictures, or "" if there are pictures.
	Missing func() string
	// Lines describes the picture with a given index, from 0.
	Lines  func(tile int) []string
	Legend func(t *brush.Theme) []axes.Entry
	// Text returns a description of the panel for visitors who cannot see it.
	Text func() string
}

// Panel returns the panel with the pictures.
func (s *Tiles) Panel() *axes.Plane {
	p := &axes.Plane{Name: s.Name, Heading: s.Heading, Text: s.Text, Bare: true, Legend: s.Legend}
	p.Axes = func() (axes.Axis, axes.Axis) { return axes.Axis{Min: 0, Max: 1}, axes.Axis{Min: 0, Max: 1} }
	p.Sheets = func() []axes.Sheet {
		key := s.Key()
		if key != "" {
			key = "tiles " + s.Name + " " + key
		}
		return []axes.Sheet{{Key: key, Draw: s.draw}}
	}
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		if s.Missing() != "" {
			return axes.Pick{}, false
		}
		g := s.grid(b, len(s.Pictures()))
		for i := range g.count {
			if place := g.place(i); at.X >= place.Min.X && at.X <= place.Max.X && at.Y >= place.Min.Y && at.Y <= place.Max.Y {
				return axes.Pick{K: -1, At: at, Lines: s.Lines(i)}, true
			}
		}
		return axes.Pick{}, false
	}
	return p
}

type tileGrid struct {
	count, across int
	left, top     vg.Length
	size          vg.Point // size of a picture in the panel
}

// tileGap is the space between two pictures.
const tileGap = 4

// grid returns an arrangement of pictures in rows that makes them as large as possible.
func (s *Tiles) grid(b *brush.Brush, count int) tileGrid {
	area := b.Canvas.Size()
	g := tileGrid{count: count, across: 1, left: b.Canvas.Min.X, top: b.Canvas.Max.Y}
	best := vg.Length(0)
	for across := 1; across <= count; across++ {
		down := (count + across - 1) / across
		dot := min((area.X-vg.Length(vg.Length(across-1)*tileGap))/vg.Length(across*s.Cols),
			(area.Y-vg.Length(vg.Length(down-1)*tileGap))/vg.Length(down*s.Rows))
		if dot > best {
			best, g.across = dot, across
		}
	}
	g.size = vg.Point{X: max(best, 0.1) * vg.Length(s.Cols), Y: max(best, 0.1) * vg.Length(s.Rows)}
	return g
}

func (g *tileGrid) place(i int) vg.Rectangle {
	x := g.left + vg.Length(vg.Length(i%g.across)*(g.size.X+tileGap))
	y := g.top - vg.Length(vg.Length(i/g.across)*(g.size.Y+tileGap))
	return vg.Rectangle{Min: vg.Point{X: x, Y: y - g.size.Y}, Max: vg.Point{X: x + g.size.X, Y: y}}
}

func (s *Tiles) draw(b *brush.Brush) {
	if missing := s.Missing(); missing != "" {
		b.Words(missing)
		return
	}
	pictures := s.Pictures()
	g := s.grid(b, len(pictures))
	for i, picture := range pictures {
		b.Dots(g.place(i), s.Rows, s.Cols, func(r, c int) color.NRGBA { return s.Shade(b.Theme, picture[r*s.Cols+c]) })
	}
}
