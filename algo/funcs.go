package algo

import (
	"fmt"
	"math"
)

// Funcs describes a problem by functions. Variables, Objectives and Values are required. Call Problem to create the
// problem.
type Funcs struct {
	Variables  int // n ≥ 1
	Objectives int // m ≥ 1

	// Values stores the m objective values at x (length n) in f (length m). It must not modify x or keep either
	// slice.
	Values func(f, x []float64)
	// Jacobian stores the m×n Jacobian at x in jac. If Jacobian is nil, the problem uses central differences of
	// Values. One Jacobian then takes 2n evaluations and has about ten correct digits: see Differences.
	Jacobian func(jac *Jacobian, x []float64)

	// Lower and Upper, of length n, are the bounds of the variables. Bounds may be infinite. nil means no bounds.
	Lower, Upper []float64
}

// Problem returns the problem that f describes. An error names the invalid field of f, the value and the accepted
// values. After the first Jacobian, the problem itself does not allocate; the functions may.
func (f Funcs) Problem() (Problem, error) {
	switch {
	case f.Variables < 1:
		return nil, &RangeError{Name: "Variables", Value: f.Variables, Allowed: "there must be at least one"}
	case f.Objectives < 1:
		return nil, &RangeError{Name: "Objectives", Value: f.Objectives, Allowed: "there must be at least one"}
	case f.Values == nil:
		return nil, &RangeError{Name: "Values", Value: nil, Allowed: "there must be a function"}
	}
	p := &functions{Funcs: f}
	if f.Lower == nil && f.Upper == nil {
		return p, nil
	}
	b := &boundedFunctions{functions: *p}
	for _, side := range []struct {
		name  string
		given []float64
		kept  *[]float64
		none  float64
	}{{"Lower", f.Lower, &b.lower, math.Inf(-1)}, {"Upper", f.Upper, &b.upper, math.Inf(1)}} {
		if side.given != nil && len(side.given) != f.Variables {
			allowed := fmt.Sprintf("there must be %d bounds, one per variable", f.Variables)
			return nil, &RangeError{Name: side.name, Value: side.given, Allowed: allowed}
		}
		*side.kept = append([]float64(nil), side.given...)
		for len(*side.kept) < f.Variables {
			*side.kept = append(*side.kept, side.none)
		}
	}
	for j, lo := range b.lower {
		if !(lo < b.upper[j]) {
			return nil, &RangeError{Name: fmt.Sprintf("Lower[%d]", j), Value: lo,
				Allowed: fmt.Sprintf("it must be below Upper[%d] = %v", j, b.upper[j])}
		}
	}
	return b, nil
}

// functions is a problem without bounds that calls the functions of Funcs.
type functions struct {
	Funcs
	differences Differences
}

// Dims implements Problem.
func (p *functions) Dims() (n, m int) { return p.Variables, p.Objectives }

// Values implements Problem.
func (p *functions) Values(f, x []float64) { p.Funcs.Values(f, x) }

// Jacobian implements Problem.
func (p *functions) Jacobian(jac *Jacobian, x []float64) {
	if p.Funcs.Jacobian != nil {
		p.Funcs.Jacobian(jac, x)
		return
	}
	p.differences.Jacobian(jac, p.Funcs.Values, x, nil, nil)
}

// boundedFunctions is a problem with bounds that calls the functions of Funcs.
type boundedFunctions struct {
	functions
	lower, upper []float64
}

// Bounds implements Bounded.
func (p *boundedFunctions) Bounds() (lo, hi []float64) { return p.lower, p.upper }

// Jacobian implements Problem. Its differences use only points inside the box.
func (p *boundedFunctions) Jacobian(jac *Jacobian, x []float64) {
	if p.Funcs.Jacobian != nil {
		p.Funcs.Jacobian(jac, x)
		return
	}
	p.differences.Jacobian(jac, p.Funcs.Values, x, p.lower, p.upper)
}

// Differences approximates Jacobians by central differences of values. Its zero value is ready to use. It reuses
// scratch space, so only the first call allocates.
//
// The step along a variable is the cube root of the machine's precision, 6e-6, times the larger of the variable's
// size and 1. If a variable's natural size is far from 1, rescale it or provide a Jacobian. With bounds, both ends of
// the step stay inside the box. At a bound the difference is one-sided, but still of second order.
//
// Package gonum/diff/fd does the same, but the matrix package that it imports would make up a tenth of the page's
// program.
type Differences struct {
	x, f [3][]float64
}

