// Package choice checks settings that are selected by name, and adds field names to errors.
package choice

import (
	"fmt"
	"slices"

	"paretoplay/algo"
)

// Settle replaces an empty value by the first of names, the default. It returns an *algo.RangeError if the value is not
// one of names. The string what is the setting's name in errors.
func Settle[T ~string](value *T, what string, names ...T) error {
	if *value == "" {
		*value = names[0]
	}
	if slices.Contains(names, *value) {
		return nil
	}
	allowed := fmt.Sprintf("must be one of %v", names)
	return &algo.RangeError{Name: what, Value: string(*value), Allowed: allowed, Text: fmt.Sprintf("%s %q: %s", what, string(*value), allowed)}
}
