package transport

import "testing"

// TestMisuse checks that empty or missing arguments lead to a value or an error, not to a panic.
func TestMisuse(t *testing.T) {
	BestLosses(nil, []float64{1, 2})
	Won(nil, []float64{1, 2})
	if sum := RowMaxima([]float64{1, 2}, 0); sum != 0 {
		t.Errorf("RowMaxima of empty rows: got %g, want 0", sum)
	}
	if _, err := NewWatch(WatchConfig{Task: Task{[]float64{1}, []float64{1}, []float64{1}}}); err == nil {
		t.Error("NewWatch accepted a nil solver")
	}
}
