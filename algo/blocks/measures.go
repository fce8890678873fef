package blocks

import (
	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Measured contains the quantities in the theorems, measured over the run so far.
type Measured struct {
	T int // number of complete outer iterations
	// Loss and SquaredGradient are the means of F_m and of ‖∇F_m‖² over the points x^{t,0,0} for t = 0 … T−1. They are
	// the expectations at the random output. For T = 0 they are 0.
	Loss, SquaredGradient float64
	// Sigma is the largest ‖∇f_k‖ along the run, over the objectives that have turns. Without noise, it is the σ of
	// Assumption 3.2. Noise adds n times its variance to σ².
	Sigma float64
	// Reach is the largest ‖x^{t,0,0} − x*‖ for t = 0 … T. It is the Δ of Assumption 3.3.
	Reach float64
}

// Meter measures one run. Call Hear after every step. The gradients that Meter evaluates do not count towards the
// run's cost.
type Meter struct {
	problem       algo.Problem
	weights       []float64
	minimiser     []float64
	f             []float64
	jacobian      *algo.Jacobian
	g             []float64
	measured      Measured
	loss, squared float64 // values at x^{T,0,0}
}

// NewMeter returns a Meter for runs on p, where the objectives have the given weights m_k/p. minimiser is the minimiser
// x* of F_m. Pass nil if x* is unknown. Reach is then 0.
func NewMeter(p algo.Problem, weights, minimiser []float64) *Meter {
	n, q := p.Dims()
	return &Meter{
		problem: p, weights: append([]float64(nil), weights...), minimiser: append([]float64(nil), minimiser...),
		f: make([]float64, q), jacobian: algo.NewJacobian(q, n), g: make([]float64, n),
	}
}

// Hear measures the current point of the run and returns the measures so far. Call it at the start and after every
// step. Calling it at the start resets the measures.
func (m *Meter) Hear(s *Alternation) Measured {
	k := s.ledger.K
	if k == 0 {
		m.measured = Measured{}
	}
	m.problem.Jacobian(m.jacobian, s.x)
	for i, w := range m.weights {
		if w > 0 {
			m.measured.Sigma = max(m.measured.Sigma, portable.Norm(m.jacobian.Row(i)))
		}
	}
	if k%s.OuterSteps() != 0 {
		return m.measured
	}
	if k > 0 {
		m.measured.T++
		share := 1 / float64(m.measured.T)
		m.measured.Loss += float64(share * (m.loss - m.measured.Loss))
		m.measured.SquaredGradient += float64(share * (m.squared - m.measured.SquaredGradient))
	}
	m.problem.Values(m.f, s.x)
	m.loss = portable.Dot(m.weights, m.f)
	m.jacobian.Combine(m.g, m.weights)
	m.squared = portable.Dot(m.g, m.g)
	for i, v := range m.minimiser {
		m.g[i] = s.x[i] - v
	}
	if len(m.minimiser) > 0 {
		m.measured.Reach = max(m.measured.Reach, portable.Norm(m.g))
	}
	return m.measured
}
