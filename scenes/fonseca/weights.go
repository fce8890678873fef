package fonseca

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/timeline"
)

// weightsHistory returns the panel of f1's share in the weights over time, with its mean.
func (s *Scene) weightsHistory() *kinds.History {
	h := s.values.WeightsHistory(s.Timeline(), s.Params(), "Weights: the share of f_1")
	h.Above = axes.Sheet{Draw: s.drawMean}
	h.Text = s.OfSelected(func(r timeline.Track) string {
		text := smooth.DescribeWeights(r)
		if m := s.means[r]; m != nil {
			text += fmt.Sprintf(" The first objective’s mean weight over all steps of the run is %s (dashed).",
				timeline.Number(math.Round(100*m.share)/100))
		}
		return text
	})
	return h
}

// weightsPanel returns the panel of the weights, with a key for the small picture, in which the mean has no label.
func (s *Scene) weightsPanel() axes.Panel {
	p := s.weights.Panel()
	p.Key = func(t *brush.Theme) []axes.Entry {
		return append(s.weights.TickKey(t), axes.Entry{Label: "mean so far", Stroke: meanStroke(t)})
	}
	return p
}

func meanStroke(t *brush.Theme) brush.Stroke {
	return brush.Stroke{Color: t.Ink, Width: 1.5, Dash: []vg.Length{4, 3}}
}

// drawMean draws the mean share of f1 in the selected run's steps. Its label is at the right end, above the run's line.
func (s *Scene) drawMean(b *brush.Brush) {
	r := s.Timeline().Selected()
	m := s.means[r]
	if m == nil {
		return
	}
	b.HLine(m.share, brush.Stroke{Color: b.Theme.Paper, Width: 3})
	b.HLine(m.share, meanStroke(b.Theme))
	if b.Frame.Detail == brush.Full {
		_, xmax, _, _ := b.Bounds()
		b.Label(xmax, m.share, fmt.Sprintf("mean so far %.2f (dashed)", m.share), 11, b.Theme.Ink, brush.Align{X: -1, Y: 1})
	}
}
