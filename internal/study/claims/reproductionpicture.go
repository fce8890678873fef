package claims

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
)

// Sizes of a table's picture in pixels.
const (
	pictureWidth = 1280
	rowHeight    = 26
	panelFrame   = 112 // heading, legend and the horizontal axis
	panelGap     = 12
)

// Picture draws the table at the given width on paper, or for the screen if width is 0. Each group is a panel that
// shows our figures and the published ones side by side with their intervals. A panel's height depends on its number of
// rows. On the screen and in two columns of a page, two panels are side by side.
func (r *Reproduction) Picture(width axes.PrintWidth) *axes.Figure {
	f, columns := &axes.Figure{Width: pictureWidth, Theme: brush.Light}, 2
	if width != 0 {
		f = axes.OnPaper(width, brush.Light)
	}
	if width == axes.OneColumn {
		columns = 1
	}
	height := func(i int) vg.Length {
		var most int
		for _, g := range r.Groups[i:min(i+columns, len(r.Groups))] {
			most = max(most, len(g.Rows))
		}
		return vg.Length(panelFrame + rowHeight*most)
	}
	for i := 0; i < len(r.Groups); i += columns {
		f.Height += height(i) + panelGap
	}
	f.Height += panelGap
	top := f.Height - panelGap
	for i := range r.Groups {
		wide := f.Width / vg.Length(columns)
		h := height(i / columns * columns)
		left := vg.Length(vg.Length(i%columns) * wide)
		if i == len(r.Groups)-1 && i%columns == 0 { // the last group is alone in its row
			wide = f.Width
		}
		f.Placed = append(f.Placed, axes.Placed{Panel: r.panel(i), Rect: vg.Rectangle{
			Min: vg.Point{X: left + panelGap, Y: top - h}, Max: vg.Point{X: left + wide - panelGap, Y: top},
		}})
		if i%columns == columns-1 {
			top -= h + panelGap
		}
	}
	return f
}

// verdictLooks distinguishes verdicts by shape and by hue.
var verdictLooks = map[Match]struct {
	method string // method whose hue is used; "" for the ink colour
	shape  brush.Shape
}{
	Agrees: {"most-l", brush.Circle}, SameDirection: {"psmgd", brush.Square}, DirectionOnly: {"psmgd", brush.Triangle},
	OtherSize: {"", brush.Diamond}, Contradicts: {"mgda", brush.DownTriangle},
	OtherData: {"", brush.DownTriangle}, CannotTell: {"", brush.Ring},
}

// lookOf returns the look of our figure for a verdict.
func lookOf(t *brush.Theme, m Match) brush.Look {
	l := verdictLooks[m]
	hue := color.Color(t.Ink)
	if l.method != "" {
		hue = t.Look(l.method).Hue
	}
	if m == CannotTell {
		hue = t.Muted
	}
	return brush.Look{Hue: hue, Shape: l.shape}
}

// wideRatio is the limit for the ratio of an axis's ends. If the ratio is larger, the axis is logarithmic. On shorter
// ranges, a logarithmic axis has too few ticks.
const wideRatio = 8

// reference returns the group's value for no effect: 1 for ratios, else 0.
func (g *Group) reference() float64 {
	if g.Log {
		return 1
	}
	return 0
}

// noEffect returns the value for no effect on the group's axis, or the comparison's reference if it is set.
func (c *Comparison) noEffect(g *Group) float64 {
	if c.reference != 0 && c.compares() {
		return c.reference
	}
	return g.reference()
}

// compares reports whether a comparison is drawn on the group's axis. A share of won pairs is not drawn there.
func (c *Comparison) compares() bool { return c.Failed == 0 }

