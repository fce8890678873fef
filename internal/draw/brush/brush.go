// Package brush draws lines, areas, markers and texts on gonum/plot's vector canvas, in world coordinates and the
// colours of a theme. The same code draws the live view, the exported file and the picture in a test.
package brush

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/portable"
)

// Brush draws in world coordinates on the data area of a Plane. Its scales are exactly those of the axes. Shapes drawn
// from points stay inside the data area; texts and arrow heads may cross its edge. Brush omits points that are not
// finite, and points that are not positive on a logarithmic axis.
type Brush struct {
	Canvas draw.Canvas // canvas whose rectangle is the data area, in panel coordinates
	Theme  *Theme
	Frame  Frame

	X, Y  Scale // scales of the axes
	Store *Store
	// Cased gives the lines of optima an edge, so that they stand out from the thousands of marks below.
	Cased bool
	// Handles returns the places of handles, which Hint avoids. It may be nil.
	Handles func() []vg.Point
}

// Store holds a plane's buffers and results, which drawing reuses in later frames. The zero value is ready to use.
type Store struct {
	path, spans vg.Path
	stamps      []Stamp
	samples     Memo[place, samples]
}

// Scale is the scale of one axis: a linear map from values, or their logarithms, to pixels.
type Scale struct {
	min, max float64 // range in world coordinates, min < max
	log      bool
	from     float64 // pixel of min
	factor   float64 // pixels per unit, or per unit of the logarithm
	knee     float64 // value above which beyond replaces factor; +Inf for no knee
	beyond   float64
}

// NewScale returns the scale that maps the values min and max to the pixels from and to. The range of values must not
// be empty and, for a logarithmic scale, must be positive.
func NewScale(min, max float64, log bool, from, to vg.Length) Scale {
	s := Scale{min: min, max: max, log: log, from: float64(from), knee: math.Inf(1)}
	if log {
		s.factor = float64(to-from) / portable.Log(max/min)
	} else {
		s.factor = float64(to-from) / (max - min)
	}
	return s
}

// Squeezed returns a linear scale with the same ends. On that scale, values above knee take the given share of the
// length.
func (s Scale) Squeezed(knee, share float64) Scale {
	length := float64(s.factor * (s.max - s.min))
	s.knee, s.factor, s.beyond = knee, length*(1-share)/(knee-s.min), length*share/(s.max-knee)
	return s
}

// At returns the pixel of a value, or NaN if a logarithmic scale cannot show the value.
func (s Scale) At(v float64) vg.Length {
	if s.log {
		if v <= 0 {
			return vg.Length(math.NaN())
		}
		return vg.Length(s.from + float64(portable.Log(v/s.min)*s.factor))
	}
	if v > s.knee {
		return vg.Length(s.from + float64((s.knee-s.min)*s.factor) + float64((v-s.knee)*s.beyond))
	}
	return vg.Length(s.from + float64((v-s.min)*s.factor))
}

// Value is the inverse of At.
func (s Scale) Value(p vg.Length) float64 {
	u := (float64(p) - s.from) / s.factor
	if s.log {
		return s.min * portable.Exp(u)
	}
	if v := s.min + u; v <= s.knee {
		return v
	}
	return s.knee + float64((float64(p)-s.from-float64((s.knee-s.min)*s.factor))/s.beyond)
}

// Factor returns the number of pixels per unit, or per unit of the logarithm. For a squeezed scale, the number applies
// below the knee.
func (s Scale) Factor() float64 { return s.factor }

// At converts a world point to a place in the panel. The place's coordinates are NaN if a logarithmic axis cannot show
// the point.
func (b *Brush) At(x, y float64) vg.Point { return vg.Point{X: b.X.At(x), Y: b.Y.At(y)} }

// World is the inverse of At. It also converts places outside the axes.
func (b *Brush) World(p vg.Point) (x, y float64) { return b.X.Value(p.X), b.Y.Value(p.Y) }

// Bounds returns the ranges of the axes as drawn.
func (b *Brush) Bounds() (xmin, xmax, ymin, ymax float64) {
	return b.X.min, b.X.max, b.Y.min, b.Y.max
}

// Contains reports whether a world point is in the data area.
func (b *Brush) Contains(x, y float64) bool { return b.Inside(b.At(x, y)) }

