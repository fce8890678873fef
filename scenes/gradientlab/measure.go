package gradientlab

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/portable"
)

// arcShare is the arc's radius relative to the reach of the axes. It stays the same during a drag.
const arcShare = 0.15

// arcPoints is the number of points of the drawn arc.
const arcPoints = 49

// drawArc draws the widest angle between two gradients and its value. flat projects a vector to the picture.
func (s *Scene) drawArc(b *brush.Brush, flat func(v []float64) []float64) {
	a, t := s.arrows, b.Theme
	i, j, ok := a.Widest()
	if !ok {
		return
	}
	arc := a.Arc(i, j, arcShare*s.axes.reach)
	stroke := brush.Stroke{Color: t.Muted, Width: 1.25}
	if a.Conflict(i, j) {
		stroke = brush.Stroke{Color: t.Ink, Width: 2}
	}
	b.Line(arcPoints, func(k int) (float64, float64) {
		p := flat(arc(float64(k) / (arcPoints - 1)))
		return p[0], p[1]
	}, stroke)
	tips := [][]float64{a.Shortest}
	for row := range a.Jacobian.Rows {
		tips = append(tips, a.Jacobian.Row(row))
	}
	for k := range a.Decisions {
		if v, drawn := s.arrow(&a.Decisions[k]); drawn {
			tips = append(tips, v)
		}
	}
	// Choose the place along the arc with the most room between it and the arrows.
	var place []float64
	most := math.Inf(-1)
	for _, share := range []float64{0.5, 0.35, 0.65, 0.2, 0.8} {
		p := flat(arc(share))
		const beside = 16 // distance from the arc to the centre of the number, in pixels
		room := math.Inf(1)
		for _, tip := range tips {
			room = min(room, clearance(b, p, beside, flat(tip)))
		}
		if room > most+1 {
			place, most = p, room
		}
	}
	label(b, place, fmt.Sprintf("%.0f°", a.Angle(i, j)), 5)
}

// clearance returns the distance, in pixels, from a place to an arrow and its label. Seen from the origin, the place
// lies behind the given point. beyond is the distance between the two, in pixels.
func clearance(b *brush.Brush, point []float64, beyond float64, tip []float64) float64 {
	const named = 26 // pixels that a tip's grip and label need beyond the tip
	origin := b.At(0, 0)
	from := func(v []float64, further float64) (x, y float64) {
		at := b.At(v[0], v[1]).Sub(origin)
		x, y = float64(at.X), float64(at.Y)
		if length := portable.Hypot(x, y); length > 0 {
			x, y = x*(1+further/length), y*(1+further/length)
		}
		return x, y
	}
	px, py := from(point, beyond)
	tx, ty := from(tip, named)
	along := 0.0
	if square := float64(tx*tx) + float64(ty*ty); square > 0 {
		along = max(0, min((float64(px*tx)+float64(py*ty))/square, 1))
	}
	return portable.Hypot(px-float64(along*tx), py-float64(along*ty))
}

func circleStroke(t *brush.Theme) brush.Stroke {
	return brush.Stroke{Color: t.Muted, Width: 1, Dash: []vg.Length{4, 3}}
}

// drawCircle draws the circle around the origin through the hull's shortest point.
func (s *Scene) drawCircle(b *brush.Brush) {
	const points = 97
	radius := s.arrows.Omega
	b.Line(points, func(i int) (float64, float64) {
		sin, cos := portable.Sincos(2 * math.Pi * float64(i) / (points - 1))
		return radius * cos, radius * sin
	}, circleStroke(b.Theme))
}

// drawTangent draws the tangent of the circle at a point. All gradients are on its far side.
func drawTangent(b *brush.Brush, at []float64) {
	xmin, xmax, ymin, ymax := b.Bounds()
	far := 2 * portable.Hypot(xmax-xmin, ymax-ymin)
	length := portable.Hypot(at[0], at[1])
	b.Line(2, func(i int) (float64, float64) {
		along := far * float64(2*i-1) / length
		return at[0] - float64(along*at[1]), at[1] + float64(along*at[0])
	}, circleStroke(b.Theme))
}
