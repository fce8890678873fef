package clip

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"testing"
)

// TestMaker checks that fixed colours stay exact, that other colours become the nearest colour in the palette, and that
// unchanged parts are not repeated.
func TestMaker(t *testing.T) {
	red, paper := color.RGBA{200, 30, 10, 255}, color.RGBA{255, 255, 255, 255}
	frame := func(x int, c color.RGBA) *image.RGBA {
		p := image.NewRGBA(image.Rect(0, 0, 40, 20))
		for i := range 40 * 20 {
			p.SetRGBA(i%40, i/40, paper)
		}
		p.SetRGBA(x, 5, c)
		return p
	}
	m := NewMaker([]color.Color{paper, red, red}, frame(0, color.RGBA{0, 0, 90, 255}))
	for i := range 3 {
		if err := m.Add(frame(i, red), 4); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Add(frame(9, color.RGBA{2, 1, 80, 255}), 4); err != nil {
		t.Fatal(err)
	}
	if err := m.Add(image.NewRGBA(image.Rect(0, 0, 3, 3)), 4); err == nil {
		t.Error("a picture of another size is accepted")
	}
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	film, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil || len(film.Image) != 4 {
		t.Fatalf("got error %v, %d pictures", err, len(film.Image))
	}
	if got := Colour(film.Image[0], 0, 5); got != red {
		t.Errorf("got fixed colour %v", got)
	}
	if got := film.Image[1].Bounds(); got != image.Rect(0, 5, 2, 6) {
		t.Errorf("second picture: got %v", got)
	}
	if got := Colour(film.Image[3], 9, 5); got != (color.RGBA{0, 0, 90, 255}) {
		t.Errorf("unknown colour: got %v", got)
	}
}
