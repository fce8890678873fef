//go:build js && !picture

package axes

import (
	"errors"
	"io"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
)

// errNoPictures is the error of the page's first program, which lacks the back-ends for files. They would be a tenth of
// the program's size. The program in wasm/picture, built with the tag picture, has them.
var errNoPictures = errors.New("this program only shows pictures; the second program (wasm/picture) writes them")

// WritePNG returns an error, because this program cannot write pictures.
func WritePNG(io.Writer, vg.Length, vg.Length, float64, *brush.Theme, []Placed) error {
	return errNoPictures
}

// WritePNG returns an error, because this program cannot write pictures.
func (f *Figure) WritePNG(io.Writer) error { return errNoPictures }

// HeightOnPaper returns 0, because this program cannot write pictures.
func (f *Figure) HeightOnPaper() float64 { return 0 }

// WriteSVG returns an error, because this program cannot write pictures.
func (f *Figure) WriteSVG(io.Writer) error { return errNoPictures }

// WritePDF returns an error, because this program cannot write pictures.
func (f *Figure) WritePDF(io.Writer) error { return errNoPictures }
