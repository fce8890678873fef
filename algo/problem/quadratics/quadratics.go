// Package quadratics is the problem of any number of quadratic objectives. It is
// apart from the other problems because it needs gonum's factorizations, which
// would add 0.4 MB to what the page loads, and the page has no use for it.
package quadratics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"paretoplay/algo"
	"paretoplay/algo/problem"
)

// Quadratic is one objective ½(x−Center)ᵀA(x−Center) in n variables.
type Quadratic struct {
	A      []float64 // n×n in row-major order, symmetric and positive definite
	Center []float64 // length n
}

// Problem is any number m ≥ 1 of quadratic objectives in n variables,
//
//	f_i(x) = ½(x−c_i)ᵀA_i(x−c_i).
//
// All are strongly convex, so the Pareto set is exactly the set of minimisers of
// weighted sums, (Σ w_i A_i)⁻¹ Σ w_i A_i c_i for w in the simplex; for two
// objectives it is the curve (λA1+(1−λ)A2)⁻¹(λA1c1+(1−λ)A2c2), λ in [0, 1].
//
// References:
//   - Désidéri J A: Multiple-gradient descent algorithm (MGDA) for multiobjective
//     optimization. Comptes Rendus Mathematique 350, 313–318 (2012)
//   - Miettinen K: Nonlinear Multiobjective Optimization, section 3.1: weighted
//     sums of convex objectives. Kluwer (1999)
type Problem struct {
	n         int
	terms     []Quadratic
	lipschitz float64
	convexity float64
	noise     problem.GradientNoise
}

var _ algo.Partial = (*Problem)(nil)

// New returns the problem with the given objectives and gradient noise
// of standard deviation sigma ≥ 0. It copies its arguments. Every A must be
// symmetric and positive definite, every number finite.
func New(sigma float64, objectives ...Quadratic) (*Problem, error) {
	if len(objectives) == 0 {
		return nil, refused("objectives", len(objectives), "there must be at least one", "objectives: there must be at least one")
	}
	n := len(objectives[0].Center)
	if n == 0 {
		return nil, refused("objective 0: Center", objectives[0].Center, "there must be at least one variable",
			"objective 0: Center has length 0, there must be at least one variable")
	}
	p := &Problem{n: n, convexity: math.Inf(1)}
	for i, q := range objectives {
		if len(q.Center) != n || len(q.A) != n*n {
			return nil, refused(fmt.Sprintf("objective %d", i), q, fmt.Sprintf("Center and A must have lengths %d and %d", n, n*n),
				fmt.Sprintf("objective %d: Center and A have lengths %d and %d, they must have %d and %d", i, len(q.Center), len(q.A), n, n*n))
		}
		if !algo.Finite(q.Center) || !algo.Finite(q.A) {
			return nil, refused(fmt.Sprintf("objective %d", i), q, "Center and A must be finite",
				fmt.Sprintf("objective %d: Center and A must be finite", i))
		}
		for r := range n {
			for c := range r {
				if q.A[r*n+c] != q.A[c*n+r] {
					return nil, refused(fmt.Sprintf("objective %d", i), q, "A must be symmetric",
						fmt.Sprintf("objective %d: A[%d][%d] = %v and A[%d][%d] = %v: A must be symmetric", i, r, c, q.A[r*n+c], c, r, q.A[c*n+r]))
				}
			}
		}
		own := Quadratic{A: append([]float64(nil), q.A...), Center: append([]float64(nil), q.Center...)}
		var eigen mat.EigenSym
		if !eigen.Factorize(mat.NewSymDense(n, append([]float64(nil), q.A...)), false) {
			return nil, fmt.Errorf("objective %d: the eigenvalues of A could not be computed", i)
		}
		values := eigen.Values(nil) // ascending
		if values[0] <= 0 {
			return nil, refused(fmt.Sprintf("objective %d: smallest eigenvalue of A", i), values[0], "it must be positive",
				fmt.Sprintf("objective %d: the smallest eigenvalue of A is %v, it must be positive", i, values[0]))
		}
		p.convexity = min(p.convexity, values[0])
		p.lipschitz = max(p.lipschitz, values[n-1])
		p.terms = append(p.terms, own)
	}
	if err := p.noise.Prepare(sigma); err != nil {
		return nil, err
	}
	return p, nil
}

// refused is the error of a value whose name and range make another sentence than
// usual.
func refused(name string, value any, allowed, text string) error {
	return &algo.RangeError{Name: name, Value: value, Allowed: allowed, Text: text}
}

// Dims returns the number of variables and of objectives.
func (p *Problem) Dims() (n, m int) { return p.n, len(p.terms) }

// Lipschitz returns the largest eigenvalue of all A_i: a Lipschitz constant of
// every gradient and of every convex combination of them.
func (p *Problem) Lipschitz() float64 { return p.lipschitz }

