package weighting

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/algo/param"
	"paretoplay/internal/portable"
)

// EPO solves a linear program for weights β ∈ Δ. If μ is above a tolerance, 1e-4 by default, it balances,
//
//	max βᵀCa   subject to (Cβ)_j ≥ b_j
//
// and otherwise it descends,
//
//	max βᵀC1   subject to Cβ ≥ 0,  βᵀCa ≥ min(max_j (Ca)_j, 0)
//
// with C = GGᵀ, f̂ = r⊙f/Σ(r⊙f), the non-uniformity μ = Σ f̂_i log(m f̂_i) and the anchor a = r⊙(log(m f̂) − μ). For
// a preference r > 0, it searches for the Pareto-optimal point where all r_i f_i are equal. Let J = {j : (Ca)_j > 0}.
// If J is not empty, b_j is 0 for the largest r_j f_j, −∞ for the rest of J, and (Ca)_j elsewhere. If J is empty, b =
// 0.
//
// The bound (Ca)_j grows with the scale of the anchor a, and thus with the scale of r: a is not normalised, and r has
// sum 1 by default. The weights are β. If there are several solutions, EPO takes the solution of least norm. If the
// constraints contradict each other, there is no solution. The program uses the entries of C. If gradients nearly
// cancel and their losses have the target ratio, only half of the direction's digits are therefore correct.
//
// References:
//   - Mahapatra & Rajan (2020), Multi-task learning with user preferences: gradient
//     descent with controlled ascent in Pareto optimization, ICML, Algorithm 1; the
//     rule for J follows its code.
type EPO struct {
	memoryless
	preference []float64 // nil means equal preferences
	tolerance  float64
	solver     minnorm.QP

	r, relative, anchor []float64                            // m
	ca, objective       []float64                            // m
	c, zero, unit       []float64                            // m×m
	scaled              struct{ x, unit, q, c, a []float64 } // scratch space of measured
	a, b                []float64                            // constraints
	program             struct{ x, q, c, a, b []float64 }    // scratch space of contradicted
	projection          struct {
		polyhedron               minnorm.Polyhedron
		rows                     *algo.Jacobian
		bounds, u, x, from, last []float64
	}
}

var _ algo.Weighting = (*EPO)(nil)

// Uniform is the default tolerance: EPO descends if the non-uniformity μ is at most Uniform. With two objectives, the
// r_i f_i may then differ by up to 2.9 %.
const Uniform = 1e-4

// NewEPO returns the rule for a preference r of finite numbers above 0, which it copies. nil means 1/m for each of the
// m objectives, for any m. The target depends only on the ratios of r. The sum of r affects the path: it scales (Ca)_j,
// and thus how fast some objectives may rise.
func NewEPO(preference []float64) (*EPO, error) { return NewEPOWithin(preference, Uniform) }

// NewEPOWithin is like NewEPO, with a finite tolerance of at least 0. The rule descends if the non-uniformity μ is at
// most the tolerance. If the r_i f_i differ from their mean by relative amounts s_i, μ is about the mean of s_i²/2.
func NewEPOWithin(preference []float64, tolerance float64) (*EPO, error) {
	if err := preferred(preference); err != nil {
		return nil, err
	}
	if err := notNegative("tolerance", tolerance); err != nil {
		return nil, err
	}
	return &EPO{preference: slices.Clone(preference), tolerance: tolerance}, nil
}

// Needs reports that the rule requires the losses.
func (e *EPO) Needs() algo.Needs { return algo.Needs{Losses: true} }

