package weighting

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/algo/param"
)

// SDMGradConfig contains the parameters of NewSDMGrad.
type SDMGradConfig struct {
	Kappa float64 // κ ≥ 0, strength of the pull towards the mean gradient

	// Stochastic selects the form that updates λ with sampled gradients instead of solving for λ. Only this form uses
	// Gamma and Inner.
	Stochastic bool
	Gamma      float64 // γ > 0, step size of λ
	Inner      int     // number of steps of λ in each decision, from 1 to 1000
}

var defaultSDMGrad = SDMGradConfig{Kappa: 0.3, Gamma: 0.1, Inner: 1}

const maxInner = 1000

// SDMGrad finds
//
//	λ = argmin_{λ∈Δ} ½‖Gᵀλ + κg_0‖²,   direction (Gᵀλ + κg_0)/(1+κ)
//
// with the mean gradient g_0. SDMGrad stands for direction-oriented stochastic multi-gradient descent. κ = 0 is MGDA;
// κ → ∞ gives the mean gradient. The stochastic form keeps λ between decisions, starting at 1/m. Each decision takes
// Inner steps
//
//	λ ← Π_Δ(λ − γ·G(ξ1)(G(ξ2)ᵀλ + κg_0(ξ2)))
//
// each with two new samples ξ1 and ξ2. The input's Jacobian is that of ξ3, the sample of the direction. The weights are
// λ; the direction has coefficients (λ_s + κ/m)/(1+κ).
//
// References:
//   - Xiao, Ban & Ji (2023), Direction-oriented multi-objective learning: simple
//     and provable stochastic algorithms, NeurIPS 36, equation (5) and Algorithm 1.
//     The published code uses one sample for ξ1, ξ2 and ξ3.
type SDMGrad struct {
	config SDMGradConfig
	multipliers

	solver       minnorm.Solver
	shifted      *algo.Jacobian // rows g_i + κg_0
	gram         []float64      // Gramian of the shifted rows
	coefficients []float64
}

var _ algo.Weighting = (*SDMGrad)(nil)

// NewSDMGrad returns the rule with the given configuration.
func NewSDMGrad(c SDMGradConfig) (*SDMGrad, error) {
	if err := notNegative("kappa", c.Kappa); err != nil {
		return nil, err
	}
	if c.Stochastic {
		if err := positive("gamma", c.Gamma); err != nil {
			return nil, err
		}
		if c.Inner < 1 || c.Inner > maxInner {
			return nil, refused("inner", c.Inner, fmt.Sprintf("a whole number from 1 to %d", maxInner))
		}
	}
	return &SDMGrad{config: c}, nil
}

// Needs reports that the stochastic form requires two further samples per inner step. The other form requires only
// the Gramian.
func (g *SDMGrad) Needs() algo.Needs {
	if g.config.Stochastic {
		return algo.Needs{Extra: 2 * g.config.Inner}
	}
	return algo.Needs{}
}

// Weigh stores λ and the direction. The gap refers to the rows g_i + κg_0. It is NaN in the stochastic form, which
// solves no inner problem.
func (g *SDMGrad) Weigh(r *algo.Result, in *algo.Input) error {
	needs := g.Needs()
	if ok, err := begin(r, in, needs); !ok {
		return err
	}
	m := len(r.Weights)
	if g.config.Stochastic {
		if err := checkSamples(in, m, needs.Extra); err != nil {
			return err
		}
		if err := g.prepare(m); err != nil {
			return err
		}
		for i := 0; i < needs.Extra; i += 2 {
			if !g.step(in.Extra[i], in.Extra[i+1], g.config.Gamma, g.config.Kappa, 0) {
				diverged(r)
				return nil
			}
		}
		copy(r.Weights, g.lambda)
		g.direct(r, in)
		conclude(r)
		return nil
	}
	if settleZero(r, in) {
		return nil
	}
	g.shift(in, m)
	if !algo.Finite(g.gram) {
		diverged(r)
		return nil
	}
	rows := g.shifted
	if in.Jacobian == nil {
		rows = nil
	}
	r.Gap, r.Status = g.solver.SolveRows(r.Weights, g.gram, rows, nil)
	g.direct(r, in)
	confirm(r, in)
	return nil
}

