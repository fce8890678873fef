package kinds

import (
	"fmt"
	"image/color"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/brush"
)

// TestTiles checks that all pictures are within the panel and do not overlap. The pointer must find the picture under
// it, and dots must have the colours of their numbers.
func TestTiles(t *testing.T) {
	for _, count := range []int{1, 3, 64, 256} {
		pictures := make([][]float64, count)
		for i := range pictures {
			for dot := range 8 * 12 {
				pictures[i] = append(pictures[i], float64((i+dot)%3-1))
			}
		}
		s := &Tiles{Name: "tiles", Heading: "Tiles", Rows: 8, Cols: 12, Pictures: func() [][]float64 { return pictures },
			Shade: func(t *brush.Theme, v float64) color.NRGBA { return t.Diverging(v) }, Key: func() string { return "" },
			Missing: func() string { return "" }, Lines: func(i int) []string { return []string{fmt.Sprint(i)} },
			Text: func() string { return "Tiles." }}
		p := s.Panel()
		for _, f := range []brush.Frame{
			{Width: 900, Height: 600, Theme: brush.Light}, {Width: 374, Height: 330, Theme: brush.Dark},
			{Width: 280, Height: 140, Theme: brush.Light, Detail: brush.Mini},
			{Width: 320, Height: 200, Theme: brush.Dark, Detail: brush.Thumbnail},
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
			b := p.Brush(f, nil)
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
		for _, action := range drawn(p, brush.Frame{Width: 400, Height: 300, Theme: brush.Light}) {
			if _, is := action.(*recorder.DrawImage); is {
				t.Error("got drawings of missing pictures")
			}
		}
	}
}
