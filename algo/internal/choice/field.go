package choice

import (
	"errors"

	"paretoplay/algo"
)

// Field adds to an error of a constructor, a *algo.RangeError, the field of its Config that has the refused
// parameter. fields holds them by the parameters' names. Other errors, and names without a field, stay as
// they are.
func Field(err error, fields map[string]string) error {
	var refused *algo.RangeError
	if errors.As(err, &refused) && refused.Field == "" {
		refused.Field = fields[refused.Name]
	}
	return err
}
