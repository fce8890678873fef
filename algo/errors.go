package algo

import (
	"errors"
	"fmt"
)

// ErrNoProblem is the error of constructors whose configuration has no problem.
var ErrNoProblem = errors.New("problem: there must be one")

// RangeError is the error of constructors and setters that refuse a value. They
// return it as a pointer, possibly wrapped: find it with errors.As.
type RangeError struct {
	Name    string // of the parameter or field, such as "eta"
	Field   string // of the Config that was refused, such as "StepSize"; "" where that is Name, or none
	Value   any    // the value that was refused
	Allowed string // what would be accepted, in words
	// Text is the message, if it differs from "Name = Value: Allowed".
	Text string
}

// Error names the parameter, its value and what is allowed. People who set parameters on a page read it
// too, so it leaves out Field.
func (e *RangeError) Error() string {
	if e.Text != "" {
		return e.Text
	}
	return fmt.Sprintf("%s = %v: %s", e.Name, e.Value, e.Allowed)
}
