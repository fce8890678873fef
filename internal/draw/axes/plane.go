package axes

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/portable"
)

// Axis is one axis of a Plane. A plane repairs empty, reversed and infinite ranges, so that the picture shows axes for
// any data.
type Axis struct {
	Label    string // name; "_" and "^" start subscripts and superscripts, as in Brush.Text
	Short    string // name in a Mini; "" means Label
	Min, Max float64
	Log      bool
	Integer  bool // ticks at integers only
	// Knee and Loft squeeze a linear axis above Knee: values from Knee to Max take the share Loft of the axis's length.
	// Visitors then see points approach from far away. With Loft = 0, the axis is not squeezed.
	Knee, Loft float64
	// Categories, if not empty, replace the range. Category i is at i, and the first and last are half a unit from the
	// ends.
	Categories []string
	Brief      []string // name of each category in a Mini; nil means Categories
	Tiers      bool     // use several rows for category names if necessary, as print always does

	way *way // nil unless the axis is moving
}

// Categories returns an axis with one category for each value, in order from the left or from the bottom.
func Categories[V any](label string, values []V, name func(v V) string) Axis {
	a := Axis{Label: label}
	for _, v := range values {
		a.Categories = append(a.Categories, name(v))
	}
	return a
}

// Entry is one line of a legend: a sample and its meaning.
type Entry struct {
	Label  string
	Stroke brush.Stroke // piece of line; width 0 means no line
	Tick   bool         // draw the line upright, like a mark of Brush.Ticks
	Shape  brush.Shape  // shape of a marker in the colour Fill
	Fill   color.Color  // colour of the marker; nil means no marker
	Area   color.Color  // colour of a patch; nil means no patch
	Field  bool         // show the colours of a field from low to high
	Ramp   bool         // show the colours of a matrix from low to high
	Faint  bool         // draw the sample paler
	// Spectrum shows, as a row of colours, the colours of many items, from the last item to the first.
	Spectrum bool
	// Places shows, as a row of colours, the colours of places along a front, starting at the front's first end.
	Places bool
}

// colours returns a function that gives the sample's colour at u, from 0 on the left to 1 on the right. It returns nil
// if the sample is not a row of colours.
func (e Entry) colours(t *brush.Theme) func(u float64) color.NRGBA {
	switch {
	case e.Ramp:
		return t.Ramp
	case e.Places:
		return t.Place
	case e.Spectrum:
		return func(u float64) color.NRGBA { return t.Spectrum(1 - u) }
	case e.Field && e.Faint:
		return t.FaintField
	case e.Field:
		return t.Field
	}
	return nil
}

// EntryOf returns a legend entry with a look and a label.
func EntryOf(l brush.Look, label string) Entry {
	return Entry{Label: label, Stroke: l.Stroke(1.75), Shape: l.Shape, Fill: l.Hue}
}

// Entries returns a legend with one entry for each value.
func Entries[V any](values []V, entry func(i int, v V) Entry) []Entry {
	out := make([]Entry, len(values))
	for i, v := range values {
		out[i] = entry(i, v)
	}
	return out
}

// Sheet is one layer of a Plane's picture. A sheet with a Key may be cached, because it looks the same as long as Key,
// frame and axes are the same.
type Sheet struct {
	Key  string
	Draw func(b *brush.Brush)
	// Ghost draws the sheet as a ghost below other runs, with the ghost's stroke and letter. It may be nil.
	Ghost func(b *brush.Brush, s brush.Stroke, letter string)
	// GhostKey returns the ghost's key. ok is false if the ghost is empty. If GhostKey is nil, the ghost's key is Key.
	GhostKey func() (key string, ok bool)
	// Lines is true for the first sheet with lines of runs. Ghosts are drawn below that sheet.
	Lines bool
	// Mark marks a run at an iteration, or at the time marker if the iteration is negative. It may be nil.
	Mark func(b *brush.Brush, run string, k int)
}

