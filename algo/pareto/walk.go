package pareto

import (
	"errors"
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Curved is a Problem that can multiply the Hessians of its objectives by a vector.
type Curved interface {
	algo.Problem
	// HessianProduct stores ∇²f_i(x)·direction in dst, for 0 ≤ i < m. dst, x and direction have length n.
	HessianProduct(dst []float64, i int, x, direction []float64)
}

// End is the reason why a walk ended.
type End int

// These are the reasons why Trade can end.
const (
	Walked  End = iota // Trade walked the whole length
	Lowest             // the objective to be lowered is not lower at any neighbouring point of the front
	Idle               // an objective that was to keep its value has reached weight 0, so it could fall too
	Turning            // the curve of stationary points turns back: the objective to be lowered would rise on both sides
	Stuck              // no stationary point was found further on, for instance at a kink
)

// ErrNotStationary means that no Pareto-stationary point is near the given one.
var ErrNotStationary = errors.New("no Pareto-stationary point is near")

// Walker walks along the set of Pareto-stationary points of a problem. It trades one objective for another, while
// all others keep their values. Each step predicts along the tangent of the set, and corrects by Newton's method on
// the Karush–Kuhn–Tucker conditions,
//
//	Σ_i λ_i ∂f_i/∂x_c = 0 for every variable c that no bound holds, Σ_i λ_i = 1, f_k = const.
//
// The walk stops where an objective's weight would become negative. In a box, the walker holds a variable at a
// bound while the weighted gradient pushes against the bound. It uses the problem's second derivatives if the
// problem is Curved, and central differences of the gradients otherwise.
//
// Points are stationary, but not necessarily minima. A walk therefore follows fronts of any shape, and may follow a
// part that other parts dominate.
//
// References:
//   - Hillermeier (2001), Nonlinear Multiobjective Optimization: A Generalized Homotopy Approach,
//     Birkhäuser.
//   - Martín & Schütze (2018), Pareto Tracer: a predictor–corrector method for multi-objective
//     optimization problems, Engineering Optimization 50.
type Walker struct {
	problem algo.Problem
	curved  Curved // nil if differences are used
	lo, hi  []float64
	n, m    int
	scale   []float64 // units in which objectives are compared
	given   []float64 // the given units, kept while the search for the start uses other units

	here, next, best place
	jacobian         *algo.Jacobian
	measure          Stationarity
	rows             algo.Jacobian // gradients and bounds
	free             []int         // the variables that no bound holds
	held             []int         // the objectives whose values are kept
	hessian          []float64
	matrix           []float64
	right, columns   []float64
	tangent          []float64 // tangent in the free variables and the weights
	unit, product    []float64
	shifted          []float64
	gradients        [2][]float64 // gradients of the weighted sum, at two points
}

// place is a point with the weights of its objectives.
type place struct {
	x, f   []float64
	lambda []float64 // weights of the objectives, in units of scale
}

func newPlace(n, m int) place {
	return place{x: make([]float64, n), f: make([]float64, m), lambda: make([]float64, m)}
}

func (p *place) copyFrom(q *place) {
	copy(p.x, q.x)
	copy(p.f, q.f)
	copy(p.lambda, q.lambda)
}

const (
	settled     = 1e-10 // maximum length of the weighted gradient at a stationary point, relative to the longest gradient
	almost      = 1e-6  // the same limit where differences or rounding errors limit the accuracy
	near        = 1e-3  // the same limit for a point at which Newton's method may begin
	newtonSteps = 12
	halvings    = 30
	descents    = 2000 // maximum number of steps in the min-norm direction before Newton's method begins
	maxPieces   = 200  // maximum number of pieces in one trade
)

// NewWalker returns a walker on a problem with at least two objectives. scale holds a positive unit for each
// objective, such as the range of its values on the front. Lengths of steps are measured in these units.
//
// NewWalker returns an error if the problem is nil, has no variables or has fewer than two objectives. It also
// returns an error unless scale has one finite positive number for each objective.
func NewWalker(p algo.Problem, scale []float64) (*Walker, error) {
	if p == nil {
		return nil, &algo.RangeError{Name: "problem", Value: nil, Allowed: "a problem of at least two objectives"}
	}
	n, m := p.Dims()
	if n < 1 {
		return nil, &algo.RangeError{Name: "variables", Value: n, Allowed: "at least 1"}
	}
	if m < 2 {
		return nil, fmt.Errorf("a walk needs at least two objectives, got %d", m)
	}
	if len(scale) != m {
		return nil, fmt.Errorf("%d scales for %d objectives", len(scale), m)
	}
	for i, s := range scale {
		if !(s > 0) || math.IsInf(s, 1) {
			return nil, &algo.RangeError{Name: fmt.Sprintf("scale[%d]", i), Value: s, Allowed: "a scale must be finite and positive"}
		}
	}
	w := &Walker{problem: p, n: n, m: m, scale: append([]float64(nil), scale...), given: append([]float64(nil), scale...)}
	w.curved, _ = p.(Curved)
	if b, ok := p.(algo.Bounded); ok {
		w.lo, w.hi = b.Bounds()
	}
	w.here, w.next, w.best = newPlace(n, m), newPlace(n, m), newPlace(n, m)
	w.jacobian = algo.NewJacobian(m, n)
	w.free, w.held = make([]int, 0, n), make([]int, 0, m)
	w.hessian = make([]float64, n*n)
	w.matrix, w.right = make([]float64, (n+m)*(n+m)), make([]float64, n+m)
	w.columns, w.tangent = make([]float64, n+m), make([]float64, n+m)
	w.unit, w.product, w.shifted = make([]float64, n), make([]float64, n), make([]float64, n)
	w.gradients = [2][]float64{make([]float64, n), make([]float64, n)}
	return w, nil
}

// Point returns the current point of the walk and its objectives. Both slices are valid until the next call, and
// must not be modified.
func (w *Walker) Point() (x, f []float64) { return w.here.x, w.here.f }

// Weights stores the objectives' weights λ at the current point in dst, which has length m. They are at least 0 and
// have sum 1, and Σ λ_i ∇f_i vanishes in all directions that no bound blocks.
func (w *Walker) Weights(dst []float64) {
	var sum float64
	for i, l := range w.here.lambda {
		dst[i] = l / w.scale[i]
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
}

// Rate returns how many units of objective j one unit of objective i costs at the current point, to first order:
// λ_i/λ_j. It returns +Inf if the weight of j is 0.
func (w *Walker) Rate(i, j int) float64 {
	return w.here.lambda[i] / w.scale[i] / (w.here.lambda[j] / w.scale[j])
}

// Start moves the walk to a stationary point near x. It finds this point by steps in the min-norm direction and
// Newton's method, even if the scales fit the problem badly. If there is no such point, it returns
// ErrNotStationary, and the walk stays at its current point.
func (w *Walker) Start(x []float64) error {
	if len(x) != w.n {
		return fmt.Errorf("a point of %d variables for a problem of %d", len(x), w.n)
	}
	if !w.seek(x) {
		return ErrNotStationary
	}
	if w.misjudged() {
		w.level()
		copy(w.unit, w.best.x)
		found := w.seek(w.unit)
		w.unlevel(&w.best)
		if !found {
			return ErrNotStationary
		}
	}
	w.here.copyFrom(&w.best)
	return nil
}

// misjudged reports whether the new place may seem stationary only because one gradient is short compared with
// another, in the units of scale. This is possible if gradients of equal length, in the same directions, would not
// cancel.
func (w *Walker) misjudged() bool {
	p := &w.best
	if !w.look(p) {
		return false
	}
	largest, short := w.largest(), false
	for i := range w.m {
		row := w.jacobian.Row(i)
		length := portable.Norm(row)
		if length == 0 {
			return false
		}
		short = short || length <= near*largest
		for c := range row {
			row[c] *= largest / length
		}
	}
	return short && w.measure.Measure(w.walled(p, largest)) > near*largest
}

// level sets the units of the objectives to the lengths of their gradients at the new place.
func (w *Walker) level() {
	w.look(&w.best)
	for i := range w.m {
		w.scale[i] *= portable.Norm(w.jacobian.Row(i))
	}
}

// unlevel restores the given scale, and converts the weights of p to the units of this scale.
func (w *Walker) unlevel(p *place) {
	sum := 0.0
	for i := range p.lambda {
		p.lambda[i] *= w.given[i] / w.scale[i]
		sum += p.lambda[i]
	}
	for i := range p.lambda {
		p.lambda[i] /= sum
	}
	copy(w.scale, w.given)
}

// seek searches for a stationary point from x and stores it in w.best. It reports whether it found one.
func (w *Walker) seek(x []float64) bool {
	p := &w.next
	copy(p.x, x)
	w.clamp(p.x)
	if !w.descend(p) {
		return false
	}
	w.release(p)
	w.best.copyFrom(p)
	first := w.residual(p)
	for range newtonSteps {
		if w.residual(p) <= settled || !w.newtonAtWeights(p) {
			break
		}
		if w.residual(p) < w.residual(&w.best) {
			w.best.copyFrom(p)
		}
	}
	rest := w.residual(&w.best)
	return rest <= almost || rest <= first && rest <= near
}

// descend follows the min-norm direction of the scaled, reduced gradients until the point is almost stationary.
// Each step is as long as a line search allows. The final weights are the weights of the shortest vector.
func (w *Walker) descend(p *place) bool {
	const sufficient = 0.1
	const rounding = 1e-15 // rounding error relative to an objective; the last step to a bound may change the objective by at most this share
	step := 1.0
	for range descents {
		if !w.look(p) {
			return false
		}
		largest := w.largest()
		omega := w.measure.Measure(w.walled(p, largest))
		if math.IsNaN(omega) {
			return false
		}
		copy(p.lambda, w.measure.Weights())
		sum := 0.0
		for _, l := range p.lambda {
			sum += l
		}
		for i := range p.lambda {
			p.lambda[i] /= sum
		}
		if omega <= near*largest {
			return true
		}
		copy(w.product, w.measure.Direction())
		w.hold(p)
		fell := false
		for range halvings {
			for c := range w.shifted {
				w.shifted[c] = p.x[c] - float64(step*w.product[c])
			}
			w.clamp(w.shifted)
			w.problem.Values(w.right[:w.m], w.shifted)
			fell = true
			for i := range w.m {
				fell = fell && p.f[i]-w.right[i]+float64(rounding*math.Abs(p.f[i])) >= sufficient*step*omega*omega*w.scale[i]
			}
			if fell {
				break
			}
			step /= 2
		}
		if !fell {
			return omega <= 30*near*largest
		}
		copy(p.x, w.shifted)
		step *= 2
	}
	return w.look(p) && w.residual(p) <= 30*near
}

// walled returns the gradients at p, and an additional row for each bound that p is at. These rows are so long that
// the shortest vector in the hull of all rows leads along the bound or away from it. They represent the
// Karush–Kuhn–Tucker multipliers of the bounds, and get small weights.
func (w *Walker) walled(p *place, largest float64) *algo.Jacobian {
	const steep = 1e4
	j := &w.rows
	j.Rows, j.Cols, j.Data = w.m, w.n, append(j.Data[:0], w.jacobian.Data...)
	for c := range w.lo {
		var out float64
		switch {
		case p.x[c] <= w.lo[c]:
			out = -steep * largest
		case p.x[c] >= w.hi[c]:
			out = steep * largest
		default:
			continue
		}
		j.Rows++
		for o := range w.n {
			j.Data = append(j.Data, 0)
			if o == c {
				j.Data[len(j.Data)-1] = out
			}
		}
	}
	return j
}

// hold keeps a variable at its bound if the row of this bound has a weight. The rows of bounds are not infinitely
// long, so the direction has an error. Without hold, the direction would lead back and forth at the bound in ever
// shorter steps.
func (w *Walker) hold(p *place) {
	walls := w.measure.Weights()[w.m:]
	for c := range w.lo {
		if p.x[c] > w.lo[c] && p.x[c] < w.hi[c] {
			continue
		}
		if walls[0] > 0 {
			w.product[c] = 0
		}
		walls = walls[1:]
	}
}

// look stores the objectives at p, and their gradients in units of scale. It returns false if a value is not finite.
func (w *Walker) look(p *place) bool {
	w.problem.Values(p.f, p.x)
	w.problem.Jacobian(w.jacobian, p.x)
	for i, s := range w.scale {
		row := w.jacobian.Row(i)
		for c := range row {
			row[c] /= s
		}
	}
	return algo.Finite(p.f) && algo.Finite(w.jacobian.Data)
}

// largest returns the length of the longest gradient at the last evaluated place.
func (w *Walker) largest() (most float64) {
	for i := range w.m {
		most = max(most, portable.Norm(w.jacobian.Row(i)))
	}
	return most
}

// residual returns the length of the weighted gradient of the free variables, relative to the longest gradient.
func (w *Walker) residual(p *place) float64 {
	if !w.look(p) {
		return math.Inf(1)
	}
	var sum, most float64
	for c := range w.n {
		for i := range w.m {
			most = max(most, math.Abs(w.jacobian.Row(i)[c]))
		}
	}
	if most == 0 {
		return 0
	}
	for _, c := range w.free {
		v := w.push(p, c) / most
		sum += float64(v * v)
	}
	return math.Sqrt(sum)
}

// push returns entry c of the weighted gradient at the last evaluated place.
func (w *Walker) push(p *place, c int) (sum float64) {
	for i, l := range p.lambda {
		sum += float64(l * w.jacobian.Row(i)[c])
	}
	return sum
}

// clamp moves every variable of x that is outside the box to the nearer bound.
func (w *Walker) clamp(x []float64) {
	for c := range w.lo {
		x[c] = min(max(x[c], w.lo[c]), w.hi[c])
	}
}

// release determines the free variables at p: all except the variables at a bound that the weighted gradient pushes against.
func (w *Walker) release(p *place) {
	w.look(p)
	w.free = w.free[:0]
	for c := range w.n {
		if w.lo != nil {
			push := w.push(p, c)
			if p.x[c] <= w.lo[c] && push > 0 || p.x[c] >= w.hi[c] && push < 0 {
				continue
			}
		}
		w.free = append(w.free, c)
	}
}

// curve stores the Hessian of the weighted sum at p, for the free variables, in w.hessian.
func (w *Walker) curve(p *place) {
	k := len(w.free)
	// least·cubeRoot is the minimum step of the differences. least is a fraction of the distance over which an
	// objective changes by its scale.
	var least float64
	if w.curved == nil && w.look(p) {
		if largest := w.largest(); largest > 0 {
			least = 0.1 / largest
		}
	}
	for col, c := range w.free {
		clear(w.product)
		if w.curved != nil {
			clear(w.unit)
			w.unit[c] = 1
			for i, l := range p.lambda {
				if l == 0 {
					continue
				}
				w.curved.HessianProduct(w.shifted, i, p.x, w.unit)
				for r, v := range w.shifted {
					w.product[r] += float64(l / w.scale[i] * v)
				}
			}
		} else {
			w.differ(p, c, least)
		}
		for row, r := range w.free {
			w.hessian[row*k+col] = w.product[r]
		}
	}
}

// differ stores in w.product the derivative of the weighted gradient with respect to variable c. It uses central
// differences inside the box. A variable closer to 0 than least is treated as if its magnitude were least.
func (w *Walker) differ(p *place, c int, least float64) {
	size := max(least, math.Abs(p.x[c]))
	for _, v := range p.x {
		size = max(size, 1e-3*math.Abs(v))
	}
	if w.lo != nil && !math.IsInf(w.hi[c]-w.lo[c], 1) {
		size = max(size, w.hi[c]-w.lo[c])
	}
	if size == 0 {
		size = 1
	}
	const cubeRoot = 6e-6 // cube root of the rounding error of one operation; balances truncation and rounding errors
	var at [2]float64
	for side, sign := range []float64{-1, 1} {
		copy(w.shifted, p.x)
		w.shifted[c] += float64(sign * cubeRoot * size)
		w.clamp(w.shifted)
		at[side] = w.shifted[c]
		w.problem.Jacobian(w.jacobian, w.shifted)
		clear(w.gradients[side])
		for i, l := range p.lambda {
			for r, v := range w.jacobian.Row(i) {
				w.gradients[side][r] += float64(l / w.scale[i] * v)
			}
		}
	}
	for r := range w.product {
		w.product[r] = (w.gradients[1][r] - w.gradients[0][r]) / (at[1] - at[0])
	}
}

// newtonAtWeights takes one Newton step towards the stationary point for p's weights.
func (w *Walker) newtonAtWeights(p *place) bool {
	k := len(w.free)
	w.curve(p)
	if !w.look(p) {
		return false
	}
	copy(w.matrix[:k*k], w.hessian[:k*k])
	for row, c := range w.free {
		w.right[row] = -w.push(p, c)
	}
	if !w.solve(w.matrix[:k*k], w.right[:k]) {
		return false
	}
	for row, c := range w.free {
		p.x[c] += w.right[row]
	}
	w.clamp(p.x)
	return algo.Finite(p.x)
}

// system stores the derivatives of the conditions at p, with respect to the free variables and the weights, in the
// rows of w.matrix. It leaves the last row 0. The conditions consist of the weighted gradient, the sum of weights,
// and the objectives that keep their values.
func (w *Walker) system(p *place) (size int, ok bool) {
	k := len(w.free)
	size = k + w.m
	w.curve(p)
	if !w.look(p) {
		return size, false
	}
	clear(w.matrix[:size*size])
	for row := range w.free {
		copy(w.matrix[row*size:], w.hessian[row*k:(row+1)*k])
		for i := range w.m {
			w.matrix[row*size+k+i] = w.jacobian.Row(i)[w.free[row]]
		}
	}
	for i := range w.m {
		w.matrix[k*size+k+i] = 1
	}
	for h, i := range w.held {
		for col, c := range w.free {
			w.matrix[(k+1+h)*size+col] = w.jacobian.Row(i)[c]
		}
	}
	return size, true
}

// Trade lowers objective i at the cost of objective j, i ≠ j, until the objectives have changed by length, measured
// in their scales. All other objectives keep their values. Trade returns the length of the walk and the reason why
// the walk ended. Call Start first.
func (w *Walker) Trade(i, j int, length float64) (walked float64, end End) {
	if i == j || i < 0 || j < 0 || i >= w.m || j >= w.m {
		panic(fmt.Sprintf("pareto: trade of objective %d for %d, of %d", i, j, w.m))
	}
	w.held = w.held[:0]
	for k := range w.m {
		if k != i && k != j {
			w.held = append(w.held, k)
		}
	}
	w.release(&w.here)
	const enough = 1e-9
	for range maxPieces {
		rest := length - walked
		if rest <= enough*length {
			return walked, Walked
		}
		if w.here.lambda[j] <= 0 {
			return walked, Lowest
		}
		if len(w.free) == 0 && !w.tilt(i, j) {
			return walked, Lowest
		}
		way, crossed, end := w.piece(i, rest)
		walked += way
		if end != Walked {
			return walked, end
		}
		switch {
		case crossed < 0:
			continue
		case crossed >= w.m:
			w.turn(crossed - w.m)
		case crossed == j:
			w.here.lambda[j] = 0
			return walked, Lowest
		default:
			w.here.lambda[crossed] = 0
			return walked, Idle
		}
	}
	return walked, Stuck
}

// tilt shifts weight from objective j to objective i until the weighted gradient releases a variable. It is used in
// a corner of the box, where no variable can move. It returns false if j's weight is used up first.
func (w *Walker) tilt(i, j int) bool {
	w.look(&w.here)
	first, at := w.here.lambda[j], -1
	for c := range w.n {
		// push is the entry of the weighted gradient, with a sign such that positive values hold the variable at its bound.
		// change is the derivative of push with respect to the shifted weight.
		push, change := w.push(&w.here, c), w.jacobian.Row(i)[c]-w.jacobian.Row(j)[c]
		if w.here.x[c] >= w.hi[c] {
			push, change = -push, -change
		}
		if change < 0 && push/-change < first {
			first, at = max(push/-change, 0), c
		}
	}
	if at < 0 {
		return false
	}
	w.here.lambda[i] += first
	w.here.lambda[j] -= first
	w.free = append(w.free, at)
	return true
}

// turn switches variable c between free and held. If c is free, it has reached a bound, and turn holds it there.
// Otherwise the weighted gradient no longer pushes c against its bound, and turn releases it.
func (w *Walker) turn(c int) {
	kept := w.free[:0]
	was := false
	for _, v := range w.free {
		if v == c {
			was = true
			continue
		}
		kept = append(kept, v)
	}
	w.free = kept
	if was {
		if math.Abs(w.here.x[c]-w.lo[c]) <= math.Abs(w.here.x[c]-w.hi[c]) {
			w.here.x[c] = w.lo[c]
		} else {
			w.here.x[c] = w.hi[c]
		}
		return
	}
	at := 0
	for at < len(w.free) && w.free[at] < c {
		at++
	}
	w.free = append(w.free, 0)
	copy(w.free[at+1:], w.free[at:])
	w.free[at] = c
}

// piece walks a distance of at most length with the current free variables. crossed is the quantity that has just
// reached its limit: k for objective k, whose weight is now 0, or m + c for variable c. It is −1 if there is none.
func (w *Walker) piece(i int, length float64) (walked float64, crossed int, end End) {
	change, ok := w.aim(i)
	if !ok {
		return 0, -1, Lowest
	}
	end = Stuck
	for step := length / change; end == Stuck || end == Turning; step /= 2 {
		if step*change < length*0x1p-30 {
			return 0, -1, end
		}
		if !w.correct(step) {
			end = Stuck
			continue
		}
		if w.between() > 1.5*length || w.swerved() { // w.next may be on another branch
			end = Stuck
			continue
		}
		crossed = w.beyond()
		if crossed < 0 && w.next.f[i] >= w.here.f[i] {
			end = Turning
			continue
		}
		if crossed >= 0 {
			crossed = w.bisect(step, crossed)
		}
		end = Walked
	}
	walked = w.between()
	w.here.copyFrom(&w.next)
	return walked, crossed, Walked
}

// aim stores the tangent along which objective i falls by one unit of its scale. It returns how much all objectives
// change along this tangent. ok is false if objective i does not fall to first order.
func (w *Walker) aim(i int) (change float64, ok bool) {
	size, ok := w.system(&w.here)
	if !ok {
		return 0, false
	}
	for col, c := range w.free {
		w.matrix[(size-1)*size+col] = w.jacobian.Row(i)[c]
	}
	clear(w.right[:size])
	w.right[size-1] = -1
	if !w.solve(w.matrix[:size*size], w.right[:size]) {
		return 0, false
	}
	copy(w.tangent, w.right[:size])
	for o := range w.m {
		var by float64
		for col, c := range w.free {
			by += float64(w.jacobian.Row(o)[c] * w.tangent[col])
		}
		change += float64(by * by)
	}
	change = math.Sqrt(change)
	return change, change > 0 && !math.IsInf(change, 1)
}

// correct takes the given step along the tangent from the current point. It then finds the stationary point w.next by
// Newton's method, in the plane orthogonal to the tangent. It reports whether it found this point.
func (w *Walker) correct(step float64) bool {
	p, k := &w.next, len(w.free)
	p.copyFrom(&w.here)
	for col, c := range w.free {
		p.x[c] += float64(step * w.tangent[col])
	}
	for i := range p.lambda {
		p.lambda[i] += float64(step * w.tangent[k+i])
	}
	last := math.Inf(1)
	for range newtonSteps {
		rest := w.residual(p)
		for _, o := range w.held {
			rest = max(rest, math.Abs(p.f[o]-w.here.f[o])/w.scale[o])
		}
		if rest <= settled || rest <= almost && rest > last/2 {
			return true
		}
		if !(rest < 4*last) {
			return false
		}
		last = rest
		size, ok := w.system(p)
		if !ok {
			return false
		}
		copy(w.matrix[(size-1)*size:size*size], w.tangent[:size])
		for row, c := range w.free {
			w.right[row] = -w.push(p, c)
		}
		w.right[k] = 1
		for _, l := range p.lambda {
			w.right[k] -= l
		}
		for h, o := range w.held {
			w.right[k+1+h] = (w.here.f[o] - p.f[o]) / w.scale[o]
		}
		w.right[size-1] = 0
		if !w.solve(w.matrix[:size*size], w.right[:size]) {
			return false
		}
		for col, c := range w.free {
			p.x[c] += w.right[col]
		}
		for i := range p.lambda {
			p.lambda[i] += w.right[k+i]
		}
		if !algo.Finite(p.x) || !algo.Finite(p.lambda) {
			return false
		}
	}
	return false
}

// beyond returns the quantity that is furthest beyond its limit at w.next, the last evaluated place. The quantity
// is a weight, a variable, or the push that holds a variable at its bound. beyond returns −1 if there is none.
func (w *Walker) beyond() int {
	const rounding = 1e-9
	which, furthest := -1, rounding
	for i, l := range w.next.lambda {
		if -l > furthest {
			which, furthest = i, -l
		}
	}
	if w.lo == nil {
		return which
	}
	largest, at := w.largest(), 0
	for c, x := range w.next.x {
		isFree := at < len(w.free) && w.free[at] == c
		var by float64
		switch {
		case isFree:
			at++
			by = max(w.lo[c]-x, x-w.hi[c])
			if size := w.hi[c] - w.lo[c]; !math.IsInf(size, 1) {
				by /= size
			}
		case x <= w.lo[c]:
			by = -w.push(&w.next, c) / largest
		default:
			by = w.push(&w.next, c) / largest
		}
		if by > furthest {
			which, furthest = w.m+c, by
		}
	}
	return which
}

// bisect moves w.next to the place where the first quantity reaches its limit, and returns this quantity. crossed
// is one of the quantities that are beyond their limits after the step.
func (w *Walker) bisect(step float64, crossed int) int {
	w.best.copyFrom(&w.here)
	low, high := 0.0, step
	const finely = 32 // number of halvings, down to a fraction of about 1e-9 of the step
	for range finely {
		middle := (low + high) / 2
		if !w.correct(middle) {
			high = middle
		} else if c := w.beyond(); c >= 0 {
			high, crossed = middle, c
		} else {
			low = middle
			w.best.copyFrom(&w.next)
		}
	}
	w.next.copyFrom(&w.best)
	return crossed
}

// between returns how much the objectives change, in their scales, from the current point to w.next.
func (w *Walker) between() float64 {
	var sum float64
	for i, s := range w.scale {
		d := (w.next.f[i] - w.here.f[i]) / s
		sum += float64(d * d)
	}
	return math.Sqrt(sum)
}

// swerved reports whether a weight changes more between the current point and w.next than it should in one step.
func (w *Walker) swerved() bool {
	const limit = 0.3
	for i, l := range w.here.lambda {
		if math.Abs(w.next.lambda[i]-l) > limit {
			return true
		}
	}
	return false
}

// solve solves a square system in row-major order, and stores the solution in right. It uses elimination with partial
// pivoting, after scaling the largest entry of every row to magnitude 1. It overwrites both arguments. If a pivot is
// only the rounding error of its column, it returns false.
func (w *Walker) solve(matrix, right []float64) bool {
	n := len(right)
	columns := w.columns[:n]
	clear(columns)
	for row := range n {
		values := matrix[row*n : (row+1)*n]
		var most float64
		for _, v := range values {
			most = max(most, math.Abs(v))
		}
		if !(most > 0) || math.IsInf(most, 1) {
			return false
		}
		for c := range values {
			values[c] /= most
			columns[c] = max(columns[c], math.Abs(values[c]))
		}
		right[row] /= most
	}
	for col := range n {
		pivot := col
		for row := col + 1; row < n; row++ {
			if math.Abs(matrix[row*n+col]) > math.Abs(matrix[pivot*n+col]) {
				pivot = row
			}
		}
		if size := math.Abs(matrix[pivot*n+col]); !(size > 1e-13*columns[col]) {
			return false
		}
		if pivot != col {
			for c := range n {
				matrix[pivot*n+c], matrix[col*n+c] = matrix[col*n+c], matrix[pivot*n+c]
			}
			right[pivot], right[col] = right[col], right[pivot]
		}
		for row := col + 1; row < n; row++ {
			part := matrix[row*n+col] / matrix[col*n+col]
			for c := col; part != 0 && c < n; c++ {
				matrix[row*n+c] -= float64(part * matrix[col*n+c])
			}
			right[row] -= float64(part * right[col])
		}
	}
	for row := n - 1; row >= 0; row-- {
		for c := row + 1; c < n; c++ {
			right[row] -= float64(matrix[row*n+c] * right[c])
		}
		right[row] /= matrix[row*n+row]
	}
	return algo.Finite(right)
}
