package sweep

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs/sweeps"
)

// apart and under are the offsets to the next triangle on the right and below, in units of a triangle's side.
const apart, under = 1.3, 1.5

// vectorsPanel returns the panel that shows the vectors, with their outcomes, as points in one triangle for each
// method.
func (s *Scene) vectorsPanel() axes.Panel {
	p := &axes.Plane{Name: "vectors", Heading: "The frequencies of each run", Bare: true, Equal: true}
	p.Axes = func() (axes.Axis, axes.Axis) {
		last := max(len(s.ends)-1, 0)
		_, top := sweeps.Corner(2, objectives)
		return axes.Axis{Min: -0.12, Max: 1.12 + float64(apart*float64(min(last, 1)))},
			axes.Axis{Min: -0.3 - float64(under*float64(last/2)), Max: top + 0.2}
	}
	p.Sheets = func() []axes.Sheet {
		key := fmt.Sprint("vectors ", s.shown(), s.done())
		return []axes.Sheet{{Key: key, Draw: s.drawVectors}, {Draw: func(b *brush.Brush) {
			for run, e := range s.ends {
				if k := min(s.Timeline().Marker(), len(e.sums)-1); k > 0 && k < len(s.grid.vectors)*e.passes { // no vector runs at the end of the sweep
					x, y := s.corner(run, s.grid.weights[(k-1)/e.passes])
					b.Ring(x, y, b.Theme.Accent)
				}
			}
		}}}
	}
	p.Legend = s.points
	p.Key = func(t *brush.Theme) []axes.Entry {
		return []axes.Entry{{Label: "a corner: all turns for one goal", Shape: brush.Triangle, Fill: t.Muted},
			{Label: "runs now", Shape: brush.Ring, Fill: t.Accent}}
	}
	p.Marks = func(b *brush.Brush, run string, k int) {
		for i, e := range s.ends {
			if _, vector, ok := s.pointed(run, k); ok && e.run.Name == run {
				x, y := s.corner(i, s.grid.weights[vector])
				b.Ring(x, y, b.Theme.Look(e.run.Method).Hue)
			}
		}
	}
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		return s.nearest(b, at, func(e *ends, i int) (x, y float64) {
			for run := range s.ends {
				if s.ends[run] == e {
					return s.corner(run, s.grid.weights[i])
				}
			}
			return math.NaN(), math.NaN()
		})
	}
	p.Text = func() string {
		return "There is a triangle for each method. Its corners are the vectors in which one objective has all turns. " + s.describe()
	}
	return p
}

// corner returns the position of weights in a run's triangle.
func (s *Scene) corner(run int, w []float64) (x, y float64) {
	x, y = sweeps.Place(w)
	return float64(apart*float64(run%2)) + x, y - float64(under*float64(run/2))
}

// named reports whether the methods' names fit without touching, if each has the given room. Otherwise markers replace
// them.
func (s *Scene) named(b *brush.Brush, room vg.Length) bool {
	const gap = 8
	for _, e := range s.ends {
		if len(s.ends) > 1 && b.Width(e.run.Title)+gap > room {
			return false
		}
	}
	return true
}

// cornerNames returns the names of a triangle's corners. The names have the longest form that fits beside the next
// triangle's names. They are empty if no form fits.
func (s *Scene) cornerNames(b *brush.Brush) (names [objectives]string) {
	const gap = 4
	unit := b.At(1, 0).X - b.At(0, 0).X
	for _, words := range []string{"only goal %d", "goal %d", "f_%d"} {
		for k := range names {
			names[k] = fmt.Sprintf(words, k+1)
		}
		room := unit
		if len(s.ends) > 1 {
			room = vg.Length((apart-1)*unit) - vg.Length(2*cornerSide(b))
		}
		if brush.Text.Width(names[0], font.From(brush.Sans, brush.SmallText))+gap <= room {
			return names
		}
	}
	return [objectives]string{}
}

// cornerSide returns the horizontal offset of the lower corners' names. It is larger in the hero panel, where points
// are large.
func cornerSide(b *brush.Brush) vg.Length {
	if b.Frame.Detail == brush.Full {
		return 8
	}
	return 0
}

// drawVectors draws the triangles and the points of the finished vectors.
func (s *Scene) drawVectors(b *brush.Brush) {
	m := s.summary(s.done())
	names := s.cornerNames(b)
	for run, e := range s.ends {
		at := func(i int) (float64, float64) {
			w := make([]float64, objectives)
			w[i%objectives] = 1
			return s.corner(run, w)
		}
		b.Line(objectives+1, at, brush.Stroke{Color: b.Theme.Rule, Width: 1})
		if b.Frame.Detail != brush.Thumbnail {
			below, side := vg.Point{Y: -30}, cornerSide(b)
			for k, beyond := range [objectives]vg.Point{{X: -side, Y: -15}, {X: side, Y: -15}, {Y: 15 + side}} { // room for a corner and its ring
				b.TextAt(b.At(at(k)).Add(beyond), names[k], brush.SmallText, b.Theme.Muted, brush.Centred)
			}
			x, y := s.corner(run, []float64{0.5, 0.5, 0})
			x, y = b.World(b.At(x, y).Add(below))
			if room := b.At(apart, 0).X - b.At(0, 0).X; s.named(b, room) {
				b.Text(x, y, e.run.Title, brush.SmallText, b.Theme.Ink, brush.Centred)
			} else {
				look := b.Theme.Look(e.run.Method)
				b.Marker(x, y, solid(look.Shape), 4, look.Hue, true)
			}
		}
		x0, y0 := at(0)
		x1, y1 := at(1)
		step := (b.At(x1, y1).X - b.At(x0, y0).X) / vg.Length(s.values.P)
		radius := min(max(0.4*step, 2), 8)
		for i, w := range s.grid.weights {
			x, y := s.corner(run, w)
			switch {
			case i >= len(m.points[run]):
				b.Marker(x, y, brush.Circle, 1.5, b.Theme.Rule, false)
			case m.standings[run][i] == diverged:
				b.Marker(x, y, brush.Cross, radius, b.Theme.Look(e.run.Method).Hue, false)
			default:
				s.glyph(b, x, y, radius, e.run.Method, m.points[run][i], m.standings[run][i])
			}
		}
	}
}
