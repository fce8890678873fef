package ordering

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Herding measures how far an order strays: how far the sum over the examples seen so far
// deviates from the mean's, all at one w. Its gradients are no part of a run and cost
// nothing. One value serves one goroutine at a time.
type Herding struct {
	view     *view
	mean     *algo.Jacobian // ∇L_m(w)
	jacobian *algo.Jacobian
	sum      []float64
	term     []float64
}

// NewHerding measures orders of a problem whose examples are batches of so many samples, at
// least 1, which divide their number.
func NewHerding(p Problem, batch int) *Herding {
	d, m := p.Dims()
	h := &Herding{mean: algo.NewJacobian(m, d), jacobian: algo.NewJacobian(m, d), sum: make([]float64, d), term: make([]float64, d)}
	h.view = newView(p, batch)
	h.view.due = make([]int, m)
	return h
}

// alike times the longest gradient is the size up to which a deviation from the mean counts
// as rounding.
const alike = 1e-12

// Walk calls do, unless it is nil, for every step k = 1 … K of an epoch with these orders,
// one or one of each objective, with
//
//	Σ_{j≤k} Σ_m (∇ℓ_m(w; ξ_{π^m(j)}) − ∇L_m(w))
//
// of length d, which it must not keep. It returns H, the largest max norm of these sums
// divided by the largest Euclidean norm of one ∇ℓ_m(w; ξ) − ∇L_m(w): of one objective, as
// in Descent.SignBound. (The definition leaves open which norm; the largest of the sums
// over m makes H some percent less.) H is 0 where the gradients of an objective's examples
// differ by rounding only, and NaN where they are not finite.
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

// largest is the max norm.
func largest(v []float64) float64 {
	var most float64
	for _, a := range v {
		most = max(most, math.Abs(a))
	}
	return most
}

// Epoch holds the measures of an epoch.
type Epoch struct {
	Number int // from 0
	Steps  int // made, K once it is complete
	H      float64
	// SignBound is A of the signs, NaN where they decide nothing: see Descent.SignBound.
	SignBound float64
	Drift     float64 // max_k ‖w^(k) − w^(1)‖_∞/α, α being the epoch's first step size
	// Wobble is the same less the straight way from the epoch's first point to its last. It
	// is NaN until the epoch is complete, and where its points are more than 2^18 numbers.
	Wobble float64
	W      []float64 // after its steps, of length d
}

// Meter measures the epochs of one run; call Hear after every step.
type Meter struct {
	herding *Herding
	start   []float64 // w^(1) of the epoch
	alpha   float64   // its first step size
	path    []float64 // its points after w^(1), unless they are too many
	epoch   Epoch
}

// maxPath is how many numbers the points of an epoch may have for Epoch.Wobble to hold
// them.
const maxPath = 1 << 18

// NewMeter measures runs on a problem whose examples are batches of so many samples, at
// least 1, which divide their number.
func NewMeter(p Problem, batch int) *Meter {
	return &Meter{herding: NewHerding(p, batch)}
}

// Hear notes where a run is: call it at the start and after every step. It returns the
// epoch of the step, so far, which holds until the next call; nil at the start.
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

// wobble measures the complete path.
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
