package stage

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// point is a position in pixels of the destination, y downwards.
type point struct{ x, y float32 }

func (p point) sub(q point) point              { return point{p.x - q.x, p.y - q.y} }
func (p point) along(d point, t float32) point { return point{p.x + d.x*t, p.y + d.y*t} }
func cross(a, b point) float32                 { return a.x*b.y - a.y*b.x }

// length returns the length of the vector p. It does not need math.Hypot, because squares of pixels do not overflow.
func (p point) length() float32 { return float32(math.Sqrt(float64(p.x*p.x + p.y*p.y))) }

// affine maps x to a·x + c·y + e and y to b·x + d·y + f.
type affine struct{ a, b, c, d, e, f float64 }

func (m affine) apply(p vg.Point) point {
	x, y := float64(p.X), float64(p.Y)
	return point{float32(m.a*x + m.c*y + m.e), float32(m.b*x + m.d*y + m.f)}
}

// after returns the map that applies n first, then m.
func (m affine) after(n affine) affine {
	return affine{
		a: m.a*n.a + m.c*n.b, b: m.b*n.a + m.d*n.b,
		c: m.a*n.c + m.c*n.d, d: m.b*n.c + m.d*n.d,
		e: m.a*n.e + m.c*n.f + m.e, f: m.b*n.e + m.d*n.f + m.f,
	}
}

// scale returns the factor by which m stretches lengths, or the geometric mean of the extremes if the factor depends on
// the direction.
func (m affine) scale() float64 { return math.Sqrt(math.Abs(m.a*m.d - m.b*m.c)) }

// polylines is a path of straight segments. It reuses its storage.
type polylines struct {
	points []point
	parts  []part
}

// part is one polyline, points[from:to]. closed is true if the last point is joined to the first.
type part struct {
	from, to int
	closed   bool
}

func (l *polylines) clear() { l.points, l.parts = l.points[:0], l.parts[:0] }

func (l *polylines) begin() {
	l.parts = append(l.parts, part{from: len(l.points), to: len(l.points)})
}

func (l *polylines) add(p point) {
	l.points = append(l.points, p)
	l.parts[len(l.parts)-1].to = len(l.points)
}

func (l *polylines) of(p part) []point { return l.points[p.from:p.to] }

// flatness is the maximum distance, in pixels, between a chord and the arc that it replaces.
const flatness = 0.1

// flatten replaces l by the path p transformed by m. Points that are not finite are omitted and interrupt the line.
func (l *polylines) flatten(p vg.Path, m affine) {
	l.clear()
	var here, start vg.Point
	open := false
	// to(q) adds a segment that ends at q. If no part is open, it first starts a part at the current point.
	to := func(q vg.Point) {
		here = q
		at := m.apply(q)
		if !finite(at) {
			open = false
			return
		}
		if !open {
			l.begin()
			start, open = q, true
		}
		l.add(at)
	}
	for i := range p {
		switch q := &p[i]; q.Type {
		case vg.MoveComp:
			open = false
			to(q.Pos)
		case vg.LineComp:
			if !open && i > 0 {
				to(here)
			}
			to(q.Pos)
		case vg.ArcComp:
			n := arcSegments(float64(q.Radius)*m.scale(), q.Angle)
			for k := range n + 1 {
				sin, cos := math.Sincos(q.Start + q.Angle*float64(k)/float64(n))
				to(q.Pos.Add(vg.Point{X: q.Radius * vg.Length(cos), Y: q.Radius * vg.Length(sin)}))
			}
		case vg.CurveComp:
			if !open {
				to(here)
			}
			l.curve(here, q, m, to)
		case vg.CloseComp:
			if open {
				l.parts[len(l.parts)-1].closed = true
				here, open = start, false
			}
		}
	}
}

// curve adds the Bézier curve q, which starts at p0.
func (l *polylines) curve(p0 vg.Point, q *vg.PathComp, m affine, to func(vg.Point)) {
	p1, p2, p3 := q.Control[0], q.Control[len(q.Control)-1], q.Pos
	if len(q.Control) == 1 { // a quadratic curve, written as a cubic one
		p1, p2 = p0.Add(p1.Sub(p0).Scale(2.0/3)), p3.Add(p1.Sub(p3).Scale(2.0/3))
	}
	hull := m.apply(p1).sub(m.apply(p0)).length() + m.apply(p2).sub(m.apply(p1)).length() + m.apply(p3).sub(m.apply(p2)).length()
	if !finite(point{hull, 0}) {
		to(p3)
		return
	}
	n := int(math.Ceil(math.Sqrt(float64(min(hull, 4096))))) + 2
	for k := 1; k <= n; k++ {
		t := vg.Length(k) / vg.Length(n)
		u := 1 - t
		to(p0.Scale(u * u * u).Add(p1.Scale(3 * u * u * t)).Add(p2.Scale(3 * u * t * t)).Add(p3.Scale(t * t * t)))
	}
}

// arcSegments returns the number of chords for an arc with a radius in pixels.
func arcSegments(radius, angle float64) int {
	const least, limit = 4, 256
	step := math.Pi / 2
	if radius > 2*flatness {
		step = 2 * math.Acos(1-flatness/radius)
	}
	n := math.Ceil(math.Abs(angle) / step)
	if !(n < limit) {
		return limit
	}
	return max(least, int(n))
}

func finite(p point) bool {
	s := float64(p.x) + float64(p.y)
	return !math.IsNaN(s) && !math.IsInf(s, 0)
}

// longestDashed is the length, in pixels, above which a segment is drawn solid. Such a segment is as long as several
// screens, so its dashes would be invisible.
const longestDashed = 1 << 15

// dash replaces dst by the dashes of l. Pattern and offset are in pixels.
func (dst *polylines) dash(l *polylines, pattern []float64, offset float64) {
	dst.clear()
	total := 0.0
	for _, d := range pattern {
		total += d
	}
	// A pattern with an odd length swaps dashes and gaps in every round, as in PostScript.
	round := total * float64(1+len(pattern)%2)
	for _, p := range l.parts {
		points := l.of(p)
		k, rest := 0, math.Mod(offset, round)
		if rest < 0 {
			rest += round
		}
		for rest >= pattern[k%len(pattern)] {
			rest -= pattern[k%len(pattern)]
			k++
		}
		left := pattern[k%len(pattern)] - rest
		n := len(points)
		if p.closed {
			n++
		}
		if k%2 == 0 {
			dst.begin()
			dst.add(points[0])
		}
		for i := 1; i < n; i++ {
			a, b := points[i-1], points[i%len(points)]
			d := b.sub(a)
			length := float64(d.length())
			if length > longestDashed {
				dst.begin()
				dst.add(a)
				dst.add(b)
				continue
			}
			done := 0.0
			for length-done > left {
				done += left
				q := a.along(d, float32(done/length))
				if k%2 == 1 {
					dst.begin()
				}
				dst.add(q)
				k++
				left = pattern[k%len(pattern)]
			}
			left -= length - done
			if k%2 == 0 {
				dst.add(b)
			}
		}
	}
}
