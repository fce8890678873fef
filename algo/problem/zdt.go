package problem

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

const (
	// ZDTDims is the number of variables usually used in the literature.
	ZDTDims = 30
	// ZDTMaxDims is the maximum number of variables in NewZDT.
	ZDTMaxDims = 1000

	// zdtFloor replaces smaller values of f1 inside the root in ∂f2/∂x1 of ZDT1 and ZDT3. Otherwise this derivative
	// would tend to −∞ as x1 tends to 0.
	zdtFloor = 1e-12
	// zdtSlope is the number 9 in g = 1 + 9/(d−1)·Σ.
	zdtSlope = 9.0
)

// zdt3Pieces are the intervals of x1 along the Pareto set of ZDT3. Each interval ends at a minimum of f2, and the
// next one begins where f2 falls below that minimum. All intervals except the first are open at their lower ends.
var zdt3Pieces = [][2]float64{
	{0, 0.083001534926911633},
	{0.18222872802939978, 0.25776236338783022},
	{0.40931367480865684, 0.45388210408883017},
	{0.61839679443926579, 0.65251170380466252},
	{0.82333179832663274, 0.8518328654364139},
}

// ZDT is one of the first three problems of Zitzler, Deb and Thiele, with d variables
// in [0, 1] and two objectives, f1 = x1 and f2 = g·h,
//
//	g = 1 + 9/(d−1) Σ_{i≥2} x_i
//	h = 1 − √(f1/g)                           ZDT1, a convex front
//	h = 1 − (f1/g)²                           ZDT2, a concave front
//	h = 1 − √(f1/g) − (f1/g)·sin(10π·f1)      ZDT3, a front in five pieces
//
// A point is Pareto optimal if g = 1, that is, x_i = 0 for i ≥ 2, and, in ZDT3, if x1 is in one of five intervals.
// Points with x1 = 0 and g > 1 are weakly Pareto optimal. There f1 cannot fall, so no direction decreases both
// objectives, although f2 can still fall.
//
// Gradient steps may leave the box, and √ may be undefined outside it. The problem is therefore algo.Bounded. In
// ∂f2/∂x1, f1 inside the root is replaced by 1e-12 if it is smaller.
//
// References:
//   - Zitzler, Deb & Thiele (2000), Comparison of multiobjective evolutionary
//     algorithms: empirical results, Evolutionary Computation 8(2), 173–195
type ZDT struct {
	number int
	d      int
	lo, hi []float64
}

var (
	_ algo.Problem = (*ZDT)(nil)
	_ algo.Bounded = (*ZDT)(nil)
)

// NewZDT returns ZDT1, ZDT2 or ZDT3, selected by number, with 2 ≤ d ≤ ZDTMaxDims variables.
func NewZDT(number, d int) (*ZDT, error) {
	if number < 1 || number > 3 {
		return nil, &algo.RangeError{Name: "number", Value: number, Allowed: "1, 2 or 3, for ZDT1 to ZDT3"}
	}
	if d < 2 || d > ZDTMaxDims {
		return nil, &algo.RangeError{Name: "d", Value: d, Allowed: fmt.Sprintf("the number of variables must be in 2..%d", ZDTMaxDims)}
	}
	p := &ZDT{number: number, d: d, lo: make([]float64, d), hi: make([]float64, d)}
	for i := range p.hi {
		p.hi[i] = 1
	}
	return p, nil
}

// Dims returns d and 2.
func (p *ZDT) Dims() (n, m int) { return p.d, 2 }

// Bounds returns 0 and 1 for every variable.
func (p *ZDT) Bounds() (lo, hi []float64) { return p.lo, p.hi }

// Remainder returns Σ_{i≥2} x_i, a number from 0 to d−1. It measures the distance of x from the Pareto set in all
// variables except the first.
func (p *ZDT) Remainder(x []float64) float64 {
	var s float64
	for _, v := range x[1:p.d] {
		s += v
	}
	return s
}

