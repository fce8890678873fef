package bilevel

import (
	"math"

	"paretoplay/algo"
)

// checkFinite returns an error unless value is finite, not negative and, if positive is set, not
// 0; allowed is the text for it.
func checkFinite(name string, value float64, positive bool, allowed string) error {
	if value >= 0 && !math.IsInf(value, 1) && !(positive && value == 0) {
		return nil
	}
	return &algo.RangeError{Name: name, Value: value, Allowed: allowed}
}
