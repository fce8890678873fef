package experiment

import (
	"iter"
	"math"
)

// Where returns, in order, the cells c for which holds(c) is true.
func Where[C any](cells iter.Seq[*C], holds func(c *C) bool) (out []*C) {
	for c := range cells {
		if holds(c) {
			out = append(out, c)
		}
	}
	return out
}

// Find returns the first cell c for which holds(c) is true, or nil if there is none.
func Find[C any](cells iter.Seq[*C], holds func(c *C) bool) *C {
	for c := range cells {
		if holds(c) {
			return c
		}
	}
	return nil
}

// Largest returns the first cell with the largest number. It returns nil if all numbers are NaN.
func Largest[C any](cells []*C, number func(c *C) float64) (largest *C) {
	most := math.NaN()
	for _, c := range cells {
		if v := number(c); v > most || largest == nil && !math.IsNaN(v) {
			largest, most = c, v
		}
	}
	return largest
}
