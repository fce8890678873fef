package problem

import (
	"math"

	"paretoplay/internal/portable"
)

// Preimage moves x to a point with objectives f. x has length d and entries within ±most, where most > 1. If no point
// in that box has these objectives, Preimage uses the point with the nearest objectives. Far below a front that
// bulges away from the origin, two points can be equally near. If several points have the same objectives, Preimage
// chooses the one on x's side of the straight line through the two minimisers. A small change of f then moves x only
// a little. If x is on that line, Preimage leaves it at right angles, upwards in the first coordinate and downwards
// in the second.
func (p *Fonseca) Preimage(x, f []float64, most float64) {
	p.preimage(x, f, most, p.Values, func(f float64) float64 { return -portable.Log1p(-f) }) // +Inf or NaN for an objective of 1 or more
}

// Preimage moves x to a point with objectives f, like Fonseca.Preimage.
func (p *TwoQuadratics) Preimage(x, f []float64, most float64) {
	p.preimage(x, f, most, p.Values, func(f float64) float64 { return 4 * f })
}

// The search for the nearest attainable objectives samples points on the line and on the edge of the box. It then
// shrinks the interval around the best point by a third in each round.
const (
	edgePoints = 720
	edgeThirds = 60
)

// preimage implements Preimage for a problem with the given values. squared returns the squared distance from the
// minimiser of an objective at which the objective has a given value. In the plane of x and the minimisers, x has
// coordinates (along, across) with across ≥ 0, and the minimisers are (1, 0) and (−1, 0). Inverting the objectives
// there means constructing a triangle with known sides.
func (p *twoMinima) preimage(x, f []float64, most float64, values func(f, x []float64), squared func(f float64) float64) {
	x = x[:p.d]
	side := p.side(x)
	place := func(along, across float64) {
		for i, v := range side {
			x[i] = float64(along*p.center) + float64(across*v)
		}
	}
	a, b := squared(f[0]), squared(f[1])
	along := float64((b - a) / 4)
	across := a - float64((along-1)*(along-1)) // square of the coordinate across
	if a >= 0 && b >= 0 && across >= 0 && !math.IsInf(across, 0) && (p.d > 1 || across == 0) {
		place(along, math.Sqrt(across))
		if inBox(x, most) {
			return
		}
	}
	// The boundary of the attainable set consists of the images of the line, where the two gradients are dependent,
	// and of the edge of the box.
	at := make([]float64, 2)
	apart := func(along, across float64) float64 {
		place(along, across)
		values(at, x)
		return portable.Hypot(at[0]-f[0], at[1]-f[1])
	}
	end := most / p.center // coordinate along the line at the edge of the box
	onLine := func(t float64) (along, across float64) { return (float64(2*t) - 1) * end, 0 }
	onBox := func(t float64) (along, across float64) {
		along, across = portable.Cos(math.Pi*t), portable.Sin(math.Pi*t)
		reach := math.Inf(1)
		for _, v := range side {
			if size := math.Abs(float64(along*p.center) + float64(across*v)); size > 0 {
				reach = min(reach, most/size)
			}
		}
		return along * reach, across * reach
	}
	bestAlong, bestAcross, least := 0.0, 0.0, math.Inf(1)
	edges := []func(t float64) (along, across float64){onLine, onBox}
	if p.d == 1 {
		edges = edges[:1]
	}
	for _, edge := range edges {
		from, nearest := 0, math.Inf(1)
		for i := range edgePoints + 1 {
			if d := apart(edge(float64(i) / edgePoints)); d < nearest {
				from, nearest = i, d
			}
		}
		lo, hi := max(float64(from-1)/edgePoints, 0), min(float64(from+1)/edgePoints, 1)
		for range edgeThirds {
			third := (hi - lo) / 3
			if apart(edge(lo+third)) < apart(edge(hi-third)) {
				hi -= third
			} else {
				lo += third
			}
		}
		if d := apart(edge(lo + float64((hi-lo)/2))); d < least {
			least = d
			bestAlong, bestAcross = edge(lo + float64((hi-lo)/2))
		}
	}
	place(bestAlong, bestAcross)
}

// side returns the unit vector that points from the line through the minimisers towards x, at right angles to the
// line.
func (p *twoMinima) side(x []float64) []float64 {
	out := make([]float64, p.d)
	if p.d == 1 {
		return out
	}
	mean := 0.0
	for _, v := range x {
		mean += v
	}
	mean /= float64(p.d)
	for i, v := range x {
		out[i] = v - mean
	}
	length := portable.Length(out)
	if length < 1e-9 {
		clear(out)
		out[0], out[1], length = 1, -1, math.Sqrt2
	}
	for i := range out {
		out[i] /= length
	}
	return out
}

func inBox(x []float64, most float64) bool {
	for _, v := range x {
		if !(math.Abs(v) <= most) {
			return false
		}
	}
	return true
}
