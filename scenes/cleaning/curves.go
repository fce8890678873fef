package cleaning

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/timeline"
)

// history returns a panel with the iterations on its horizontal axis. The caller sets which values the curves of the
// runs show.
func (s *Scene) history(name, heading string) *kinds.History {
	h := s.values.History(s.Timeline(), s.Params(), name, heading)
	h.Fixed = true
	return h
}

// selected describes a measure of the selected run at the marker.
func (s *Scene) selected(what string, value func(timeline.Row) float64) string {
	r := s.Timeline().Selected()
	if r.Run == nil {
		return "No run."
	}
	row := s.Timeline().Shown(r)
	return fmt.Sprintf("%s over the iterations, one line per method. For %s it is %s at iteration %d.", what, r.Label(),
		timeline.Number(value(row)), row.K)
}

// accuracyHistory returns the panel of the test accuracy, with the time marker's handle.
func (s *Scene) accuracyHistory() *kinds.History {
	h := s.history("accuracy", "Test accuracy")
	h.Fixed = false
	h.Value = accuracy
	h.Y = func() axes.Axis {
		return axes.Axis{Label: "mean of both data sets", Max: 1.06} // starts at 0: wrong labels can make a model worse than guessing
	}
	h.Beneath = axes.Sheet{Draw: func(b *brush.Brush) {
		if s.referred() {
			s.level(b, mean(s.reference.accuracy), cleanLabels, above)
		}
	}}
	h.Text = s.OfSelected(func(r timeline.Track) string {
		text := s.selected("The mean share of correctly classified test samples of both data sets", h.Value)
		best := s.reported(r.Run)
		text += fmt.Sprintf(" At iteration %d, the first with the best accuracy on validation 2, it is %.3f.", best.k, mean(best.accuracy))
		if s.referred() {
			text += fmt.Sprintf(" Trained on clean labels, the same model reaches %.3f.", mean(s.reference.accuracy))
		}
		return text
	})
	return h
}

// cleanLabels labels the accuracy of a model of the same kind trained on clean labels.
const cleanLabels = "clean labels"

// above places a level's label above the line, left of the anchor.
var above = brush.Align{X: -1, Y: 1}

// level draws a dashed horizontal line with its label near the right end.
func (s *Scene) level(b *brush.Brush, y float64, name string, side brush.Align) {
	b.HLine(y, brush.Stroke{Color: b.Theme.Muted, Width: 1, Dash: []vg.Length{4, 3}})
	x, y := levelName(b, y, side)
	b.Text(x, y, name, brush.SmallText, b.Theme.Muted, side)
}

// levelName returns the anchor of a level's label. The anchor is close to the level's line, because curves come near
// the line. It is left of where the time marker is at the end of the runs.
func levelName(b *brush.Brush, y float64, side brush.Align) (float64, float64) {
	xmin, xmax, ymin, ymax := b.Bounds()
	return xmax - float64(0.05*(xmax-xmin)), y + float64(0.03*side.Y*(ymax-ymin))
}

// accuracyPanel shows the accuracy with the methods' legend, and marks each run's chosen iterate.
func (s *Scene) accuracyPanel() axes.Panel {
	p := s.accuracy.Panel()
	p.Legend = func(t *brush.Theme) []axes.Entry {
		return append(kinds.MethodEntries(t, Methods, s.Timeline()),
			axes.Entry{Label: "best on other clean samples", Shape: brush.Ring, Fill: t.Ink})
	}
	p.Key = p.Legend // the large picture shows the selected method only
	p.Words = func(b *brush.Brush) (taken []vg.Rectangle) {
		if s.referred() {
			x, y := levelName(b, mean(s.reference.accuracy), above)
			taken = append(taken, b.LabelArea(b.At(x, y), cleanLabels, brush.SmallText, above))
		}
		return taken
	}
	sheets := p.Sheets
	p.Sheets = func() []axes.Sheet {
		return append(sheets(), axes.Sheet{Draw: func(b *brush.Brush) {
			for _, r := range s.Timeline().Tracks() {
				m := s.reported(r.Run)
				b.Marker(float64(m.k), mean(m.accuracy), brush.Ring, 5, b.Theme.Look(r.Method).Hue, false)
			}
			s.nameDip(b)
		}})
	}
	return p
}

// nameDip labels the dip of FORUM’s accuracy, if there is one, with the cause of the dip. The model first follows the
// clean samples, then the weights, which have not learned yet. The label is in the empty part of the panel, clear of
// the time marker.
func (s *Scene) nameDip(b *brush.Brush) {
	r := s.Timeline().Selected()
	if r.Run == nil || r.Method != twolevel.FORUM {
		return
	}
	const words, gap, height = "dips until weights help", 5, 0.4 // gap beside the text in pixels; height of the text in units of accuracy
	width := b.Width(words)
	row, ok := dipOf(r, s.Timeline().Marker())
	if !ok || b.Frame.Detail == brush.Thumbnail || 2*width > b.Canvas.Size().X {
		return
	}
	dip, at := b.At(float64(row.K), accuracy(row)), b.At(float64(row.K), height)
	if marker := b.X.At(float64(s.Timeline().Marker())); marker < at.X+gap+width {
		if at.X = marker - gap - width; at.X < b.Canvas.Min.X+gap {
			at.X = marker + gap
		}
	}
	b.LineAt(vg.Point{X: max(at.X, dip.X), Y: at.Y}, dip, brush.Stroke{Color: b.Theme.Muted, Width: 0.75})
	b.TextAt(at.Sub(vg.Point{X: gap}), words, brush.SmallText, b.Theme.Muted, brush.Align{X: 1, Y: -1})
}

