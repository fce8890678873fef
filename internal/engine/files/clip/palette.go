package clip

import (
	"cmp"
	"image"
	"image/color"
	"iter"
	"slices"
)

// Dots returns an iterator over the positions of a picture's dots, row by row.
func Dots(picture image.Image) iter.Seq2[int, int] {
	bounds := picture.Bounds()
	return func(yield func(x, y int) bool) {
		for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
			for x := bounds.Min.X; x < bounds.Max.X; x++ {
				if !yield(x, y) {
					return
				}
			}
		}
	}
}

// Colour returns the colour of the dot at (x, y).
func Colour(picture image.Image, x, y int) color.RGBA {
	return color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)
}

// tint is a colour and the number of dots with that colour.
type tint struct {
	at    [3]int
	count int
}

// MedianCut returns a palette of at most the given number of colours for the counted colours, and the palette index that
// replaces each counted colour. It repeatedly splits the box with the largest squared error, at the mean of its widest
// channel.
func MedianCut(counts map[color.RGBA]int, most int) (color.Palette, map[color.RGBA]uint8) {
	all := make([]tint, 0, len(counts))
	for c, n := range counts {
		all = append(all, tint{[3]int{int(c.R), int(c.G), int(c.B)}, n})
	}
	slices.SortFunc(all, func(a, b tint) int { return slices.Compare(a.at[:], b.at[:]) }) // the result must not depend on map order
	boxes := []box{boxOf(all)}
	for len(boxes) < most {
		worst := 0
		for i, b := range boxes {
			if b.spread > boxes[worst].spread {
				worst = i
			}
		}
		b := boxes[worst]
		if b.spread == 0 {
			break // every colour already has a separate box
		}
		slices.SortStableFunc(b.tints, func(x, y tint) int { return cmp.Compare(x.at[b.widest], y.at[b.widest]) })
		cut := slices.IndexFunc(b.tints, func(t tint) bool { return float64(t.at[b.widest]) > b.mean[b.widest] })
		boxes[worst] = boxOf(b.tints[:cut])
		boxes = append(boxes, boxOf(b.tints[cut:]))
	}
	palette, index := make(color.Palette, len(boxes)), make(map[color.RGBA]uint8, len(counts))
	for i, b := range boxes {
		palette[i] = color.RGBA{uint8(b.mean[0] + 0.5), uint8(b.mean[1] + 0.5), uint8(b.mean[2] + 0.5), 255}
		for _, t := range b.tints {
			index[color.RGBA{uint8(t.at[0]), uint8(t.at[1]), uint8(t.at[2]), 255}] = uint8(i)
		}
	}
	return palette, index
}

// box is a set of colours that one palette colour replaces.
type box struct {
	tints  []tint
	mean   [3]float64
	widest int     // index of the channel with the largest squared error
	spread float64 // squared error of all channels
}

func boxOf(tints []tint) box {
	b := box{tints: tints}
	var dots float64
	for _, t := range tints {
		dots += float64(t.count)
		for i, v := range t.at {
			b.mean[i] += float64(float64(t.count) * float64(v))
		}
	}
	for i := range b.mean {
		b.mean[i] /= dots
	}
	if len(tints) == 1 {
		return b // rounding errors must not make the box appear divisible
	}
	var most float64
	for i, mean := range b.mean {
		var errors float64
		for _, t := range tints {
			errors += float64(float64(t.count) * (float64(t.at[i]) - mean) * (float64(t.at[i]) - mean))
		}
		if b.spread += errors; errors > most {
			most, b.widest = errors, i
		}
	}
	return b
}
