package problem

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

const (
	// ToyView is half the side of the usual window for the toy problem, [-10, 10] in both variables.
	ToyView = 10.0
	// ToyPaperX2 is the x2 of the Pareto set in the papers' figures, for x1 from −7 to 7. It is correct in the
	// middle. Towards both ends, the true set falls to −8.4345.
	ToyPaperX2 = -8.3552

	toyFloor   = 5e-6 // minimum of |u| inside the logarithm
	toyCenter  = 7.0  // the basins are at x1 = ±7
	toyBottom  = 20.0 // depth of the basins
	toyFlatten = 0.1  // factor of the squared distance along x2 in the basins
	toyShift   = 8.0  // the basins are at x2 = −8 before the gate tilts them
)

// toyStarts holds the starts used in the literature. CAGrad uses (−8.5, 7.5), (−8.5, −5) and (9, 9); Nash-MTL and
// FAMO use all except (−8.5, −5).
var toyStarts = [...][2]float64{{-8.5, 7.5}, {-8.5, -5}, {-7.5, -0.5}, {0, 0}, {9, -1}, {9, 9}}

// Toy is the problem with two variables and two conflicting objectives that the papers on CAGrad, Nash-MTL, FAMO and
// FairGrad use for comparisons,
//
//	f1 = scale·(l1·c1 + s1·c2)     f2 = l2·c1 + s2·c2
//	l_i = log max(|u_i|, 5e-6) + 6
//	u1 = ½(−x1−7) − tanh(−x2)      u2 = ½(−x1+3) + tanh(−x2) + 2
//	s1 = ((−x1+7)² + 0.1(−x2−8)²)/10 − 20
//	s2 = ((−x1−7)² + 0.1(−x2−8)²)/10 − 20
//	c1 = max(tanh(x2/2), 0)        c2 = max(tanh(−x2/2), 0)
//
// Above x2 = 0 each objective has a narrow valley with steep logarithmic walls, along u_i = 0. Below x2 = 0, each
// objective has a wide basin around (±7, −8). Between the valleys the gradients conflict, and plain descent gets
// stuck.
//
// The gates c1 and c2 have a kink at x2 = 0, where both are treated as active: their derivatives there are +½ and −½,
// as for the clamp in the published code. The logarithm is constant where |u_i| is below 5e-6.
//
// The Pareto set is a curve in the basin, with x1 from −7 to 7. There f1/scale and f2 differ only in the centre of
// the quadratic. The sum with weight w on f1/scale therefore has its minimum at x1 = 7(2w−1), and at the x2 where the
// slope along x2 is 0. The curve is nearly flat, and the papers draw it as a straight line at ToyPaperX2.
//
// References:
//   - Liu, Liu, Jin, Stone & Liu (2021), Conflict-averse gradient descent for
//     multi-task learning, NeurIPS 34, appendix B (scale 1).
//   - Navon et al. (2022), Multi-task learning as a bargaining game, ICML,
//     appendix (scale 0.1); Liu, Feng, Stone & Liu (2023), FAMO, NeurIPS 36.
type Toy struct {
	scale    float64
	noise    GradientNoise
	jacobian *algo.Jacobian // scratch space
}

var _ algo.Partial = (*Toy)(nil)

// NewToy returns the problem. scale > 0 multiplies the first objective; it is 1 in CAGrad and 0.1 in later papers.
// sigma ≥ 0 is the standard deviation of the gradient noise.
func NewToy(scale, sigma float64) (*Toy, error) {
	if !(scale > 0) || math.IsInf(scale, 1) {
		return nil, &algo.RangeError{Name: "scale", Value: scale, Allowed: "the scale of the first objective must be finite and positive"}
	}
	p := &Toy{scale: scale, jacobian: algo.NewJacobian(2, 2)}
	if err := p.noise.Prepare(sigma); err != nil {
		return nil, err
	}
	return p, nil
}

// Dims returns 2 variables and 2 objectives.
func (p *Toy) Dims() (n, m int) { return 2, 2 }

// Scale returns the scale of the first objective.
func (p *Toy) Scale() float64 { return p.scale }

// Sigma returns the standard deviation of the gradient noise.
func (p *Toy) Sigma() float64 { return p.noise.Sigma() }

// ToyStarts returns a new copy of the six starts used in the literature.
func ToyStarts() [][]float64 {
	starts := rows(len(toyStarts), 2)
	for i, s := range toyStarts {
		copy(starts[i], s[:])
	}
	return starts
}

// LowerBounds returns numbers strictly below every value of the objectives: −21 times the scale of each, as in FAMO.
func (p *Toy) LowerBounds() []float64 { return []float64{-21 * p.scale, -21} }

// toyValley returns log max(|u|, floor) + 6, and its derivative with respect to u.
func toyValley(u float64) (value, slope float64) {
	if a := math.Abs(u); a >= toyFloor {
		return portable.Log(a) + 6, 1 / u
	}
	return portable.Log(toyFloor) + 6, 0
}

// toyBasin returns ((−x1+c)² + 0.1(−x2−8)²)/10 − 20, and its derivatives.
func toyBasin(x1, x2, c float64) (value, d1, d2 float64) {
	a, b := -x1+c, -x2-toyShift
	return (float64(a*a)+float64(toyFlatten*b*b))/10 - toyBottom, -a / 5, -toyFlatten * b / 5
}

