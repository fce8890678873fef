package axes

import (
	"math"
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/brush"
)

// axes holds the two axes of a plane, and divides a space between the axes and the data. The horizontal axis is below
// the data, and the vertical axis is to the left of them.
type axes struct {
	x, y           Axis
	xTicks, yTicks []Tick
	bare           bool // only scales: no axes are drawn, and the data fill the space
	mini           bool // names are at the ends of the axes
	print          bool // category names use several rows if necessary, and the vertical axis's name stays inside the panel
	tiers          int  // number of rows of the horizontal axis's tick labels, ≥ 1
	below          bool // the horizontal axis's name is below the row of labels, because that row has no space for it

	space  vg.Rectangle
	data   vg.Rectangle // area of the data; empty or reversed if the texts leave no space
	line   vg.Point     // x of the vertical axis and y of the horizontal axis
	labels vg.Point     // right end of the vertical axis's tick labels, and lower end of the horizontal axis's labels
}

// Tick is a mark on an axis. A tick without a label is half as long.
type Tick struct {
	Value float64
	Label string
	faint float64 // share by which the tick has faded while its axis moves, from 0 to 1
}

const (
	axisWidth = 1 // width of lines and ticks in pixels
	labelGap  = 4 // distance between an axis's name and its tick labels, in pixels
	maxTiers  = 3 // maximum number of rows for category names
	// upperShare is the share of a tick label's height above its tick on the vertical axis. It is less than half, because
	// digits have no descenders.
	upperShare = 0.416
	// miniName is the height of the name of a Mini's vertical axis.
	miniName = 16
)

var (
	tickFont  = font.From(brush.Sans, brush.SmallText)
	labelFont = font.From(brush.Sans, brush.LabelText)
)

// newAxes places the axes in a space. The ranges must be valid, like those of Axis.Repaired.
func newAxes(x, y Axis, space vg.Rectangle, bare, print bool) *axes {
	return (&axes{x: x, y: y, space: space, bare: bare, print: print}).place()
}

// newMiniAxes places axes with their names at the ends. The horizontal axis's name is in the row of the tick labels, or
// below that row if the name would replace a label. The vertical axis's name is above that axis.
func newMiniAxes(x, y Axis, space vg.Rectangle) *axes {
	a := (&axes{x: x, y: y, space: space, mini: true}).place()
	if a.bare || x.Label == "" || a.below || !a.hidesTick() {
		return a
	}
	return (&axes{x: x, y: y, space: space, mini: true, below: true}).place()
}

// nameFrom returns the x at which the name of a Mini's horizontal axis begins if the name is in the row of tick labels.
func (a *axes) nameFrom() vg.Length {
	return a.data.Max.X - brush.Text.Width(brush.Shorten(a.x.Label, tickFont, a.space.Size().X), tickFont)
}

// hidesTick reports whether the name of a Mini's horizontal axis covers a tick label.
func (a *axes) hidesTick() bool {
	area, scale := draw.Canvas{Rectangle: a.data}, a.x.scale(a.data.Min.X, a.data.Max.X)
	return slices.ContainsFunc(a.xTicks, func(k Tick) bool {
		x := scale.At(k.Value)
		return k.Label != "" && area.ContainsX(x) && x+vg.Length(brush.Text.Width(k.Label, tickFont)/2) > a.nameFrom()-labelGap
	})
}

