package lab

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
)

// widest are the two gradients between which the angle is widest; ok is false where no
// two of them have one.
func (a *analysis) widest() (i, j int, ok bool) {
	cosine := math.Inf(1)
	for second := range a.jacobian.Rows {
		for first := range second {
			if c := a.cosine(first, second); c < cosine {
				i, j, cosine, ok = first, second, c, true
			}
		}
	}
	return i, j, ok
}

// arcShare is the radius of the arc, in reaches of the axes: the same while one drags.
const arcShare = 0.2

// arcPoints is the number of points that it is drawn with.
const arcPoints = 49

// drawArc draws the widest angle between two gradients and writes how wide it is, at the
// places that flat gives points.
func (s *Scene) drawArc(b *panel.Brush, flat func(v []float64) []float64) {
	a, t := s.arrows, b.Theme
	i, j, ok := a.widest()
	if !ok {
		return
	}
	arc := a.arc(i, j, arcShare*s.axes.reach)
	stroke := panel.Stroke{Color: t.Muted, Width: 1.25}
	if a.conflict(i, j) {
		stroke = panel.Stroke{Color: t.Ink, Width: 2}
	}
	b.Line(arcPoints, func(k int) (float64, float64) {
		p := flat(arc(float64(k) / (arcPoints - 1)))
		return p[0], p[1]
	}, stroke)
	tips := [][]float64{a.shortest}
	for row := range a.jacobian.Rows {
		tips = append(tips, a.jacobian.Row(row))
	}
	for k := range a.decisions {
		if v, drawn := s.arrow(&a.decisions[k]); drawn {
			tips = append(tips, v)
		}
	}
	// Where along the arc there is most room beside the arrows.
	var place []float64
	most := math.Inf(-1)
	for _, share := range []float64{0.5, 0.35, 0.65, 0.2, 0.8} {
		p := flat(arc(share))
		const beside = 16 // pixels from the arc to the middle of the number
		room := math.Inf(1)
		for _, tip := range tips {
			room = min(room, clearance(b, p, beside, flat(tip)))
		}
		if room > most+1 {
			place, most = p, room
		}
	}
	label(b, place, fmt.Sprintf("%.0f°", a.angle(i, j)), 5)
}

// clearance is how far a place some pixels beyond a point, seen from the origin, is from
// an arrow with the name at its tip, in pixels.
func clearance(b *panel.Brush, point []float64, beyond float64, tip []float64) float64 {
	const named = 26 // pixels beyond a tip that its grip and its name take
	origin := b.At(0, 0)
	from := func(v []float64, further float64) (x, y float64) {
		at := b.At(v[0], v[1]).Sub(origin)
		x, y = float64(at.X), float64(at.Y)
		if length := math.Hypot(x, y); length > 0 {
			x, y = x*(1+further/length), y*(1+further/length)
		}
		return x, y
	}
	px, py := from(point, beyond)
	tx, ty := from(tip, named)
	along := 0.0
	if square := tx*tx + ty*ty; square > 0 {
		along = max(0, min((px*tx+py*ty)/square, 1))
	}
	return math.Hypot(px-along*tx, py-along*ty)
}

// arc returns the points of the arc about the origin from gradient i to gradient j, by
// their share of it. Between opposite gradients in space, where there are many, it is one
// of them.
func (a *analysis) arc(i, j int, radius float64) func(share float64) []float64 {
	from, to := unit(a.input.Jacobian.Row(i)), unit(a.input.Jacobian.Row(j))
	angle := math.Acos(a.cosine(i, j))
	aside := make([]float64, len(from)) // at right angles to from, towards to
	floats.AddScaledTo(aside, to, -floats.Dot(from, to), from)
	if floats.Norm(aside, 2) < angleSlack {
		least := 0
		for k, v := range from {
			if math.Abs(v) < math.Abs(from[least]) {
				least = k
			}
		}
		clear(aside)
		aside[least] = 1
		floats.AddScaled(aside, -from[least], from)
	}
	aside = unit(aside)
	return func(share float64) []float64 {
		sin, cos := math.Sincos(share * angle)
		out := make([]float64, len(from))
		floats.AddScaled(out, radius*cos, from)
		floats.AddScaled(out, radius*sin, aside)
		return out
	}
}

// unit is v with length 1.
func unit(v []float64) []float64 {
	out := make([]float64, len(v))
	floats.AddScaled(out, 1/floats.Norm(v, 2), v)
	return out
}

// circled reports whether the shortest point of the hull is apart from the origin, so that
// a circle leads through it.
func (a *analysis) circled() bool { return a.omega > 1e-6*floats.Max(a.norms) }

func circleStroke(t *panel.Theme) panel.Stroke {
	return panel.Stroke{Color: t.Muted, Width: 1, Dash: []vg.Length{4, 3}}
}

// drawCircle draws the circle about the origin through the shortest point of the hull.
func (s *Scene) drawCircle(b *panel.Brush) {
	const points = 97
	radius := s.arrows.omega
	b.Line(points, func(i int) (float64, float64) {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / (points - 1))
		return radius * cos, radius * sin
	}, circleStroke(b.Theme))
}

// drawTangent draws the line that touches the circle at a point: all gradients lie on its
// far side.
func drawTangent(b *panel.Brush, at []float64) {
	xmin, xmax, ymin, ymax := b.Bounds()
	far := 2 * math.Hypot(xmax-xmin, ymax-ymin)
	length := math.Hypot(at[0], at[1])
	b.Line(2, func(i int) (float64, float64) {
		along := far * float64(2*i-1) / length
		return at[0] - along*at[1], at[1] + along*at[0]
	}, circleStroke(b.Theme))
}
