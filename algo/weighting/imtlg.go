package weighting

import (
	"math"

	"paretoplay/algo"
)

// IMTLG finds the direction Σ α_i g_i with Σα_i = 1 and
//
//	(α_2 … α_m) = g_1Uᵀ(DUᵀ)⁻¹,   D = (g_1 − g_i)_i,  U = (u_1 − u_i)_i
//
// whose projections on all unit gradients u_i = g_i/‖g_i‖ are equal: impartial
// multi-task learning on gradients.
//
// Weights may be negative. Zero gradients are left out, with weight 0. Where DUᵀ is
// singular the equations are solved as least squares, with the solution whose weights
// α_i‖g_i‖ have the least norm. Where equal projections need Σα_i = 0 there is no
// solution.
//
// References:
//   - Liu, Li, Kuang, Xue, Chen, Yang, Liao & Zhang (2021), Towards impartial
//     multi-task learning, ICLR, section 3.1.
type IMTLG struct {
	memoryless
	norms, e, x []float64 // m, or as many as there are gradients that are not zero
	c, factor   []float64 // m×m
	rows        []int     // gradients that are not zero
	system      decomposition
}

var _ algo.Weighting = (*IMTLG)(nil)

// NewIMTLG returns the rule.
func NewIMTLG() *IMTLG { return &IMTLG{} }

// Needs says that the Gramian is enough.
func (g *IMTLG) Needs() algo.Needs { return algo.Needs{} }

// Weigh stores α and the direction. There is no inner problem: the gap is NaN.
func (g *IMTLG) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := beginNonZero(r, in, g.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	g.norms, g.e, g.x = resize(g.norms, m), resize(g.e, m), resize(g.x, m)
	g.c, g.factor = resize(g.c, m*m), resize(g.factor, m*m)
	cosines(g.c, g.norms, in.Gram)
	if cap(g.rows) < m {
		g.rows = make([]int, 0, m)
	}
	g.rows = g.rows[:0]
	shortest := math.Inf(1)
	for i, n := range g.norms {
		if n > 0 {
			g.rows = append(g.rows, i)
			shortest = min(shortest, n)
		}
	}
	k := len(g.rows)
	g.e, g.x = g.e[:k], g.x[:k]
	for p, i := range g.rows {
		g.e[p] = shortest / g.norms[i]
		for q, j := range g.rows {
			g.c[p*k+q] = g.c[i*m+j]
		}
	}
	// With μ_i = α_i‖g_i‖/shortest: (Cμ)_i equal for all i, eᵀμ = 1.
	clear(r.Weights)
	sum := g.solve(k)
	if math.Abs(sum) <= 1e-12*math.Sqrt(dot(g.e, g.e)*dot(g.x, g.x)) {
		refuse(r, algo.NoSolution)
		return nil
	}
	for p, i := range g.rows {
		r.Weights[i] = g.x[p] * g.e[p] / sum
	}
	combine(r, in)
	conclude(r)
	return nil
}

// solve stores μ, not normalised, in x and returns eᵀμ.
func (g *IMTLG) solve(k int) float64 {
	for p := range g.x {
		g.x[p] = 1
	}
	if cholesky(g.factor[:k*k], g.c[:k*k], k, eps) > 1e-6 {
		substitute(g.factor[:k*k], g.x)
		return dot(g.e, g.x)
	}
	// Transposed: one row for each unknown, one column for each equation, the last
	// for eᵀμ = 1. The other equations say that Cμ has no deviation from its mean.
	s := &g.system
	s.resize(k, k+1)
	for p := range k {
		row := s.a[p*(k+1) : (p+1)*(k+1)]
		var mean float64
		for q := range k {
			mean += g.c[p*k+q] / float64(k)
		}
		for q := range k {
			row[q] = g.c[p*k+q] - mean
		}
		row[k] = g.e[p]
	}
	s.decompose()
	var largest float64
	for _, v := range s.sigma {
		largest = max(largest, v)
	}
	clear(g.x)
	for p, sigma := range s.sigma {
		if sigma > 32*float64(k)*eps*largest {
			// Row p of a is σ times a right singular vector.
			factor := s.a[p*(k+1)+k] / sigma / sigma
			for q := range g.x {
				g.x[q] += factor * s.u[p*k+q]
			}
		}
	}
	return dot(g.e, g.x)
}

var ruleIMTLG = Method{
	Name: "imtlg", Title: "IMTL-G", Paper: "Liu et al. 2021 (ICLR), section 3.1",
	Help:      "The direction with equal projections on all unit gradients.",
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
	configure: configureIMTLG,
}

// configureIMTLG has no parameters.
func configureIMTLG(*scope) Constructor {
	return func(Context) (algo.Weighting, error) { return NewIMTLG(), nil }
}
