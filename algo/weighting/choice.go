package weighting

import (
	"fmt"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

// choice is a constant that a parameter names: the option of value v has index v.
type choice interface{ ~int }

// choiceName is the name of v on the command line, or kind(v) when v is none of
// the constants.
func choiceName[T choice](options []param.Option, kind string, v T) string {
	if !isChoice(options, v) {
		return fmt.Sprintf("%s(%d)", kind, int(v))
	}
	return options[v].Value
}

func isChoice[T choice](options []param.Option, v T) bool {
	return v >= 0 && int(v) < len(options)
}

// parseChoice returns the value called name; parameter is the one that the error
// names.
func parseChoice[T choice](options []param.Option, parameter, name string) (T, error) {
	var known []string
	for i, o := range options {
		if o.Value == name {
			return T(i), nil
		}
		known = append(known, o.Value)
	}
	return 0, &algo.RangeError{
		Name: parameter, Value: name, Allowed: "one of " + strings.Join(known, " "),
		Text: fmt.Sprintf("%s = %q, allowed is one of %s", parameter, name, strings.Join(known, " ")),
	}
}