// Weigh stores β and the direction. It returns an error if a loss is not above 0. The gap is the largest error in the
// optimality conditions of the linear program, relative to their terms.
func (e *EPO) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, e.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	if e.preference != nil && len(e.preference) != m {
		return refused("preference", e.preference, oneFor(m))
	}
	for i, f := range in.Losses {
		if !(f > 0) {
			return refusedLoss("preference", i, f, "above 0")
		}
	}
	if settleZero(r, in) {
		return nil
	}
	for _, v := range []*[]float64{&e.r, &e.relative, &e.anchor, &e.ca, &e.objective} {
		*v = resize(*v, m)
	}
	e.c, e.zero = resize(e.c, m*m), resize(e.zero, m*m)
	balance := e.measure(in.Losses) > e.tolerance
	var largest float64
	for i := range m {
		largest = max(largest, in.Gram[i*m+i])
	}
	// Scaling C changes neither the feasible set nor the maximiser.
	for i, v := range in.Gram {
		e.c[i] = v / largest
	}
	e.a, e.b = e.a[:0], e.b[:0]
	// The first row is Σβ = 1.
	for range m {
		e.a = append(e.a, 1)
	}
	e.b = append(e.b, 1)
	for i := range m {
		for j := range m {
			v := 0.0
			if i == j {
				v = 1
			}
			e.a = append(e.a, v)
		}
		e.b = append(e.b, 0)
	}
	if balance {
		e.balance()
	} else {
		e.descend()
	}
	for i := range e.objective {
		e.objective[i] = -e.objective[i]
	}
	quadratic := e.zero
	if slices.Max(e.objective) == 0 && slices.Min(e.objective) == 0 {
		// Every feasible β is a maximiser. A separate program finds the β of least norm.
		quadratic = e.identity()
	}
	r.Gap, r.Status = e.solver.Solve(r.Weights, quadratic, e.objective, e.a, e.b, 1)
	if r.Status == algo.Budget {
		e.measured(r, in.Gram, quadratic)
	}
	if r.Status == algo.Budget && e.contradicted(m) {
		r.Status = algo.NoSolution
	}
	if r.Status == algo.NoSolution || r.Status == algo.Diverged {
		refuse(r, r.Status)
		return nil
	}
	var sum float64
	for i, w := range r.Weights {
		r.Weights[i] = max(w, 0)
		sum += r.Weights[i]
	}
	for i := range r.Weights {
		r.Weights[i] /= sum
	}
	combine(r, in)
	confirm(r, in)
	return nil
}

// measure computes r, r⊙f and the anchor. It returns the non-uniformity.
func (e *EPO) measure(losses []float64) float64 {
	m := float64(len(losses))
	var sum float64
	for i, f := range losses {
		e.r[i] = 1 / m
		if e.preference != nil {
			e.r[i] = e.preference[i]
		}
		e.relative[i] = e.r[i] * f
		sum += e.relative[i]
	}
	var mu float64
	for _, v := range e.relative {
		mu += float64(v / sum * portable.Log(m*(v/sum)))
	}
	for i, v := range e.relative {
		e.anchor[i] = e.r[i] * significant(portable.Log(m*(v/sum))-mu, 8*m*eps)
	}
	return mu
}

// identity returns the m×m unit matrix.
func (e *EPO) identity() []float64 {
	m := len(e.ca)
	e.unit = resize(e.unit, m*m)
	clear(e.unit)
	for i := range m {
		e.unit[i*m+i] = 1
	}
	return e.unit
}

// measured solves the program again for the unknowns β_i‖g_i‖, so that gradients of very different lengths become unit
// vectors. It keeps the new solution only if the new solution is better.
func (e *EPO) measured(r *algo.Result, gram, quadratic []float64) {
	m := len(r.Weights)
	e.scaled.x, e.scaled.c, e.scaled.a = resize(e.scaled.x, m), resize(e.scaled.c, m), resize(e.scaled.a, len(e.a))
	e.scaled.q, e.scaled.unit = resize(e.scaled.q, m*m), resize(e.scaled.unit, m)
	shortest := math.Inf(1)
	for i := range m {
		if square := gram[i*m+i]; square > 0 {
			shortest = min(shortest, math.Sqrt(square))
		}
	}
	for i := range m {
		e.scaled.unit[i] = 1
		if square := gram[i*m+i]; square > 0 {
			e.scaled.unit[i] = shortest / math.Sqrt(square)
		}
	}
	for i, v := range e.scaled.unit {
		e.scaled.c[i] = v * e.objective[i]
		for j, w := range e.scaled.unit {
			e.scaled.q[i*m+j] = v * w * quadratic[i*m+j]
		}
	}
	for i, v := range e.a {
		e.scaled.a[i] = v * e.scaled.unit[i%m]
	}
	gap, status := e.solver.Solve(e.scaled.x, e.scaled.q, e.scaled.c, e.scaled.a, e.b, 1)
	if status == algo.Budget && quadratic[0] == 0 {
		gap, status = e.projected(gap, m)
	}
	if !(gap < r.Gap) {
		return
	}
	r.Gap, r.Status = gap, status
	for i, v := range e.scaled.unit {
		r.Weights[i] = v * e.scaled.x[i]
	}
}

