package descent

import (
	"math"
	"testing"
)

// TestStepSizes compares step sizes with numbers computed by hand from the theorems, with indices shifted by one.
func TestStepSizes(t *testing.T) {
	const horizon, lipschitz = 50, 8
	for _, c := range []struct {
		schedule Schedule
		t        int
		eta      float64
		want     float64
	}{
		{Constant, 0, 0.3, 0.3},
		{Constant, 99, 0.3, 0.3},
		{Theorem35, 0, 0.4, 0.4},
		{Theorem35, 3, 0.4, 0.2},
		{Theorem35, 99, 0.4, 0.04},
		{Theorem36, 0, 0.4, 1},
		{Theorem36, 3, 0.4, 0.5},
		{Theorem37, 0, 0.5, 0.125}, // 1/L
		{Theorem37, 2, 0.5, 0.125},
		{Theorem37, 3, 0.5, 0.125}, // min of ½/4 and 1/L, which are equal
		{Theorem37, 9, 0.5, 0.05},
		{AsPrinted, 0, 0.5, 0.01},
		{AsPrinted, 70, 0.5, 0.01},
	} {
		if got := c.schedule.stepSize(c.t, c.eta, horizon, lipschitz); math.Abs(got-c.want) > 1e-16 {
			t.Errorf("%v: η_%d = %v, want %v", c.schedule, c.t, got, c.want)
		}
	}
}

func TestMomenta(t *testing.T) {
	for _, c := range []struct {
		schedule    Schedule
		t           int
		eta, change float64
		want        float64
	}{
		{Constant, 8, 0.3, 0.5, 0.9},
		{Theorem35, 0, 0.3, 0.5, 0},
		{Theorem35, 3, 0.3, 0, 0.5},         // the second term is infinite
		{Theorem35, 3, 0.3, 0.1, 0.5},       // 1/√4 against 1/(4·0.1)
		{Theorem35, 8, 0.3, 0.5, 7.0 / 9},   // 1/√9 against 1/(9·0.5)
		{Theorem35, 99, 0.3, 1, 0.99},       // 1/√100 against 1/100
		{Theorem36, 3, 0.5, 0.1, 0.5},       // 1−η
		{Theorem36, 0, 2, 0.1, 0},           // η above 1: no momentum
		{Theorem37, 3, 0.5, 0.1, 0.75},      // 1−η²
		{Theorem37, 3, 2, 0.1, 0},           // η² above 1: no momentum
		{AsPrinted, 3, 0.01, 0.1, 1 - 0.01}, // 1−η
	} {
		if got := c.schedule.momentum(c.t, 0.9, c.eta, c.change); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v: α_%d = %v at η = %v and change %v, want %v", c.schedule, c.t, got, c.eta, c.change, c.want)
		}
	}
}
