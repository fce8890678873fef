package kinds

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// Bars is a panel that shows shares of a whole as draggable bars, with a line that marks equal shares. If there are few
// bars, each is a handle that visitors can grab anywhere in its column. If there are many, the pointer sets the bar
// under it, and the left and right keys move a single handle from bar to bar.
type Bars struct {
	Name, Heading string
	Label         string // name of the axis that numbers the bars, such as "goal"
	// Shares returns the current shares, which must sum to 1.
	Shares func() []float64
	// Of returns a bar's name, such as "goal 3".
	Of func(i int) string
	// Look returns a bar's look. If it is nil, all bars look the same and have no markers.
	Look func(t *brush.Theme, i int) brush.Look
	// Run returns the name of a bar's track, or "". It may be nil.
	Run func(i int) string
	// Cell returns the row or column whose sum a bar shows. It may be nil.
	Cell func(i int) Cell
	// Text returns a description of the panel for visitors who cannot see it.
	Text func() string
	// Cursor is the index of the bar with the single handle, if there are many bars. Drags change it.
	Cursor int
}

const (
	fewBars    = 12
	wideBar    = 24 // minimum width of a bar that is a separate handle, in pixels
	paintBars  = "-paint"
	cursorBars = "-bar"
)

// Panel returns the panel with the bars.
func (s *Bars) Panel() *axes.Plane {
	p := &axes.Plane{Name: s.Name, Heading: s.Heading, Text: s.Text}
	p.Axes = func() (axes.Axis, axes.Axis) {
		shares := s.Shares()
		n := len(shares)
		names := make([]string, n)
		every := numberedEvery(vg.Length(280)/vg.Length(n), n, roomAcross)
		for i := range names {
			if every == 1 || (i+1)%every == 0 {
				names[i] = strconv.Itoa(i + 1)
			}
		}
		// The axis ends at a small multiple of an equal share, and grows if a visitor drags a bar past its end.
		const room, above = 8, 1.05
		most := min(1, room/float64(n))
		for _, v := range shares {
			most = max(most, min(1, above*v))
		}
		return axes.Axis{Label: s.Label, Categories: names}, axes.Axis{Label: "share", Min: 0, Max: most}
	}
	p.Sheets = func() []axes.Sheet {
		k := axes.Key("bars " + s.Name)
		for _, v := range s.Shares() {
			k.Number(v)
		}
		return []axes.Sheet{{Key: string(k), Draw: s.draw}}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		return []axes.Entry{{Label: "equal shares", Stroke: equalStroke(t)}}
	}
	p.Grips = func() []axes.Grip {
		shares := s.Shares()
		if len(shares) > fewBars {
			i := s.cursor(len(shares))
			return []axes.Grip{s.grip(s.Name+cursorBars, i, shares[i], 1)}
		}
		grips := make([]axes.Grip, len(shares))
		for i, v := range shares {
			grips[i] = s.grip(s.Name+"-"+strconv.Itoa(i+1), i, v, 0)
		}
		return grips
	}
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		shares := s.Shares()
		x, _ := b.World(at)
		i := int(math.Round(x))
		// A bar may have height 0, so a point slightly above or below the panel also hits the bar.
		const over = 6
		if i < 0 || i >= len(shares) || at.Y < b.Canvas.Min.Y-over || at.Y > b.Canvas.Max.Y+over {
			return axes.Pick{}, false
		}
		pick := axes.Pick{Handle: s.Name + paintBars, K: -1, At: at, Lines: []string{s.Of(i), s.value(shares, i)}}
		if len(shares) <= fewBars {
			pick.Handle = s.Name + "-" + strconv.Itoa(i+1)
		}
		if s.Run != nil {
			pick.Run = s.Run(i)
		}
		if s.Cell != nil {
			pick.Thing = s.Cell(i)
		}
		return pick, true
	}
	if s.Cell != nil {
		p.MarkThing = s.markThing
	}
	return p
}