// Inside reports whether a place in the panel is in the data area.
func (b *Brush) Inside(p vg.Point) bool { return Finite(p) && b.Canvas.Contains(p) }

// Finite reports whether both coordinates of a point are finite.
func Finite(p vg.Point) bool { return p.X-p.X == 0 && p.Y-p.Y == 0 }

// Resolution is the minimum distance, in pixels, between distinct points of a line.
const Resolution = 0.7

// Line draws the n points at(0), at(1), ... as one line, clipped to the axes. A point that is not finite breaks the
// line into stretches. Line omits points closer than Resolution to the last point kept, except at the end of a stretch.
func (b *Brush) Line(n int, at func(i int) (x, y float64), s Stroke) {
	t := b.Tracer()
	for i := range n {
		t.Add(b.At(at(i)))
	}
	b.Trace(t, s)
}

// Segments draws n lines, each between two world points, clipped to the axes, in a single stroke.
func (b *Brush) Segments(n int, at func(i int) (x0, y0, x1, y1 float64), s Stroke) {
	p := b.Store.path[:0]
	for i := range n {
		x0, y0, x1, y1 := at(i)
		from, to := b.At(x0, y0), b.At(x1, y1)
		if !Finite(from) || !Finite(to) {
			continue
		}
		if from, to, ok := Clip(b.Canvas.Rectangle, from, to); ok {
			p.Move(from)
			p.Line(to)
		}
	}
	b.Store.path = p
	b.StrokePath(p, s)
}

// Tracer returns a tracer for the data area. It reuses the storage of the previous Tracer.
func (b *Brush) Tracer() *Tracer { return b.tracer(&b.Store.path) }

// SecondTracer returns a tracer that can be used at the same time as the result of Tracer.
func (b *Brush) SecondTracer() *Tracer { return b.tracer(&b.Store.spans) }

// tracer returns a tracer for the data area that uses the storage of a path.
func (b *Brush) tracer(store *vg.Path) *Tracer {
	return &Tracer{area: b.Canvas.Rectangle, path: (*store)[:0], store: store}
}

// Trace draws the path of a tracer.
func (b *Brush) Trace(t *Tracer, s Stroke) {
	t.End()
	*t.store = t.path
	if s.MaxDashes > 0 && s.Dash != nil && t.length > vg.Length(s.MaxDashes)*s.period() {
		s.Dash = nil // more dashes would be indistinguishable
	}
	b.StrokePath(t.path, s)
}

// StrokePath draws a path in the panel, unless the path is empty or the stroke has no width.
func (b *Brush) StrokePath(p vg.Path, s Stroke) {
	if len(p) == 0 || s.Width <= 0 {
		return
	}
	s.Set(b.Canvas)
	b.Canvas.Stroke(p)
}

// Tracer builds a clipped and thinned path from points.
type Tracer struct {
	area   vg.Rectangle
	path   vg.Path
	store  *vg.Path // storage for path; Trace updates it
	length vg.Length

	last    vg.Point // last point kept
	pending vg.Point // latest point omitted since the last kept point
	started bool
	skipped bool

	pen  vg.Point // end of the path
	down bool
}

// Add extends the line to a place in the panel. A place that is not finite ends the stretch.
func (t *Tracer) Add(p vg.Point) {
	if !Finite(p) {
		t.End()
		return
	}
	if !t.started {
		t.last, t.started = p, true
		return
	}
	if dx, dy := p.X-t.last.X, p.Y-t.last.Y; vg.Length(dx*dx)+vg.Length(dy*dy) < Resolution*Resolution {
		t.pending, t.skipped = p, true
		return
	}
	t.segment(p)
}

// End ends a stretch at its last point, even if Add omitted that point.
func (t *Tracer) End() {
	if t.skipped {
		t.segment(t.pending)
	}
	t.started, t.down = false, false
}

// segment draws the part of the line from the last point to p that is inside the area.
func (t *Tracer) segment(p vg.Point) {
	from, to, ok := Clip(t.area, t.last, p)
	if ok {
		if !t.down || from != t.pen {
			t.path.Move(from)
		}
		t.path.Line(to)
		t.length += vg.Length(Distance(from, to))
	}
	t.pen, t.down = to, ok
	t.last, t.skipped = p, false
}

