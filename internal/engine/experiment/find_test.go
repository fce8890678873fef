package experiment

import (
	"math"
	"slices"
	"testing"
)

// TestFind checks that cells are found by conditions, in order, and by their numbers.
func TestFind(t *testing.T) {
	numbers := []float64{math.NaN(), 2, 5, 1, 5}
	each := func(yield func(c *float64) bool) {
		for i := range numbers {
			if !yield(&numbers[i]) {
				return
			}
		}
	}
	above := func(least float64) func(c *float64) bool { return func(c *float64) bool { return *c > least } }
	if got := Where(each, above(1)); !slices.Equal(got, []*float64{&numbers[1], &numbers[2], &numbers[4]}) {
		t.Errorf("above 1: got %v", got)
	}
	if Find(each, above(2)) != &numbers[2] || Find(each, above(5)) != nil {
		t.Errorf("first above 2: got %v, above 5 %v", Find(each, above(2)), Find(each, above(5)))
	}
	all := Where(each, func(*float64) bool { return true })
	if got := Largest(all, func(c *float64) float64 { return *c }); got != &numbers[2] {
		t.Errorf("largest: got %v", got)
	}
	if got := Largest(all[:1], func(c *float64) float64 { return *c }); got != nil {
		t.Errorf("largest of no cells: got %v", got)
	}
}
