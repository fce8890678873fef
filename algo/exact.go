package algo

import "reflect"

// Exact wraps p as a problem without noise or batches: every sample gives the exact values and gradients. Steppers on
// it therefore use exact gradients.
//
// The result is Bounded if p is. It takes gradients of a weighted sum, and parts of a gradient, from the full Jacobian
// unless p has the corresponding method:
//
//	WeightedGradient(dst, w, x []float64)               // Σ_i w_i ∇f_i(x), length n
//	Gradient(dst []float64, i, lo, hi int, x []float64) // ∂f_i/∂x_lo … ∂f_i/∂x_{hi−1}
//
// These methods compute only the requested numbers. Steppers count the cost of such a method even if p
// lacks it. After the first call, only p itself may allocate. Exact returns nil if p is nil or a nil pointer; constructors
// reject nil with ErrNoProblem.
func Exact(p Problem) Partial {
	if Missing(p) {
		return nil
	}
	switch p := p.(type) {
	case *exact:
		return p
	case *exactBounded:
		return p
	}
	e := exact{Problem: p}
	e.weighted, _ = p.(weightedGradient)
	e.partial, _ = p.(partialGradient)
	if b, ok := p.(Bounded); ok {
		return &exactBounded{exact: e, Bounded: b}
	}
	return &e
}

// Missing reports whether p is nil or contains a nil pointer, such as an unassigned variable.
func Missing(p any) bool {
	if p == nil {
		return true
	}
	v := reflect.ValueOf(p)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

type weightedGradient interface {
	WeightedGradient(dst, w, x []float64)
}

type partialGradient interface {
	Gradient(dst []float64, i, lo, hi int, x []float64)
}

type exact struct {
	Problem
	weighted weightedGradient // nil if the problem has no WeightedGradient
	partial  partialGradient  // nil if the problem has no Gradient
	jacobian *Jacobian        // scratch space, allocated on first use
}

type exactBounded struct {
	exact
	Bounded
}

// Unwrap returns the wrapped problem, which may have additional methods, such as one for its Lipschitz constant.
func (e *exact) Unwrap() Problem { return e.Problem }

func (e *exact) ValuesAt(f, x []float64, _ *Sample) { e.Values(f, x) }

func (e *exact) JacobianAt(jac *Jacobian, x []float64, _ *Sample) { e.Jacobian(jac, x) }

func (e *exact) WeightedGradientAt(dst, w, x []float64, _ *Sample) {
	if e.weighted != nil {
		e.weighted.WeightedGradient(dst, w, x)
		return
	}
	e.fullJacobian(x).Combine(dst, w)
}

func (e *exact) GradientAt(dst []float64, i, lo, hi int, x []float64, _ *Sample) {
	if e.partial != nil {
		e.partial.Gradient(dst, i, lo, hi, x)
		return
	}
	copy(dst, e.fullJacobian(x).Row(i)[lo:hi])
}

// fullJacobian returns the Jacobian at x.
func (e *exact) fullJacobian(x []float64) *Jacobian {
	if e.jacobian == nil {
		n, m := e.Dims()
		e.jacobian = NewJacobian(m, n)
	}
	e.Jacobian(e.jacobian, x)
	return e.jacobian
}

// Stated returns p as a T and reports whether that is possible. T is an interface with additional methods, such as one
// for a Lipschitz constant. If p does not implement T but wraps a problem, as Exact's result does, Stated tries the
// wrapped problem.
func Stated[T any](p Problem) (T, bool) {
	for {
		if t, ok := p.(T); ok {
			return t, true
		}
		made, ok := p.(interface{ Unwrap() Problem })
		if !ok {
			var none T
			return none, false
		}
		p = made.Unwrap()
	}
}
