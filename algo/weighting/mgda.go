package weighting

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/algo/param"
	"paretoplay/internal/portable"
)

// Normalization selects the number by which MGDA divides each gradient before it finds the point of least norm.
type Normalization int

const (
	NormalizeNone     Normalization = iota // 1
	NormalizeL2                            // ‖g_i‖
	NormalizeLoss                          // f_i
	NormalizeLossPlus                      // f_i·‖g_i‖
)

var normalizations = [...]string{
	NormalizeNone:     "none",
	NormalizeL2:       "l2",
	NormalizeLoss:     "loss",
	NormalizeLossPlus: "loss+",
}

// String returns the value's name on the command line.
func (n Normalization) String() string {
	return choiceName(normalizations[:], "normalization", n)
}

// ParseNormalization returns the Normalization with the given name. Its error lists the available names.
func ParseNormalization(name string) (Normalization, error) {
	return parseChoice[Normalization](normalizations[:], "normalize", name)
}

// MGDA finds
//
//	λ* = argmin_{λ∈Δ} ‖Σ λ_i g_i/s_i‖²,   direction Σ λ*_i g_i
//
// where s_i depends on the normalization and is 1 by default. MGDA stands for multiple-gradient descent algorithm.
// Without a normalization, the direction is the point of least norm in the convex hull of the gradients. A step
// against it decreases every objective to first order. The direction is zero exactly at Pareto-stationary points.
// With a normalization, MGDA computes the weights from the divided gradients, but combines the original gradients, as
// the published multi-task code does. With the parameter combine=normalized, the direction is Σ λ*_i g_i/s_i.
//
// References:
//   - Désidéri (2012), Multiple-gradient descent algorithm (MGDA) for
//     multiobjective optimization, Comptes Rendus Mathematique 350.
//   - Sener & Koltun (2018), Multi-task learning as multi-objective optimization,
//     NeurIPS 31, equation (3); the normalizations follow its code.
type MGDA struct {
	memoryless
	normalization Normalization
	solver        minnorm.Solver
	divisors      []float64
	combined      bool      // whether the direction combines the divided gradients
	least         float64   // replaces a weight of 0 if there are two objectives
	coefficients  []float64 // m
	vector        []float64 // n
	guard         guard
	rows          unitRows
}

var _ algo.Weighting = (*MGDA)(nil)

// NewMGDA returns the rule. It panics if n is not one of the Normalization constants.
func NewMGDA(n Normalization) *MGDA {
	if !isChoice(normalizations[:], n) {
		panic("weighting: " + n.String())
	}
	return &MGDA{normalization: n}
}

// Needs reports that the rule requires the losses if the normalization divides by them. The rule does not require the
// rows, but they improve the last digits.
func (g *MGDA) Needs() algo.Needs { return algo.Needs{Losses: g.dividesByLoss()} }

func (g *MGDA) dividesByLoss() bool {
	return g.normalization == NormalizeLoss || g.normalization == NormalizeLossPlus
}

// Weigh stores λ* and the direction. The gap refers to the divided gradients. Weigh returns an error if the
// normalization divides by a loss that is not positive. It does not divide a zero gradient by its length.
func (g *MGDA) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, g.Needs()); !ok {
		return err
	}
	divisors, err := g.divide(in, len(r.Weights))
	if err != nil || settleZero(r, in) {
		return err
	}
	r.Gap, r.Status = g.solver.SolveRows(r.Weights, in.Gram, in.Jacobian, divisors)
	if g.least > 0 {
		g.raise(r.Weights)
	}
	switch {
	case g.combined && divisors != nil:
		g.combineDivided(r, in)
		check(r)
		return nil
	case g.normalization == NormalizeNone && g.least == 0:
		directExactly(r, in, r.Weights)
		g.promise(r, in)
	default:
		directExactly(r, in, r.Weights)
	}
	confirm(r, in)
	return nil
}

// raise replaces a weight of 0 by the least weight if there are two objectives.
func (g *MGDA) raise(weights []float64) {
	if len(weights) != 2 {
		return
	}
	for i, w := range weights {
		if w == 0 {
			weights[i], weights[1-i] = g.least, 1-g.least
			return
		}
	}
}

// combineDivided stores Σ λ_i g_i/s_i and its coefficients. If s_i contains the length of g_i, it is the length of
// the input's row.
func (g *MGDA) combineDivided(r *algo.Result, in *algo.Input) {
	g.coefficients = resize(g.coefficients, len(r.Weights))
	for i, w := range r.Weights {
		g.coefficients[i] = w / g.divisors[i]
	}
	if g.normalization == NormalizeLoss {
		direct(r, in, g.coefficients)
		return
	}
	if r.Direction != nil {
		in.Jacobian.Combine(r.Direction, g.coefficients)
	}
	multiply(g.coefficients, -in.Exponent)
	copy(r.Effective, g.coefficients)
}

