package ordering

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/internal/portable"
)

// Herding measures how far an order strays: what the examples seen so far are off their
// mean, all at one w. Its gradients are no part of a run and count as nothing. It is of
// use to one goroutine.
type Herding struct {
	view     *view
	step     algo.Sample
	mean     *algo.Jacobian // ∇L_m(w)
	jacobian *algo.Jacobian
	sum      []float64
	term     []float64
}

// NewHerding measures orders of a problem whose examples are batches of so many samples,
// which must divide their number.
func NewHerding(p Problem, batch int) *Herding {
	d, m := p.Dims()
	h := &Herding{mean: algo.NewJacobian(m, d), jacobian: algo.NewJacobian(m, d), sum: make([]float64, d), term: make([]float64, d)}
	h.view = newView(p, batch)
	h.view.due = make([]int, m)
	return h
}

// Walk calls do, unless it is nil, for every step k = 1 … K with
//
//	Σ_{j≤k} Σ_m (∇ℓ_m(w; ξ_{π^m(j)}) − ∇L_m(w))
//
// of length d, which it must not keep. It returns the largest max norm of these sums
// divided by the largest Euclidean norm of one ∇ℓ_m(w; ξ) − ∇L_m(w): H, which is 0 where
// all examples have the same gradients.
func (h *Herding) Walk(w []float64, orders [][]int, do func(k int, sum []float64)) float64 {
	h.view.Problem.Jacobian(h.mean, w)
	h.view.own, h.view.due = len(orders) > 1, h.view.due[:len(orders)]
	clear(h.sum)
	var farthest, longest float64
	for k := range h.view.count {
		for i, order := range orders {
			h.view.due[i] = order[k]
		}
		h.view.JacobianAt(h.jacobian, w, &h.step)
		for m := range h.jacobian.Rows {
			mean := h.mean.Row(m)
			for j, v := range h.jacobian.Row(m) {
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
	if longest == 0 {
		return 0
	}
	return farthest / longest
}

// largest is the max norm.
func largest(v []float64) float64 {
	var most float64
	for _, a := range v {
		most = max(most, math.Abs(a))
	}
	return most
}

// Epoch is what an epoch came to.
type Epoch struct {
	Number int // from 0
	Steps  int // made, K once it is complete
	H      float64
	// SignBound is A of the signs, NaN where they decide nothing: see Descent.SignBound.
	SignBound float64
	Drift     float64 // max_k ‖w^(k) − w^(1)‖_∞/α, α being the epoch's first step size
	// Wobble is the same less the straight way from the epoch's first point to its last,
	// NaN until it is complete.
	Wobble float64
	W      []float64 // after its steps, of length d
}

// Meter measures the epochs of one run, which tells it where it is after every step. It
// holds the points of one epoch.
type Meter struct {
	herding *Herding
	d       int
	path    []float64 // points of the epoch, the first its start
	epoch   Epoch
	alpha   float64
}

// NewMeter measures runs on a problem whose examples are batches of so many samples.
func NewMeter(p Problem, batch int) *Meter {
	d, _ := p.Dims()
	return &Meter{herding: NewHerding(p, batch), d: d}
}

// Hear takes where a run is: at its start, then after every step. The result is the epoch
// that the step was in, so far, and holds until the next call; it is nil at the start.
func (m *Meter) Hear(s *Descent) *Epoch {
	v := s.View()
	if v.K == 0 {
		m.path = append(m.path[:0], v.X...)
		return nil
	}
	position := s.Position()
	if position == 1 {
		start := m.path[len(m.path)-m.d:]
		copy(m.path[:m.d], start)
		m.path = m.path[:m.d]
		m.epoch = Epoch{Number: s.Epoch(), H: m.herding.Walk(m.path, s.Orders(), nil), Wobble: math.NaN(), W: m.epoch.W}
		m.alpha = v.StepSize
	}
	m.path = append(m.path, v.X...)
	e := &m.epoch
	e.Steps, e.SignBound, e.W = position, s.SignBound(), append(e.W[:0], v.X...)
	for j, x := range v.X {
		e.Drift = max(e.Drift, math.Abs(x-m.path[j])/m.alpha)
	}
	if position == s.Examples() {
		e.Wobble = m.wobble()
	}
	return e
}

// wobble is that of the complete path.
func (m *Meter) wobble() float64 {
	steps := len(m.path)/m.d - 1
	first, last := m.path[:m.d], m.path[steps*m.d:]
	var most float64
	for k := 1; k < steps; k++ {
		part := float64(k) / float64(steps)
		for j, x := range m.path[k*m.d : (k+1)*m.d] {
			most = max(most, math.Abs(x-first[j]-float64(part*(last[j]-first[j]))))
		}
	}
	return most / m.alpha
}