// Clip returns the part of a segment inside a rectangle (Liang & Barsky 1984). ok is false if the segment is outside.
func Clip(r vg.Rectangle, a, b vg.Point) (from, to vg.Point, ok bool) {
	dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
	lo, hi := 0.0, 1.0
	edge := func(p, q float64) bool {
		if p == 0 {
			return q >= 0
		}
		if u := q / p; p < 0 {
			lo = max(lo, u)
		} else {
			hi = min(hi, u)
		}
		return lo <= hi
	}
	if !edge(-dx, float64(a.X-r.Min.X)) || !edge(dx, float64(r.Max.X-a.X)) ||
		!edge(-dy, float64(a.Y-r.Min.Y)) || !edge(dy, float64(r.Max.Y-a.Y)) {
		return a, b, false
	}
	from, to = a, b
	if hi < 1 {
		to = vg.Point{X: a.X + vg.Length(hi*dx), Y: a.Y + vg.Length(hi*dy)}
	}
	if lo > 0 {
		from = vg.Point{X: a.X + vg.Length(lo*dx), Y: a.Y + vg.Length(lo*dy)}
	}
	// The sums lose precision for distant points, so move the results back inside.
	return inward(r, from), inward(r, to), true
}

// inward returns the point of a rectangle nearest to p.
func inward(r vg.Rectangle, p vg.Point) vg.Point {
	return vg.Point{X: max(r.Min.X, min(p.X, r.Max.X)), Y: max(r.Min.Y, min(p.Y, r.Max.Y))}
}

// Polygon fills the polygon of the n points at(0), at(1), ..., clipped to the axes.
func (b *Brush) Polygon(n int, at func(i int) (x, y float64), fill color.Color) {
	points := make([]vg.Point, 0, n)
	for i := range n {
		if p := b.At(at(i)); Finite(p) {
			// Beyond a million pixels, only the direction matters, and clipping would lose precision.
			p.X, p.Y = max(-1e6, min(p.X, 1e6)), max(-1e6, min(p.Y, 1e6))
			points = append(points, p)
		}
	}
	if points = b.Canvas.ClipPolygonXY(points); len(points) > 2 {
		b.Canvas.FillPolygon(fill, points)
	}
}

// TimeMarker draws the time marker at a place on the horizontal axis, except in print.
func (b *Brush) TimeMarker(x float64) {
	if !b.Theme.Print {
		b.VLine(x, Stroke{Color: b.Theme.Accent, Width: 1})
	}
}

// Marker draws a marker with the given radius in pixels at a world point. If outline is true, a thin edge in the paper's
// colour separates it from the background. Marker draws nothing for points outside the axes.
func (b *Brush) Marker(x, y float64, shape Shape, radius vg.Length, fill color.Color, outline bool) {
	at := b.At(x, y)
	if !b.Inside(at) {
		return
	}
	var edge color.Color
	if outline {
		edge = b.Theme.Paper
	}
	b.Store.path = DrawMarker(b.Canvas, b.Store.path, b.Frame.Detail.shape(shape), at, b.Frame.Detail.sign(radius), fill, edge)
}

// Pie draws a disc at a world point, with the radius in pixels and a thin edge in the paper's colour. It divides the disc
// into shares, clockwise from the top. Shares must not be negative. Pie draws nothing if their sum is 0, or if the point
// is outside the axes.
func (b *Brush) Pie(x, y float64, radius vg.Length, n int, share func(i int) float64, fill func(i int) color.Color) {
	at := b.At(x, y)
	radius = b.Frame.Detail.sign(radius)
	var sum float64
	for i := range n {
		sum += share(i)
	}
	if !b.Inside(at) || !(sum > 0) {
		return
	}
	from := math.Pi / 2
	for i := range n {
		angle := 2 * math.Pi * share(i) / sum
		if angle <= 0 {
			continue
		}
		p := b.Store.path[:0]
		p.Move(at)
		p.Line(at.Add(vg.Point{X: radius * vg.Length(portable.Cos(from)), Y: radius * vg.Length(portable.Sin(from))}))
		p.Arc(at, radius, from, -angle)
		p.Close()
		b.Canvas.SetColor(fill(i))
		b.Canvas.Fill(p)
		b.Store.path = p
		from -= angle
	}
	edge := appendShape(b.Store.path[:0], Circle, at, radius)
	b.StrokePath(edge, Stroke{Color: b.Theme.Paper, Width: 1})
	b.Store.path = edge
}

