package networktasks

import (
	"fmt"
	"image/color"
	"math"

	model "paretoplay/algo/problem/network"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
)

// featuresPanel returns the panel of the features that the first layer of the selected run's network looks for.
func (s *Scene) featuresPanel() axes.Panel {
	p := &kinds.Tiles{Name: "features", Heading: "What the first layer looks for", Rows: model.Rows, Cols: model.Cols}
	p.Missing = func() string {
		if s.net == nil {
			return waiting
		}
		return ""
	}
	p.Key = func() string {
		if s.net == nil {
			return ""
		}
		return fmt.Sprint(s.runsKey(), s.Timeline().SelectedName(), s.print().k)
	}
	p.Pictures = func() [][]float64 {
		weights := s.print().weights
		out := make([][]float64, len(weights)/model.Pixels)
		for i := range out {
			of := make([]float64, model.Pixels)
			most := 0.0
			for j, w := range weights[i*model.Pixels : (i+1)*model.Pixels] {
				of[j] = float64(w)
				most = max(most, math.Abs(of[j]))
			}
			for j := range of {
				of[j] /= max(most, math.SmallestNonzeroFloat64)
			}
			out[i] = of
		}
		return out
	}
	p.Shade = func(t *brush.Theme, v float64) color.NRGBA { return t.Diverging(v) }
	p.Lines = func(tile int) []string {
		return []string{fmt.Sprintf("%s, step %d", s.Timeline().Selected().Title, s.print().k), fmt.Sprintf("unit %d of the first layer", tile+1)}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if s.net == nil {
			return nil
		}
		return []axes.Entry{{Label: "raises the unit’s value", Area: t.Diverging(0.8)}, {Label: "lowers the " +
			"unit’s value", Area: t.Diverging(-0.8)}}
	}
	p.Text = func() string {
		if s.net == nil {
			return waiting
		}
		one := s.print()
		return fmt.Sprintf("The weights of the %d units in the first layer of %s, each drawn as a picture, at step %d.",
			len(one.weights)/model.Pixels, s.Timeline().Selected().Title, one.k)
	}
	return p.Panel()
}

// print returns the selected run's last print up to the marker. While the run goes on, it returns the last of the
// earlier prints that are kept, so that pictures are not redrawn at every step.
func (s *Scene) print() print {
	t := s.Timeline()
	p := s.prints[t.Selected().Run]
	if t.Running() && t.Marker() == p.latest.k {
		return p.kept[len(p.kept)-1]
	}
	return p.at(t.Marker())
}
