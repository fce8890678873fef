package sweep

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// leastEnd is the lowest value at which the losses' axes may end, since responses have size 1. It lies between two
// ticks, because three axes meet there.
const leastEnd = 1.1

// end returns the maximum of the losses' axes.
func (s *Scene) end() float64 {
	most := leastEnd
	which := s.values.shown()
	for _, e := range s.ends {
		for i := range e.finished(len(e.sums)) {
			if e.lost(i) {
				continue
			}
			most = max(most, slices.Max(e.end(which, i)))
		}
	}
	for i := range s.optima {
		if s.grid.inner(i) {
			most = max(most, slices.Max(s.optima[i].losses[which]))
		}
	}
	return min(math.Ceil(5*most)/5, 10) + 0.13
}

// frontPanel returns the panel that shows where the vectors' runs end, as points in the space of the three losses.
func (s *Scene) frontPanel() *kinds.Space {
	p := &kinds.Space{Labels: [3]string{"f_1", "f_2", "f_3"},
		Words:  [3]string{"worse in goal 1 (f_{1})", "worse in goal 2 (f_{2})", "worse in goal 3 (f_{3})"},
		Camera: func() kinds.Camera { return s.values.Camera },
		Reach:  func() float64 { return 0.8 * s.end() },
		Box: func() [3]axes.Axis {
			side := axes.Axis{Max: s.end()}
			return [3]axes.Axis{side, side, side}
		},
	}
	p.Name, p.Heading = "front", "Where the runs end"
	view := func() string { return fmt.Sprint(s.values.Camera, s.end(), s.shown()) }
	p.Between = func() []axes.Sheet {
		return []axes.Sheet{
			{Key: "optima " + view(), Draw: func(b *brush.Brush) { s.drawOptima(p.On(b)) }},
			{Key: fmt.Sprint("ends ", view(), s.done(), s.Timeline().SelectedName()), Draw: func(b *brush.Brush) { s.drawEnds(p, b) },
				Ghost: func(b *brush.Brush, stroke brush.Stroke, letter string) { s.ghost(p.On(b), stroke, letter) }},
		}
	}
	p.Draw = func(b *kinds.SpaceBrush) {
		s.drawRunning(b)
		b.Hint("drag to turn")
	}
	p.Legend = s.legend
	p.Marks = func(b *brush.Brush, run string, k int) {
		if e, i, ok := s.pointed(run, k); ok && !e.lost(i) {
			x, y := p.On(b).Flat([3]float64(e.end(s.values.shown(), i)))
			b.Ring(x, y, b.Theme.Look(e.run.Method).Hue)
		}
	}
	p.Text = s.describe
	p.Build()
	turn := p.Find
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		pick, ok := turn(b, at)
		if !ok {
			return pick, false
		}
		space := p.On(b)
		found, near := s.nearest(b, at, func(e *ends, i int) (x, y float64) {
			if e.lost(i) {
				return math.NaN(), math.NaN()
			}
			return space.Flat([3]float64(e.end(s.values.shown(), i)))
		})
		if near {
			found.Handle = pick.Handle // dragging from here still turns the view
			return found, true
		}
		return pick, true
	}
	return p
}

// legend returns the legend of the front.
func (s *Scene) legend(t *brush.Theme) []axes.Entry {
	out := append(s.points(t), axes.Entry{Label: "small: a goal had no turns", Shape: brush.Circle, Fill: t.Muted},
		axes.Entry{Label: "sheet: where runs should end", Area: t.Optimum})
	if r := s.Timeline().Selected(); r.Run != nil {
		out = append(out, axes.Entry{Label: "mesh: vectors one turn apart", Stroke: netStroke(t, r.Method)},
			axes.Entry{Label: "path: runs now", Stroke: t.Look(r.Method).Stroke(1.75)})
	}
	return out
}

// netStroke returns the stroke of the lines between the ends of vectors that differ by one turn.
func netStroke(t *brush.Theme, method string) brush.Stroke {
	return brush.Stroke{Color: brush.Faded(t.Look(method).Hue, 0.35), Width: 1}
}

// points returns the entries that describe the points in the legends of two panels.
func (s *Scene) points(t *brush.Theme) []axes.Entry {
	low, high := s.shades()
	out := kinds.MethodEntries(t, Methods, s.Timeline())
	hollow := brush.Ring
	for i := range out {
		shape := out[i].Shape
		if out[i].Shape = solid(shape); shape != out[i].Shape {
			hollow = shape
		}
	}
	out = append(out,
		axes.Entry{Label: fmt.Sprintf("mean loss, from %.2f (bright) to %.2f", low, high), Spectrum: true},
		axes.Entry{Label: "hollow: beaten in all goals", Shape: hollow, Fill: t.Muted})
	for run := range s.ends {
		if s.diverged(run) > 0 {
			return append(out, axes.Entry{Label: "cross: diverged", Shape: brush.Cross, Fill: t.Muted})
		}
	}
	return out
}