// headLength is the length of an arrow head in pixels.
const headLength = 8

// Arrow draws an arrow between two world points, clipped to the axes. The head has a fixed size, unless the whole arrow
// is shorter than the head. Arrow omits the head if the tip is outside the axes, and draws nothing if the arrow is
// shorter than a pixel.
func (b *Brush) Arrow(x0, y0, x1, y1 float64, s Stroke) {
	tail, tip := b.At(x0, y0), b.At(x1, y1)
	if !Finite(tail) || !Finite(tip) {
		return
	}
	d := tip.Sub(tail)
	length := vg.Length(portable.Hypot(float64(d.X), float64(d.Y)))
	if length < 1 {
		return
	}
	head := min(headLength+s.Width, length)
	end := tip
	if b.Inside(tip) {
		// End the shaft inside the head, because otherwise the tip would be blunt.
		end = tip.Sub(d.Scale(0.6 * head / length))
	}
	if from, to, ok := Clip(b.Canvas.Rectangle, tail, end); ok {
		b.LineAt(from, to, s)
	}
	b.ArrowHeadAt(tip, portable.Atan2(float64(d.Y), float64(d.X)), head, s.Color)
}

// ArrowHead draws an arrow head of the usual size with its tip at a world point. The angle is measured on the screen,
// in radians counterclockwise from the right.
func (b *Brush) ArrowHead(x, y, angle float64, c color.Color) {
	b.ArrowHeadAt(b.At(x, y), angle, headLength, c)
}

// ArrowHeadAt draws an arrow head like ArrowHead, with the given length in pixels and the tip at a place in the panel.
func (b *Brush) ArrowHeadAt(tip vg.Point, angle float64, length vg.Length, c color.Color) {
	if !b.Inside(tip) {
		return
	}
	const halfWidth = 0.42 // half of the width, relative to the length
	length = b.Frame.Detail.sign(length)
	sin, cos := portable.Sincos(angle)
	along := vg.Point{X: vg.Length(cos), Y: vg.Length(sin)}.Scale(length)
	across := vg.Point{X: -along.Y, Y: along.X}.Scale(halfWidth)
	base := tip.Sub(along)
	p := b.Store.path[:0]
	p.Move(tip)
	p.Line(base.Add(across))
	p.Line(base.Sub(across))
	p.Close()
	b.Store.path = p
	b.Canvas.SetColor(c)
	b.Canvas.Fill(p)
}

// VLine draws a vertical line across the whole height.
func (b *Brush) VLine(x float64, s Stroke) {
	_, _, y0, y1 := b.Bounds()
	b.segment(x, y0, x, y1, s)
}

// HLine draws a horizontal line across the whole width.
func (b *Brush) HLine(y float64, s Stroke) {
	x0, x1, _, _ := b.Bounds()
	b.segment(x0, y, x1, y, s)
}

func (b *Brush) segment(x0, y0, x1, y1 float64, s Stroke) {
	from, to := b.At(x0, y0), b.At(x1, y1)
	if b.Inside(from) && b.Inside(to) {
		b.LineAt(from, to, s)
	}
}

// LineAt draws a line between two places in the panel, without clipping.
func (b *Brush) LineAt(from, to vg.Point, s Stroke) {
	p := b.Store.path[:0]
	p.Move(from)
	p.Line(to)
	b.Store.path = p
	b.StrokePath(p, s)
}

// Band fills the area between two values of x.
func (b *Brush) Band(x0, x1 float64, fill color.Color) {
	_, _, y0, y1 := b.Bounds()
	b.Box(x0, y0, x1, y1, fill)
}

// Box fills the rectangle between two corners.
func (b *Brush) Box(x0, y0, x1, y1 float64, fill color.Color) {
	x := [...]float64{x0, x1, x1, x0}
	y := [...]float64{y0, y0, y1, y1}
	b.Polygon(4, func(i int) (float64, float64) { return x[i], y[i] }, fill)
}

