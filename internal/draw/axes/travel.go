package axes

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/portable"
)

// Travel is a way from one pair of ranges to another, on which ticks move with their axes.
type Travel struct {
	FromX, FromY, ToX, ToY Axis
	Share                  float64 // of the way that is behind, from 0 to 1
}

// Ranges returns the axes that the plane asks for now, wide enough for its ghosts.
func (p *Plane) Ranges() (x, y Axis) {
	_, x, y = p.shades()
	return x.Repaired(), y.Repaired()
}

// Shown returns the axes that the plane shows: its own, or those on the way there.
func (p *Plane) Shown() (x, y Axis) {
	if p.travel != nil {
		return p.travel.At()
	}
	return p.Ranges()
}

// SetTravel makes the plane show axes on the way to its own; nil shows its own. Only a display that moves sets it.
func (p *Plane) SetTravel(t *Travel) { p.travel = t }

// Moves reports whether another axis is the same one with another range, so that one can turn into the other under the eye.
func (a Axis) Moves(to Axis) bool { return a.joins(to) && (a.Min != to.Min || a.Max != to.Max) }

// Same reports whether another axis is the same one with the same range.
func (a Axis) Same(as Axis) bool {
	return a.Label == as.Label && a.Log == as.Log && slices.Equal(a.Categories, as.Categories) && a.Min == as.Min && a.Max == as.Max &&
		a.Knee == as.Knee && a.Loft == as.Loft
}

// At returns the axes of a share of the way.
func (t *Travel) At() (x, y Axis) {
	return between(t.FromX, t.ToX, t.Share), between(t.FromY, t.ToY, t.Share)
}

// between returns an axis on the way from one range to another. Logarithmic ranges move by equal factors.
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

// way is where an axis comes from, where it goes, and how far it has come.
type way struct {
	from, to Axis
	share    float64
}

// widened returns the way after both its ends have grown by a factor about their middles, as the axis has.
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

// ticks returns the ticks of both ends of the way: the old ones fade as the new ones come.
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

// fading is the colour of a tick that comes or goes.
func (t Tick) fading(c color.Color) color.Color {
	if t.faint == 0 {
		return c
	}
	return brush.Faded(c, 1-t.faint)
}
