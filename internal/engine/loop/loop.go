// Package loop plays a model and shows its panels, whatever draws them: the clock, the size of the
// screen, and kept pictures of what does not change.
package loop

import (
	"fmt"
	"math"
	"time"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// Model is the model that a loop plays and shows.
type Model interface {
	// Advance plays dt seconds at the chosen speed while more() holds.
	Advance(dt float64, more func() bool) error
	// Playing reports whether Advance is wanted in every frame.
	Playing() bool
	// Version changes with everything that needs a new frame.
	Version() uint64
	// Pictures changes with everything that needs a new frame but what the pointer hovers over.
	Pictures() uint64
	// View returns the panels and their places on the canvas in CSS pixels, the
	// origin at its bottom left corner, and whether the visitor wants no motion but the runs'.
	View() (placed []axes.Placed, theme *brush.Theme, touch, still bool)
	// Tooltip returns what to explain, and where on the canvas.
	Tooltip() (p axes.Pick, at vg.Point, ok bool)
}

// Listener hears of the loop. Its functions must not call the model.
type Listener struct {
	Updated func()          // after each update
	Drawn   func()          // after each frame
	Failed  func(err error) // a fault, also a panic, of the model or its panels
}

// A loop has a quarter of the time for iterations: of one frame at least leastBudget, and else no more than drawing leaves of
// frameBudget. Both are one task of the browser, in which it answers nobody.
const (
	leastBudget = 4 * time.Millisecond
	frameBudget = 24 * time.Millisecond
)

// Loop is the clock of a model. Frames are wanted only when the model's version has changed.
type Loop struct {
	model    Model
	listener Listener

	ratio   float64
	zoom    float64
	drawn   uint64 // version of the last frame
	playing bool   // in the last update
	last    time.Time

	probe   Probe
	spent   time.Duration // on the frame under way
	drawing time.Duration // in the last frame
	failed  string
	travels travels
}

// probedFrames is the number of frames that a Probe looks back.
const probedFrames = 240

// Probe holds numbers for tests and measurements.
type Probe struct {
	Updates    int       `json:"updates"`
	Draws      int       `json:"draws"`
	Due        bool      `json:"due"`        // a frame is, or is under way
	DrawMillis []float64 `json:"drawMillis"` // update and drawing of the last frames, oldest first, without a game engine's own part
	Ratio      float64   `json:"dpr"`
	Images     int       `json:"images"` // kept
	ImageBytes int       `json:"imageBytes"`
	Triangles  int       `json:"triangles"` // of the last frame, where triangles are drawn
	Largest    int       `json:"largest"`   // most triangles of a draw call since the last Probe
}

// New returns the loop of a model.
func New(m Model, l Listener) *Loop { return &Loop{model: m, listener: l, zoom: 1} }

// Zoom draws panels that many times as large: the places that the model gives them are on a
// canvas as many times smaller than the screen.
func (l *Loop) Zoom(factor float64) { l.zoom = factor }

// Ratio is the number of the screen's pixels to a unit of the model's canvas.
func (l *Loop) Ratio() float64 { return l.ratio }

// Stale reports whether the model has changed since the last frame, or axes are on their way to new ranges.
func (l *Loop) Stale() bool {
	return l.model.Version() != l.drawn || l.model.Playing() != l.playing || l.Travelling()
}

// Travelling reports whether axes are on their way to new ranges, which takes some frames.
func (l *Loop) Travelling() bool { return l.travels.under() }

// Probe returns counts and measurements.
func (l *Loop) Probe() Probe {
	p := l.probe
	p.DrawMillis = append([]float64(nil), p.DrawMillis...)
	p.Ratio, p.Due = l.ratio, l.Stale()
	return p
}

// Update plays the model for the time since the last update, and reports whether the next frame is wanted at once.
func (l *Loop) Update() (playing bool) {
	start := time.Now()
	l.probe.Updates++
	playing = l.model.Playing()
	if playing {
		dt := time.Duration(0)
		if l.playing {
			dt = start.Sub(l.last)
		}
		deadline := start.Add(budget(dt, l.drawing))
		l.guard(func() error {
			return l.model.Advance(dt.Seconds(), func() bool { return time.Now().Before(deadline) })
		})
		playing = l.model.Playing()
	}
	l.playing, l.last = playing, start
	l.listener.Updated()
	l.spent += time.Since(start)
	return playing || l.Travelling()
}

// budget is the time for iterations in a frame that comes dt after the last one, whose drawing took that long.
func budget(dt, drawing time.Duration) time.Duration {
	return max(leastBudget, min(dt/4, frameBudget-drawing))
}

// guard reports the error or panic of f, the same one once.
func (l *Loop) guard(f func() error) {
	err := func() (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("%v", r)
			}
		}()
		return f()
	}()
	if err != nil && err.Error() != l.failed {
		l.failed = err.Error()
		l.listener.Failed(err)
	}
}

// Begin begins to draw the model as it now is.
func (l *Loop) Begin() { l.drawn, l.drawing = l.model.Version(), 0 }

// Draw draws a part of a frame and reports its panic.
func (l *Loop) Draw(part func()) {
	start := time.Now()
	l.guard(func() error {
		part()
		return nil
	})
	took := time.Since(start)
	l.drawing += took
	l.spent += took
}

// End ends a frame.
func (l *Loop) End() {
	l.probe.Draws++
	if len(l.probe.DrawMillis) == probedFrames {
		copy(l.probe.DrawMillis, l.probe.DrawMillis[1:])
		l.probe.DrawMillis = l.probe.DrawMillis[:probedFrames-1]
	}
	l.probe.DrawMillis = append(l.probe.DrawMillis, float64(l.spent)/float64(time.Millisecond))
	l.spent = 0
	l.listener.Drawn()
}

// maxPixels bounds the pictures of a frame: a screen of 5120×2880 dots has fewer, and every layer
// of a panel has its share of them once more.
const maxPixels = 1 << 24

// fittingRatio is the pixels to a CSS pixel on a canvas of that size in CSS pixels: the display's
// ratio, or less if a side would exceed side or the picture maxPixels.
func fittingRatio(width, height, display float64, side int) float64 {
	ratio := min(display, math.Sqrt(maxPixels/max(1, width*height)))
	if longest := max(width, height); side > 0 && longest > 0 {
		ratio = min(ratio, float64(side)/longest)
	}
	return ratio
}

// Layout returns the size of the screen in pixels: the display's ratio of them to a CSS pixel of the canvas, or
// fewer where no picture may be so large. A picture may have sides of any length if side is 0.
func (l *Loop) Layout(width, height, display float64, side int) (w, h float64) {
	ratio := fittingRatio(width, height, display, side)
	l.ratio = ratio * l.zoom
	return max(1, math.Floor(width*ratio)), max(1, math.Floor(height*ratio))
}