// shades returns the mean losses at the ends of the colour range: the least mean of an optimum, and the mean at the start.
func (s *Scene) shades() (low, high float64) {
	which := s.values.shown()
	return s.low[which], mean(s.start[which])
}

func mean(f []float64) (m float64) {
	for _, v := range f {
		m += v / float64(len(f))
	}
	return m
}

// glyph draws the marker of a point in its method's shape and hue. It fills the marker with the colour of the point's
// mean loss unless the point is dominated.
func (s *Scene) glyph(b *brush.Brush, x, y float64, radius vg.Length, method string, f []float64, rank standing) {
	look := b.Theme.Look(method)
	shape, edge, rim := solid(look.Shape), look.Hue, vg.Length(1.5) // a thinner rim would disappear on some sides of a square
	if rank == beaten {
		edge = brush.Faded(edge, 0.6)
	}
	b.Marker(x, y, shape, radius, edge, false)
	fill := color.Color(b.Theme.Paper)
	if rank == kept {
		low, high := s.shades()
		fill = b.Theme.Spectrum((high - mean(f)) / (high - low))
	}
	b.Marker(x, y, shape, radius-rim, fill, false)
}

// solid returns the filled version of an outlined shape.
func solid(shape brush.Shape) brush.Shape {
	switch shape {
	case brush.Ring:
		return brush.Circle
	case brush.RingSquare:
		return brush.Square
	case brush.RingTriangle:
		return brush.Triangle
	case brush.RingDiamond:
		return brush.Diamond
	}
	return shape
}

// drawOptima draws the front formed by the optima of weighted sums in which every objective has turns.
func (s *Scene) drawOptima(b *kinds.SpaceBrush) {
	which := s.values.shown()
	at := func(i int) [3]float64 { return [3]float64(s.optima[i].losses[which]) }
	whole := func(corners ...int) bool {
		for _, i := range corners {
			if !s.grid.inner(i) {
				return false
			}
		}
		return true
	}
	for _, f := range s.grid.faces {
		if whole(f[:]...) {
			b.Face([][3]float64{at(f[0]), at(f[1]), at(f[2])}, brush.Stroke{Color: b.Theme.Optimum}, 0.35)
		}
	}
	for i := range s.optima {
		if s.grid.inner(i) {
			b.Dot(at(i), brush.Circle, 2.5, brush.Stroke{Color: b.Theme.Optimum})
		}
	}
}

// drawEnds draws the points of all finished vectors, the nearest ones last, and the mesh of the selected run's points.
func (s *Scene) drawEnds(p *kinds.Space, flat *brush.Brush) {
	b := p.On(flat)
	m := s.summary(s.done())
	for run, e := range s.ends {
		if e.run != s.Timeline().Selected().Run {
			continue
		}
		net := netStroke(b.Theme, e.run.Method)
		points := m.points[run]
		for _, edge := range s.grid.edges {
			if max(edge[0], edge[1]) < len(points) && points[edge[0]] != nil && points[edge[1]] != nil &&
				s.grid.inner(edge[0]) && s.grid.inner(edge[1]) {
				b.Segment([3]float64(points[edge[0]]), [3]float64(points[edge[1]]), net)
			}
		}
	}
	type dot struct {
		run, vector int
		near        float64
	}
	var dots []dot
	for run, points := range m.points {
		for i, f := range points {
			if f == nil {
				continue
			}
			_, _, near := p.Project([3]float64(f))
			dots = append(dots, dot{run, i, near})
		}
	}
	slices.SortFunc(dots, func(a, b dot) int { return cmp.Compare(a.near, b.near) })
	for _, d := range dots {
		f := m.points[d.run][d.vector]
		x, y := b.Flat([3]float64(f))
		radius := s.radius(b.Brush)
		if !s.grid.inner(d.vector) {
			radius *= 0.7
		}
		s.glyph(b.Brush, x, y, radius, s.ends[d.run].run.Method, f, m.standings[d.run][d.vector])
	}
}

// radius returns the radius at which points are drawn. It is smaller if there are many points or little room.
func (s *Scene) radius(b *brush.Brush) vg.Length {
	switch {
	case b.Frame.Detail != brush.Full:
		return 3
	case s.values.P > fewTurns:
		return 3.5
	}
	return 5.5
}

// fewTurns is the maximum number of turns for which points are few enough to be drawn large.
const fewTurns = 12

// ghost draws the selected run's points, with a letter, as the ghost of a pinned run.
func (s *Scene) ghost(b *kinds.SpaceBrush, stroke brush.Stroke, letter string) {
	m := s.summary(s.done())
	for run, e := range s.ends {
		if e.run != s.Timeline().Selected().Run {
			continue
		}
		var x, y float64
		for _, f := range m.points[run] {
			if f != nil {
				x, y = b.Flat([3]float64(f))
				b.Marker(x, y, brush.Ring, 3, stroke.Color, false)
			}
		}
		if m.count(run, beaten) > 0 {
			b.Label(x, y, letter, brush.SmallText, b.Theme.Muted, brush.RightOf)
		}
	}
}

