package weighting

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/internal/portable"
)

// fairness solves GGᵀw = w^(−1/α) for w > 0: the equation of FairGrad and, with α = 1, of Nash-MTL. Let ĝ_i = g_i/n_i
// be the unit gradients, u_i = n_i w_i and p_i = n_i^(1/α−1). The equation says that the gradient of the convex
// potential
//
//	½‖Σ u_i ĝ_i‖² − Σ p_i φ(u_i),   φ'(u) = u^(−1/α)
//
// is zero, or (Cu)_i = p_i u_i^(−1/α) with the cosines C. A minimum exists unless Gᵀλ = 0 for some weights λ on the
// simplex. Damped Newton steps on the potential approach the minimum. For α < 1 they use the dual potential instead,
// whose powers y^(1−α) of y = Cu are flatter than the powers u^(1−1/α) of φ. Newton steps on the logarithms of the
// equations complete the solution.
type fairness struct {
	solver minnorm.Solver

	norms, price, u, y, rho, trial, gradient, step, next, combination []float64 // m
	c, hessian, factor                                                []float64 // m×m
	vector                                                            []float64 // n

	rows   unitRows
	ridge  ridge
	byRows bool // whether the last direction is rows.d times size
	size   float64
	guard  guard
}

const (
	// stationary is the limit up to which the least norm in the hull of the unit gradients counts as zero. The rule
	// then reports no solution.
	stationary = 1e-10
	// balanced is the largest relative residual at which the equations count as solved.
	balanced = 1e-8
)

// weigh computes a decision of Nash-MTL or FairGrad. limit is the maximum length of the direction; 0 means no limit.
func (f *fairness) weigh(r *algo.Result, in *algo.Input, alpha, limit float64) error {
	if ok, err := begin(r, in, algo.Needs{}); !ok {
		return err
	}
	f.solve(r, in, alpha)
	if r.Status == algo.NoSolution {
		refuse(r, algo.NoSolution)
		return nil
	}
	// The gradients are s = 2^Exponent times the rows of the input. The solution is then t·w with s²t = t^(−1/α). The
	// power of two in t is applied last, because the direction or the weights may be out of range before that.
	exponent := 0
	if in.Exponent != 0 {
		power := float64(-2 * alpha / (1 + alpha) * float64(in.Exponent))
		whole := math.Floor(power)
		exponent = int(whole)
		for i := range r.Weights {
			r.Weights[i] *= portable.Exp2(power - whole)
		}
		f.size *= portable.Exp2(power - whole)
	}
	if limit > 0 {
		// ‖Gᵀw‖² = Σ w_i(GGᵀw)_i = Σ w_i^(1−1/α), without cancellation.
		var square float64
		for _, w := range r.Weights {
			square += portable.Pow(math.Ldexp(w, exponent), 1-1/alpha)
		}
		if size := math.Sqrt(square); size > limit {
			for i := range r.Weights {
				r.Weights[i] *= limit / size
			}
			f.size *= limit / size
		}
	}
	if f.byRows {
		f.rows.hand(r, in, r.Weights, f.size)
	} else {
		direct(r, in, r.Weights)
	}
	f.guard.promise(r, in, r.Weights)
	multiply(r.Direction, exponent)
	multiply(r.Weights, exponent)
	multiply(r.Effective, exponent)
	if r.Status == algo.Converged && slices.Contains(r.Weights, 0) {
		r.Status = algo.Underflow
	}
	check(r)
	return nil
}

// solve completes the weights, gap and status of r. If the Gramian is not precise enough, it solves the equations with
// the rows. If it needs the rows but they are missing, the status is Budget, and the gap is the uncertainty due to the
// Gramian. Otherwise the gap is the largest |(GGᵀw)_i w_i^(1/α) − 1|: see defect. With status NoSolution the weights
// are zero.
func (f *fairness) solve(r *algo.Result, in *algo.Input, alpha float64) {
	m := len(r.Weights)
	f.grow(m)
	cosines(f.c, f.norms, in.Gram)
	var longest float64
	for _, n := range f.norms {
		longest = max(longest, n)
	}
	if f.stationary(r.Weights, in, longest) {
		clear(r.Weights)
		r.Gap, r.Status = math.NaN(), algo.NoSolution
		return
	}
	for i := range f.norms {
		f.norms[i] /= longest
		f.price[i] = portable.Pow(f.norms[i], 1/alpha-1)
	}
	r.Gap = f.newton(r.Weights, in.Jacobian, longest, alpha)
	f.byRows = false
	if sine := f.sine(); !(sine >= dependent) {
		if in.Jacobian == nil {
			r.Gap = max(r.Gap, min(1, eps/max(sine, eps)))
		} else {
			f.byRows = true
			gap, found := f.onRows(in, alpha)
			if !found {
				clear(r.Weights)
				r.Gap, r.Status = math.NaN(), algo.NoSolution
				return
			}
			r.Gap = gap
		}
	}
	r.Status = algo.Converged
	if !(r.Gap <= balanced) {
		r.Status = algo.Budget
	}
	// The gradients are divided by s = max‖g_i‖, so the solution of GGᵀw = w^(−1/α) is t·w with s²t = t^(−1/α).
	scale := portable.Pow(longest, -2*alpha/(1+alpha))
	for i, u := range f.u {
		r.Weights[i] = scale * u / f.norms[i]
	}
	f.size = scale * longest
}

