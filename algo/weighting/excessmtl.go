package weighting

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

const defaultExcessMTLGamma = 0.01

// ExcessMTL moves its weights by
//
//	e_i = Σ_j g_ij²/h_ij,   h_ij = √(Σ g_ij² over all decisions until now)
//	λ_i ← λ_i·exp(γ·e_i/e_i⁰), scaled to sum m
//
// where e⁰ is e at the first decision, at which λ = 1. ExcessMTL gives more weight to objectives that are far from
// their minimum. It estimates this distance from the gradients alone, with AdaGrad's diagonal curvature h. If an
// objective's gradient is zero at the first decision, e_i⁰ comes from the first decision with a non-zero gradient, and
// e_i/e_i⁰ = 0 until then. With the parameter first=excesses, the weights start at λ_i ∝ exp(γ·e_i⁰) instead.
//
// References:
//   - He, Zhou, Zhang, Sun, Pu & Sun (2024), Robust multi-task learning with excess
//     risks, ICML, Algorithm 1, without the constant that its code adds inside the root.
type ExcessMTL struct {
	gamma    float64
	excesses bool // whether the first decision uses the absolute excesses

	// logits, initial and squares are empty before the first decision. squares and initial refer to gradients in units
	// of 2^exponent.
	logits, initial []float64      // log λ up to a constant, and e⁰
	squares         *algo.Jacobian // Σ g_ij²
	exponent        int
}

var _ algo.Weighting = (*ExcessMTL)(nil)

// NewExcessMTL returns the rule. γ > 0 is the step size of the weights.
func NewExcessMTL(gamma float64) (*ExcessMTL, error) {
	if err := positive("gamma", gamma); err != nil {
		return nil, err
	}
	return &ExcessMTL{gamma: gamma}, nil
}

// Needs reports that the rule requires the rows, because it sums the squares of their entries.
func (e *ExcessMTL) Needs() algo.Needs { return algo.Needs{Jacobian: true} }

// Weigh updates the weights, and stores them and the direction Gᵀλ. The status is Diverged if a sum of squares or the
// change of a weight overflows. The gap is NaN, because there is no inner problem.
func (e *ExcessMTL) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, e.Needs()); !ok {
		return err
	}
	m, n := in.Jacobian.Rows, in.Jacobian.Cols
	first := len(e.logits) == 0
	if first {
		e.shape(m, n)
		clear(e.logits)
		clear(e.initial)
		clear(e.squares.Data)
		e.exponent = in.Exponent
	}
	if e.squares.Rows != m || e.squares.Cols != n {
		return inputErrorf("excessmtl: a Jacobian of %d×%d; earlier decisions had %d×%d", m, n, e.squares.Rows, e.squares.Cols)
	}
	for i := range e.logits {
		excess := e.excess(i, in)
		if e.initial[i] == 0 {
			e.initial[i] = excess
		}
		if first && e.excesses {
			e.logits[i] = float64(e.gamma * math.Ldexp(excess, e.exponent))
		}
		if excess != 0 && !first {
			e.logits[i] += float64(e.gamma * (excess / e.initial[i]))
		}
	}
	top := slices.Max(e.logits)
	for i := range e.logits {
		e.logits[i] -= top
	}
	softmax(r.Weights, e.logits, 1)
	for i := range r.Weights {
		r.Weights[i] *= float64(m)
	}
	combine(r, in)
	conclude(r)
	return nil
}

// excess adds the squares of row i to the sums and returns e_i.
func (e *ExcessMTL) excess(i int, in *algo.Input) float64 {
	unit := math.Ldexp(1, in.Exponent-e.exponent)
	sums := e.squares.Row(i)
	var excess float64
	for c, g := range in.Jacobian.Row(i) {
		g *= unit
		square := float64(g * g)
		if sums[c] += square; square > 0 {
			excess += square / math.Sqrt(sums[c])
		}
	}
	return excess
}

// shape allocates storage for m objectives and n variables.
func (e *ExcessMTL) shape(m, n int) {
	e.logits, e.initial = resize(e.logits, m), resize(e.initial, m)
	if e.squares == nil || e.squares.Rows != m || e.squares.Cols != n {
		e.squares = algo.NewJacobian(m, n)
	}
}

// Save appends the weights, e⁰ and the sums of squares.
func (e *ExcessMTL) Save(s *algo.Snapshot) {
	s.PutInt(len(e.logits))
	if len(e.logits) == 0 {
		return
	}
	s.PutInt(e.squares.Cols)
	s.PutInt(e.exponent)
	s.PutFloats(e.logits...)
	s.PutFloats(e.initial...)
	s.PutFloats(e.squares.Data...)
}

// Load restores the state that Save appended.
func (e *ExcessMTL) Load(s *algo.Snapshot) {
	m := s.GetInt()
	if m == 0 {
		e.logits = e.logits[:0]
		return
	}
	e.shape(m, s.GetInt())
	e.exponent = s.GetInt()
	s.GetFloats(e.logits)
	s.GetFloats(e.initial)
	s.GetFloats(e.squares.Data)
}

// These are the values of the parameter first.
const (
	excessOnes     = "ones"
	excessAbsolute = "excesses"
)

func (*ExcessMTL) readsCoordinates() {}

var ruleExcessMTL = Method{
	Name: "excessmtl", Title: "ExcessMTL", Paper: "He et al. 2024, Algorithm 1",
	Help:        "Gives more weight to objectives that, judging by their gradients, can still fall far.",
	Needs:       algo.Needs{Jacobian: true},
	Promises:    Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
	Coordinates: true,
	configure:   configureExcessMTL,
}

func configureExcessMTL(s *scope) Constructor {
	gamma := float64(defaultExcessMTLGamma)
	s.list.Number(&gamma, s.describe(param.Descriptor{
		Name: "gamma", Symbol: "γ", Label: "Step size of the weights",
		Min: 1e-4, Max: 10, Scale: param.Log,
		Effect: param.Restart,
		Help:   "Controls how strongly a weight grows with how far its objective can still fall (He et al. 2024, Algorithm 1).",
	}))
	first := excessOnes
	if s.all {
		s.list.Choice(&first, s.describe(param.Descriptor{
			Name: "first", Label: "First decision",
			Options: []param.Option{
				{Value: excessOnes, Label: "equal weights", Help: "The first decision only measures the excess risks (He et al. 2024, code; LibMTL)."},
				{Value: excessAbsolute, Label: "absolute excesses",
					Help: "The first decision uses the excess risks themselves (TorchJD without warm-up steps)."},
			},
			Effect: param.Restart,
			Help:   "Selects how the first decision, which has no earlier excess risks for comparison, sets the weights.",
		}))
	}
	return func(Context) (algo.Weighting, error) {
		rule, err := NewExcessMTL(gamma)
		if err == nil {
			rule.excesses = first == excessAbsolute
		}
		return rule, err
	}
}
