package kinds

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// TestCamera checks that Place is the inverse of Project, and that both preserve lengths. The vertical axis must point
// up, and points nearer to the viewer must have a larger value of near.
func TestCamera(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		c := Camera{360*r.Float64() - 180, 180*r.Float64() - 90, 1}
		p := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		x, y, near := c.Project(p)
		back := c.Place(x, y, near)
		for i := range p {
			if math.Abs(back[i]-p[i]) > 1e-12 {
				t.Fatalf("%v: %v comes back as %v", c, p, back)
			}
		}
	}
	front := Camera{0, 0, 1}
	if x, y, near := front.Project([3]float64{1, 2, 3}); math.Abs(x-2)+math.Abs(y-3)+math.Abs(near-1) > 1e-12 {
		t.Errorf("from the front: %v, %v, %v", x, y, near)
	}
	above := Camera{-90, 90, 1}
	if x, y, near := above.Project([3]float64{1, 2, 3}); math.Abs(x-1)+math.Abs(y-2)+math.Abs(near-3) > 1e-12 {
		t.Errorf("from above: %v, %v, %v", x, y, near)
	}
}

// TestSpace checks that the pointer finds the tip of an arrow in preference to the background, where a drag turns the
// camera. Outside the picture, the pointer must find nothing.
func TestSpace(t *testing.T) {
	camera := Camera{30, 20, 1}
	s := &Space{Labels: [3]string{"x", "y", "z"}, Camera: func() Camera { return camera }, Reach: func() float64 { return 2 },
		Draw: func(b *SpaceBrush) {
			b.Vector([3]float64{1, 1, 1}, brush.Stroke{Color: brush.Light.Ink, Width: 2})
			b.Dot([3]float64{1, 1, 1}, brush.Circle, 4, brush.Stroke{Color: brush.Light.Ink})
			b.Face([][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, brush.Stroke{Color: brush.Light.Ink, Width: 1}, 0.1)
		}}
	s.Name, s.Heading = "space", "Space"
	s.Grips = func() []axes.Grip {
		x, y, _ := camera.Project([3]float64{1, 1, 1})
		return []axes.Grip{{ID: "tip", Label: "tip", X: x, Y: y}}
	}
	s.Build()
	f := brush.Frame{Width: 400, Height: 300, Theme: brush.Light}
	handles := s.Handles(f)
	if len(handles) != 2 || handles[1].ID != CameraHandle || !handles[1].Relative || handles[0].Relative {
		t.Fatalf("got handles %+v", handles)
	}
	if p, ok := s.Pick(f, handles[0].At); !ok || p.Handle != "tip" {
		t.Errorf("at the tip: got %+v", p)
	}
	if p, ok := s.Pick(f, handles[0].At.Add(vg.Point{X: 60})); !ok || p.Handle != CameraHandle {
		t.Errorf("beside it: got %+v", p)
	}
	if p, ok := s.Pick(f, vg.Point{X: 1, Y: 299}); ok {
		t.Errorf("outside: got %+v", p)
	}
	x0, y0 := s.World(f, CameraHandle, vg.Point{X: 100, Y: 100})
	x1, y1 := s.World(f, CameraHandle, vg.Point{X: 120, Y: 90})
	if x1-x0 != -10 || y1-y0 != 5 {
		t.Errorf("20 pixels right and 10 down turn by %v, %v", x1-x0, y1-y0)
	}
	x, y := s.World(f, "tip", handles[0].At)
	if math.Abs(x-handles[0].X)+math.Abs(y-handles[0].Y) > 1e-9 {
		t.Errorf("the tip at %v, %v is found at %v, %v", handles[0].X, handles[0].Y, x, y)
	}
	for _, size := range [][2]vg.Length{{400, 300}, {320, 200}, {1, 1}} {
		var c recorder.Canvas
		for _, l := range s.Layers(brush.Frame{Width: size[0], Height: size[1], Theme: brush.Dark}) {
			l.Draw(draw.Canvas{Canvas: &c, Rectangle: vg.Rectangle{Max: vg.Point{X: size[0], Y: size[1]}}})
		}
		if len(c.Actions) < 10 {
			t.Errorf("%v: %d actions", size, len(c.Actions))
		}
	}
}

// TestBox checks that the camera looks at the middle of the box, and that Place inverts Project. From every viewpoint,
// every axis must have its name and ticks, except an axis along the line of sight.
func TestBox(t *testing.T) {
	camera := Camera{0, 0, 1}
	box := [3]axes.Axis{{Min: -1, Max: 3}, {Min: 0, Max: 4}, {Min: 10, Max: 14}}
	s := &Space{Labels: [3]string{"first", "second", "third"}, Camera: func() Camera { return camera }, Reach: func() float64 { return 4 },
		Box: func() [3]axes.Axis { return box }, Draw: func(*SpaceBrush) {}}
	s.Name, s.Heading = "space", "Space"
	s.Between = func() []axes.Sheet {
		return []axes.Sheet{{Key: "dot", Draw: func(b *brush.Brush) {
			s.On(b).Dot([3]float64{1, 2, 12}, brush.Circle, 4, brush.Stroke{Color: brush.Light.Ink})
		}}}
	}
	s.Build()
	if x, y, near := s.Project([3]float64{1, 2, 12}); x != 0 || y != 0 || near != 0 {
		t.Errorf("the middle is seen at %v, %v, %v", x, y, near)
	}
	f := brush.Frame{Width: 400, Height: 400, Theme: brush.Light}
	for azimuth := -180.0; azimuth <= 180; azimuth += 15 {
		for elevation := -90.0; elevation <= 90; elevation += 15 {
			camera = Camera{azimuth, elevation, 1}
			p := [3]float64{0.5, 3, 13}
			x, y, near := s.Project(p)
			for i, v := range s.Place(x, y, near) {
				if math.Abs(v-p[i]) > 1e-12 {
					t.Fatalf("%v: %v comes back as %v", camera, p, s.Place(x, y, near))
				}
			}
			var c recorder.Canvas
			for _, l := range s.Layers(f) {
				l.Draw(draw.Canvas{Canvas: &c, Rectangle: vg.Rectangle{Max: vg.Point{X: 400, Y: 400}}})
			}
			seen := map[string]bool{}
			for _, a := range c.Actions {
				if text, ok := a.(*recorder.FillString); ok {
					seen[text.String] = true
				}
			}
			along := 0
			for i, v := range [3]float64{math.Cos(azimuth * math.Pi / 180), math.Sin(azimuth * math.Pi / 180), 0} {
				if i < 2 && math.Abs(v*math.Cos(elevation*math.Pi/180)) > 0.9 || i == 2 && math.Abs(elevation) > 70 {
					along = i + 1
				}
			}
			for i, label := range s.Labels {
				if !seen[label] && along != i+1 {
					t.Errorf("%v: %s has no name", camera, label)
				}
			}
			if !seen["12"] && math.Abs(elevation) < 60 {
				t.Errorf("%v: no tick of the upright axis", camera)
			}
		}
	}
}
