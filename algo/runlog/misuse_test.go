package runlog

import (
	"strings"
	"testing"
)

// TestMisuse checks that missing or empty logs, nil readers and negative sizes lead to errors.
func TestMisuse(t *testing.T) {
	for what, f := range map[string]func() error{
		"no log":                   func() error { _, err := Analyse(nil, Options{}); return err },
		"an empty log":             func() error { _, err := Analyse(&Log{}, Options{}); return err },
		"no reader":                func() error { _, err := Read(nil, 10); return err },
		"a negative number":        func() error { _, err := Read(strings.NewReader("x"), -5); return err },
		"no reader at":             func() error { _, err := ReadAt(nil, 1, 10); return err },
		"a negative size":          func() error { _, err := ReadAt(strings.NewReader("x"), -1, 10); return err },
		"a negative number at all": func() error { _, err := ReadAt(strings.NewReader("x"), 1, -1); return err },
	} {
		if f() == nil {
			t.Errorf("%s: no error", what)
		}
	}
}
