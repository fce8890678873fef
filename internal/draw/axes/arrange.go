package axes

import (
	"math"
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/portable"
)

// Placed is a panel with its place on the canvas. The origin is the canvas's bottom left corner.
type Placed struct {
	Panel  Panel
	Rect   vg.Rectangle
	Detail brush.Detail
}

// Frame returns the panel's frame at its place.
func (p Placed) Frame(theme *brush.Theme, touch bool) brush.Frame {
	size := p.Rect.Size()
	return brush.Frame{Width: size.X, Height: size.Y, Theme: theme, Touch: touch, Detail: p.Detail}
}

// Narrow is the minimum width, in pixels, of a canvas that shows several panels.
const Narrow = 700

const (
	margin = 8  // distance around all panels
	gutter = 24 // distance between two panels, with a hairline in the middle
	grain  = 4  // step of the grid to which places are aligned
)

// Arrange places panels in reading order on a canvas of the given size in pixels. The panels form a grid of at most
// three columns, and the panels of a short last row are wider. On a canvas narrower than Narrow, Arrange places a
// single panel: the panel whose ID equals only or, if no panel has that ID, the first panel.
func Arrange(width, height vg.Length, panels []Panel, only string) []Placed {
	if len(panels) == 0 {
		return nil
	}
	if width < Narrow {
		shown := panels[0]
		for _, p := range panels {
			if p.ID() == only {
				shown = p
			}
		}
		panels = []Panel{shown}
	}
	columns := columnsFor(len(panels), width, height)
	rows := (len(panels) + columns - 1) / columns
	ys := cuts(height, rows)
	placed := make([]Placed, 0, len(panels))
	for r := range rows {
		row := panels[r*columns : min((r+1)*columns, len(panels))]
		xs := cuts(width, len(row))
		for i, p := range row {
			placed = append(placed, Placed{Panel: p, Rect: vg.Rectangle{
				Min: vg.Point{X: xs[i].from, Y: height - ys[r].to},
				Max: vg.Point{X: xs[i].to, Y: height - ys[r].from},
			}})
		}
	}
	return placed
}

// heroShare is the main panel's share of the longer side. If the other panels are beside it in two columns, its share is
// heroBeside, so that the main panel always has 55 % of the area.
const (
	heroShare  = 0.7
	heroBeside = 0.62
)

// Feature places panels around the main panel, which is the panel whose ID equals hero or, if no panel has that ID, the
// first panel. The main panel gets most of the canvas. The others are small, beside or below the main panel, and keep
// their order. On a canvas narrower than Narrow, or if alone is true, Feature places only the main panel.
func Feature(width, height vg.Length, panels []Panel, hero string, alone bool) []Placed {
	if len(panels) == 0 {
		return nil
	}
	at := max(0, slices.IndexFunc(panels, func(p Panel) bool { return p.ID() == hero }))
	rest := slices.Delete(slices.Clone(panels), at, at+1)
	whole := vg.Rectangle{Max: vg.Point{X: width, Y: height}}
	if width < Narrow || alone || len(rest) == 0 {
		return []Placed{{Panel: panels[at], Rect: inset(whole)}}
	}
	best, least := []Placed(nil), math.Inf(1)
	for _, beside := range []bool{true, false} {
		for lines := 1; lines <= min(2, len(rest)); lines++ {
			placed, cost := feature(whole, panels[at], rest, beside, lines)
			if cost < least {
				best, least = placed, cost
			}
		}
	}
	return best
}

// FewPanels is the maximum number of panels that the page initially shows beside the main panel.
const FewPanels = 2

const (
	foldStrip    = 32 // height of the strip for the button that shows and hides the other panels
	foldCorner   = 88 // width of the corner for the button that shows the other panels and states their number
	unfoldCorner = 64 // width of the corner for the button that hides the other panels
)

// Shown selects the visible panels of a scene.
type Shown struct {
	Hero   string   // ID of the large panel
	Beside []string // IDs of the small panels, at most FewPanels
	All    bool     // show all other panels as small panels
	Alone  bool     // show no small panels
}

// Hides reports whether the panel with the given ID is hidden.
func (s Shown) Hides(panels []Panel, id string) bool {
	return Folds(panels) && !s.All && id != s.Hero && !slices.Contains(s.Beside, id)
}

// Folds reports whether there are enough panels to hide some of them.
func Folds(panels []Panel) bool { return len(panels) > 1+FewPanels }