// dipOf returns the row, up to an iteration, where a run's accuracy is lowest after it was clearly higher. ok is false if the accuracy
// never dips or has not risen since.
func dipOf(r timeline.Track, until int) (low timeline.Row, ok bool) {
	const depth, risen = 0.03, 0.01
	best := r.Kept(0)
	low = best
	for i := 1; i <= r.Index(min(until, r.Last())); i++ {
		switch row := r.Kept(i); {
		case accuracy(row) > accuracy(best) && !ok:
			best, low = row, row
		case accuracy(row) < accuracy(low):
			low, ok = row, false
		case float64(accuracy(best))-float64(accuracy(low)) >= depth && float64(accuracy(row))-float64(accuracy(low)) >= risen:
			ok = true
		}
	}
	return low, ok
}

// detectionPanel shows how well the weights detect wrong labels.
func (s *Scene) detectionPanel() axes.Panel {
	h := s.history("detection", "Wrong labels detected")
	h.Value = detection
	h.Y = func() axes.Axis { return axes.Axis{Label: "AUC of the weights", Min: 0, Max: 1.06} }
	h.Beneath = axes.Sheet{Draw: func(b *brush.Brush) {
		if c := s.values.Corruption; c > 0 && c < 1 {
			s.level(b, 0.5, "chance", brush.Align{X: -1, Y: -1})
			return
		}
		x0, x1, y0, y1 := b.Bounds()
		b.Text((x0+x1)/2, (y0+y1)/2, "All labels are right, or all are wrong.", 12, b.Theme.Muted, brush.Centred)
	}}
	h.Text = func() string {
		return s.selected("The probability that a sample with a wrong label weighs less than one with a right label (1: perfect detection, "+
			"0.5: none)", h.Value)
	}
	return h.Panel()
}

// curvePanel is the ID of the third panel of curves.
const curvePanel = "curve"

// measure is a quantity that the third panel of curves can show.
type measure struct {
	heading, label string
	value          func(r timeline.Row) float64
	// range of the vertical axis
	lo, hi float64
	log    bool
}

// stepNumber returns a number from a row's record of its step. It returns NaN if a logarithmic axis cannot show the number.
func stepNumber(r timeline.Row, name string) float64 {
	v := r.Number(name)
	if v <= 0 {
		return math.NaN()
	}
	return v
}

var measures = map[string]measure{
	curveF1: {heading: "Test F1", label: "macro F1, mean of both sets", hi: 1.06,
		value: func(r timeline.Row) float64 { return mean(marksOf(r).f1) }},
	curveSelection: {heading: "Accuracy on validation 2", label: "mean of both data sets", hi: 1.06,
		value: selection},
	curveLoss: {heading: "Upper losses", label: "mean of F_1 and F_2",
		value: func(r timeline.Row) float64 { return (r.F[0] + r.F[1]) / 2 }},
	curveWeights: {heading: "Mean weight of wrong labels", label: "mean σ(α)", hi: 1.06,
		value: corruptedWeight},
	curveBalance: {heading: "Share of data set 1 in the weights", label: "λ_1 / (λ_1 + λ_2)", lo: -0.04, hi: 1.06,
		value: func(r timeline.Row) float64 {
			if r.Weights == nil {
				return math.NaN()
			}
			return r.Weights[0] / (r.Weights[0] + r.Weights[1])
		}},
	curveQ: {heading: "Excess of the lower level", label: "q̃", lo: 1e-6, hi: 1, log: true,
		value: func(r timeline.Row) float64 { return stepNumber(r, twolevel.Q) }},
	curveNu: {heading: "Multiplier of the constraint", label: "ν", lo: 0.1, hi: 1000, log: true,
		value: func(r timeline.Row) float64 { return stepNumber(r, twolevel.Nu) }},
	curveCost: {heading: "Cost", label: "gradients and products", lo: 100, log: true,
		value: func(r timeline.Row) float64 { return math.Max(1, twolevel.Spent(r)) }},
}

// most returns the upper end of a measure's axis if the end depends on the runs.
func (s *Scene) most(name string) float64 {
	top := 0.0
	for _, r := range s.Timeline().Tracks() {
		switch last := r.Kept(r.Len() - 1); name {
		case curveLoss:
			first := r.Kept(0).F
			top = math.Max(top, 0.55*(first[0]+first[1]))
		case curveCost: // extrapolated to the whole budget at the rate so far
			top = math.Max(top, 2*twolevel.Spent(last)/float64(max(last.K, 1))*float64(s.Timeline().Budget()))
		}
	}
	return top
}

// curvePanel shows one of the measures.
func (s *Scene) curvePanel(name string) axes.Panel {
	m := measures[name]
	h := s.history(curvePanel, m.heading)
	h.Value = m.value
	h.Y = func() axes.Axis {
		a := axes.Axis{Label: m.label, Min: m.lo, Max: m.hi, Log: m.log}
		if m.hi == 0 {
			a.Max = s.most(name)
		}
		return a
	}
	h.Text = func() string { return s.selected(m.heading, h.Value) }
	return h.Panel()
}
