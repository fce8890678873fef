package problem

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// TwoQuadratics is Fonseca's problem with transformed objectives:
//
//	f1(x) = ‖x − c‖²/4
//	f2(x) = ‖x + c‖²/4
//
// Fonseca's objectives are 1 − exp(−4·f_i). They have the same minimisers ±c = ±(1/√d, ..., 1/√d), the same Pareto set
// and the same level sets. The front, √f1 + √f2 = 1, is convex. The minimiser of λ·f1 + (1−λ)·f2 is (2λ−1)·c, so every
// point of the Pareto set corresponds to one λ.
type TwoQuadratics struct{ twoMinima }

var _ algo.Partial = (*TwoQuadratics)(nil)

// NewTwoQuadratics returns the problem with d variables, 1 ≤ d ≤ FonsecaMaxDims, and with gradient noise of standard
// deviation sigma ≥ 0.
func NewTwoQuadratics(d int, sigma float64) (*TwoQuadratics, error) {
	p := new(TwoQuadratics)
	if err := p.prepare(d, sigma); err != nil {
		return nil, err
	}
	return p, nil
}

// End returns the threshold for the front's ends: a point counts as an end if one of its objectives is below it. The
// ends are the same points as in Fonseca's problem.
func (p *TwoQuadratics) End() float64 { return -portable.Log1p(-FonsecaEnd) / 4 }

// Lipschitz returns 1/2, because the Hessian of every convex combination of the two objectives is half the identity.
func (p *TwoQuadratics) Lipschitz() float64 { return 0.5 }

// StrongConvexity returns 1/2 for the same reason as Lipschitz.
func (p *TwoQuadratics) StrongConvexity() float64 { return 0.5 }

// Values stores in f the values of f1 and f2 at x.
func (p *TwoQuadratics) Values(f, x []float64) {
	a, b := p.squaredDistances(x)
	f[0], f[1] = a/4, b/4
}

// Jacobian stores the rows (x−c_i)/2 in jac.
func (p *TwoQuadratics) Jacobian(jac *algo.Jacobian, x []float64) {
	first, second := jac.Data[:p.d], jac.Data[p.d:2*p.d]
	for i, v := range x[:p.d] {
		first[i] = (v - p.center) / 2
		second[i] = (v + p.center) / 2
	}
}

// ValuesAt does the same as Values, because only the gradients have noise.
func (p *TwoQuadratics) ValuesAt(f, x []float64, _ *algo.Sample) { p.Values(f, x) }

// JacobianAt stores in jac the Jacobian with the noise of sample s.
func (p *TwoQuadratics) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	p.Jacobian(jac, x)
	p.noise.AddTo(jac, s)
}

// WeightedGradientAt stores in dst w_1·∇f1 + w_2·∇f2, with the noise of sample s.
func (p *TwoQuadratics) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	for i, v := range x[:p.d] {
		dst[i] = float64(w[0]*((v-p.center)/2)) + float64(w[1]*((v+p.center)/2))
	}
	p.noise.AddWeightedTo(dst, w, s)
}

// GradientAt stores in dst the coordinates lo to hi−1 of (x−c_i)/2, with the noise of sample s.
func (p *TwoQuadratics) GradientAt(dst []float64, i, lo, hi int, x []float64, s *algo.Sample) {
	c := p.center
	if i == 1 {
		c = -c
	}
	for k, v := range x[lo:hi] {
		dst[k] = (v - c) / 2
	}
	p.noise.AddPartTo(dst, i, lo, p.d, s)
}

// FrontPoint stores the objectives of ParetoPoint(t) in f: f1 = d(t − 1/√d)²/4,
// f2 = d(t + 1/√d)²/4.
func (p *TwoQuadratics) FrontPoint(f []float64, t float64) { f[0], f[1] = p.onFront(t) }

func (p *TwoQuadratics) onFront(t float64) (f1, f2 float64) {
	d, c := float64(p.d), p.center
	return d * (t - c) * (t - c) / 4, d * (t + c) * (t + c) / 4
}

// Front returns count points of the front, equally spaced in t, from the minimum of f1 to the minimum of f2. It
// panics if count < 2.
func (p *TwoQuadratics) Front(count int) [][]float64 { return p.front(count, p.FrontPoint) }

// Gap returns the amount by which both objectives f can fall together before they reach the front.
func (p *TwoQuadratics) Gap(f []float64) float64 { return p.gap(f, p.onFront) }

// quadraticReach limits AttainableBoundary: there, the objective with the nearer minimiser is at most quadraticReach.
const quadraticReach = 400

// AttainableBoundary returns the boundary of the attainable set in objective space, like Fonseca.AttainableBoundary,
// for points at which the objective with the nearer minimiser is at most 400. The boundary is the image of the straight
// line through the two minimisers, closed by a corner that connects its two ends. AttainableBoundary panics if
// count < 1.
func (p *TwoQuadratics) AttainableBoundary(count int) [][]float64 {
	if count < 1 {
		panic("problem: a boundary needs at least one point on each of its parts")
	}
	points := rows(3*count+2, 2)
	// Distances that grow cubically make the bend near the minimisers smooth.
	outer := func(i int) (near, far float64) {
		u := float64(i) / float64(count)
		r := float64(math.Sqrt(quadraticReach) * u * u * u)
		return r * r, (r + 1) * (r + 1)
	}
	for i := range count {
		near, far := outer(count - i)
		points[i][0], points[i][1] = far, near
		p.FrontPoint(points[count+i], float64(p.center*(2*float64(i)/float64(count)-1)))
	}
	for i := range count + 1 {
		points[2*count+i][0], points[2*count+i][1] = outer(i)
	}
	_, corner := outer(count)
	points[3*count+1][0], points[3*count+1][1] = corner, corner
	return points
}