func (a *axes) place() *axes {
	x, y, space, bare := a.x, a.y, a.space, a.bare
	size := space.Size()
	a.data = space
	least := vg.Length(leastWidth)
	if a.mini {
		least = leastMini
	}
	if bare || size.X < least || size.Y < leastHeight {
		a.bare = true
		return a
	}
	a.xTicks, a.yTicks = x.ticks(size.X, tickSpacingX), y.ticks(size.Y, tickSpacingY)
	tickHeight := brush.Text.Height(tickFont)

	a.labels = space.Min
	if a.mini {
		a.below = a.below || brush.Text.Width(x.Label, tickFont) > 0.35*size.X
		if a.below {
			a.labels.Y += brush.Text.Height(tickFont)
		}
	} else if x.Label != "" {
		a.labels.Y += brush.Text.Height(labelFont) + labelGap
	}
	if y.Label != "" && !a.mini {
		a.labels.X += brush.Text.Height(labelFont) + brush.Text.Descent(labelFont) + labelGap
	}
	yWidest := widest(a.yTicks)
	a.labels.X += yWidest

	a.line = a.labels
	a.tiers = 1
	if widest(a.xTicks) > 0 {
		if a.print || x.Tiers && !a.mini {
			a.tiers = a.tiersFor(a.spacing(space.Max.X - a.labels.X))
		}
		a.line.Y += vg.Length(vg.Length(a.tiers) * tickHeight)
	}
	if len(a.xTicks) > 0 {
		a.line.Y += tickSize
	}
	a.data.Min.Y = a.line.Y + axisWidth/2.
	if len(a.yTicks) > 0 {
		a.line.X += tickSize
	}
	a.data.Min.X = a.line.X + axisWidth/2.
	if yWidest > 0 {
		// Move the axis's line by the width of a space in the tick font. Move the data by the width of a space in the label
		// font, which is wider.
		a.line.X += brush.Text.Width(" ", tickFont)
		a.data.Min.X += brush.Text.Width(" ", labelFont)
	}

	nameX, nameY, top := brush.Text.Width(x.Label, labelFont)/2, brush.Text.Width(y.Label, labelFont)/2, space.Max.Y
	if a.mini {
		nameX, nameY = 0, 0
		if y.Label != "" {
			top -= miniName
		}
	}
	if a.print { // move the name, so that the data keep their place
		nameY = 0
	}
	a.data.Max.X = endOfData(x, a.data.Min.X, space.Max.X, nameX, a.xTicks, func(label string) vg.Length {
		return brush.Text.Width(label, tickFont) / 2
	})
	if left := a.data.Max.X - a.data.Min.X; a.print && left < size.X/2 && len(x.Categories) == 0 {
		a.xTicks = x.Ticks(left, tickSpacingX) // long names beside the vertical axis leave less space than estimated
	}
	a.data.Max.Y = endOfData(y, a.data.Min.Y, top, nameY, a.yTicks, func(string) vg.Length {
		return upperShare * tickHeight
	})
	return a
}

// spacing returns the distance between the categories of the horizontal axis if they share the given width. The name of
// the last category must also fit in that width.
func (a *axes) spacing(room vg.Length) vg.Length {
	n := len(a.x.Categories)
	if n == 0 {
		return room
	}
	room -= tickSize + brush.Text.Width(" ", labelFont)
	half := vg.Length(brush.Text.Width(a.x.Categories[n-1], tickFont) / 2)
	return min(room/vg.Length(n), (room-half)/(vg.Length(n)-0.5))
}

// tiersFor returns the number of rows that category names need at the given spacing, so that neighbours in a row do not
// overlap. It is at most maxTiers.
func (a *axes) tiersFor(spacing vg.Length) int {
	for tiers := 1; tiers < maxTiers; tiers++ {
		ends, overlaps, seen := make([]vg.Length, tiers), false, 0
		for i, label := range a.x.Categories {
			// If many categories are close together, only some ticks have names.
			if label == "" || a.xTicks[i].Label == "" {
				continue
			}
			half := vg.Length(brush.Text.Width(label, tickFont) / 2)
			middle, tier := vg.Length(spacing*vg.Length(i)), seen%tiers
			if seen >= tiers && middle-half < ends[tier]+labelGap {
				overlaps = true
			}
			ends[tier] = middle + half
			seen++
		}
		if !overlaps {
			return tiers
		}
	}
	return maxTiers
}

// widest returns the width of the widest label, or 0 if there are no labels.
func widest(ticks []Tick) (width vg.Length) {
	for _, t := range ticks {
		width = max(width, brush.Text.Width(t.Label, tickFont))
	}
	return width
}

// endOfData returns the end of the data on an axis. The axis starts at the coordinate from, and no text may extend
// beyond the coordinate to. The texts are the name, which is centred on the range, and the tick labels, which extend
// beyond their ticks. On a logarithmic axis, the data may end earlier than necessary.
func endOfData(a Axis, from, to, name vg.Length, ticks []Tick, beyond func(label string) vg.Length) vg.Length {
	share := a.scale(0, 1)
	end, furthest := to, to
	text := func(v float64, beyond vg.Length) {
		at := share.At(v)
		if reach := from + vg.Length(at*(to-from)) + beyond; at > 0 && reach > furthest {
			furthest, end = reach, from+(to-beyond-from)/at
		}
	}
	if name > 0 {
		text((a.Min+a.Max)/2, name)
	}
	for _, t := range ticks {
		if t.Label != "" {
			text(t.Value, beyond(t.Label))
		}
	}
	return end
}

func (a *axes) draw(c vg.Canvas, t *brush.Theme) {
	if !a.bare {
		a.drawHorizontal(c, t)
		a.drawVertical(c, t)
	}
}