// Grip is a handle in world coordinates.
type Grip struct {
	ID           string // unique ID within the scene
	Label, Value string
	Run          string // run that the grip belongs to, or ""
	X, Y         float64
	StepX, StepY float64 // change by one press of an arrow key
	Look         brush.Look
	// Plain is true if the sheets below draw the marker, so that the grip is only a ring around the marker.
	Plain bool
	// Keyed is true if only keys move the grip. A press then picks the item that Find returns below the grip.
	Keyed bool
}

// Plane is a Panel that draws on two axes. Its functions are called for every picture. They may read the scene but must
// not change it.
type Plane struct {
	Name, Heading string
	// Text returns the description for Describe.
	Text func() string
	// Axes returns the axes. If Bare is true, they serve only as scales.
	Axes func() (x, y Axis)
	// Equal gives a unit the same length on both axes by widening one of the ranges. It has no effect on logarithmic axes.
	Equal bool
	// Stretched overrides Equal in a Mini and a Thumbnail, so that the data fill these small pictures.
	Stretched bool
	// Sheets returns the layers above paper and axes, from bottom to top.
	Sheets func() []Sheet
	// Grips returns the handles. It may be nil.
	Grips func() []Grip
	// Find returns the item under a point that hits no grip. The brush converts between panel and world coordinates, but
	// cannot draw. Find may be nil.
	Find func(b *brush.Brush, at vg.Point) (Pick, bool)
	// Marks marks a run at an iteration, in addition to the Mark functions of the sheets. It may be nil.
	Marks func(b *brush.Brush, run string, k int)
	// MarkThing marks the Thing of a Pick. It may be nil.
	MarkThing func(b *brush.Brush, thing any)
	// Legend returns the legend, which is drawn in rows above the axes. It may be nil.
	Legend func(t *brush.Theme) []Entry
	// Key returns the legend of a Mini, for colours or markers that no larger panel explains. The legend should have few
	// entries with short labels. Key may be nil.
	Key func(t *brush.Theme) []Entry
	// Ends returns the names to write at the ends of the curves, if the panel is wide enough. It may be nil.
	Ends func(t *brush.Theme) []EndName
	// Crossings returns the places where curves first reach the height y, which is the level of a Reference. It is nil
	// for a plane without curves.
	Crossings func(t *brush.Theme, y float64) []Crossing
	// Words returns the areas of the sheets' texts, which references avoid. It may be nil.
	Words func(b *brush.Brush) []vg.Rectangle
	// Alike reports whether a ghost with the same axes also shows the same quantity. A nil Alike means that every ghost
	// with the same axes does.
	Alike func(ghost Panel) bool
	// Moving returns the places of moving items while runs advance. It may be nil.
	Moving Moving
	// Grows is true if the moving items are the ends of curves, which grow until the runs end.
	Grows bool
	// Bare omits the axes, for pictures that draw their own frame.
	Bare bool

	placed     brush.Memo[placing, *layout]
	store      brush.Store
	ghosts     []Ghost
	references []Reference
	travel     *Travel // transition of the axes; nil unless they are moving
}

var _ Panel = (*Plane)(nil)

// ID implements Panel.
func (p *Plane) ID() string { return p.Name }

// Title implements Panel.
func (p *Plane) Title() string { return p.Heading }

// Describe implements Panel.
func (p *Plane) Describe() string {
	text := p.Heading
	if p.Text != nil {
		text = p.Text()
	}
	for i, r := range p.references {
		if i == 0 {
			text += " Marked are: "
		} else {
			text += "; "
		}
		text += r.Label
	}
	if len(p.references) > 0 {
		text += "."
	}
	return text
}

// placing holds everything that a layout depends on.
type placing struct {
	frame brush.Frame
	key   string // key of the axes and the legend
}