// extent returns the range of the group's axis, slightly wider than the drawn numbers.
func (g *Group) extent() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	add := func(v float64) {
		if v-v == 0 && (!g.Log || v > 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	for i := range g.Rows {
		c := &g.Rows[i]
		if c.asked != level {
			add(c.noEffect(g))
		}
		if c.asked == alike {
			add(c.bounds[0])
			add(c.bounds[1])
		}
		if !c.compares() {
			continue
		}
		for _, v := range []float64{c.Figure.Low, c.Figure.High, c.Ours.Value, c.Ours.Low, c.Ours.High} {
			add(v)
		}
	}
	if !(low < high) {
		return g.reference() - 1, g.reference() + 1
	}
	if g.Log {
		return low / 1.1, high * 1.1
	}
	margin := float64(0.06 * (high - low))
	return low - margin, high + margin
}

// drawAcross marks a number at height y, with a whisker for its interval.
func drawAcross(b *brush.Brush, y float64, n Number, look brush.Look, radius vg.Length) {
	if math.IsNaN(n.Value) {
		return
	}
	if n.Low < n.High {
		b.Line(2, func(end int) (float64, float64) { return []float64{n.Low, n.High}[end], y }, brush.Stroke{Color: look.Hue, Width: 1.5})
	}
	b.Marker(n.Value, y, look.Shape, radius, look.Hue, true)
}

// panel returns the panel of group i, with one row per comparison.
func (r *Reproduction) panel(i int) axes.Panel {
	g := &r.Groups[i]
	name := fmt.Sprintf("%s-%d", r.Experiment, i+1)
	height := func(k int) float64 { return float64(len(g.Rows) - 1 - k) } // the first row is at the top
	return &axes.Plane{
		Name: name, Heading: g.Title,
		Text: func() string {
			var parts []string
			for k := range g.Rows {
				c := &g.Rows[k]
				parts = append(parts, fmt.Sprintf("%s: %s; the paper: %s; verdict: %s", c.Of, c.OursText(), c.Says, c.Match))
			}
			return fmt.Sprintf("%s, our figures and the paper’s. %s.", g.Quantity, strings.Join(parts, "; "))
		},
		Axes: func() (axes.Axis, axes.Axis) {
			var names []string
			for k := range g.Rows {
				names = append(names, g.Rows[len(g.Rows)-1-k].Of)
			}
			low, high := g.extent()
			return axes.Axis{Label: g.Quantity, Min: low, Max: high, Log: g.Log && high > wideRatio*low},
				axes.Categories("", names, func(s string) string { return s })
		},
		Legend: func(t *brush.Theme) []axes.Entry { return g.legend(t) },
		Sheets: func() []axes.Sheet {
			return []axes.Sheet{{Key: name, Draw: func(b *brush.Brush) {
				for k := range g.Rows {
					g.Rows[k].draw(b, height(k), g)
				}
			}}}
		},
	}
}

// legend lists what the group's picture contains.
func (g *Group) legend(t *brush.Theme) []axes.Entry {
	var out []axes.Entry
	has := func(is func(c *Comparison) bool) bool {
		for i := range g.Rows {
			if is(&g.Rows[i]) {
				return true
			}
		}
		return false
	}
	if has(func(c *Comparison) bool { return c.Figure.known() }) {
		out = append(out, axes.Entry{Label: "published", Shape: brush.Plus, Fill: t.Muted})
	}
	if has(func(c *Comparison) bool { return !c.Figure.known() && c.asked != alike }) {
		out = append(out, axes.Entry{Label: "published direction", Area: brush.Faded(t.Muted, claimedTint)})
	}
	if has(func(c *Comparison) bool { return c.asked == alike }) {
		out = append(out, axes.Entry{Label: "alike", Area: brush.Faded(t.Accent, claimedTint)})
	}
	for _, m := range matches {
		if has(func(c *Comparison) bool { return c.Match == m && !math.IsNaN(c.Ours.Value) && c.compares() }) {
			look := lookOf(t, m)
			out = append(out, axes.Entry{Label: "ours: " + string(m), Shape: look.Shape, Fill: look.Hue})
		}
	}
	return out
}

// claimedTint is the opacity of the area that marks the paper's range.
const claimedTint = 0.16

// draw draws a comparison at its height: the range that the paper claims, the published figure above, and ours below.
func (c *Comparison) draw(b *brush.Brush, y float64, g *Group) {
	low, high, _, _ := b.Bounds()
	t := b.Theme
	const half = 0.42
	reference := c.noEffect(g)
	switch {
	case !c.compares() || c.Figure.known() || c.asked == level:
	case c.asked == alike:
		b.Box(c.bounds[0], y-half, c.bounds[1], y+half, brush.Faded(t.Accent, claimedTint))
	case c.asked == more:
		b.Box(reference, y-half, high, y+half, brush.Faded(t.Muted, claimedTint))
	default:
		b.Box(low, y-half, reference, y+half, brush.Faded(t.Muted, claimedTint))
	}
	if c.asked != level {
		b.Line(2, func(end int) (float64, float64) { return reference, y + []float64{-0.5, 0.5}[end] },
			brush.Stroke{Color: t.Rule, Width: 1, Dash: []vg.Length{2, 3}})
	}
	if !c.compares() || math.IsNaN(c.Ours.Value) {
		words := experiment.Dash
		if !c.compares() {
			words = c.OursText()
		}
		b.Label(low, y-0.14, words, brush.SmallText, t.Muted, brush.RightOf)
		if !c.compares() {
			return
		}
	}
	drawAcross(b, y+0.2, c.Figure, brush.Look{Hue: t.Muted, Shape: brush.Plus}, 4)
	drawAcross(b, y-0.14, c.Ours, lookOf(t, c.Match), 4)
}
