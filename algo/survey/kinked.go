package survey

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/internal/portable"
)

// kinked finds local minima of the maximum of several weighted sums of objectives,
//
//	Φ(u) = max_k (Σ_i w_ki f_i(u) − b_k),   w_ki ≥ 0,
//
// in a box. The objectives may have kinks. The variables u are in units of a rectangle.
//
// It is a bundle method with second-order pieces. At every evaluated point, the values, gradients and Hessians of the
// objectives define one piece per objective. The model is the maximum of all pieces near the centre, which is the best
// point so far. A quadratic program finds the model's minimum within a trust region, and the objectives are evaluated
// there. The new point becomes the centre, or adds a missing piece to the model. At a kink, the pieces of both sides
// meet.
//
// References:
//   - Schramm & Zowe (1992), A version of the bundle idea for minimizing a nonsmooth function, SIAM Journal on
//     Optimization 2: bundles with a trust region.
//   - Lukšan & Vlček (1998), A bundle-Newton method for nonsmooth unconstrained minimization, Mathematical
//     Programming 83: second-order pieces.
//   - Burke, Lewis & Overton (2005), A robust gradient sampling algorithm for nonsmooth, nonconvex optimization, SIAM
//     Journal on Optimization 15: gradients near a point instead of at the point.
type kinked struct {
	problem     algo.Problem
	curved      pareto.Curved // if nil, differences of gradients replace second derivatives
	n, m        int
	from, width []float64 // rectangle: x = from + width·u
	low, high   []float64 // the problem's bounds, nil if there are none
	lo, hi      []float64 // bounds in units of the rectangle, ±∞ if there are none

	weights   [][]float64 // w, one row for each k
	offsets   []float64   // b
	tolerance float64     // allowed difference between Φ and its minimum
	noise     float64     // rounding error of Φ

	pieces []*piece
	spare  []*piece
	centre *piece
	value  float64 // Φ at the centre
	radius float64 // trust region: the largest change of a variable
	steps  int
	nulls  int     // consecutive steps without a better centre
	rest   float64 // decrease of the model in the last step
	proven bool    // whether the centre is a minimum of the model and all used pieces are near it

	planes   []plane
	seen     plane
	active   []int // indices of planes with a positive multiplier
	held     []int // indices of variables that a bound blocks
	renewed  []*piece
	bend     []float64
	qp       quadratic
	solution []float64
	normals  []float64 // orthonormal basis of the active planes' differences
	scratch  []float64
	rotation []float64
	x, along []float64
	trial    []float64
	steepest []float64 // largest slope of each objective so far
	view     []float64 // the point u to which planes are relative
	jacobian *algo.Jacobian
	beside   *algo.Jacobian
	opposite *algo.Jacobian
}

// piece contains the data of all objectives at a point.
type piece struct {
	u, f, g, h []float64 // lengths n, m, m×n and m×n×n; derivatives with respect to u
}

// plane is mixture k of a piece, relative to the centre: Φ(centre) − gap + slope·d.
type plane struct {
	piece      *piece
	row        int
	gap        float64
	sunk       float64 // amount subtracted so that the plane does not exceed Φ at the centre
	slope      []float64
	multiplier float64
}

const (
	firstRadius = 0.1
	reach       = 8 // pieces farther from the centre than this many radii of the trust region are ignored
	mostRadius  = 1
	leastRadius = 1e-13
	mostKinked  = 80 // maximum number of steps of a search
	// nearby limits how far from the centre the pieces in a proof of optimality may be. At this distance, a
	// second-order piece has an error below 1e-12 times the objective's third derivative.
	nearby = 1e-4
)

