package panel

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Brush draws in world coordinates on the data area of a Plane, with exactly
// the scales of the axes. Nothing that it draws from points
// leaves the data area; text and arrow heads may reach over its edge. Points
// that are not finite, or not positive on a logarithmic axis, are left out.
type Brush struct {
	Canvas draw.Canvas // its rectangle is the data area, in panel coordinates
	Theme  *Theme
	Frame  Frame

	x, y    scale
	scratch *scratch
	plane   *Plane
}

// scratch is storage that drawing reuses from frame to frame.
type scratch struct{ path, spans vg.Path }

// scale is one axis: a linear map from values, or their logarithms, to pixels.
type scale struct {
	min, max float64 // world, min < max
	log      bool
	from     float64 // pixel of min
	factor   float64 // pixels a unit, or a unit of the logarithm
}

func newScale(min, max float64, log bool, from, to vg.Length) scale {
	s := scale{min: min, max: max, log: log, from: float64(from)}
	if log {
		s.factor = float64(to-from) / math.Log(max/min)
	} else {
		s.factor = float64(to-from) / (max - min)
	}
	return s
}

func (s scale) at(v float64) vg.Length {
	if s.log {
		if v <= 0 {
			return vg.Length(math.NaN())
		}
		return vg.Length(s.from + math.Log(v/s.min)*s.factor)
	}
	return vg.Length(s.from + (v-s.min)*s.factor)
}

func (s scale) value(p vg.Length) float64 {
	u := (float64(p) - s.from) / s.factor
	if s.log {
		return s.min * math.Exp(u)
	}
	return s.min + u
}

// At returns the place of a world point in the panel. Its coordinates are NaN if a logarithmic
// axis has no place for it.
func (b *Brush) At(x, y float64) vg.Point { return vg.Point{X: b.x.at(x), Y: b.y.at(y)} }

// World is the inverse of At, inside the axes and outside.
func (b *Brush) World(p vg.Point) (x, y float64) { return b.x.value(p.X), b.y.value(p.Y) }

// Bounds returns the ranges of the axes as drawn.
func (b *Brush) Bounds() (xmin, xmax, ymin, ymax float64) {
	return b.x.min, b.x.max, b.y.min, b.y.max
}

// Contains reports whether a world point lies in the data area.
func (b *Brush) Contains(x, y float64) bool { return b.inside(b.At(x, y)) }

func (b *Brush) inside(p vg.Point) bool { return finite(p) && b.Canvas.Contains(p) }

func finite(p vg.Point) bool { return p.X-p.X == 0 && p.Y-p.Y == 0 }

// resolution is the distance in pixels below which points of a line count as one.
const resolution = 0.7

// Line draws the n points at(0), at(1), ... as one line, clipped to the axes
// and thinned so that no two points that it keeps are closer than 0.7 pixels,
// except the last of a stretch. A point that is not finite breaks the line.
func (b *Brush) Line(n int, at func(i int) (x, y float64), s Stroke) {
	t := b.tracer(&b.scratch.path)
	for i := range n {
		t.add(b.At(at(i)))
	}
	b.trace(t, s)
}

// Segments draws n lines from one world point to another, clipped to the axes, in one
// stroke.
func (b *Brush) Segments(n int, at func(i int) (x0, y0, x1, y1 float64), s Stroke) {
	p := b.scratch.path[:0]
	for i := range n {
		x0, y0, x1, y1 := at(i)
		from, to := b.At(x0, y0), b.At(x1, y1)
		if !finite(from) || !finite(to) {
			continue
		}
		if from, to, ok := clip(b.Canvas.Rectangle, from, to); ok {
			p.Move(from)
			p.Line(to)
		}
	}
	b.scratch.path = p
	b.stroke(p, s)
}

// tracer returns a tracer of the data area with the storage of a path.
func (b *Brush) tracer(store *vg.Path) *tracer {
	return &tracer{area: b.Canvas.Rectangle, path: (*store)[:0], store: store}
}

// trace draws what was traced.
func (b *Brush) trace(t *tracer, s Stroke) {
	t.end()
	*t.store = t.path
	if s.dashes > 0 && s.Dash != nil && t.length > vg.Length(s.dashes)*s.period() {
		s.Dash = nil // nobody can tell so many dashes apart
	}
	b.stroke(t.path, s)
}

func (b *Brush) stroke(p vg.Path, s Stroke) {
	if len(p) == 0 || s.Width <= 0 {
		return
	}
	s.set(b.Canvas)
	b.Canvas.Stroke(p)
}

