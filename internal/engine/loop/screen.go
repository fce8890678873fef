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

// Painter draws on pictures of type T. A picture may be part of a larger picture.
type Painter[T any] interface {
	// New returns an empty picture of the given size in pixels.
	New(size image.Point) T
	// Release frees a picture that New returned.
	Release(T)
	// Clear empties a picture.
	Clear(T)
	// Paint calls draw with a canvas for a picture that has ratio pixels per unit of vg.Length.
	Paint(on T, ratio float64, draw func(c vg.Canvas))
	// Over draws the second picture over the first, which has the same size.
	Over(on, kept T)
}

// Screen draws panels with a painter and caches unchanged layers.
type Screen[T any] struct {
	painter Painter[T]
	cache   *cache[T]
}

// NewScreen returns a screen with an empty cache.
func NewScreen[T any](p Painter[T]) *Screen[T] {
	return &Screen[T]{painter: p, cache: newCache(p.New, p.Release)}
}

// Next begins a frame.
func (s *Screen[T]) Next() { s.cache.next() }

// Kept returns the number of cached pictures and their memory in bytes.
func (s *Screen[T]) Kept() (images, bytes int) { return len(s.cache.kept), s.cache.bytes() }

// View describes what a frame shows.
type View struct {
	Placed []axes.Placed
	Theme  *brush.Theme
	Touch  bool
	Ratio  float64 // pixels per unit of vg.Length

	over   axes.Pick
	at     vg.Point
	hovers bool
}

// View returns a description of the next frame.
func (l *Loop) View() View {
	v := View{Ratio: l.ratio}
	var still bool
	v.Placed, v.Theme, v.Touch, still = l.model.View()
	l.travels.show(v.Placed, time.Now(), still)
	v.over, v.at, v.hovers = l.model.Tooltip()
	return v
}

// Box returns a panel's rectangle in whole pixels, on a screen of the given height.
func (v View) Box(p axes.Placed, height int) image.Rectangle {
	pixels := func(of vg.Length) int { return int(math.Round(float64(of) * v.Ratio)) }
	r := p.Rect
	return image.Rect(pixels(r.Min.X), height-pixels(r.Max.Y), pixels(r.Max.X), height-pixels(r.Min.Y))
}

// whole returns a canvas that covers a picture of the given size in pixels.
func (v View) whole(c vg.Canvas, size image.Point) draw.Canvas {
	corner := vg.Point{X: vg.Length(float64(size.X) / v.Ratio), Y: vg.Length(float64(size.Y) / v.Ratio)}
	return draw.Canvas{Canvas: c, Rectangle: vg.Rectangle{Max: corner}}
}

// Backdrop draws the background of the whole screen, including the space between panels. size is in pixels.
func (s *Screen[T]) Backdrop(on T, size image.Point, v View) {
	s.painter.Paint(on, v.Ratio, func(c vg.Canvas) { axes.Backdrop(v.whole(c, size), v.Placed, v.Theme) })
}

// Layers draws the layers of a panel at its place. size is in pixels.
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

// Mark highlights, in the given panel, the run under the pointer, even if the pointer is over another panel.
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

// Tooltip draws the explanation of the object under the pointer. It may use the whole screen. size is in pixels.
func (s *Screen[T]) Tooltip(on T, size image.Point, v View) {
	if v.hovers {
		s.painter.Paint(on, v.Ratio, func(c vg.Canvas) { axes.DrawTooltip(v.whole(c, size), v.Theme, v.over, v.at) })
	}
}