func newKinked(p algo.Problem, from, to []float64) *kinked {
	n, m := p.Dims()
	s := &kinked{problem: p, n: n, m: m, from: make([]float64, n), width: make([]float64, n), lo: make([]float64, n), hi: make([]float64, n)}
	s.curved, _ = p.(pareto.Curved)
	for c := range n {
		s.from[c], s.width[c] = min(from[c], to[c]), math.Abs(to[c]-from[c])
		if !(s.width[c] > 0) || math.IsInf(s.width[c], 1) {
			s.width[c] = 1
		}
		s.lo[c], s.hi[c] = math.Inf(-1), math.Inf(1)
	}
	if b, ok := p.(algo.Bounded); ok {
		s.low, s.high = b.Bounds()
		for c := range n {
			s.lo[c], s.hi[c] = (s.low[c]-from[c])/s.width[c], (s.high[c]-from[c])/s.width[c]
		}
	}
	s.bend, s.solution = make([]float64, n*n), make([]float64, n)
	s.scratch, s.rotation = make([]float64, n*n), make([]float64, n*n)
	s.x, s.along, s.trial, s.view = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	s.seen.slope, s.steepest = make([]float64, n), make([]float64, m)
	s.jacobian, s.beside, s.opposite = algo.NewJacobian(m, n), algo.NewJacobian(m, n), algo.NewJacobian(m, n)
	return s
}

// begin starts a search at x. It reports whether the objectives are finite at x.
func (s *kinked) begin(x []float64, weights [][]float64, offsets []float64, tolerance float64) bool {
	s.weights, s.offsets = weights, offsets
	for c, v := range x {
		s.trial[c] = min(max((v-s.from[c])/s.width[c], s.lo[c]), s.hi[c])
	}
	s.steps, s.nulls, s.radius, s.rest, s.proven = 0, 0, firstRadius, math.Inf(1), false
	var rounding float64
	at := s.look(s.trial)
	if at == nil {
		return false
	}
	for _, w := range weights {
		sum := 0.0
		for i, v := range w {
			sum += float64(v * math.Abs(at.f[i]))
		}
		rounding = max(rounding, sum)
	}
	s.tolerance, s.noise = tolerance, 0x1p-49*rounding
	s.centre = at
	s.value, _ = s.mixture(at)
	s.active = s.active[:0]
	s.planes = s.planes[:0]
	for k := range weights { // use the curvature of the largest mixture until multipliers are known
		p := s.add()
		if s.see(p, at, k, at.u); p.gap <= 0 {
			p.multiplier = 1
			s.active = append(s.active[:0], k)
		}
	}
	s.held = s.held[:0]
	s.curve()
	return true
}

// point stores the search's current point in x.
func (s *kinked) point(x []float64) {
	for c, u := range s.centre.u {
		x[c] = s.from[c] + float64(u*s.width[c])
		if s.low != nil {
			switch { // meet the bounds exactly
			case u <= s.lo[c]:
				x[c] = s.low[c]
			case u >= s.hi[c]:
				x[c] = s.high[c]
			}
		}
	}
}

// look evaluates the objectives at u and stores them as a piece. It returns nil if any value or gradient is not
// finite.
func (s *kinked) look(u []float64) *piece {
	for _, p := range s.pieces {
		if slices.Equal(p.u, u) {
			return p
		}
	}
	p := s.room()
	copy(p.u, u)
	x := s.place(u)
	s.problem.Values(p.f, x)
	s.problem.Jacobian(s.jacobian, x)
	for i := range s.m {
		for c, v := range s.jacobian.Row(i) {
			p.g[i*s.n+c] = v * s.width[c]
		}
	}
	if !algo.Finite(p.f) || !algo.Finite(p.g) {
		s.spare = append(s.spare, p)
		return nil
	}
	s.hessians(p, x)
	s.pieces = append(s.pieces, p)
	return p
}

// place returns the point x that corresponds to u.
func (s *kinked) place(u []float64) []float64 {
	for c, v := range u {
		s.x[c] = s.within(c, s.from[c]+float64(v*s.width[c]))
	}
	return s.x
}

// within returns the value nearest to v within the bounds of variable c.
func (s *kinked) within(c int, v float64) float64 {
	if s.low == nil {
		return v
	}
	return min(max(v, s.low[c]), s.high[c])
}

// reduce sets an entry of the gradient to zero if a bound at x blocks the descent of this variable.
func (s *kinked) reduce(gradient, x []float64) {
	const near = 1e-12 // in units of the rectangle
	for c := range s.low {
		by := float64(near * s.width[c])
		if x[c] <= s.low[c]+by && gradient[c] > 0 || x[c] >= s.high[c]-by && gradient[c] < 0 {
			gradient[c] = 0
		}
	}
}

