package transport

import (
	"math"
)

// shape is the form into which every solver brings a task first: its size, the scale
// of its costs, and the masses of the columns scaled to the sum of the rows'.
type shape struct {
	n, m     int
	balanced []float64 // b, with the sum of a
	total    float64   // Σ a

	largest   float64 // |cost|
	magnitude float64 // Σ Γ_ij |C_ij| of the plan that was read last
	// Costs are multiplied by both, which are powers of two, so that the largest |cost|
	// is in [½, 1), or 0; multiplying by 1/both takes that back.
	down, downAgain float64
	exponent        int

	sumRow, sumCol []float64
}

func (s *shape) resize(n, m int) {
	s.n, s.m = n, m
	s.balanced = make([]float64, m)
	s.sumRow, s.sumCol = make([]float64, n), make([]float64, m)
}

// measure finds the size of the task's numbers, and balances its masses.
func (s *shape) measure(t *Task) {
	s.largest = 0
	for _, c := range t.Cost {
		if c = math.Abs(c); c > s.largest { // the built-in max takes much longer
			s.largest = c
		}
	}
	_, s.exponent = math.Frexp(s.largest)
	half := s.exponent / 2
	s.down, s.downAgain = math.Ldexp(1, -half), math.Ldexp(1, half-s.exponent)

	s.total = sum(t.A)
	by := s.total / sum(t.B)
	for j, b := range t.B {
		s.balanced[j] = b * by
	}
}

// finish computes the fields of p that follow from its masses and potentials, and
// scales the potentials back. Of all u + c, v − c it takes those with Σ b_j v_j = 0.
func (s *shape) finish(p *Plan, t *Task) {
	var mean float64
	for j, v := range p.V {
		mean += float64(s.balanced[j] / s.total * v)
	}
	up, upAgain := 1/s.down, 1/s.downAgain
	for j, v := range p.V {
		p.V[j] = (v - mean) * up * upAgain
	}
	for i, u := range p.U {
		p.U[i] = (u + mean) * up * upAgain
	}

	clear(s.sumCol)
	p.Cost, p.MarginalError, s.magnitude = 0, 0, 0
	for i := range s.n {
		row := p.Mass[i*s.m : (i+1)*s.m]
		var sum float64
		for j, mass := range row {
			if mass > 0 {
				cost := float64(mass * t.Cost[i*s.m+j])
				p.Cost += cost
				s.magnitude += math.Abs(cost)
				sum += mass
				s.sumCol[j] += mass
			}
		}
		p.MarginalError += math.Abs(sum - t.A[i])
	}
	for j, sum := range s.sumCol {
		p.MarginalError += math.Abs(sum - s.balanced[j])
	}
	p.Gap = p.Cost
	for i, u := range p.U {
		p.Gap -= float64(t.A[i] * u)
	}
	for j, v := range p.V {
		p.Gap -= float64(s.balanced[j] * v)
	}
}

// resize makes the plan's slices for n rows and m columns.
func (p *Plan) resize(n, m int) {
	if len(p.Mass) != n*m {
		p.Mass = make([]float64, n*m)
	}
	if len(p.U) != n {
		p.U = make([]float64, n)
	}
	if len(p.V) != m {
		p.V = make([]float64, m)
	}
}
