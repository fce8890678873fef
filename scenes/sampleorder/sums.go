package sampleorder

import (
	"math"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/runs/orders"
)

// sumPanels derives two panels from one. The first draws the sums in the plane of their first two coordinates. The
// second draws the sums' max norm over the steps of an epoch, on an axis with the given label. Each frame calls reach
// before steps, since a panel draws its axes first.
func (s *Scene) sumPanels(of axes.Plane, label string, reach func() float64, steps func() (first, last int)) [2]*axes.Plane {
	plane, norm := of, of
	plane.Equal, plane.Stretched = true, true
	plane.Axes = func() (x, y axes.Axis) {
		reach := reach()
		return axes.Axis{Label: "sum so far, coordinate 1", Short: "coordinate 1", Min: -reach, Max: reach},
			axes.Axis{Label: "sum so far, coordinate 2", Short: "coordinate 2", Min: -reach, Max: reach}
	}
	norm.Axes = func() (x, y axes.Axis) {
		first, last := steps()
		return axes.Axis{Label: "step of the epoch", Min: float64(first), Max: float64(last), Integer: true},
			axes.Axis{Label: label, Max: reach()}
	}
	return [2]*axes.Plane{&plane, &norm}
}

// inPlane reports whether sums are shown in the plane of two coordinates.
func (s *Scene) inPlane() bool {
	if s.problem == nil {
		return true
	}
	d, _ := s.problem.Dims()
	return d > 1 && s.values.Walk == walkPlane
}

// sumAt returns the position of a sum after k steps.
func (s *Scene) sumAt(k int, sum orders.Vector, norm float64) (x, y float64) {
	if s.inPlane() {
		return sum.X, sum.Y
	}
	return float64(k), norm
}

// roundAbove returns a round number slightly above size, or 1 if size is 0.
func roundAbove(size float64) float64 {
	if !(size > 0) || math.IsInf(size, 1) {
		return 1
	}
	return axes.RoundUp(1.06*size, 1, 1.5, 2, 3, 4, 5, 6, 8)
}