// room returns an unused piece. If there are too many pieces, it reuses the one farthest from the centre.
func (s *kinked) room() *piece {
	if most := 4*s.n + 16; len(s.pieces) >= most {
		worst, farthest := -1, -1.0
		for k, p := range s.pieces {
			if d := s.distance(p); p != s.centre && d > farthest {
				worst, farthest = k, d
			}
		}
		s.drop(s.pieces[worst])
	}
	if k := len(s.spare); k > 0 {
		p := s.spare[k-1]
		s.spare = s.spare[:k-1]
		return p
	}
	n, m := s.n, s.m
	return &piece{u: make([]float64, n), f: make([]float64, m), g: make([]float64, m*n), h: make([]float64, m*n*n)}
}

func (s *kinked) drop(p *piece) {
	for k, q := range s.pieces {
		if q == p {
			s.pieces = append(s.pieces[:k], s.pieces[k+1:]...)
			s.spare = append(s.spare, p)
			return
		}
	}
}

// distance returns the distance between the centre and a piece's point.
func (s *kinked) distance(p *piece) (most float64) {
	for c, v := range p.u {
		most = max(most, math.Abs(v-s.centre.u[c]))
	}
	return most
}

// hessians stores the second derivatives at x in p. It stores zeros if they are not finite.
func (s *kinked) hessians(p *piece, x []float64) {
	n := s.n
	for i := range s.m {
		s.steepest[i] = max(s.steepest[i], largest(p.g[i*n:(i+1)*n]))
	}
	for c := range n {
		if s.curved == nil {
			s.differ(p, x, c)
			continue
		}
		clear(s.along)
		s.along[c] = s.width[c]
		for i := range s.m {
			row := p.h[(i*n+c)*n : (i*n+c+1)*n]
			s.curved.HessianProduct(row, i, x, s.along)
			for r := range row {
				row[r] *= s.width[r]
			}
		}
	}
	for i := range s.m {
		h := p.h[i*n*n : (i+1)*n*n]
		for r := range n {
			for c := range r {
				a, b := h[r*n+c], h[c*n+r]
				v := (a + b) / 2
				switch { // differences may be unavailable
				case math.IsNaN(a):
					v = b
				case math.IsNaN(b):
					v = a
				}
				h[r*n+c], h[c*n+r] = v, v
			}
		}
		for k, v := range h {
			if math.IsNaN(v) {
				h[k] = 0
			}
		}
		if !algo.Finite(h) {
			clear(h)
		}
	}
}

// differ stores the derivatives of all gradients with respect to variable c in p. It uses differences to the side where
// the gradient changes less, or central ones if both sides agree. It stores NaN if there is a kink on both sides. A
// change of a slope counts as a kink if, continued at the same rate over a hundredth of the rectangle, it would exceed
// the objective's steepest slope.
func (s *kinked) differ(p *piece, x []float64, c int) {
	const (
		step  = 1e-5
		kinks = 1e-3 // relative to the steepest gradient
	)
	n := s.n
	at := x[c]
	x[c] = s.within(c, at+float64(step*s.width[c]))
	up := x[c] - at
	s.problem.Jacobian(s.beside, x)
	x[c] = s.within(c, at-float64(step*s.width[c]))
	down := at - x[c]
	s.problem.Jacobian(s.opposite, x)
	x[c] = at
	for i := range s.m {
		row := p.h[(i*n+c)*n : (i*n+c+1)*n]
		here, above, below := s.jacobian.Row(i), s.beside.Row(i), s.opposite.Row(i)
		var rise, fall float64
		for r, v := range here {
			rise, fall = max(rise, math.Abs(above[r]-v)*s.width[r]), max(fall, math.Abs(v-below[r])*s.width[r])
		}
		smoothUp, smoothDown := up > 0 && rise <= kinks*s.steepest[i], down > 0 && fall <= kinks*s.steepest[i]
		for r, v := range here {
			switch {
			case smoothUp && smoothDown:
				row[r] = (above[r] - below[r]) / (up + down)
			case smoothUp:
				row[r] = (above[r] - v) / up
			case smoothDown:
				row[r] = (v - below[r]) / down
			default:
				row[r] = math.NaN()
			}
			row[r] *= s.width[r] * s.width[c]
		}
	}
}