// g returns the value of g at x.
func (p *ZDT) g(x []float64) float64 { return 1 + float64(zdtSlope/float64(p.d-1)*p.Remainder(x)) }

// second returns f2 for given f1 and g.
func (p *ZDT) second(f1, g float64) float64 {
	switch p.number {
	case 1:
		return g - math.Sqrt(f1*g)
	case 2:
		return g - f1*f1/g
	}
	return g - math.Sqrt(f1*g) - float64(f1*portable.Sin(10*math.Pi*f1))
}

// Values stores in f the values of f1 and f2 at x.
func (p *ZDT) Values(f, x []float64) {
	f[0] = x[0]
	f[1] = p.second(x[0], p.g(x))
}

// slopes returns ∂f2/∂x1, and the derivative ∂f2/∂x_i, which is the same for all i ≥ 2.
func (p *ZDT) slopes(x []float64) (first, others float64) {
	f1, g := x[0], p.g(x)
	ratio := f1 / g
	switch p.number {
	case 1:
		first, others = -0.5*math.Sqrt(g/max(f1, zdtFloor)), 1-float64(0.5*math.Sqrt(ratio))
	case 2:
		first, others = -2*ratio, 1+float64(ratio*ratio)
	default:
		sine, cosine := portable.Sincos(10 * math.Pi * f1)
		first = float64(-0.5*math.Sqrt(g/max(f1, zdtFloor))) - sine - float64(10*math.Pi*f1*cosine)
		others = 1 - float64(0.5*math.Sqrt(ratio))
	}
	return first, others * zdtSlope / float64(p.d-1)
}

// Jacobian stores the gradients in jac.
func (p *ZDT) Jacobian(jac *algo.Jacobian, x []float64) {
	first, others := p.slopes(x)
	above, below := jac.Row(0), jac.Row(1)
	above[0], below[0] = 1, first
	for i := 1; i < p.d; i++ {
		above[i], below[i] = 0, others
	}
}

// WeightedGradient stores in dst, of length d, the vector w_1·∇f1 + w_2·∇f2 at x.
func (p *ZDT) WeightedGradient(dst, w, x []float64) {
	first, others := p.slopes(x)
	dst[0] = w[0] + float64(w[1]*first)
	if w[1] == 0 { // skips the objective, like algo.Jacobian.Combine
		dst[0] = w[0]
	}
	for i := 1; i < p.d; i++ {
		dst[i] = w[1] * others
	}
}

// ParetoIntervals returns the intervals of x1 along the Pareto set, from left to right.
func (p *ZDT) ParetoIntervals() [][2]float64 {
	if p.number < 3 {
		return [][2]float64{{0, 1}}
	}
	return append([][2]float64(nil), zdt3Pieces...)
}

// Front returns the pieces of the front, one for each of the ParetoIntervals. Each piece has count points, equally
// spaced in f1, or in √f1 if the front is steep at f1 = 0. Front panics if count < 2.
func (p *ZDT) Front(count int) [][][]float64 {
	if count < 2 {
		panic("problem: a front needs at least two points")
	}
	var pieces [][][]float64
	for _, interval := range p.ParetoIntervals() {
		points := rows(count, 2)
		for i, f := range points {
			share := float64(i) / float64(count-1)
			if interval[0] == 0 {
				share *= share
			}
			f[0] = interval[0] + float64((interval[1]-interval[0])*share)
			if i == count-1 {
				f[0] = interval[1]
			}
			f[1] = p.second(f[0], 1)
		}
		pieces = append(pieces, points)
	}
	return pieces
}

// Boundary returns count ≥ 2 points of the curve g = 1, equally spaced in √f1: the front and, in ZDT3, the curve
// between its pieces. No point of the box has objectives below this curve.
func (p *ZDT) Boundary(count int) [][]float64 {
	if count < 2 {
		panic("problem: a boundary needs at least two points")
	}
	points := rows(count, 2)
	for i, f := range points {
		share := float64(i) / float64(count-1)
		f[0] = share * share
		f[1] = p.second(f[0], 1)
	}
	return points
}
