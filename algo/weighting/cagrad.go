package weighting

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/algo/param"
)

// Rescale determines the divisor of CAGrad's direction.
type Rescale int

const (
	RescaleNone   Rescale = iota // 1
	RescaleSquare                // 1 + c²
	RescaleLinear                // 1 + c
)

var rescales = [...]string{
	RescaleNone:   "none",
	RescaleSquare: "sq",
	RescaleLinear: "lin",
}

// String returns the value's name on the command line.
func (r Rescale) String() string {
	return choiceName(rescales[:], "rescale", r)
}

// ParseRescale returns the Rescale with the given name. Its error lists the available names.
func ParseRescale(name string) (Rescale, error) {
	return parseChoice[Rescale](rescales[:], "rescale", name)
}

// CAGrad finds
//
//	w = argmin_{w∈Δ} F(w),  F(w) = g_w·g_0 + √φ‖g_w‖,  φ = c²‖g_0‖²
//	direction g_0 + (√φ/‖g_w‖) g_w
//
// where g_0 is the mean gradient and g_w = Σ w_i g_i, and then rescales the direction. CAGrad stands for
// conflict-averse gradient descent. Before rescaling, the direction is the vector within c‖g_0‖ of g_0 that maximises
// the smallest product with a gradient. The weights are w. If g_w = 0, the maximum is 0, and several vectors may
// attain it; the paper's formula then does not define the direction. CAGrad takes the vector nearest to g_0: the
// projection of g_0 onto the dual cone {d : Gd ≥ 0}.
//
// The solution is exact up to rounding. For a fixed τ = ‖g_w‖/√φ, the optimality conditions describe the point of least
// norm in the hull of the rows g_i + τg_0. On the rows that are active at this point, ‖g_w‖² = A + Dτ², so
// τ² = A/(φ − D). As τ changes, the active rows change only a few times, and the method brackets these changes.
//
// References:
//   - Liu, Liu, Jin, Stone & Liu (2021), Conflict-averse gradient descent for
//     multi-task learning, NeurIPS 34, Algorithm 1; the rescalings are from
//     its code.
type CAGrad struct {
	memoryless
	c       float64
	rescale Rescale
	solver  minnorm.Solver

	shifted, factor []float64 // m×m
	products, norms []float64 // g_i·g_0 and ‖g_i‖
	x, b, w         []float64 // w(τ) = x + τb on the active rows
	active          []int
	combination     []float64 // m, coefficients of the direction
	vector          []float64 // n, g_0 or g_w
	cone            dualCone
	rows            unitRows
}

var _ algo.Weighting = (*CAGrad)(nil)

// NewCAGrad returns the rule with a finite c ≥ 0; the paper's theory requires c < 1. It panics if rescale is not one of
// the Rescale constants.
func NewCAGrad(c float64, rescale Rescale) (*CAGrad, error) {
	if !isChoice(rescales[:], rescale) {
		panic("weighting: " + rescale.String())
	}
	if err := notNegative("c", c); err != nil {
		return nil, err
	}
	return &CAGrad{c: c, rescale: rescale}, nil
}

// Needs reports that the rule requires only the Gramian. The rows improve the precision if the gradients nearly
// cancel in their mean.
func (g *CAGrad) Needs() algo.Needs { return algo.Needs{} }

// cancelled is the length below which a sum counts as zero, relative to its terms.
const cancelled = 1e-12

// Weigh stores w and the direction. The gap is F(w) − min_i g_i·d, relative to ‖g_0‖·max‖g_i‖, where d is the direction
// before rescaling. The two terms are bounds on the optimum.
func (g *CAGrad) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := beginNonZero(r, in, g.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	g.grow(m)
	var longest float64
	for i := range g.norms {
		g.norms[i] = math.Sqrt(max(in.Gram[i*m+i], 0))
		longest = max(longest, g.norms[i])
	}
	mean := g.average(in, longest)
	radius := g.c * mean
	size := g.solve(r.Weights, in.Gram, in.Jacobian, mean, radius)
	g.finish(r, in, mean, radius, size, longest)
	return nil
}