// projected solves the linear program that measured sets up, by projections, because its constraints may be nearly
// equal. It repeatedly steps along −c and projects onto the polyhedron until the point no longer moves. If it finds no
// better solution, it keeps the old solution and returns the old gap with the status Budget.
func (e *EPO) projected(gap float64, m int) (float64, algo.Status) {
	p := &e.projection
	count := len(e.b) + 1 // Σβ = 1 counts as two inequalities
	if p.rows == nil || p.rows.Rows != count || p.rows.Cols != m {
		p.rows = algo.NewJacobian(count, m)
	}
	p.bounds, p.u = resize(p.bounds, count), resize(p.u, count)
	p.x, p.from, p.last = resize(p.x, m), resize(p.from, m), resize(p.last, m)
	size := length(e.scaled.c)
	for i := range count {
		from, sign := max(i-1, 0), 1.0
		if i == 0 {
			sign = -1
		}
		row := e.scaled.a[from*m : (from+1)*m]
		norm := length(row)
		if norm == 0 {
			norm = 1
		}
		for c, v := range row {
			p.rows.Row(i)[c] = sign * v / norm
		}
		p.bounds[i] = sign * e.b[from] / norm
	}
	p.polyhedron.Reset(p.rows)
	clear(p.x)
	// If constraints are nearly equal, c is nearly orthogonal to an edge. Only long steps then move far along the
	// edge.
	for step := 1.0; step < 1e12; step *= 2 {
		for c, v := range e.scaled.c {
			p.from[c] = p.x[c] - step*v/size
		}
		copy(p.last, p.x)
		if p.polyhedron.Project(p.x, p.u, p.from, p.bounds) != algo.Converged {
			break
		}
		var change float64
		for c, v := range p.last {
			change = max(change, math.Abs(p.x[c]-v))
		}
		if change <= 64*eps*length(p.x) {
			copy(e.scaled.x, p.x)
			return change / step, algo.Converged // residual of c after subtracting the multipliers' contribution, relative to c
		}
	}
	return gap, algo.Budget
}

// significant returns v, or 0 if v is only a rounding error.
func significant(v, rounding float64) float64 {
	if math.Abs(v) <= rounding {
		return 0
	}
	return v
}

// multiply computes Ca. It sets rounding errors to 0, because the constraints depend on signs.
func (e *EPO) multiply() {
	m := len(e.ca)
	for i := range e.ca {
		row := e.c[i*m : (i+1)*m]
		var terms float64
		for j, v := range row {
			terms += math.Abs(v * e.anchor[j])
		}
		e.ca[i] = significant(dot(row, e.anchor), 8*eps*terms)
	}
}

func (e *EPO) balance() {
	m := len(e.ca)
	e.multiply()
	copy(e.objective, e.ca)
	ascending := false
	for _, v := range e.ca {
		ascending = ascending || v > 0
	}
	worst := slices.Max(e.relative)
	for j, v := range e.ca {
		bound := 0.0
		switch {
		case !ascending || e.relative[j] == worst:
		case v > 0:
			continue
		default:
			bound = v
		}
		e.a = append(e.a, e.c[j*m:(j+1)*m]...)
		e.b = append(e.b, bound)
	}
}

