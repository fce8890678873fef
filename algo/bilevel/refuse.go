package bilevel

import (
	"math"

	"paretoplay/algo"
)

// checkFinite returns an error if value is not finite or is negative. If positive is true, it also returns an error for
// 0. allowed is the part of the error text that describes the allowed values.
func checkFinite(name string, value float64, positive bool, allowed string) error {
	if value >= 0 && !math.IsInf(value, 1) && !(positive && value == 0) {
		return nil
	}
	return &algo.RangeError{Name: name, Value: value, Allowed: allowed}
}
