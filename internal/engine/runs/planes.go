package runs

import (
	"fmt"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/panel"
	"paretoplay/internal/engine/timeline"
)

// DecisionPlane shows runs in the plane of two of their variables, over a landscape
// and the Pareto set, and their start points, which can be dragged. What is a problem's
// own are its fields.
type DecisionPlane struct {
	Timeline *timeline.Timeline
	Methods  []param.Method // in the order of the legend
	// Range is the range of both variables. With Equal a unit is as long to the right as
	// upwards.
	Range func() (lo, hi float64)
	Equal bool
	// Pair is the variables to the right and upwards, from 0, the same where there is
	// only one; nil for the first two.
	Pair      func() (right, up int)
	Landscape func() panel.Landscape
	Set       func() panel.Sheet // the Pareto set; what it shows besides the runs
	Starts    func() [][]float64
	Step      float64 // by which an arrow key moves a start point
	// Text says in a sentence what came out; where the runs are is in the table of numbers.
	Text func() string
	Walk *Walk // along the Pareto set; nil for none
}

// Panel returns the panel.
func (d *DecisionPlane) Panel() *panel.Plane {
	track := &panel.Tracks{Timeline: d.Timeline, Name: "decision",
		Point: func(r timeline.Row) (float64, float64) {
			right, up := d.pair()
			if right == up {
				return r.X[right], 0
			}
			return r.X[right], r.X[up]
		},
		Key: func() string { return fmt.Sprint(d.pair()) },
	}
	p := &panel.Plane{Name: "decision", Heading: "Decision space", Equal: d.Equal, Find: track.Find}
	p.Axes = func() (panel.Axis, panel.Axis) {
		right, up := d.pair()
		lo, hi := d.Range()
		x := panel.Axis{Label: fmt.Sprintf("x_{%d}", right+1), Min: lo, Max: hi}
		y := panel.Axis{Label: fmt.Sprintf("x_{%d}", up+1), Min: lo, Max: hi}
		if right == up {
			y.Label = ""
		}
		return x, y
	}
	p.Sheets = func() []panel.Sheet {
		return append(append([]panel.Sheet{d.Landscape().Sheet(), d.Set()}, track.Sheets()...), ends(track))
	}
	p.Grips = func() []panel.Grip {
		right, up := d.pair()
		return PlaneGrips(d.Timeline, d.Starts(), right, up, d.Step)
	}
	p.Text = func() string {
		return d.Text() + DescribeDiverged(d.Timeline) + DescribeStopped(d.Timeline)
	}
	p.Legend = func(t *panel.Theme) []panel.Entry {
		return append(panel.MethodEntries(t, d.Methods, d.Timeline), d.Landscape().Entries()...)
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

// ends draws what changes with every iteration: heads and ends of the tracks.
func ends(track *panel.Tracks) panel.Sheet {
	return panel.Sheet{Draw: func(b *panel.Brush) {
		track.Heads(b)
		track.Ends(b)
	}}
}

// FrontPlane shows runs by the first two of their objectives, over the Pareto front.
type FrontPlane struct {
	Timeline *timeline.Timeline
	Axes     func() (x, y panel.Axis)
	Front    func() panel.Sheet // the front; what it shows besides the runs
	// Lines describes a row for the tooltip, as in panel.Tracks; nil lists all that a run records.
	Lines func(r timeline.Track, row timeline.Row) []string
	// Text says in a sentence or two what is shown.
	Text func() string
	// Ticked marks on each run where its weights were computed anew after steps that kept them.
	Ticked bool
	// Methods, in the order of the legend, name the runs where several methods have some; nil for no names.
	Methods []param.Method
	Walk    *Walk // along the front; nil for none
}

// Panel returns the panel.
func (f *FrontPlane) Panel() *panel.Plane {
	track := &panel.Tracks{Timeline: f.Timeline, Name: "objective", Lines: f.Lines,
		Point: func(r timeline.Row) (float64, float64) { return r.F[0], r.F[1] },
	}
	p := &panel.Plane{Name: "objective", Heading: "Objective space", Axes: f.Axes, Find: track.Find, Text: f.Text}
	p.Sheets = func() []panel.Sheet {
		sheets := append([]panel.Sheet{f.Front()}, track.Sheets()...)
		if f.Ticked {
			sheets = append(sheets, panel.Sheet{Draw: func(b *panel.Brush) {
				if b.Frame.Detail == panel.Full {
					track.Refreshes(b)
				}
			}})
		}
		return append(sheets, ends(track))
	}
	p.Legend = func(t *panel.Theme) (entries []panel.Entry) {
		if f.Methods != nil && f.Timeline.Methods() > 1 {
			entries = panel.MethodEntries(t, f.Methods, f.Timeline)
		}
		if f.Ticked {
			entries = append(entries, track.RefreshEntries(t)...)
		}
		return entries
	}
	f.Walk.InObjectives(p)
	return p
}
