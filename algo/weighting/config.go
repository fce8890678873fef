package weighting

import (
	"paretoplay/algo"
)

// ConFIG steps along
//
//	d = (Σ g_i·u)u,   u = U⁺1/‖U⁺1‖
//
// where the rows of U are the unit gradients u_i = g_i/‖g_i‖ and U⁺ is the pseudo-inverse of U. ConFIG stands for
// conflict-free inverse gradients.
//
// If the gradients are linearly independent, u has the same positive product with every u_i. The direction is then a
// multiple of IMTLG's direction. Otherwise the products are equal only in the least-squares sense, and some may be
// negative. Zero gradients are ignored and have weight 0. The weights are the coefficients of the gradients in the
// direction and may be negative. There is no solution if U⁺1 is zero, for example for opposite gradients.
//
// References:
//   - Liu, Chu & Thuerey (2024), ConFIG: Towards conflict-free training of physics
//     informed neural networks, arXiv:2408.11104, equation (2).
type ConFIG struct {
	memoryless
	norms          []float64 // m, or the number of non-zero gradients
	mu, projection []float64 // U⁺1 = Uᵀμ, and UU⁺1
	c, factor      []float64 // m×m
	rows           []int     // non-zero gradients
	spectrum       spectrum
}

var _ algo.Weighting = (*ConFIG)(nil)

// NewConFIG returns the rule, which has no parameters.
func NewConFIG() *ConFIG { return &ConFIG{} }

// Needs reports that the rule requires only the Gramian. Without the rows, singular values of U below √ε times the
// largest cannot be distinguished from zero and are dropped.
func (g *ConFIG) Needs() algo.Needs { return algo.Needs{} }

// Weigh stores the weights and the direction. The gap is NaN, because there is no inner problem.
func (g *ConFIG) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := beginNonZero(r, in, g.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	g.norms, g.mu, g.projection = resize(g.norms, m), resize(g.mu, m), resize(g.projection, m)
	g.c, g.factor = resize(g.c, m*m), resize(g.factor, m*m)
	cosines(g.c, g.norms, in.Gram)
	if cap(g.rows) < m {
		g.rows = make([]int, 0, m)
	}
	g.rows = g.rows[:0]
	for i, n := range g.norms {
		if n > 0 {
			g.rows = append(g.rows, i)
		}
	}
	k := len(g.rows)
	for p, i := range g.rows {
		g.norms[p] = g.norms[i]
		for q, j := range g.rows {
			g.c[p*k+q] = g.c[i*m+j]
		}
	}
	g.mu, g.projection = g.mu[:k], g.projection[:k]
	square := g.invert(in, k)
	clear(r.Weights)
	if square == 0 {
		refuse(r, algo.NoSolution)
		return nil
	}
	// (Σ g_i·u)u = (Σ‖g_i‖(UU⁺1)_i)·U⁺1/‖U⁺1‖²
	size := dot(g.norms[:k], g.projection) / square
	for p, i := range g.rows {
		r.Weights[i] = size * (g.mu[p] / g.norms[p])
	}
	combine(r, in)
	conclude(r)
	return nil
}

// invert stores μ and UU⁺1 for the k non-zero gradients. It returns ‖U⁺1‖², or 0 if the result is only a rounding
// error.
func (g *ConFIG) invert(in *algo.Input, k int) float64 {
	if cholesky(g.factor[:k*k], g.c[:k*k], k, eps) > 1e-5 {
		var square float64
		for p := range k {
			g.mu[p], g.projection[p] = 1, 1
		}
		substitute(g.factor[:k*k], g.mu)
		for _, v := range g.mu {
			square += v
		}
		return square
	}
	floor := g.spectrum.find(in, g.rows, g.c[:k*k])
	clear(g.mu)
	clear(g.projection)
	var square, kept float64
	for p, sigma := range g.spectrum.values.sigma {
		if sigma <= floor {
			continue
		}
		sigma = g.spectrum.squares[p]
		u := g.spectrum.values.u[p*k : (p+1)*k]
		var share float64
		for _, v := range u {
			share += v
		}
		square += share * share / sigma
		kept += float64(share * share)
		for q, v := range u {
			g.mu[q] += float64(share / sigma * v)
			g.projection[q] += float64(share * v)
		}
	}
	if rounding := 64 * float64(k) * eps; kept <= rounding*rounding {
		return 0
	}
	return square
}

var ruleConFIG = Method{
	Name: "config", Title: "ConFIG", Paper: "Liu, Chu & Thuerey 2024, equation (2)",
	Help: "Follows the direction that has the same inner product with every unit gradient. Its length is the sum of the gradients’ " +
		"projections onto it.",
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
	configure: configureConFIG,
}

// configureConFIG binds no parameters, because ConFIG has none.
func configureConFIG(*scope) Constructor {
	return func(Context) (algo.Weighting, error) { return NewConFIG(), nil }
}