// toyGate returns max(tanh(t), 0), and its derivative with respect to t. At t = 0 it returns 1, the derivative of
// tanh.
func toyGate(t float64) (value, slope float64) {
	if t < 0 {
		return 0, 0
	}
	value = portable.Tanh(t)
	return value, 1 - float64(value*value)
}

// Values stores in f the values of f1 and f2 at x.
func (p *Toy) Values(f, x []float64) {
	x1, x2 := x[0], x[1]
	t := portable.Tanh(-x2)
	c1, _ := toyGate(x2 / 2)
	c2, _ := toyGate(-x2 / 2)
	l1, _ := toyValley(float64(0.5*(-x1-7)) - t)
	l2, _ := toyValley(float64(0.5*(-x1+3)) + t + 2)
	s1, _, _ := toyBasin(x1, x2, toyCenter)
	s2, _, _ := toyBasin(x1, x2, -toyCenter)
	f[0] = p.scale * (float64(l1*c1) + float64(s1*c2))
	f[1] = float64(l2*c1) + float64(s2*c2)
}

// Jacobian stores the gradients in jac.
func (p *Toy) Jacobian(jac *algo.Jacobian, x []float64) {
	x1, x2 := x[0], x[1]
	t := portable.Tanh(-x2)
	dt := float64(t*t) - 1 // ∂tanh(−x2)/∂x2
	c1, dc1 := toyGate(x2 / 2)
	c2, dc2 := toyGate(-x2 / 2)
	dc1, dc2 = dc1/2, -dc2/2
	l1, dl1 := toyValley(float64(0.5*(-x1-7)) - t)
	l2, dl2 := toyValley(float64(0.5*(-x1+3)) + t + 2)
	s1, s11, s12 := toyBasin(x1, x2, toyCenter)
	s2, s21, s22 := toyBasin(x1, x2, -toyCenter)
	jac.Data[0] = p.scale * (float64(-0.5*dl1*c1) + float64(s11*c2))
	jac.Data[1] = p.scale * (float64(-dl1*dt*c1) + float64(l1*dc1) + float64(s12*c2) + float64(s1*dc2))
	jac.Data[2] = float64(-0.5*dl2*c1) + float64(s21*c2)
	jac.Data[3] = float64(dl2*dt*c1) + float64(l2*dc1) + float64(s22*c2) + float64(s2*dc2)
}

// ValuesAt does the same as Values, because only the gradients have noise.
func (p *Toy) ValuesAt(f, x []float64, _ *algo.Sample) { p.Values(f, x) }

// JacobianAt stores in jac the Jacobian with the noise of sample s.
func (p *Toy) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	p.Jacobian(jac, x)
	p.noise.AddTo(jac, s)
}

// WeightedGradientAt stores in dst w_1·∇f1 + w_2·∇f2, with the noise of sample s.
func (p *Toy) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	p.Jacobian(p.jacobian, x)
	p.jacobian.Combine(dst, w)
	p.noise.AddWeightedTo(dst, w, s)
}

// GradientAt stores in dst the coordinates lo to hi−1 of the gradient of objective i, with the noise of sample s.
func (p *Toy) GradientAt(dst []float64, i, lo, hi int, x []float64, s *algo.Sample) {
	p.Jacobian(p.jacobian, x)
	copy(dst, p.jacobian.Row(i)[lo:hi])
	p.noise.AddPartTo(dst, i, lo, 2, s)
}

// ParetoInterval returns the ends −7 and 7 of x1 along the Pareto set.
func (p *Toy) ParetoInterval() (lo, hi float64) { return -toyCenter, toyCenter }

// ParetoPoint stores in x the Pareto point with x1 = t. It panics if t is outside ParetoInterval.
func (p *Toy) ParetoPoint(x []float64, t float64) {
	if !(t >= -toyCenter && t <= toyCenter) {
		panic("problem: t is outside the Pareto interval")
	}
	// With weight w = (t+7)/14 on f1/scale, the weighted basin is s = (49 − t²)/10 + 0.01(x2+8)² − 20, which is
	// negative here. The slope of s·c2 along x2 is 0.02(x2+8)·c2 + s·dc2: positive at −8, negative at −9.
	lo, hi := -toyShift-1, -toyShift
	for range 100 {
		x2 := float64((lo + hi) / 2)
		if x2 == lo || x2 == hi {
			break
		}
		b := x2 + toyShift
		s := (toyCenter*toyCenter-float64(t*t))/10 + toyFlatten*b*b/10 - toyBottom
		c2, dc2 := toyGate(-x2 / 2)
		if float64(toyFlatten*b/5*c2)-float64(s*dc2/2) > 0 {
			hi = x2
		} else {
			lo = x2
		}
	}
	x[0], x[1] = t, (lo+hi)/2
}

// FrontPoint stores the objectives of ParetoPoint(t) in f.
func (p *Toy) FrontPoint(f []float64, t float64) {
	var x [2]float64
	p.ParetoPoint(x[:], t)
	p.Values(f, x[:])
}

// Front returns count points of the global front, equally spaced in x1, from the minimum of f1 to the minimum of f2.
// It panics if count < 2.
func (p *Toy) Front(count int) [][]float64 {
	if count < 2 {
		panic("problem: a front needs at least two points")
	}
	points := rows(count, 2)
	for i, f := range points {
		p.FrontPoint(f, toyCenter*(1-2*float64(i)/float64(count-1)))
	}
	return points
}
