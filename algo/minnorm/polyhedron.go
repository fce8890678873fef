package minnorm

import (
	"math"

	"paretoplay/algo"
)

// Polyhedron finds the point z closest to g that satisfies
//
//	a_i·z ≥ b_i   for all i
//
// where each a_i is a unit vector or zero. With b = 0 it projects onto the dual cone of the rows. With g = 0, rows
// a_i = g_i/‖g_i‖ and b_i = 1/‖g_i‖, the point of least norm in the convex hull of the g_i is z/‖z‖².
//
// Polyhedron uses the dual active-set method, as NonNegative does, but on the rows themselves. It stores the active
// rows as LQ with orthonormal Q. Rows that differ by 1e-10, or cancel up to 1e-10, therefore remain distinct,
// although a Gramian could not distinguish them. Project starts from the active set of the last Project. Call Reset
// before the first Project. The zero value is ready for Reset.
//
// References:
//   - Goldfarb & Idnani (1983), A numerically stable dual method for solving
//     strictly convex quadratic programs, Mathematical Programming 27.
type Polyhedron struct {
	rows    *algo.Jacobian
	active  []int     // active rows, in the order of the factor's rows
	passive []bool    // m; whether a row is outside the active set
	barred  []bool    // m; whether a row is violated only by rounding errors
	q       []float64 // r×r, orthonormal rows
	factor  []float64 // r×r, lower triangular L: active row a is Σ_b L_ab q_b
	u       []float64 // m, multipliers
	step    []float64 // r, coordinates in q or coefficients of active rows
	extra   []float64 // r
	across  []float64 // r; the part of a row orthogonal to the active rows
}

// alone is the largest distance of a unit row from the span of the active rows that counts as rounding error.
const alone = 64 * eps

// Reset sets the rows, m×r, and empties the active set. Polyhedron keeps the rows without modifying them.
func (p *Polyhedron) Reset(rows *algo.Jacobian) {
	m, r := rows.Rows, rows.Cols
	p.rows = rows
	for _, v := range []*[]float64{&p.step, &p.extra, &p.across} {
		resize(v, r)
	}
	resize(&p.u, m)
	resize(&p.q, r*r)
	resize(&p.factor, r*r)
	if cap(p.passive) < m {
		p.passive, p.barred, p.active = make([]bool, m), make([]bool, m), make([]int, 0, m)
	}
	p.passive, p.barred, p.active = p.passive[:m], p.barred[:m], p.active[:0]
	for i := range p.passive {
		p.passive[i] = true
	}
}

// Project stores in z, of length r, the point closest to g. It stores in u, of length m, the multipliers: z = g + Σ
// u_i a_i with u ≥ 0, and u_i = 0 where a_i·z > b_i. bounds has length m, or is nil for b = 0. If bounds is nil, a
// z that consists only of rounding errors is exactly 0.
//
// The status is Converged, NoSolution or Budget. NoSolution means that no z satisfies all rows; z and u are then
// zero. Budget means that rounding errors kept the method from finishing.
func (p *Polyhedron) Project(z, u, g, bounds []float64) algo.Status {
	m, r := p.rows.Rows, p.rows.Cols
	if len(z) != r || len(g) != r || len(u) != m || bounds != nil && len(bounds) != m {
		panic("minnorm: wrong length of projection")
	}
	for i := range p.barred {
		p.barred[i] = !nonzero(p.rows.Row(i))
		if p.barred[i] && bound(bounds, i) > 0 {
			clear(z)
			clear(u)
			return algo.NoSolution
		}
	}
	status := algo.Budget
	nothing := alone * math.Sqrt(dot(g, g)) // length up to which z is only rounding error
	p.settle(z, g, bounds)
	for budget := 20*m + 50; budget > 0; budget-- {
		if bounds == nil && math.Sqrt(dot(z, z)) <= nothing {
			clear(z)
			status = algo.Converged
			break
		}
		i, missing := p.violated(z, bounds)
		if i < 0 {
			status = algo.Converged
			break
		}
		if !p.enter(i, missing) {
			if bound(bounds, i) > 0 {
				clear(z)
				clear(u)
				return algo.NoSolution
			}
			p.barred[i] = true // 0 satisfies the row, so the violation is a rounding error
			continue
		}
		p.settle(z, g, bounds)
	}
	clear(u)
	for _, i := range p.active {
		u[i] = p.u[i]
	}
	return status
}

// bound returns b_i.
func bound(bounds []float64, i int) float64 {
	if bounds == nil {
		return 0
	}
	return bounds[i]
}

