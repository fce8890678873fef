package bilevelpaths

import (
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs/twolevel"
)

// dualPoints is the number of points on the curve of the small problem.
const dualPoints = 61

// drawDual draws the small problem that decides the weights: its value as a function of λ_1, its solution, and the
// weights that the step uses.
func (s *Scene) drawDual(c axes.Inset, t *step) {
	theme := c.Theme
	c.Ground()
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
	c.Line(dualPoints, func(i int) (float64, float64) { return float64(i) / (dualPoints - 1), height(values[i]) },
		brush.Stroke{Color: theme.Ink, Width: 1.5})
	c.Line(2, func(i int) (float64, float64) { return float64(i), 0 }, brush.Stroke{Color: theme.Rule, Width: 1})
	text := func(u, v float64, words string, color brush.Align) {
		x, y := c.Place(u, v)
		c.Text(x, y, words, brush.SmallText, theme.Muted, color)
	}
	text(0, 0, "λ_1 = 0", brush.Align{X: 1, Y: -1})
	text(1, 0, "1", brush.Align{X: -1, Y: -1})
	heading := "½‖Σλ∇F + γ∇q̃‖² − γφ"
	if t.family == differentiated {
		heading = "½(Σλh)²"
		if t.run.Method == twolevel.MoCo {
			heading = "½(Σλy)², one step of λ"
		}
	}
	text(0, 1, heading, brush.Align{X: 1, Y: 1})
	mark := func(l float64, shape brush.Shape, radius vg.Length, name string, side brush.Align) {
		x, y := c.Place(l, height(t.dual(l)))
		c.Marker(x, y, shape, radius, theme.Look(t.run.Method).Hue, true)
		c.Label(x, y, name, brush.SmallText, theme.Ink, side)
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
	// Place each name towards the middle, one above its point and the other below.
	inwards := func(l float64) float64 { return math.Copysign(1, 0.5-l) }
	if math.Abs(former-used) < closeWeights {
		names, name = "", names+" = "+name
	}
	if !math.IsNaN(former) {
		mark(former, brush.Ring, 5, names, brush.Align{X: inwards(former), Y: -1})
	}
	mark(used, brush.Circle, 4, name, brush.Align{X: inwards(used), Y: 1})
}

// closeWeights is the difference below which two weights share one name.
const closeWeights = 0.03