// layout holds the places of all parts of a plane in one frame, for one state of the axes and the legend.
type layout struct {
	placing
	axes    *axes
	data    vg.Rectangle
	x, y    brush.Scale
	heading string
	second  string   // second line of the heading
	at      vg.Point // start of the heading on its baseline
	legend  []placedEntry
	shades  []shade
	ends    []EndName
}

type placedEntry struct {
	Entry
	at vg.Point // left end of the sample on the baseline
	measures
}

// measures holds the widths of a legend's parts.
type measures struct{ sample, gap, apart vg.Length }

// measuresOf returns the measures for a level of detail. They are smaller for a Mini, which has little space.
func measuresOf(d brush.Detail) measures {
	if d == brush.Mini {
		return measures{sample: 12, gap: 4, apart: 9}
	}
	return measures{sampleWidth, sampleGap, entryGap}
}

// width returns the width of an entry's sample and label.
func (m measures) width(e Entry) vg.Length {
	return m.sample + m.gap + brush.Text.Width(e.Label, font.From(brush.Sans, brush.SmallText))
}

// These are distances in a panel, in pixels.
const (
	topSpace       = 4
	sideSpace      = 4
	headingRow     = 24
	headingLeading = 15 // distance from a heading's first line to its second line
	legendRow      = 18
	sampleWidth    = 22
	sampleGap      = 6
	entryGap       = 16
	roomForTick    = 12 // space to the right of the axes for half a tick label
	tickSize       = 4
	tickSpacingX   = 64
	tickSpacingY   = 36
	leastWidth     = 120 // minimum width of a panel with axes and labels
	leastHeight    = 48
	leastMini      = 96 // the same for a Mini, which has few labels

	thumbnailEdge = 5 // distance between the edge of a thumbnail and its frame
)

// layout returns the layout for a frame. It recomputes the layout only if its inputs have changed.
func (p *Plane) layout(f brush.Frame) *layout {
	shades, x, y := p.shades()
	x, y = x.Repaired(), y.Repaired()
	if p.travel != nil {
		x, y = p.travel.At()
	}
	legend := withGhosts(shades, f.Theme, p.legendEntries(f.Theme))
	if f.Detail == brush.Mini {
		legend = p.keyEntries(f.Theme)
	}
	ends := p.endNames(f)
	of := placing{f, p.layoutKey(x, y, legend, ends)}
	l := p.placed.Of(of, func() *layout { return p.newLayout(of, x, y, unnamed(legend, ends), endRoom(ends)) })
	l.shades, l.ends = shades, ends
	return l
}

// layoutKey returns an encoding of everything that a layout depends on, except the frame.
func (p *Plane) layoutKey(x, y Axis, legend []Entry, ends []EndName) string {
	var k Key
	k.Text(p.Name)
	k.Text(p.Heading)
	k.Flag(p.Equal)
	k.Flag(p.Stretched)
	k.Flag(p.Bare)
	for _, a := range [2]Axis{x, y} {
		k.Text(a.Label)
		k.Text(a.Short)
		k.Number(a.Min)
		k.Number(a.Max)
		k.Number(a.Knee)
		k.Number(a.Loft)
		k.Flag(a.Log)
		k.Flag(a.Integer)
		if a.way != nil {
			k.Number(a.way.share)
		}
		for _, c := range a.Categories {
			k.Text(c)
		}
		for _, c := range a.Brief {
			k.Text(c)
		}
	}
	for _, e := range legend {
		k.Text(e.Label)
		k.Paint(e.Stroke.Color)
		k.Number(float64(e.Stroke.Width))
		k.Word(uint64(len(e.Stroke.Dash)))
		for _, d := range e.Stroke.Dash {
			k.Number(float64(d))
		}
		k.Flag(e.Tick)
		k.Word(uint64(e.Shape))
		k.Paint(e.Fill)
		k.Paint(e.Area)
		k.Flag(e.Field)
		k.Flag(e.Ramp)
		k.Flag(e.Faint)
		k.Flag(e.Spectrum)
		k.Flag(e.Places)
	}
	for _, n := range ends {
		k.Text(n.Text)
	}
	return string(k)
}