// tracer builds a clipped and thinned path from points.
type tracer struct {
	area   vg.Rectangle
	path   vg.Path
	store  *vg.Path // where path's storage is returned
	length vg.Length

	last    vg.Point // the last point kept
	pending vg.Point // the last point left out since
	started bool
	skipped bool

	pen  vg.Point // the end of the path
	down bool
}

func (t *tracer) add(p vg.Point) {
	if !finite(p) {
		t.end()
		return
	}
	if !t.started {
		t.last, t.started = p, true
		return
	}
	if dx, dy := p.X-t.last.X, p.Y-t.last.Y; dx*dx+dy*dy < resolution*resolution {
		t.pending, t.skipped = p, true
		return
	}
	t.segment(p)
}

// end finishes a stretch at its very last point.
func (t *tracer) end() {
	if t.skipped {
		t.segment(t.pending)
	}
	t.started, t.down = false, false
}

// segment draws the part inside the area of the line from the last point to p.
func (t *tracer) segment(p vg.Point) {
	from, to, ok := clip(t.area, t.last, p)
	if ok {
		if !t.down || from != t.pen {
			t.path.Move(from)
		}
		t.path.Line(to)
		t.length += vg.Length(distance(from, to))
	}
	t.pen, t.down = to, ok
	t.last, t.skipped = p, false
}

// clip returns the part of a segment inside a rectangle (Liang & Barsky 1984);
// ok is false when there is none.
func clip(r vg.Rectangle, a, b vg.Point) (from, to vg.Point, ok bool) {
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
	// Points far away make the sums lose precision.
	return inward(r, from), inward(r, to), true
}

// inward is the point of a rectangle nearest to p.
func inward(r vg.Rectangle, p vg.Point) vg.Point {
	return vg.Point{X: max(r.Min.X, min(p.X, r.Max.X)), Y: max(r.Min.Y, min(p.Y, r.Max.Y))}
}

// Polygon fills the polygon of the n points at(0), at(1), ..., clipped to the
// axes.
func (b *Brush) Polygon(n int, at func(i int) (x, y float64), fill color.Color) {
	points := make([]vg.Point, 0, n)
	for i := range n {
		if p := b.At(at(i)); finite(p) {
			// Beyond a million pixels only the direction counts, and clipping would lose precision.
			p.X, p.Y = max(-1e6, min(p.X, 1e6)), max(-1e6, min(p.Y, 1e6))
			points = append(points, p)
		}
	}
	if points = b.Canvas.ClipPolygonXY(points); len(points) > 2 {
		b.Canvas.FillPolygon(fill, points)
	}
}

// TimeMarker draws the time marker at a place on the horizontal axis; print has none.
func (b *Brush) TimeMarker(x float64) {
	if !b.Theme.Print {
		b.VLine(x, Stroke{Color: b.Theme.Accent, Width: 1})
	}
}

// Marker draws a marker of the given radius in pixels at a world point; with outline it has a
// thin edge in the colour of the paper, which sets it off from its background. A point outside
// the axes has no marker.
func (b *Brush) Marker(x, y float64, shape Shape, radius vg.Length, fill color.Color, outline bool) {
	at := b.At(x, y)
	if !b.inside(at) {
		return
	}
	var edge color.Color
	if outline {
		edge = b.Theme.Paper
	}
	b.scratch.path = drawMarker(b.Canvas, b.scratch.path, shape, at, b.Frame.Detail.sign(radius), fill, edge)
}

// Pie draws a disc of the given radius in pixels at a world point, cut into shares from the top
// clockwise, with a thin edge in the colour of the paper. The shares are not negative. There is
// no pie if their sum is 0 or the point is outside the axes.
func (b *Brush) Pie(x, y float64, radius vg.Length, n int, share func(i int) float64, fill func(i int) color.Color) {
	at := b.At(x, y)
	radius = b.Frame.Detail.sign(radius)
	var sum float64
	for i := range n {
		sum += share(i)
	}
	if !b.inside(at) || !(sum > 0) {
		return
	}
	from := math.Pi / 2
	for i := range n {
		angle := 2 * math.Pi * share(i) / sum
		if angle <= 0 {
			continue
		}
		p := b.scratch.path[:0]
		p.Move(at)
		p.Line(at.Add(vg.Point{X: radius * vg.Length(math.Cos(from)), Y: radius * vg.Length(math.Sin(from))}))
		p.Arc(at, radius, from, -angle)
		p.Close()
		b.Canvas.SetColor(fill(i))
		b.Canvas.Fill(p)
		b.scratch.path = p
		from -= angle
	}
	edge := appendShape(b.scratch.path[:0], Circle, at, radius)
	b.stroke(edge, Stroke{Color: b.Theme.Paper, Width: 1})
	b.scratch.path = edge
}