// sine returns the smallest product (Cu)_i relative to its terms, or 0 if a product is not positive. For two nearly
// opposite gradients, this is the squared sine of the angle between them.
func (f *fairness) sine() float64 {
	m := len(f.u)
	least := 1.0
	for i, y := range f.y {
		var terms float64
		for j, u := range f.u {
			terms += float64(u * math.Abs(f.c[i*m+j]))
		}
		least = min(least, max(y, 0)/terms)
	}
	return least
}

func (f *fairness) grow(m int) {
	for _, v := range []*[]float64{&f.norms, &f.price, &f.u, &f.y, &f.rho, &f.trial, &f.gradient, &f.step, &f.next, &f.combination} {
		*v = resize(*v, m)
	}
	for _, v := range []*[]float64{&f.c, &f.hessian, &f.factor} {
		*v = resize(*v, m*m)
	}
}

// stationary reports whether the point of least norm in the hull of the unit gradients is zero. It stores in w the
// weights of a short combination of the gradients.
func (f *fairness) stationary(w []float64, in *algo.Input, longest float64) bool {
	m := len(w)
	for _, n := range f.norms {
		if n == 0 {
			return true
		}
	}
	f.solver.SolveRows(w, in.Gram, nil, nil)
	var square, terms float64
	for i, a := range w {
		terms += float64(a * f.norms[i])
		square += float64(a * dot(in.Gram[i*m:(i+1)*m], w))
	}
	// The products of the gradients with their point of least norm are at least the squared length of this point. This
	// length therefore gives a lower bound for the least norm in the hull of the unit gradients. The Gramian is precise
	// enough while the bound is well above rounding errors and not near the limit.
	if limit := stationary * longest; square > 1e-10*terms*terms && square > 4*limit*limit {
		return false
	}
	f.solver.SolveRows(w, in.Gram, in.Jacobian, f.norms)
	terms, square = 0, 0
	for i, n := range f.norms {
		terms += w[i]
		w[i] /= n
	}
	for i, a := range w {
		square += float64(a * dot(in.Gram[i*m:(i+1)*m], w))
	}
	if in.Jacobian == nil {
		return square <= 4*float64(m)*eps*terms*terms
	}
	f.vector = resize(f.vector, in.Jacobian.Cols)
	in.Jacobian.Combine(f.vector, w)
	return length(f.vector) <= stationary
}

// newton stores the solution in u and returns its residual. lambda holds the weights from stationary, for the
// unscaled gradients.
func (f *fairness) newton(lambda []float64, jac *algo.Jacobian, longest, alpha float64) float64 {
	if !f.start(lambda, jac, longest, alpha) {
		return math.NaN()
	}
	if f.residuals(f.rho, f.u, alpha) > nearby*nearby/max(1, alpha*alpha) {
		if alpha < 1 {
			f.descendDual(alpha)
		} else {
			f.descend(alpha)
		}
		if !f.products(f.u, nil, longest) {
			return f.defect(alpha)
		}
		f.residuals(f.rho, f.u, alpha)
	}
	for range 100 {
		merit := dot(f.rho, f.rho)
		if merit <= 16*eps*eps {
			break
		}
		f.direction(alpha)
		after, t := math.Inf(1), 1.0
		for range 60 {
			f.move(t)
			// Because of rounding, the matrix of cosines may not be positive semidefinite.
			if f.products(f.next, nil, longest) {
				after = f.residuals(f.trial, f.next, alpha)
				if after <= (1-float64(0.1*t))*merit {
					break
				}
			}
			t /= 2
		}
		if !(after < merit) {
			break
		}
		f.accept()
	}
	if jac != nil && f.cancels() {
		// If gradients nearly cancel, the rows give more accurate products than the Gramian does.
		f.refine(jac, longest, alpha)
	} else {
		f.products(f.u, nil, longest)
	}
	return f.defect(alpha)
}