// TickLength is the length of a mark on the time axis, in pixels.
const TickLength = 7

// Ticks draws n small marks, in ascending order, at the bottom of the data area. It omits marks that are closer than two
// pixels to the previous mark.
func (b *Brush) Ticks(n int, at func(i int) float64, s Stroke) {
	p := b.Store.path[:0]
	bottom := b.Canvas.Min.Y
	last := vg.Length(math.Inf(-1))
	for i := range n {
		x := b.X.At(at(i))
		if q := (vg.Point{X: x, Y: bottom}); !b.Inside(q) || x-last < 2 {
			continue
		}
		p.Move(vg.Point{X: x, Y: bottom})
		p.Line(vg.Point{X: x, Y: bottom + TickLength})
		last = x
	}
	b.Store.path = p
	b.StrokePath(p, s)
}

// Align sets the position of a text relative to a point, horizontally (X) and vertically (Y): −1 is left or below, 0 is
// centred, and 1 is right or above.
type Align struct{ X, Y float64 }

// These are the common alignments.
var (
	Centred = Align{}
	Above   = Align{Y: 1}
	Below   = Align{Y: -1}
	LeftOf  = Align{X: -1}
	RightOf = Align{X: 1}
)

// CapHeight is the height of capitals and digits in Liberation Sans, relative to the font size. Texts are aligned by
// this height.
const CapHeight = 0.69

// Text writes a line of text 5 pixels from a world point. "_" and "^" turn the next character, or the next braces, into a
// subscript or superscript: "λ_1", "10^{-3}". Text moves the line if necessary to keep it on the panel. It raises sizes
// below SmallText to SmallText.
func (b *Brush) Text(x, y float64, s string, size vg.Length, c color.Color, a Align) {
	b.TextAt(b.At(x, y), s, size, c, a)
}

// TextAt writes a line like Text next to a place in the panel.
func (b *Brush) TextAt(at vg.Point, s string, size vg.Length, c color.Color, a Align) {
	b.write(at, s, size, c, a, false)
}

// Label writes a line as Text does, but on a patch of paper that hides most of the background. If space allows, the patch stays
// clear of the axes and their numbers.
func (b *Brush) Label(x, y float64, s string, size vg.Length, c color.Color, a Align) {
	b.LabelAt(b.At(x, y), s, size, c, a)
}

// LabelAt writes a line like Label next to a place in the panel.
func (b *Brush) LabelAt(at vg.Point, s string, size vg.Length, c color.Color, a Align) {
	b.write(at, s, size, c, a, true)
}

// Origin draws the axes through the origin.
func (b *Brush) Origin() {
	axis := Stroke{Color: b.Theme.Hairline, Width: 1}
	b.HLine(0, axis)
	b.VLine(0, axis)
}

// Hint writes a hint for visitors in a corner that has no handles, preferably the upper left corner of the data area.
// If the hint is too wide, it is broken at semicolons. In print, Hint draws nothing.
func (b *Brush) Hint(words string) {
	if b.Frame.Detail != Full || b.Theme.Print {
		return
	}
	f := font.From(Sans, SmallText)
	const away = 5
	area := b.Canvas.Rectangle
	var lines []string
	var size vg.Point
	for i, part := range strings.SplitAfter(words, "; ") {
		if i > 0 && Text.Width(lines[len(lines)-1]+part, f) < area.Size().X-2*away {
			lines[len(lines)-1] += part
		} else {
			lines = append(lines, part)
		}
	}
	const lead = 1.25 // line spacing, relative to the font size
	for _, line := range lines {
		size.X = max(size.X, Text.Width(line, f)+2*away)
	}
	size.Y = font.Length(f.Size*(1+vg.Length(lead*vg.Length(len(lines)-1)))) + 2*away
	var handles []vg.Point
	if b.Handles != nil {
		handles = b.Handles()
	}
	corners := []Align{{X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: -1}}
	chosen := corners[0]
	for _, c := range corners {
		near, far := area.Min, area.Max // lower left and upper right corners of the text
		if c.X > 0 {
			far.X = near.X + size.X
		} else {
			near.X = far.X - size.X
		}
		if c.Y > 0 {
			far.Y = near.Y + size.Y
		} else {
			near.Y = far.Y - size.Y
		}
		free := !slices.ContainsFunc(handles, func(p vg.Point) bool {
			return p.X > near.X-GripRadius && p.X < far.X+GripRadius && p.Y > near.Y-GripRadius && p.Y < far.Y+GripRadius
		})
		if free {
			chosen = c
			break
		}
	}
	const inside = 0.01 // distance from the edge, to absorb rounding errors
	corner := area.Min.Add(vg.Point{X: inside, Y: inside})
	if chosen.X < 0 {
		corner.X = area.Max.X - inside
	}
	if chosen.Y < 0 {
		corner.Y = area.Max.Y - inside
	}
	if chosen.Y > 0 { // lines go upwards from the corner, so start with the last line
		slices.Reverse(lines)
	}
	for i, line := range lines {
		at := corner.Add(vg.Point{Y: vg.Length(chosen.Y) * lead * f.Size * vg.Length(i)})
		b.LabelAt(at, strings.TrimSpace(line), SmallText, b.Theme.Muted, chosen)
	}
}

