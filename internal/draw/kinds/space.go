package kinds

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/portable"
)

// CameraHandle is the name of the handle that turns a three-dimensional picture.
const CameraHandle = "camera"

// Camera is a camera that looks at the origin from far away. It has an azimuth and an elevation in degrees, and a
// distance that scales the picture down.
type Camera [3]float64

// Project returns a point's coordinates in the view plane, to the right and upwards, and the point's nearness to the
// viewer.
func (c Camera) Project(p [3]float64) (x, y, near float64) {
	right, up, towards := c.axes()
	for i, v := range p {
		x += float64(v * right[i])
		y += float64(v * up[i])
		near += float64(v * towards[i])
	}
	return x, y, near
}

// Place is the inverse of Project. It returns the point in space with the given coordinates.
func (c Camera) Place(x, y, near float64) (p [3]float64) {
	right, up, towards := c.axes()
	for i := range p {
		p[i] = float64(x*right[i]) + float64(y*up[i]) + float64(near*towards[i])
	}
	return p
}

func (c Camera) axes() (right, up, towards [3]float64) {
	sa, ca := portable.Sincos(c[0] * math.Pi / 180)
	se, ce := portable.Sincos(c[1] * math.Pi / 180)
	return [3]float64{-sa, ca, 0}, [3]float64{-se * ca, -se * sa, ce}, [3]float64{ce * ca, ce * sa, se}
}

// Space is a Panel that draws arrows and points of R³ from a camera's viewpoint. A drag that hits no handle turns the
// camera.
type Space struct {
	axes.Plane // drawing in the view plane; Space sets Axes, Bare, Equal and Find
	Labels     [3]string
	Words      [3]string // axis names in a wide panel at full detail, instead of Labels; "" means the label
	// Camera returns the camera. Reach returns the largest coordinate that is in view from distance 1.
	Camera func() Camera
	Reach  func() float64
	// Box returns the range of each coordinate. The panel draws the ranges as a box with ticks, and the camera looks at
	// the middle of the box. If Box is nil, the panel draws three axes through the origin.
	Box func() [3]axes.Axis
	// Between returns sheets between the axes and Draw. They may use On to draw in space. Between may be nil.
	Between func() []axes.Sheet
	// Draw draws the contents above the axes.
	Draw func(b *SpaceBrush)
}

var _ axes.Panel = (*Space)(nil)

// Build completes the panel from its fields.
func (s *Space) Build() *Space {
	s.Bare, s.Equal = true, true
	s.Axes = func() (axes.Axis, axes.Axis) {
		// Show slightly more than the axes, for the names at their ends.
		reach := 1.1 * s.Reach() * s.Camera()[2]
		return axes.Axis{Min: -reach, Max: reach}, axes.Axis{Min: -reach, Max: reach}
	}
	s.Alike = func(ghost axes.Panel) bool {
		other, is := ghost.(*Space)
		return is && s.axesKey() == other.axesKey()
	}
	s.Sheets = func() []axes.Sheet {
		sheets := []axes.Sheet{{Key: s.axesKey(), Draw: func(b *brush.Brush) { s.drawAxes(s.On(b)) }}}
		if s.Between != nil {
			sheets = append(sheets, s.Between()...)
		}
		return append(sheets, axes.Sheet{Draw: func(b *brush.Brush) { s.Draw(s.On(b)) }})
	}
	s.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		if !b.Canvas.Contains(at) {
			return axes.Pick{}, false
		}
		return axes.Pick{Handle: CameraHandle, K: -1, At: at}, true
	}
	return s
}

// On returns a SpaceBrush that draws with a brush of the view plane.
func (s *Space) On(b *brush.Brush) *SpaceBrush {
	return &SpaceBrush{Brush: b, camera: s.Camera(), middle: s.middle()}
}

// Project converts a world point like Camera.Project.
func (s *Space) Project(p [3]float64) (x, y, near float64) {
	return s.Camera().Project(minus3(p, s.middle()))
}

// Place is the inverse of Project.
func (s *Space) Place(x, y, near float64) [3]float64 {
	p := s.Camera().Place(x, y, near)
	for i, v := range s.middle() {
		p[i] += v
	}
	return p
}

// middle returns the world point that the camera looks at.
func (s *Space) middle() (p [3]float64) {
	if s.Box == nil {
		return p
	}
	for i, a := range s.Box() {
		p[i] = (a.Min + a.Max) / 2
	}
	return p
}

