package command

import (
	"strings"
	"testing"
)

// TestRefusedFlags checks that an error names the flag that the user typed.
func TestRefusedFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"run -scene fonseca -steps 0", "-steps 0"},
		{"run -scene fonseca -steps -3", "-steps -3"},
		{"run -h=1", "-h takes no value"},
		{"run --help=1", "-h takes no value"},
		{"run -scene fonseca -set seed=1_000", "1_000"},
	} {
		var out, errors strings.Builder
		if status := new(Program).Run(strings.Fields(c.args), strings.NewReader(""), &out, &errors); status != 2 ||
			!strings.Contains(errors.String(), c.want) || out.Len() > 0 {
			t.Errorf("%s: status %d, %q, %q", c.args, status, errors.String(), out.String())
		}
	}
}
