package weighting

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/algo/param"
)

// DualProj steps along
//
//	d = g_0 + Gᵀv,   v ≥ 0,  Gd ≥ 0,  vᵀGd = 0
//
// the point of the dual cone {d : Gd ≥ 0} nearest to the mean gradient g_0. It follows the mean gradient as closely
// as possible without harming any objective. (UPGrad instead projects every gradient onto this cone and takes the
// mean.) The weights are 1/m + v, so each is at least 1/m. A regularization ε > 0 first adds ε times the trace of GGᵀ
// to the diagonal of GGᵀ; the default is 0.
//
// References:
//   - Lopez-Paz & Ranzato (2017), Gradient episodic memory for continual learning,
//     NeurIPS 30, equations (10) and (11). The regularization is from TorchJD, which uses 1e-4.
type DualProj struct {
	memoryless
	cone  dualCone
	guard guard

	regularization float64
	matrix         []float64 // m×m, the regularized Gramian
	solver         minnorm.NonNegative
}

var _ algo.Weighting = (*DualProj)(nil)

// NewDualProj returns the rule without regularization.
func NewDualProj() *DualProj { return &DualProj{} }

// Needs reports that the rule requires only the Gramian.
func (p *DualProj) Needs() algo.Needs { return algo.Needs{} }

// Weigh stores 1/m + v and the direction. The gap is the largest conflict due to rounding, −g_i·d/(‖g_i‖·max‖g_j‖).
func (p *DualProj) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := beginNonZero(r, in, p.Needs()); !ok {
		return err
	}
	if p.regularization > 0 {
		p.regularize(r, in)
		confirm(r, in)
		return nil
	}
	r.Gap, r.Status = p.cone.project(r.Weights, in)
	p.cone.hand(r, in, r.Weights)
	p.guard.promise(r, in, r.Weights)
	confirm(r, in)
	return nil
}

// regularize computes the decision with the regularized Gramian M. The gap is the largest conflict in M due to
// rounding: −(Mw)_i/(√M_ii·max √M_jj).
func (p *DualProj) regularize(r *algo.Result, in *algo.Input) {
	m := len(r.Weights)
	p.matrix = append(p.matrix[:0], in.Gram...)
	p.cone.d = resize(p.cone.d, m)
	var trace, longest float64
	for i := range m {
		trace += in.Gram[i*m+i]
	}
	for i := range m {
		p.matrix[i*m+i] += float64(p.regularization * trace)
		longest = max(longest, math.Sqrt(p.matrix[i*m+i]))
		p.cone.d[i] = 0
		for _, v := range p.matrix[i*m : (i+1)*m] {
			p.cone.d[i] -= v / float64(m)
		}
	}
	p.solver.Reset(p.matrix, m, 0)
	r.Gap, r.Status = 0, algo.Converged
	if p.solver.Solve(r.Weights, p.cone.d, nil) != algo.Converged {
		r.Status = algo.Budget
	}
	for i := range r.Weights {
		r.Weights[i] += 1 / float64(m)
	}
	for i := range m {
		r.Gap = max(r.Gap, -dot(p.matrix[i*m:(i+1)*m], r.Weights)/math.Sqrt(p.matrix[i*m+i])/longest)
	}
	directExactly(r, in, r.Weights)
}

var ruleDualProj = Method{
	Name: "dualproj", Title: "DualProj", Paper: "Lopez-Paz & Ranzato 2017 (GEM), equations (10) and (11)",
	Help:      "Changes the mean gradient as little as possible so that it conflicts with no objective.",
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, NonConflicting: true, Homogeneous: true},
	configure: configureDualProj,
}

func configureDualProj(s *scope) Constructor {
	regularization := 0.0
	if s.all {
		s.list.Number(&regularization, s.describe(param.Descriptor{
			Name: "regularization", Symbol: "ε", Label: "Regularization",
			Min: 0, Max: 1, Step: 1e-4,
			Effect: param.Restart,
			Help: "This number is added to the diagonal of the Gramian (scaled to trace 1) before the projection (TorchJD: 1e-4). 0 " +
				"projects exactly.",
		}))
	}
	return func(Context) (algo.Weighting, error) {
		rule := NewDualProj()
		rule.regularization = regularization
		return rule, nil
	}
}
