package problem

import (
	"fmt"
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Basin selects the shape of the objectives of Clusters.
type Basin int

const (
	// Quadratic is ½r² at distance r from the centre.
	Quadratic Basin = iota
	// Well is 1 − exp(−r²/(2w²)) with w = ClusterWidth. It is similar to Quadratic near the centre and flat far from
	// it.
	Well

	basins
)

// ClusterWidth is the width w of a Gaussian well, the distance from its centre where its gradient is longest. It is
// 1, so that a well has the same curvature as the quadratic at its centre.
const ClusterWidth = 1.0

// Clusters is a problem with n ≥ 1 objectives, each with its minimum 0 at a different centre,
//
//	L_i(θ) = ½‖θ − c_i‖²   or   L_i(θ) = 1 − exp(−‖θ − c_i‖²/(2w²)).
//
// Several solutions can divide the objectives among themselves: the best point for one centre is also good for nearby
// centres. The Pareto set of the quadratics is the convex hull of the centres. The same is true for wells if all
// centres are within w of each other.
//
// With algo.Exact, the cost of one gradient does not depend on n.
//
// References:
//   - Li, Li, Smith, Bilmes & Zhou (2024), Many-objective multi-solution transport,
//     arXiv:2403.04099, which asks which solution should serve which of many
//     objectives. The problem illustrates this question; it is not from the paper.
type Clusters struct {
	d, n    int
	basin   Basin
	centres []float64 // n rows of length d
}

var (
	_ algo.Problem = (*Clusters)(nil)
	_ interface {
		WeightedGradient(dst, w, x []float64)
		Gradient(dst []float64, i, lo, hi int, x []float64)
	} = (*Clusters)(nil)
)

// NewClusters returns the problem with one objective per centre. The centres are rows of the same length d ≥ 1 with
// finite entries. NewClusters copies them.
func NewClusters(centres [][]float64, basin Basin) (*Clusters, error) {
	if basin < 0 || basin >= basins {
		return nil, &algo.RangeError{Name: "basin", Value: int(basin), Allowed: "problem.Quadratic or problem.Well"}
	}
	if len(centres) == 0 || len(centres[0]) == 0 {
		return nil, &algo.RangeError{Name: "centres", Value: centres, Allowed: "at least one, of at least one variable"}
	}
	p := &Clusters{d: len(centres[0]), n: len(centres), basin: basin}
	for i, c := range centres {
		if len(c) != p.d || !algo.Finite(c) {
			return nil, refusedCentre(i, c, p.d)
		}
		p.centres = append(p.centres, c...)
	}
	return p, nil
}

func refusedCentre(i int, c []float64, d int) error {
	return &algo.RangeError{Name: fmt.Sprintf("centre %d", i), Value: c, Allowed: fmt.Sprintf("%d finite numbers", d)}
}

// Dims returns d and n.
func (p *Clusters) Dims() (n, m int) { return p.d, p.n }

// Basin returns the shape of the objectives.
func (p *Clusters) Basin() Basin { return p.basin }

// Centre returns the minimiser of objective i. The caller must not modify the slice; SetCentre changes its contents.
func (p *Clusters) Centre(i int) []float64 { return p.centres[i*p.d : (i+1)*p.d : (i+1)*p.d] }

// SetCentre moves the minimiser of objective i, 0 ≤ i < n, to c, which must have d finite entries. It copies c.
func (p *Clusters) SetCentre(i int, c []float64) error {
	if len(c) != p.d || !algo.Finite(c) {
		return refusedCentre(i, c, p.d)
	}
	copy(p.Centre(i), c)
	return nil
}

// Lipschitz returns 1, a Lipschitz constant of every gradient and of every convex combination of gradients. The
// Hessian of a well is exp(−r²/(2w²))/w² times I − B, where the eigenvalues of B are from 0 to r²/w². The eigenvalues
// of the Hessian are therefore at most 1/w² in magnitude.
func (p *Clusters) Lipschitz() float64 { return 1 }

// squaredDistance returns ‖x − c_i‖².
func (p *Clusters) squaredDistance(i int, x []float64) float64 {
	var s float64
	for k, c := range p.Centre(i) {
		e := x[k] - c
		s += float64(e * e)
	}
	return s
}

// value returns the objective's value at squared distance s from its centre.
func (b Basin) value(s float64) float64 {
	if b == Well {
		// Expm1 preserves the digits of values near 0 that 1 − exp(·) would lose.
		return -portable.Expm1(-s / (2 * ClusterWidth * ClusterWidth))
	}
	return s / 2
}

// slope returns the factor of x − c_i in the gradient of objective i.
func (p *Clusters) slope(i int, x []float64) float64 {
	if p.basin == Well {
		const w2 = ClusterWidth * ClusterWidth
		return portable.Exp(-p.squaredDistance(i, x)/(2*w2)) / w2
	}
	return 1
}

// Values stores the objectives at x in f.
func (p *Clusters) Values(f, x []float64) {
	for i := range f {
		f[i] = p.basin.value(p.squaredDistance(i, x))
	}
}

// Jacobian stores in jac the rows x − c_i, multiplied by exp(−‖x−c_i‖²/(2w²))/w² for wells.
func (p *Clusters) Jacobian(jac *algo.Jacobian, x []float64) {
	for i := range p.n {
		p.Gradient(jac.Row(i), i, 0, p.d, x)
	}
}

// Gradient stores ∂L_i/∂x_lo … ∂L_i/∂x_{hi−1} in dst, of length hi−lo.
func (p *Clusters) Gradient(dst []float64, i, lo, hi int, x []float64) {
	slope := p.slope(i, x)
	for k, c := range p.Centre(i)[lo:hi] {
		dst[k] = slope * (x[lo+k] - c)
	}
}

// WeightedGradient stores Σ_i w_i ∇L_i(x) in dst, of length d. It skips objectives of weight 0.
func (p *Clusters) WeightedGradient(dst, w, x []float64) {
	clear(dst)
	for i, wi := range w {
		if wi == 0 {
			continue
		}
		wi *= p.slope(i, x)
		for k, c := range p.Centre(i) {
			dst[k] += float64(wi * (x[k] - c))
		}
	}
}

// Arrangement selects how the middles of clusters are arranged.
type Arrangement int

const (
	// Scattered draws the middles uniformly from a square around the origin.
	Scattered Arrangement = iota
	// Ring puts the middles on a circle around the origin, at equal angles.
	Ring

	arrangements
)

// Usual spreads for the two arrangements.
const (
	ScatteredExtent, ScatteredSpread = 1.2, 0.25
	RingExtent, RingSpread           = 2.0, 0.3
)

// ClusterLayout configures the random centres of Clusters in the plane. Objective i is in cluster i mod Clusters.
type ClusterLayout struct {
	Arrangement Arrangement
	Objectives  int // n ≥ 1
	Clusters    int // k ≥ 1
	// Extent ≥ 0 is half the side of the square of scattered middles, or the radius of the ring.
	Extent float64
	Spread float64 // ≥ 0, standard deviation of the centres around their middle, in each variable
	Seed   uint64
}

// These iterations, passed to algo.Stream, select separate random streams for middles and centres. More objectives or
// a different spread therefore do not redraw existing points.
const (
	middleStream = iota
	centreStream
)

// Centres returns n points in the plane. It first draws the points with unit spreads, so that a change of a spread
// moves the points along straight lines.
func (l ClusterLayout) Centres() ([][]float64, error) {
	switch {
	case l.Arrangement < 0 || l.Arrangement >= arrangements:
		return nil, &algo.RangeError{Name: "arrangement", Value: int(l.Arrangement), Allowed: "problem.Scattered or problem.Ring"}
	case l.Objectives < 1:
		return nil, &algo.RangeError{Name: "objectives", Value: l.Objectives, Allowed: "at least 1"}
	case l.Clusters < 1:
		return nil, &algo.RangeError{Name: "clusters", Value: l.Clusters, Allowed: "at least 1"}
	case !(l.Extent >= 0) || math.IsInf(l.Extent, 1):
		return nil, &algo.RangeError{Name: "extent", Value: l.Extent, Allowed: "finite and not negative"}
	case !(l.Spread >= 0) || math.IsInf(l.Spread, 1):
		return nil, &algo.RangeError{Name: "spread", Value: l.Spread, Allowed: "finite and not negative"}
	}
	middles := rows(l.Clusters, dimensions)
	for j, c := range middles {
		if l.Arrangement == Ring {
			sine, cosine := portable.Sincos(math.Pi/2 + 2*math.Pi*float64(j)/float64(l.Clusters))
			c[0], c[1] = l.Extent*cosine, l.Extent*sine
			continue
		}
		uniform(c, 0, l.Extent, algo.Stream(l.Seed, j, middleStream, algo.Data))
	}
	points := rows(l.Objectives, dimensions)
	for i, c := range points {
		source := algo.Stream(l.Seed, i, centreStream, algo.Data)
		for k, middle := range middles[i%l.Clusters] {
			c[k] = middle + float64(l.Spread*portable.Normal(&source))
		}
	}
	return points, nil
}

// ClusterStart selects where solutions of Clusters start.
type ClusterStart int

const (
	// ScatteredStarts draws starts around the middle of the centres, uniformly from [−1.5, 1.5]² or, for Ring, from
	// [−1, 1]².
	ScatteredStarts ClusterStart = iota
	// CornerStarts draws starts uniformly within 0.2 of (2.5, 2.5), so that one start is nearest to all centres.
	CornerStarts
)

// Starts returns m ≥ 0 start points in the plane. Start j does not depend on m.
func (l ClusterLayout) Starts(m int, from ClusterStart) [][]float64 {
	middle, halfWidth := 0.0, 1.5
	switch {
	case from == CornerStarts:
		middle, halfWidth = 2.5, 0.2
	case l.Arrangement == Ring:
		halfWidth = 1
	}
	points := rows(m, dimensions)
	for j, x := range points {
		uniform(x, middle, halfWidth, algo.Stream(l.Seed, j, 0, algo.StartPoints))
	}
	return points
}

// uniform stores in x random entries that are uniformly distributed within halfWidth of middle.
func uniform(x []float64, middle, halfWidth float64, source rand.PCG) {
	draw := rand.New(&source)
	for k := range x {
		x[k] = middle + float64((2*float64(draw.Float64())-1)*halfWidth)
	}
}
