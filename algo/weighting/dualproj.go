package weighting

import "paretoplay/algo"

// DualProj steps along
//
//	d = g_0 + Gᵀv,   v ≥ 0,  Gd ≥ 0,  vᵀGd = 0
//
// the point of the dual cone {d : Gd ≥ 0} that is nearest to the mean gradient g_0,
// which it follows as far as that hurts no objective. UPGrad projects every gradient
// on that cone and then takes the mean. The weights are 1/m + v: each is at least
// 1/m.
//
// References:
//   - Lopez-Paz & Ranzato (2017), Gradient episodic memory for continual learning,
//     NeurIPS 30, equations (10) and (11).
type DualProj struct {
	memoryless
	cone  dualCone
	guard guard
}

var _ algo.Weighting = (*DualProj)(nil)

// NewDualProj returns the rule.
func NewDualProj() *DualProj { return &DualProj{} }

// Needs says that the Gramian is enough.
func (p *DualProj) Needs() algo.Needs { return algo.Needs{} }

// Weigh stores 1/m + v and the direction. The gap is the largest conflict that rounding
// leaves, −g_i·d relative to ‖g_i‖ and the longest gradient.
func (p *DualProj) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := beginNonZero(r, in, p.Needs()); !ok {
		return err
	}
	r.Gap, r.Status = p.cone.project(r.Weights, in)
	p.cone.hand(r, in, r.Weights)
	p.guard.promise(r, in, r.Weights)
	confirm(r, in)
	return nil
}

var ruleDualProj = Method{
	Name: "dualproj", Title: "DualProj", Paper: "Lopez-Paz & Ranzato 2017 (GEM), equations (10) and (11)",
	Help:      "The mean gradient, moved as little as it takes to conflict with no objective.",
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, NonConflicting: true, Homogeneous: true},
	configure: configureDualProj,
}

// configureDualProj has no parameters.
func configureDualProj(*scope) Constructor {
	return func(Context) (algo.Weighting, error) { return NewDualProj(), nil }
}