func minus3(p, q [3]float64) [3]float64 { return [3]float64{p[0] - q[0], p[1] - q[1], p[2] - q[2]} }

// axesKey returns an encoding of everything that the axes depend on, except the layout.
func (s *Space) axesKey() string {
	key := fmt.Sprint("axes ", s.Camera(), s.Reach(), s.Labels)
	if s.Box != nil {
		for _, a := range s.Box() {
			key += fmt.Sprint(" ", a.Min, a.Max)
		}
	}
	return key
}

// Handles implements Panel. It returns the grips, followed by the camera.
func (s *Space) Handles(f brush.Frame) []axes.Handle {
	c := s.Camera()
	corner := s.Brush(f, nil).Canvas
	return append(s.Plane.Handles(f), axes.Handle{
		ID: CameraHandle, Label: "camera",
		Value: "azimuth " + axes.TickLabel(c[0], 1) + "°, elevation " + axes.TickLabel(c[1], 1) + "°",
		At:    vg.Point{X: corner.Max.X - cameraInset, Y: corner.Min.Y + cameraInset},
		X:     c[0], Y: c[1], StepX: 5, StepY: 5, Relative: true,
	})
}

const (
	cameraInset  = 20
	degreesPixel = 0.5
)

// World implements Panel. It returns coordinates in the view plane. For the camera, it returns angles; only their
// differences matter.
func (s *Space) World(f brush.Frame, handle string, at vg.Point) (x, y float64) {
	if handle == CameraHandle {
		return -degreesPixel * float64(at.X), -degreesPixel * float64(at.Y)
	}
	return s.Plane.World(f, handle, at)
}

func (s *Space) drawAxes(b *SpaceBrush) {
	if s.Box != nil {
		s.drawBox(b)
	} else {
		s.drawCross(b)
	}
	if b.Frame.Detail != brush.Full || b.Theme.Print {
		return
	}
	// Draw two bent arrows to show that visitors can turn the picture.
	at := vg.Point{X: b.Canvas.Max.X - cameraInset, Y: b.Canvas.Min.Y + cameraInset}
	b.GripRing(at)
	brush.Stroke{Color: b.Theme.Accent, Width: 1.5}.Set(b.Canvas)
	for _, start := range []float64{0.35, math.Pi + 0.35} {
		var p vg.Path
		p.Move(at.Add(vg.Point{X: vg.Length(9 * portable.Cos(start)), Y: vg.Length(9 * portable.Sin(start))}))
		p.Arc(at, 9, start, 2.2)
		b.Canvas.Stroke(p)
		end := start + 2.2
		tip := at.Add(vg.Point{X: vg.Length(9 * portable.Cos(end)), Y: vg.Length(9 * portable.Sin(end))})
		ahead := end + math.Pi/2 + 0.3
		b.ArrowHeadAt(tip.Add(vg.Point{X: vg.Length(4 * portable.Cos(ahead)), Y: vg.Length(4 * portable.Sin(ahead))}), ahead, 7, b.Theme.Accent)
	}
}

func (s *Space) drawCross(b *SpaceBrush) {
	t, r := b.Theme, s.Reach()
	floor := [4][3]float64{{r, r, 0}, {-r, r, 0}, {-r, -r, 0}, {r, -r, 0}}
	b.Polygon(4, func(i int) (float64, float64) { return b.Flat(floor[i]) }, brush.Faded(t.Rule, 0.07))
	for i := range 5 {
		v := r * (float64(float64(i)/2) - 1)
		b.Segment([3]float64{v, -r, 0}, [3]float64{v, r, 0}, brush.Stroke{Color: t.Hairline, Width: 0.75})
		b.Segment([3]float64{-r, v, 0}, [3]float64{r, v, 0}, brush.Stroke{Color: t.Hairline, Width: 0.75})
	}
	for i, label := range s.Labels {
		var from, to [3]float64
		from[i], to[i] = -r, r
		b.Segment(from, to, brush.Stroke{Color: t.Rule, Width: 1})
		x, y := b.Flat(to)
		b.Text(x, y, label, brush.LabelText, t.Muted, brush.Align{X: sideOf(x), Y: sideOf(y)})
	}
}