// StrongConvexity returns the smallest eigenvalue of all A_i: every convex
// combination of the objectives is strongly convex with this constant.
func (p *Problem) StrongConvexity() float64 { return p.convexity }

// Values stores f_i(x) in f.
func (p *Problem) Values(f, x []float64) {
	for i := range p.terms {
		q := &p.terms[i]
		var s float64
		for r, cr := range q.Center {
			s += (x[r] - cr) * q.slope(r, x)
		}
		f[i] = s / 2
	}
}

// slope returns element r of A(x−Center).
func (q *Quadratic) slope(r int, x []float64) float64 {
	n := len(q.Center)
	var s float64
	for c, a := range q.A[r*n : (r+1)*n] {
		s += a * (x[c] - q.Center[c])
	}
	return s
}

// Jacobian stores the rows A_i(x−c_i) in jac.
func (p *Problem) Jacobian(jac *algo.Jacobian, x []float64) {
	for i := range p.terms {
		row := jac.Row(i)
		for r := range row {
			row[r] = p.terms[i].slope(r, x)
		}
	}
}

// ValuesAt equals Values: the noise is on the gradients only.
func (p *Problem) ValuesAt(f, x []float64, _ *algo.Sample) { p.Values(f, x) }

// JacobianAt stores the Jacobian with the noise of sample s in jac.
func (p *Problem) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	p.Jacobian(jac, x)
	p.noise.AddTo(jac, s)
}

// WeightedGradientAt stores Σ w_i·A_i(x−c_i) with the noise of sample s in dst.
func (p *Problem) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	clear(dst)
	for i, wi := range w {
		if wi == 0 {
			continue
		}
		for r := range dst {
			dst[r] += wi * p.terms[i].slope(r, x)
		}
	}
	p.noise.AddWeightedTo(dst, w, s)
}

// GradientAt stores rows lo to hi of A_i(x−c_i) with the noise of sample s in dst.
func (p *Problem) GradientAt(dst []float64, i, lo, hi int, x []float64, s *algo.Sample) {
	for r := lo; r < hi; r++ {
		dst[r-lo] = p.terms[i].slope(r, x)
	}
	p.noise.AddPartTo(dst, i, lo, p.n, s)
}

// ParetoPoint stores the minimiser (Σ w_i A_i)⁻¹ Σ w_i A_i c_i of the weighted
// sum in x. The weights must be finite, not negative and not all zero; only
// their ratios matter.
func (p *Problem) ParetoPoint(x, w []float64) error {
	if len(w) != len(p.terms) || len(x) != p.n {
		panic("quadratics: length of point or weights")
	}
	sum := mat.NewSymDense(p.n, nil)
	right := mat.NewVecDense(p.n, nil)
	for i, wi := range w {
		if !(wi >= 0) || math.IsInf(wi, 1) {
			return &algo.RangeError{Name: fmt.Sprintf("weight %d", i), Value: wi, Allowed: "weights must be finite and not negative"}
		}
		a := mat.NewSymDense(p.n, p.terms[i].A)
		for r := range p.n {
			for c := r; c < p.n; c++ {
				sum.SetSym(r, c, sum.At(r, c)+wi*a.At(r, c))
			}
		}
		var ac mat.VecDense
		ac.MulVec(a, mat.NewVecDense(p.n, p.terms[i].Center))
		right.AddScaledVec(right, wi, &ac)
	}
	var factor mat.Cholesky
	if !factor.Factorize(sum) {
		return refused("weights", w, "the weighted sum of the matrices must be positive definite",
			fmt.Sprintf("weights %v: the weighted sum of the matrices is not positive definite", w))
	}
	if err := factor.SolveVecTo(mat.NewVecDense(p.n, x), right); err != nil {
		return fmt.Errorf("weights %v: %w", w, err)
	}
	return nil
}

// Front returns count points of the front of two objectives at equal distances
// of λ, from the minimum of f1 (λ = 1) to that of f2. It is an error to ask a
// problem with another number of objectives, and panics when count < 2.
func (p *Problem) Front(count int) ([][]float64, error) {
	if len(p.terms) != 2 {
		return nil, fmt.Errorf("front: the problem has %d objectives, a curve needs exactly 2", len(p.terms))
	}
	if count < 2 {
		panic("quadratics: a front needs at least two points")
	}
	points := make([][]float64, count)
	x := make([]float64, p.n)
	for i := range points {
		f := make([]float64, 2)
		points[i] = f
		lambda := 1 - float64(i)/float64(count-1)
		if err := p.ParetoPoint(x, []float64{lambda, 1 - lambda}); err != nil {
			return nil, err
		}
		p.Values(f, x)
	}
	return points, nil
}