// drawRunning draws the paths of the current vector's runs.
func (s *Scene) drawRunning(b *kinds.SpaceBrush) {
	which, k := s.values.shown(), s.Timeline().Marker()
	for _, e := range s.ends {
		now := min(k, len(e.sums)-1)
		if now == 0 || now == e.finished(len(e.sums))*e.passes && now == len(s.grid.vectors)*e.passes {
			continue
		}
		begin := (now - 1) / e.passes * e.passes
		b.Line(now-begin+1, func(i int) (float64, float64) {
			if i == 0 {
				return b.Flat([3]float64(s.start[which]))
			}
			return b.Flat([3]float64(e.row(which, begin+i)))
		}, b.Theme.Look(e.run.Method).Stroke(1.75))
		x, y := b.Flat([3]float64(e.row(which, now)))
		shape, size := solid(b.Theme.Look(e.run.Method).Shape), vg.Length(3.5)
		if e.lost((now - 1) / e.passes) {
			shape, size = brush.Cross, 6
		}
		b.Marker(x, y, shape, size, b.Theme.Look(e.run.Method).Hue, shape != brush.Cross)
	}
}

// nearest returns the point of a panel that is nearest to the pointer, among the points at the marker.
func (s *Scene) nearest(b *brush.Brush, at vg.Point, place func(e *ends, i int) (x, y float64)) (pick axes.Pick, _ bool) {
	near, m := b.Nearest(at), s.summary(s.done())
	for run, e := range s.ends {
		for i := range m.points[run] {
			if near.Closer(place(e, i)) {
				pick = axes.Pick{Run: e.run.Name, K: e.passes * (i + 1), At: near.At, Lines: s.lines(m, run, i)}
			}
		}
	}
	return pick, near.Found
}

// pointed returns the vector to which iteration k of a run belongs. A negative k stands for the marker's iteration. If
// that vector has ended by the marker, even by diverging, ok is true.
func (s *Scene) pointed(run string, k int) (e *ends, vector int, ok bool) {
	if k < 0 {
		k = s.Timeline().Marker()
	}
	for _, e := range s.ends {
		if e.run.Name == run {
			vector := max(k-1, 0) / e.passes
			return e, vector, vector < min(s.done(), e.finished(len(e.sums)))
		}
	}
	return nil, 0, false
}

// lines returns the tooltip lines for a point.
func (s *Scene) lines(m *summary, run, i int) []string {
	e := s.ends[run]
	heading := fmt.Sprintf("%s, vector %d of %d: m = %s", e.run.Title, i+1, len(s.grid.vectors), times(s.grid.vectors[i]))
	if e.lost(i) {
		return []string{heading, "the run diverged, so the vector has no point"}
	}
	word := map[standing]string{
		kept:      "not dominated by any point",
		overtaken: "on its method’s front, dominated by another method",
		beaten:    "dominated by a point of its own method",
	}[m.standings[run][i]]
	return []string{
		heading,
		"test losses " + timeline.Vector(e.end(test, i)) + ", mean " + timeline.Number(mean(e.end(test, i))),
		"training losses " + timeline.Vector(e.end(train, i)),
		"relative excess of F_m over its minimum: " + timeline.Significant(s.excess(e, e.passes*(i+1))),
		word,
	}
}

// times formats a vector of frequencies.
func times(m []int) string {
	text := "("
	for k, v := range m {
		if k > 0 {
			text += ", "
		}
		text += fmt.Sprint(v)
	}
	return text + ")"
}

// describe returns a text about the state of the front at the marker.
func (s *Scene) describe() string {
	n := s.done()
	if n == 0 {
		return "No vector’s runs have ended yet."
	}
	m := s.summary(n)
	var unbeaten []string
	for run, e := range s.ends {
		unbeaten = append(unbeaten, fmt.Sprintf("%d of %s’s %d", m.count(run, kept), e.run.Title, m.count(run, beaten)))
	}
	text := fmt.Sprintf("%d of %d vectors are done. Points that no other point beats in all goals: %s.", n, len(s.grid.vectors),
		strings.Join(unbeaten, " and "))
	for run, e := range s.ends {
		own := m.count(run, overtaken)
		text += fmt.Sprintf(" Of %s’s %d points, %d are on its own front, and %d of these are on the joint front: purity %.2f.", e.run.Title,
			m.count(run, beaten), own, m.count(run, kept), m.qualities[run].Purity)
		if lost := s.diverged(run); lost > 0 {
			text += " The method diverged for " + numeral.Counted(lost, "vector") + ", shown as a cross, not a point, in the method’s triangle."
		}
	}
	return text
}

// diverged returns the number of vectors, among those done at the marker, for which a run has diverged.
func (s *Scene) diverged(run int) (n int) {
	done := s.done()
	for _, i := range s.ends[run].failed {
		if i < done {
			n++
		}
	}
	return n
}