const (
	tickSpacingSpace = 30 // distance between two ticks of a box in pixels
	leastEdge        = 40 // minimum length on the screen, in pixels, of an edge with ticks
	labelAway        = 8  // distance from tick labels to the name of their edge, in pixels
)

// drawBox draws the floor and the two far walls with a grid. It draws the ticks along the bottom and left edges of the
// box's outline.
func (s *Space) drawBox(b *SpaceBrush) {
	sides := s.Box()
	_, _, towards := s.Camera().axes()
	far := func(i int) float64 { // position of the wall behind the contents
		if towards[i] > 0 {
			return sides[i].Min
		}
		return sides[i].Max
	}
	back := [3]float64{far(0), far(1), far(2)}
	for i := range 3 { // draw the wall across axis i
		j, k := (i+1)%3, (i+2)%3
		corner := func(v, w float64) (p [3]float64) {
			p[i], p[j], p[k] = back[i], v, w
			return p
		}
		b.Face([][3]float64{
			corner(sides[j].Min, sides[k].Min), corner(sides[j].Max, sides[k].Min),
			corner(sides[j].Max, sides[k].Max), corner(sides[j].Min, sides[k].Max),
		}, brush.Stroke{Color: b.Theme.Rule}, 0.025)
		grid := brush.Stroke{Color: brush.Faded(b.Theme.Hairline, 0.6), Width: 0.75}
		for _, tick := range s.boxTicks(b, j) {
			b.Segment(corner(tick.Value, sides[k].Min), corner(tick.Value, sides[k].Max), grid)
		}
		for _, tick := range s.boxTicks(b, k) {
			b.Segment(corner(sides[j].Min, tick.Value), corner(sides[j].Max, tick.Value), grid)
		}
	}
	var taken []vg.Rectangle
	for _, i := range [...]int{2, 0, 1} { // start with the vertical axis, which keeps its labels at corners
		taken = s.drawEdge(b, i, taken)
	}
}

// edge returns the ends of the edge that has the ticks of axis i. Of the four edges along the axis, it is the lowest on
// the screen or, for the vertical axis, the leftmost.
func (s *Space) edge(i int) (from, to [3]float64) {
	sides := s.Box()
	j, k := (i+1)%3, (i+2)%3
	best := math.Inf(1)
	for _, v := range [2]float64{sides[j].Min, sides[j].Max} {
		for _, w := range [2]float64{sides[k].Min, sides[k].Max} {
			var p [3]float64
			p[i], p[j], p[k] = (sides[i].Min+sides[i].Max)/2, v, w
			x, rank, _ := s.Project(p)
			if i == 2 {
				rank = x
			}
			if rank < best {
				best = rank
				from, to = p, p
				from[i], to[i] = sides[i].Min, sides[i].Max
			}
		}
	}
	return from, to
}

// edgeLength returns the length of axis i's edge on the screen, in pixels.
func (s *Space) edgeLength(b *SpaceBrush, i int) float64 {
	from, to := s.edge(i)
	d := b.At(b.Flat(to)).Sub(b.At(b.Flat(from)))
	return portable.Hypot(float64(d.X), float64(d.Y))
}

func (s *Space) boxTicks(b *SpaceBrush, i int) []axes.Tick {
	return s.Box()[i].Ticks(vg.Length(s.edgeLength(b, i)), tickSpacingSpace)
}

