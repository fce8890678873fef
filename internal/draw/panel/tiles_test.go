package panel

import (
	"fmt"
	"image/color"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"
)

// TestTiles: all pictures lie within the panel and apart from one another, what is under the pointer is the one that is drawn
// there, and its dots have the colours of its numbers.
func TestTiles(t *testing.T) {
	for _, count := range []int{1, 3, 64, 256} {
		pictures := make([][]float64, count)
		for i := range pictures {
			for dot := range 8 * 12 {
				pictures[i] = append(pictures[i], float64((i+dot)%3-1))
			}
		}
		s := &Tiles{Name: "tiles", Heading: "Tiles", Rows: 8, Cols: 12, Pictures: func() [][]float64 { return pictures },
			Shade: func(t *Theme, v float64) color.NRGBA { return t.Diverging(v) }, Key: func() string { return "" },
			Missing: func() string { return "" }, Lines: func(i int) []string { return []string{fmt.Sprint(i)} },
			Text: func() string { return "Tiles." }}
		p := s.Panel()
		for _, f := range []Frame{
			{Width: 900, Height: 600, Theme: Light}, {Width: 374, Height: 330, Theme: Dark}, {Width: 280, Height: 140, Theme: Light, Detail: Mini},
			{Width: 320, Height: 200, Theme: Dark, Detail: Thumbnail},
		} {
			images := 0
			for _, action := range drawn(p, f) {
				draw, is := action.(*recorder.DrawImage)
				if !is {
					continue
				}
				size := draw.Image.Bounds()
				for dot := range 8 * 12 {
					x, y := (dot%12*2+1)*size.Dx()/24, (dot/12*2+1)*size.Dy()/16
					if got, want := color.NRGBAModel.Convert(draw.Image.At(x, y)), f.Theme.Diverging(pictures[images][dot]); got != want {
						t.Fatalf("%d in %v: dot %d of %d is %v, want %v", count, f.Width, dot, images, got, want)
					}
				}
				images++
			}
			if images != count {
				t.Errorf("%d pictures in %v: %d are drawn", count, f.Width, images)
			}
			b := p.brush(p.layout(f), nil)
			g := s.grid(b, count)
			for i := range count {
				at := g.place(i)
				if at.Min.X < 0 || at.Min.Y < 0 || at.Max.X > f.Width || at.Max.Y > f.Height {
					t.Errorf("%d in %v: picture %d is at %v", count, f.Width, i, at)
				}
				middle := at.Min.Add(at.Max).Scale(0.5)
				if pick, ok := p.Pick(f, middle); !ok || pick.Lines[0] != fmt.Sprint(i) {
					t.Errorf("%d in %v: at picture %d is %v", count, f.Width, i, pick)
				}
				if pick, ok := p.Pick(f, at.Max.Add(vg.Point{X: tileGap / 2, Y: -1})); ok {
					t.Errorf("%d in %v: beside picture %d is %v", count, f.Width, i, pick)
				}
			}
		}
		s.Missing = func() string { return "nothing" }
		for _, action := range drawn(p, Frame{Width: 400, Height: 300, Theme: Light}) {
			if _, is := action.(*recorder.DrawImage); is {
				t.Error("pictures are drawn that are missing")
			}
		}
	}
}

// TestDiverging: numbers of both signs are told apart, also from zero.
func TestDiverging(t *testing.T) {
	for _, theme := range []*Theme{Light, Dark} {
		if theme.Diverging(0) != theme.Paper {
			t.Errorf("%s: zero is %v", theme.Name, theme.Diverging(0))
		}
		for _, u := range []float64{1, -1} {
			if c := Contrast(theme.Diverging(u), theme.Paper); c < 2.5 {
				t.Errorf("%s: %v has the contrast %v", theme.Name, u, c)
			}
		}
		above, below := theme.Diverging(1), theme.Diverging(-1)
		if blue := func(c color.NRGBA) int { return int(c.B) - int(c.R) }; blue(above) <= 0 || blue(below) >= 0 {
			t.Errorf("%s: %v and %v are alike", theme.Name, above, below)
		}
	}
}
