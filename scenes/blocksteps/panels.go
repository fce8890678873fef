package blocksteps

import (
	"fmt"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
)

// pictures holds the panels, including those that the parameters do not select.
type pictures struct {
	plane, front   axes.Panel
	line, triangle axes.Panel            // panels of the frequencies
	curves         map[string]axes.Panel // by view
}

func (s *Scene) newPictures() (p pictures) {
	p.plane, p.front = s.planePanel(), s.frontPanel()
	p.line, p.triangle = s.turnsPanels()
	gap := s.gapHistory()
	s.MarkOn(gap)
	p.curves = s.curvePanels()
	p.curves[viewGap] = gap.Panel()
	return p
}

// shown returns the panels that the parameters select, starting with the hero.
func (p *pictures) shown(s *Scene) []axes.Panel {
	turns := p.triangle
	if s.problem != nil && len(s.goal.Weights) == 2 {
		turns = p.line
	}
	return []axes.Panel{p.plane, turns, p.front, p.curves[s.values.View]}
}

// frontPanel returns the panel that plots the runs by their first two objectives.
func (s *Scene) frontPanel() axes.Panel {
	f := &runs.FrontPlane{Timeline: s.Timeline(), Text: s.OfSelected(s.describeFront), Walk: &s.values.Walk}
	f.Axes = func() (axes.Axis, axes.Axis) {
		most := 1.0
		if s.problem != nil {
			most = s.frontMost
		}
		return axes.Axis{Min: 0, Max: most}.Goal(1, "f_{1}"), axes.Axis{Min: 0, Max: most}.Goal(2, "f_{2}")
	}
	f.Front = func() axes.Sheet {
		if s.problem == nil {
			return axes.WordSheets(s.waiting())[0]
		}
		return axes.Sheet{Key: fmt.Sprint("front ", s.Timeline().Version()), Draw: s.drawFront}
	}
	p := f.Panel()
	p.Name = "front"
	return p
}

func (s *Scene) drawFront(b *brush.Brush) {
	_, q := s.problem.Dims()
	f := make([]float64, q)
	for _, pair := range s.pairs {
		b.Optima(len(pair), func(i int) (float64, float64) {
			s.problem.Values(f, pair[i])
			return f[0], f[1]
		})
	}
	b.Marker(s.goal.F[0], s.goal.F[1], brush.Plus, 7, b.Theme.Ink, true)
}

func (s *Scene) describeFront(r timeline.Track) string {
	return fmt.Sprintf("%s is at f = %s. The plus sign, where the weighted sum is least, is at f = %s.", r.Label(),
		timeline.Vector(s.Timeline().Shown(r).F), timeline.Vector(s.goal.F))
}
