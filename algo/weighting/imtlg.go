package weighting

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

// IMTLG finds the direction Σ α_i g_i with Σα_i = 1 and
//
//	(α_2 … α_m) = g_1Uᵀ(DUᵀ)⁻¹,   D = (g_1 − g_i)_i,  U = (u_1 − u_i)_i
//
// whose projections onto all unit gradients u_i = g_i/‖g_i‖ are equal. IMTL-G stands for impartial multi-task
// learning on gradients.
//
// Weights may be negative. Zero gradients are ignored and have weight 0. If DUᵀ is singular, there may be many
// solutions. IMTLG then takes the solution whose weights α_i‖g_i‖ have the least norm. If the directions of the
// solutions differ, the status is Degenerate, except at a stationary point, where no weight is negative and the
// direction is 0. If equal projections require Σα_i = 0, there is no solution.
//
// With the parameter dependent=pseudoinverse, dependent gradients get α ∝ (GGᵀ)⁺(‖g_i‖)_i instead, as in TorchJD. The
// projections of this direction are equal in the least-squares sense. This direction is not 0 even if the projections
// can be equal only by all being 0.
//
// References:
//   - Liu, Li, Kuang, Xue, Chen, Yang, Liao & Zhang (2021), Towards impartial
//     multi-task learning, ICLR, section 3.1.
type IMTLG struct {
	memoryless
	norms, e, x []float64 // m, or the number of non-zero gradients
	equal       []float64 // same length as x; weights of gradients with equal products
	c, factor   []float64 // m×m
	rows        []int     // non-zero gradients
	spectrum    spectrum

	pseudoinverse bool // whether to use the pseudo-inverse for dependent gradients
	components    AlignedMTL
}

var _ algo.Weighting = (*IMTLG)(nil)

// NewIMTLG returns the rule without the pseudo-inverse for dependent gradients.
func NewIMTLG() *IMTLG { return &IMTLG{} }

// Needs reports that the rule requires only the Gramian.
func (g *IMTLG) Needs() algo.Needs { return algo.Needs{} }

// Weigh stores α and the direction. The gap is NaN, because there is no inner problem.
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
	// With μ_i = α_i‖g_i‖/shortest, (Cμ)_i is equal for all i and eᵀμ = 1.
	clear(r.Weights)
	if g.pseudoinverse && cholesky(g.factor[:k*k], g.c[:k*k], k, eps) <= dependent {
		g.invert(r, in)
		return nil
	}
	sum, unique := g.solve(in, k)
	if math.Abs(sum) <= 1e-12*math.Sqrt(dot(g.e, g.e)*dot(g.x, g.x)) {
		refuse(r, algo.NoSolution)
		return nil
	}
	for p, i := range g.rows {
		r.Weights[i] = g.x[p] * g.e[p] / sum
	}
	directExactly(r, in, r.Weights)
	conclude(r)
	if r.Status == algo.Converged && !unique {
		share, _ := cancels(in.Gram, r.Weights)
		if slices.Min(r.Weights) < -1e-12*slices.Max(r.Weights) || share > 8*float64(m)*eps {
			r.Status = algo.Degenerate
		}
	}
	return nil
}

// solve stores an unnormalised μ in x. It returns eᵀμ, and whether all solutions have the same direction.
//
// Let U = Σ σ_p u_p v_pᵀ. For μ = Σ (1·u_p)/σ_p² u_p over all σ_p above rounding errors, Cμ is a multiple of the vector
// 1 if the part of 1 outside the span of these u_p is only a rounding error. If μ is one of the other u_p, Cμ is 0.
// Among the combinations of these u_p with eᵀμ = 1, the combination in the direction of e's projection has the least
// norm. Gradients that are dependent within single precision, 1e-7, count as dependent. Otherwise their tiny
// independent parts would determine the result.
func (g *IMTLG) solve(in *algo.Input, k int) (sum float64, unique bool) {
	for p := range g.x {
		g.x[p] = 1
	}
	if cholesky(g.factor[:k*k], g.c[:k*k], k, eps) > dependent {
		substitute(g.factor[:k*k], g.x)
		return dot(g.e, g.x), true
	}
	g.spectrum.find(in, g.rows, g.c[:k*k])
	rounding := 32 * float64(k) * eps // bound for squares
	floor := rounding * slices.Max(g.spectrum.squares)
	clear(g.x)
	g.equal = resize(g.equal, k)
	clear(g.equal)
	var rest, along float64
	for p, square := range g.spectrum.squares {
		u := g.spectrum.values.u[p*k : (p+1)*k]
		var ones float64
		for _, v := range u {
			ones += v
		}
		if square > floor {
			for q, v := range u {
				g.equal[q] += float64(ones / square * v)
			}
			continue
		}
		rest += float64(ones * ones)
		share := dot(g.e, u)
		along += float64(share * share)
		for q, v := range u {
			g.x[q] += float64(share * v)
		}
	}
	unique = along <= rounding*dot(g.e, g.e)
	if unique {
		clear(g.x)
	}
	if size := length(g.equal); size > 0 && rest <= rounding*float64(k) {
		share := dot(g.e, g.equal) / size / size
		for q, v := range g.equal {
			g.x[q] += float64(share * v)
		}
	}
	return dot(g.e, g.x), unique
}

// invert computes the decision with the pseudo-inverse. Singular values of at most m·ε times the largest count as 0.
func (g *IMTLG) invert(r *algo.Result, in *algo.Input) {
	m := len(r.Weights)
	squared := g.components.decompose(in, m)
	sigma := g.components.values.sigma
	floor := 8 * float64(m) * eps * slices.Max(sigma)
	for p, v := range sigma {
		if v <= floor {
			continue
		}
		if !squared {
			v *= v
		}
		u := g.components.values.u[p*m : (p+1)*m]
		share := dot(u, g.norms) / v
		for i, w := range u {
			r.Weights[i] += float64(share * w)
		}
	}
	var sum, size float64
	for _, w := range r.Weights {
		sum += w
		size += math.Abs(w)
	}
	if math.Abs(sum) <= 1e-12*size {
		refuse(r, algo.NoSolution)
		return
	}
	for i := range r.Weights {
		r.Weights[i] /= sum
	}
	directExactly(r, in, r.Weights)
	conclude(r)
}

var ruleIMTLG = Method{
	Name: "imtlg", Title: "IMTL-G", Paper: "Liu et al. 2021 (ICLR), section 3.1",
	Help:      "Follows the direction with equal projections onto all unit gradients.",
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
	configure: configureIMTLG,
}

// These are the values of the parameter dependent.
const (
	imtlgEqual         = "equal"
	imtlgPseudoinverse = "pseudoinverse"
)

func configureIMTLG(s *scope) Constructor {
	dependent := imtlgEqual
	if s.all {
		s.list.Choice(&dependent, s.describe(param.Descriptor{
			Name: "dependent", Label: "Dependent gradients",
			Options: []param.Option{
				{Value: imtlgEqual, Label: "equal projections", Help: "Requires equal projections, even if they are 0 (Liu et al. 2021)."},
				{Value: imtlgPseudoinverse, Label: "pseudo-inverse", Help: "Makes the projections equal in the least-squares sense (TorchJD)."},
			},
			Effect: param.Restart,
			Help:   "Selects what to do if a gradient is a combination of other gradients.",
		}))
	}
	return func(Context) (algo.Weighting, error) {
		rule := NewIMTLG()
		rule.pseudoinverse = dependent == imtlgPseudoinverse
		return rule, nil
	}
}
