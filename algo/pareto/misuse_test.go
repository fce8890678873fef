package pareto

import "testing"

// TestMisuse checks that NewWalker returns an error for a nil problem.
func TestMisuse(t *testing.T) {
	if _, err := NewWalker(nil, []float64{1, 1}); err == nil {
		t.Error("a walker without a problem is made")
	}
}
