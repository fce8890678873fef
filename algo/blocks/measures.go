package blocks

import (
	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Measured holds the theorems' quantities along a run up to now.
type Measured struct {
	T int // complete outer iterations
	// Loss and SquaredGradient are the means of F_m and of ‖∇F_m‖² at x^{t,0,0}, t = 0 … T−1.
	// These are the expectations of the random output. They are 0 for T = 0.
	Loss, SquaredGradient float64
	// Sigma is the largest ‖∇f_k‖ along the run, over the objectives that have turns: the σ of
	// Assumption 3.2 without noise. Noise adds n times its variance to the square.
	Sigma float64
	// Reach is the largest ‖x^{t,0,0} − x*‖, t = 0 … T: the Δ of Assumption 3.3.
	Reach float64
}

// Meter measures one run; call Hear after every step. Its gradients do not count towards the run's cost.
type Meter struct {
	problem       algo.Problem
	weights       []float64
	minimiser     []float64
	f             []float64
	jacobian      *algo.Jacobian
	g             []float64
	measured      Measured
	loss, squared float64 // at x^{T,0,0}
}

// NewMeter returns a Meter for runs on p with the weights m_k/p of the objectives. The minimiser
// x* of F_m may be nil if it is unknown; Reach is then 0.
func NewMeter(p algo.Problem, weights, minimiser []float64) *Meter {
	n, q := p.Dims()
	return &Meter{
		problem: p, weights: append([]float64(nil), weights...), minimiser: append([]float64(nil), minimiser...),
		f: make([]float64, q), jacobian: algo.NewJacobian(q, n), g: make([]float64, n),
	}
}

// Hear records the current point of the run: call it at the start and after every step. A start
// resets the measures.
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
