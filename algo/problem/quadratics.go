package problem

import (
	"fmt"
	"math"

	"paretoplay/algo"
)

// QuadraticObjective is ½(x−Center)ᵀA(x−Center) in n variables.
type QuadraticObjective struct {
	A      []float64 // n×n in row-major order, symmetric and positive definite
	Center []float64 // length n
}

// Quadratics is a problem with m ≥ 1 quadratic objectives in n variables,
//
//	f_i(x) = ½(x−c_i)ᵀA_i(x−c_i).
//
// All objectives are strongly convex. The Pareto set is therefore exactly the set of minimisers of weighted sums, (Σ
// w_i A_i)⁻¹ Σ w_i A_i c_i for w in the simplex. For two objectives the set is the curve
// (λA1+(1−λ)A2)⁻¹(λA1c1+(1−λ)A2c2), λ in [0, 1].
//
// References:
//   - Désidéri J A: Multiple-gradient descent algorithm (MGDA) for multiobjective
//     optimization. Comptes Rendus Mathematique 350, 313–318 (2012)
//   - Miettinen K: Nonlinear Multiobjective Optimization, section 3.1: weighted
//     sums of convex objectives. Kluwer (1999)
type Quadratics struct {
	n         int
	terms     []QuadraticObjective
	lipschitz float64
	convexity float64
	noise     GradientNoise
}

var _ algo.Partial = (*Quadratics)(nil)

// NewQuadratics returns the problem with the given objectives and gradient noise of standard deviation sigma ≥ 0. It
// copies its arguments. Every A must be symmetric, and positive definite by more than rounding errors. All numbers
// must be finite. It returns an *algo.RangeError that names an invalid argument.
func NewQuadratics(sigma float64, objectives ...QuadraticObjective) (*Quadratics, error) {
	if len(objectives) == 0 {
		return nil, refusedQuadratic("objectives", len(objectives), "there must be at least one", "objectives: there must be at least one")
	}
	n := len(objectives[0].Center)
	if n == 0 {
		return nil, refusedQuadratic("objective 0: Center", objectives[0].Center, "there must be at least one variable",
			"objective 0: Center has length 0; there must be at least one variable")
	}
	p := &Quadratics{n: n, convexity: math.Inf(1)}
	for i, q := range objectives {
		name := fmt.Sprintf("objective %d", i)
		if len(q.Center) != n || len(q.A) != n*n {
			return nil, refusedQuadratic(name, q, fmt.Sprintf("Center and A must have lengths %d and %d", n, n*n),
				fmt.Sprintf("objective %d: Center and A have lengths %d and %d; they must have %d and %d", i, len(q.Center), len(q.A), n, n*n))
		}
		if !algo.Finite(q.Center) || !algo.Finite(q.A) {
			return nil, refusedQuadratic(name, q, "Center and A must be finite", name+": Center and A must be finite")
		}
		for r := range n {
			for c := range r {
				if q.A[r*n+c] != q.A[c*n+r] {
					return nil, refusedQuadratic(name, q, "A must be symmetric",
						fmt.Sprintf("objective %d: A[%d][%d] = %v and A[%d][%d] = %v: A must be symmetric", i, r, c, q.A[r*n+c], c, r, q.A[c*n+r]))
				}
			}
		}
		own := QuadraticObjective{A: append([]float64(nil), q.A...), Center: append([]float64(nil), q.Center...)}
		least, most := extremeEigenvalues(own.A, n)
		if !(least > 0) || factorize(own.A, n, nil).rank < n {
			return nil, refusedQuadratic(name+": smallest eigenvalue of A", least, "it must be positive by more than rounding errors",
				fmt.Sprintf("objective %d: the smallest eigenvalue of A is %v; it must be positive by more than rounding errors", i, least))
		}
		p.convexity = min(p.convexity, least)
		p.lipschitz = max(p.lipschitz, most)
		p.terms = append(p.terms, own)
	}
	if err := p.noise.Prepare(sigma); err != nil {
		return nil, err
	}
	return p, nil
}

