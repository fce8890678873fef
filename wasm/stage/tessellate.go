package stage

import (
	"math"

	"github.com/hajimehoshi/ebiten/v2"
)

// batch collects triangles for one draw call. Each vertex has a premultiplied colour, by which the texel at the
// vertex's source position is multiplied.
type batch struct {
	vertices []ebiten.Vertex
	indices  []uint32
	// smooth requests bilinear sampling, which only rotated glyphs need.
	smooth bool

	kept []point // scratch space for stroke and fill
	ears []int32 // scratch space for earClip
}

// paint is a premultiplied colour.
type paint struct{ r, g, b, a float32 }

func (p paint) scale(s float32) paint { return paint{p.r * s, p.g * s, p.b * s, p.a * s} }

// The atlas is white around this texel, so that plain triangles and glyphs share a texture and a draw call.
const whiteX, whiteY = 1.5, 1.5

func (b *batch) clear() { b.vertices, b.indices, b.smooth = b.vertices[:0], b.indices[:0], false }

// bound calls full if the batch has enough triangles for a draw call.
func (b *batch) bound(full func()) {
	if len(b.indices)/3 >= maxTriangles {
		full()
	}
}

func (b *batch) vertex(p point, c paint) {
	b.vertices = append(b.vertices, ebiten.Vertex{
		DstX: p.x, DstY: p.y, SrcX: whiteX, SrcY: whiteY,
		ColorR: c.r, ColorG: c.g, ColorB: c.b, ColorA: c.a,
	})
}

// quad adds two triangles from the last four vertices, which are in order around the rim of the quadrilateral.
func (b *batch) quad() {
	i := uint32(len(b.vertices) - 4)
	b.indices = append(b.indices, i, i+1, i+2, i, i+2, i+3)
}

// nearest is the distance, in pixels, that a point of a line must have from the previous one. Nearer points are
// omitted. Converging trajectories put thousands of points on one pixel.
const nearest = 0.25

// A round join turns by at most roundStep radians between two rows, or by an angle that keeps the outer edge within
// bevel pixels of its arc. The second rule saves rows, because long runs mostly draw thin lines that turn sharply at
// every point.
const (
	roundStep = 0.6
	bevel     = 0.4
)

// distinct returns a line's points, except those closer than nearest to the previous point. The result is valid until
// the next call.
func (b *batch) distinct(points []point, closed bool) []point {
	q := b.kept[:0]
	for i, p := range points {
		if len(q) > 0 && p.sub(q[len(q)-1]).length() < nearest {
			if i == len(points)-1 && !closed && len(q) > 1 {
				q[len(q)-1] = p
			}
			continue
		}
		q = append(q, p)
	}
	for closed && len(q) > 1 && q[0].sub(q[len(q)-1]).length() < nearest {
		q = q[:len(q)-1]
	}
	b.kept = q
	return q
}

// stroke adds a line through points, width pixels wide, with butt ends and round joins. Its edges fade over one pixel:
// each point adds a row of four vertices across the line with opacities 0, 1, 1, 0. Lines thinner than a pixel are
// drawn one pixel wide and paler. If once is true, a closed line must be round. Then all rows of a join meet on its
// inner side, and nothing is covered twice.
func (b *batch) stroke(points []point, closed, once bool, width float32, c paint) {
	q := b.distinct(points, closed)
	n := len(q)
	if n < 2 {
		return
	}
	if n == 2 {
		closed = false
	}
	if width < 1 {
		c, width = c.scale(width), 1
	}
	inner, outer := width/2-0.5, width/2+0.5
	joinStep := max(roundStep, 2*math.Acos(1-bevel/float64(outer)))
	base := uint32(len(b.vertices))
	rows := uint32(0)
	row := func(p, left, right point) {
		b.vertex(p.along(left, outer), paint{})
		b.vertex(p.along(left, inner), c)
		b.vertex(p.along(right, -inner), c)
		b.vertex(p.along(right, -outer), paint{})
		rows++
	}
	normal := func(p, q point) point {
		d := q.sub(p)
		l := d.length()
		return point{-d.y / l, d.x / l}
	}
	var before point
	if closed {
		before = normal(q[n-1], q[0])
	}
	for i, p := range q {
		if i == n-1 && !closed {
			row(p, before, before)
			break
		}
		after := normal(p, q[(i+1)%n])
		if i == 0 && !closed {
			row(p, after, after)
			before = after
			continue
		}
		// The sum of the normals has length 2·cos(turn/2). The join reaches 1/cos(turn/2) times as far as the normal.
		sum := point{before.x + after.x, before.y + after.y}
		const gentle = 3 // 4·cos²(30°)
		l2 := sum.x*sum.x + sum.y*sum.y
		mitre := point{2 * sum.x / l2, 2 * sum.y / l2}
		if l2 >= gentle {
			row(p, mitre, mitre)
		} else {
			from := math.Atan2(float64(before.y), float64(before.x))
			turn := math.Atan2(float64(cross(before, after)), float64(before.x*after.x+before.y*after.y))
			steps := max(1, int(math.Ceil(math.Abs(turn)/joinStep)))
			for k := range steps + 1 {
				sin, cos := math.Sincos(from + turn*float64(k)/float64(steps))
				left := point{float32(cos), float32(sin)}
				right := left
				switch {
				case once && turn > 0:
					left = mitre
				case once:
					right = mitre
				}
				row(p, left, right)
			}
		}
		before = after
	}
	for r := range rows {
		next := r + 1
		if next == rows {
			if !closed {
				break
			}
			next = 0
		}
		i, j := base+4*r, base+4*next
		for k := range uint32(3) {
			b.indices = append(b.indices, i+k, i+k+1, j+k, i+k+1, j+k+1, j+k)
		}
	}
}