// Folded places the panels that are not hidden, in the same way as Feature. If panels can be hidden, Folded leaves space
// for a button in the lower right corner.
func Folded(width, height vg.Length, panels []Panel, shown Shown) []Placed {
	if !Folds(panels) {
		return Feature(width, height, panels, shown.Hero, shown.Alone)
	}
	few := slices.DeleteFunc(slices.Clone(panels), func(p Panel) bool { return shown.Hides(panels, p.ID()) })
	placed := Feature(width, height, few, shown.Hero, shown.Alone)
	if len(placed) < 2 {
		return placed
	}
	beside := placed[1].Rect.Min.X > placed[0].Rect.Max.X
	for i := range placed[1:] {
		r := &placed[1+i].Rect
		if beside {
			share := (height - foldStrip) / height
			r.Min.Y, r.Max.Y = snapped(foldStrip+vg.Length(share*r.Min.Y)), snapped(foldStrip+vg.Length(share*r.Max.Y))
		} else {
			corner := vg.Length(foldCorner)
			if shown.All {
				corner = unfoldCorner
			}
			share := (width - corner) / width
			r.Min.X, r.Max.X = snapped(share*r.Min.X), snapped(share*r.Max.X)
		}
	}
	return placed
}

// feature places the main panel, and the other panels in lines beside or below it. The returned cost measures how far
// the panels' shapes are from their ideal shapes.
func feature(whole vg.Rectangle, hero Panel, rest []Panel, beside bool, lines int) (placed []Placed, cost float64) {
	size := whole.Size()
	first, second := whole, whole
	if beside {
		share := vg.Length(heroShare)
		if lines > 1 {
			share = heroBeside
		}
		x := snapped(share * size.X)
		first.Max.X, second.Min.X = x, x
	} else {
		y := size.Y - snapped(heroShare*size.Y)
		first.Min.Y, second.Max.Y = y, y
	}
	placed = []Placed{{Panel: hero, Rect: inset(first)}}
	along := (len(rest) + lines - 1) / lines
	cost = misshape(placed[0].Rect, 1.35)
	if p, is := hero.(*Plane); is && p.Equal { // avoid empty bands on both sides
		cost = 2.5 * misshape(placed[0].Rect, 1.1)
	}
	for i, p := range rest {
		line := i / along
		n := min(along, len(rest)-line*along) // number of panels in this line
		across := span{vg.Length(line) / vg.Length(lines), vg.Length(line+1) / vg.Length(lines)}
		down := span{vg.Length(i%along) / vg.Length(n), vg.Length(i%along+1) / vg.Length(n)}
		if !beside {
			across, down = down, across
		}
		part := second.Size()
		r := inset(vg.Rectangle{
			Min: vg.Point{X: second.Min.X + snapped(across.from*part.X), Y: second.Max.Y - snapped(down.to*part.Y)},
			Max: vg.Point{X: second.Min.X + snapped(across.to*part.X), Y: second.Max.Y - snapped(down.from*part.Y)},
		})
		placed = append(placed, Placed{Panel: p, Rect: r, Detail: brush.Mini})
		cost += misshape(r, 1.5)/float64(len(rest)) +
			float64(0.03*math.Max(0, 130-float64(r.Size().Y))) + float64(0.01*math.Max(0, 190-float64(r.Size().X)))
	}
	return placed, cost
}

// misshape returns how far a rectangle's ratio of width to height deviates from the given ratio.
func misshape(r vg.Rectangle, ratio float64) float64 {
	size := r.Size()
	return math.Abs(portable.Log(float64(size.X/max(1, size.Y)) / ratio))
}

func snapped(v vg.Length) vg.Length {
	return vg.Length(grain * vg.Length(math.Round(float64(v/grain))))
}

// inset returns a panel's area without the half gutter or the margin around it.
func inset(r vg.Rectangle) vg.Rectangle {
	return vg.Rectangle{Min: r.Min.Add(vg.Point{X: margin, Y: margin}), Max: r.Max.Sub(vg.Point{X: margin, Y: margin})}
}

// columnsFor returns a number of columns, at most three, for n panels. It prefers panels of 4:3 and a full last row.
func columnsFor(n int, width, height vg.Length) int {
	best, least := 1, math.Inf(1)
	for columns := 1; columns <= min(n, 3); columns++ {
		rows := (n + columns - 1) / columns
		aspect := float64(width) / float64(columns) / (float64(height) / float64(rows))
		cost := math.Abs(portable.Log(aspect / (4. / 3)))
		// Penalise a short last row, because it breaks the grid.
		cost += float64(0.35 * float64(rows*columns-n))
		if cost < least {
			best, least = columns, cost
		}
	}
	return best
}

type span struct{ from, to vg.Length }

