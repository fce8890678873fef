package weighting

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
)

// fairness solves GGᵀw = w^(−1/α) for w > 0, the equation of FairGrad and, with
// α = 1, of Nash-MTL. With unit gradients ĝ_i = g_i/n_i, u_i = n_i w_i and
// p_i = n_i^(1/α−1) it says that the gradient of the convex potential
//
//	½‖Σ u_i ĝ_i‖² − Σ p_i φ(u_i),   φ'(u) = u^(−1/α)
//
// is zero. Damped Newton steps find that minimum; it exists unless some weights
// on the simplex make Gᵀλ = 0.
type fairness struct {
	solver minnorm.Solver

	norms, price, u, step, next, gradient, pull, combination []float64 // m
	c, hessian, factor                                       []float64 // m×m
	vector                                                   []float64 // n
}

const (
	// stationary is the ω relative to max‖g_i‖ below which there is no solution.
	stationary = 1e-10
	// balanced is the relative residual that counts as solved.
	balanced = 1e-8
)

// weigh is the decision of Nash-MTL and FairGrad. A limit of 0 is none.
func (f *fairness) weigh(r *algo.Result, in *algo.Input, alpha, limit float64) error {
	if ok, err := begin(r, in, algo.Needs{}); !ok {
		return err
	}
	f.solve(r, in, alpha)
	if limit > 0 {
		// ‖Gᵀw‖² = Σ w_i(GGᵀw)_i = Σ w_i^(1−1/α), where nothing cancels.
		var square float64
		for _, w := range r.Weights {
			square += math.Pow(w, 1-1/alpha)
		}
		if size := math.Sqrt(square); size > limit {
			for i := range r.Weights {
				r.Weights[i] *= limit / size
			}
		}
	}
	combine(r, in)
	if !algo.Finite(r.Weights) || !algo.Finite(r.Direction) {
		clear(r.Weights)
		clear(r.Direction)
		r.Gap, r.Status = math.NaN(), algo.Diverged
	}
	return nil
}

// solve completes weights, gap and status of r. The gap is the residual
// max_i |(GGᵀw)_i w_i^(1/α) − 1|. With status NoSolution the weights are zero.
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
		f.price[i] = math.Pow(f.norms[i], 1/alpha-1)
	}
	r.Gap = f.newton(in.Jacobian, longest, alpha)
	r.Status = algo.Converged
	if !(r.Gap <= balanced) {
		r.Status = algo.Budget
	}
	// The equation at max‖g_i‖ = 1 is solved; s²·t·GGᵀw = t^(−1/α)w^(−1/α).
	scale := math.Pow(longest, -2*alpha/(1+alpha))
	for i, u := range f.u {
		r.Weights[i] = scale * u / f.norms[i]
	}
}

func (f *fairness) grow(m int) {
	for _, v := range []*[]float64{&f.norms, &f.price, &f.u, &f.step, &f.next, &f.gradient, &f.pull, &f.combination} {
		*v = resize(*v, m)
	}
	for _, v := range []*[]float64{&f.c, &f.hessian, &f.factor} {
		*v = resize(*v, m*m)
	}
}

// stationary reports whether the point of least norm in the hull, whose weights
// it leaves in w, is zero.
func (f *fairness) stationary(w []float64, in *algo.Input, longest float64) bool {
	m := len(w)
	for _, n := range f.norms {
		if n <= stationary*longest {
			return true
		}
	}
	f.solver.SolveRows(w, in.Gram, in.Jacobian, nil)
	if in.Jacobian != nil {
		f.vector = resize(f.vector, in.Jacobian.Cols)
		in.Jacobian.Combine(f.vector, w)
		return length(f.vector) <= stationary*longest
	}
	// The Gramian alone does not tell zero from what rounding leaves of it.
	var square, terms float64
	for i, a := range w {
		terms += a * f.norms[i]
		square += a * dot(in.Gram[i*m:(i+1)*m], w)
	}
	return square <= 4*float64(m)*eps*terms*terms || square <= stationary*stationary*longest*longest
}