// markThing frames the bar of a cell's row or column, over the full height of the panel.
func (s *Bars) markThing(b *brush.Brush, thing any) {
	c, _ := thing.(Cell)
	for i := range s.Shares() {
		if own := s.Cell(i); own.Row > 0 && own.Row == c.Row || own.Column > 0 && own.Column == c.Column {
			left, right := b.At(float64(i)-0.5, 0), b.At(float64(i)+0.5, 0)
			b.Framed(vg.Rectangle{Min: vg.Point{X: left.X, Y: b.Canvas.Min.Y}, Max: vg.Point{X: right.X, Y: b.Canvas.Max.Y}})
		}
	}
}

func equalStroke(t *brush.Theme) brush.Stroke {
	return brush.Stroke{Color: t.Muted, Width: 1, Dash: []vg.Length{4, 3}}
}

// cursor returns the index of the bar that has the single handle, if there are n bars.
func (s *Bars) cursor(n int) int { return min(max(s.Cursor, 0), n-1) }

func (s *Bars) value(shares []float64, i int) string {
	return fmt.Sprintf("share %s, equal %s", timeline.Number(shares[i]), timeline.Number(1/float64(len(shares))))
}

func (s *Bars) grip(id string, i int, share, stepX float64) axes.Grip {
	const coarse, fine = 0.01, 0.001
	g := axes.Grip{ID: id, Label: "share of " + s.Of(i), Value: timeline.Number(share), X: float64(i), Y: share, StepX: stepX, StepY: coarse}
	if stepX > 0 {
		g.StepY = fine
	}
	if s.Run != nil {
		g.Run = s.Run(i)
	}
	return g
}

// Drag returns the shares after a handle of the panel is moved to a world point. ok is false for other handles, or if the
// shares do not change.
func (s *Bars) Drag(handle string, x, y float64) (shares []float64, ok bool) {
	own, found := strings.CutPrefix(handle, s.Name)
	if !found {
		return nil, false
	}
	now := s.Shares()
	i := int(math.Round(min(max(x, 0), float64(len(now)-1))))
	switch own {
	case cursorBars:
		if i != s.cursor(len(now)) {
			s.Cursor = i
			return nil, false
		}
	case paintBars:
		s.Cursor = i
	default:
		number, err := strconv.Atoi(strings.TrimPrefix(own, "-"))
		if err != nil || number < 1 || number > len(now) {
			return nil, false
		}
		i = number - 1
	}
	return param.WithShare(now, i, y, 0), true
}

func (s *Bars) draw(b *brush.Brush) {
	shares := s.Shares()
	n := len(shares)
	width := b.X.Factor() // distance between two bars in pixels
	gap := 0.15
	if width < 4 {
		gap = 0
	}
	fill := func(i, last int) { // fill bars with separate calls, as Fill recommends
		b.Fill(vg.Rectangle{Min: b.At(float64(i)-0.5+gap, 0), Max: b.At(float64(last)+0.5-gap, shares[i])})
	}
	b.Canvas.SetColor(b.Theme.Ramp(0.45))
	for i := 0; i < n; i++ {
		if s.Look == nil {
			first := i
			for gap == 0 && i+1 < n && shares[i+1] == shares[first] {
				i++
			}
			fill(first, i)
			continue
		}
		look := s.Look(b.Theme, i)
		b.Canvas.SetColor(b.Theme.Tint(look.Hue, 0.45))
		fill(i, i)
		if width >= 10 {
			foot := b.At(float64(i), 0).Add(vg.Point{Y: 9})
			b.MarkerAt(foot, look.Shape, 4, look.Hue)
		}
	}
	equal := 1 / float64(n)
	b.HLine(equal, equalStroke(b.Theme))
	if n > fewBars || width < wideBar {
		return
	}
	for i, v := range shares {
		// Draw the text on a patch of paper, because the line of equal shares may cross it.
		at, side := b.At(float64(i), v), brush.Above
		if at.Y+brush.GripRadius+2*brush.SmallText > b.Canvas.Max.Y {
			side = brush.Below
		}
		b.LabelAt(at.Add(vg.Point{Y: brush.GripRadius * vg.Length(side.Y)}), numeral.Fixed(v, 2), brush.SmallText, b.Theme.Ink, side)
	}
}
