package problem

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

const (
	// FonsecaView is half the side of the interesting window, [-2, 2] in every variable. Outside the window, both
	// gradients almost vanish.
	FonsecaView = 2.0
	// FonsecaBox is half the side of the usual search box [-4, 4]^d. The box is only a window: the problem and its
	// runs are unconstrained.
	FonsecaBox = 4.0
	// FonsecaEnd is the objective value below which a point counts as one of the front's ends.
	FonsecaEnd = 0.05
	// FonsecaMaxDims is the maximum number of variables in NewFonseca.
	FonsecaMaxDims = 30
)

// Fonseca is the problem of Fonseca and Fleming with d variables and two
// objectives,
//
//	f1(x) = 1 − exp(−Σ_i (x_i − 1/√d)²)
//	f2(x) = 1 − exp(−Σ_i (x_i + 1/√d)²),
//
// i = 1..d. Both depend on x only through its distances r1 and r2 to the two minimisers ±(1/√d,
// ..., 1/√d), which are 2 apart for every d.
//
// The Pareto set is the segment between the minimisers: x_i = t for all i, with t in [−1/√d, 1/√d]. The front is not
// convex, so every minimiser of a weighted sum with constant weights is near one end of the segment.
//
// References:
//   - Fonseca C M and Fleming P J: Multiobjective optimization and multiple
//     constraint handling with evolutionary algorithms, part II: application
//     example. IEEE Transactions on Systems, Man, and Cybernetics A 28(1),
//     38–47 (1998)
//   - Fonseca C M and Fleming P J: On the performance assessment and comparison
//     of stochastic multiobjective optimizers. PPSN IV, LNCS 1141, 584–593 (1996)
type Fonseca struct{ twoMinima }

var _ algo.Partial = (*Fonseca)(nil)

// NewFonseca returns the problem with d variables, 1 ≤ d ≤ FonsecaMaxDims, and with gradient noise of standard
// deviation sigma ≥ 0.
func NewFonseca(d int, sigma float64) (*Fonseca, error) {
	p := new(Fonseca)
	if err := p.prepare(d, sigma); err != nil {
		return nil, err
	}
	return p, nil
}

// End returns FonsecaEnd.
func (p *Fonseca) End() float64 { return FonsecaEnd }

// Lipschitz returns L = 2, a Lipschitz constant of both gradients and of their convex combinations. The Hessian of
// f_i is 2·exp(−r²)·(I − 2(x−c)(x−c)ᵀ) with r = ‖x−c‖. Its eigenvalues are 2·exp(−r²) across x−c and 2·exp(−r²)(1 −
// 2r²) along x−c. The first is at most 2, at x = c; the second is in [−4·exp(−3/2), 2].
func (p *Fonseca) Lipschitz() float64 { return 2 }

// Values stores f1 and f2 at x in f.
func (p *Fonseca) Values(f, x []float64) {
	a, b := p.squaredDistances(x)
	// Expm1 preserves the digits of values near 0 that 1 − exp(·) would lose.
	f[0], f[1] = -portable.Expm1(-a), -portable.Expm1(-b)
}

// Jacobian stores the rows 2(x−c_i)·exp(−‖x−c_i‖²) in jac.
func (p *Fonseca) Jacobian(jac *algo.Jacobian, x []float64) {
	a, b := p.squaredDistances(x)
	ea, eb := 2*portable.Exp(-a), 2*portable.Exp(-b)
	c := p.center
	first, second := jac.Data[:p.d], jac.Data[p.d:2*p.d]
	for i, v := range x[:p.d] {
		first[i] = ea * (v - c)
		second[i] = eb * (v + c)
	}
}

// ValuesAt does the same as Values, because only the gradients have noise.
func (p *Fonseca) ValuesAt(f, x []float64, _ *algo.Sample) { p.Values(f, x) }

// JacobianAt stores in jac the Jacobian with the noise of sample s.
func (p *Fonseca) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	p.Jacobian(jac, x)
	p.noise.AddTo(jac, s)
}

// WeightedGradientAt stores in dst w_1·∇f1 + w_2·∇f2, with the noise of sample s.
func (p *Fonseca) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	a, b := p.squaredDistances(x)
	var ea, eb float64
	// Skip objectives of weight zero, as algo.Jacobian.Combine does.
	if w[0] != 0 {
		ea = 2 * w[0] * portable.Exp(-a)
	}
	if w[1] != 0 {
		eb = 2 * w[1] * portable.Exp(-b)
	}
	c := p.center
	for i, v := range x[:p.d] {
		dst[i] = float64(ea*(v-c)) + float64(eb*(v+c))
	}
	p.noise.AddWeightedTo(dst, w, s)
}