// refusedQuadratic returns an *algo.RangeError with the given text.
func refusedQuadratic(name string, value any, allowed, text string) error {
	return &algo.RangeError{Name: name, Value: value, Allowed: allowed, Text: text}
}

// Dims returns the number of variables and of objectives.
func (p *Quadratics) Dims() (n, m int) { return p.n, len(p.terms) }

// Sigma returns the standard deviation of the gradient noise.
func (p *Quadratics) Sigma() float64 { return p.noise.Sigma() }

// Lipschitz returns the largest of the eigenvalues of all A_i. It is a Lipschitz constant of every gradient and of
// every convex combination of gradients.
func (p *Quadratics) Lipschitz() float64 { return p.lipschitz }

// StrongConvexity returns the smallest of the eigenvalues of all A_i. Every convex combination of the objectives is
// strongly convex with this constant.
func (p *Quadratics) StrongConvexity() float64 { return p.convexity }

// WeightedConvexity returns the smallest eigenvalue of Σ w_i A_i, the largest constant with which Σ w_i f_i is
// strongly convex. The weights must be finite, not negative and not all zero. WeightedConvexity panics unless there
// are m weights.
func (p *Quadratics) WeightedConvexity(w []float64) (float64, error) {
	hessian, err := p.hessian(w)
	if err != nil {
		return 0, err
	}
	least, _ := extremeEigenvalues(hessian, p.n)
	return least, nil
}

// hessian returns Σ w_i A_i.
func (p *Quadratics) hessian(w []float64) ([]float64, error) {
	if len(w) != len(p.terms) {
		panic("problem: wrong number of weights")
	}
	if _, err := largestWeight(w); err != nil {
		return nil, err
	}
	sum := make([]float64, p.n*p.n)
	for i, wi := range w {
		addScaled(sum, wi, p.terms[i].A)
	}
	return sum, nil
}

// Values stores f_i(x) in f.
func (p *Quadratics) Values(f, x []float64) {
	for i := range p.terms {
		q := &p.terms[i]
		var s float64
		for r, cr := range q.Center {
			s += float64((x[r] - cr) * q.slope(r, x))
		}
		f[i] = s / 2
	}
}

// slope returns element r of A(x−Center).
func (q *QuadraticObjective) slope(r int, x []float64) float64 {
	n := len(q.Center)
	var s float64
	for c, a := range q.A[r*n : (r+1)*n] {
		s += float64(a * (x[c] - q.Center[c]))
	}
	return s
}

// Jacobian stores the rows A_i(x−c_i) in jac.
func (p *Quadratics) Jacobian(jac *algo.Jacobian, x []float64) {
	for i := range p.terms {
		row := jac.Row(i)
		for r := range row {
			row[r] = p.terms[i].slope(r, x)
		}
	}
}

// ValuesAt does the same as Values, because only the gradients have noise.
func (p *Quadratics) ValuesAt(f, x []float64, _ *algo.Sample) { p.Values(f, x) }

// JacobianAt stores in jac the Jacobian with the noise of sample s.
func (p *Quadratics) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	p.Jacobian(jac, x)
	p.noise.AddTo(jac, s)
}

// WeightedGradientAt stores in dst Σ w_i·A_i(x−c_i), with the noise of sample s.
func (p *Quadratics) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	clear(dst)
	for i, wi := range w {
		if wi == 0 {
			continue
		}
		for r := range dst {
			dst[r] += float64(wi * p.terms[i].slope(r, x))
		}
	}
	p.noise.AddWeightedTo(dst, w, s)
}

// GradientAt stores in dst the entries lo to hi−1 of A_i(x−c_i), with the noise of sample s.
func (p *Quadratics) GradientAt(dst []float64, i, lo, hi int, x []float64, s *algo.Sample) {
	for r := lo; r < hi; r++ {
		dst[r-lo] = p.terms[i].slope(r, x)
	}
	p.noise.AddPartTo(dst, i, lo, p.n, s)
}

