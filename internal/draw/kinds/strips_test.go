package kinds

import (
	"fmt"
	"image"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
)

// turned returns an order of n items, rotated by the given number of places.
func turned(n, by int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = (i + by) % n
	}
	return out
}

// stripsOf returns strips with rows of n items, and an incomplete row with one place filled on the left and two on the
// right.
func stripsOf(strips, rows, n int) *Strips {
	list := make([]Strip, strips)
	for i := range list {
		strip := &list[i]
		strip.Title = fmt.Sprint("strip ", i)
		for row := range rows {
			strip.Rows, strip.Names = append(strip.Rows, turned(n, i+row)), append(strip.Names, fmt.Sprint("row ", row))
		}
		if n > 3 {
			strip.Next, strip.Left, strip.Right, strip.NextName = turned(n, 7), 1, 2, "next"
		}
	}
	return &Strips{Name: "strips", Heading: "Strips", Strips: func() []Strip { return list },
		Find: func(at StripPlace) axes.Pick { return axes.Pick{K: 1, Lines: []string{fmt.Sprint(at)}} },
		Text: func() string { return "Strips." },
	}
}

// TestStrips checks that the pointer finds the place under it in every strip and in the incomplete row, at any size.
// All places must be within the panel, and no two may overlap.
func TestStrips(t *testing.T) {
	for _, size := range [][3]int{{1, 20, 64}, {2, 20, 64}, {3, 7, 8}, {2, 20, 512}, {4, 1, 5}, {1, 1, 1}} {
		s := stripsOf(size[0], size[1], size[2])
		p := s.Panel()
		for _, f := range []brush.Frame{
			{Width: 900, Height: 600, Theme: brush.Light}, {Width: 374, Height: 330, Theme: brush.Dark},
			{Width: 280, Height: 140, Theme: brush.Light, Detail: brush.Mini},
			{Width: 320, Height: 200, Theme: brush.Dark, Detail: brush.Thumbnail},
		} {
			if len(drawn(p, f)) == 0 {
				t.Errorf("%v in %v: nothing is drawn", size, f.Width)
			}
			b := p.Brush(f, nil)
			places := s.places(b, s.Strips())
			for i, at := range places {
				if at.area.Min.X < 0 || at.area.Max.X > f.Width || at.area.Max.Y > f.Height || at.area.Min.Y < 0 || at.next.Min.Y < 0 {
					t.Errorf("%v in %v: strip %d is at %v and %v", size, f.Width, i, at.area, at.next)
				}
				for _, other := range places[:i] {
					if brush.Overlap(at.area, other.area) {
						t.Errorf("%v in %v: strips at %v and %v", size, f.Width, at.area, other.area)
					}
				}
				for _, want := range []StripPlace{{i, 0, 0}, {i, size[1] - 1, size[2] - 1}, {i, size[1], size[2] / 2}} {
					if want.Row == size[1] && s.Strips()[i].Next == nil {
						continue
					}
					cell := at.cell(want.Row, want.Column)
					pick, ok := p.Pick(f, cell.Min.Add(cell.Max).Scale(0.5))
					if !ok || pick.Lines[0] != fmt.Sprint(want) {
						t.Errorf("%v in %v: over %v is %v", size, f.Width, want, pick.Lines)
					}
				}
			}
			if _, ok := p.Pick(f, vg.Point{X: -5, Y: -5}); ok {
				t.Errorf("%v: got a pick outside", size)
			}
		}
	}
	none := stripsOf(0, 0, 0)
	if p := none.Panel(); len(drawn(p, brush.Frame{Width: 300, Height: 200, Theme: brush.Light})) == 0 {
		t.Error("got no panel without strips")
	}
}

// TestStripThings checks that Thing returns every item of a finished row and no item of an unknown row. In the
// incomplete row, it must return only items that have been placed.
func TestStripThings(t *testing.T) {
	s := stripsOf(1, 3, 8).Strips()[0]
	s.Rows[1] = nil
	for _, c := range []struct {
		row, column, thing int
		ok                 bool
	}{{0, 2, 2, true}, {2, 7, 1, true}, {1, 0, 0, false}, {3, 0, 7, true}, {3, 1, 0, false}, {3, 5, 0, false}, {3, 6, 5, true},
		{4, 0, 0, false}, {-1, 0, 0, false}} {
		if thing, ok := s.Thing(c.row, c.column); ok != c.ok || ok && thing != c.thing {
			t.Errorf("row %d, column %d: %d, %v", c.row, c.column, thing, ok)
		}
	}
}

// TestStripPicture checks that an item has the same colour everywhere, that empty places are not painted, and that large
// cells are numbered from 1.
func TestStripPicture(t *testing.T) {
	s := stripsOf(1, 2, 8)
	p, f := s.Panel(), brush.Frame{Width: 600, Height: 400, Theme: brush.Light}
	var images []image.Image
	for _, a := range drawn(p, f) {
		if i, ok := a.(*recorder.DrawImage); ok {
			images = append(images, i.Image)
		}
	}
	if len(images) != 2 { // the finished rows, and the coming one
		t.Fatalf("got %d pictures", len(images))
	}
	at := func(img image.Image, rows, row, column int) any {
		size := img.Bounds().Size()
		return img.At((2*column+1)*size.X/16, (2*row+1)*size.Y/(2*rows))
	}
	for j := range 8 {
		if a, b := at(images[0], 2, 0, j), at(images[0], 2, 1, (j+7)%8); a != b {
			t.Errorf("thing %d is %v and %v", j, a, b)
		}
		_, _, _, alpha := images[1].At((2*j+1)*images[1].Bounds().Dx()/16, 1).RGBA()
		if taken := j < 1 || j > 5; taken != (alpha != 0) {
			t.Errorf("place %d of the row to come has opacity %d", j, alpha)
		}
	}
	for _, want := range []string{"1", "8", "row 0", "next", "strip 0"} {
		if !slices.Contains(drawtest.Texts(drawn(p, f)), want) {
			t.Errorf("no text %q", want)
		}
	}
	if slices.Contains(drawtest.Texts(drawn(p, brush.Frame{Width: 150, Height: 200, Theme: brush.Light})), "8") {
		t.Error("got numbers in narrow cells")
	}
}

// TestStripMarks checks that due places and places under the pointer are framed.
func TestStripMarks(t *testing.T) {
	s := stripsOf(2, 3, 8)
	f := brush.Frame{Width: 600, Height: 400, Theme: brush.Light}
	plain := len(drawn(s.Panel(), f))
	s.Due = func(strip int) (StripPlace, bool) { return StripPlace{strip, 3, 0}, strip == 1 }
	if framed := len(drawn(s.Panel(), f)); framed <= plain {
		t.Error("a place that is due has no frame")
	}
	count := func(places []StripPlace) int {
		s.Marks = func(run string, k int) []StripPlace { return places }
		l, ok := s.Panel().Mark(f, axes.Pick{Run: "run", K: 2})
		if !ok {
			t.Fatal("got no mark")
		}
		return len(layerActions(l, f))
	}
	if one, two := count([]StripPlace{{0, 1, 1}}), count([]StripPlace{{0, 1, 1}, {1, 1, 1}}); one == 0 || two != 2*one {
		t.Errorf("got %d calls for one place, %d for two", one, two)
	}
	if none := count([]StripPlace{{5, 0, 0}, {0, 9, 0}}); none != 0 {
		t.Errorf("unknown places: got %d calls", none)
	}
}