// headLength is the length of an arrow head in pixels.
const headLength = 8

// Arrow draws an arrow between two world points, clipped to the axes. Its head
// has a fixed size, less only where the arrow is shorter than its head; it is
// left out when the tip lies outside the axes. An arrow of less than a pixel
// has no direction to show and is not drawn.
func (b *Brush) Arrow(x0, y0, x1, y1 float64, s Stroke) {
	tail, tip := b.At(x0, y0), b.At(x1, y1)
	if !finite(tail) || !finite(tip) {
		return
	}
	d := tip.Sub(tail)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	if length < 1 {
		return
	}
	head := min(headLength+s.Width, length)
	end := tip
	if b.inside(tip) {
		// The shaft ends inside the head; otherwise the point would be blunt.
		end = tip.Sub(d.Scale(0.6 * head / length))
	}
	if from, to, ok := clip(b.Canvas.Rectangle, tail, end); ok {
		p := b.scratch.path[:0]
		p.Move(from)
		p.Line(to)
		b.scratch.path = p
		b.stroke(p, s)
	}
	b.head(tip, math.Atan2(float64(d.Y), float64(d.X)), head, s.Color)
}

// ArrowHead draws an arrow head of the usual size with its tip at a world point. The angle is
// measured on the screen, in radians counterclockwise from the right.
func (b *Brush) ArrowHead(x, y, angle float64, c color.Color) {
	b.head(b.At(x, y), angle, headLength, c)
}

func (b *Brush) head(tip vg.Point, angle float64, length vg.Length, c color.Color) {
	if !b.inside(tip) {
		return
	}
	const halfWidth = 0.42 // of the length
	length = b.Frame.Detail.sign(length)
	sin, cos := math.Sincos(angle)
	along := vg.Point{X: vg.Length(cos), Y: vg.Length(sin)}.Scale(length)
	across := vg.Point{X: -along.Y, Y: along.X}.Scale(halfWidth)
	base := tip.Sub(along)
	p := b.scratch.path[:0]
	p.Move(tip)
	p.Line(base.Add(across))
	p.Line(base.Sub(across))
	p.Close()
	b.scratch.path = p
	b.Canvas.SetColor(c)
	b.Canvas.Fill(p)
}

// VLine draws a vertical line over the whole height.
func (b *Brush) VLine(x float64, s Stroke) {
	_, _, y0, y1 := b.Bounds()
	b.segment(x, y0, x, y1, s)
}

// HLine draws a horizontal line over the whole width.
func (b *Brush) HLine(y float64, s Stroke) {
	x0, x1, _, _ := b.Bounds()
	b.segment(x0, y, x1, y, s)
}

