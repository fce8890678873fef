package toymap

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/timeline"
)

// weightsHistory returns the panel that plots f1's share of the weights over time.
func (s *Scene) weightsHistory() *kinds.History {
	h := s.values.WeightsHistory(s.Timeline(), s.Params(), "Weights from the selected start: share of f_1")
	h.Shown = func(r timeline.Track) bool { return runs.FromSelectedStart(s.Timeline(), r) }
	h.Text = s.OfSelected(func(r timeline.Track) string {
		return smooth.DescribeWeights(r) + " The lines show all runs from this run’s start."
	})
	return h
}

// gapHistory returns the panel that plots the runs' distances from the front over time.
func (s *Scene) gapHistory() *kinds.History {
	h := s.values.History(s.Timeline(), s.Params(), "gap", "Distance to the front")
	h.Fixed = true
	h.Value = func(r timeline.Row) float64 { return positive(s.gap(r.F)) }
	h.Y = func() axes.Axis {
		return axes.Axis{Label: "both objectives can fall by", Min: math.Min(0.001, s.tolerance()/5), Max: 50, Log: true}
	}
	h.Beneath = axes.Sheet{Draw: func(b *brush.Brush) {
		b.HLine(s.tolerance(), brush.Stroke{Color: b.Theme.Muted, Width: 1, Dash: []vg.Length{4, 3}})
		_, xmax, _, _ := b.Bounds()
		b.Label(xmax, s.tolerance(), "at the front", 11, b.Theme.Muted, brush.Align{X: -1, Y: -1})
	}}
	h.Text = s.OfSelected(func(r timeline.Track) string {
		when := "has not reached the front"
		if a, there := s.arrivalOf(r, s.Timeline().Marker()); there {
			when = fmt.Sprintf("has been at the front since iteration %d", a.K)
			if s.gapOf(s.Timeline().Shown(r)) > s.tolerance() {
				when = fmt.Sprintf("reached the front at iteration %d and has left it", a.K)
			}
		}
		return fmt.Sprintf("%s %s. The lower a line, the less both objectives (the first divided by its scale) can still fall at once.",
			r.Label(),
			when)
	})
	return h
}

// finish is a method's state at the latest iteration.
type finish struct {
	method, title string
	runs          []timeline.Track
	there         int
}

// finishes returns the state of each method that runs, in the order of the methods.
func (s *Scene) finishes() []finish {
	var out []finish
	for _, r := range s.Timeline().Tracks() {
		if n := len(out); n == 0 || out[n-1].method != r.Method {
			out = append(out, finish{method: r.Method, title: r.Title, there: int(s.arrived(r.Method, s.Timeline().Latest()))})
		}
		f := &out[len(out)-1]
		f.runs = append(f.runs, r)
	}
	return out
}

// arrivalTime returns an arrival's position on the time axis.
func (s *Scene) arrivalTime(a Arrival) float64 {
	if s.values.Axis == kinds.Backpropagations {
		return float64(a.BP)
	}
	return float64(a.K)
}

// arrivalsPanel shows when each run came within the tolerance of the front. It has one row per method, labelled with
// the number of the method's arrivals.
func (s *Scene) arrivalsPanel() axes.Panel {
	p := &axes.Plane{Name: "arrivals", Heading: "When each run reached the front"}
	clock := s.values.Clock(s.Timeline())
	p.Axes = func() (axes.Axis, axes.Axis) {
		finishes := s.finishes()
		titles := make([]string, len(finishes))
		for i, f := range finishes { // the first method is on top
			titles[len(finishes)-1-i] = fmt.Sprintf("%s %d/%d", f.title, f.there, len(f.runs))
		}
		return clock().Axis(), axes.Axis{Categories: titles}
	}
	p.Sheets = func() []axes.Sheet { return []axes.Sheet{{Draw: s.drawArrivals}} }
	p.Find = s.findArrival
	p.Text = func() string {
		parts := make([]string, 0, len(s.values.On))
		for _, f := range s.finishes() {
			part := fmt.Sprintf("%s %d of %d", f.title, f.there, len(f.runs))
			if latest, ok := s.latestArrival(f); ok {
				part += fmt.Sprintf(", the last at iteration %d after %d backpropagations", latest.K, latest.BP)
			}
			parts = append(parts, part)
		}
		there, all := 0, 0
		for _, f := range s.finishes() {
			there += f.there
			all += len(f.runs)
		}
		return fmt.Sprintf("%d of %d runs have come within %s of the front: %s.", there, all, timeline.Number(s.tolerance()),
			strings.Join(parts, "; "))
	}
	return p
}

func (s *Scene) latestArrival(f finish) (latest Arrival, any bool) {
	for _, r := range f.runs {
		if a, there := s.arrivalOf(r, s.Timeline().Latest()); there && a.K >= latest.K {
			latest, any = a, true
		}
	}
	return latest, any
}

// eachArrival calls f with the arrival of each run that has arrived, and with the arrival's position in the panel.
func (s *Scene) eachArrival(f func(r timeline.Track, a Arrival, x, y float64)) {
	finishes := s.finishes()
	for i, m := range finishes {
		for j, r := range m.runs {
			if a, there := s.arrivalOf(r, s.Timeline().Latest()); there {
				// Spread a method's runs vertically, because arrivals may coincide.
				spread := float64(0.5 * (float64(j+1)/float64(len(m.runs)+1) - 0.5))
				f(r, a, s.arrivalTime(a), float64(len(finishes)-1-i)-spread)
			}
		}
	}
}

func (s *Scene) drawArrivals(b *brush.Brush) {
	xmin, xmax, ymin, ymax := b.Bounds()
	for y := math.Ceil(ymin); y < ymax; y++ {
		b.Line(2, func(i int) (float64, float64) { return [2]float64{xmin, xmax}[i], y }, brush.Stroke{Color: b.Theme.Hairline, Width: 1})
	}
	s.eachArrival(func(r timeline.Track, a Arrival, x, y float64) {
		look, radius := b.Theme.Look(r.Method), vg.Length(4)
		if r == s.Timeline().Selected() {
			radius += 2
		}
		b.Marker(x, y, look.Shape, radius, look.Hue, true)
	})
	if r := s.Timeline().Selected(); r.Run != nil {
		at := s.Timeline().Shown(r)
		b.TimeMarker(s.arrivalTime(Arrival{at.K, at.BP}))
	}
}

func (s *Scene) findArrival(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	near, best := b.Nearest(at), axes.Pick{K: -1}
	s.eachArrival(func(r timeline.Track, a Arrival, x, y float64) {
		if near.Closer(x, y) {
			best = axes.Pick{Run: r.Name(), K: a.K, At: near.At, Lines: []string{
				r.Label(), fmt.Sprintf("within %s of the front at k = %d, BP = %d", timeline.Number(s.tolerance()), a.K, a.BP),
			}}
		}
	})
	return best, best.K >= 0
}
