package algo

import (
	"errors"
	"fmt"
)

// ErrNoProblem is returned by constructors whose configuration has no problem.
var ErrNoProblem = errors.New("problem: it is missing")

// RangeError reports a value that a constructor or setter refused. It is returned
// as a pointer, possibly wrapped: find it with errors.As.
type RangeError struct {
	Name    string // of the parameter or field, such as "eta"
	Field   string // field of the Config that was refused, such as "StepSize"; "" if it equals Name or there is no field
	Value   any    // the value that was refused
	Allowed string // what would be accepted, in words
	// Text replaces the default message "Name = Value: Allowed" unless it is "".
	Text string
}

// Error returns the parameter's name, its value and what is allowed. It leaves out Field, because
// people who set parameters on a page read it too.
func (e *RangeError) Error() string {
	if e.Text != "" {
		return e.Text
	}
	return fmt.Sprintf("%s = %v: %s", e.Name, e.Value, e.Allowed)
}
