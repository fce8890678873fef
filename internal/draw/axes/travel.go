package axes

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/portable"
)

// Travel is a transition from one pair of axes to another. Ticks move with their axes.
type Travel struct {
	FromX, FromY, ToX, ToY Axis
	Share                  float64 // finished share of the way, from 0 to 1
}

// Ranges returns the plane's current axes, extended to include the ghosts.
func (p *Plane) Ranges() (x, y Axis) {
	_, x, y = p.shades()
	return x.Repaired(), y.Repaired()
}

// Shown returns the axes that the plane shows, which may be in a transition.
func (p *Plane) Shown() (x, y Axis) {
	if p.travel != nil {
		return p.travel.At()
	}
	return p.Ranges()
}

// SetTravel makes the plane show the axes of a transition, or its own axes if t is nil. Only an animated display calls
// SetTravel.
func (p *Plane) SetTravel(t *Travel) { p.travel = t }

// Moves reports whether two axes differ only in their ranges, so that a transition between them is possible.
func (a Axis) Moves(to Axis) bool { return a.joins(to) && (a.Min != to.Min || a.Max != to.Max) }

// Same reports whether two axes are equal, including their ranges.
func (a Axis) Same(as Axis) bool {
	return a.Label == as.Label && a.Log == as.Log && slices.Equal(a.Categories, as.Categories) && a.Min == as.Min && a.Max == as.Max &&
		a.Knee == as.Knee && a.Loft == as.Loft
}

// At returns the axes at the transition's current share.
func (t *Travel) At() (x, y Axis) {
	return between(t.FromX, t.ToX, t.Share), between(t.FromY, t.ToY, t.Share)
}

// between returns the axis at a share of the way between two ranges. The ends of a logarithmic range change by equal
// factors over equal shares.
func between(from, to Axis, share float64) Axis {
	if !from.Moves(to) {
		return to
	}
	part := func(a, b float64) float64 {
		if to.Log {
			return a * portable.Pow(b/a, share)
		}
		return a + float64(share*(b-a))
	}
	out := to
	out.Min, out.Max = part(from.Min, to.Min), part(from.Max, to.Max)
	out.way = &way{from, to, share}
	return out
}

// way holds an axis's old range, its new range, and the share of the way between them.
type way struct {
	from, to Axis
	share    float64
}

// widened returns the way with both ranges widened around their middles, by the same factor as the axis's own range.
func (w *way) widened(factor float64) *way {
	if w == nil {
		return nil
	}
	wide := func(a Axis) Axis {
		middle, half := float64((a.Min+a.Max)/2), float64(factor*(a.Max-a.Min)/2)
		a.Min, a.Max = middle-half, middle+half
		return a
	}
	return &way{wide(w.from), wide(w.to), w.share}
}

// ticks returns the ticks of both ranges. The old ticks fade out, and the new ticks fade in.
func (w *way) ticks(length, spacing vg.Length) []Tick {
	before, after := w.from.Ticks(length, spacing), w.to.Ticks(length, spacing)
	var out []Tick
	for _, t := range before {
		if !slices.Contains(after, t) {
			t.faint = w.share
			out = append(out, t)
		}
	}
	for _, t := range after {
		if !slices.Contains(before, t) {
			t.faint = 1 - w.share
		}
		out = append(out, t)
	}
	return out
}

// fading returns the colour of a tick that fades in or out.
func (t Tick) fading(c color.Color) color.Color {
	if t.faint == 0 {
		return c
	}
	return brush.Faded(c, 1-t.faint)
}
