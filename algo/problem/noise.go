package problem

import (
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// GradientNoise adds independent normal noise to gradients.
type GradientNoise struct {
	sigma float64
	state rand.PCG
}

// Prepare sets the noise level to sigma. It returns an error if sigma is negative, infinite or NaN.
func (g *GradientNoise) Prepare(sigma float64) error {
	if !(sigma >= 0) || math.IsInf(sigma, 1) {
		return &algo.RangeError{Name: "sigma", Value: sigma, Allowed: "the noise level must be finite and not negative"}
	}
	g.sigma = sigma
	return nil
}

// Sigma returns the standard deviation of the noise.
func (g *GradientNoise) Sigma() float64 { return g.sigma }

// AddTo adds the noise of sample s to every row of jac.
func (g *GradientNoise) AddTo(jac *algo.Jacobian, s *algo.Sample) {
	if g.sigma == 0 {
		return
	}
	g.state = s.Noise
	for i := range jac.Data {
		jac.Data[i] += float64(g.sigma * portable.Normal(&g.state))
	}
}

// AddPartTo adds to dst the noise of sample s in coordinates lo to lo+len(dst)−1 of row i, where rows have length n.
// It first draws and discards all numbers that AddTo draws before these coordinates, so that the noise of an entry
// does not depend on the requested part.
func (g *GradientNoise) AddPartTo(dst []float64, i, lo, n int, s *algo.Sample) {
	if g.sigma == 0 {
		return
	}
	g.state = s.Noise
	for range i*n + lo {
		portable.Normal(&g.state)
	}
	for c := range dst {
		dst[c] += float64(g.sigma * portable.Normal(&g.state))
	}
}

// AddWeightedTo adds Σ_i w_i·(noise of row i) of sample s to dst. It also draws rows with weight zero, so that the
// noise of a row does not depend on the weights.
func (g *GradientNoise) AddWeightedTo(dst, w []float64, s *algo.Sample) {
	if g.sigma == 0 {
		return
	}
	g.state = s.Noise
	for _, wi := range w {
		scale := wi * g.sigma
		for c := range dst {
			dst[c] += float64(scale * portable.Normal(&g.state))
		}
	}
}