func nonzero(v []float64) bool {
	for _, x := range v {
		if x != 0 {
			return true
		}
	}
	return false
}

// along stores in dst the coordinates of v in q, one for each active row. It subtracts the corresponding part from
// v.
func (p *Polyhedron) along(dst, v []float64) {
	r := len(v)
	for a := range p.active {
		q := p.q[a*r : (a+1)*r]
		dst[a] = dot(q, v)
		subtract(v, dst[a], q)
	}
}

// settle finds the point closest to g with a_i·z = b_i on the active rows, and drops rows with negative multipliers
// until no multiplier is negative.
func (p *Polyhedron) settle(z, g, bounds []float64) {
	r := len(z)
	for {
		k := len(p.active)
		copy(z, g)
		p.along(p.step, z)
		// A second pass removes the rounding errors of the first.
		p.along(p.extra, z)
		for a, i := range p.active {
			p.step[a] += p.extra[a]
			p.extra[a] = bound(bounds, i)
		}
		forward(p.factor, r, p.extra[:k])
		for a := range k {
			subtract(z, -p.extra[a], p.q[a*r:(a+1)*r])
			p.step[a] = p.extra[a] - p.step[a]
		}
		backward(p.factor, r, p.step[:k])
		least, at := 0.0, -1
		for a, i := range p.active {
			p.u[i] = p.step[a]
			if p.step[a] < least {
				least, at = p.step[a], a
			}
		}
		if at < 0 {
			return
		}
		p.remove(at)
	}
}

// violated returns the row that z violates most, and the violation. It returns −1 if no row is violated by more
// than rounding errors.
func (p *Polyhedron) violated(z, bounds []float64) (int, float64) {
	worst, at := 0.0, -1
	rounding := float64(32 * eps * math.Sqrt(dot(z, z)))
	for i, passive := range p.passive {
		if passive && !p.barred[i] {
			b := bound(bounds, i)
			if missing := b - dot(p.rows.Row(i), z); missing > max(worst, rounding+float64(32*eps*math.Abs(b))) {
				worst, at = missing, i
			}
		}
	}
	return at, worst
}

// enter makes row i active, where missing is the amount by which z violates this row. It drops active rows whose
// multipliers reach zero on the way. If the remaining active rows contradict row i, enter returns false.
func (p *Polyhedron) enter(i int, missing float64) bool {
	r := p.rows.Cols
	p.u[i] = 0
	for {
		k := len(p.active)
		copy(p.across, p.rows.Row(i))
		p.along(p.step, p.across)
		p.along(p.extra, p.across)
		for a := range k {
			p.step[a] += p.extra[a]
			p.extra[a] = p.step[a]
		}
		size := math.Sqrt(dot(p.across, p.across))
		if k == r {
			size = 0
		}
		backward(p.factor, r, p.step[:k])
		full := math.Inf(1)
		if size > alone {
			full = missing / (size * size)
		}
		partial, leaving := math.Inf(1), -1
		for a, j := range p.active {
			if p.step[a] > 0 && p.u[j]/p.step[a] < partial {
				partial, leaving = p.u[j]/p.step[a], a
			}
		}
		if leaving < 0 && math.IsInf(full, 1) {
			return false
		}
		t := min(full, partial)
		for a, j := range p.active {
			p.u[j] -= float64(t * p.step[a])
		}
		p.u[i] += t
		if full <= partial {
			copy(p.factor[k*r:k*r+k], p.extra[:k])
			p.factor[k*r+k] = size
			for c, v := range p.across {
				p.q[k*r+c] = v / size
			}
			p.active = append(p.active, i)
			p.passive[i] = false
			return true
		}
		missing = max(missing-float64(t*size*size), 0)
		p.remove(leaving)
	}
}

// remove drops the active row at position a. It restores the factor with Givens rotations, and applies them to q
// too.
func (p *Polyhedron) remove(a int) {
	r := p.rows.Cols
	p.passive[p.active[a]] = true
	p.u[p.active[a]] = 0
	copy(p.active[a:], p.active[a+1:])
	p.active = p.active[:len(p.active)-1]
	dropRow(p.factor, r, a, len(p.active), func(b int, cosine, sine float64) {
		x, y := p.q[b*r:(b+1)*r], p.q[(b+1)*r:(b+2)*r]
		for c, v := range x {
			w := y[c]
			x[c], y[c] = float64(cosine*v)+float64(sine*w), float64(cosine*w)-float64(sine*v)
		}
	})
}