// drawEdge draws the ticks of axis i with their labels, and the axis's name beyond them. At corners, it omits labels
// that would overlap the taken areas. It returns the taken areas, including those of the new labels.
func (s *Space) drawEdge(b *SpaceBrush, i int, taken []vg.Rectangle) []vg.Rectangle {
	t := b.Theme
	from, to := s.edge(i)
	b.Segment(from, to, brush.Stroke{Color: t.Rule, Width: 1})
	if s.edgeLength(b, i) < leastEdge {
		return taken
	}
	middle := from
	middle[i] = (from[i] + to[i]) / 2
	// The outward direction is perpendicular to the edge, away from the middle of the box.
	x0, y0 := b.Flat(from)
	x1, y1 := b.Flat(to)
	out := [2]float64{y1 - y0, x0 - x1}
	if x, y := b.Flat(middle); float64(out[0]*x)+float64(out[1]*y) < 0 {
		out[0], out[1] = -out[0], -out[1]
	}
	length := portable.Hypot(out[0], out[1])
	side := brush.Align{X: out[0] / length, Y: out[1] / length}
	widest := vg.Length(0)
	for _, tick := range s.boxTicks(b, i) {
		p := from
		p[i] = tick.Value
		x, y := b.Flat(p)
		width := brush.Text.Width(tick.Label, font.From(brush.Sans, brush.SmallText))
		widest = max(widest, width)
		half := vg.Point{X: width / 2, Y: brush.CapHeight * brush.SmallText / 2}
		at := b.At(x, y).Add(vg.Point{X: vg.Length(side.X) * half.X, Y: vg.Length(side.Y) * half.Y})
		box := vg.Rectangle{Min: at.Sub(half), Max: at.Add(half)}
		if slices.ContainsFunc(taken, func(r vg.Rectangle) bool { return brush.Overlap(box, r) }) {
			continue
		}
		taken = append(taken, box)
		b.Text(x, y, tick.Label, brush.SmallText, t.Muted, side)
	}
	if i == 2 { // there is more space beyond the end of a vertical axis than beside the axis
		if x0, y0 := b.Flat(from); y0 > y1 {
			x1, y1 = x0, y0
		}
		// Write the name above the last tick's label.
		b.TextAt(b.At(x1, y1).Add(vg.Point{Y: brush.CapHeight * brush.SmallText}), s.name(b, i), brush.LabelText, t.Ink, brush.Above)
		return taken
	}
	away := labelAway + vg.Length(vg.Length(math.Abs(side.X))*widest) + vg.Length(vg.Length(math.Abs(side.Y))*brush.SmallText)
	at := b.At(b.Flat(middle)).Add(vg.Point{X: vg.Length(side.X), Y: vg.Length(side.Y)}.Scale(away))
	b.TextAt(at, s.name(b, i), brush.LabelText, t.Ink, side)
	return taken
}

// name returns the name of axis i of the box. In a small or narrow panel, it is the axis's label.
func (s *Space) name(b *SpaceBrush, i int) string {
	const room = 360 // minimum panel width in pixels for Words, which would otherwise overlap the ticks
	if b.Frame.Detail == brush.Full && b.Frame.Width >= room && s.Words[i] != "" {
		return s.Words[i]
	}
	return s.Labels[i]
}

func sideOf(v float64) float64 {
	if v < 0 {
		return -1
	}
	return 1
}

// SpaceBrush draws in space, with coordinates in R³.
type SpaceBrush struct {
	*brush.Brush
	camera Camera
	middle [3]float64 // point that the camera looks at
}

// Flat returns the place of a point in the view plane.
func (b *SpaceBrush) Flat(p [3]float64) (x, y float64) {
	x, y, _ = b.camera.Project(minus3(p, b.middle))
	return x, y
}

// Segment draws a line between two points.
func (b *SpaceBrush) Segment(from, to [3]float64, s brush.Stroke) {
	ends := [2][3]float64{from, to}
	b.Line(2, func(i int) (float64, float64) { return b.Flat(ends[i]) }, s)
}

// Face fills the polygon with the given corners and draws its outline. faded is the fill's opacity relative to the
// stroke's.
func (b *SpaceBrush) Face(points [][3]float64, stroke brush.Stroke, faded float64) {
	b.Polygon(len(points), func(i int) (float64, float64) { return b.Flat(points[i]) }, brush.Faded(stroke.Color, faded))
	if stroke.Width > 0 {
		b.Line(len(points)+1, func(i int) (float64, float64) { return b.Flat(points[i%len(points)]) }, stroke)
	}
}

// Vector draws an arrow from the origin.
func (b *SpaceBrush) Vector(p [3]float64, s brush.Stroke) { b.ArrowFrom([3]float64{}, p, s) }

// ArrowFrom draws an arrow from one point to another.
func (b *SpaceBrush) ArrowFrom(from, to [3]float64, s brush.Stroke) {
	x0, y0 := b.Flat(from)
	x1, y1 := b.Flat(to)
	b.Arrow(x0, y0, x1, y1, s)
}

// Dot draws a marker at a point.
func (b *SpaceBrush) Dot(p [3]float64, shape brush.Shape, radius vg.Length, s brush.Stroke) {
	x, y := b.Flat(p)
	b.Marker(x, y, shape, radius, s.Color, true)
}
