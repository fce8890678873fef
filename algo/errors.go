package algo

import (
	"errors"
	"fmt"
)

// ErrNoProblem is the error that constructors return if their configuration has no problem.
var ErrNoProblem = errors.New("problem is missing")

// RangeError reports a value that a constructor or setter rejected. Functions return it as a pointer, possibly
// wrapped; use errors.As to find it.
type RangeError struct {
	Name    string // name of the parameter or field, such as "eta"
	Field   string // field of the Config, such as "StepSize"; "" if it equals Name or there is no field
	Value   any    // the rejected value
	Allowed string // description of the accepted values
	// Text, unless empty, replaces the default message "Name = Value: Allowed".
	Text string
}

// Error returns a message with the parameter's name, its value and the accepted values. The message omits Field,
// because visitors of the page read it too.
func (e *RangeError) Error() string {
	if e.Text != "" {
		return e.Text
	}
	return fmt.Sprintf("%s = %v: %s", e.Name, e.Value, e.Allowed)
}