// gripsKey returns an encoding of everything that the picture of grips depends on, except the layout.
func gripsKey(grips []Grip) string {
	k := Key("grips ")
	for _, g := range grips {
		k.Number(g.X)
		k.Number(g.Y)
		k.Word(uint64(g.Look.Shape))
		k.Flag(g.Plain)
		k.Paint(g.Look.Hue)
	}
	return string(k)
}

func (p *Plane) newLayout(of placing, x, y Axis, legend []Entry, endRoom vg.Length) *layout {
	l, f := &layout{placing: of, heading: p.Heading}, of.frame
	bare := p.Bare
	var space vg.Rectangle
	switch f.Detail {
	case brush.Thumbnail:
		l.heading, bare = "", true
		space = vg.Rectangle{
			Min: vg.Point{X: thumbnailEdge, Y: thumbnailEdge}, Max: vg.Point{X: f.Width - thumbnailEdge, Y: f.Height - thumbnailEdge},
		}
	case brush.Mini:
		x, y = x.quiet(p.Heading), y.quiet(p.Heading)
		fallthrough
	default:
		top := l.placeLegend(legend, f.Height-topSpace)
		// Leave space for the axes, however small the panel is.
		top = max(top, 8)
		space = vg.Rectangle{
			Min: vg.Point{X: sideSpace, Y: sideSpace},
			Max: vg.Point{X: max(f.Width-roomForTick-endRoom, sideSpace+8), Y: top},
		}
	}
	place := func() *axes {
		if f.Detail == brush.Mini && !bare {
			return newMiniAxes(x, y, space)
		}
		return newAxes(x, y, space, bare, f.Theme.Print)
	}
	l.axes = place()
	if p.Equal && !(p.Stretched && f.Detail != brush.Full) && !x.Log && !y.Log {
		// A wider range may have wider labels, which reduce the data area. A few rounds suffice.
		for range 4 {
			grow(&x, &y, l.axes.data.Size())
			l.axes = place()
		}
	}
	l.data = l.axes.data
	// A panel too small for its labels still needs a data area, to avoid division by 0.
	l.data.Max.X = max(l.data.Max.X, l.data.Min.X+1)
	l.data.Max.Y = max(l.data.Max.Y, l.data.Min.Y+1)
	l.x = x.scale(l.data.Min.X, l.data.Max.X)
	l.y = y.scale(l.data.Min.Y, l.data.Max.Y)
	return l
}

// grow widens one of two ranges around its middle, so that a unit has the same length on both axes of an area of the
// given size.
func grow(x, y *Axis, size vg.Point) {
	wx, wy := x.Max-x.Min, y.Max-y.Min
	want := float64(wy * float64(size.X/size.Y))
	a, extra := x, want-wx
	if extra < 0 {
		a, extra = y, float64(wx*float64(size.Y/size.X))-wy
	}
	a.way = a.way.widened(1 + extra/(a.Max-a.Min))
	a.Min -= float64(extra / 2)
	a.Max += float64(extra / 2)
}

