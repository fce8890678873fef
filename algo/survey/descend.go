package survey

import (
	"math"

	"paretoplay/algo"
)

// descender minimises a function of few variables within a box. Variables are in units of a rectangle: its sides have
// length 1. descender uses the method of Broyden, Fletcher, Goldfarb and Shanno and projects its steps onto the box
// (Bertsekas 1982).
type descender struct {
	lo, hi        []float64 // bounds in units of the rectangle, ±∞ if there are none
	u, g, d       []float64
	next, nextG   []float64
	inverse       []float64 // approximate inverse Hessian, n×n
	change, slope []float64
}

func newDescender(lo, hi []float64) *descender {
	n := len(lo)
	at := func() []float64 { return make([]float64, n) }
	return &descender{lo: lo, hi: hi, u: at(), g: at(), d: at(), next: at(), nextG: at(), inverse: make([]float64, n*n), change: at(),
		slope: at()}
}

// These are the constants of Armijo's rule and of the stopping test.
const (
	armijo     = 1e-4
	firstStep  = 0.1   // in units of the rectangle
	leastSlope = 1e-12 // slope at which a descent has converged, relative to the first slope
	halvings   = 40
)

// run minimises a function in at most the given number of steps. It starts from d.u and leaves the last point there.
// value returns the function's value and stores its gradient in g, in units of the rectangle. It may return a value
// that is not finite where the function is undefined. run returns the function's last value, and whether the descent
// converged.
func (d *descender) run(value func(u, g []float64) float64, steps int) (f float64, rests bool) {
	n := len(d.u)
	f = value(d.u, d.g)
	if !finite(f) || !algo.Finite(d.g) {
		return f, true
	}
	d.reset()
	first, step, fresh := d.steepness(), firstStep, true
	for range steps {
		steep := d.steepness()
		if steep <= leastSlope*first || steep == 0 {
			return f, true
		}
		if descent := d.direction(); !(descent < 0) {
			d.reset()
			fresh = true
			d.direction()
		}
		if fresh { // no curvature information yet
			scale := step / largest(d.d)
			for i := range d.d {
				d.d[i] *= scale
			}
		}
		next, ok := d.search(value, f)
		if !ok {
			if fresh {
				return f, true
			}
			d.reset()
			fresh, step = true, step/16
			continue
		}
		f = next
		length := 0.0
		for i := range n {
			d.change[i], d.slope[i] = d.next[i]-d.u[i], d.nextG[i]-d.g[i]
			length = max(length, math.Abs(d.change[i]))
		}
		step = max(4*length, 1e-9)
		copy(d.u, d.next)
		copy(d.g, d.nextG)
		fresh = !d.update(fresh)
	}
	return f, false
}

// held reports whether a bound blocks the descent of variable i.
func (d *descender) held(i int) bool {
	return d.u[i] <= d.lo[i] && d.g[i] > 0 || d.u[i] >= d.hi[i] && d.g[i] < 0
}

// steepness returns the largest absolute slope that the box does not block.
func (d *descender) steepness() (most float64) {
	for i, v := range d.g {
		if !d.held(i) {
			most = max(most, math.Abs(v))
		}
	}
	return most
}

// direction stores the descent direction in d.d and returns the slope along it.
func (d *descender) direction() (slope float64) {
	n := len(d.u)
	for i := range n {
		d.d[i] = 0
		if d.held(i) {
			continue
		}
		for j := range n {
			if !d.held(j) {
				d.d[i] -= float64(d.inverse[i*n+j] * d.g[j])
			}
		}
		slope += float64(d.d[i] * d.g[i])
	}
	return slope
}

// search stores the end of a step along d.d in d.next. It halves the step until the function decreases enough, and
// reports whether such a step was found.
func (d *descender) search(value func(u, g []float64) float64, f float64) (float64, bool) {
	t := 1.0
	for range halvings {
		fall, moved := 0.0, false
		for i, v := range d.u {
			d.next[i] = min(max(v+float64(t*d.d[i]), d.lo[i]), d.hi[i])
			fall += float64(d.g[i] * (d.next[i] - v))
			moved = moved || d.next[i] != v
		}
		if !moved {
			return f, false
		}
		if next := value(d.next, d.nextG); finite(next) && next <= f+float64(armijo*fall) && next < f && algo.Finite(d.nextG) {
			return next, true
		}
		t /= 2
	}
	return f, false
}

// reset sets the inverse Hessian to the identity.
func (d *descender) reset() {
	n := len(d.u)
	clear(d.inverse)
	for i := range n {
		d.inverse[i*n+i] = 1
	}
}

// update updates the inverse Hessian from the last step. The argument first must be true if the inverse Hessian is
// still the identity. update reports whether the approximation is usable.
func (d *descender) update(first bool) bool {
	n := len(d.u)
	var product, square float64
	for i := range n {
		product += float64(d.change[i] * d.slope[i])
		square += float64(d.slope[i] * d.slope[i])
	}
	if !(product > 1e-12*math.Sqrt(square)*largest(d.change)) {
		if first {
			return false
		}
		return true // keep the current approximation
	}
	if first {
		for i := range n {
			d.inverse[i*n+i] = product / square
		}
	}
	// H ← (I − s yᵀ/ρ) H (I − y sᵀ/ρ) + s sᵀ/ρ with ρ = sᵀy
	applied := d.d // H y; direction overwrites d.d later
	curvature := 0.0
	for i := range n {
		applied[i] = 0
		for j := range n {
			applied[i] += float64(d.inverse[i*n+j] * d.slope[j])
		}
		curvature += float64(applied[i] * d.slope[i])
	}
	for i := range n {
		for j := range n {
			both := float64(applied[i]*d.change[j]) + float64(d.change[i]*applied[j])
			d.inverse[i*n+j] += (1+curvature/product)*d.change[i]*d.change[j]/product - both/product
		}
	}
	return true
}

func largest(v []float64) (most float64) {
	for _, a := range v {
		most = max(most, math.Abs(a))
	}
	return most
}

func finite(v float64) bool { return v-v == 0 }
