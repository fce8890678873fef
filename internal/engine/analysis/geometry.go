package analysis

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"paretoplay/internal/portable"
)

// Cone is the set {d: ⟨g_i, d⟩ ≥ 0 for all i} in the plane, the cone of common descent. A step against one of its
// vectors makes no objective worse to first order.
type Cone struct {
	Kind     ConeKind
	From, To float64 // angles of a sector in radians, counterclockwise; both are equal for a ray
}

// ConeKind is the shape of a cone.
type ConeKind int

const (
	OnlyZero ConeKind = iota // only the zero vector
	Ray
	Line // the two opposite directions along the angle From
	Sector
	Everything // the whole plane, because all gradients are 0
)

// angleSlack is the tolerance, in radians, with which angles are compared to right angles.
const angleSlack = 1e-12

// CommonDescent returns the intersection of the gradients' half planes. Each gradient is a pair (x, y).
func CommonDescent(gradients [][]float64) Cone {
	var angles []float64
	for _, g := range gradients {
		if g[0] != 0 || g[1] != 0 {
			angles = append(angles, portable.Atan2(g[1], g[0]))
		}
	}
	if angles == nil {
		return Cone{Kind: Everything}
	}
	// Angles are relative to the first gradient, whose half plane is [−π/2, π/2]. Any other gradient cuts off one end of the
	// remaining interval. An opposite gradient leaves only the two ends.
	first := angles[0]
	lo, hi := -math.Pi/2, math.Pi/2
	opposite := false
	for _, a := range angles[1:] {
		turn := math.Remainder(a-first, 2*math.Pi)
		switch {
		case math.Abs(turn) > math.Pi-angleSlack:
			opposite = true
		case turn > 0:
			lo = max(lo, turn-math.Pi/2)
		default:
			hi = min(hi, turn+math.Pi/2)
		}
	}
	if opposite {
		// The two ends −π/2 and π/2 remain unless other gradients exclude them.
		low, high := lo <= -math.Pi/2+angleSlack, hi >= math.Pi/2-angleSlack
		switch {
		case low && high:
			return Cone{Kind: Line, From: first + math.Pi/2, To: first + math.Pi/2}
		case low:
			return Cone{Kind: Ray, From: first - math.Pi/2, To: first - math.Pi/2}
		case high:
			return Cone{Kind: Ray, From: first + math.Pi/2, To: first + math.Pi/2}
		}
		return Cone{}
	}
	switch {
	case hi < lo-angleSlack:
		return Cone{}
	case hi < lo+angleSlack:
		return Cone{Kind: Ray, From: first + lo, To: first + lo}
	}
	return Cone{Kind: Sector, From: first + lo, To: first + hi}
}

// SpaceCone returns the extreme rays of {d: ⟨g_i, d⟩ ≥ 0 for all i} in space. They have length 1 and are in order around the cone.
// SpaceCone returns nil unless the cone is pointed and has an interior.
func SpaceCone(gradients [][]float64) [][3]float64 {
	var rays [][3]float64
	size := 0.0
	for _, g := range gradients {
		size = max(size, norm3(g))
	}
	for i, g := range gradients {
		for _, h := range gradients[:i] {
			v := cross(g, h)
			length := norm3(v[:])
			if !(length > angleSlack*size*size) {
				continue
			}
			for _, sign := range []float64{1, -1} {
				r := [3]float64{sign * v[0] / length, sign * v[1] / length, sign * v[2] / length}
				inside := !slices.ContainsFunc(gradients, func(g []float64) bool { return dot3(g, r[:]) < -1e-12*norm3(g) })
				known := slices.ContainsFunc(rays, func(q [3]float64) bool { return dot3(q[:], r[:]) > 1-1e-12 })
				if inside && !known {
					rays = append(rays, r)
				}
			}
		}
	}
	var middle [3]float64
	for _, r := range rays {
		for k := range middle {
			middle[k] += r[k]
		}
	}
	if len(rays) < 3 || norm3(middle[:]) < 1e-9 {
		return nil
	}
	// The rays are sorted around the middle, starting with the first ray.
	side := cross(middle[:], rays[0][:])
	ahead := cross(side[:], middle[:])
	angle := func(r [3]float64) float64 {
		return portable.Atan2(dot3(side[:], r[:])/norm3(side[:]), dot3(ahead[:], r[:])/norm3(ahead[:]))
	}
	slices.SortFunc(rays, func(a, b [3]float64) int { return cmp.Compare(angle(a), angle(b)) })
	return rays
}