// placeLegend places the legend to the right of the heading if it fits there, and otherwise in rows below the heading.
// It returns the top of the remaining space. The legend stays in the upper third of the panel, or in the upper half in
// print and in a Mini. If some entries do not fit, the legend ends with their number. If the panel has no space for
// even one row, there is no legend.
func (l *layout) placeLegend(legend []Entry, top vg.Length) vg.Length {
	parts := measuresOf(l.frame.Detail)
	width, entryGap := parts.width, parts.apart
	right := l.frame.Width - roomForTick
	if l.heading != "" {
		l.heading, l.second = brush.InTwo(l.heading, font.From(brush.Bold, brush.HeadingText), right-sideSpace)
		l.at = vg.Point{X: sideSpace, Y: top - 14}
		top -= headingRow
		if l.second != "" {
			top -= headingLeading
		}
	}
	if len(legend) == 0 {
		return top
	}
	var total vg.Length
	for _, e := range legend {
		total += width(e) + entryGap
	}
	total -= entryGap
	free := right - sideSpace - brush.Text.Width(l.heading, font.From(brush.Bold, brush.HeadingText)) - 2*entryGap
	if l.heading != "" && l.second == "" && total <= free {
		x := right - total
		for _, e := range legend {
			l.legend = append(l.legend, placedEntry{e, vg.Point{X: x, Y: l.at.Y}, parts})
			x += width(e) + entryGap
		}
		return top
	}
	x, y := vg.Length(sideSpace), top-12
	lowest := l.frame.Height * 2 / 3
	if l.frame.Theme.Print || l.frame.Detail == brush.Mini { // readers cannot look up the omitted entries
		lowest = l.frame.Height / 2
	}
	if y < lowest {
		return top
	}
	for i, e := range legend {
		if x > sideSpace && x+width(e) > right {
			x, y = sideSpace, y-legendRow
		}
		if y < lowest {
			y += legendRow
			l.countRest(len(legend)-i, right, parts)
			break
		}
		l.legend = append(l.legend, placedEntry{e, vg.Point{X: x, Y: y}, parts})
		x += width(e) + entryGap
	}
	return y - 8
}

// countRest ends a full legend with the number of omitted entries. It omits further entries if the row has no space for
// the number.
func (l *layout) countRest(rest int, right vg.Length, parts measures) {
	width := parts.width
	for {
		last := l.legend[len(l.legend)-1]
		count := Entry{Label: "+" + strconv.Itoa(rest)}
		at := vg.Point{X: last.at.X + width(last.Entry) + parts.apart - parts.sample - parts.gap, Y: last.at.Y}
		if at.X+width(count) <= right || len(l.legend) == 1 {
			l.legend = append(l.legend, placedEntry{count, at, parts})
			return
		}
		l.legend = l.legend[:len(l.legend)-1]
		rest++
	}
}

// keyEntries returns the entries of a Mini's legend.
func (p *Plane) keyEntries(t *brush.Theme) []Entry {
	if p.Key == nil {
		return nil
	}
	return p.Key(t)
}

// brush returns a brush that draws on a canvas according to a layout. If the canvas is nil, the brush can only convert
// coordinates.
func (p *Plane) brush(l *layout, c vg.Canvas) *brush.Brush {
	if c != nil && l.frame.Detail == brush.Thumbnail {
		c = brush.Bolder{Canvas: c}
	}
	return &brush.Brush{
		Canvas:  draw.Canvas{Canvas: c, Rectangle: l.data},
		Theme:   l.frame.Theme,
		Frame:   l.frame,
		X:       l.x,
		Y:       l.y,
		Store:   &p.store,
		Handles: func() []vg.Point { return p.handlePlaces(l) },
	}
}

// Brush returns a brush that draws on a canvas according to the plane's layout in a frame. If the canvas is nil, the
// brush can only convert coordinates.
func (p *Plane) Brush(f brush.Frame, c vg.Canvas) *brush.Brush { return p.brush(p.layout(f), c) }

func (p *Plane) handlePlaces(l *layout) []vg.Point {
	if p.Grips == nil {
		return nil
	}
	var places []vg.Point
	b := p.brush(l, nil)
	for _, g := range p.Grips() {
		if at, ok := gripAt(b, g); ok {
			places = append(places, at)
		}
	}
	return places
}

// legendEntries returns the legend's entries, or nil if there is no legend.
func (p *Plane) legendEntries(t *brush.Theme) []Entry {
	if p.Legend == nil {
		return nil
	}
	return p.Legend(t)
}