// miniText is the maximum width of a text in a Mini, relative to the Mini's width. Only pictures at full detail show
// longer texts.
const miniText = 0.5

func (b *Brush) write(at vg.Point, s string, size vg.Length, c color.Color, a Align, patch bool) {
	if !b.Inside(at) || s == "" || b.Frame.Detail == Thumbnail {
		return
	}
	f := font.From(Sans, max(size, SmallText))
	if b.Frame.Detail == Mini && Text.Width(s, f) > miniText*b.Canvas.Size().X {
		return
	}
	words := b.place(at, s, f, a, patch)
	if patch {
		b.Canvas.SetColor(Faded(b.Theme.Paper, 0.85))
		b.Canvas.Fill(patchOf(words, f.Size).Path())
	}
	Text.Line(b.Canvas, s, f, c, words.Min)
}

// Overlap reports whether two areas overlap.
func Overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// LabelArea returns the area that LabelAt covers.
func (b *Brush) LabelArea(at vg.Point, s string, size vg.Length, a Align) vg.Rectangle {
	f := font.From(Sans, max(size, SmallText))
	return patchOf(b.place(at, s, f, a, true), f.Size)
}

// patchOf returns the patch of paper behind a text of the given size. words is the text's area, from the baseline to
// the top of capitals.
func patchOf(words vg.Rectangle, size vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: words.Min.X - 3, Y: words.Min.Y - font.Length(0.28*size)},
		Max: vg.Point{X: words.Max.X + 3, Y: words.Max.Y + font.Length(0.2*size)}}
}

// place returns the area of a text, from the baseline to the top of capitals, after moving it onto the panel.
func (b *Brush) place(at vg.Point, s string, f font.Font, a Align, patch bool) vg.Rectangle {
	const distance, margin = 5, 2
	width, height := Text.Width(s, f), font.Length(CapHeight*f.Size)
	gap := func(side float64) vg.Length { return vg.Length(vg.Length(side) * distance) }
	left := at.X + gap(a.X) + vg.Length(vg.Length(a.X-1)/2*width)
	base := at.Y + gap(a.Y) + vg.Length(vg.Length(a.Y-1)/2*height)
	within := vg.Rectangle{
		Min: vg.Point{X: margin, Y: margin + font.Length(0.25*f.Size)}, Max: vg.Point{X: b.Frame.Width - margin, Y: b.Frame.Height - margin},
	}
	if b.Frame.Detail == Mini { // in a Mini, names and numbers are close to the data
		within = b.Canvas.Rectangle
	} else if patch && width < b.Canvas.Size().X {
		within.Min = vg.Point{X: b.Canvas.Min.X + 4, Y: b.Canvas.Min.Y + font.Length(0.28*f.Size)}
	}
	left = max(within.Min.X, min(left, within.Max.X-width))
	base = max(within.Min.Y, min(base, within.Max.Y-height))
	corner := vg.Point{X: left, Y: base}
	return vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: width, Y: height})}
}

// GripRadius is the radius of the ring around a grip, in pixels.
const GripRadius = 12

// Distance returns the distance between two points.
func Distance(p, q vg.Point) float64 { return portable.Hypot(float64(p.X-q.X), float64(p.Y-q.Y)) }
