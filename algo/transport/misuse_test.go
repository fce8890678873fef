package transport

import "testing"

// TestMisuse: what is empty or missing ends in a value or an error.
func TestMisuse(t *testing.T) {
	BestLosses(nil, []float64{1, 2})
	Won(nil, []float64{1, 2})
	if sum := RowMaxima([]float64{1, 2}, 0); sum != 0 {
		t.Errorf("the maxima of rows of nothing are %g", sum)
	}
	if _, err := NewWatch(WatchConfig{Task: Task{[]float64{1}, []float64{1}, []float64{1}}}); err == nil {
		t.Error("a watch without a solver is made")
	}
}