func (g *CAGrad) grow(m int) {
	for _, v := range []*[]float64{&g.products, &g.norms, &g.x, &g.b, &g.w, &g.combination} {
		*v = resize(*v, m)
	}
	for _, v := range []*[]float64{&g.shifted, &g.factor} {
		*v = resize(*v, m*m)
	}
	if cap(g.active) < m {
		g.active = make([]int, 0, m)
	}
}

// average stores g_i·g_0 in products and returns ‖g_0‖. If the entries of the Gramian nearly cancel in their sum, it
// uses the rows.
func (g *CAGrad) average(in *algo.Input, longest float64) float64 {
	m := len(g.products)
	var square float64
	for i := range m {
		var sum float64
		for _, v := range in.Gram[i*m : (i+1)*m] {
			sum += v
		}
		g.products[i] = sum / float64(m)
		square += sum / float64(m*m)
	}
	if in.Jacobian == nil || square > 1e-6*longest*longest {
		return math.Sqrt(max(square, 0))
	}
	g.vector = resize(g.vector, in.Jacobian.Cols)
	for i := range g.w {
		g.w[i] = 1 / float64(m)
	}
	in.Jacobian.Combine(g.vector, g.w)
	for i := range m {
		g.products[i] = dot(in.Jacobian.Row(i), g.vector)
	}
	if size := length(g.vector); size > cancelled*longest {
		return size
	}
	clear(g.products)
	return 0
}

// solve stores w and returns ‖g_w‖. The result is exactly 0 if g_w = 0 at the solution.
func (g *CAGrad) solve(w, gram []float64, jac *algo.Jacobian, mean, radius float64) float64 {
	m := len(w)
	if radius == 0 {
		// F is linear. The row with the smallest product, or the first of several such rows, gets all the weight. If
		// the mean gradient is zero, all rows get equal weights.
		best := 0
		for i, p := range g.products {
			if p < g.products[best] {
				best = i
			}
		}
		clear(w)
		if mean == 0 {
			for i := range w {
				w[i] = 1 / float64(m)
			}
		} else {
			w[best] = 1
		}
		return g.size(w, gram)
	}
	// ‖g_w(τ)‖ exceeds radius·τ for τ below the solution, but not above it.
	low, high := 0.0, math.Inf(1)
	tau := mean / radius
	for range 200 {
		g.at(w, gram, tau, mean)
		size := g.size(w, gram)
		a, d := g.line(w, gram, jac)
		if size > radius*tau {
			low = tau
		} else {
			high = tau
		}
		next := math.Inf(1)
		if slope := math.Sqrt(d); slope < radius {
			next = math.Sqrt(a) / math.Sqrt((radius-slope)*(radius+slope))
		}
		// If the weights on these active rows are valid at the next τ, then τ and the weights are the solution.
		if !math.IsInf(next, 1) && g.valid(gram, next) {
			g.store(w)
			return g.size(w, gram)
		}
		if high <= low*(1+4*eps) {
			break
		}
		if !(next > low && next < high) {
			switch {
			case math.IsInf(high, 1):
				next = float64(8 * tau)
			case low == 0:
				next = float64(high / 64)
			case high > 4*low:
				next = float64(math.Sqrt(low) * math.Sqrt(high))
			default:
				next = low + float64((high-low)/2)
			}
		}
		if next == tau || next == 0 {
			break
		}
		tau = next
	}
	return g.size(w, gram)
}

// at stores in w the weights of the point of least norm in the hull of the rows g_i + τg_0.
func (g *CAGrad) at(w, gram []float64, tau, mean float64) {
	m := len(w)
	for i := range m {
		for k, v := range gram[i*m : (i+1)*m] {
			g.shifted[i*m+k] = v + float64(tau*(g.products[i]+g.products[k])) + float64(tau*mean*tau*mean)
		}
	}
	g.solver.Solve(w, g.shifted)
}

