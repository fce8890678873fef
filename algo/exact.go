package algo

import "reflect"

// Exact returns p as a problem in which every sample is all of p: there is no noise and
// there are no batches. Steppers then descend along its exact gradients.
//
// The result is Bounded where p is. Gradients of a weighted sum and parts of a
// gradient are read off the Jacobian, unless p has one of the methods
//
//	WeightedGradient(dst, w, x []float64)               // Σ_i w_i ∇f_i(x), length n
//	Gradient(dst []float64, i, lo, hi int, x []float64) // ∂f_i/∂x_lo … ∂f_i/∂x_{hi−1}
//
// which compute no more than is asked for. A stepper counts the cost of such methods in
// either case. After the first call only p itself allocates. Exact of no problem, or of a pointer
// that is nil, is nil, which constructors refuse with ErrNoProblem.
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

// Missing reports whether p is nil or holds a nil pointer, as a variable does to which nothing was
// assigned.
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
	weighted weightedGradient // nil where the problem is none
	partial  partialGradient  // nil where the problem is none
	jacobian *Jacobian        // scratch space, made when it is first needed
}

type exactBounded struct {
	exact
	Bounded
}

// Unwrap returns the problem itself, which may offer more than the interfaces of this
// package, such as a Lipschitz constant.
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

// Stated returns p as a T, which offers more than a Problem, such as a Lipschitz
// constant. If p is no T, it returns the problem that p wraps, as Exact does.
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