// sharpest is the largest turn in a round line, in radians: slightly more than in an equilateral triangle.
const sharpest = 2.2

// round reports whether a closed line is convex, and large enough for its stroke to cover nothing twice. Examples are
// circles and squares that are wider than the stroke.
func (b *batch) round(points []point, width float32) bool {
	q := b.distinct(points, true)
	n, reach := len(q), max(width, 1)/2+0.5
	turned := 0.0
	for i, p := range q {
		before, after := p.sub(q[(i+n-1)%n]), q[(i+1)%n].sub(p)
		turn := math.Atan2(float64(cross(before, after)), float64(before.x*after.x+before.y*after.y))
		// Two rows meet if each reaches half the edge on the inner side.
		inner := 2 * reach * float32(math.Tan(math.Abs(turn)/2))
		if turn*turned < 0 || math.Abs(turn) > sharpest || min(before.length(), after.length()) < inner {
			return false
		}
		turned += turn
	}
	return math.Abs(turned) < 2*math.Pi+0.1 // goes around only once
}

// maxEars is the maximum number of points for ear clipping, whose time grows up to cubically. Larger outlines are
// rasterised.
const maxEars = 96

// fill adds the inside of an outline and reports whether it could do so. It adds nothing for outlines that cross
// themselves and for large ones that are not convex.
func (b *batch) fill(points []point, c paint) bool {
	q := b.distinct(points, true)
	if len(q) < 3 {
		return true // too small to see
	}
	if rectangle(q) {
		// Rectangles have no fading edges, so that bars and backgrounds meet their neighbours without a seam.
		for _, p := range q {
			b.vertex(p, c)
		}
		b.quad()
		return true
	}
	area := float32(0)
	for i, p := range q {
		area += cross(p, q[(i+1)%len(q)])
	}
	sign := float32(1)
	if area < 0 {
		sign = -1
	}
	if convex(q, sign) {
		base := b.rim(q, sign, c)
		for i := uint32(2); i < uint32(len(q)); i++ {
			b.indices = append(b.indices, base, base+2*(i-1), base+2*i)
		}
		return true
	}
	if len(q) > maxEars || !simple(q) {
		return false
	}
	start := len(b.indices)
	base := b.rim(q, sign, c)
	if !b.earClip(q, sign, base) {
		b.vertices, b.indices = b.vertices[:base], b.indices[:start]
		return false
	}
	return true
}

// rim adds an outline's fading edge, from half a pixel inside to half a pixel outside. Vertex base+2i is the inner vertex of point i.
func (b *batch) rim(q []point, sign float32, c paint) (base uint32) {
	base = uint32(len(b.vertices))
	n := len(q)
	for i, p := range q {
		e, f := p.sub(q[(i+n-1)%n]), q[(i+1)%n].sub(p)
		le, lf := e.length(), f.length()
		out := point{e.y/le + f.y/lf, -e.x/le - f.x/lf}
		// The mitre is the vector out times 2/|out|². At sharp corners its length is limited.
		s := sign / max(out.x*out.x+out.y*out.y, 0.5)
		b.vertex(p.along(out, -s), c)
		b.vertex(p.along(out, s), paint{})
	}
	for i := range uint32(n) {
		j := (i + 1) % uint32(n)
		b.indices = append(b.indices,
			base+2*i, base+2*i+1, base+2*j,
			base+2*i+1, base+2*j+1, base+2*j)
	}
	return base
}