func (e *EPO) descend() {
	m := len(e.ca)
	e.multiply()
	clear(e.objective)
	terms := e.relative // no longer needed
	clear(terms)
	for j := range m {
		row := e.c[j*m : (j+1)*m]
		for i, v := range row {
			e.objective[i] += v
			terms[i] += math.Abs(v)
		}
		e.a = append(e.a, row...)
		e.b = append(e.b, 0)
	}
	for i, v := range terms {
		e.objective[i] = significant(e.objective[i], 8*eps*v)
	}
	e.a = append(e.a, e.ca...)
	e.b = append(e.b, min(slices.Max(e.ca), 0))
}

// contradicted reports whether no β satisfies the constraints. It minimises the number t that must be added to the left
// sides of all constraints, each in units of its largest coefficient. The constraints contradict each other if t
// exceeds rounding errors. This criterion detects contradictions that are too small for the solver to notice.
func (e *EPO) contradicted(m int) bool {
	n := m + 1
	e.program.a, e.program.b = e.program.a[:0], e.program.b[:0]
	for i, b := range e.b {
		row := e.a[i*m : (i+1)*m]
		var size float64
		for _, v := range row {
			size = max(size, math.Abs(v))
		}
		if size == 0 {
			size = 1
		}
		for _, v := range row {
			e.program.a = append(e.program.a, v/size)
		}
		slack := 1.0
		if i <= m { // Σβ = 1 and β ≥ 0 must hold exactly
			slack = 0
		}
		e.program.a = append(e.program.a, slack)
		e.program.b = append(e.program.b, b/size)
	}
	for range m {
		e.program.a = append(e.program.a, 0)
	}
	e.program.a, e.program.b = append(e.program.a, 1), append(e.program.b, 0)
	e.program.x, e.program.c, e.program.q = resize(e.program.x, n), resize(e.program.c, n), resize(e.program.q, n*n)
	clear(e.program.c)
	clear(e.program.q)
	e.program.c[m] = 1
	gap, _ := e.solver.Solve(e.program.x, e.program.q, e.program.c, e.program.a, e.program.b, 1)
	return e.program.x[m] > max(1e-9, gap) // false if the gap is NaN
}

var ruleEPO = Method{
	Name: "epo", Title: "EPO", Paper: "Mahapatra & Rajan 2020, Algorithm 1",
	Help:     "Moves to the Pareto-optimal point where the losses have prescribed ratios.",
	Needs:    algo.Needs{Losses: true},
	Promises: Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true, Homogeneous: true},
	Positive: "makes its target, a ratio of the losses, meaningless",
	Preference: Preference{
		OfTwo:  "EPO looks for the point of the front where r₁f₁ = (1 − r₁)f₂ (Mahapatra & Rajan 2020).",
		OfMany: "EPO looks for the point of the front where all rᵢfᵢ are equal (Mahapatra & Rajan 2020).",
	},
	configure: configureEPO,
}

func configureEPO(s *scope) Constructor {
	preference := bindPreference(s, "r",
		"Enter one number above 0 for each objective, such as 0.3,0.7. The run searches for the Pareto-optimal point where all "+
			"r_i f_i are equal (Mahapatra & Rajan 2020). The point depends only on the ratios of the numbers. Their sum affects the "+
			"path: with a larger sum, an objective may rise faster. If empty, all numbers are equal, with sum 1.")
	tolerance := Uniform
	s.list.Number(&tolerance, s.describe(param.Descriptor{
		Name: "tolerance", Label: "Tolerance",
		Min: 0, Max: 1, Step: 1e-5,
		Effect: param.Restart,
		Help: "All objectives fall together while the non-uniformity of the r_i f_i is at most this value. 1e-4 leaves two products " +
			"up to 2.9 % apart; 0 allows no difference.",
	}))
	return func(c Context) (algo.Weighting, error) {
		r, err := preference(c)
		if err != nil {
			return nil, err
		}
		return NewEPOWithin(r, tolerance)
	}
}
