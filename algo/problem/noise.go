package problem

import (
	"fmt"
	"math"
	"math/rand/v2"

	"paretoplay/algo"
)

// gradientNoise adds independent normal numbers to gradients. normal draws from
// the state field beside it, so that starting a sample is an assignment and
// allocates nothing; a value must therefore not be copied after prepare.
type gradientNoise struct {
	sigma  float64
	state  rand.PCG
	normal *rand.Rand
}

// prepare sets the noise level. It refuses a negative, infinite or NaN sigma.
func (g *gradientNoise) prepare(sigma float64) error {
	if !(sigma >= 0) || math.IsInf(sigma, 1) {
		return fmt.Errorf("sigma = %v: the noise level must be finite and not negative", sigma)
	}
	g.sigma = sigma
	g.normal = rand.New(&g.state)
	return nil
}

// addTo adds the noise of sample s to every row of jac.
func (g *gradientNoise) addTo(jac *algo.Jacobian, s *algo.Sample) {
	if g.sigma == 0 {
		return
	}
	g.state = s.Noise
	for i := range jac.Data {
		jac.Data[i] += g.sigma * g.normal.NormFloat64()
	}
}

// addWeightedTo adds Σ_i w_i·(noise of row i) of sample s to dst. Rows of weight
// zero are drawn too: the numbers of a row do not depend on the weights.
func (g *gradientNoise) addWeightedTo(dst, w []float64, s *algo.Sample) {
	if g.sigma == 0 {
		return
	}
	g.state = s.Noise
	for _, wi := range w {
		scale := wi * g.sigma
		for c := range dst {
			dst[c] += scale * g.normal.NormFloat64()
		}
	}
}