// GradientAt stores in dst the coordinates lo to hi−1 of 2(x−c_i)·exp(−‖x−c_i‖²), with the noise of sample s.
func (p *Fonseca) GradientAt(dst []float64, i, lo, hi int, x []float64, s *algo.Sample) {
	a, b := p.squaredDistances(x)
	r, c := a, p.center
	if i == 1 {
		r, c = b, -p.center
	}
	e := 2 * portable.Exp(-r)
	for k, v := range x[lo:hi] {
		dst[k] = e * (v - c)
	}
	p.noise.AddPartTo(dst, i, lo, p.d, s)
}

// FrontPoint stores the objectives of ParetoPoint(t) in f:
// f1 = 1 − exp(−d(t − 1/√d)²), f2 = 1 − exp(−d(t + 1/√d)²).
func (p *Fonseca) FrontPoint(f []float64, t float64) { f[0], f[1] = p.onFront(t) }

func (p *Fonseca) onFront(t float64) (f1, f2 float64) {
	d, c := float64(p.d), p.center
	return -portable.Expm1(-d * (t - c) * (t - c)), -portable.Expm1(-d * (t + c) * (t + c))
}

// Gap returns the amount by which both objectives f can fall together before they reach the front. For attainable
// objectives the gap is 0 only on the front.
func (p *Fonseca) Gap(f []float64) float64 { return p.gap(f, p.onFront) }

// Attainable reports whether some x has the objectives (f1, f2). Let r_i = √(−log(1−f_i)) be the
// distances that give these objectives. For d ≥ 2 such an x exists exactly if there is a triangle
// with sides r1, r2 and 2,
//
//	|r1 − r2| ≤ 2 ≤ r1 + r2.
//
// For d = 1 such an x exists exactly if that triangle is flat, that is, if one of the two inequalities holds with
// equality. The attainable set is then only a curve. Attainable checks both conditions with the given tolerance for
// the distances.
func (p *Fonseca) Attainable(f1, f2, tolerance float64) bool {
	if !(f1 >= 0 && f1 < 1 && f2 >= 0 && f2 < 1) {
		return false
	}
	r1, r2 := math.Sqrt(-portable.Log1p(-f1)), math.Sqrt(-portable.Log1p(-f2))
	excess := r1 + r2 - 2        // ≥ 0 inside
	slack := 2 - math.Abs(r1-r2) // ≥ 0 inside
	if p.d == 1 {
		return math.Abs(excess) <= tolerance || math.Abs(slack) <= tolerance
	}
	return excess >= -tolerance && slack >= -tolerance
}

// AttainableBoundary returns the boundary of the attainable set in objective space, as a closed loop of 3·count+1
// points that starts at (1, 1). The boundary is the image of the straight line through the two minimisers. Its parts
// are r1 − r2 = 2 (beyond the minimiser of f2), r1 + r2 = 2 (the Pareto front) and r2 − r1 = 2 (beyond the minimiser
// of f1). For d ≥ 2 the attainable set is the loop with its interior. For d = 1 it is only the loop. The point (1, 1)
// is a limit that no x attains. AttainableBoundary panics if count < 1.
func (p *Fonseca) AttainableBoundary(count int) [][]float64 {
	if count < 1 {
		panic("problem: a boundary needs at least one point on each of its parts")
	}
	points := rows(3*count+1, 2)
	// On the outer parts, equal steps in the objective of the nearer minimiser distribute the points evenly. Equal steps
	// in the distance would crowd the points at (1, 1).
	outer := func(i int) (near, far float64) {
		near = float64(i) / float64(count)
		r := math.Sqrt(-portable.Log1p(-near)) + 2
		return near, -portable.Expm1(-r * r)
	}
	for i := range count {
		near, far := outer(count - i)
		points[i][0], points[i][1] = far, near
		p.FrontPoint(points[count+i], p.center*(2*float64(i)/float64(count)-1))
	}
	for i := range count + 1 {
		points[2*count+i][0], points[2*count+i][1] = outer(i)
	}
	return points
}

// Front returns count points of the front, equally spaced in t, from the minimum of f1 to the minimum of f2. It
// panics if count < 2.
func (p *Fonseca) Front(count int) [][]float64 { return p.front(count, p.FrontPoint) }