// line computes x and b of w(τ) = x + τb on the active rows of w. It returns A and D of ‖g_w(τ)‖² = A + Dτ².
func (g *CAGrad) line(w, gram []float64, jac *algo.Jacobian) (a, d float64) {
	m := len(w)
	g.active = g.active[:0]
	shift := math.Inf(1)
	for i, v := range w {
		if v > 0 {
			g.active = append(g.active, i)
			if square := gram[i*m+i]; square > 0 {
				shift = min(shift, square)
			}
		}
	}
	if math.IsInf(shift, 1) {
		shift = 1
	}
	k := len(g.active)
	g.x, g.b = g.x[:k], g.b[:k]
	// For affinely independent rows with Gramian M, M + shift·11ᵀ is positive definite. If x' and b' solve the systems
	// with this matrix and the right-hand sides 1 and products, then x = x'/Σx' and b = xΣb' − b'.
	for p, i := range g.active {
		g.x[p], g.b[p] = 1, g.products[i]
		for q, j := range g.active {
			g.shifted[p*k+q] = gram[i*m+j] + shift
		}
	}
	cholesky(g.factor, g.shifted, k, eps)
	substitute(g.factor, g.x)
	substitute(g.factor, g.b)
	var sum, tilt float64
	for p, x := range g.x {
		sum += x
		tilt += g.b[p]
	}
	for p := range k {
		g.x[p] /= sum
		g.b[p] = float64(tilt*g.x[p]) - g.b[p]
	}
	for p, i := range g.active {
		if g.norms[i] == 0 {
			// If a row is zero, this row is the point of least norm.
			clear(g.x)
			g.x[p] = 1
		}
	}
	return g.shortest(jac, gram), g.squaredNorm(g.b, gram)
}

// shortest returns ‖Σ x_p g_p‖². If the terms nearly cancel and the rows are given, it uses the rows. It returns
// exactly 0 if the sum is only a rounding error.
func (g *CAGrad) shortest(jac *algo.Jacobian, gram []float64) float64 {
	square := g.squaredNorm(g.x, gram)
	var terms float64
	for p, i := range g.active {
		terms += float64(math.Abs(g.x[p]) * g.norms[i])
	}
	if jac == nil {
		if square <= 4*float64(len(g.norms))*eps*terms*terms {
			return 0
		}
		return square
	}
	if square > 1e-6*terms*terms {
		return square
	}
	clear(g.combination)
	for p, i := range g.active {
		g.combination[i] = g.x[p]
	}
	g.vector = resize(g.vector, jac.Cols)
	jac.Combine(g.vector, g.combination)
	if size := length(g.vector); size > cancelled*terms {
		return size * size
	}
	return 0
}

// squaredNorm returns ‖Σ v_p g_p‖² over the active rows.
func (g *CAGrad) squaredNorm(v, gram []float64) float64 {
	m := len(g.norms)
	var square float64
	for p, i := range g.active {
		for q, j := range g.active {
			square += float64(v[p] * v[q] * gram[i*m+j])
		}
	}
	return max(square, 0)
}

// valid stores w(τ), using the result of line, and reports whether w(τ) is optimal at τ. This is so if no weight is
// negative and no inactive row has a smaller slope than the active rows.
func (g *CAGrad) valid(gram []float64, tau float64) bool {
	var total, reach float64
	for p, i := range g.active {
		g.w[p] = g.x[p] + float64(tau*g.b[p])
		terms := math.Abs(g.x[p]) + math.Abs(tau*g.b[p])
		total += terms
		reach += float64(terms * g.norms[i])
	}
	for p, i := range g.active {
		if w := -g.w[p]; w > 1e-9*total || w*g.norms[i] > 64*eps*reach {
			return false
		}
	}
	// The slope g_i·g_w + τ g_i·g_0 of F is the same on all active rows.
	level, noise := math.Inf(1), 0.0
	for _, i := range g.active {
		value, terms := g.slope(gram, i, tau)
		level, noise = min(level, value), max(noise, terms)
	}
	for i := range g.norms {
		if value, terms := g.slope(gram, i, tau); value < level-float64(64*eps*max(noise, terms)) {
			return false
		}
	}
	return true
}

