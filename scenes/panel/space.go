package panel

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// CameraHandle is the handle by which a picture of space is turned.
const CameraHandle = "camera"

// Camera is a place to look at the origin from, far away: azimuth and elevation
// in degrees, and a distance by which the picture shrinks.
type Camera [3]float64

// Project returns the coordinates of a point of space in the plane of the view,
// rightwards and upwards, and how far it lies towards the viewer.
func (c Camera) Project(p [3]float64) (x, y, near float64) {
	right, up, towards := c.axes()
	for i, v := range p {
		x += v * right[i]
		y += v * up[i]
		near += v * towards[i]
	}
	return x, y, near
}

// Place is the point of space with these coordinates: the inverse of Project.
func (c Camera) Place(x, y, near float64) (p [3]float64) {
	right, up, towards := c.axes()
	for i := range p {
		p[i] = x*right[i] + y*up[i] + near*towards[i]
	}
	return p
}

func (c Camera) axes() (right, up, towards [3]float64) {
	sa, ca := math.Sincos(c[0] * math.Pi / 180)
	se, ce := math.Sincos(c[1] * math.Pi / 180)
	return [3]float64{-sa, ca, 0}, [3]float64{-se * ca, -se * sa, ce}, [3]float64{ce * ca, ce * sa, se}
}

// Space is a Panel that draws arrows and points of R³ seen from a camera, which
// a drag beside everything else turns.
type Space struct {
	Plane  // what is drawn in the plane of the view; Axes, Bare, Equal and Find are the Space's
	Labels [3]string
	// Camera is where the visitor looks from, Reach the largest coordinate that
	// is shown from distance 1.
	Camera func() Camera
	Reach  func() float64
	// Draw draws above the axes.
	Draw func(b *SpaceBrush)
}

var _ Panel = (*Space)(nil)

// Build completes the panel from its fields.
func (s *Space) Build() *Space {
	s.Bare, s.Equal = true, true
	s.Axes = func() (Axis, Axis) {
		// A little more than the axes: their names stand at their ends.
		reach := 1.1 * s.Reach() * s.Camera()[2]
		return Axis{Min: -reach, Max: reach}, Axis{Min: -reach, Max: reach}
	}
	s.Sheets = func() []Sheet {
		return []Sheet{{Draw: func(b *Brush) {
			on := &SpaceBrush{Brush: b, camera: s.Camera()}
			s.drawAxes(on)
			s.Draw(on)
		}}}
	}
	s.Find = func(b *Brush, at vg.Point) (Pick, bool) {
		if !b.Canvas.Contains(at) {
			return Pick{}, false
		}
		return Pick{Handle: CameraHandle, K: -1, At: at}, true
	}
	return s
}

// Handles implements Panel: the grips, then the camera.
func (s *Space) Handles(f Frame) []Handle {
	c := s.Camera()
	corner := s.brush(s.layout(f), nil).Canvas
	return append(s.Plane.Handles(f), Handle{
		ID: CameraHandle, Label: "camera", Value: "azimuth " + minus(tickLabel(c[0], 1)) + "°, elevation " + minus(tickLabel(c[1], 1)) + "°",
		At: vg.Point{X: corner.Max.X - cameraInset, Y: corner.Min.Y + cameraInset},
		X:  c[0], Y: c[1], StepX: 5, StepY: 5, Relative: true,
	})
}

const (
	cameraInset  = 20
	degreesPixel = 0.5
)

// World implements Panel: coordinates in the plane of the view, and for the
// camera angles of which only differences count.
func (s *Space) World(f Frame, handle string, at vg.Point) (x, y float64) {
	if handle == CameraHandle {
		return -degreesPixel * float64(at.X), -degreesPixel * float64(at.Y)
	}
	return s.Plane.World(f, handle, at)
}

// drawAxes draws the floor, the three axes and the sign of the camera.
func (s *Space) drawAxes(b *SpaceBrush) {
	t, r := b.Theme, s.Reach()
	floor := [4][3]float64{{r, r, 0}, {-r, r, 0}, {-r, -r, 0}, {r, -r, 0}}
	b.Polygon(4, func(i int) (float64, float64) { return b.at(floor[i]) }, Faded(t.Rule, 0.07))
	for i := range 5 {
		v := r * (float64(i)/2 - 1)
		b.Segment([3]float64{v, -r, 0}, [3]float64{v, r, 0}, Stroke{Color: t.Hairline, Width: 0.75})
		b.Segment([3]float64{-r, v, 0}, [3]float64{r, v, 0}, Stroke{Color: t.Hairline, Width: 0.75})
	}
	for i, label := range s.Labels {
		var from, to [3]float64
		from[i], to[i] = -r, r
		b.Segment(from, to, Stroke{Color: t.Rule, Width: 1})
		x, y := b.at(to)
		b.Text(x, y, label, LabelText, t.Muted, Align{X: sideOf(x), Y: sideOf(y)})
	}
	// Two bent arrows say that this can be turned.
	at := vg.Point{X: b.Canvas.Max.X - cameraInset, Y: b.Canvas.Min.Y + cameraInset}
	Stroke{Color: t.Accent, Width: 1.5}.set(b.Canvas)
	for _, start := range []float64{0.35, math.Pi + 0.35} {
		var p vg.Path
		p.Move(at.Add(vg.Point{X: vg.Length(9 * math.Cos(start)), Y: vg.Length(9 * math.Sin(start))}))
		p.Arc(at, 9, start, 2.2)
		b.Canvas.Stroke(p)
		end := start + 2.2
		tip := at.Add(vg.Point{X: vg.Length(9 * math.Cos(end)), Y: vg.Length(9 * math.Sin(end))})
		ahead := end + math.Pi/2 + 0.3
		b.head(tip.Add(vg.Point{X: vg.Length(4 * math.Cos(ahead)), Y: vg.Length(4 * math.Sin(ahead))}), ahead, 7, t.Accent)
	}
}

func sideOf(v float64) float64 {
	if v < 0 {
		return -1
	}
	return 1
}

// SpaceBrush draws in space.
type SpaceBrush struct {
	*Brush
	camera Camera
}

func (b *SpaceBrush) at(p [3]float64) (x, y float64) {
	x, y, _ = b.camera.Project(p)
	return x, y
}

// Segment draws a line between two points.
func (b *SpaceBrush) Segment(from, to [3]float64, s Stroke) {
	ends := [2][3]float64{from, to}
	b.Line(2, func(i int) (float64, float64) { return b.at(ends[i]) }, s)
}

// Face fills the polygon of the points.
func (b *SpaceBrush) Face(points [][3]float64, stroke Stroke, faded float64) {
	b.Polygon(len(points), func(i int) (float64, float64) { return b.at(points[i]) }, Faded(stroke.Color, faded))
	if stroke.Width > 0 {
		b.Line(len(points)+1, func(i int) (float64, float64) { return b.at(points[i%len(points)]) }, stroke)
	}
}

// Vector draws an arrow from the origin.
func (b *SpaceBrush) Vector(p [3]float64, s Stroke) {
	x, y := b.at(p)
	b.Arrow(0, 0, x, y, s)
}

// Dot draws a marker at a point.
func (b *SpaceBrush) Dot(p [3]float64, shape Shape, radius vg.Length, s Stroke) {
	x, y := b.at(p)
	b.Marker(x, y, shape, radius, s.Color, true)
}
