package transport

import (
	"math"
)

// shape holds values that every solver first computes from a task: the size, the scale of the costs, and the masses
// of the columns, scaled to the sum of the rows' masses.
type shape struct {
	n, m     int
	balanced []float64 // b, scaled to the sum of a
	total    float64   // Σ a

	largest   float64 // largest |cost|
	magnitude float64 // Σ Γ_ij |C_ij| of the last plan read
	// down and downAgain are powers of two that scale the costs. The largest |cost| times both powers is in
	// [½, 1), or 0. Multiplying by both reciprocals undoes the scaling.
	down, downAgain float64
	exponent        int

	sumRow, sumCol []float64
}

func (s *shape) resize(n, m int) {
	s.n, s.m = n, m
	s.balanced = make([]float64, m)
	s.sumRow, s.sumCol = make([]float64, n), make([]float64, m)
}

// measure computes the scale of the task's costs, and balances its masses.
func (s *shape) measure(t *Task) {
	largest, _ := extent(t.Cost)
	s.scaleTo(t, largest)
}

// extent returns the largest absolute value in v, and reports whether all values are finite.
func extent(v []float64) (largest float64, finite bool) {
	const sign = 1 << 63
	var most, other uint64 // without their signs, floats sort like their bits, with infinities and NaN last
	for i := 1; i < len(v); i += 2 {
		most = max(most, math.Float64bits(v[i-1])&^sign)
		other = max(other, math.Float64bits(v[i])&^sign)
	}
	if len(v)%2 > 0 {
		most = max(most, math.Float64bits(v[len(v)-1])&^sign)
	}
	most = max(most, other)
	return math.Float64frombits(most), most < math.Float64bits(math.Inf(1))
}

// scaleTo does the same as measure, but takes the largest |cost| from the caller.
func (s *shape) scaleTo(t *Task, largest float64) {
	s.largest = largest
	_, s.exponent = math.Frexp(s.largest)
	half := s.exponent / 2
	s.down, s.downAgain = math.Ldexp(1, -half), math.Ldexp(1, half-s.exponent)

	s.total = sum(t.A)
	by := s.total / sum(t.B)
	for j, b := range t.B {
		s.balanced[j] = b * by
	}
}

// finish computes the fields of p that follow from its masses and potentials, and undoes the scaling of the
// potentials. For any number c, the potentials u + c and v − c are equivalent. finish selects those with Σ b_j v_j =
// 0.
func (s *shape) finish(p *Plan, t *Task) {
	s.center(p)
	s.clearSums(p)
	for i := range s.n {
		row := p.Mass[i*s.m : (i+1)*s.m]
		var sum float64
		for j, mass := range row {
			if mass > 0 {
				s.add(p, mass, t.Cost[i*s.m+j])
				sum += mass
				s.sumCol[j] += mass
			}
		}
		p.MarginalError += math.Abs(sum - t.A[i])
	}
	s.compare(p, t)
}

// center undoes the scaling of the potentials of p, and shifts them so that Σ b_j v_j = 0.
func (s *shape) center(p *Plan) {
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
}

func (s *shape) clearSums(p *Plan) {
	clear(s.sumCol)
	p.Cost, p.MarginalError, s.magnitude = 0, 0, 0
}

// add adds the cost of a mass to the cost of p. The argument each is the cost per unit of mass.
func (s *shape) add(p *Plan, mass, each float64) {
	cost := float64(mass * each)
	p.Cost += cost
	s.magnitude += math.Abs(cost)
}

// compare adds the marginal errors of the columns to p's marginal error, and computes the gap of p.
func (s *shape) compare(p *Plan, t *Task) {
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

// resize allocates those slices of the plan whose lengths do not fit n rows and m columns.
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
