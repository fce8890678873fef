package runs

import (
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
)

// Columns is a panel with one column for each method.
type Columns struct {
	Name, Heading string
	Timeline      *timeline.Timeline
	// List returns the columns. If it returns nil, Lacks says why.
	List  func() []Column
	Lacks func() string
	// Label names the horizontal axis.
	Label string
	Y     func(list []Column) axes.Axis
	// Tints lists the strength of the method's colour in each part of a column, starting with the lowest part; 1 is the
	// colour itself. Radius is the size of the method's marker in the middle of the lowest part.
	Tints  []float64
	Radius vg.Length
	// Unknown is the text shown until the first column is known.
	Unknown string
	Legend  func(t *brush.Theme) []axes.Entry
	Text    func() string
}

// Column is one column of Columns.
type Column struct {
	Method, Title string
	Parts         []float64 // heights, starting with the lowest part; nil until known
	Note          string    // text above the column
	Lines         []string  // description of the column
}

// Top returns the total height of all parts.
func (c *Column) Top() (top float64) {
	for _, part := range c.Parts {
		top += part
	}
	return top
}

// Panel returns the panel that draws the columns.
func (c *Columns) Panel() *axes.Plane {
	p := &axes.Plane{Name: c.Name, Heading: c.Heading, Text: c.Text, Legend: c.Legend, Find: c.find}
	p.Axes = func() (x, y axes.Axis) {
		list := c.List()
		return axes.Categories(c.Label, list, func(o Column) string { return o.Title }), c.Y(list)
	}
	p.Sheets = func() []axes.Sheet { return []axes.Sheet{{Draw: c.draw}} }
	return p
}

func (c *Columns) draw(b *brush.Brush) {
	list := c.List()
	if list == nil {
		b.Words(c.Lacks())
		return
	}
	for i, one := range list {
		if one.Parts == nil {
			continue
		}
		look, x, from := b.Theme.Look(one.Method), float64(i), 0.0
		for j, part := range one.Parts {
			const half = 0.3
			hue := look.Hue
			if c.Tints[j] != 1 {
				hue = b.Theme.Tint(hue, c.Tints[j])
			}
			b.Box(x-half, from, x+half, from+part, hue)
			from += part
		}
		b.Marker(x, one.Parts[0]/2, look.Shape, c.Radius, look.Hue, true)
		if b.Frame.Detail == brush.Full {
			b.Text(x, from, one.Note, brush.SmallText, b.Theme.Ink, brush.Above)
		}
	}
	if b.Frame.Detail == brush.Full && len(list) > 0 && list[0].Parts == nil {
		b.Words(c.Unknown)
	}
}

func (c *Columns) find(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	list := c.List()
	x, _ := b.World(at)
	i := int(math.Round(x))
	if i < 0 || i >= len(list) || at.Y < b.Canvas.Min.Y {
		return axes.Pick{}, false
	}
	pick := axes.Pick{K: -1, At: at, Lines: list[i].Lines}
	if r := c.Timeline.FindFrom(list[i].Method, 0); r.Run != nil {
		pick.Run = r.Name()
	}
	return pick, true
}
