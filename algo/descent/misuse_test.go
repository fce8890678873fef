package descent

import "testing"

// TestMisuse checks that NewMotion rejects a negative length.
func TestMisuse(t *testing.T) {
	if _, err := NewMotion(Optimizer{}, -1); err == nil {
		t.Error("a motion of length -1 is made")
	}
}
