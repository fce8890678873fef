package drawtest

import (
	"strings"
	"testing"
)

// TestFreeLooks: every hue that has a free look is named, with a line to paste.
func TestFreeLooks(t *testing.T) {
	lines := strings.Split(FreeLooks(t, "NAME"), "\n")
	if len(lines) < 3 {
		t.Errorf("free are %q", lines)
	}
	for _, line := range lines[1:] {
		if !look.MatchString(line) {
			t.Errorf("%q is no line of the list of methods", line)
		}
	}
}
