package kinds

import (
	"math"
	"testing"
)

func TestReaches(t *testing.T) {
	for _, c := range []struct {
		first, value, level float64
		want                bool
	}{
		{2, 1.5, 1, false}, {2, 1, 1, true}, {2, 0.5, 1, true}, {0, 0.5, 1, false}, {0, 3, 1, true}, {2, math.NaN(), 1, false},
	} {
		if got := reaches(c.first, c.value, c.level); got != c.want {
			t.Errorf("from %v to %v, level %v: got %v", c.first, c.value, c.level, got)
		}
	}
}
