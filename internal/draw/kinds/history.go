package kinds

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// MarkerHandle is the handle of the time marker in panels over time.
const MarkerHandle = "marker"

// History is a panel whose horizontal axis is time. For each run, it draws a line through the values that Value returns
// for the run's rows. Ticks mark the steps at which the selected run computes new weights. The panel also shows live
// changes and the time marker.
type History struct {
	Name, Heading string
	Timeline      *timeline.Timeline
	// Value returns the value of a row, or NaN if the row has none.
	Value func(timeline.Row) float64
	// Y returns the vertical axis. The time marker's handle is at the axis's upper end.
	Y func() axes.Axis
	// Clock returns the clock of the horizontal axis. If it is nil, the axis counts iterations.
	Clock func() *Clock
	// Key returns a text that identifies everything that Value depends on, except the row. It may be nil.
	Key func() string
	// Symbol returns the symbol of a live parameter.
	Symbol func(name string) string
	// Shown selects the runs to draw, as in Tracks. If it is nil, all runs are drawn.
	Shown func(timeline.Track) bool
	// Lines describes a row for the tooltip, as in Tracks. If it is nil, the tooltip lists everything that a run records.
	Lines func(r timeline.Track, row timeline.Row) []string
	// Beneath is a sheet below the lines. It may be the zero value.
	Beneath axes.Sheet
	// Above is a sheet above the lines and below the time marker. It may be the zero value.
	Above axes.Sheet
	// Unticked omits the ticks at new weights. It is for methods that compute weights at every step.
	Unticked bool
	// Fixed omits the marker's handle, because only one panel of a scene shows the handle.
	Fixed bool
	// Text returns a description of the panel for visitors who cannot see it.
	Text func() string

	iterations *Clock // default clock, used if Clock is nil
}

// Panel returns the panel with the lines.
func (h *History) Panel() *axes.Plane {
	track := &Tracks{Name: h.Name, Timeline: h.Timeline, OverTime: true,
		Point: func(r timeline.Row) (float64, float64) { return h.At(r), h.Value(r) },
		Key: func() string {
			key := h.clock().Name
			if h.Key != nil {
				key += " " + h.Key()
			}
			return key
		},
		Shown: h.Shown, Lines: h.Lines,
	}
	p := &axes.Plane{Name: h.Name, Heading: h.Heading, Text: h.Text, Find: track.Find, Ends: track.ends, Crossings: track.crossings,
		Moving: track.Moving, Grows: true}
	p.Axes = func() (axes.Axis, axes.Axis) {
		return h.clock().Axis(), h.Y()
	}
	p.Sheets = func() []axes.Sheet {
		var sheets []axes.Sheet
		if h.Beneath.Draw != nil {
			sheets = append(sheets, h.Beneath)
		}
		lines := track.Sheets()
		r := h.Timeline.Selected()
		if r.Run == nil {
			return append(sheets, lines...)
		}
		finished, k := lines[0].Draw, settled(track.until())
		lines[0].Draw = func(b *brush.Brush) {
			finished(b)
			h.drawRefreshes(b, r, 0, k)
		}
		sheets = append(sheets, lines...)
		if h.Above.Draw != nil {
			sheets = append(sheets, h.Above)
		}
		return append(sheets, axes.Sheet{Draw: func(b *brush.Brush) {
			h.drawRefreshes(b, r, k, track.until())
			h.drawChanges(b, r)
			b.TimeMarker(h.timeAt(r, h.Timeline.Marker()))
			nameMarker(b, p.Grips(), h.Timeline.Marker(), h.signs(b, track))
		}})
	}
	p.Grips = func() []axes.Grip {
		r := h.Timeline.Selected()
		if r.Run == nil || h.Fixed {
			return nil
		}
		k := h.Timeline.Marker()
		y := h.Y()
		return []axes.Grip{{ID: MarkerHandle, Label: "time marker", Value: fmt.Sprintf("iteration %d", k), X: h.timeAt(r, k),
			Y:     y.Max - float64(0.05*(y.Max-y.Min)),
			StepX: h.clock().step(r, k)}}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if h.Timeline.Selected().Run == nil {
			return nil
		}
		out := h.TickKey(t)
		for i := range out {
			out[i].Label += " of the selected run"
		}
		if len(h.Timeline.Log()) > 0 {
			out = append(out, axes.Entry{Label: "changed while running", Stroke: changeStroke(t)})
		}
		return out
	}
	return p
}

// nameMarker writes the time marker's iteration beside the marker's line, if the panel has the marker's handle. signs
// are the places of the curves' own markers on that line. The text avoids these places if possible.
func nameMarker(b *brush.Brush, grips []axes.Grip, k int, signs []vg.Point) {
	i := slices.IndexFunc(grips, func(g axes.Grip) bool { return g.ID == MarkerHandle })
	if i < 0 || b.Frame.Detail == brush.Thumbnail || b.Theme.Print {
		return
	}
	name, at, side := "k = "+numeral.Count(k), b.At(grips[i].X, grips[i].Y), brush.RightOf
	if at.X+brush.Text.Width(name, font.From(brush.Sans, brush.SmallText)) > b.Canvas.Max.X-10 {
		side = brush.LeftOf
	}
	heights := []vg.Length{0.95, 0.05, 0.5}
	if b.Frame.Detail == brush.Full {
		heights = []vg.Length{0.05, 0.5, 0.85} // the handle is at the upper end
	}
	for _, height := range heights {
		at.Y = b.Canvas.Min.Y + vg.Length(height*b.Canvas.Size().Y)
		const near = 12 // distance in pixels within which a curve's marker touches the name
		if !slices.ContainsFunc(signs, func(p vg.Point) bool { return math.Abs(float64(p.Y-at.Y)) < near }) {
			break
		}
	}
	b.LabelAt(at, name, brush.SmallText, b.Theme.Accent, side)
}