func (b *Brush) segment(x0, y0, x1, y1 float64, s Stroke) {
	from, to := b.At(x0, y0), b.At(x1, y1)
	if !b.inside(from) || !b.inside(to) {
		return
	}
	p := b.scratch.path[:0]
	p.Move(from)
	p.Line(to)
	b.scratch.path = p
	b.stroke(p, s)
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

// tickLength is the length in pixels of a mark on the time axis.
const tickLength = 7

// Ticks draws n small marks at the bottom of the data area, in rising order, leaving
// out those that are closer than two pixels to the one before.
func (b *Brush) Ticks(n int, at func(i int) float64, s Stroke) {
	p := b.scratch.path[:0]
	bottom := b.Canvas.Min.Y
	last := vg.Length(math.Inf(-1))
	for i := range n {
		x := b.x.at(at(i))
		if q := (vg.Point{X: x, Y: bottom}); !b.inside(q) || x-last < 2 {
			continue
		}
		p.Move(vg.Point{X: x, Y: bottom})
		p.Line(vg.Point{X: x, Y: bottom + tickLength})
		last = x
	}
	b.scratch.path = p
	b.stroke(p, s)
}

// Align says on which side of a point a text stands: −1 left of it or below, 0
// centred, 1 right of it or above.
type Align struct{ X, Y float64 }

// The usual alignments.
var (
	Centred = Align{}
	Above   = Align{Y: 1}
	Below   = Align{Y: -1}
	LeftOf  = Align{X: -1}
	RightOf = Align{X: 1}
)

// capHeight is the height of capitals and digits in Liberation Sans, as a share of the size;
// alignment uses it.
const capHeight = 0.69

// Text writes a line next to a world point, 5 pixels from it. "_" lowers and "^" raises the
// next character or the braces after it: "λ_1", "10^{-3}". The text is moved as far as
// necessary to stay on the panel. Sizes below SmallText are raised to it.
func (b *Brush) Text(x, y float64, s string, size vg.Length, c color.Color, a Align) {
	b.write(x, y, s, size, c, a, false)
}

// Label is Text on a patch of paper that hides most of its background. Where there is room it
// keeps off the axes and their numbers.
func (b *Brush) Label(x, y float64, s string, size vg.Length, c color.Color, a Align) {
	b.write(x, y, s, size, c, a, true)
}

// Origin draws the axes through the origin.
func (b *Brush) Origin() {
	axis := Stroke{Color: b.Theme.Hairline, Width: 1}
	b.HLine(0, axis)
	b.VLine(0, axis)
}

// Hint writes what a visitor can do. It uses a corner of the data area without handles, if
// possible the upper left one, and several lines, parted at semicolons, where one is too wide.
// Print has no hints.
func (b *Brush) Hint(words string) {
	if b.Frame.Detail != Full || b.Theme.Print {
		return
	}
	f := font.From(sans, SmallText)
	const away = 5
	area := b.Canvas.Rectangle
	var lines []string
	var size vg.Point
	for i, part := range strings.SplitAfter(words, "; ") {
		if i > 0 && handler.width(lines[len(lines)-1]+part, f) < area.Size().X-2*away {
			lines[len(lines)-1] += part
		} else {
			lines = append(lines, part)
		}
	}
	const lead = 1.25 // from line to line, in sizes
	for _, line := range lines {
		size.X = max(size.X, handler.width(line, f)+2*away)
	}
	size.Y = f.Size*(1+lead*vg.Length(len(lines)-1)) + 2*away
	var grips []vg.Point
	if b.plane.Grips != nil {
		for _, g := range b.plane.Grips() {
			if at, ok := b.gripAt(g); ok {
				grips = append(grips, at)
			}
		}
	}
	corners := []Align{{X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: -1}}
	chosen := corners[0]
	for _, c := range corners {
		near, far := area.Min, area.Max // of the text
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
		free := !slices.ContainsFunc(grips, func(p vg.Point) bool {
			return p.X > near.X-gripRadius && p.X < far.X+gripRadius && p.Y > near.Y-gripRadius && p.Y < far.Y+gripRadius
		})
		if free {
			chosen = c
			break
		}
	}
	const inside = 0.01 // of the edge, which rounding would leave
	corner := area.Min.Add(vg.Point{X: inside, Y: inside})
	if chosen.X < 0 {
		corner.X = area.Max.X - inside
	}
	if chosen.Y < 0 {
		corner.Y = area.Max.Y - inside
	}
	if chosen.Y > 0 { // the last line is in the corner
		slices.Reverse(lines)
	}
	for i, line := range lines {
		x, y := b.World(corner.Add(vg.Point{Y: vg.Length(chosen.Y) * lead * f.Size * vg.Length(i)}))
		b.Label(x, y, strings.TrimSpace(line), SmallText, b.Theme.Muted, chosen)
	}
}

// miniText is the largest part of a Mini's width for a text; longer ones are left to the panel
// in front.
const miniText = 0.5

func (b *Brush) write(x, y float64, s string, size vg.Length, c color.Color, a Align, patch bool) {
	at := b.At(x, y)
	if !b.inside(at) || s == "" || b.Frame.Detail == Thumbnail {
		return
	}
	const distance, margin = 5, 2
	f := font.From(sans, max(size, SmallText))
	width, height := handler.width(s, f), capHeight*f.Size
	if b.Frame.Detail == Mini && width > miniText*b.Canvas.Size().X {
		return
	}
	gap := func(side float64) vg.Length { return vg.Length(side) * distance }
	left := at.X + gap(a.X) + vg.Length(a.X-1)/2*width
	base := at.Y + gap(a.Y) + vg.Length(a.Y-1)/2*height
	within := vg.Rectangle{
		Min: vg.Point{X: margin, Y: margin + 0.25*f.Size}, Max: vg.Point{X: b.Frame.Width - margin, Y: b.Frame.Height - margin},
	}
	if b.Frame.Detail == Mini { // whose names and numbers stand close to the data
		within = b.Canvas.Rectangle
	} else if patch && width < b.Canvas.Size().X {
		within.Min = vg.Point{X: b.Canvas.Min.X + 4, Y: b.Canvas.Min.Y + 0.28*f.Size}
	}
	left = max(within.Min.X, min(left, within.Max.X-width))
	base = max(within.Min.Y, min(base, within.Max.Y-height))
	if patch {
		box := vg.Rectangle{
			Min: vg.Point{X: left - 3, Y: base - 0.28*f.Size},
			Max: vg.Point{X: left + width + 3, Y: base + height + 0.2*f.Size},
		}
		b.Canvas.SetColor(Faded(b.Theme.Paper, 0.85))
		b.Canvas.Fill(box.Path())
	}
	handler.line(b.Canvas, s, f, c, vg.Point{X: left, Y: base})
}

// Field paints f on a grid of nx×ny equal rectangles, each in the colour of its
// centre, lo in the lowest and hi in the highest colour. NaN is left blank.
func (b *Brush) Field(nx, ny int, f func(x, y float64) float64, lo, hi float64) {
	b.paint(nx, ny, b.centres(nx, ny, f), lo, hi, b.Theme.Field)
}

// centres evaluates a function in the middle of nx×ny equal parts of the data area, row by row from
// above.
func (b *Brush) centres(nx, ny int, f func(x, y float64) float64) []float64 {
	values := make([]float64, 0, nx*ny)
	size := b.Canvas.Size()
	for j := range ny {
		_, y := b.World(vg.Point{Y: b.Canvas.Max.Y - (vg.Length(j)+0.5)/vg.Length(ny)*size.Y})
		for i := range nx {
			x, _ := b.World(vg.Point{X: b.Canvas.Min.X + (vg.Length(i)+0.5)/vg.Length(nx)*size.X})
			values = append(values, f(x, y))
		}
	}
	return values
}

// paint colours nx×ny equal parts of the data area by values, row by row from above.
func (b *Brush) paint(nx, ny int, values []float64, lo, hi float64, field func(u float64) color.NRGBA) {
	img := image.NewRGBA(image.Rect(0, 0, nx, ny)) // its row 0 is its top
	for i, v := range values {
		if !math.IsNaN(v) {
			img.SetRGBA(i%nx, i/nx, color.RGBA(field((v-lo)/(hi-lo)))) // opaque
		}
	}
	b.Picture(img)
}

// Picture lays an image over the whole data area; each of its dots is a rectangle of one
// colour.
func (b *Brush) Picture(img image.Image) { b.Canvas.DrawImage(b.Canvas.Rectangle, img) }

// Cells paints a rows×cols matrix over the whole data area, entry (0, 0) at the top left, lo as
// paper and hi in the strongest colour. An entry for which value returns false, or that is NaN,
// is left blank. Values are printed if the cells have room for them.
func (b *Brush) Cells(rows, cols int, value func(r, c int) (v float64, ok bool), lo, hi float64) {
	b.Matrix(rows, cols, func(r, c int) (float64, string, bool) {
		v, ok := value(r, c)
		return (v - lo) / (hi - lo), minus(strconv.FormatFloat(v, 'f', 2, 64)), ok && !math.IsNaN(v)
	})
}

// Matrix paints a rows×cols matrix over the whole data area, entry (0, 0) at the top left. entry
// returns the shade, from 0 to 1, a text that is written where there is room, and false for a blank.
func (b *Brush) Matrix(rows, cols int, entry func(r, c int) (shade float64, text string, ok bool)) {
	if rows <= 0 || cols <= 0 {
		return
	}
	size := b.Canvas.Size()
	w, h := size.X/vg.Length(cols), size.Y/vg.Length(rows)
	f := font.From(sans, SmallText)
	room := w >= handler.width("−0.00", f)+6 && h >= 1.6*f.Size
	gap := vg.Length(0)
	if min(w, h) >= 8 {
		gap = 1
	}
	for r := range rows {
		for c := range cols {
			u, text, ok := entry(r, c)
			if !ok {
				continue
			}
			fill := b.Theme.Ramp(u)
			corner := vg.Point{X: b.Canvas.Min.X + vg.Length(c)*w, Y: b.Canvas.Max.Y - vg.Length(r+1)*h}
			cell := vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: w - gap, Y: h - gap})}
			b.Canvas.SetColor(fill)
			b.Canvas.Fill(cell.Path())
			if width := handler.width(text, f); room && width <= w-gap {
				handler.line(b.Canvas, text, f, OnColor(fill), vg.Point{
					X: corner.X + (w-gap-width)/2,
					Y: corner.Y + (h-gap-capHeight*f.Size)/2,
				})
			}
		}
	}
}