// cuts divides a length into n spans with gutters between them, aligned to the grain.
func cuts(length vg.Length, n int) []span {
	free := length - 2*margin - vg.Length(vg.Length(n-1)*gutter)
	spans := make([]span, n)
	for i := range spans {
		from := margin + vg.Length(vg.Length(i)*(free/vg.Length(n)+gutter))
		spans[i] = span{snapped(from), snapped(from + free/vg.Length(n))}
	}
	spans[n-1].to = length - margin
	return spans
}

// Backdrop draws the background of the panels: paper, and hairlines in the middle of the gaps between neighbours.
func Backdrop(c draw.Canvas, placed []Placed, theme *brush.Theme) {
	c.SetColor(theme.Paper)
	c.Fill(c.Rectangle.Path())
	var p vg.Path
	for _, a := range placed {
		for _, b := range placed {
			if gap := b.Rect.Min.X - a.Rect.Max.X; gap > 0 && gap <= gutter+grain &&
				overlap(a.Rect.Min.Y, a.Rect.Max.Y, b.Rect.Min.Y, b.Rect.Max.Y) {
				x := c.Min.X + vg.Length((a.Rect.Max.X+b.Rect.Min.X)/2)
				p.Move(vg.Point{X: x, Y: c.Min.Y + a.Rect.Min.Y})
				p.Line(vg.Point{X: x, Y: c.Min.Y + a.Rect.Max.Y})
			}
			if gap := a.Rect.Min.Y - b.Rect.Max.Y; gap > 0 && gap <= gutter+grain &&
				overlap(a.Rect.Min.X, a.Rect.Max.X, b.Rect.Min.X, b.Rect.Max.X) {
				y := c.Min.Y + vg.Length((a.Rect.Min.Y+b.Rect.Max.Y)/2)
				p.Move(vg.Point{X: c.Min.X + a.Rect.Min.X, Y: y})
				p.Line(vg.Point{X: c.Min.X + a.Rect.Max.X, Y: y})
			}
		}
	}
	if len(p) > 0 {
		brush.Stroke{Color: theme.Hairline, Width: 1}.Set(c)
		c.Stroke(p)
	}
}

func overlap(a0, a1, b0, b1 vg.Length) bool { return a0 < b1 && b0 < a1 }

// Draw draws the whole picture on a canvas. The panels' places are relative to the canvas's lower left corner.
func Draw(c draw.Canvas, placed []Placed, theme *brush.Theme, touch bool) {
	Backdrop(c, placed, theme)
	for _, p := range placed {
		on := draw.Canvas{Canvas: c.Canvas, Rectangle: p.Rect.Add(c.Min)}
		for _, l := range p.Panel.Layers(p.Frame(theme, touch)) {
			l.Draw(on)
		}
	}
}

// DrawTooltip draws the lines of a pick in a box near a point of the canvas. The box is above and to the right of the
// point if space allows, and always inside the canvas. Lines that are too long for the canvas are truncated with an
// ellipsis.
func DrawTooltip(c draw.Canvas, t *brush.Theme, p Pick, at vg.Point) {
	if len(p.Lines) == 0 {
		return
	}
	const padding, away, leading = 8, 14, 17
	f := font.From(brush.Sans, brush.LabelText)
	lines := make([]string, len(p.Lines))
	var width vg.Length
	for i, s := range p.Lines {
		lines[i] = brush.Shorten(s, f, c.Max.X-c.Min.X-2*padding-2)
		width = max(width, brush.Text.Width(lines[i], f))
	}
	size := vg.Point{X: width + 2*padding, Y: vg.Length(vg.Length(len(lines))*leading) + 2*padding - 4}
	corner := at.Add(vg.Point{X: away, Y: away})
	if corner.X+size.X > c.Max.X {
		corner.X = at.X - away - size.X
	}
	if corner.Y+size.Y > c.Max.Y {
		corner.Y = at.Y - away - size.Y
	}
	corner.X = max(c.Min.X+1, min(corner.X, c.Max.X-size.X-1))
	corner.Y = max(c.Min.Y+1, min(corner.Y, c.Max.Y-size.Y-1))
	box := vg.Rectangle{Min: corner, Max: corner.Add(size)}
	c.SetColor(t.Surface)
	c.Fill(box.Path())
	brush.Stroke{Color: t.Rule, Width: 1}.Set(c)
	c.Stroke(box.Path())
	for i, s := range lines {
		col := t.Ink
		if i > 0 {
			col = t.Muted
		}
		y := box.Max.Y - padding - vg.Length(vg.Length(i)*leading) - font.Length(0.8*f.Size)
		brush.Text.Line(c, s, f, col, vg.Point{X: box.Min.X + padding, Y: y})
	}
}
