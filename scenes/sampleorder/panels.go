package sampleorder

import (
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/kinds"
)

// pictures holds the panels in every form that the parameters can select.
type pictures struct {
	walk        [2]*axes.Plane // in the plane of two coordinates, and in max norm
	balance     [2]*axes.Plane // in the plane of two coordinates, and in max norm
	none        axes.Panel     // replaces balance for orders without signs
	strip, path axes.Panel
	curves      map[string]axes.Panel // by view
}

func (s *Scene) newPictures() (p pictures) {
	time := &kinds.History{Timeline: s.Timeline(), Clock: s.clock}
	s.MarkOn(time)
	p.walk = s.walkPanels()
	p.balance, p.none = s.balancePanels()
	p.strip, p.path = s.read.StripPanel(&s.SlowMotion, momentPlace, s.waiting), s.pathPanel()
	p.curves = map[string]axes.Panel{viewCost: s.costPanel()}
	for _, view := range []string{viewOmega, viewLosses, viewHerding, viewDrift, viewRates} {
		p.curves[view] = s.curvesPanel(view, time)
	}
	return p
}

// shown returns the panels that the parameters select, starting with the hero.
func (p *pictures) shown(s *Scene) []axes.Panel {
	in := 1
	if s.inPlane() {
		in = 0
	}
	var balance axes.Panel = p.balance[in]
	if s.read.Trail() == nil {
		balance = p.none
	}
	return []axes.Panel{p.walk[in], p.strip, balance, p.path, p.curves[s.values.View]}
}
