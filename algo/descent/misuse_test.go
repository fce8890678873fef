package descent

import "testing"

// TestMisuse checks that a motion of negative length is an error.
func TestMisuse(t *testing.T) {
	if _, err := NewMotion(Optimizer{}, -1); err == nil {
		t.Error("a motion of length -1 is made")
	}
}
