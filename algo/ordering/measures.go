package ordering

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Herding measures the deviation of an order: how far the sum of the visited examples' gradients is from the sum of as
// many mean gradients, all at the same w. These gradients do not count towards a run's cost. A Herding must not be used
// by two goroutines at once.
type Herding struct {
	view     *view
	mean     *algo.Jacobian // ∇L_m(w)
	jacobian *algo.Jacobian
	sum      []float64
	term     []float64
}

// NewHerding returns a Herding for orders of p's examples. Each example consists of batch samples; batch must be at
// least 1 and divide the number of samples.
func NewHerding(p Problem, batch int) *Herding {
	d, m := p.Dims()
	h := &Herding{mean: algo.NewJacobian(m, d), jacobian: algo.NewJacobian(m, d), sum: make([]float64, d), term: make([]float64, d)}
	h.view = newView(p, batch)
	h.view.due = make([]int, m)
	return h
}

// alike is the largest deviation from the mean, relative to the longest gradient, that Walk treats as a rounding
// error.
const alike = 1e-12

// Walk visits the examples of one epoch in the given orders (one, or one per objective) and returns their deviation
// H. Unless do is nil, Walk calls it after every step k = 1 … K with
//
//	Σ_{j≤k} Σ_m (∇ℓ_m(w; ξ_{π^m(j)}) − ∇L_m(w))
//
// of length d. The function do must not keep this slice. H is the largest max norm of these sums divided by the
// largest Euclidean norm of a single ∇ℓ_m(w; ξ) − ∇L_m(w), as in Descent.SignBound. (The definition does not fix the
// norm; with the largest of the sums over m, H would be a few percent smaller.) H is 0 if the gradients of an
// objective's examples differ only by rounding errors, and NaN if they are not finite.
func (h *Herding) Walk(w []float64, orders [][]int, do func(k int, sum []float64)) float64 {
	h.view.Jacobian(h.mean, w)
	h.view.own, h.view.due = len(orders) > 1, h.view.due[:len(orders)]
	clear(h.sum)
	var farthest, longest, size float64
	for k := range h.view.count {
		for i, order := range orders {
			h.view.due[i] = order[k]
		}
		h.view.JacobianAt(h.jacobian, w, &h.view.step)
		for m := range h.jacobian.Rows {
			gradient, mean := h.jacobian.Row(m), h.mean.Row(m)
			size = max(size, portable.Norm(gradient))
			for j, v := range gradient {
				h.term[j] = v - mean[j]
				h.sum[j] += h.term[j]
			}
			longest = max(longest, portable.Norm(h.term))
		}
		farthest = max(farthest, largest(h.sum))
		if do != nil {
			do(k+1, h.sum)
		}
	}
	if longest <= alike*size {
		return 0
	}
	if ratio := farthest / longest; ratio <= math.MaxFloat64 {
		return ratio
	}
	return math.NaN()
}

// largest returns the max norm of v.
func largest(v []float64) float64 {
	var most float64
	for _, a := range v {
		most = max(most, math.Abs(a))
	}
	return most
}

// Epoch contains the measures of one epoch.
type Epoch struct {
	Number int // counted from 0
	Steps  int // completed steps, at most K
	H      float64
	// SignBound is A of Assumption 3.7 for the signs, or NaN if the kind does not balance; see Descent.SignBound.
	SignBound float64
	Drift     float64 // max_k ‖w^(k) − w^(1)‖_∞/α, where α is the epoch's first step size
	// Wobble is computed like Drift, after the straight line from the epoch's first point to its last is subtracted. It
	// is NaN until the epoch is complete, and stays NaN if the epoch's points have more than 2^18 coordinates.
	Wobble float64
	W      []float64 // point after these steps, of length d
}

// Meter measures the epochs of one run. Call Hear at the start and after every step.
type Meter struct {
	herding *Herding
	start   []float64 // w^(1), the epoch's first point
	alpha   float64   // step size of the epoch's first step
	path    []float64 // points after w^(1); empty if there are too many
	epoch   Epoch
}

// maxPath is the maximum number of coordinates of an epoch's points for which Hear computes Epoch.Wobble.
const maxPath = 1 << 18

// NewMeter returns a Meter for runs on p. Each example consists of batch samples; batch must be at least 1 and divide
// the number of samples.
func NewMeter(p Problem, batch int) *Meter {
	return &Meter{herding: NewHerding(p, batch)}
}

// Hear records the current point of a run. Call it at the start and after every step. It returns the measures of the
// current epoch so far, or nil at the start. The result is valid until the next call.
func (m *Meter) Hear(s *Descent) *Epoch {
	v, e := s.View(), &m.epoch
	if v.K == 0 {
		e.W = append(e.W[:0], v.X...)
		return nil
	}
	if s.Position() == 1 {
		m.start, m.alpha, m.path = append(m.start[:0], e.W...), v.StepSize, m.path[:0]
		*e = Epoch{Number: s.Epoch(), H: m.herding.Walk(m.start, s.Orders(), nil), Wobble: math.NaN(), W: e.W}
	}
	e.Steps, e.SignBound, e.W = s.Position(), s.SignBound(), append(e.W[:0], v.X...)
	for j, x := range v.X {
		e.Drift = max(e.Drift, math.Abs(x-m.start[j])/m.alpha)
	}
	if s.Examples() <= maxPath/len(v.X) {
		m.path = append(m.path, v.X...)
		if e.Steps == s.Examples() {
			e.Wobble = m.wobble()
		}
	}
	return e
}

// wobble returns Epoch.Wobble for a complete epoch.
func (m *Meter) wobble() float64 {
	d := len(m.start)
	steps := len(m.path) / d
	last := m.path[(steps-1)*d:]
	var most float64
	for k := range steps {
		part := float64(k+1) / float64(steps)
		for j, x := range m.path[k*d : (k+1)*d] {
			most = max(most, math.Abs(x-m.start[j]-float64(part*(last[j]-m.start[j]))))
		}
	}
	return most / m.alpha
}
