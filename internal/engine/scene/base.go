package scene

import (
	"paretoplay/algo/param"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

// Base implements the methods that scenes have in common. On its own it has no computation apart from its runs, no
// results, step numbers, conclusions or extras. It has no facts until they are declared, and the time marker is its
// only handle. A scene embeds Base and overrides what it needs.
type Base struct {
	params   param.List
	timeline *timeline.Timeline
	facts    []Fact
	marker   *kinds.History // the panel on whose axis the time marker can be dragged; may be nil
	noRun    string         // the panels' text if there is no run
}

// NewBase returns the base of a scene, without parameters or runs.
func NewBase() Base { return Base{timeline: timeline.New(timeline.DefaultLimit), noRun: "No run."} }

// Params implements Scene.
func (b *Base) Params() *param.List { return &b.params }

// Timeline implements Scene.
func (b *Base) Timeline() *timeline.Timeline { return b.timeline }

// MarkOn sets the panel on whose horizontal axis the time marker can be dragged.
func (b *Base) MarkOn(h *kinds.History) { b.marker = h }

// Drag implements Scene for the time marker.
func (b *Base) Drag(handle string, x, _ float64) (name, text string) {
	if handle == kinds.MarkerHandle && b.marker != nil {
		b.timeline.SetMarker(b.marker.IterationAt(x))
	}
	return "", ""
}

// WithoutRun sets the text that OfSelected uses if no run is selected.
func (b *Base) WithoutRun(words string) { b.noRun = words }

// OfSelected returns a function that gives a panel's text: what the function text returns for the selected run, or the
// text set by WithoutRun.
func (b *Base) OfSelected(text func(r timeline.Track) string) func() string {
	return func() string {
		if r := b.timeline.Selected(); r.Run != nil {
			return text(r)
		}
		return b.noRun
	}
}

// Displayed implements Scene.
func (b *Base) Displayed() error { return nil }

// Work implements Scene.
func (b *Base) Work(func() bool) (pending bool, err error) { return false, nil }

// Results implements Scene.
func (b *Base) Results() any { return nil }

// Declare sets the scene's facts. Their number and names must not depend on the scene's settings.
func (b *Base) Declare(facts []Fact) { b.facts = facts }

// Facts implements Scene.
func (b *Base) Facts() []Fact { return b.facts }

// StepNumbers implements Scene.
func (b *Base) StepNumbers(timeline.Track, int) (map[string]string, error) { return nil, nil }

// Conclusions implements Scene.
func (b *Base) Conclusions() *Conclusions { return nil }

// Released implements Scene.
func (b *Base) Released() {}

// Extras implements Scene.
func (b *Base) Extras() Extras { return Extras{} }
