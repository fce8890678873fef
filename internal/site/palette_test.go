package site

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"
)

func encoded(t *testing.T, picture image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestShrunk: pictures with few colours stay unchanged. In others, every colour changes to a similar one.
func TestShrunk(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, colour := range map[string]func(x, y int) color.RGBA{
		"one colour":  func(int, int) color.RGBA { return color.RGBA{20, 23, 26, 255} },
		"256 colours": func(x, y int) color.RGBA { return color.RGBA{uint8(x % 16 * 16), uint8(y % 16 * 16), 7, 255} },
		"a gradient":  func(x, y int) color.RGBA { return color.RGBA{uint8(x), uint8(x), uint8(y / 8), 255} },
		"noise": func(int, int) color.RGBA {
			return color.RGBA{uint8(random.IntN(256)), uint8(random.IntN(256)), uint8(random.IntN(256)), 255}
		},
	} {
		picture := image.NewRGBA(image.Rect(0, 0, 256, 100))
		for x := range 256 {
			for y := range 100 {
				picture.SetRGBA(x, y, colour(x, y))
			}
		}
		file := encoded(t, picture)
		small, err := shrunk(file, 256)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, err := shrunk(file, 256)
		if err != nil || !bytes.Equal(small, again) {
			t.Errorf("%s: two calls differ", name)
		}
		decoded, err := png.Decode(bytes.NewReader(small))
		if err != nil || decoded.Bounds() != picture.Bounds() {
			t.Fatalf("%s: %v", name, err)
		}
		most := map[string]int{"one colour": 0, "256 colours": 0, "a gradient": 8, "noise": 48}[name]
		for x := range 256 {
			for y := range 100 {
				want, got := picture.RGBAAt(x, y), color.RGBAModel.Convert(decoded.At(x, y)).(color.RGBA)
				for _, d := range []int{int(want.R) - int(got.R), int(want.G) - int(got.G), int(want.B) - int(got.B)} {
					if max(d, -d) > most {
						t.Fatalf("%s: %v became %v", name, want, got)
					}
				}
			}
		}
	}
	if _, err := shrunk(encoded(t, image.NewRGBA(image.Rect(0, 0, 2, 2))), 256); err == nil {
		t.Error("a transparent picture lost its transparency without an error")
	}
	if _, err := shrunk([]byte("no picture"), 256); err == nil {
		t.Error("a file that is not a picture was accepted")
	}
}
