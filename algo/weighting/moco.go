package weighting

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/portable"
)

// MoCoConfig contains the parameters of NewMoCo.
type MoCoConfig struct {
	Beta  float64 // β in (0, 1], share of a new gradient in the tracked gradient
	Gamma float64 // γ > 0, step size of the weights
	Decay float64 // ≥ 0; at decision k, counted from 0, Beta and Gamma are divided by (k+1)^Decay
	Rho   float64 // ρ ≥ 0, regularization of the weights
}

var defaultMoCo = MoCoConfig{Beta: 0.5, Gamma: 0.1}

// MoCo updates at decision k, counted from 0,
//
//	Y ← Y − β_k(Y − G)                       starting from 0
//	λ ← Π_Δ(λ − γ_k(YYᵀ + ρI)λ)              starting from 1/m
//	direction Yᵀλ
//
// with β_k = β(k+1)^(−decay) and γ_k = γ(k+1)^(−decay). MoCo stands for the stochastic multi-objective method with
// gradient correction. It tracks the gradients in Y, where their noise averages out, and uses Y to move weights on
// the simplex. The direction combines the tracked gradients. It is not Gᵀλ, so it does not become 0 as soon as G
// does.
//
// LibMTL's MoCo differs in two ways. The parameter lengths=losses scales each row of G to a length equal to its loss
// before the row is tracked. The parameter simplex=softmax replaces Π_Δ by the softmax.
//
// References:
//   - Fernando, Shen, Liu, Chaudhury, Murugesan & Chen (2023), Mitigating gradient
//     bias in multi-objective learning: a provably convergent approach, ICLR,
//     Algorithm 1.
type MoCo struct {
	config MoCoConfig

	decisions int
	tracked   *algo.Jacobian // Y, nil before the first decision
	byLosses  bool           // whether to scale each gradient to a length equal to its loss
	multipliers
}

var _ algo.Weighting = (*MoCo)(nil)

// NewMoCo returns the rule with the given configuration, before its first decision.
func NewMoCo(c MoCoConfig) (*MoCo, error) {
	if !(c.Beta > 0 && c.Beta <= 1) {
		return nil, refused("beta", c.Beta, "a number above 0 and at most 1")
	}
	if err := positive("gamma", c.Gamma); err != nil {
		return nil, err
	}
	if err := notNegative("decay", c.Decay); err != nil {
		return nil, err
	}
	if err := notNegative("rho", c.Rho); err != nil {
		return nil, err
	}
	return &MoCo{config: c}, nil
}

// Needs reports that the rule requires the rows, which it tracks, and the losses if they determine the lengths.
func (c *MoCo) Needs() algo.Needs { return algo.Needs{Jacobian: true, Losses: c.byLosses} }

// factor returns the number by which gradient i, in the units of the rows, is multiplied before it is tracked.
func (c *MoCo) factor(i int, in *algo.Input) float64 {
	if !c.byLosses {
		return math.Ldexp(1, in.Exponent)
	}
	if length := math.Sqrt(in.Gram[i*in.Jacobian.Rows+i]); length > 0 {
		return in.Losses[i] / length
	}
	return 0
}

// Weigh tracks the gradients, updates the weights, and stores the weights and the direction Yᵀλ. At the first decision,
// the effective coefficients are β_0·λ times the result of factor. Later they are nil, because Y then contains
// gradients at other points. The gap is NaN, because no inner problem is solved.
func (c *MoCo) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, c.Needs()); !ok {
		return err
	}
	m, n := in.Jacobian.Rows, in.Jacobian.Cols
	if c.tracked == nil {
		c.tracked = algo.NewJacobian(m, n)
	}
	if c.tracked.Rows != m || c.tracked.Cols != n {
		return inputErrorf("moco: a Jacobian of %d×%d; earlier decisions had %d×%d", m, n, c.tracked.Rows, c.tracked.Cols)
	}
	if err := c.prepare(m); err != nil {
		return err
	}
	first := c.decisions == 0
	shrink := portable.Pow(float64(c.decisions+1), -c.config.Decay)
	c.decisions++
	beta := c.config.Beta * shrink
	for i := range m {
		factor := c.factor(i, in)
		tracked := c.tracked.Row(i)
		for k, g := range in.Jacobian.Row(i) {
			tracked[k] -= float64(beta * (tracked[k] - float64(factor*g)))
		}
	}
	if !c.step(c.tracked, c.tracked, c.config.Gamma*shrink, 0, c.config.Rho) {
		diverged(r)
		return nil
	}
	copy(r.Weights, c.lambda)
	if r.Direction != nil {
		c.tracked.Combine(r.Direction, r.Weights)
	}
	if first {
		// Y = βG
		for i := range r.Effective {
			r.Effective[i] = beta * r.Weights[i]
			if c.byLosses {
				r.Effective[i] *= math.Ldexp(c.factor(i, in), -in.Exponent)
			}
		}
	} else {
		r.Effective = nil
	}
	conclude(r)
	return nil
}