// Layers implements Panel. The bottom layer is the paper with axes, heading and legend. The sheets and then the handles
// are above it.
func (p *Plane) Layers(f brush.Frame) []Layer {
	l := p.layout(f)
	layers := []Layer{{Key: l.key, Draw: func(c draw.Canvas) { fromOrigin(c, l.drawFrame) }}}
	if p.Sheets != nil {
		ghostly := false
		for _, s := range p.Sheets() {
			if (s.Lines || s.Ghost != nil) && !ghostly { // ghosts are below all runs
				ghostly = true
				for _, g := range l.shades {
					layers = append(layers, g.layers(p, l)...)
				}
			}
			layer := Layer{Draw: func(c draw.Canvas) {
				fromOrigin(c, func(c vg.Canvas) { s.Draw(p.brush(l, c)) })
			}}
			if s.Key != "" {
				layer.Key = l.key + s.Key
			}
			layers = append(layers, layer)
		}
	}
	if len(p.references) > 0 && f.Detail == brush.Full {
		layers = append(layers, p.referenceLayer(l))
	}
	if l.ends != nil {
		layers = append(layers, Layer{Draw: func(c draw.Canvas) {
			fromOrigin(c, func(c vg.Canvas) { drawEndNames(p.brush(l, c), l.ends) })
		}})
	}
	if p.Grips != nil {
		if grips := p.Grips(); len(grips) > 0 {
			layer := Layer{Draw: func(c draw.Canvas) {
				fromOrigin(c, func(c vg.Canvas) { drawGrips(p.brush(l, c), grips) })
			}}
			if len(grips) > fewGrips {
				layer.Key = l.key + gripsKey(grips)
			}
			layers = append(layers, layer)
		}
	}
	return layers
}

// fromOrigin calls f with a canvas whose origin is the corner of c.
func fromOrigin(c draw.Canvas, f func(c vg.Canvas)) {
	if c.Min == (vg.Point{}) {
		f(c.Canvas)
		return
	}
	c.Push()
	c.Translate(c.Min)
	f(c.Canvas)
	c.Pop()
}

func (l *layout) drawFrame(c vg.Canvas) {
	t := l.frame.Theme
	c.SetColor(t.Paper)
	c.Fill(vg.Rectangle{Max: vg.Point{X: l.frame.Width, Y: l.frame.Height}}.Path())
	if l.frame.Detail == brush.Thumbnail {
		brush.Stroke{Color: t.Hairline, Width: 1}.Set(c)
		c.Stroke(l.data.Path())
		return
	}
	l.axes.draw(c, t)
	brush.Text.Line(c, l.heading, font.From(brush.Bold, brush.HeadingText), t.Ink, l.at)
	brush.Text.Line(c, l.second, font.From(brush.Bold, brush.HeadingText), t.Ink, l.at.Sub(vg.Point{Y: headingLeading}))
	var path vg.Path
	for _, e := range l.legend {
		path = e.draw(c, t, path)
	}
}

// draw draws the sample and the label. It returns path, so that the next entry can reuse the path's storage.
func (e placedEntry) draw(c vg.Canvas, t *brush.Theme, path vg.Path) vg.Path {
	middle := vg.Point{X: e.at.X + vg.Length(e.sample/2), Y: e.at.Y + brush.CapHeight*brush.SmallText/2}
	half := vg.Point{X: e.sample / 2, Y: 5}
	patch := vg.Rectangle{Min: middle.Sub(half), Max: middle.Add(half)}
	if e.Area != nil {
		c.SetColor(e.Area)
		c.Fill(patch.Path())
	}
	colour := e.colours(t)
	if colour != nil {
		strip := patch
		for i := range int(e.sample) {
			strip.Min.X = patch.Min.X + vg.Length(i)
			strip.Max.X = strip.Min.X + 1
			c.SetColor(colour(float64(i) / float64(e.sample-1)))
			c.Fill(strip.Path())
		}
	}
	if e.Area != nil || colour != nil {
		// Draw an outline, because many of these colours are similar to the paper's colour.
		brush.Stroke{Color: t.Rule, Width: 0.75}.Set(c)
		c.Stroke(patch.Path())
	}
	if e.Stroke.Width > 0 {
		half := vg.Point{X: e.sample / 2}
		if e.Tick {
			half = vg.Point{Y: brush.TickLength / 2.}
		}
		path = path[:0]
		path.Move(middle.Sub(half))
		path.Line(middle.Add(half))
		e.Stroke.Set(c)
		c.Stroke(path)
	}
	if e.Fill != nil {
		path = brush.DrawMarker(c, path, e.Shape, middle, 4, e.Fill, t.Paper)
	}
	brush.Text.Line(c, e.Label, font.From(brush.Sans, brush.SmallText), t.Muted, vg.Point{X: e.at.X + e.sample + e.gap, Y: e.at.Y})
	return path
}

