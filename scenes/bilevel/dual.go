package bilevel

import (
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race/twolevel"
)

// inset is a small chart inside the plane of ω, in pixels.
type inset struct {
	b    *panel.Brush
	area vg.Rectangle
}

// at is the world's place of a share of the chart's width and height.
func (c inset) at(u, v float64) (x, y float64) {
	size := c.area.Size()
	return c.b.World(vg.Point{X: c.area.Min.X + vg.Length(u)*size.X, Y: c.area.Min.Y + vg.Length(v)*size.Y})
}

// frame is the chart with its words.
func (c inset) frame() vg.Rectangle {
	return vg.Rectangle{Min: c.area.Min.Sub(vg.Point{X: 6, Y: 20}), Max: c.area.Max.Add(vg.Point{X: 6, Y: 18})}
}

func (c inset) line(n int, at func(i int) (u, v float64), s panel.Stroke) {
	c.b.Line(n, func(i int) (float64, float64) { return c.at(at(i)) }, s)
}

// newInset finds room on the right, above or below, where fewer of the points lie.
func newInset(b *panel.Brush, points ...vector) inset {
	size := b.Canvas.Size()
	wide, high := max(0.42*size.X, 136), 0.3*size.Y
	place := func(bottom vg.Length) vg.Rectangle {
		corner := vg.Point{X: b.Canvas.Max.X - wide - 10, Y: bottom}
		return vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: wide, Y: high})}
	}
	above, below := place(b.Canvas.Max.Y-high-60), place(b.Canvas.Min.Y+50)
	hidden := func(area vg.Rectangle) (n int) {
		for _, p := range points {
			if q := b.At(p[0], p[1]); q.X > area.Min.X && q.X < area.Max.X && q.Y > area.Min.Y && q.Y < area.Max.Y {
				n++
			}
		}
		return n
	}
	if hidden(above) <= hidden(below) {
		return inset{b, above}
	}
	return inset{b, below}
}

// dualPoints is the number of points that the curve of the weights' problem is drawn
// with.
const dualPoints = 61

// drawDual draws the small problem that decides the weights: its value over λ_1, its
// solution, and the weights that the step uses.
func (s *Scene) drawDual(c inset, t *step) {
	b, theme := c.b, c.b.Theme
	frame := c.frame()
	box := [5]vg.Point{frame.Min, {X: frame.Max.X, Y: frame.Min.Y}, frame.Max, {X: frame.Min.X, Y: frame.Max.Y}, frame.Min}
	corner := func(i int) (float64, float64) { return b.World(box[i]) }
	b.Polygon(4, corner, panel.Faded(theme.Paper, 0.94))
	b.Line(5, corner, panel.Stroke{Color: theme.Rule, Width: 0.75})

	lo, hi := math.Inf(1), math.Inf(-1)
	var values [dualPoints]float64
	for i := range values {
		values[i] = t.dual(float64(i) / (dualPoints - 1))
		lo, hi = math.Min(lo, values[i]), math.Max(hi, values[i])
	}
	height := func(v float64) float64 {
		if !(hi > lo) {
			return 0.5
		}
		return 0.06 + 0.74*(v-lo)/(hi-lo)
	}
	c.line(dualPoints, func(i int) (float64, float64) { return float64(i) / (dualPoints - 1), height(values[i]) },
		panel.Stroke{Color: theme.Ink, Width: 1.5})
	c.line(2, func(i int) (float64, float64) { return float64(i), 0 }, panel.Stroke{Color: theme.Rule, Width: 1})
	text := func(u, v float64, words string, color panel.Align) {
		x, y := c.at(u, v)
		b.Text(x, y, words, panel.SmallText, theme.Muted, color)
	}
	text(0, 0, "λ_1 = 0", panel.Align{X: 1, Y: -1})
	text(1, 0, "1", panel.Align{X: -1, Y: -1})
	heading := "½‖Σλ∇F + γ∇q̃‖² − γφ"
	if t.family == differentiated {
		heading = "½(Σλh)²"
		if t.run.Method == twolevel.MoCo {
			heading = "½(Σλy)², one step of λ"
		}
	}
	text(0, 1, heading, panel.Align{X: 1, Y: 1})
	mark := func(l float64, shape panel.Shape, radius vg.Length, name string, side panel.Align) {
		x, y := c.at(l, height(t.dual(l)))
		b.Marker(x, y, shape, radius, theme.Look(t.run.Method).Hue, true)
		b.Label(x, y, name, panel.SmallText, theme.Ink, side)
	}
	if t.weights == nil {
		return
	}
	used := t.weights[0]
	former, name, names := math.NaN(), "λ", "before"
	switch {
	case t.lambda != nil:
		former, name, names = t.lambda[0], "λ̃", "λ"
	case t.prior != nil:
		former = t.prior[0]
	}
	// Names stand towards the middle, and one above the other point's.
	inwards := func(l float64) float64 { return math.Copysign(1, 0.5-l) }
	if math.Abs(former-used) < closeWeights {
		names, name = "", names+" = "+name
	}
	if !math.IsNaN(former) {
		mark(former, panel.Ring, 5, names, panel.Align{X: inwards(former), Y: -1})
	}
	mark(used, panel.Circle, 4, name, panel.Align{X: inwards(used), Y: 1})
}

// closeWeights is how near two weights are to be named together.
const closeWeights = 0.03
