package plans

import (
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

// Trajectories draws the paths of all solutions in a plane. Chosen draws the selected run, with a look for each
// solution. Others draws the other runs, paler and with the looks of their methods.
type Trajectories struct{ Others, Chosen *kinds.Tracks }

// NewTrajectories returns paths through the points of rows. look returns the look of a solution, counted from 0. tint
// is the strength of the other runs' colours, from 0 to 1. lines returns a row's description for the tooltip.
func NewTrajectories(t *timeline.Timeline, name string, point func(timeline.Row) (x, y float64), look func(*brush.Theme, int) brush.Look,
	tint float64, lines func(r timeline.Track, row timeline.Row) []string) Trajectories {
	of := func(name string, selected bool, stroke func(theme *brush.Theme, r timeline.Track) brush.Stroke) *kinds.Tracks {
		return &kinds.Tracks{Name: name, Timeline: t, Point: point, Stroke: stroke, Lines: lines, Key: t.SelectedName,
			Shown: func(r timeline.Track) bool { return (r.Run == t.Selected().Run) == selected }}
	}
	return Trajectories{
		Others: of(name+" others", false, func(theme *brush.Theme, r timeline.Track) brush.Stroke {
			stroke := theme.Look(r.Method).Stroke(1)
			stroke.Color = theme.Tint(stroke.Color, tint)
			return stroke
		}),
		Chosen: of(name+" chosen", true, func(theme *brush.Theme, r timeline.Track) brush.Stroke {
			look, width := look(theme, r.Solution), vg.Length(1.75)
			if r == t.Selected() {
				width = 2.75
			}
			return brush.Stroke{Color: look.Hue, Width: width, Dash: look.Dash}
		}),
	}
}

// Moving can serve as a Plane's Moving function. It appends the positions of all solutions, starting with the selected
// run.
func (p Trajectories) Moving(v []float64, k, most int) []float64 {
	return p.Others.Moving(p.Chosen.Moving(v, k, most), k, most)
}

// Find returns the row nearest to a point in the panel. The selected run takes precedence.
func (p Trajectories) Find(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	if pick, ok := p.Chosen.Find(b, at); ok {
		return pick, true
	}
	return p.Others.Find(b, at)
}
