package runs

import (
	"fmt"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

// DecisionPlane shows runs in the plane of two variables, above a landscape and the Pareto set. Start points can be
// dragged. The fields contain everything that depends on the problem.
type DecisionPlane struct {
	Timeline *timeline.Timeline
	Methods  []param.Method // methods in the order of the legend
	// Range returns the range that both variables share. If Equal is set, a unit has the same length on both axes.
	Range func() (lo, hi float64)
	Equal bool
	// Pair returns the numbers of the variables on the horizontal and the vertical axis, counted from 0. They are equal if
	// the problem has only one variable. If Pair is nil, the plane shows the first two variables.
	Pair      func() (right, up int)
	Landscape func() kinds.Landscape
	Set       func() axes.Sheet // draws the Pareto set and everything else except the runs
	Starts    func() [][]float64
	Step      float64 // distance that an arrow key moves a start point
	// Text summarises the result in one sentence. The table of numbers gives the positions of the runs.
	Text func() string
	Walk *Walk // walk along the Pareto set; may be nil
}

// Panel returns the panel that draws the plane.
func (d *DecisionPlane) Panel() *axes.Plane {
	track := &kinds.Tracks{Timeline: d.Timeline, Name: "decision",
		Point: func(r timeline.Row) (float64, float64) {
			right, up := d.pair()
			if right == up {
				return r.X[right], 0
			}
			return r.X[right], r.X[up]
		},
		Key: func() string { return fmt.Sprint(d.pair()) },
	}
	p := &axes.Plane{Name: "decision", Heading: "Decision space", Equal: d.Equal, Find: track.Find, Moving: track.Moving}
	p.Axes = func() (axes.Axis, axes.Axis) {
		right, up := d.pair()
		lo, hi := d.Range()
		named := func(i int) axes.Axis { return axes.Axis{Min: lo, Max: hi}.Variable(i+1, fmt.Sprintf("x_{%d}", i+1)) }
		x, y := named(right), named(up)
		if right == up {
			y.Label, y.Short = "", ""
		}
		return x, y
	}
	p.Sheets = func() []axes.Sheet {
		return append(append([]axes.Sheet{d.Landscape().Sheet(), d.Set()}, track.Sheets()...), ends(track))
	}
	p.Grips = func() []axes.Grip {
		right, up := d.pair()
		return PlaneGrips(d.Timeline, d.Starts(), right, up, d.Step)
	}
	p.Text = func() string {
		return d.Text() + DescribeDiverged(d.Timeline) + DescribeStopped(d.Timeline)
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		return append(kinds.MethodEntries(t, d.Methods, d.Timeline), d.Landscape().Entries()...)
	}
	d.Walk.InVariables(p, d.pair, d.Step)
	return p
}

func (d *DecisionPlane) pair() (right, up int) {
	if d.Pair == nil {
		return 0, 1
	}
	return d.Pair()
}

// ends draws the tracks' heads and ends, which change at every iteration.
func ends(track *kinds.Tracks) axes.Sheet {
	return axes.Sheet{Draw: func(b *brush.Brush) {
		track.Heads(b)
		track.Ends(b)
	}}
}

// FrontPlane shows runs by the first two of their objectives, over the Pareto front.
type FrontPlane struct {
	Timeline *timeline.Timeline
	Axes     func() (x, y axes.Axis)
	Front    func() axes.Sheet // draws the front and everything else except the runs
	// Lines returns the tooltip's description of a row, as in kinds.Tracks. If Lines is nil, the tooltip lists all
	// recorded values.
	Lines func(r timeline.Track, row timeline.Row) []string
	// Text describes the plane in one or two sentences.
	Text func() string
	// Ticked is true if each run is marked at the steps that computed new weights, which the following steps reuse.
	Ticked bool
	// Methods lists the methods that the legend names, in this order, if several methods run. If Methods is nil, the
	// legend names none.
	Methods []param.Method
	Walk    *Walk // walk along the front; may be nil
}

// Panel returns the panel that draws the plane.
func (f *FrontPlane) Panel() *axes.Plane {
	track := &kinds.Tracks{Timeline: f.Timeline, Name: "objective", Lines: f.Lines,
		Point: func(r timeline.Row) (float64, float64) { return r.F[0], r.F[1] },
	}
	p := &axes.Plane{Name: "objective", Heading: "Objective space", Axes: f.Axes, Find: track.Find, Text: f.Text, Moving: track.Moving}
	p.Sheets = func() []axes.Sheet {
		sheets := append([]axes.Sheet{f.Front()}, track.Sheets()...)
		if f.Ticked {
			sheets = append(sheets, axes.Sheet{Draw: func(b *brush.Brush) {
				if b.Frame.Detail == brush.Full {
					track.Refreshes(b)
				}
			}})
		}
		return append(sheets, ends(track))
	}
	p.Legend = func(t *brush.Theme) (entries []axes.Entry) {
		if f.Methods != nil && f.Timeline.Methods() > 1 {
			entries = kinds.MethodEntries(t, f.Methods, f.Timeline)
		}
		if f.Ticked {
			entries = append(entries, track.RefreshEntries(t)...)
		}
		return entries
	}
	f.Walk.InObjectives(p)
	return p
}
