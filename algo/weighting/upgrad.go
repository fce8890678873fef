package weighting

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/algo/param"
)

// UPGrad takes the mean over i of the vectors Gᵀw with
//
//	w = argmin {wᵀ(GGᵀ/tr(GGᵀ) + εI)w : w ≥ e_i}
//
// where ε is the regularization. For ε = 0, each vector is the projection of g_i onto the dual cone {d : Gd ≥ 0}, and
// the direction conflicts with no objective. UPGrad stands for unconflicting projection of gradients. The weights are
// the mean of the w, and each weight is at least 1/m. For nearly equal or opposite gradients, the Gramian may be too
// imprecise. UPGrad then projects in coordinates of the rows, if the rows are given.
//
// References:
//   - Quinton & Rey (2024), Jacobian descent for multi-objective optimization,
//     arXiv:2406.16232, section 3; the regularization follows its code.
type UPGrad struct {
	memoryless
	regularization float64
	solver         minnorm.NonNegative
	rows           unitRows
	guard          guard
	matrix         []float64 // m×m
	d, x, norms    []float64 // m
}

var _ algo.Weighting = (*UPGrad)(nil)

// NewUPGrad returns the rule. The regularization ε must be finite and at least 0.
func NewUPGrad(regularization float64) (*UPGrad, error) {
	if err := notNegative("regularization", regularization); err != nil {
		return nil, err
	}
	return &UPGrad{regularization: regularization}, nil
}

// Needs reports that the rule requires only the Gramian.
func (u *UPGrad) Needs() algo.Needs { return algo.Needs{} }

// Weigh stores the mean of the w and the direction. The gap is the largest conflict due to rounding, which is the
// maximum of −(Mw)_j/(√M_jj √M_ii) over all i and j with M_ii > 0 and M_jj > 0, where w belongs to i and M is the
// matrix of the quadratic form.
func (u *UPGrad) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := beginNonZero(r, in, u.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	u.matrix = resize(u.matrix, m*m)
	u.d, u.x, u.norms = resize(u.d, m), resize(u.x, m), resize(u.norms, m)
	copy(u.matrix, in.Gram)
	var trace float64
	for i := range m {
		trace += in.Gram[i*m+i]
	}
	for i := range m {
		u.matrix[i*m+i] += float64(u.regularization * trace)
		u.norms[i] = math.Sqrt(u.matrix[i*m+i])
	}
	u.solver.Reset(u.matrix, m, 0)
	clear(r.Weights)
	r.Gap, r.Status = 0, algo.Converged
	for i := range m {
		// w = e_i + x with x ≥ 0 and Mx ≥ −M e_i. In each entry, one of the two holds with equality.
		for j, v := range u.matrix[i*m : (i+1)*m] {
			u.d[j] = -v
		}
		if status := u.solver.Solve(u.x, u.d, nil); status != algo.Converged {
			r.Status = algo.Budget
		}
		u.x[i]++
		for j, x := range u.x {
			r.Weights[j] += x / float64(m)
			if scale := u.norms[i] * u.norms[j]; scale > 0 {
				r.Gap = max(r.Gap, -dot(u.matrix[j*m:(j+1)*m], u.x)/scale)
			}
		}
	}
	share, _ := cancels(in.Gram, r.Weights)
	sine := min(u.solver.Pivot(), share)
	switch {
	case u.regularization > 0:
		directExactly(r, in, r.Weights)
	case sine >= dependent:
		combine(r, in)
	case in.Jacobian == nil:
		combine(r, in)
		r.Gap, r.Status = limit(r.Gap, r.Status, sine)
	default:
		u.project(r, in)
	}
	if u.regularization == 0 {
		u.guard.promise(r, in, r.Weights)
	}
	confirm(r, in)
	return nil
}

// project computes the decision with the rows.
func (u *UPGrad) project(r *algo.Result, in *algo.Input) {
	s := &u.rows
	s.set(in)
	m := len(r.Weights)
	for i := range r.Weights {
		r.Weights[i] = 1 / float64(m)
	}
	clear(s.d)
	r.Gap, r.Status = 0, algo.Converged
	for i, norm := range s.norms {
		if norm == 0 {
			continue
		}
		if status := s.cone.Project(s.z, s.u, s.Unit.Row(i), nil); status != algo.Converged {
			r.Status = algo.Budget
		}
		share := norm / float64(m)
		for c, z := range s.z {
			s.d[c] += float64(share * z)
		}
		for j, v := range s.u {
			if v != 0 {
				r.Weights[j] += share * v / s.norms[j]
			}
			r.Gap = max(r.Gap, -dot(s.Unit.Row(j), s.z))
		}
	}
	s.hand(r, in, r.Weights, 1)
}

var ruleUPGrad = Method{
	Name: "upgrad", Title: "UPGrad", Paper: "Quinton & Rey 2024, section 3",
	Help:      "Projects each gradient so that it conflicts with no objective, and averages the results.",
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, NonConflicting: true, Homogeneous: true},
	configure: configureUPGrad,
}

func configureUPGrad(s *scope) Constructor {
	regularization := 0.0
	s.list.Number(&regularization, s.describe(param.Descriptor{
		Name: "regularization", Symbol: "ε", Label: "Regularization",
		Min: 0, Max: 1, Step: 1e-4,
		Effect: param.Restart,
		Help: "This number is added to the diagonal of the Gramian (scaled to trace 1) before the projections (Quinton & Rey 2024, " +
			"code: 1e-4). 0 projects exactly.",
	}))
	return func(Context) (algo.Weighting, error) { return NewUPGrad(regularization) }
}
