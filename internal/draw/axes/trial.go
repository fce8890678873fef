package axes

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/brush"
)

// Trial tests whether panels can be drawn. The zero value is ready to use.
type Trial struct {
	passed map[stamp]bool
}

// stamp identifies a keyed layer in a frame. Layers with the same stamp look the same.
type stamp struct {
	panel, key string
	layer      int
	frame      brush.Frame
}

// maxStamps is the maximum number of layers that a Trial stores.
const maxStamps = 256

// Try draws a panel on a canvas that stores nothing, and calls Describe and Handles. It skips keyed layers that it has
// drawn before. It returns an error if the panel panics or draws at a place that is not finite.
func (t *Trial) Try(p Panel, f brush.Frame) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s: %v", p.ID(), fault)
		}
	}()
	var c trial
	for i, l := range p.Layers(f) {
		at := stamp{panel: p.ID(), key: l.Key, layer: i, frame: f}
		if l.Key != "" && t.passed[at] {
			continue
		}
		l.Draw(draw.Canvas{Canvas: &c, Rectangle: vg.Rectangle{Max: vg.Point{X: f.Width, Y: f.Height}}})
		if c.lost {
			return fmt.Errorf("%s: a place in the picture is not finite", p.ID())
		}
		if t.passed == nil || len(t.passed) >= maxStamps {
			t.passed = map[stamp]bool{}
		}
		if l.Key != "" {
			t.passed[at] = true
		}
	}
	for _, h := range p.Handles(f) {
		c.see(h.At)
	}
	p.Describe()
	if c.lost {
		return fmt.Errorf("%s: the place of a handle is not finite", p.ID())
	}
	return nil
}

// trial is a canvas that only checks the places of drawing calls.
type trial struct {
	lost bool // a drawing call had a place that is not finite
}

var _ vg.Canvas = (*trial)(nil)

func (t *trial) see(p vg.Point) {
	if sum := float64(p.X) + float64(p.Y); sum-sum != 0 {
		t.lost = true
	}
}

func (t *trial) path(path vg.Path) {
	for _, c := range path {
		t.see(c.Pos)
		for _, p := range c.Control {
			t.see(p)
		}
		if c.Type == vg.ArcComp && math.IsNaN(float64(c.Radius)+c.Start+c.Angle) {
			t.lost = true
		}
	}
}

func (t *trial) Stroke(p vg.Path) { t.path(p) }
func (t *trial) Fill(p vg.Path)   { t.path(p) }

func (t *trial) FillString(_ font.Face, at vg.Point, _ string) { t.see(at) }

func (t *trial) DrawImage(r vg.Rectangle, _ image.Image) {
	t.see(r.Min)
	t.see(r.Max)
}

func (t *trial) Translate(by vg.Point) { t.see(by) }

func (*trial) SetLineWidth(vg.Length)             {}
func (*trial) SetLineDash([]vg.Length, vg.Length) {}
func (*trial) SetColor(color.Color)               {}
func (*trial) Rotate(float64)                     {}
func (*trial) Scale(_, _ float64)                 {}
func (*trial) Push()                              {}
func (*trial) Pop()                               {}
