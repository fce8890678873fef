package weighting

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/portable"
)

const (
	defaultDBMTLBeta  = 0.9
	defaultDBMTLSigma = 0.5
)

// DBMTL adds gradients averaged over decisions. At its k-th decision, counted from 1, it computes
//
//	b_i ← g_i + (β/k^σ)(b_i − g_i),   g_i = ∇f_i/f_i,  b_i = 0 at first
//	direction Σ_i (max_j‖b_j‖/‖b_i‖)·b_i
//
// and ignores objectives with b_i = 0. DB-MTL stands for dual-balancing multi-task learning. It averages the
// gradients of the logarithms of the losses over the decisions in b_i, and scales all averages to the length of the
// longest one. The weights are (max_j‖b_j‖/‖b_i‖)/f_i, the coefficients that ∇f_i would have without averaging. The
// direction is the sum of the averages, not Gᵀλ, so it does not become 0 as soon as G does. Every loss must be
// positive.
//
// References:
//   - Lin, Jiang, Ye, Zhang, Chen, Chen, Liu & Kwok (2023), Dual-balancing for
//     multi-task learning, arXiv:2308.12029, Algorithm 1.
type DBMTL struct {
	beta, sigma float64

	decisions int
	averaged  *algo.Jacobian // b, nil before the first decision

	norms, factors []float64 // m
}

var _ algo.Weighting = (*DBMTL)(nil)

// NewDBMTL returns the rule. β in [0, 1) is the share of the old average that the first decision keeps. σ ≥ 0
// determines how fast this share falls.
func NewDBMTL(beta, sigma float64) (*DBMTL, error) {
	if !(beta >= 0 && beta < 1) {
		return nil, refused("beta", beta, "a number of at least 0 and below 1")
	}
	if err := notNegative("sigma", sigma); err != nil {
		return nil, err
	}
	return &DBMTL{beta: beta, sigma: sigma}, nil
}

// Needs reports that the rule requires the losses and the rows, which it averages.
func (d *DBMTL) Needs() algo.Needs { return algo.Needs{Jacobian: true, Losses: true} }

// Weigh updates the averages and stores the weights and the direction. The effective coefficients are (1 − β)·λ at
// the first decision. Later they are nil, because the averages then contain gradients at other points. It returns an
// error if a loss is not positive. The gap is NaN, because there is no inner problem.
func (d *DBMTL) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, d.Needs()); !ok {
		return err
	}
	m, n := in.Jacobian.Rows, in.Jacobian.Cols
	for i, f := range in.Losses {
		if !(f > 0) {
			return refusedLoss("dbmtl", i, f, "above 0")
		}
	}
	if d.averaged == nil {
		d.averaged = algo.NewJacobian(m, n)
	}
	if d.averaged.Rows != m || d.averaged.Cols != n {
		return inputErrorf("dbmtl: a Jacobian of %d×%d; earlier decisions had %d×%d", m, n, d.averaged.Rows, d.averaged.Cols)
	}
	first := d.decisions == 0
	d.decisions++
	keep := float64(d.beta * portable.Pow(float64(d.decisions), -d.sigma))
	d.norms, d.factors = resize(d.norms, m), resize(d.factors, m)
	var longest float64
	for i, f := range in.Losses {
		// The factor is (1 − keep)/f in the units of the rows. 2^Exponent and f may be far from 1 although their
		// quotient is near 1.
		fraction, exponent := math.Frexp(f)
		b := d.averaged.Row(i)
		floats.Scale(keep, b)
		portable.AddScaled(b, math.Ldexp((1-keep)/fraction, in.Exponent-exponent), in.Jacobian.Row(i))
		d.norms[i] = portable.Norm(b)
		longest = max(longest, d.norms[i])
	}
	if longest-longest != 0 {
		diverged(r)
		return nil
	}
	for i, n := range d.norms {
		d.factors[i], r.Weights[i] = 0, 0
		if n > 0 {
			d.factors[i] = longest / n
			r.Weights[i] = d.factors[i] / in.Losses[i]
		}
	}
	if r.Direction != nil {
		d.averaged.Combine(r.Direction, d.factors)
	}
	if first {
		for i := range r.Effective {
			r.Effective[i] = (1 - keep) * r.Weights[i]
		}
	} else {
		r.Effective = nil
	}
	conclude(r)
	return nil
}

// Save appends the averages and the number of decisions.
func (d *DBMTL) Save(s *algo.Snapshot) {
	s.PutInt(d.decisions)
	if d.averaged == nil {
		s.PutInt(0)
		return
	}
	s.PutInt(d.averaged.Rows)
	s.PutInt(d.averaged.Cols)
	s.PutFloats(d.averaged.Data...)
}

// Load restores the state that Save appended.
func (d *DBMTL) Load(s *algo.Snapshot) {
	d.decisions = s.GetInt()
	m := s.GetInt()
	if m == 0 {
		d.averaged = nil
		return
	}
	n := s.GetInt()
	if d.averaged == nil || d.averaged.Rows != m || d.averaged.Cols != n {
		d.averaged = algo.NewJacobian(m, n)
	}
	s.GetFloats(d.averaged.Data)
}

var ruleDBMTL = Method{
	Name: "dbmtl", Title: "DB-MTL", Paper: "Lin et al. 2023, Algorithm 1",
	Help: "Averages the gradients of the losses’ logarithms over the steps and scales each to the length of the longest. Losses must be " +
		"positive.",
	Needs:     algo.Needs{Jacobian: true, Losses: true},
	Promises:  Promises{Weights: true, Permutation: true, Homogeneous: true},
	Positive:  "leaves their logarithms undefined",
	configure: configureDBMTL,
}

func configureDBMTL(s *scope) Constructor {
	beta, sigma := float64(defaultDBMTLBeta), float64(defaultDBMTLSigma)
	s.list.Number(&beta, s.describe(param.Descriptor{
		Name: "beta", Symbol: "β", Label: "Memory of the gradients",
		Max: 0.99, Step: 0.01,
		Effect: param.Restart,
		Help:   "Sets the share of the averaged gradients that the first decision keeps (Lin et al. 2023, Algorithm 1). 0 uses no averages.",
	}))
	s.list.Number(&sigma, s.describe(param.Descriptor{
		Name: "sigma", Symbol: "σ", Label: "Decay of the memory",
		Max: 2, Step: 0.05,
		Effect: param.Restart,
		Help:   "In decision k, counted from 1, the kept share is divided by k to this power. 0 keeps the share constant.",
	}))
	return func(Context) (algo.Weighting, error) { return NewDBMTL(beta, sigma) }
}
