package weighting

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
)

// dualCone projects the mean gradient onto the dual cone {d : Gd ≥ 0}.
type dualCone struct {
	solver         minnorm.NonNegative
	rows           unitRows
	byRows         bool      // whether the last projection used the rows
	d, noise, size []float64 // m
}

// project stores the coefficients c = 1/m + v of the projection Gᵀc, with v ≥ 0. At least one gradient of the input
// must be non-zero. The gap is the largest conflict due to rounding, −g_i·d/(‖g_i‖·max‖g_j‖).
func (p *dualCone) project(c []float64, in *algo.Input) (gap float64, status algo.Status) {
	m := len(c)
	p.d, p.noise, p.size = resize(p.d, m), resize(p.noise, m), resize(p.size, m)
	var longest float64
	for i := range m {
		var product, terms float64
		for _, v := range in.Gram[i*m : (i+1)*m] {
			product += v
			terms += math.Abs(v)
		}
		p.d[i], p.noise[i] = -product/float64(m), 4*eps*terms
		p.size[i] = math.Sqrt(in.Gram[i*m+i])
		longest = max(longest, p.size[i])
	}
	p.solver.Reset(in.Gram, m, 0)
	status = algo.Converged
	if p.solver.Solve(c, p.d, p.noise) != algo.Converged {
		status = algo.Budget
	}
	for i := range c {
		c[i] += 1 / float64(m)
	}
	share, _ := cancels(in.Gram, c)
	sine := min(p.solver.Pivot(), share)
	p.byRows = sine < dependent && in.Jacobian != nil
	if p.byRows {
		return p.onRows(c, in, longest)
	}
	for i, size := range p.size {
		if size > 0 {
			gap = max(gap, -dot(in.Gram[i*m:(i+1)*m], c)/size/longest)
		}
	}
	if sine < dependent {
		return limit(gap, status, sine)
	}
	return gap, status
}

// onRows does the same as project, but computes with the rows. It stores the coordinates of the projection in rows.d.
func (p *dualCone) onRows(c []float64, in *algo.Input, longest float64) (gap float64, status algo.Status) {
	s := &p.rows
	s.set(in)
	m := len(c)
	clear(s.g)
	for i, norm := range s.norms {
		share := norm / longest / float64(m)
		for k, v := range s.Unit.Row(i) {
			s.g[k] += float64(share * v)
		}
	}
	status = s.cone.Project(s.d, s.u, s.g, nil)
	for i, u := range s.u {
		c[i] = 1 / float64(m)
		if u != 0 {
			c[i] += u * longest / s.norms[i]
		}
		gap = max(gap, -dot(s.Unit.Row(i), s.d))
	}
	for k := range s.d {
		s.d[k] *= longest
	}
	return gap, status
}

// hand stores the last projection in r. c holds its coefficients.
func (p *dualCone) hand(r *algo.Result, in *algo.Input, c []float64) {
	if p.byRows {
		p.rows.hand(r, in, c, 1)
		return
	}
	direct(r, in, c)
}
