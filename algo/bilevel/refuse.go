package bilevel

import (
	"fmt"
	"math"

	"paretoplay/algo"
)

// refusedName is the error for a text that names no setting of its kind.
func refusedName(kind, name string, known []string) error {
	allowed := fmt.Sprintf("must be one of %v", known)
	return &algo.RangeError{Name: kind, Value: name, Allowed: allowed, Text: fmt.Sprintf("%s %q: %s", kind, name, allowed)}
}

// refusedSetting is the error for a number that is no setting of its kind.
func refusedSetting(kind string, value any, known []string) error {
	allowed := fmt.Sprintf("must be one of %v", known)
	return &algo.RangeError{Name: kind, Value: value, Allowed: allowed, Text: fmt.Sprintf("%v: %s", value, allowed)}
}

// checkFinite refuses a value that is not finite, is below 0, or is 0 where it must be
// positive; allowed says so.
func checkFinite(name string, value float64, positive bool, allowed string) error {
	if value >= 0 && !math.IsInf(value, 1) && !(positive && value == 0) {
		return nil
	}
	return &algo.RangeError{Name: name, Value: value, Allowed: allowed}
}
