package choice

import (
	"errors"

	"paretoplay/algo"
)

// Field adds the name of the Config's field to a *algo.RangeError of a constructor. fields maps the names
// of parameters to fields. Other errors, and parameters without a field, do not change.
func Field(err error, fields map[string]string) error {
	var refused *algo.RangeError
	if errors.As(err, &refused) && refused.Field == "" {
		refused.Field = fields[refused.Name]
	}
	return err
}