// mixture returns Φ at a piece's point, and the index of the largest mixture there.
func (s *kinked) mixture(p *piece) (most float64, row int) {
	most = math.Inf(-1)
	for k, w := range s.weights {
		sum := -s.offsets[k]
		for i, v := range w {
			sum += float64(v * p.f[i])
		}
		if sum > most {
			most, row = sum, k
		}
	}
	return most, row
}

// add appends a plane. It reuses the storage of an earlier slope if possible.
func (s *kinked) add() *plane {
	if k := len(s.planes); k < cap(s.planes) {
		s.planes = s.planes[:k+1]
	} else {
		s.planes = append(s.planes, plane{})
	}
	out := &s.planes[len(s.planes)-1]
	if out.slope == nil {
		out.slope = make([]float64, s.n)
	}
	return out
}

// see stores mixture k of piece p, expanded at u, in out.
func (s *kinked) see(out *plane, p *piece, k int, u []float64) {
	n := s.n
	out.piece, out.row, out.multiplier = p, k, 0
	clear(out.slope)
	value := -s.offsets[k]
	for i, w := range s.weights[k] {
		g, h := p.g[i*n:(i+1)*n], p.h[i*n*n:(i+1)*n*n]
		value += float64(w * p.f[i])
		for r := range n {
			e, turned := u[r]-p.u[r], 0.0
			for c, v := range h[r*n : (r+1)*n] {
				turned += float64(v * (u[c] - p.u[c]))
			}
			value += float64(w * e * (g[r] + float64(turned/2)))
			out.slope[r] += float64(w * (g[r] + turned))
		}
	}
	out.gap = s.value - value
}

// model returns the maximum of the pieces at u, minus Φ at the centre.
func (s *kinked) model(u []float64) float64 {
	most := math.Inf(-1)
	for k := range s.planes {
		p := &s.planes[k]
		s.see(&s.seen, p.piece, p.row, u)
		most = max(most, -s.seen.gap-p.sunk)
	}
	return most
}

// gather collects the planes that can matter within the trust region.
func (s *kinked) gather() {
	s.planes = s.planes[:0]
	var steepest float64
	for k := range s.weights {
		p := s.add()
		s.see(p, s.centre, k, s.centre.u)
		p.sunk = max(-p.gap, 0)
		p.gap = max(p.gap, 0)
		steepest = max(steepest, sizes(p.slope))
	}
	for _, q := range s.pieces {
		away := s.distance(q)
		if q == s.centre || away > reach*s.radius {
			continue
		}
		for k := range s.weights {
			p := s.add()
			if s.see(p, q, k, s.centre.u); !s.fits(p, away) || p.gap > (sizes(p.slope)+steepest)*s.radius || s.repeats() {
				s.planes = s.planes[:len(s.planes)-1]
			}
		}
	}
}

// repeats reports whether the last plane has the same slope as an earlier one. It keeps the higher of the two, or the
// first if they are equal.
func (s *kinked) repeats() bool {
	const alike = 1e-6
	last := &s.planes[len(s.planes)-1]
	size := sizes(last.slope)
	for k := range s.planes[:len(s.planes)-1] {
		p, apart := &s.planes[k], 0.0
		if p.row != last.row {
			continue
		}
		for c, v := range p.slope {
			apart += math.Abs(v - last.slope[c])
		}
		if apart > alike*size {
			continue
		}
		if p.gap > last.gap+float64(0.1*s.tolerance) {
			*p, *last = *last, *p
		}
		return true
	}
	return false
}

// fits reports whether a plane can be part of the maximum Φ. Such a plane does not exceed Φ at the centre. fits
// tolerates an excess that third derivatives can cause, and subtracts it. A piece that exceeds Φ by more belongs to the
// far side of a concave kink.
func (s *kinked) fits(p *plane, away float64) bool {
	const lift = 1e-3
	if p.gap < float64(-lift*away*sizes(p.slope))-s.noise {
		return false
	}
	p.sunk = max(-p.gap, 0)
	p.gap = max(p.gap, 0)
	return true
}

// sizes returns the sum of the absolute values of v.
func sizes(v []float64) (out float64) {
	for _, a := range v {
		out += math.Abs(a)
	}
	return out
}

