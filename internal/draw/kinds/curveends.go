package kinds

import (
	"image/color"
	"math"
	"slices"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
)

// ends returns the names to write at the ends of the methods' lines. It returns nil unless each method has one line.
func (t *Tracks) ends(theme *brush.Theme) []axes.EndName {
	var out []axes.EndName
	var seen []string
	for _, r := range t.Timeline.Tracks() {
		if !t.shows(r) {
			continue
		}
		if slices.Contains(seen, r.Method) {
			return nil
		}
		seen = append(seen, r.Method)
		_, y := t.Point(r.Kept(r.Index(min(t.until(), r.Last()))))
		out = append(out, endName(theme, t.Timeline, r.Run, y))
	}
	return out
}

func endName(theme *brush.Theme, t *timeline.Timeline, r *timeline.Run, y float64) axes.EndName {
	look := theme.Look(r.Method)
	if Crowded(t) {
		look.Hue = color.Color(Grey(theme))
	}
	return axes.EndName{Text: r.Title, Y: y, Look: look}
}

// ends returns the names to write at the ends of the methods' curves. It returns nil if a method has several curves, or
// if a curve has a Label, because a Label is also beside the curve's end.
func (s *Series) ends(theme *brush.Theme) []axes.EndName {
	var out []axes.EndName
	var seen []string
	curves := s.Curves()
	for i := range curves {
		c := &curves[i]
		if c.Faint || c.Method == "" {
			continue
		}
		at := slices.IndexFunc(s.Timeline.Runs(), func(r *timeline.Run) bool { return r.Method == c.Method })
		if at < 0 || c.Label != "" || slices.Contains(seen, c.Method) {
			return nil
		}
		seen = append(seen, c.Method)
		y := math.NaN()
		for j := len(c.Y) - 1; j >= 0 && math.IsNaN(y); j-- {
			y = c.Y[j]
		}
		out = append(out, endName(theme, s.Timeline, s.Timeline.Runs()[at], y))
	}
	return out
}
