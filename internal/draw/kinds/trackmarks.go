package kinds

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"paretoplay/internal/draw/brush"
)

// ghostKey returns a text that identifies everything that the ghost of the tracks depends on. ok is false if there are
// no tracks.
func (t *Tracks) ghostKey() (key string, ok bool) {
	line := t.Timeline
	if len(line.Tracks()) == 0 {
		return "", false
	}
	parts := []string{t.Name, fmt.Sprint(line.Version(), t.until(), line.Marker()), line.SelectedName()}
	if t.Key != nil {
		parts = append(parts, t.Key())
	}
	return strings.Join(parts, " "), true
}

func (t *Tracks) drawGhost(b *brush.Brush, stroke brush.Stroke, letter string) {
	selected := t.Timeline.Selected()
	if !t.shows(selected) { // write the letter at the first shown track
		for _, r := range t.Timeline.Tracks() {
			if t.shows(r) {
				selected = r
				break
			}
		}
	}
	for _, r := range t.Timeline.Tracks() {
		if !t.shows(r) {
			continue
		}
		t.line(b, r, 0, t.until(), stroke)
		row := t.Timeline.Shown(r)
		if t.OverTime {
			row = r.Kept(max(0, r.Len()-2)) // the last row has no step
		}
		x, y := t.Point(row)
		side := brush.RightOf
		if t.OverTime {
			side = brush.Align{X: -1, Y: 1}
		} else {
			b.Marker(x, y, brush.Ring, 3, b.Theme.Muted, true)
		}
		if r == selected {
			b.Label(x, y, letter, brush.SmallText, b.Theme.Muted, side)
		}
	}
}

// mark draws a ring at the place of a run and, over time, a thin line through that place.
func (t *Tracks) mark(b *brush.Brush, run string, k int) {
	r := t.Timeline.Find(run)
	if r.Run == nil || !t.shows(r) {
		return
	}
	if k < 0 {
		k = t.Timeline.Marker()
	}
	i := r.Index(min(k, r.Last()))
	x, y := t.Point(r.Kept(i))
	if t.OverTime && math.IsNaN(y) && i > 0 { // the last row has no step
		_, y = t.Point(r.Kept(i - 1))
	}
	stroke := t.stroke(b.Theme, r)
	if t.Stroke == nil && Greyed(t.Timeline, r) {
		stroke = b.Theme.Look(r.Method).Stroke(2.25)
		t.line(b, r, 0, t.until(), stroke)
	}
	own := color.NRGBAModel.Convert(stroke.Color).(color.NRGBA)
	own.A = 0xff
	hue := color.Color(own)
	if t.OverTime {
		b.VLine(x, brush.Stroke{Color: brush.Faded(hue, 0.6), Width: 1})
	}
	b.Ring(x, y, hue)
}