// defect returns the largest error of the equations. y must hold the products Cu. The error is relative to the
// equation's value or to ‖d‖, whichever is larger, because a product much smaller than ‖ĝ_i‖·‖d‖ cannot be more
// accurate.
func (f *fairness) defect(alpha float64) float64 {
	size := math.Sqrt(max(dot(f.u, f.y), 0))
	var worst float64
	for i, u := range f.u {
		push := float64(f.price[i] * portable.Pow(u, -1/alpha))
		if u <= vanishing && f.y[i] > push {
			continue
		}
		worst = max(worst, math.Abs(f.y[i]-push)/max(push, size))
	}
	return worst
}

// refine takes Newton steps with products computed from the rows.
func (f *fairness) refine(jac *algo.Jacobian, longest, alpha float64) {
	if !f.products(f.u, jac, longest) {
		return
	}
	merit := f.residuals(f.rho, f.u, alpha)
	for range 30 {
		f.direction(alpha)
		f.move(1)
		if !f.products(f.next, jac, longest) {
			break
		}
		after := f.residuals(f.trial, f.next, alpha)
		if !(after < merit) {
			break
		}
		merit = after
		f.accept()
	}
	f.products(f.u, jac, longest)
}

// start stores an initial u > 0 with Cu > 0. It takes the solution for orthogonal gradients if this solution clearly
// satisfies Cu > 0. Otherwise it takes the point of least norm, whose products are all positive, plus a small multiple
// of every gradient.
func (f *fairness) start(lambda []float64, jac *algo.Jacobian, longest, alpha float64) bool {
	for i, p := range f.price {
		f.u[i] = portable.Pow(p, alpha/(1+alpha))
	}
	if !f.products(f.u, nil, 1) || slices.Min(f.y) < 1e-3*slices.Max(f.u) {
		for i, w := range lambda {
			f.u[i] = w * f.norms[i]
		}
		f.products(f.u, jac, longest)
		least := slices.Min(f.y)
		if !(least > 0) {
			return false
		}
		for i := range f.u {
			f.u[i] += least / float64(2*len(f.u))
		}
		f.products(f.u, jac, longest)
	}
	f.residuals(f.rho, f.u, alpha)
	var mean float64
	for _, v := range f.rho {
		mean += v / float64(len(f.u))
	}
	t := portable.Exp(-mean / (1 + 1/alpha))
	for i := range f.u {
		f.u[i] *= t
		f.y[i] *= t
	}
	return true
}

// nearby is the length of αρ (or of ρ if α < 1) below which steps on the logarithms converge. αρ is the relative
// error of u for constant products.
const nearby = 0.1

// descend takes Newton steps on the potential until it is near the minimum. Where the linear step would multiply a
// component by 1 − |x|, descend multiplies the component by (1 + |x|/α)^(−α) instead. This factor is exact for constant
// products Cu, and is never zero.
func (f *fairness) descend(alpha float64) {
	for range 500 {
		m := len(f.u)
		copy(f.hessian, f.c)
		for i, u := range f.u {
			push := float64(f.price[i] * portable.Pow(u, -1/alpha))
			f.hessian[i*m+i] += push / (alpha * u)
			f.gradient[i] = f.y[i] - push
			f.step[i] = -f.gradient[i]
		}
		cholesky(f.factor, f.hessian, m, eps)
		substitute(f.factor, f.step)
		t := 1.0
		for range 40 {
			var before, after float64
			for i, u := range f.u {
				if x := t * f.step[i] / u; x > 0 {
					f.next[i] = u * (1 + x)
				} else {
					f.next[i] = max(u*portable.Pow(1-x/alpha, -alpha), vanishing)
				}
			}
			f.products(f.next, nil, 1)
			for i, u := range f.next {
				change := u - f.u[i]
				before += float64(f.gradient[i] * change)
				after += float64((f.y[i] - float64(f.price[i]*portable.Pow(u, -1/alpha))) * change)
			}
			// Along a line, the slope of a convex function increases. If the slope at the end is negative or only
			// slightly positive, the function has decreased.
			if after <= -before/2 {
				break
			}
			t /= 2
		}
		f.u, f.next = f.next, f.u
		if f.residuals(f.rho, f.u, alpha) <= nearby*nearby/(alpha*alpha) {
			return
		}
	}
}