// earClip adds the triangles of a simple outline by cutting off one ear after another.
func (b *batch) earClip(q []point, sign float32, base uint32) bool {
	left := b.ears[:0]
	for i := range q {
		left = append(left, int32(i))
	}
	b.ears = left
	for i, misses := 0, 0; len(left) > 3; {
		n := len(left)
		if misses > n {
			return false
		}
		i %= n
		u, v, w := left[(i+n-1)%n], left[i], left[(i+1)%n]
		if ear(q, left, u, v, w, sign) {
			b.indices = append(b.indices, base+2*uint32(u), base+2*uint32(v), base+2*uint32(w))
			left = append(left[:i], left[i+1:]...)
			misses = 0
		} else {
			i++
			misses++
		}
	}
	b.indices = append(b.indices, base+2*uint32(left[0]), base+2*uint32(left[1]), base+2*uint32(left[2]))
	return true
}

// ear reports whether the triangle u, v, w can be cut off, which requires that v is convex and no other remaining point
// is inside.
func ear(q []point, left []int32, u, v, w int32, sign float32) bool {
	a, o, c := q[u], q[v], q[w]
	if sign*cross(o.sub(a), c.sub(o)) < 0 {
		return false
	}
	for _, k := range left {
		if k == u || k == v || k == w {
			continue
		}
		p := q[k]
		if sign*cross(o.sub(a), p.sub(a)) > 0 && sign*cross(c.sub(o), p.sub(o)) > 0 && sign*cross(a.sub(c), p.sub(c)) > 0 {
			return false
		}
	}
	return true
}

// rectangle reports whether q is a rectangle with sides parallel to the axes.
func rectangle(q []point) bool {
	return len(q) == 4 &&
		(q[0].x == q[1].x && q[2].x == q[3].x && q[0].y == q[3].y && q[1].y == q[2].y ||
			q[0].y == q[1].y && q[2].y == q[3].y && q[0].x == q[3].x && q[1].x == q[2].x)
}

// convex reports whether an outline always turns in the same direction and goes around only once. sign is the sign of
// its area.
func convex(q []point, sign float32) bool {
	n := len(q)
	turn := 0.0
	for i := range q {
		e, f := q[(i+1)%n].sub(q[i]), q[(i+2)%n].sub(q[(i+1)%n])
		s := cross(e, f)
		// Ignore dents from the rounding of flattened arcs.
		if s*sign < -1e-3*e.length()*f.length() {
			return false
		}
		turn += math.Atan2(float64(s), float64(e.x*f.x+e.y*f.y))
	}
	return math.Abs(turn) < 2*math.Pi+0.1
}

// simple reports whether no two edges of an outline cross.
func simple(q []point) bool {
	n := len(q)
	for i := range n {
		a, b := q[i], q[(i+1)%n]
		for j := i + 2; j < n; j++ {
			if i == 0 && j == n-1 {
				continue
			}
			c, d := q[j], q[(j+1)%n]
			if cross(b.sub(a), c.sub(a))*cross(b.sub(a), d.sub(a)) < 0 &&
				cross(d.sub(c), a.sub(c))*cross(d.sub(c), b.sub(c)) < 0 {
				return false
			}
		}
	}
	return true
}

// textured adds the rectangle of the source from (x0, y0) to (x1, y1), tinted with c. The corners p of the destination
// are in order around the rim. The first corner belongs to (x0, y0).
func (b *batch) textured(p [4]point, x0, y0, x1, y1 float32, c paint) {
	src := [4]point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
	for i := range p {
		b.vertices = append(b.vertices, ebiten.Vertex{
			DstX: p[i].x, DstY: p[i].y, SrcX: src[i].x, SrcY: src[i].y,
			ColorR: c.r, ColorG: c.g, ColorB: c.b, ColorA: c.a,
		})
	}
	b.quad()
}
