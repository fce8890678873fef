package weighting

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
)

// multipliers holds weights on the simplex that persist between decisions. MoCo, MoDo and the stochastic SDMGrad
// update them by projected gradient steps.
type multipliers struct {
	lambda    []float64 // empty before the first decision
	combined  []float64
	next      []float64 // λ before the projection
	projector minnorm.Projector
	softmax   bool // whether to use the softmax instead of the projection
}

// prepare sets λ_0 = 1/m at the first decision. At later decisions it checks that m has not changed.
func (p *multipliers) prepare(m int) error {
	if len(p.lambda) == 0 {
		p.lambda = resize(p.lambda, m)
		for i := range p.lambda {
			p.lambda[i] = 1 / float64(m)
		}
	}
	if len(p.lambda) != m {
		return inputErrorf("weighting: %d objectives; earlier decisions had %d", m, len(p.lambda))
	}
	return nil
}

// step computes
//
//	λ ← Π_Δ(λ − γ(A(Bᵀλ + κ·b) + ρλ))
//
// where b is the mean of B's rows. If softmax is true, the softmax replaces the projection. step returns false if the
// result is not finite.
func (p *multipliers) step(a, b *algo.Jacobian, gamma, kappa, rho float64) bool {
	share := kappa / float64(len(p.lambda))
	p.combined, p.next = resize(p.combined, b.Cols), resize(p.next, len(p.lambda))
	clear(p.combined)
	for i, l := range p.lambda {
		for c, v := range b.Row(i) {
			p.combined[c] += float64((l + share) * v)
		}
	}
	for i, l := range p.lambda {
		slope := rho * l
		for c, v := range a.Row(i) {
			slope += float64(v * p.combined[c])
		}
		p.next[i] = l - float64(gamma*slope)
	}
	if p.softmax {
		softmax(p.lambda, p.next, 1)
		return algo.Finite(p.lambda)
	}
	if !algo.Finite(p.next) {
		p.leap(a, b, gamma, share, rho)
	}
	return p.projector.Project(p.lambda, p.next) == algo.Converged
}

// leap handles a step that overflows. It stores in next a finite point that has the same projection. Adding a constant
// to all entries does not change the projection, and an entry more than 2 below another always has weight 0.
func (p *multipliers) leap(a, b *algo.Jacobian, gamma, share, rho float64) {
	const far = 4
	above, below := exponentOf(a), exponentOf(b)
	clear(p.combined)
	for i, l := range p.lambda {
		for c, v := range b.Row(i) {
			p.combined[c] += float64((l + share) * math.Ldexp(v, -below))
		}
	}
	least := math.Inf(1)
	for i, l := range p.lambda {
		p.next[i] = math.Ldexp(rho*l, -above-below)
		for c, v := range a.Row(i) {
			p.next[i] += float64(math.Ldexp(v, -above) * p.combined[c])
		}
		least = min(least, p.next[i])
	}
	for i, l := range p.lambda {
		p.next[i] = l - min(gamma*math.Ldexp(p.next[i]-least, above+below), far)
	}
}

// exponentOf returns the binary exponent of the largest entry of j. All entries must be finite.
func exponentOf(j *algo.Jacobian) int {
	var largest float64
	for _, v := range j.Data {
		largest = max(largest, math.Abs(v))
	}
	_, exponent := math.Frexp(largest)
	return exponent
}

func (p *multipliers) save(s *algo.Snapshot) {
	s.PutInt(len(p.lambda))
	s.PutFloats(p.lambda...)
}

func (p *multipliers) load(s *algo.Snapshot) {
	p.lambda = resize(p.lambda, s.GetInt())
	s.GetFloats(p.lambda)
}

// checkSamples checks the shapes of the input's first further samples, whose number is count.
func checkSamples(in *algo.Input, m, count int) error {
	for i, j := range in.Extra[:count] {
		if j.Rows != m || j.Cols != in.Extra[0].Cols {
			return inputErrorf("weighting: further sample %d is %d×%d; it needs %d columns, like the first sample, and %d rows, one per objective",
				i+1, j.Rows, j.Cols, in.Extra[0].Cols, m)
		}
	}
	return nil
}
