package weighting

import (
	"fmt"
	"slices"
	"strings"

	"paretoplay/algo"
)

// choice is a constraint for types whose constants can be selected by name. Each type has a list of names, in which
// names[v] is the name of v.
type choice interface{ ~int }

// choiceName returns the name of v on the command line. If v is not one of the constants, it returns kind(v).
func choiceName[T choice](names []string, kind string, v T) string {
	if !isChoice(names, v) {
		return fmt.Sprintf("%s(%d)", kind, int(v))
	}
	return names[v]
}

func isChoice[T choice](names []string, v T) bool {
	return v >= 0 && int(v) < len(names)
}

// parseChoice returns the value with the given name. Its error names the parameter.
func parseChoice[T choice](names []string, parameter, name string) (T, error) {
	if i := slices.Index(names, name); i >= 0 {
		return T(i), nil
	}
	known := strings.Join(names, " ")
	return 0, &algo.RangeError{
		Name: parameter, Value: name, Allowed: "one of " + known,
		Text: fmt.Sprintf("%s = %q: use one of %s", parameter, name, known),
	}
}
