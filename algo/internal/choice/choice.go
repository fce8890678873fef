// Package choice names and parses the values of settings: constants counted from 0, with a
// list of their names in the same order.
package choice

import (
	"fmt"
	"slices"

	"paretoplay/algo"
)

// All returns the values that have names, in their order.
func All[T ~int](names []string) []T {
	values := make([]T, len(names))
	for i := range values {
		values[i] = T(i)
	}
	return values
}

// Name returns the name of a value of the setting what; for a value without a name, what and
// the number.
func Name(value int, names []string, what string) string {
	if value < 0 || value >= len(names) {
		return fmt.Sprintf("%s(%d)", what, value)
	}
	return names[value]
}

// Parse returns the value with that name. An error is made by Refused.
func Parse[T ~int](name string, names []string, what string) (T, error) {
	if i := slices.Index(names, name); i >= 0 {
		return T(i), nil
	}
	return 0, Refused(what, name, names)
}

// Refused is the error for a value, or a name, that the setting what does not have.
func Refused(what string, value any, names []string) *algo.RangeError {
	return &algo.RangeError{Name: what, Value: value, Allowed: fmt.Sprintf("must be one of %v", names)}
}
