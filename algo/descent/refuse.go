package descent

import (
	"fmt"

	"paretoplay/algo"
)

// refusedValue returns the error for a rejected list or constant. Its message has no equals sign between name and value.
func refusedValue(name string, value any, allowed string) error {
	return &algo.RangeError{Name: name, Value: value, Allowed: allowed, Text: fmt.Sprintf("%s %v: %s", name, value, allowed)}
}

// checkLength returns an error unless the start point x has n entries, one per variable.
func checkLength(name string, x []float64, n int) error {
	if len(x) == n {
		return nil
	}
	allowed := fmt.Sprintf("it must have the length %d of the problem's variables", n)
	return &algo.RangeError{Name: name, Value: x, Allowed: allowed, Text: fmt.Sprintf("%s has length %d: %s", name, len(x), allowed)}
}