// TickKey returns the legend entry for the ticks, for use in a Mini.
func (h *History) TickKey(t *brush.Theme) []axes.Entry {
	r := h.Timeline.Selected()
	if r.Run == nil || h.Unticked {
		return nil
	}
	return []axes.Entry{{Label: "new weights", Tick: true, Stroke: refreshStroke(t, r.Method)}}
}

func (h *History) clock() *Clock {
	if h.Clock != nil {
		return h.Clock()
	}
	if h.iterations == nil {
		h.iterations = IterationClock(h.Timeline.Budget)
	}
	return h.iterations
}

// Line returns tracks that add, for each shown run, a line for another value of the run's rows.
func (h *History) Line(name string, value func(timeline.Row) float64, stroke func(*brush.Theme, timeline.Track) brush.Stroke) *Tracks {
	return &Tracks{Name: name, Timeline: h.Timeline, OverTime: true, Shown: h.Shown, Stroke: stroke,
		Point: func(r timeline.Row) (x, y float64) { return h.At(r), value(r) },
		Key:   func() string { return h.clock().Name },
	}
}

// At returns the place of a row on the horizontal axis.
func (h *History) At(r timeline.Row) float64 { return h.clock().Of(r) }

// timeAt returns the time of iteration k of a track. If the clock is not Exact, the time does not increase after the
// track's end.
func (h *History) timeAt(r timeline.Track, k int) float64 {
	if h.clock().Exact {
		return float64(k)
	}
	return h.At(r.Kept(r.Index(min(k, r.Last()))))
}

// IterationAt returns the selected run's iteration at a place on the horizontal axis.
func (h *History) IterationAt(x float64) int {
	r := h.Timeline.Selected()
	if h.clock().Exact || r.Run == nil {
		return int(math.Round(min(max(x, 0), float64(h.Timeline.Latest()))))
	}
	return h.clock().iterationAt(r, x)
}

// signs draws the marker of each run's method at the point where the run's line meets the time marker, because many
// hues look alike in grey. It returns the markers' places in the panel.
func (h *History) signs(b *brush.Brush, track *Tracks) (places []vg.Point) {
	if b.Frame.Detail == brush.Thumbnail {
		return nil
	}
	for _, grey := range []bool{true, false} {
		for _, r := range h.Timeline.Tracks() {
			if !track.shows(r) || Greyed(h.Timeline, r) != grey {
				continue
			}
			k := min(h.Timeline.Marker(), r.Last())
			i := r.Index(k)
			y := h.Value(r.Kept(i))
			for ; math.IsNaN(y) && i > 0; y = h.Value(r.Kept(i)) { // the last row has no weights; use the previous one, because the line continues
				i--
			}
			look, radius := b.Theme.Look(r.Method), vg.Length(3.5)
			if grey {
				look.Hue, radius = Grey(b.Theme), 2.5
			}
			b.Marker(h.timeAt(r, k), y, ShapeAt(look, r.Run, k), radius, look.Hue, true)
			places = append(places, b.At(h.timeAt(r, k), y))
		}
	}
	return places
}

// drawRefreshes marks the steps with new weights between two iterations.
func (h *History) drawRefreshes(b *brush.Brush, r timeline.Track, from, to int) {
	if h.Unticked {
		return
	}
	first := r.Index(min(from, r.Last()))
	b.Ticks(r.Index(min(to, r.Last()))-first+1, func(i int) float64 {
		if row := r.Kept(first + i); row.Refreshed {
			return h.At(row)
		}
		return math.NaN()
	}, refreshStroke(b.Theme, r.Method))
}

func (h *History) drawChanges(b *brush.Brush, r timeline.Track) {
	drawChanges(b, h.Timeline, h.Symbol, func(k int) float64 { return h.timeAt(r, k) })
}

// drawChanges marks live changes on the time axis. time returns the place of iteration k on that axis.
func drawChanges(b *brush.Brush, t *timeline.Timeline, symbol func(name string) string, time func(k int) float64) {
	const (
		rows  = 4  // number of rows of labels; labels of close changes are in different rows
		least = 12 // minimum distance between two labels in a row, in pixels
	)
	bottom, height := b.Canvas.Min.Y, b.Canvas.Size().Y
	line := math.Inf(-1)
	var label [rows]float64
	for i := range label {
		label[i] = line
	}
	for i, c := range t.Log() {
		if c.K > t.Latest() {
			continue
		}
		x := time(c.K)
		at := float64(b.X.At(x))
		if at-line >= 1 {
			b.VLine(x, changeStroke(b.Theme))
			line = at
		}
		row := i % rows
		if at-label[row] < least {
			continue
		}
		label[row] = at
		_, y := b.World(vg.Point{Y: bottom + vg.Length((0.83-vg.Length(0.09*vg.Length(row)))*height)})
		b.Label(x, y, symbol(c.Name)+" = "+c.Text, 11, b.Theme.Ink, brush.RightOf)
	}
}

func refreshStroke(t *brush.Theme, method string) brush.Stroke {
	return brush.Stroke{Color: t.Look(method).Hue, Width: 1.5}
}

func changeStroke(t *brush.Theme) brush.Stroke {
	return brush.Stroke{Color: t.Muted, Width: 1, Dash: []vg.Length{4, 3}}
}
