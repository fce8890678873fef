package regression

import (
	"fmt"
	"image/color"

	"paretoplay/algo/blocks"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs/sweeps"
)

const recent = 40 // number of a run's latest steps that are displayed

// blockNames returns the names of the blocks.
func (s *Scene) blockNames() []string {
	if s.values.Partition == twoBlocks {
		return []string{"U: features in", "V: responses out"}
	}
	names := []string{"U: features in"}
	for b := range s.values.R {
		names = append(names, fmt.Sprintf("V, row %d", b+1))
	}
	return names
}

// wherePanel returns the panel that shows which blocks the selected run's recent steps moved, and which responses'
// gradients the steps followed.
func (s *Scene) wherePanel() axes.Panel {
	p := &axes.Plane{Name: "where", Heading: "What the last steps moved", Text: s.describeWhere,
		Legend: s.whereLegend}
	p.Axes = func() (axes.Axis, axes.Axis) {
		return axes.Axis{Label: "steps before the latest, coloured by response", Min: -recent, Integer: true},
			axes.Axis{Categories: s.blockNames()}
	}
	p.Key = p.Legend
	p.Sheets = func() []axes.Sheet { return []axes.Sheet{{Draw: s.drawWhere}} }
	return p
}

// moves calls f for each recent step of the selected run, with the number of steps that the run has taken since that
// step.
func (s *Scene) moves(f func(ago, block, objective int)) {
	chosen := s.Timeline().Selected().Run
	if chosen == nil {
		return
	}
	to := min(s.Timeline().Marker(), chosen.Last())
	for i := chosen.Index(max(0, to-recent)); i < chosen.Len(); i++ {
		row := chosen.Kept(i)
		if block := row.Number(sweeps.BlockName); row.K < to && row.K >= to-recent && block >= 0 {
			f(to-row.K-1, int(block), int(row.Number(sweeps.ObjectiveName)))
		}
	}
}

func (s *Scene) drawWhere(b *brush.Brush) {
	if s.data == nil {
		b.Words(s.lacks)
		return
	}
	whole := !sweeps.Parts(s.Timeline().Selected().Method)
	s.moves(func(ago, block, objective int) {
		low, high := float64(block), float64(block)
		if whole {
			low, high = 0, float64(len(s.blockNames())-1)
		}
		const half = 0.42
		low, high = low-half, high+half
		right := -float64(ago)
		fill := turnFill(b.Theme, objective)
		b.Box(right-0.95, low, right-0.05, high, fill)
		if width := b.At(right, low).X - b.At(right-1, low).X; objective != blocks.Together && width >= 12 && b.Frame.Detail == brush.Full {
			b.Text(right-0.5, (low+high)/2, fmt.Sprint(objective+1), brush.SmallText, brush.OnColor(fill), brush.Centred)
		}
	})
}

// turnFill returns the colour of a step down one response’s gradient. The colour is grey for a step down the gradient
// of all responses together.
func turnFill(t *brush.Theme, objective int) color.NRGBA {
	if objective == blocks.Together {
		return t.Tint(t.Muted, 0.55)
	}
	return color.NRGBAModel.Convert(t.Goal(objective).Hue).(color.NRGBA)
}

// whereLegend returns a legend of the responses whose gradients the selected run's recent steps followed.
func (s *Scene) whereLegend(t *brush.Theme) (out []axes.Entry) {
	const few = 5 // responses that are always in the legend
	together, list := false, map[int]bool{}
	s.moves(func(_, _, objective int) {
		together = together || objective == blocks.Together
		list[objective] = true
	})
	if together {
		return []axes.Entry{{Label: "all responses together", Area: turnFill(t, blocks.Together)}}
	}
	if s.data == nil {
		return nil
	}
	for k, name := range s.data.names {
		if list[k] || len(s.data.names) <= few {
			out = append(out, axes.Entry{Label: name, Area: turnFill(t, k)})
		}
	}
	return out
}

func (s *Scene) describeWhere() string {
	if s.data == nil {
		return s.lacks
	}
	t := s.Timeline()
	text := fmt.Sprintf("The last %d steps of %s, from left to right. Each shows which block moved and, by colour and number, down which "+
		"response’s gradient; grey means all responses together.", recent, t.Selected().Label())
	if !sweeps.Parts(t.Selected().Method) {
		text += " All blocks move at once."
	}
	return text
}