func (a *axes) drawHorizontal(c vg.Canvas, t *brush.Theme) {
	until, after := a.space.Max.X+roomForTick, vg.Length(math.Inf(-1))
	switch {
	case a.x.Label == "":
	case a.mini:
		name := brush.Shorten(a.x.Label, tickFont, a.space.Size().X)
		if a.below {
			at := vg.Point{X: a.space.Max.X + roomForTick/2 - brush.Text.Width(name, tickFont), Y: a.space.Min.Y + brush.Text.Base(tickFont)}
			brush.Text.Line(c, name, tickFont, t.Ink, at)
			break
		}
		until = a.nameFrom()
		brush.Text.Line(c, name, tickFont, t.Ink, vg.Point{X: until, Y: a.labels.Y + brush.Text.Base(tickFont)})
		until -= labelGap
	default:
		brush.Text.Line(c, a.x.Label, labelFont, t.Muted, vg.Point{
			X: (a.data.Min.X + a.data.Max.X - brush.Text.Width(a.x.Label, labelFont)) / 2,
			Y: a.space.Min.Y + brush.Text.Base(labelFont),
		})
	}
	area := draw.Canvas{Rectangle: a.data}
	scale := a.x.scale(a.data.Min.X, a.data.Max.X)
	var marks, line vg.Path
	named := 0
	for _, k := range a.xTicks {
		x := scale.At(k.Value)
		if !area.ContainsX(x) {
			continue
		}
		if half := vg.Length(brush.Text.Width(k.Label, tickFont) / 2); x+half <= until && x-half >= after {
			if a.mini { // a Mini may have too little space for its ticks
				after = x + half + labelGap
			}
			row := vg.Length(a.tiers - 1 - named%a.tiers)
			brush.Text.Line(c, k.Label, tickFont, k.fading(t.Muted),
				vg.Point{X: x - half, Y: a.labels.Y + brush.Text.Base(tickFont) + vg.Length(row*brush.Text.Height(tickFont))})
		}
		if k.Label != "" {
			named++
		}
		marks.Move(vg.Point{X: x, Y: a.line.Y - k.length()})
		marks.Line(vg.Point{X: x, Y: a.line.Y})
	}
	line.Move(vg.Point{X: a.data.Min.X, Y: a.line.Y})
	line.Line(vg.Point{X: a.data.Max.X, Y: a.line.Y})
	drawRules(c, t, marks, line)
}

func (a *axes) drawVertical(c vg.Canvas, t *brush.Theme) {
	switch {
	case a.y.Label == "":
	case a.mini:
		name := brush.Shorten(a.y.Label, tickFont, a.space.Size().X)
		brush.Text.Line(c, name, tickFont, t.Ink, vg.Point{X: a.space.Min.X, Y: a.space.Max.Y - font.Length(0.8*tickFont.Size)})
	default:
		c.Push()
		c.Rotate(math.Pi / 2) // x now points upwards, and y to the left
		name := a.y.Label
		if a.print {
			name = brush.Shorten(name, labelFont, a.space.Size().Y)
		}
		width := brush.Text.Width(name, labelFont)
		from := (a.data.Min.Y + a.data.Max.Y - width) / 2
		if a.print {
			from = max(a.space.Min.Y, min(from, a.space.Max.Y-width))
		}
		brush.Text.Line(c, name, labelFont, t.Muted,
			vg.Point{X: from, Y: brush.Text.Base(labelFont) - brush.Text.Height(labelFont) - a.space.Min.X})
		c.Pop()
	}
	area := draw.Canvas{Rectangle: a.data}
	scale := a.y.scale(a.data.Min.Y, a.data.Max.Y)
	var marks, line vg.Path
	for _, k := range a.yTicks {
		y := scale.At(k.Value)
		if !area.ContainsY(y) {
			continue
		}
		brush.Text.Line(c, k.Label, tickFont, k.fading(t.Muted), vg.Point{
			X: a.labels.X - brush.Text.Width(k.Label, tickFont),
			Y: y + brush.Text.Base(tickFont) - vg.Length((1-upperShare)*brush.Text.Height(tickFont)),
		})
		marks.Move(vg.Point{X: a.line.X - k.length(), Y: y})
		marks.Line(vg.Point{X: a.line.X, Y: y})
	}
	line.Move(vg.Point{X: a.line.X, Y: a.data.Min.Y})
	line.Line(vg.Point{X: a.line.X, Y: a.data.Max.Y})
	drawRules(c, t, marks, line)
}

// length returns the length of a tick in pixels.
func (t Tick) length() vg.Length {
	if t.Label == "" {
		return tickSize / 2
	}
	return tickSize
}

func drawRules(c vg.Canvas, t *brush.Theme, paths ...vg.Path) {
	brush.Stroke{Color: t.Rule, Width: axisWidth}.Set(c)
	for _, p := range paths {
		if len(p) > 0 {
			c.Stroke(p)
		}
	}
}