// step takes one step and reports whether the search has finished.
func (s *kinked) step() (over bool) {
	const enough, good = 0.1, 0.7
	if s.steps++; s.steps > mostKinked || s.radius < leastRadius {
		return true
	}
	s.gather()
	copy(s.view, s.centre.u)
	if !s.solve() {
		s.radius /= 4
		return false
	}
	if s.rest <= s.tolerance {
		if !(s.lowest() <= 100*s.tolerance) {
			s.radius /= 4
			return false
		}
		s.proven = !s.renew()
		return s.proven
	}
	predicted, length := s.down()
	if !(predicted > 0) {
		s.radius /= 4
		return false
	}
	next := s.look(s.view)
	if next == nil {
		s.radius = length / 4
		return false
	}
	value, row := s.mixture(next)
	fallen := s.value - value
	better := fallen >= enough*predicted || predicted <= s.noise && fallen >= -s.noise // if predicted is below the noise, rely on slopes
	switch {
	case !better:
		// If the new piece raises the model, the model lacked it. From now on the model contains it.
		s.nulls++
		s.see(&s.seen, next, row, s.centre.u)
		if !s.fits(&s.seen, s.distance(next)) || s.seen.sunk > (predicted-fallen)/2 || s.nulls > 3*(s.n+2) {
			s.radius, s.nulls = length/3, 0
		}
	case fallen >= good*predicted && length >= 0.9*s.radius:
		s.radius = min(2*s.radius, mostRadius)
	}
	if better {
		s.nulls = 0
	}
	if better || fallen > 0 {
		s.centre, s.value = next, value
	}
	return false
}

// down moves to a minimum of the model within the trust region, starting with solve's solution at the centre. It
// stores the minimum in view. It returns the decrease of the model and the largest change of a variable.
func (s *kinked) down() (fall, length float64) {
	const (
		few      = 10 // number of variables
		halvings = 6
		part     = 0.1 // stop if a round adds less than this part of the decrease so far
	)
	level, rounds := 0.0, 4
	if s.n > few { // more rounds would cost more than the steps they save
		rounds = 2
	}
	for round := range rounds {
		if round > 0 {
			s.turnTo()
			if !s.solve() || s.rest <= part*-level {
				break
			}
		}
		lower := false
		for t, half := 1.0, 0; half < halvings && !lower; t, half = t/2, half+1 {
			for c, v := range s.view {
				s.trial[c] = min(max(v+float64(t*s.solution[c]), s.lo[c]), s.hi[c])
			}
			if at := s.model(s.trial); at < level-float64(1e-4*t*s.rest) {
				level, lower = at, true
				copy(s.view, s.trial)
			}
		}
		if !lower {
			break
		}
	}
	for c, v := range s.view {
		length = max(length, math.Abs(v-s.centre.u[c]))
	}
	return -level, length
}

// turnTo expands all planes at view.
func (s *kinked) turnTo() {
	for k := range s.planes {
		p := &s.planes[k]
		sunk := p.sunk
		s.see(p, p.piece, p.row, s.view)
		p.sunk = sunk
		p.gap += sunk
	}
}

// roomBelow and roomAbove return how far variable c may decrease and increase from view within the box and the trust
// region.
func (s *kinked) roomBelow(c int) float64 {
	return max(s.view[c]-max(s.lo[c], s.centre.u[c]-s.radius), 0)
}

func (s *kinked) roomAbove(c int) float64 {
	return max(min(s.hi[c], s.centre.u[c]+s.radius)-s.view[c], 0)
}

// lowest returns an upper bound on how far the planes and the bend can decrease near view. The mixture of the planes,
// weighted by the multipliers, is convex, so it lies above its tangent at the solution. The bound follows from this
// tangent.
func (s *kinked) lowest() (fall float64) {
	const near = 1e-3
	n := s.n
	var all float64
	for k := range s.planes {
		all += s.planes[k].multiplier
	}
	clear(s.along)
	for k := range s.planes {
		p := &s.planes[k]
		part := p.multiplier / all
		fall += float64(part * p.gap)
		for c, v := range p.slope {
			s.along[c] += float64(part * v)
		}
	}
	for r := range n {
		d, bent := s.solution[r], 0.0
		for c, v := range s.bend[r*n : (r+1)*n] {
			bent += float64(v * s.solution[c])
		}
		fall -= float64(d * (s.along[r] + float64(bent/2)))
		v := s.along[r] + bent
		at := s.view[r] + d
		fall += max(v*min(at-s.lo[r], near), -v*min(s.hi[r]-at, near))
	}
	return fall
}

