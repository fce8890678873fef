package pareto

import "testing"

// TestMisuse: a walk without a problem is an error.
func TestMisuse(t *testing.T) {
	if _, err := NewWalker(nil, []float64{1, 1}); err == nil {
		t.Error("a walker without a problem is made")
	}
}
