package loop

import (
	"image"
	"math"
	"time"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// Painter draws on pictures of type T, which may be parts of larger ones.
type Painter[T any] interface {
	// New returns an empty picture of that size in pixels.
	New(size image.Point) T
	// Release gives up what New has returned.
	Release(T)
	// Clear empties a picture.
	Clear(T)
	// Paint lets draw draw on a picture with ratio of its pixels to a unit of vg.Length.
	Paint(on T, ratio float64, draw func(c vg.Canvas))
	// Over draws a picture of the same size over another.
	Over(on, kept T)
}

// Screen draws panels with a painter, and keeps pictures of layers that do not change.
type Screen[T any] struct {
	painter Painter[T]
	cache   *cache[T]
}

// NewScreen returns a screen without kept pictures.
func NewScreen[T any](p Painter[T]) *Screen[T] {
	return &Screen[T]{painter: p, cache: newCache(p.New, p.Release)}
}

// Next begins a frame.
func (s *Screen[T]) Next() { s.cache.next() }

// Kept returns how many pictures are kept, and in how many bytes.
func (s *Screen[T]) Kept() (images, bytes int) { return len(s.cache.kept), s.cache.bytes() }

// View is what a frame shows.
type View struct {
	Placed []axes.Placed
	Theme  *brush.Theme
	Touch  bool
	Ratio  float64 // pixels to a unit of vg.Length

	over   axes.Pick
	at     vg.Point
	hovers bool
}

// View returns what a frame shows now.
func (l *Loop) View() View {
	v := View{Ratio: l.ratio}
	var still bool
	v.Placed, v.Theme, v.Touch, still = l.model.View()
	l.travels.show(v.Placed, time.Now(), still)
	v.over, v.at, v.hovers = l.model.Tooltip()
	return v
}

// Box is the place of a panel in whole pixels of a screen of that height.
func (v View) Box(p axes.Placed, height int) image.Rectangle {
	pixels := func(of vg.Length) int { return int(math.Round(float64(of) * v.Ratio)) }
	r := p.Rect
	return image.Rect(pixels(r.Min.X), height-pixels(r.Max.Y), pixels(r.Max.X), height-pixels(r.Min.Y))
}

// whole returns a canvas of a picture of that size in pixels.
func (v View) whole(c vg.Canvas, size image.Point) draw.Canvas {
	corner := vg.Point{X: vg.Length(float64(size.X) / v.Ratio), Y: vg.Length(float64(size.Y) / v.Ratio)}
	return draw.Canvas{Canvas: c, Rectangle: vg.Rectangle{Max: corner}}
}

// Backdrop draws what lies below and between panels on the whole screen, of that size in pixels.
func (s *Screen[T]) Backdrop(on T, size image.Point, v View) {
	s.painter.Paint(on, v.Ratio, func(c vg.Canvas) { axes.Backdrop(v.whole(c, size), v.Placed, v.Theme) })
}

// Layers draws the layers of a panel on its place, of that size in pixels.
func (s *Screen[T]) Layers(on T, size image.Point, v View, p axes.Placed) {
	f := p.Frame(v.Theme, v.Touch)
	for i, l := range p.Panel.Layers(f) {
		if l.Key == "" {
			s.layer(on, v, f, l)
			continue
		}
		want := stamp{key: l.Key, theme: v.Theme.Name, size: size, ratio: v.Ratio, touch: v.Touch, detail: p.Detail}
		kept, drawn := s.cache.get(slot{p.Panel.ID(), i}, want)
		if !drawn {
			s.painter.Clear(kept)
			s.layer(kept, v, f, l)
		}
		s.painter.Over(on, kept)
	}
}

// Mark draws on a panel's place where the run is over which the pointer hovers, there or in another panel.
func (s *Screen[T]) Mark(on T, v View, p axes.Placed) {
	linking, can := p.Panel.(axes.Linking)
	if !can || !v.hovers {
		return
	}
	f := p.Frame(v.Theme, v.Touch)
	if mark, ok := linking.Mark(f, v.over); ok {
		s.layer(on, v, f, mark)
	}
}

func (s *Screen[T]) layer(on T, v View, f brush.Frame, l axes.Layer) {
	s.painter.Paint(on, v.Ratio, func(c vg.Canvas) {
		l.Draw(draw.Canvas{Canvas: c, Rectangle: vg.Rectangle{Max: vg.Point{X: f.Width, Y: f.Height}}})
	})
}

// Tooltip explains on the whole screen, of that size in pixels, what the pointer hovers over.
func (s *Screen[T]) Tooltip(on T, size image.Point, v View) {
	if v.hovers {
		s.painter.Paint(on, v.Ratio, func(c vg.Canvas) { axes.DrawTooltip(v.whole(c, size), v.Theme, v.over, v.at) })
	}
}
