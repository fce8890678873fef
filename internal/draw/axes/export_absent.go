//go:build js && !picture

package axes

import (
	"errors"
	"io"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
)

// errNoPictures is what the page's first program answers: the back-ends for files are a tenth of its
// bytes, so that the program in wasm/picture has them, which is built with the tag picture.
var errNoPictures = errors.New("this program shows pictures and writes none: the second program does (wasm/picture)")

// WritePNG returns an error: this program writes no pictures.
func WritePNG(io.Writer, vg.Length, vg.Length, float64, *brush.Theme, []Placed) error {
	return errNoPictures
}

// WritePNG returns an error, as the other two do.
func (f *Figure) WritePNG(io.Writer) error { return errNoPictures }

// HeightOnPaper is 0: this program writes no pictures.
func (f *Figure) HeightOnPaper() float64 { return 0 }

// WriteSVG returns an error: this program writes no pictures.
func (f *Figure) WriteSVG(io.Writer) error { return errNoPictures }

// WritePDF returns an error: this program writes no pictures.
func (f *Figure) WritePDF(io.Writer) error { return errNoPictures }