// Jacobian stores the derivatives of the function values at x (length n) in jac (m×n). values stores m numbers in its
// first argument. lo and hi, of length n, are the bounds of the variables; nil means no bounds.
func (d *Differences) Jacobian(jac *Jacobian, values func(f, x []float64), x, lo, hi []float64) {
	for i := range d.x {
		if len(d.x[i]) != jac.Cols || len(d.f[i]) != jac.Rows {
			d.x[i], d.f[i] = make([]float64, jac.Cols), make([]float64, jac.Rows)
		}
		copy(d.x[i], x)
	}
	for j, v := range x {
		h := 0x1p-17 * max(1, math.Abs(v)) // about the cube root of ε; a power of two has no rounding error at 1
		below, above := math.Inf(-1), math.Inf(1)
		if lo != nil {
			below = lo[j]
		}
		if hi != nil {
			above = hi[j]
		}
		h = min(h, (above-below)/4)
		// at holds the offsets of the points, and weigh holds the coefficients of the values at these points.
		at, weigh := [3]float64{-h, 0, h}, [3]float64{-0.5, 0, 0.5}
		switch {
		case v-h < below:
			at, weigh = [3]float64{0, h, 2 * h}, [3]float64{-1.5, 2, -0.5}
		case v+h > above:
			at, weigh = [3]float64{-2 * h, -h, 0}, [3]float64{0.5, -2, 1.5}
		}
		for i := range at {
			if weigh[i] != 0 {
				d.x[i][j] = v + at[i]
				values(d.f[i], d.x[i])
				d.x[i][j] = v
			}
		}
		for row := range jac.Rows {
			var sum float64
			for i := range at {
				if weigh[i] != 0 {
					sum += float64(weigh[i] * d.f[i][row])
				}
			}
			jac.Row(row)[j] = sum / h
		}
	}
}

// gradientTolerance is the allowed difference between a derivative and its difference quotient, relative to the
// largest derivative of the objective. CheckGradients adds an allowance for rounding errors of the values.
const gradientTolerance = 1e-5

// GradientError reports an entry of a Jacobian that differs from the difference quotient of the values.
type GradientError struct {
	Point              []float64
	Objective          int // from 0
	Variable           int // from 0
	Stated, Difference float64
}

// Error returns a message with the objective and the variable, both counted from 1, the stated derivative and the
// difference quotient.
func (e *GradientError) Error() string {
	return fmt.Sprintf("∂f_%d/∂x_%d at %v: the Jacobian has %v, but differences of the values give %v",
		e.Objective+1, e.Variable+1, e.Point, e.Stated, e.Difference)
}

// CheckGradients compares the Jacobian of p with central differences of its values at the given points of length n.
// Do not pass minima, where every gradient is 0 even with a wrong formula. If an entry differs by more than 1e-5 of
// the objective's largest derivative, CheckGradients returns a *GradientError for the worst entry at the first such
// point. It returns a *RangeError for an invalid point.
func CheckGradients(p Problem, points ...[]float64) error {
	if Missing(p) {
		return ErrNoProblem
	}
	n, m := p.Dims()
	var lo, hi []float64
	if b, ok := p.(Bounded); ok {
		lo, hi = b.Bounds()
	}
	stated, differences, f := NewJacobian(m, n), NewJacobian(m, n), make([]float64, m)
	var d Differences
	for k, x := range points {
		if len(x) != n || !Finite(x) {
			return &RangeError{Name: fmt.Sprintf("point %d", k), Value: x, Allowed: fmt.Sprintf("it must have %d finite numbers", n)}
		}
		p.Values(f, x)
		p.Jacobian(stated, x)
		d.Jacobian(differences, p.Values, x, lo, hi)
		var worst *GradientError
		most := 1.0
		for i := range m {
			largest := 0.0
			for _, v := range differences.Row(i) {
				largest = max(largest, math.Abs(v))
			}
			for j, v := range differences.Row(i) {
				// The quotient's rounding error is about the last digit of a value, divided by the step.
				rounding := math.Abs(f[i]) * 0x1p-50 / (0x1p-17 * max(1, math.Abs(x[j])))
				off := math.Abs(stated.Row(i)[j]-v) / (float64(gradientTolerance*largest) + rounding)
				if off > most || math.IsNaN(off) && stated.Row(i)[j] != v {
					most = off
					worst = &GradientError{append([]float64(nil), x...), i, j, stated.Row(i)[j], v}
				}
			}
		}
		if worst != nil {
			return worst
		}
	}
	return nil
}
