package race

import (
	"math"
	"testing"
)

func TestMedian(t *testing.T) {
	if Median([]float64{4, 1, 3}) != 3 || Median([]float64{1, 4}) != 2.5 || !math.IsNaN(Median(nil)) {
		t.Error("the median is wrong")
	}
}
