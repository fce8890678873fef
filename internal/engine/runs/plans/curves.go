package plans

import (
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

// LossPanel returns a panel with the oracle losses over time and, below them, the mean losses of all solutions. The
// argument best is the name of the oracle losses in the legend.
func LossPanel(h *kinds.History, best string) axes.Panel {
	dash := []vg.Length{2, 3}
	p := h.Panel()
	kinds.Underlay(p, h.Line("mean", func(r timeline.Row) float64 { return r.Number(MeanLoss) },
		func(t *brush.Theme, r timeline.Track) brush.Stroke {
			return brush.Stroke{Color: t.Tint(t.Look(r.Method).Hue, 0.6), Width: 1, Dash: dash}
		}))
	p.Legend = func(t *brush.Theme) []axes.Entry {
		return []axes.Entry{{Label: best, Stroke: brush.Stroke{Color: t.Ink, Width: 2}},
			{Label: "mean of all", Stroke: brush.Stroke{Color: t.Muted, Width: 1, Dash: dash}}}
	}
	return p
}
