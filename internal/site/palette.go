package site

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"paretoplay/internal/engine/files/clip"
)

// shrunk returns an opaque PNG file with at most the given number of colours. A drawing of lines and flat areas shrinks
// to a third of the bytes or less. shrunk keeps the picture's own colours if they are few enough; otherwise a median cut
// chooses them. It does not dither: edges already blend neighbouring colours, and noise would cost bytes without hiding
// anything.
func shrunk(file []byte, most int) ([]byte, error) {
	pictures, err := reduced([][]byte{file}, most)
	if err != nil {
		return nil, err
	}
	return packed(pictures[0])
}

func packed(picture image.Image) ([]byte, error) {
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err := encoder.Encode(&out, picture)
	return out.Bytes(), err
}

// reduced decodes opaque PNG files and gives them one common palette with at most the given number of colours.
func reduced(files [][]byte, most int) ([]*image.Paletted, error) {
	var pictures []image.Image
	counts := map[color.RGBA]int{}
	for _, file := range files {
		picture, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			return nil, err
		}
		for x, y := range clip.Dots(picture) {
			c := clip.Colour(picture, x, y)
			if c.A != 255 {
				return nil, fmt.Errorf("the picture is not opaque at %d, %d", x, y)
			}
			counts[c]++
		}
		pictures = append(pictures, picture)
	}
	palette, index := clip.MedianCut(counts, most)
	out := make([]*image.Paletted, len(pictures))
	for i, picture := range pictures {
		out[i] = image.NewPaletted(picture.Bounds(), palette)
		for x, y := range clip.Dots(picture) {
			out[i].SetColorIndex(x, y, index[clip.Colour(picture, x, y)])
		}
	}
	return out, nil
}