// fewGrips is the maximum number of grips that are redrawn in every frame. If there are more grips, they are start
// points, which do not move while runs advance, so their picture is cached.
const fewGrips = 10

func drawGrips(b *brush.Brush, grips []Grip) {
	for _, g := range grips {
		at, ok := gripAt(b, g)
		if !ok || g.Keyed {
			continue
		}
		if b.Frame.Detail != brush.Full || b.Theme.Print { // grips cannot be dragged in small or printed pictures
			if g.Run != "" && !g.Plain {
				b.MarkerAt(at, brush.Circle, 2, b.Theme.Muted)
			}
			continue
		}
		if g.Plain {
			b.GripRing(at)
			continue
		}
		fill := g.Look.Hue
		if fill == nil {
			fill = b.Theme.Accent
		}
		b.Grip(at, g.Look.Shape, fill)
	}
}

// gripAt returns the place of a grip. A grip whose point is outside the data area is at the edge, so that visitors can
// drag it back.
func gripAt(b *brush.Brush, g Grip) (vg.Point, bool) {
	at := b.At(g.X, g.Y)
	if math.IsNaN(float64(at.X)) || math.IsNaN(float64(at.Y)) {
		return at, false
	}
	return b.Edge(g.X, g.Y), true
}

// Handles implements Panel.
func (p *Plane) Handles(f brush.Frame) []Handle {
	if p.Grips == nil {
		return nil
	}
	b := p.brush(p.layout(f), nil)
	var handles []Handle
	for _, g := range p.Grips() {
		if at, ok := gripAt(b, g); ok {
			handles = append(handles, Handle{
				ID: g.ID, Label: g.Label, Value: g.Value, At: at,
				X: g.X, Y: g.Y, StepX: g.StepX, StepY: g.StepY,
			})
		}
	}
	return handles
}

// Pick implements Panel. It returns the nearest grip within HitRadius or, if there is none, the result of Find. If two
// grips are at the same place, it returns the grip that is drawn on top.
func (p *Plane) Pick(f brush.Frame, at vg.Point) (Pick, bool) {
	b := p.brush(p.layout(f), nil)
	if p.Grips != nil && f.Detail == brush.Full {
		nearest := brush.HitRadius(f.Touch)
		var hit Pick
		for _, g := range p.Grips() {
			q, ok := gripAt(b, g)
			if !ok || g.Keyed {
				continue
			}
			d := vg.Length(portable.Hypot(float64(q.X-at.X), float64(q.Y-at.Y)))
			if d > nearest {
				continue
			}
			nearest = d
			hit = Pick{Handle: g.ID, Run: g.Run, K: -1, At: q, Lines: nonEmpty(g.Label, g.Value)}
		}
		if hit.Handle != "" {
			return hit, true
		}
	}
	if p.Find == nil {
		return Pick{}, false
	}
	return p.Find(b, at)
}

func nonEmpty(lines ...string) []string {
	var kept []string
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			kept = append(kept, l)
		}
	}
	return kept
}

// World implements Panel. The conversion is the same for every handle.
func (p *Plane) World(f brush.Frame, _ string, at vg.Point) (x, y float64) {
	return p.brush(p.layout(f), nil).World(at)
}
