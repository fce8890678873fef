package weighting

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

// AlignedMTL steps along
//
//	d = σ_min·VUᵀw = Gᵀλ,   λ = σ_min·UΣ⁻¹Uᵀw
//
// where G = UΣVᵀ, σ_min is the smallest non-zero singular value, and w_i = 1/m (mean) or 1 (sum). It aligns the
// principal components: it replaces the gradients by the nearest gradients whose matrix has condition number 1. It
// drops singular values of at most m·ε·σ_1, where ε = 8·2⁻⁵² is the rounding error of the factorization. The weights
// are λ and may be negative.
//
// References:
//   - Senushkin, Patakin, Kuznetsov & Konushin (2023), Independent component
//     alignment for multi-task learning, CVPR, Algorithm 1.
type AlignedMTL struct {
	memoryless
	scale     Reduction
	triangle  triangle
	values    decomposition
	c, factor []float64 // m×m
	norms     []float64 // m
}

var _ algo.Weighting = (*AlignedMTL)(nil)

// NewAlignedMTL returns the rule, with w_i = 1/m for Mean or 1 for Sum. It panics if scale is not one of the Reduction
// constants.
func NewAlignedMTL(scale Reduction) *AlignedMTL {
	if !isChoice(reductions[:], scale) {
		panic(fmt.Sprintf("weighting: unknown scale %d", int(scale)))
	}
	return &AlignedMTL{scale: scale}
}

// Needs reports that the rule requires only the Gramian. Without the rows, singular values below √ε·σ_1 cannot be
// distinguished from zero and are dropped.
func (a *AlignedMTL) Needs() algo.Needs { return algo.Needs{} }

// Weigh stores λ and the direction. The gap is NaN, because there is no inner problem.
func (a *AlignedMTL) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := beginNonZero(r, in, a.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	squared := a.decompose(in, m)
	sigma := a.values.sigma
	var largest float64
	for _, v := range sigma {
		largest = max(largest, v)
	}
	floor := 8 * float64(m) * eps * largest
	least := math.Inf(1)
	for i, v := range sigma {
		if v <= floor {
			sigma[i] = 0
			continue
		}
		if squared {
			sigma[i] = math.Sqrt(v)
		}
		least = min(least, sigma[i])
	}
	clear(r.Weights)
	share := a.scale.of(m)
	for i, v := range sigma {
		if v == 0 {
			continue
		}
		u := a.values.u[i*m : (i+1)*m]
		var coefficient float64
		for _, w := range u {
			coefficient += w
		}
		coefficient *= share * (least / v)
		for j, w := range u {
			r.Weights[j] += float64(coefficient * w)
		}
	}
	combine(r, in)
	conclude(r)
	return nil
}

// decompose computes U, and Σ or Σ². It returns true if it has computed Σ².
func (a *AlignedMTL) decompose(in *algo.Input, m int) (squared bool) {
	a.c, a.factor = resize(a.c, m*m), resize(a.factor, m*m)
	a.norms = resize(a.norms, m)
	cosines(a.c, a.norms, in.Gram)
	a.values.resize(m, m)
	for i, n := range a.norms {
		if n == 0 {
			a.c[i*m+i] = 1 // required by the factorization; the row of the factor is cleared afterwards
		}
	}
	least := cholesky(a.factor, a.c, m, eps)
	switch {
	case least > 1e-5:
		// The rows of the factor, scaled to the lengths of the gradients, have the same Gramian as G.
		for i, n := range a.norms {
			row := a.values.a[i*m : (i+1)*m]
			clear(row)
			for j, v := range a.factor[i*m : i*m+i+1] {
				row[j] = n * v
			}
		}
	case in.Jacobian != nil:
		a.triangle.factor(a.values.a, in.Jacobian)
	default:
		copy(a.values.a, in.Gram)
		squared = true
	}
	a.values.decompose()
	return squared
}

var ruleAlignedMTL = Method{
	Name: "alignedmtl", Title: "Aligned-MTL", Paper: "Senushkin et al. 2023, Algorithm 1",
	Help:      "Rescales the principal components of the gradients to equal length.",
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
	configure: configureAlignedMTL,
}

func configureAlignedMTL(s *scope) Constructor {
	scale := Mean.String()
	s.list.Choice(&scale, s.describe(param.Descriptor{
		Name: "scale", Label: "Scale",
		Options: []param.Option{
			{Value: "mean", Label: "mean", Help: "Averages the aligned gradients."},
			{Value: "sum", Label: "sum", Help: "Adds the aligned gradients."},
		},
		Effect: param.Restart,
		Help:   "Determines whether the aligned gradients are averaged or added (Senushkin et al. 2023).",
	}))
	return func(Context) (algo.Weighting, error) {
		reduction, err := parseReduction("scale", scale)
		if err != nil {
			return nil, err
		}
		return NewAlignedMTL(reduction), nil
	}
}
