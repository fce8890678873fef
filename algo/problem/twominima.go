package problem

import (
	"fmt"
	"math"

	"paretoplay/algo"
)

// twoMinima implements the common parts of problems whose two objectives depend on x only through its distances r1
// and r2 to the minimisers ±(1/√d, ..., 1/√d). The minimisers are 2 apart for any number d of variables. twoMinima
// holds the noise and the Pareto set, the segment between the minimisers.
type twoMinima struct {
	d      int
	center float64 // 1/√d
	noise  GradientNoise
}

func (p *twoMinima) prepare(d int, sigma float64) error {
	if d < 1 || d > FonsecaMaxDims {
		return &algo.RangeError{Name: "d", Value: d, Allowed: fmt.Sprintf("the number of variables must be in 1..%d", FonsecaMaxDims)}
	}
	p.d, p.center = d, 1/math.Sqrt(float64(d))
	return p.noise.Prepare(sigma)
}

// Dims returns d and 2.
func (p *twoMinima) Dims() (n, m int) { return p.d, 2 }

// Sigma returns the standard deviation of the gradient noise.
func (p *twoMinima) Sigma() float64 { return p.noise.Sigma() }

// squaredDistances returns ‖x − c1‖² and ‖x − c2‖².
func (p *twoMinima) squaredDistances(x []float64) (a, b float64) {
	c := p.center
	for _, v := range x[:p.d] {
		u, w := v-c, v+c
		a += float64(u * u)
		b += float64(w * w)
	}
	return a, b
}

// ParetoInterval returns the ends −1/√d and 1/√d of the parameter t of the
// Pareto set.
func (p *twoMinima) ParetoInterval() (lo, hi float64) { return -p.center, p.center }

// ParetoPoint stores the point (t, ..., t) in x, which has length d. The point is Pareto optimal for t in
// ParetoInterval.
func (p *twoMinima) ParetoPoint(x []float64, t float64) {
	for i := range x[:p.d] {
		x[i] = t
	}
}

// DistanceToParetoSet returns the Euclidean distance from x to the Pareto set.
func (p *twoMinima) DistanceToParetoSet(x []float64) float64 {
	var mean float64
	for _, v := range x[:p.d] {
		mean += v
	}
	mean /= float64(p.d)
	t := min(max(mean, -p.center), p.center)
	var s float64
	for _, v := range x[:p.d] {
		s += float64((v - t) * (v - t))
	}
	return math.Sqrt(s)
}

// gap returns the amount by which both objectives f can fall together before they reach the front. It is 0 on the
// front. The argument point returns points of the front. Among these, gap searches for the point with the same f1 −
// f2 as f, or with the nearest possible difference.
func (p *twoMinima) gap(f []float64, point func(t float64) (f1, f2 float64)) float64 {
	lo, hi := p.ParetoInterval() // from the minimum of f2 to the minimum of f1: f1 − f2 falls with t
	const halvings = 60          // enough for the ends of the interval to differ only by rounding errors
	for range halvings {
		t := lo + float64((hi-lo)/2)
		if f1, f2 := point(t); f1-f2 > f[0]-f[1] {
			lo = t
		} else {
			hi = t
		}
	}
	f1, f2 := point(hi)
	return max(0, min(f[0]-f1, f[1]-f2))
}

// front returns count points, equally spaced in t, from the minimum of f1 to the minimum of f2.
func (p *twoMinima) front(count int, point func(f []float64, t float64)) [][]float64 {
	if count < 2 {
		panic("problem: a front needs at least two points")
	}
	points := rows(count, 2)
	for i, f := range points {
		point(f, p.center*(1-2*float64(i)/float64(count-1)))
	}
	return points
}

// rows returns count slices of the given length in a single allocation.
func rows(count, length int) [][]float64 {
	data := make([]float64, count*length)
	r := make([][]float64, count)
	for i := range r {
		r[i] = data[i*length : (i+1)*length : (i+1)*length]
	}
	return r
}
