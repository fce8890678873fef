package network

import (
	"compress/gzip"
	"fmt"
	"io"

	"paretoplay/algo"
)

// Sizes of the pictures of one digit and of two digits.
const (
	Count  = 1797 // number of pictures of one digit
	side   = 8    // side of a digit's picture, in pixels
	grey   = 16   // maximum grey value
	Rows   = side // rows of the picture of two digits
	Cols   = 12   // columns of that picture: the second digit begins four columns before the first ends
	shift  = Cols - side
	Pixels = Rows * Cols
)

// Digits is scikit-learn's copy of the test set of the UCI data set "Optical Recognition of Handwritten Digits":
// 1,797 pictures of 8×8 pixels with grey values from 0 to 16, each with the digit that it shows.
//
// Alpaydin E and Kaynak C (1998), Optical Recognition of Handwritten Digits, UCI Machine Learning Repository,
// https://doi.org/10.24432/C50P49, CC BY 4.0.
type Digits struct {
	grey   []uint8 // Count rows of side² values
	labels []uint8
}

// ReadDigits reads the digits from a gzip file. The file contains the grey values, one byte each, picture by picture
// and row by row, followed by the labels. ReadDigits returns an error if the file is invalid.
func ReadDigits(r io.Reader) (*Digits, error) {
	unpacked, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("digits: %w", err)
	}
	const size = Count * (side*side + 1)
	data, err := io.ReadAll(io.LimitReader(unpacked, size+1))
	if err != nil {
		return nil, fmt.Errorf("digits: %w", err)
	}
	if len(data) != size {
		return nil, fmt.Errorf("digits: the file does not hold %d pictures of %d×%d pixels with their labels", Count, side, side)
	}
	d := &Digits{grey: data[:Count*side*side], labels: data[Count*side*side:]}
	for i, v := range d.grey {
		if v > grey {
			return nil, fmt.Errorf("digits: picture %d has the grey value %d, above %d", i/(side*side), v, grey)
		}
	}
	for i, v := range d.labels {
		if v > 9 {
			return nil, fmt.Errorf("digits: picture %d has the label %d", i, v)
		}
	}
	return d, nil
}

// Label returns the digit that picture i shows, for 0 ≤ i < Count.
func (d *Digits) Label(i int) int { return int(d.labels[i]) }

// draw stores the picture of two digits in dst, as Pixels numbers from 0 to 1. Where the digits overlap, it takes the
// larger grey value.
func (d *Digits) draw(dst []float64, p pair) {
	left, right := d.grey[int(p.left)*side*side:], d.grey[int(p.right)*side*side:]
	for row := range side {
		line := dst[row*Cols : (row+1)*Cols]
		for col := range line {
			var v uint8
			if col < side {
				v = left[row*side+col]
			}
			if col >= shift {
				v = max(v, right[row*side+col-shift])
			}
			line[col] = float64(v) / grey
		}
	}
}

// pair holds the indices of two digit pictures placed side by side.
type pair struct{ left, right uint16 }

// Split selects a part of the pairs.
type Split int

const (
	Training   Split = iota // pairs for training steps
	Validation              // pairs for choosing step sizes and iterations
	Test                    // pairs for the final assessment

	splits
)

// splitSeed determines the split of each digit picture. It is the same in every network, so that, whatever the seeds,
// no picture used for training occurs in a test.
const splitSeed = 1

// parts returns the indices of the pictures in each split: half for training, a quarter each for validation and test.
func parts() [splits][]int {
	source := algo.Stream(splitSeed, 0, 0, algo.Data)
	order := make([]int, Count)
	for i := range order {
		order[i] = i
	}
	shuffle(order, &source)
	half, quarter := Count/2, Count/4
	return [splits][]int{order[:half], order[half : half+quarter], order[half+quarter:]}
}