// promise recomputes the direction in coordinates of the rows if, because of rounding, the direction has a negative
// product with a row. If only the Gramian is given and cannot determine the weights, promise sets the status to Budget.
func (g *MGDA) promise(r *algo.Result, in *algo.Input) {
	if in.Jacobian == nil {
		if r.Status == algo.Converged && !g.solver.Determined() {
			r.Status = algo.Budget
		}
		return
	}
	if g.guard.keeps(r, in, r.Weights) {
		g.shorten(r, in)
		return
	}
	g.rows.set(in)
	if !g.rows.leastNorm(r.Weights) {
		clear(r.Direction) // 0 is in the hull, up to rounding
		return
	}
	g.rows.hand(r, in, r.Weights, 1)
	r.Gap, r.Status = g.rows.gap(), algo.Converged
	g.guard.promise(r, in, r.Weights)
}

const (
	// blurred is the squared length of a direction, relative to its terms, below which rounding errors of the Gramian
	// may hide a shorter direction.
	blurred = 1e-13
	// shorter is the relative amount by which a direction in coordinates of the rows must be shorter to replace the
	// other direction.
	shorter = 1e-6
)

// shorten recomputes the direction in coordinates of the rows if three or more gradients nearly cancel. Rounding errors
// of the Gramian would then determine which gradients are active. It keeps the old direction unless the new direction
// is shorter.
func (g *MGDA) shorten(r *algo.Result, in *algo.Input) {
	m := len(r.Weights)
	share, terms := cancels(in.Gram, r.Weights)
	if m < 3 || share >= blurred {
		return
	}
	for i := range m {
		if in.Gram[i*m+i] == 0 {
			return // the direction is 0
		}
	}
	g.vector = resize(g.vector, in.Jacobian.Cols)
	in.Jacobian.Combine(g.vector, r.Weights)
	size := portable.Norm(g.vector)
	if size <= rounded*terms {
		return
	}
	g.coefficients = resize(g.coefficients, m)
	g.rows.set(in)
	if !g.rows.leastNorm(g.coefficients) || portable.Norm(g.rows.d) >= (1-shorter)*size {
		return
	}
	copy(r.Weights, g.coefficients)
	g.rows.hand(r, in, r.Weights, 1)
	r.Gap, r.Status = g.rows.gap(), algo.Converged
	g.guard.promise(r, in, r.Weights)
}

// divide returns s_1 … s_m, or nil if all are 1.
func (g *MGDA) divide(in *algo.Input, m int) ([]float64, error) {
	if g.normalization == NormalizeNone {
		return nil, nil
	}
	if cap(g.divisors) < m {
		g.divisors = make([]float64, m)
	}
	g.divisors = g.divisors[:m]
	for i := range g.divisors {
		s := 1.0
		if g.dividesByLoss() {
			if s = in.Losses[i]; !(s > 0) {
				return nil, refusedLoss(fmt.Sprintf("normalize = %v", g.normalization), i, s, "above 0")
			}
		}
		if length := math.Sqrt(in.Gram[i*m+i]); length > 0 && g.normalization != NormalizeLoss {
			s *= length
		}
		g.divisors[i] = s
	}
	return g.divisors, nil
}

var ruleMGDA = Method{
	Name: "mgda", Title: "MGDA", Paper: "Désidéri 2012; Sener & Koltun 2018, equation (3)",
	Help: "Follows the shortest vector in the convex hull of the gradients.",
	Promises: Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true, NonConflicting: true,
		Homogeneous: true},
	configure: configureMGDA,
}

// These are the values of the parameter combine.
const (
	mgdaGradients  = "gradients"
	mgdaNormalized = "normalized"
)

func configureMGDA(s *scope) Constructor {
	normalize := NormalizeNone.String()
	s.list.Choice(&normalize, s.describe(param.Descriptor{
		Name: "normalize", Label: "Normalization",
		Options: []param.Option{
			{Value: "none", Label: "none", Help: "Uses the gradients unchanged."},
			{Value: "l2", Label: "gradient norm", Help: "Divides each gradient by its length."},
			{Value: "loss", Label: "loss", Help: "Divides each gradient by its loss, which must be positive."},
			{Value: "loss+", Label: "loss and gradient norm", Help: "Divides each gradient by its length and its loss, which must be " +
				"positive."},
		},
		Effect: param.Restart,
		Help: "Selects the number that divides each gradient before the weights are computed (Sener & Koltun 2018, code). The " +
			"direction combines the original gradients.",
	}))
	combine, least := mgdaGradients, 0.0
	if s.all {
		s.list.Choice(&combine, s.describe(param.Descriptor{
			Name: "combine", Label: "Combined gradients",
			Options: []param.Option{
				{Value: mgdaGradients, Label: "the gradients", Help: "Combines the original gradients (Sener & Koltun 2018, code)."},
				{Value: mgdaNormalized, Label: "the divided gradients", Help: "Combines the divided gradients (LibMTL, MGDA.py)."},
			},
			Effect: param.Restart,
			Help:   "Selects which gradients the direction combines, if gradients are divided.",
		}))
		s.list.Number(&least, s.describe(param.Descriptor{
			Name: "least", Label: "Minimum weight with two gradients",
			Max: 0.5, Step: 0.001,
			Effect: param.Restart,
			Help:   "If there are only two gradients and one has weight 0, this value replaces that weight (LibMTL, MGDA.py: 0.001).",
		}))
	}
	return func(Context) (algo.Weighting, error) {
		n, err := ParseNormalization(normalize)
		if err != nil {
			return nil, err
		}
		rule := NewMGDA(n)
		rule.combined, rule.least = combine == mgdaNormalized, least
		return rule, nil
	}
}
