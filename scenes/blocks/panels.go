package blocks

import (
	"fmt"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/timeline"
)

// pictures are the panels, by how they are drawn.
type pictures struct {
	plane, turns, front panel.Panel
	curves              map[string]panel.Panel // by view
}

func (s *Scene) newPictures() (p pictures) {
	p.plane, p.turns, p.front = s.planePanel(), s.turnsPanel(), s.frontPanel()
	gap := s.gapHistory()
	s.MarkOn(gap)
	p.curves = map[string]panel.Panel{viewGap: gap.Panel()}
	return p
}

// shown are those that the parameters ask for, the hero first.
func (p *pictures) shown(s *Scene) []panel.Panel {
	return []panel.Panel{p.plane, p.turns, p.front, p.curves[viewGap]}
}

// waitingSheets say what is missing where there are no runs.
func (s *Scene) waitingSheets() []panel.Sheet {
	return []panel.Sheet{{Draw: func(b *panel.Brush) { b.Words(s.waiting()) }}}
}

// frontPanel shows the runs by their first two objectives.
func (s *Scene) frontPanel() panel.Panel {
	f := &race.FrontPlane{Timeline: s.Timeline(), Text: s.describeFront}
	f.Axes = func() (panel.Axis, panel.Axis) {
		most := s.mostFront()
		return panel.Axis{Label: "f_1", Min: 0, Max: most}, panel.Axis{Label: "f_2", Min: 0, Max: most}
	}
	f.Front = func() panel.Sheet {
		if s.problem == nil {
			return s.waitingSheets()[0]
		}
		return panel.Sheet{Key: fmt.Sprint("front ", s.Timeline().Version()), Draw: s.drawFront}
	}
	p := f.Panel()
	p.Name = "front"
	return p
}

// mostFront is a little beyond the largest value of an objective in the Pareto set.
func (s *Scene) mostFront() float64 {
	if s.problem == nil {
		return 1
	}
	return s.frontMost
}

func (s *Scene) drawFront(b *panel.Brush) {
	_, q := s.problem.Dims()
	f := make([]float64, q)
	for _, pair := range s.pairs {
		b.Optima(len(pair), func(i int) (float64, float64) {
			s.problem.Values(f, pair[i])
			return f[0], f[1]
		})
	}
	b.Marker(s.goal.f[0], s.goal.f[1], panel.Plus, 7, b.Theme.Ink, true)
}

func (s *Scene) describeFront() string {
	r := s.Timeline().Selected()
	if r.Run == nil {
		return s.waiting()
	}
	return fmt.Sprintf("%s is at f = %s; F_m is least at f = %s, the plus sign.", r.Label(), timeline.Vector(s.Timeline().Shown(r).F),
		timeline.Vector(s.goal.f))
}
