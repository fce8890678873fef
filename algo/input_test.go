package algo_test

import (
	"math"
	"testing"

	"paretoplay/algo"
)

func rows(j *algo.Jacobian, factor float64) *algo.Jacobian {
	out := algo.NewJacobian(j.Rows, j.Cols)
	for i, v := range j.Data {
		out.Data[i] = factor * v
	}
	return out
}

// TestSetGradients checks that gradients of ordinary size are not divided. Other gradients must be divided, without
// rounding, by a power of two that brings their products into the range of float64.
func TestSetGradients(t *testing.T) {
	unit := &algo.Jacobian{Rows: 2, Cols: 3, Data: []float64{1, -2, 0.75, 0, 3, 1e-5}}
	gram := make([]float64, 4)
	var in algo.Input
	for _, factor := range []float64{1, 1e-10, 1e-58, 1e58} {
		j := rows(unit, factor)
		in.SetGradients(j)
		j.Gram(gram)
		if in.Jacobian != j || in.Exponent != 0 {
			t.Errorf("factor %g: divided by 2^%d", factor, in.Exponent)
		}
		for i, v := range in.Gram {
			if v != gram[i] {
				t.Errorf("factor %g: Gramian %v, want %v", factor, in.Gram, gram)
			}
		}
	}
	for _, factor := range []float64{1e-300, 1e-200, 1e-160, 1e-80, 1e80, 1e155, 1e300, 0x1p1022, 0x1p-1050} {
		j := rows(unit, factor)
		in.SetGradients(j)
		if in.Exponent == 0 || in.Jacobian == j {
			t.Errorf("factor %g: not divided", factor)
		}
		for i, v := range in.Jacobian.Data {
			if math.Ldexp(v, in.Exponent) != j.Data[i] {
				t.Errorf("factor %g: entry %d is %g·2^%d, want %g", factor, i, v, in.Exponent, j.Data[i])
			}
		}
		in.Jacobian.Gram(gram)
		for i, v := range in.Gram {
			if v != gram[i] || math.Abs(v) > 3 {
				t.Errorf("factor %g: Gramian %v", factor, in.Gram)
			}
		}
		if largest := max(in.Gram[0], in.Gram[3]); largest < 0.25 {
			t.Errorf("factor %g: Gramian %v", factor, in.Gram)
		}
		direction := make([]float64, 3)
		in.Combine(direction, []float64{1, 0})
		for i, v := range direction {
			if v != j.Data[i] {
				t.Errorf("factor %g: combination %v, want the first of %v", factor, direction, j.Data)
			}
		}
	}
	for _, strange := range []float64{0, math.NaN(), math.Inf(1)} {
		j := rows(unit, strange)
		in.SetGradients(j)
		if in.Exponent != 0 || in.Jacobian != j || algo.Finite(in.Gram) != (strange == 0) {
			t.Errorf("rows times %g: exponent %d, Gramian %v", strange, in.Exponent, in.Gram)
		}
	}
	small, ordinary := rows(unit, 1e-200), rows(unit, 1)
	if n := testing.AllocsPerRun(10, func() { in.SetGradients(small); in.SetGradients(ordinary) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