// Tracked returns Y, which is nil before the first decision. The matrix belongs to the rule and is valid until the
// next decision.
func (c *MoCo) Tracked() *algo.Jacobian { return c.tracked }

// Weights returns λ, which is empty before the first decision. The slice belongs to the rule and is valid until the
// next decision.
func (c *MoCo) Weights() []float64 { return c.lambda }

// Save appends the tracked gradients and the weights.
func (c *MoCo) Save(s *algo.Snapshot) {
	s.PutInt(c.decisions)
	c.save(s)
	if c.tracked == nil {
		s.PutInt(0)
		return
	}
	s.PutInt(c.tracked.Cols)
	s.PutFloats(c.tracked.Data...)
}

// Load restores the state that Save appended.
func (c *MoCo) Load(s *algo.Snapshot) {
	c.decisions = s.GetInt()
	c.load(s)
	m, n := len(c.lambda), s.GetInt()
	if n == 0 {
		c.tracked = nil
		return
	}
	if c.tracked == nil || c.tracked.Rows != m || c.tracked.Cols != n {
		c.tracked = algo.NewJacobian(m, n)
	}
	s.GetFloats(c.tracked.Data)
}

var ruleMoCo = Method{
	Name: "moco", Title: "MoCo", Paper: "Fernando et al. 2023, Algorithm 1",
	Help:      "Averages the gradients over the steps to reduce their noise, and moves the weights gradually.",
	Needs:     algo.Needs{Jacobian: true},
	Promises:  Promises{Weights: true, Simplex: true, Permutation: true},
	configure: configureMoCo,
}

func configureMoCo(s *scope) Constructor {
	c := defaultMoCo
	s.list.Number(&c.Beta, s.describe(param.Descriptor{
		Name: "beta", Symbol: "β", Label: "Tracking rate",
		Min: 1e-3, Max: 1, Scale: param.Log,
		Effect: param.Restart,
		Help:   "Sets the share of each new gradient in the tracked gradient; 1 uses only the new gradient (Fernando et al. 2023, Algorithm 1).",
	}))
	s.list.Number(&c.Gamma, s.describe(param.Descriptor{
		Name: "gamma", Symbol: "γ", Label: "Step size of the weights",
		Min: 1e-4, Max: 10, Scale: param.Log,
		Effect: param.Restart,
		Help:   "Sets how far one decision moves the weights (Fernando et al. 2023, Algorithm 1).",
	}))
	s.list.Number(&c.Decay, s.describe(param.Descriptor{
		Name: "decay", Label: "Decay of β and γ",
		Max: 1, Step: 0.05,
		Effect: param.Restart,
		Help:   "In decision k, counted from 0, β and γ are divided by (k+1) to this power. 0 keeps them constant.",
	}))
	s.list.Number(&c.Rho, s.describe(param.Descriptor{
		Name: "rho", Symbol: "ρ", Label: "Regularization",
		Max:    10,
		Effect: param.Restart,
		Help:   "Pulls the weights towards equal weights (Fernando et al. 2023, equation 9).",
	}))
	lengths, simplex := mocoKept, mocoProjection
	if s.all {
		s.list.Choice(&lengths, s.describe(param.Descriptor{
			Name: "lengths", Label: "Lengths of the gradients",
			Options: []param.Option{
				{Value: mocoKept, Label: "kept", Help: "Gradients keep their lengths (Fernando et al. 2023, Algorithm 1)."},
				{Value: mocoLosses, Label: "losses", Help: "Scales each gradient so that its length equals its loss (LibMTL, MoCo.py)."},
			},
			Effect: param.Restart,
			Help:   "Selects how gradients are scaled before tracking.",
		}))
		s.list.Choice(&simplex, s.describe(param.Descriptor{
			Name: "simplex", Label: "Return to the simplex",
			Options: []param.Option{
				{Value: mocoProjection, Label: "projection", Help: "Takes the nearest weights on the simplex (Fernando et al. 2023, Algorithm 1)."},
				{Value: mocoSoftmax, Label: "softmax", Help: "Takes the softmax of the moved weights (LibMTL, MoCo.py)."},
			},
			Effect: param.Restart,
			Help:   "Selects how the moved weights return to the simplex.",
		}))
	}
	return func(Context) (algo.Weighting, error) {
		rule, err := NewMoCo(c)
		if err == nil {
			rule.byLosses, rule.softmax = lengths == mocoLosses, simplex == mocoSoftmax
		}
		return rule, err
	}
}

// These are the values of the parameters lengths and simplex.
const (
	mocoKept       = "kept"
	mocoLosses     = "losses"
	mocoProjection = "projection"
	mocoSoftmax    = "softmax"
)
