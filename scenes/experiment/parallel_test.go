package experiment

import (
	"errors"
	"testing"
)

// TestComputeEachStops: an outcome that cannot be written ends the computation, and
// the error is told once.
func TestComputeEachStops(t *testing.T) {
	full := errors.New("the disk is full")
	for _, jobs := range []int{1, 3} {
		computed := 0
		err := computeEach(100, Options{Jobs: jobs, Partial: func(Outcome) error { return full }}, nil, func(int) (func(), error) {
			return func() { computed++ }, nil
		})
		if err != full || computed > 2*jobs+1 {
			t.Errorf("%d jobs: %d cells computed, error %v", jobs, computed, err)
		}
	}
}
