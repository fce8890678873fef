package problem

import (
	"math"
	"testing"
)

func TestBelowCountsTiesHalf(t *testing.T) {
	for _, c := range []struct {
		low, high []float64
		want      float64
	}{
		{[]float64{1, 2}, []float64{3, 4}, 1},
		{[]float64{3, 4}, []float64{1, 2}, 0},
		{[]float64{2}, []float64{2}, 0.5},
		// Pairs (1,2) 1, (1,3) 1, (2,2) ½, (2,3) 1, (2,2) ½, (2,3) 1, (4,2) 0, (4,3) 0: 5 of 8.
		{[]float64{4, 2, 1, 2}, []float64{3, 2}, 5. / 8},
		// All values are equal: 6 pairs of ½.
		{[]float64{7, 7, 7}, []float64{7, 7}, 0.5},
		// (0,0) ½, (0,0) ½, (0,1) 1, (1,0) 0, (1,0) 0, (1,1) ½: 2.5 of 6.
		{[]float64{1, 0}, []float64{0, 1, 0}, 2.5 / 6},
	} {
		if got := below(c.low, c.high); got != c.want {
			t.Errorf("below(%v, %v) = %v, want %v", c.low, c.high, got, c.want)
		}
	}
	if !math.IsNaN(below(nil, []float64{1})) || !math.IsNaN(below([]float64{1}, nil)) {
		t.Error("without one of the two there is a number")
	}
}

func TestScoresOfAConfusionMatrix(t *testing.T) {
	// Rows are true classes: 5 of the first, 4 of the second, 3 of the third.
	confusion := []int{
		4, 1, 0,
		2, 2, 0,
		1, 1, 1,
	}
	if got := accuracyOf(confusion, 3); got != 7./12 {
		t.Errorf("accuracy %v, want 7/12", got)
	}
	// The F1 of the classes are 2·4/(5+7), 2·2/(4+4) and 2·1/(3+1).
	if got, want := macroF1(confusion, 3), (8./12+4./8+2./4)/3; math.Abs(got-want) > 1e-15 {
		t.Errorf("F1 %v, want %v", got, want)
	}
	// A class that neither occurs nor is predicted counts as 0.
	if got := macroF1([]int{2, 0, 0, 0}, 2); got != 0.5 {
		t.Errorf("F1 %v, want ½", got)
	}
}
