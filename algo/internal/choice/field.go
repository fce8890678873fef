package choice

import (
	"errors"

	"paretoplay/algo"
)

// Field adds the name of the Config's field to an *algo.RangeError of a constructor. fields maps parameter names to
// field names. Field does not change other errors, or errors for parameters without a field.
func Field(err error, fields map[string]string) error {
	var refused *algo.RangeError
	if errors.As(err, &refused) && refused.Field == "" {
		refused.Field = fields[refused.Name]
	}
	return err
}
