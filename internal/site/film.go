package site

import (
	"bytes"
	"image"
	"image/draw"
	"image/gif"

	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/files/clip"
	"paretoplay/scenes"
)

// A strip is a scene's film as one picture, with its moments stacked from top to bottom. The contents page plays it
// under the pointer. A loop is the large picture's film as an animated GIF.
const (
	stripMoments = 8
	stripColours = 64
	loopMoments  = 32
	loopWidth    = 576
	loopHeight   = 360
	loopColours  = 32
	loopDelay    = 15  // for each moment, in hundredths of a second
	loopRest     = 200 // for the last moment, in hundredths of a second
)

func stripName(scene, theme string) string { return "thumbs/" + scene + "-strip-" + theme + ".png" }

func loopName(theme string) string { return "thumbs/tradeoff-" + theme + ".gif" }

// drawStrips draws a scene's strip in every theme.
func drawStrips(id string) ([][]byte, error) {
	return films(id, "", stripMoments, thumbWidth, thumbHeight, strip)
}

// drawLoops draws the large picture's film in every theme.
func drawLoops() ([][]byte, error) {
	return films(tradeoffScene, tradeoffPanel, loopMoments, loopWidth, loopHeight, loop)
}

func films(id, shown string, moments int, width, height float64, join func(moments [][]byte) ([]byte, error)) ([][]byte, error) {
	films, err := files.Film(scenes.All, id, shown, moments, themes, width, height, 1)
	if err != nil {
		return nil, err
	}
	var files [][]byte
	for _, film := range films {
		file, err := join(film)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// strip stacks pictures of the same size.
func strip(moments [][]byte) ([]byte, error) {
	pictures, err := reduced(moments, stripColours)
	if err != nil {
		return nil, err
	}
	size := pictures[0].Bounds().Size()
	all := image.NewPaletted(image.Rect(0, 0, size.X, size.Y*len(pictures)), pictures[0].Palette)
	for i, picture := range pictures {
		draw.Draw(all, picture.Bounds().Add(image.Pt(0, i*size.Y)), picture, image.Point{}, draw.Src)
	}
	return packed(all)
}

// loop returns an endlessly repeating GIF of pictures of the same size. After the first picture, it stores only the
// parts that change.
func loop(moments [][]byte) ([]byte, error) {
	pictures, err := reduced(moments, loopColours)
	if err != nil {
		return nil, err
	}
	film := gif.GIF{}
	for i, picture := range pictures {
		shown := picture
		if i > 0 {
			shown = clip.Changed(pictures[i-1], picture)
		}
		delay := loopDelay
		if i == len(pictures)-1 {
			delay = loopRest
		}
		film.Image = append(film.Image, shown)
		film.Delay = append(film.Delay, delay)
		film.Disposal = append(film.Disposal, gif.DisposalNone)
	}
	var out bytes.Buffer
	err = gif.EncodeAll(&out, &film)
	return out.Bytes(), err
}
