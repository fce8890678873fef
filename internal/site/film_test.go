package site

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"testing"

	"paretoplay/internal/engine/files/clip"
)

// moments returns pictures of a dot that moves to the right. The last picture occurs twice.
func moments(t *testing.T) (files [][]byte) {
	t.Helper()
	for _, at := range []int{1, 5, 9, 9} {
		picture := image.NewRGBA(image.Rect(0, 0, 16, 10))
		draw.Draw(picture, picture.Bounds(), image.White, image.Point{}, draw.Src)
		picture.SetRGBA(at, 4, color.RGBA{200, 0, 0, 255})
		files = append(files, encoded(t, picture))
	}
	return files
}

// TestStrip: a strip shows its moments from top to bottom.
func TestStrip(t *testing.T) {
	files := moments(t)
	file, err := strip(files)
	if err != nil {
		t.Fatal(err)
	}
	all, err := png.Decode(bytes.NewReader(file))
	if err != nil || all.Bounds() != image.Rect(0, 0, 16, 40) {
		t.Fatalf("%v, %v", all.Bounds(), err)
	}
	for i, file := range files {
		want, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		for x, y := range clip.Dots(want) {
			if clip.Colour(all, x, y+10*i) != clip.Colour(want, x, y) {
				t.Fatalf("moment %d differs at %d, %d", i, x, y)
			}
		}
	}
}

// TestLoop: a loop shows its moments when each part is laid over the previous picture.
func TestLoop(t *testing.T) {
	files := moments(t)
	file, err := loop(files)
	if err != nil {
		t.Fatal(err)
	}
	film, err := gif.DecodeAll(bytes.NewReader(file))
	if err != nil || len(film.Image) != len(files) || film.LoopCount != 0 || film.Delay[0] != loopDelay || film.Delay[3] != loopRest {
		t.Fatalf("%d parts, %v, loops %d, %v", len(film.Image), film.Delay, film.LoopCount, err)
	}
	seen := image.NewRGBA(image.Rect(0, 0, 16, 10))
	for i, part := range film.Image {
		if i > 0 && part.Bounds().Dx() > 5 {
			t.Errorf("moment %d covers %v, more than the changes", i, part.Bounds())
		}
		draw.Draw(seen, part.Bounds(), part, part.Bounds().Min, draw.Over)
		want, err := png.Decode(bytes.NewReader(files[i]))
		if err != nil {
			t.Fatal(err)
		}
		for x, y := range clip.Dots(want) {
			if clip.Colour(seen, x, y) != clip.Colour(want, x, y) {
				t.Fatalf("moment %d differs at %d, %d: %v, want %v", i, x, y, clip.Colour(seen, x, y), clip.Colour(want, x, y))
			}
		}
	}
}
