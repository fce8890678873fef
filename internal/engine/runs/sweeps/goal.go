package sweeps

import (
	"math"

	"paretoplay/algo/blocks"
	"paretoplay/algo/problem"
	"paretoplay/internal/portable"
)

// Goal is what all methods aim for on quadratics: the minimiser of F_m.
type Goal struct {
	Weights   []float64 // the weights m_k/p
	Minimiser []float64 // minimiser of F_m
	Least     float64   // value of F_m at the minimiser
	F         []float64 // the values of all objectives at the minimiser
}

// NewGoal computes the minimiser of F_m for the frequencies m, one for each objective.
func NewGoal(p *problem.Quadratics, m []int) (*Goal, error) {
	n, q := p.Dims()
	g := &Goal{Weights: make([]float64, q), Minimiser: make([]float64, n), F: make([]float64, q)}
	turns := total(m)
	for k, times := range m {
		g.Weights[k] = float64(times) / float64(turns)
	}
	if err := p.ParetoPoint(g.Minimiser, g.Weights); err != nil {
		return nil, err
	}
	p.Values(g.F, g.Minimiser)
	g.Least = g.Sum(g.F)
	return g, nil
}

// Sum returns F_m for the losses f.
func (g *Goal) Sum(f []float64) float64 { return Weighted(g.Weights, f) }

// Above returns how far F_m is above its minimum, for the losses f. The result is never negative, despite rounding.
func (g *Goal) Above(f []float64) float64 { return max(0, g.Sum(f)-g.Least) }

// Away returns the distance of a point from the minimiser.
func (g *Goal) Away(x []float64) float64 { return distance(x, g.Minimiser) }

// Constants returns the constants of the theorems' bounds, partly from measurements, for runs that minimise p from
// start and divide the variables into s blocks. The goal's weights must come from frequencies whose sum is steps.
func (g *Goal) Constants(p *problem.Quadratics, start []float64, measured blocks.Measured, s, steps int) blocks.Constants {
	n, q := p.Dims()
	mu, err := p.WeightedConvexity(g.Weights)
	if err != nil {
		panic(err) // cannot fail, because the weights have already been used
	}
	f, noise := make([]float64, q), p.Sigma()
	p.Values(f, start)
	return blocks.Constants{Gap: g.Above(f), Distance: g.Away(start), Lipschitz: p.Lipschitz(),
		Sigma: math.Sqrt(float64(measured.Sigma*measured.Sigma) + float64(float64(n)*noise*noise)),
		Reach: measured.Reach, Convexity: mu, Blocks: s, Steps: steps}
}

// Weighted returns the weighted sum of the losses f.
func Weighted(weights, f []float64) (sum float64) {
	for k, w := range weights {
		sum += float64(w * f[k])
	}
	return sum
}

// distance returns the Euclidean distance between two points.
func distance(a, b []float64) float64 {
	var d float64
	for i, v := range a {
		d = portable.Hypot(d, v-b[i])
	}
	return d
}

// diameter returns the largest distance between two of the points.
func diameter(points [][]float64) (most float64) {
	for i, a := range points {
		for _, b := range points[:i] {
			most = max(most, distance(a, b))
		}
	}
	return most
}