// solve finds the minimum of the highest plane plus the bend within the trust region and the box, relative to view.
// It stores the change of u in solution and the decrease in rest. It returns false if the quadratic program fails.
func (s *kinked) solve() bool {
	const flat = 1e-9 // minimum curvature of the bend, so that the solution is unique
	n, qp := s.n, &s.qp
	qp.reset(n)
	steepest, bent, before := 0.0, 0.0, math.Inf(-1)
	for k := range s.planes {
		p := &s.planes[k]
		qp.plane(-p.gap, p.slope)
		steepest, before = max(steepest, sizes(p.slope)), max(before, -p.gap)
	}
	copy(qp.m, s.bend)
	for r := range n {
		bent = max(bent, s.bend[r*n+r])
	}
	for c := range n {
		qp.m[c*n+c] += float64(flat * max(bent, steepest/s.radius, math.SmallestNonzeroFloat64))
		qp.low[c], qp.high[c] = -s.roomBelow(c), s.roomAbove(c)
	}
	solved := qp.solve()
	copy(s.solution, qp.d)
	bent = 0
	for r := range n {
		for c := range n {
			bent += float64(qp.d[r] * s.bend[r*n+c] * qp.d[c])
		}
	}
	highest := math.Inf(-1)
	for k := range s.planes {
		highest = max(highest, qp.at(k))
	}
	s.rest = max(0, before-highest-float64(bent/2))
	s.active = s.active[:0]
	for k := range s.planes {
		p := &s.planes[k]
		if p.multiplier = max(qp.lambda[k], 0); p.multiplier > 1e-9 {
			s.active = append(s.active, k)
		}
	}
	s.held = s.held[:0]
	for c, at := range qp.fixed {
		if at < 0 && s.view[c]+qp.low[c] <= s.lo[c] || at > 0 && s.view[c]+qp.high[c] >= s.hi[c] {
			s.held = append(s.held, c)
		}
	}
	s.curve()
	return solved
}

// renew replaces active pieces that were computed far from the centre by nearer ones. It reports whether any piece
// needed replacing. It also drops other distant pieces.
func (s *kinked) renew() bool {
	farthest := 0.0
	for _, k := range s.active {
		farthest = max(farthest, s.distance(s.planes[k].piece))
	}
	if farthest <= nearby {
		return false
	}
	s.renewed = s.renewed[:0]
	for _, k := range s.active {
		p := &s.planes[k]
		away := s.distance(p.piece)
		if away <= nearby || slices.Contains(s.renewed, p.piece) { // its storage was already reused
			continue
		}
		s.renewed = append(s.renewed, p.piece)
		// A kink separates the centre from the piece's point. The kink lies where the piece's plane meets the plane
		// that is highest at the centre.
		part, across := 0.5, 0.0
		for c, v := range p.slope {
			across += float64((v - s.planes[0].slope[c]) * (p.piece.u[c] - s.centre.u[c]))
		}
		if across > 0 {
			part = min(0.5, 2*p.gap/across+0.1*nearby/away)
		}
		for c := range s.trial {
			s.trial[c] = s.centre.u[c] + float64(part*(p.piece.u[c]-s.centre.u[c]))
		}
		s.drop(p.piece)
		s.look(s.trial)
	}
	for k := len(s.pieces) - 1; k >= 0; k-- {
		if s.distance(s.pieces[k]) > farthest/4 {
			s.drop(s.pieces[k])
		}
	}
	return true
}