// descendDual takes Newton steps on the dual potential
//
//	½vᵀCv + Σ ψ_i((Cv)_i),   ψ_i'(y) = −(p_i/y)^α
//
// whose minimum is at v = u. It stores v in u, whose entries may be temporarily negative. At the end it sets u_i =
// (p_i/y_i)^α.
func (f *fairness) descendDual(alpha float64) {
	m := len(f.u)
	last := math.Inf(1)
	for range 500 {
		copy(f.hessian, f.c)
		var worst float64
		for i, y := range f.y {
			u := portable.Pow(f.price[i]/y, alpha)
			f.hessian[i*m+i] += y / (alpha * u)
			f.gradient[i] = f.u[i] - u
			f.step[i] = -f.gradient[i] * y / (alpha * u)
			worst = max(worst, math.Abs(f.gradient[i])/u)
		}
		// Iterate down to rounding errors: if terms nearly cancel, products are positive only if u is accurate.
		if worst <= 4*eps || worst < 1e-6 && worst >= last/2 {
			break
		}
		last = worst
		cholesky(f.factor, f.hessian, m, eps)
		substitute(f.factor, f.step)
		t := 1.0
		var before float64
		for i := range f.next {
			f.next[i] = dot(f.c[i*m:(i+1)*m], f.step)
			if f.next[i] < -0.95*f.y[i] {
				t = min(t, -0.95*f.y[i]/f.next[i])
			}
			before += float64(f.gradient[i] * f.next[i])
		}
		for range 40 {
			var after float64
			for i, change := range f.next {
				after += float64((f.u[i] + float64(t*f.step[i]) - portable.Pow(f.price[i]/(f.y[i]+float64(t*change)), alpha)) * change)
			}
			if after <= -before/2 {
				break
			}
			t /= 2
		}
		for i, change := range f.next {
			f.u[i] += float64(t * f.step[i])
			f.y[i] += float64(t * change)
		}
	}
	for i, y := range f.y {
		f.u[i] = max(portable.Pow(f.price[i]/y, alpha), vanishing)
	}
}

// products stores (Cu)_i in y and reports whether all are positive. It uses the rows if jac
// is not nil.
func (f *fairness) products(u []float64, jac *algo.Jacobian, longest float64) bool {
	m := len(u)
	if jac != nil {
		for i, v := range u {
			f.combination[i] = v / (f.norms[i] * longest)
		}
		f.vector = resize(f.vector, jac.Cols)
		jac.Combine(f.vector, f.combination)
	}
	positive := true
	for i := range u {
		if jac != nil {
			f.y[i] = dot(jac.Row(i), f.vector) / (f.norms[i] * longest)
		} else {
			f.y[i] = dot(f.c[i*m:(i+1)*m], u)
		}
		positive = positive && f.y[i] > 0
	}
	return positive
}

// vanishing is the value below which a component of u counts as zero. For large α, the solution has components below
// the range of float64.
const vanishing = 1e-200

// residuals stores ρ_i = log((Cu)_i u_i^(1/α)/p_i) and returns Σρ². If a component of u is vanishing and should be
// even smaller, its residual is 0.
func (f *fairness) residuals(rho, u []float64, alpha float64) float64 {
	var sum float64
	for i, v := range u {
		rho[i] = portable.Log(f.y[i]/f.price[i]) + portable.Log(v)/alpha
		if v <= vanishing && rho[i] > 0 {
			rho[i] = 0
		}
		sum += float64(rho[i] * rho[i])
	}
	return sum
}

// direction stores in step the relative change du/u of the Newton step for ρ = 0, from (C + diag(y/(αu))) du = −ρy.
func (f *fairness) direction(alpha float64) {
	m := len(f.u)
	copy(f.hessian, f.c)
	for i, u := range f.u {
		f.hessian[i*m+i] += f.y[i] / (alpha * u)
		f.step[i] = -f.rho[i] * f.y[i]
	}
	cholesky(f.factor, f.hessian, m, eps)
	substitute(f.factor, f.step)
	for i, u := range f.u {
		f.step[i] /= u
	}
}

// move stores in next the point at fraction t of the step. Components grow linearly and shrink exponentially, so they
// stay positive and quickly reach small values.
func (f *fairness) move(t float64) {
	for i, x := range f.step {
		if x = float64(x * t); x > 0 {
			f.next[i] = f.u[i] * (1 + x)
		} else {
			f.next[i] = max(f.u[i]*portable.Exp(x), vanishing)
		}
	}
}

func (f *fairness) accept() {
	f.u, f.next = f.next, f.u
	f.rho, f.trial = f.trial, f.rho
}

// cancels reports whether ‖Σ u_i ĝ_i‖ is so much smaller than Σu that the Gramian does not determine it precisely.
func (f *fairness) cancels() bool {
	f.products(f.u, nil, 1)
	var terms float64
	for _, u := range f.u {
		terms += u
	}
	return dot(f.u, f.y) < 1e-4*terms*terms
}
