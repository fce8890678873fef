package axes_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// sketch is a panel with one layer and one handle.
type sketch struct {
	axes.Panel
	key    string
	draw   func(c draw.Canvas)
	handle vg.Point
	drawn  int
}

func (*sketch) ID() string       { return "sketch" }
func (*sketch) Describe() string { return "A sketch." }

func (s *sketch) Layers(brush.Frame) []axes.Layer {
	return []axes.Layer{{Key: s.key, Draw: func(c draw.Canvas) {
		s.drawn++
		s.draw(c)
	}}}
}

func (s *sketch) Handles(brush.Frame) []axes.Handle { return []axes.Handle{{At: s.handle}} }

// TestTrial checks that a panel fails if it panics or draws at an invalid place, and that other panels pass. A keyed
// layer must be drawn only once.
func TestTrial(t *testing.T) {
	nowhere := vg.Point{X: vg.Length(math.NaN())}
	f := brush.Frame{Width: 100, Height: 50, Theme: brush.Light}
	path := func(at ...vg.Point) vg.Path {
		var p vg.Path
		p.Move(at[0])
		for _, q := range at[1:] {
			p.Line(q)
		}
		return p
	}
	sound := func(c draw.Canvas) {
		c.Push()
		c.Translate(vg.Point{X: 1})
		c.Fill(path(vg.Point{}, vg.Point{X: 3}, vg.Point{Y: 2}))
		var arc vg.Path
		arc.Arc(vg.Point{X: 3, Y: 4}, 2, 0, math.Pi)
		c.Stroke(arc)
		c.Pop()
	}
	for want, s := range map[string]*sketch{
		"":                       {draw: sound},
		"index out of range":     {draw: func(draw.Canvas) { _ = []int{}[len(f.Theme.Name)] }},
		"picture is not finite":  {draw: func(c draw.Canvas) { c.Stroke(path(vg.Point{}, nowhere)) }},
		"the picture is not":     {draw: func(c draw.Canvas) { c.Translate(nowhere) }},
		"a place in the picture": {draw: func(c draw.Canvas) { c.DrawImage(vg.Rectangle{Max: vg.Point{Y: vg.Length(math.Inf(1))}}, nil) }},
		"handle is not finite":   {draw: sound, handle: nowhere},
	} {
		err := new(axes.Trial).Try(s, f)
		said := "sketch: "
		if err != nil {
			said = err.Error()
		}
		if (err != nil) != (want != "") || !strings.Contains(said, want) || !strings.HasPrefix(said, "sketch: ") {
			t.Errorf("%q: %v", want, err)
		}
	}
	var trial axes.Trial
	for _, s := range []*sketch{{draw: sound, key: "same"}, {draw: sound}} {
		for range 3 {
			if err := trial.Try(s, f); err != nil {
				t.Error(err)
			}
		}
		f.Width++
		if err := trial.Try(s, f); err != nil {
			t.Error(err)
		}
		if want := map[string]int{"same": 2, "": 4}[s.key]; s.drawn != want {
			t.Errorf("layer %q: got %d drawings, want %d", s.key, s.drawn, want)
		}
	}
}