// ParetoPoint stores in x the minimiser (Σ w_i A_i)⁻¹ Σ w_i A_i c_i of the weighted sum. The weights must be finite,
// not negative and not all zero; only their ratios matter. ParetoPoint panics unless x has length n and w has length m.
func (p *Quadratics) ParetoPoint(x, w []float64) error {
	if len(x) != p.n {
		panic("problem: wrong length of point")
	}
	relative, err := relativeWeights(w, len(p.terms))
	if err != nil {
		return err
	}
	hessian, err := p.hessian(relative)
	if err != nil {
		return err
	}
	factor := factorize(hessian, p.n, nil)
	step := make([]float64, p.n)
	clear(x)
	for range newtonSteps {
		clear(step)
		for i, wi := range relative {
			for r := range step {
				step[r] += float64(wi * p.terms[i].slope(r, x))
			}
		}
		factor.solve(step)
		addScaled(x, -1, step)
	}
	return nil
}

// Front returns count points of the front of two objectives, equally spaced in λ, from the minimum of f1 (λ = 1) to
// the minimum of f2. It returns an error unless the problem has two objectives. It panics if count < 2.
func (p *Quadratics) Front(count int) ([][]float64, error) {
	if len(p.terms) != 2 {
		return nil, fmt.Errorf("front: the problem has %d objectives; it must have 2", len(p.terms))
	}
	if count < 2 {
		panic("problem: a front needs at least two points")
	}
	points := rows(count, 2)
	x := make([]float64, p.n)
	for i, f := range points {
		lambda := 1 - float64(i)/float64(count-1)
		if err := p.ParetoPoint(x, []float64{lambda, 1 - lambda}); err != nil {
			return nil, err
		}
		p.Values(f, x)
	}
	return points, nil
}

// maxSweeps is the maximum number of sweeps in extremeEigenvalues. Convergence is quadratic, so matrices of any size
// need about ten.
const maxSweeps = 60

// extremeEigenvalues returns the smallest and the largest eigenvalue of the symmetric n×n matrix a, n ≥ 1. It applies
// Jacobi's cyclic rotations until every off-diagonal element is only a rounding error compared with the diagonal
// elements of its row and its column. Small eigenvalues of a positive definite matrix are then accurate too.
//
// Reference: Demmel & Veselić (1992), Jacobi's method is more accurate than QR, SIAM
// Journal on Matrix Analysis and Applications 13.
func extremeEigenvalues(a []float64, n int) (least, most float64) {
	h := append([]float64(nil), a...)
	for range maxSweeps {
		rotated := false
		for r := 1; r < n; r++ {
			for c := range r {
				rotated = annihilate(h, n, c, r) || rotated
			}
		}
		if !rotated {
			break
		}
	}
	least, most = h[0], h[0]
	for i := 1; i < n; i++ {
		least, most = min(least, h[i*n+i]), max(most, h[i*n+i])
	}
	return least, most
}

// annihilate sets element (p, q) of the symmetric matrix h to zero by a rotation. If the element is only a rounding
// error compared with the diagonal elements (p, p) and (q, q), annihilate does nothing and returns true.
func annihilate(h []float64, n, p, q int) bool {
	const epsilon = 0x1p-53
	off, first, second := h[p*n+q], h[p*n+p], h[q*n+q]
	if math.Abs(off) <= epsilon*math.Sqrt(math.Abs(first))*math.Sqrt(math.Abs(second)) {
		return false
	}
	// This is the tangent of the smaller angle, even if θ² overflows.
	theta := (second - first) / 2 / off
	tangent := math.Copysign(1/(math.Abs(theta)+math.Sqrt(float64(theta*theta)+1)), theta)
	cosine := 1 / math.Sqrt(float64(tangent*tangent)+1)
	sine := tangent * cosine
	h[p*n+p], h[q*n+q] = first-float64(tangent*off), second+float64(tangent*off)
	h[p*n+q], h[q*n+p] = 0, 0
	for i := range n {
		if i == p || i == q {
			continue
		}
		x, y := h[i*n+p], h[i*n+q]
		u, v := float64(cosine*x)-float64(sine*y), float64(sine*x)+float64(cosine*y)
		h[i*n+p], h[p*n+i] = u, u
		h[i*n+q], h[q*n+i] = v, v
	}
	return true
}
