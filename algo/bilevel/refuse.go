package bilevel

import (
	"math"

	"paretoplay/algo"
)

// checkFinite refuses a value that is not finite, is below 0, or is 0 where it must be
// positive; allowed says so.
func checkFinite(name string, value float64, positive bool, allowed string) error {
	if value >= 0 && !math.IsInf(value, 1) && !(positive && value == 0) {
		return nil
	}
	return &algo.RangeError{Name: name, Value: value, Allowed: allowed}
}