// shift computes the Gramian of the rows g_i + κg_0, and the shifted rows if the rows are
// given.
func (g *SDMGrad) shift(in *algo.Input, m int) {
	g.gram = resize(g.gram, m*m)
	share := g.config.Kappa / float64(m)
	if in.Jacobian != nil {
		n := in.Jacobian.Cols
		if g.shifted == nil || g.shifted.Rows != m || g.shifted.Cols != n {
			g.shifted = algo.NewJacobian(m, n)
		}
		for c := range n {
			var sum float64
			for i := range m {
				sum += in.Jacobian.Data[i*n+c]
			}
			for i := range m {
				g.shifted.Data[i*n+c] = in.Jacobian.Data[i*n+c] + float64(share*sum)
			}
		}
		g.shifted.Gram(g.gram)
		return
	}
	// (g_i + κg_0)·(g_j + κg_0) = G_ij + κ(a_i + a_j) + κ²b, a_i = g_i·g_0, b = ‖g_0‖²
	g.coefficients = resize(g.coefficients, m)
	a := g.coefficients
	var b float64
	for i := range m {
		a[i] = 0
		for j := range m {
			a[i] += in.Gram[i*m+j]
		}
		a[i] = float64(a[i] * share)
		b += a[i]
	}
	b = float64(b * share)
	for i := range m {
		for j := range m {
			g.gram[i*m+j] = in.Gram[i*m+j] + a[i] + a[j] + b
		}
	}
}

// direct stores the direction and its coefficients.
func (g *SDMGrad) direct(r *algo.Result, in *algo.Input) {
	g.coefficients = resize(g.coefficients, len(r.Weights))
	share := g.config.Kappa / float64(len(r.Weights))
	for i, l := range r.Weights {
		g.coefficients[i] = (l + share) / (1 + g.config.Kappa)
	}
	direct(r, in, g.coefficients)
}

// Save appends the weights of the stochastic form.
func (g *SDMGrad) Save(s *algo.Snapshot) { g.save(s) }

// Load restores the state that Save appended.
func (g *SDMGrad) Load(s *algo.Snapshot) { g.load(s) }

var ruleSDMGrad = Method{
	Name: "sdmgrad", Title: "SDMGrad", Paper: "Xiao, Ban & Ji 2023, equation 5 and Algorithm 1",
	Help:      "Pulls MGDA’s direction towards the mean gradient.",
	Promises:  Promises{Weights: true, Effective: true, Simplex: true, Permutation: true, Homogeneous: true},
	configure: configureSDMGrad,
}

func configureSDMGrad(s *scope) Constructor {
	c := defaultSDMGrad
	s.list.Number(&c.Kappa, s.describe(param.Descriptor{
		Name: "kappa", Symbol: "κ", Label: "Pull towards the mean gradient",
		Max: 10, Step: 0.05,
		Effect: param.Restart,
		Help:   "0 is MGDA; large values follow the mean gradient (Xiao, Ban & Ji 2023, equation 5).",
	}))
	s.list.Bool(&c.Stochastic, s.describe(param.Descriptor{
		Name: "stochastic", Label: "Stochastic form",
		Effect: param.Restart,
		Help: "If on, does not solve for the weights but moves them by gradients on independent samples (Xiao, Ban & Ji 2023, Algorithm " +
			"1).",
	}))
	s.list.Number(&c.Gamma, s.describe(param.Descriptor{
		Name: "gamma", Symbol: "γ", Label: "Step size of the weights",
		Min: 1e-4, Max: 10, Scale: param.Log,
		Effect: param.Restart,
		Help:   "Sets how far one inner step of the stochastic form moves the weights.",
	}))
	s.list.Integer(&c.Inner, s.describe(param.Descriptor{
		Name: "inner", Label: "Inner steps",
		Min: 1, Max: 100, Step: 1,
		Effect: param.Restart,
		Help:   "Sets how many times each decision of the stochastic form moves the weights. Each move costs two further Jacobians.",
	}))
	return func(Context) (algo.Weighting, error) { return NewSDMGrad(c) }
}
