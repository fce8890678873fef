package plans

import (
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/panel"
	"paretoplay/internal/engine/timeline"
)

// LossPanel returns the panel of a history of oracle losses, which the legend calls best, with the mean
// losses of all solutions beneath.
func LossPanel(h *panel.History, best string) panel.Panel {
	dash := []vg.Length{2, 3}
	p := h.Panel()
	panel.Underlay(p, h.Line("mean", func(r timeline.Row) float64 { return r.Number(MeanLoss) }, func(t *panel.Theme, r timeline.Track) panel.Stroke {
		return panel.Stroke{Color: t.Tint(t.Look(r.Method).Hue, 0.6), Width: 1, Dash: dash}
	}))
	p.Legend = func(t *panel.Theme) []panel.Entry {
		return []panel.Entry{{Label: best, Stroke: panel.Stroke{Color: t.Ink, Width: 2}},
			{Label: "mean of all", Stroke: panel.Stroke{Color: t.Muted, Width: 1, Dash: dash}}}
	}
	return p
}
