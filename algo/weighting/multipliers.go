package weighting

import (
	"paretoplay/algo"
	"paretoplay/algo/minnorm"
)

// multipliers are weights on the simplex that persist from decision to decision
// and are moved by projected gradient steps: those of MoCo, MoDo and the
// stochastic SDMGrad.
type multipliers struct {
	lambda    []float64 // empty before the first decision
	combined  []float64
	projector minnorm.Projector
}

// prepare makes λ_0 = 1/m at the first decision, and checks m later.
func (p *multipliers) prepare(m int) error {
	if len(p.lambda) == 0 {
		p.lambda = resize(p.lambda, m)
		for i := range p.lambda {
			p.lambda[i] = 1 / float64(m)
		}
	}
	if len(p.lambda) != m {
		return inputErrorf("weighting: %d objectives, there were %d before", m, len(p.lambda))
	}
	return nil
}

// step makes
//
//	λ ← Π_Δ(λ − γ(A(Bᵀλ + κ·b) + ρλ))
//
// where b is the mean of B's rows. It reports false when the step is not finite.
func (p *multipliers) step(a, b *algo.Jacobian, gamma, kappa, rho float64) bool {
	share := kappa / float64(len(p.lambda))
	p.combined = resize(p.combined, b.Cols)
	clear(p.combined)
	for i, l := range p.lambda {
		for c, v := range b.Row(i) {
			p.combined[c] += (l + share) * v
		}
	}
	for i, l := range p.lambda {
		slope := rho * l
		for c, v := range a.Row(i) {
			slope += v * p.combined[c]
		}
		p.lambda[i] = l - gamma*slope
	}
	return p.projector.Project(p.lambda, p.lambda) == algo.Converged
}

func (p *multipliers) save(s *algo.Snapshot) {
	s.PutInt(len(p.lambda))
	s.PutFloats(p.lambda...)
}

func (p *multipliers) load(s *algo.Snapshot) {
	p.lambda = resize(p.lambda, s.GetInt())
	s.GetFloats(p.lambda)
}

// checkSamples checks the shapes of the first count further samples.
func checkSamples(in *algo.Input, m, count int) error {
	for i, j := range in.Extra[:count] {
		if j.Rows != m || j.Cols != in.Extra[0].Cols {
			return inputErrorf("weighting: further sample %d is %d×%d, the first has %d columns, and there are %d objectives",
				i+1, j.Rows, j.Cols, in.Extra[0].Cols, m)
		}
	}
	return nil
}