func cross(a, b []float64) [3]float64 {
	return [3]float64{float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]), float64(a[0]*b[1]) - float64(a[1]*b[0])}
}

func dot3(a, b []float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func norm3(a []float64) float64 { return math.Sqrt(dot3(a, a)) }

// Hull returns the corners of the convex hull of points (x, y), counterclockwise. It returns fewer than three corners
// if the hull has no interior.
func Hull(points [][]float64) [][]float64 {
	sorted := slices.SortedFunc(slices.Values(points), func(a, b []float64) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	turns := func(a, b, c []float64) float64 {
		return float64((b[0]-a[0])*(c[1]-a[1])) - float64((b[1]-a[1])*(c[0]-a[0]))
	}
	half := func(points [][]float64) [][]float64 {
		var chain [][]float64
		for _, p := range points {
			for len(chain) > 1 && turns(chain[len(chain)-2], chain[len(chain)-1], p) <= 0 {
				chain = chain[:len(chain)-1]
			}
			chain = append(chain, p)
		}
		return chain[:len(chain)-1]
	}
	lower := half(sorted)
	slices.Reverse(sorted)
	return append(lower, half(sorted)...)
}

// Widest returns the two gradients with the widest angle between them. ok is false if at most one gradient is not zero,
// so that no angle exists.
func (a *Analysis) Widest() (i, j int, ok bool) {
	cosine := math.Inf(1)
	for second := range a.Jacobian.Rows {
		for first := range second {
			if c := a.Cosine(first, second); c < cosine {
				i, j, cosine, ok = first, second, c, true
			}
		}
	}
	return i, j, ok
}

// Arc returns a function that maps a fraction from 0 to 1 to a point on an arc around the origin. The arc leads from
// the direction of gradient i to that of gradient j. Between opposite gradients in space there are many arcs, of which
// Arc chooses one.
func (a *Analysis) Arc(i, j int, radius float64) func(share float64) []float64 {
	from, to := unit(a.Input.Jacobian.Row(i)), unit(a.Input.Jacobian.Row(j))
	angle := portable.Acos(a.Cosine(i, j))
	aside := make([]float64, len(from)) // perpendicular to gradient i, pointing towards gradient j
	portable.AddScaledTo(aside, to, -portable.Dot(from, to), from)
	if portable.Length(aside) < angleSlack {
		least := 0
		for k, v := range from {
			if math.Abs(v) < math.Abs(from[least]) {
				least = k
			}
		}
		clear(aside)
		aside[least] = 1
		portable.AddScaled(aside, -from[least], from)
	}
	aside = unit(aside)
	return func(share float64) []float64 {
		sin, cos := portable.Sincos(share * angle)
		out := make([]float64, len(from))
		portable.AddScaled(out, radius*cos, from)
		portable.AddScaled(out, radius*sin, aside)
		return out
	}
}

// unit returns v scaled to length 1.
func unit(v []float64) []float64 {
	out := make([]float64, len(v))
	portable.AddScaled(out, 1/portable.Length(v), v)
	return out
}

// Circled reports whether the min-norm point is far enough from the origin to draw a circle around the origin through
// this point.
func (a *Analysis) Circled() bool { return a.Omega > 1e-6*floats.Max(a.Norms) }
