package drawtest

import (
	"strings"
	"testing"
)

// TestFreeLooks checks that FreeLooks suggests a line for every hue with an unused look.
func TestFreeLooks(t *testing.T) {
	lines := strings.Split(FreeLooks(t, "NAME"), "\n")
	if len(lines) < 3 {
		t.Errorf("got lines %q", lines)
	}
	for _, line := range lines[1:] {
		if !look.MatchString(line) {
			t.Errorf("got %q, want a line of the list of methods", line)
		}
	}
}