// slope returns g_i·g_w + τ g_i·g_0 for the weights that valid stored. The result terms is an upper bound on the sum of
// the summands' absolute values.
func (g *CAGrad) slope(gram []float64, i int, tau float64) (value, terms float64) {
	m := len(g.norms)
	value = tau * g.products[i]
	terms = math.Abs(value)
	for p, j := range g.active {
		value += float64(g.w[p] * gram[i*m+j])
		terms += float64(math.Abs(g.w[p]) * g.norms[i] * g.norms[j])
	}
	return value, terms
}

// store copies the weights that valid stored to w.
func (g *CAGrad) store(w []float64) {
	clear(w)
	var sum float64
	for p, i := range g.active {
		w[i] = max(g.w[p], 0)
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
}

// size returns ‖g_w‖, or 0 if the sum is only a rounding error.
func (g *CAGrad) size(w, gram []float64) float64 {
	m := len(w)
	var square, terms float64
	for i, a := range w {
		if a != 0 {
			terms += float64(a * g.norms[i])
			for j, b := range w {
				square += float64(a * b * gram[i*m+j])
			}
		}
	}
	if square <= 4*float64(m)*eps*terms*terms {
		return 0
	}
	return math.Sqrt(square)
}

// finish stores the direction and the gap in r.
func (g *CAGrad) finish(r *algo.Result, in *algo.Input, mean, radius, size, longest float64) {
	m := len(r.Weights)
	scale := 1.0
	switch g.rescale {
	case RescaleSquare:
		scale = 1 / (1 + float64(g.c*g.c))
	case RescaleLinear:
		scale = 1 / (1 + g.c)
	}
	r.Status = algo.Converged
	switch {
	case radius > 0 && size < 1e-4*longest && in.Jacobian != nil:
		g.onRows(r, in, scale, longest)
	case radius > 0 && size == 0:
		r.Gap, r.Status = g.cone.project(g.combination, in)
		r.Gap *= longest / mean
		for i := range g.combination {
			g.combination[i] *= scale
		}
		direct(r, in, g.combination)
	default:
		factor := 0.0
		if size > 0 {
			factor = radius / size
		}
		value, least := radius*size, math.Inf(1)
		for i, w := range r.Weights {
			g.combination[i] = factor * w
			value += float64(w * g.products[i])
		}
		for i := range r.Weights {
			least = min(least, g.products[i]+dot(in.Gram[i*m:(i+1)*m], g.combination))
		}
		r.Gap = 0
		if mean > 0 {
			r.Gap = max(value-least, 0) / mean / longest
		}
		for i, w := range r.Weights {
			g.combination[i] = scale * (1/float64(m) + float64(factor*w))
		}
		directExactly(r, in, g.combination)
	}
	if r.Gap > 1e-8 {
		r.Status = algo.Budget
	}
	confirm(r, in)
}

// onRows computes the direction in coordinates of the rows, in units of the longest row. For a number t, consider the
// point nearest to g_0 with g_i·d ≥ t for all i. The direction is this point for the largest t at which the point is
// within c‖g_0‖ of g_0. The point's distance from g_0 is convex in t, so Newton's method approaches this t from above.
func (g *CAGrad) onRows(r *algo.Result, in *algo.Input, scale, longest float64) {
	s := &g.rows
	s.set(in)
	m := len(r.Weights)
	clear(s.g)
	for i, norm := range s.norms {
		s.norms[i] = norm / longest
		share := s.norms[i] / float64(m)
		for c, v := range s.Unit.Row(i) {
			s.g[c] += float64(share * v)
		}
	}
	mean := length(s.g)
	radius := float64(g.c * mean)
	t := math.Inf(1)
	for i, norm := range s.norms {
		t = min(t, norm*(dot(s.Unit.Row(i), s.g)+radius))
	}
	distance, total, status := g.nearest(t)
	if status == algo.NoSolution {
		t = 0
		distance, total, status = g.nearest(t)
	}
	for range 100 {
		if total == 0 || !(distance > radius*(1+4*eps)) {
			break
		}
		next := t - (distance-radius)*distance/total
		if !(next < t) {
			break
		}
		t = next
		distance, total, status = g.nearest(t)
	}
	if status != algo.Converged {
		r.Status = algo.Budget
	}
	// F(w) bounds every t from above. At t = 0, the weights with g_w = 0 have F = 0 and are kept. Otherwise w_i is
	// proportional to u_i/‖g_i‖, and g_w = (d − g_0)/Σ u_i/‖g_i‖. Without multipliers, g_0 is optimal.
	least, value := math.Inf(1), 0.0
	for i, norm := range s.norms {
		least = min(least, norm*dot(s.Unit.Row(i), s.d))
	}
	for c, v := range s.g {
		value += float64(v * (s.d[c] - v))
	}
	r.Gap = 0
	switch {
	case t == 0:
		r.Gap = max(-least, 0) / mean
		total = 0
	case total > 0:
		r.Gap = max((value+float64(radius*distance))/total-least, 0) / mean
	}
	for i, u := range s.u {
		share := 0.0
		if u != 0 {
			share = u / s.norms[i]
		}
		g.combination[i] = scale * (1/float64(m) + share)
		if total > 0 {
			r.Weights[i] = share / total
		}
	}
	s.hand(r, in, g.combination, scale*longest)
}

// nearest stores in rows.d the point nearest to g_0 with g_i·d ≥ t for all i. It returns the point's distance from
// g_0 and the sum of its multipliers for unscaled rows. The sum is the derivative of half the squared distance with
// respect to t.
func (g *CAGrad) nearest(t float64) (distance, total float64, status algo.Status) {
	s := &g.rows
	s.least = resize(s.least, len(s.norms))
	for i, norm := range s.norms {
		s.least[i] = 0
		if norm > 0 {
			s.least[i] = t / norm
		} else if t > 0 {
			return 0, 0, algo.NoSolution
		}
	}
	bounds := s.least
	if t == 0 {
		bounds = nil
	}
	status = s.cone.Project(s.d, s.u, s.g, bounds)
	for c, v := range s.g {
		distance += float64((s.d[c] - v) * (s.d[c] - v))
	}
	for i, u := range s.u {
		if u != 0 {
			total += u / s.norms[i]
		}
	}
	return math.Sqrt(distance), total, status
}

var ruleCAGrad = Method{
	Name: "cagrad", Title: "CAGrad", Paper: "Liu et al. 2021, Algorithm 1",
	Help:      "Follows the direction near the mean gradient that improves the worst-off objective most.",
	Promises:  Promises{Weights: true, Effective: true, Simplex: true, Permutation: true, Homogeneous: true},
	configure: configureCAGrad,
}

func configureCAGrad(s *scope) Constructor {
	c, rescale := 0.4, RescaleSquare.String()
	s.list.Number(&c, s.describe(param.Descriptor{
		Name: "c", Symbol: "c", Label: "Radius",
		Min: 0, Max: 10, Step: 0.05,
		Effect: param.Restart,
		Help: "Limits how far the direction may differ from the mean gradient, relative to that gradient’s length (Liu et al. 2021). 0 follows " +
			"the mean gradient exactly.",
	}))
	s.list.Choice(&rescale, s.describe(param.Descriptor{
		Name: "rescale", Label: "Rescaling",
		Options: []param.Option{
			{Value: "none", Label: "none", Help: "Does not divide the direction, as in the paper."},
			{Value: "sq", Label: "1/(1 + c²)", Help: "Divides the direction by 1 + c²."},
			{Value: "lin", Label: "1/(1 + c)", Help: "Divides the direction by 1 + c, so that it is never longer than the mean gradient."},
		},
		Effect: param.Restart,
		Help:   "Selects the number that divides the direction (Liu et al. 2021, code).",
	}))
	return func(Context) (algo.Weighting, error) {
		r, err := ParseRescale(rescale)
		if err != nil {
			return nil, err
		}
		return NewCAGrad(c, r)
	}
}
