package fonseca

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race/smooth"
	"paretoplay/scenes/timeline"
)

// weightsHistory shows the share of f1 in the weights over time, and its mean.
func (s *Scene) weightsHistory() *panel.History {
	h := s.values.WeightsHistory(s.Timeline(), s.Params(), "Weights: the share of f_1")
	h.Beneath = panel.Sheet{Draw: s.drawMean}
	h.Text = func() string {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return "No run."
		}
		text := smooth.DescribeWeights(r)
		if m := s.means[r]; m != nil {
			text += fmt.Sprintf(" Over all its steps the first objective had %s of the weight (dashed).",
				timeline.Number(math.Round(100*m.share)/100))
		}
		return text
	}
	return h
}

// drawMean draws the mean share of the selected run's steps.
func (s *Scene) drawMean(b *panel.Brush) {
	r := s.Timeline().Selected()
	m := s.means[r]
	if m == nil {
		return
	}
	b.HLine(m.share, panel.Stroke{Color: b.Theme.Muted, Width: 1, Dash: []vg.Length{4, 3}})
	if b.Frame.Detail == panel.Full {
		_, xmax, _, _ := b.Bounds()
		side := panel.Align{X: -1, Y: 1} // away from the line
		if last := s.weights.Value(r.Kept(max(0, r.Len()-2))); last > m.share {
			side.Y = -1
		}
		b.Label(xmax, m.share, fmt.Sprintf("mean so far %.2f", m.share), 11, b.Theme.Muted, side)
	}
}