// curve stores in bend the second derivatives of the mixture, weighted by the multipliers. It keeps only directions
// in which all active planes rise equally; in other directions the planes alone decide. Directions with negative
// curvature count as flat.
func (s *kinked) curve() {
	n := s.n
	clear(s.scratch)
	for _, k := range s.active {
		p := &s.planes[k]
		for i, w := range s.weights[p.row] {
			if w *= p.multiplier; w != 0 {
				for c, v := range p.piece.h[i*n*n : (i+1)*n*n] {
					s.scratch[c] += float64(w * v)
				}
			}
		}
	}
	s.normals = s.normals[:0]
	for _, c := range s.held {
		clear(s.along)
		s.along[c] = 1
		s.orthogonal(s.along, nil)
	}
	for j, k := range s.active {
		if j > 0 {
			s.orthogonal(s.planes[k].slope, s.planes[s.active[0]].slope)
		}
	}
	for v := 0; v < len(s.normals); v += n { // project both sides, one normal after the other
		s.project(s.normals[v : v+n])
	}
	eigen(s.scratch, s.rotation, n)
	clear(s.bend)
	for e := range n {
		value := s.scratch[e*n+e]
		if !(value > 0) {
			continue
		}
		for r := range n {
			for c := range n {
				s.bend[r*n+c] += float64(value * s.rotation[r*n+e] * s.rotation[c*n+e])
			}
		}
	}
}

// orthogonal adds the normalised direction of a − b to the normals, unless they already span it. A nil b means 0.
func (s *kinked) orthogonal(a, b []float64) {
	n, begin := s.n, len(s.normals)
	if begin == n*n {
		return
	}
	s.normals = append(s.normals, a...)
	v := s.normals[begin:]
	for c, w := range b {
		v[c] -= w
	}
	size := portable.Norm(v)
	for range 2 { // two passes are enough
		for o := 0; o < begin; o += n {
			other := s.normals[o : o+n]
			product := 0.0
			for c := range v {
				product += float64(v[c] * other[c])
			}
			for c := range v {
				v[c] -= float64(product * other[c])
			}
		}
	}
	rest := portable.Norm(v)
	if !(rest > 1e-6*size) {
		s.normals = s.normals[:begin]
		return
	}
	for c := range v {
		v[c] /= rest
	}
}

// project removes the direction of a unit vector from the rows and columns of scratch.
func (s *kinked) project(v []float64) {
	n := s.n
	for range 2 {
		for r := range n { // rows first; columns after the transposition
			row := s.scratch[r*n : (r+1)*n]
			product := 0.0
			for c, a := range row {
				product += float64(a * v[c])
			}
			for c := range row {
				row[c] -= float64(product * v[c])
			}
		}
		for r := range n {
			for c := range r {
				s.scratch[r*n+c], s.scratch[c*n+r] = s.scratch[c*n+r], s.scratch[r*n+c]
			}
		}
	}
}

// eigen diagonalises a symmetric n×n matrix in place by Jacobi rotations. It stores the eigenvectors as the columns of
// rotation.
func eigen(a, rotation []float64, n int) {
	const sweeps = 30
	clear(rotation)
	for i := range n {
		rotation[i*n+i] = 1
	}
	for range sweeps {
		var off, all float64
		for r := range n {
			for c := range n {
				all += float64(a[r*n+c] * a[r*n+c])
				if r != c {
					off += float64(a[r*n+c] * a[r*n+c])
				}
			}
		}
		if !(off > 1e-28*all) {
			return
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				if a[p*n+q] == 0 {
					continue
				}
				theta := (a[q*n+q] - a[p*n+p]) / (2 * a[p*n+q])
				t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
				if theta < 0 {
					t = -t
				}
				cosine := 1 / math.Sqrt(float64(t*t)+1)
				sine := t * cosine
				for k := range n {
					x, y := a[k*n+p], a[k*n+q]
					a[k*n+p], a[k*n+q] = float64(cosine*x)-float64(sine*y), float64(sine*x)+float64(cosine*y)
				}
				for k := range n {
					x, y := a[p*n+k], a[q*n+k]
					a[p*n+k], a[q*n+k] = float64(cosine*x)-float64(sine*y), float64(sine*x)+float64(cosine*y)
					x, y = rotation[k*n+p], rotation[k*n+q]
					rotation[k*n+p], rotation[k*n+q] = float64(cosine*x)-float64(sine*y), float64(sine*x)+float64(cosine*y)
				}
			}
		}
	}
}
