// Package loop plays a model and shows its panels on any canvas. It contains the clock, the screen's size, and a cache of unchanged
// layers.
package loop

import (
	"fmt"
	"math"
	"time"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// Model is what a loop plays and shows.
type Model interface {
	// Advance plays dt seconds at the current speed while more() is true.
	Advance(dt float64, more func() bool) error
	// Playing reports whether Advance must be called in every frame.
	Playing() bool
	// Version changes whenever a new frame is needed.
	Version() uint64
	// Pictures changes whenever a new frame is needed, except when the pointer only moves to a different object.
	Pictures() uint64
	// View returns the panels and their places on the canvas, in CSS pixels from its bottom left corner. still is true
	// if nothing except the runs may move.
	View() (placed []axes.Placed, theme *brush.Theme, touch, still bool)
	// Tooltip returns the object to explain and its position on the canvas.
	Tooltip() (p axes.Pick, at vg.Point, ok bool)
}

// Listener holds functions that the loop calls. They must not call the model.
type Listener struct {
	Updated func()          // called after each update
	Drawn   func()          // called after each frame
	Failed  func(err error) // called with an error or panic of the model or its panels
}

// A loop gives iterations a quarter of the time since the last frame, but at least leastBudget, and at most the part of
// frameBudget that drawing leaves. Iterations and drawing run in one task of the browser. During the task, the browser
// does not react to input.
const (
	leastBudget = 4 * time.Millisecond
	frameBudget = 24 * time.Millisecond
)

// Loop is the clock of a model. It requests a frame only when the model's version has changed.
type Loop struct {
	model    Model
	listener Listener

	ratio   float64
	zoom    float64
	drawn   uint64 // the model's version in the last frame
	playing bool   // whether the model was playing at the last update
	last    time.Time

	probe   Probe
	spent   time.Duration // time spent on the current frame
	drawing time.Duration // time spent on drawing the last frame
	failed  string
	travels travels
}

// probedFrames is the number of frames that a Probe covers.
const probedFrames = 240

// Probe contains numbers for tests and measurements.
type Probe struct {
	Updates    int       `json:"updates"`
	Draws      int       `json:"draws"`
	Due        bool      `json:"due"`        // whether a frame is needed or in progress
	DrawMillis []float64 `json:"drawMillis"` // milliseconds to update and draw recent frames, oldest first, without the time of a game engine
	Ratio      float64   `json:"dpr"`
	Images     int       `json:"images"` // number of kept pictures
	ImageBytes int       `json:"imageBytes"`
	Triangles  int       `json:"triangles"` // number of triangles in the last frame, if it consists of triangles
	Largest    int       `json:"largest"`   // maximum number of triangles in a draw call since the last Probe
}

// New returns the loop of a model.
func New(m Model, l Listener) *Loop { return &Loop{model: m, listener: l, zoom: 1} }

// Zoom enlarges panels by a factor. The model then has a canvas smaller than the screen by the same factor.
func (l *Loop) Zoom(factor float64) { l.zoom = factor }

// Ratio returns the number of screen pixels per unit of the model's canvas.
func (l *Loop) Ratio() float64 { return l.ratio }

// Stale reports whether the model has changed since the last frame or axes are moving to new ranges.
func (l *Loop) Stale() bool {
	return l.model.Version() != l.drawn || l.model.Playing() != l.playing || l.Travelling()
}

// Travelling reports whether axes are moving to new ranges, which takes several frames.
func (l *Loop) Travelling() bool { return l.travels.under() }

// Probe returns the loop's numbers for tests and measurements.
func (l *Loop) Probe() Probe {
	p := l.probe
	p.DrawMillis = append([]float64(nil), p.DrawMillis...)
	p.Ratio, p.Due = l.ratio, l.Stale()
	return p
}

// Update plays the model for the time since the last update. It reports whether the next frame is needed immediately.
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

// budget returns the time for iterations in a frame that starts dt after the last frame. drawing is the time that it
// took to draw the last frame.
func budget(dt, drawing time.Duration) time.Duration {
	return max(leastBudget, min(dt/4, frameBudget-drawing))
}

// guard calls f and reports its error or panic. It reports the same fault only once.
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

// Begin starts a frame that shows the model's current version.
func (l *Loop) Begin() { l.drawn, l.drawing = l.model.Version(), 0 }

// Draw draws a part of a frame. It reports a panic of the part.
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

// End finishes a frame.
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

// maxPixels is the maximum number of pixels in a frame. A screen of 5120×2880 has fewer. Each layer of a panel needs
// its own copy of the panel's pixels.
const maxPixels = 1 << 24

// fittingRatio returns the number of pixels per CSS pixel for a canvas whose size is given in CSS pixels. The result is
// the display's ratio, or less if an edge would exceed side or the picture would exceed maxPixels.
func fittingRatio(width, height, display float64, side int) float64 {
	ratio := min(display, math.Sqrt(maxPixels/max(1, width*height)))
	if longest := max(width, height); side > 0 && longest > 0 {
		ratio = min(ratio, float64(side)/longest)
	}
	return ratio
}

// Layout returns the size of the screen in pixels. The number of pixels per CSS pixel is the display's ratio, or less if the
// picture would be too large. If side is 0, edges may have any length.
func (l *Loop) Layout(width, height, display float64, side int) (w, h float64) {
	ratio := fittingRatio(width, height, display, side)
	l.ratio = ratio * l.zoom
	return max(1, math.Floor(width*ratio)), max(1, math.Floor(height*ratio))
}