// newton leaves the minimiser in u and returns its residual.
func (f *fairness) newton(jac *algo.Jacobian, longest, alpha float64) float64 {
	m := len(f.u)
	var square, terms, pull float64
	for i, p := range f.price {
		f.u[i] = math.Pow(p, alpha/(1+alpha))
	}
	for i, u := range f.u {
		square += u * dot(f.c[i*m:(i+1)*m], f.u)
		pull += f.price[i] * u * push(u, alpha)
		terms += u
	}
	// The best multiple of the start.
	if square > eps*terms*terms {
		t := math.Pow(pull/square, alpha/(1+alpha))
		for i := range f.u {
			f.u[i] *= t
		}
	}
	residual := f.slope(f.gradient, f.u, nil, longest, alpha)
	for range 500 {
		if residual <= 4*eps {
			break
		}
		downhill := f.direction(alpha)
		t := 1.0
		for i, d := range f.step {
			if d < -0.95*f.u[i] {
				t = min(t, -0.95*f.u[i]/d)
			}
		}
		var after float64
		for range 60 {
			for i, d := range f.step {
				f.next[i] = f.u[i] + t*d
			}
			after = f.slope(f.pull, f.next, nil, longest, alpha)
			// The slope along a convex function grows: while it is negative, or has
			// turned only a little, the potential went down.
			if dot(f.pull, f.step) <= -downhill/2 {
				break
			}
			t /= 2
		}
		if t == 1 && residual < 1e-4 && after >= residual/2 {
			break // rounding
		}
		f.u, f.next = f.next, f.u
		f.gradient, f.pull = f.pull, f.gradient
		residual = after
	}
	if jac == nil || !f.cancels() {
		return residual
	}
	// Where gradients cancel, the rows know the products better than the Gramian.
	residual = f.slope(f.gradient, f.u, jac, longest, alpha)
	for range 30 {
		f.direction(alpha)
		for i, d := range f.step {
			f.next[i] = f.u[i] + max(d, -0.5*f.u[i])
		}
		after := f.slope(f.pull, f.next, jac, longest, alpha)
		if after >= residual {
			break
		}
		f.u, f.next = f.next, f.u
		f.gradient, f.pull = f.pull, f.gradient
		residual = after
	}
	return residual
}

// push is φ'(u) = u^(−1/α).
func push(u, alpha float64) float64 {
	switch alpha {
	case 1:
		return 1 / u
	case 2:
		return 1 / math.Sqrt(u)
	}
	return math.Pow(u, -1/alpha)
}

// slope stores the potential's gradient at u in dst and returns the residual.
func (f *fairness) slope(dst, u []float64, jac *algo.Jacobian, longest, alpha float64) float64 {
	m := len(u)
	if jac != nil {
		f.vector = resize(f.vector, jac.Cols)
		for i, v := range u {
			f.combination[i] = v / (f.norms[i] * longest)
		}
		jac.Combine(f.vector, f.combination)
	}
	var residual float64
	for i, v := range u {
		var product float64
		if jac != nil {
			product = dot(jac.Row(i), f.vector) / (f.norms[i] * longest)
		} else {
			product = dot(f.c[i*m:(i+1)*m], u)
		}
		push := f.price[i] * push(v, alpha)
		dst[i] = product - push
		residual = max(residual, math.Abs(dst[i])/push)
	}
	return residual
}

// direction stores the Newton step and returns its slope, which is negative.
func (f *fairness) direction(alpha float64) float64 {
	m := len(f.u)
	copy(f.hessian, f.c)
	for i, u := range f.u {
		f.hessian[i*m+i] += f.price[i] * push(u, alpha) / (alpha * u)
		f.step[i] = -f.gradient[i]
	}
	cholesky(f.factor, f.hessian, m, eps)
	substitute(f.factor, f.step)
	return dot(f.step, f.gradient)
}

// cancels reports whether ‖Σ u_i ĝ_i‖ is so much shorter than Σu that the
// Gramian has lost digits of it.
func (f *fairness) cancels() bool {
	m := len(f.u)
	var square, terms float64
	for i, u := range f.u {
		square += u * dot(f.c[i*m:(i+1)*m], f.u)
		terms += u
	}
	return square < 1e-4*terms*terms
}
