package loop

import (
	"time"

	"paretoplay/internal/draw/axes"
)

// travelTime is the time that axes take to move to new ranges. It is long enough for the eye to follow a tick.
const travelTime = 400 * time.Millisecond

// travels animates the axes of visible planes whose ranges change.
type travels struct {
	of map[*axes.Plane]*trip
}

// trip holds the range that a plane shows and the range to which it is moving.
type trip struct {
	axes.Travel
	began time.Time
	moves bool
}

// under reports whether any axes are moving.
func (t *travels) under() bool {
	for _, v := range t.of {
		if v.moves {
			return true
		}
	}
	return false
}

// show moves the axes of the placed planes towards their ranges at the given time. If still is true, the axes change at
// once.
func (t *travels) show(placed []axes.Placed, now time.Time, still bool) {
	before := t.of
	t.of = make(map[*axes.Plane]*trip, len(placed))
	for _, p := range placed {
		plane, is := p.Panel.(*axes.Plane)
		if !is || plane.Bare {
			continue
		}
		v := before[plane]
		if v == nil {
			v = new(trip)
			v.ToX, v.ToY = plane.Ranges()
		} else {
			v.follow(plane, now, still)
		}
		t.of[plane] = v
		plane.SetTravel(nil)
		if v.moves {
			way := v.Travel
			plane.SetTravel(&way)
		}
	}
	for plane := range before {
		if t.of[plane] == nil {
			plane.SetTravel(nil)
		}
	}
}

// follow starts a move if the plane's ranges have changed, and continues a move in progress.
func (v *trip) follow(plane *axes.Plane, now time.Time, still bool) {
	x, y := plane.Ranges()
	if !v.ToX.Same(x) || !v.ToY.Same(y) {
		if v.moves {
			v.FromX, v.FromY = v.At()
		} else {
			v.FromX, v.FromY = v.ToX, v.ToY
		}
		v.moves = v.FromX.Moves(x) || v.FromY.Moves(y)
		v.ToX, v.ToY, v.began = x, y, now
	}
	passed := now.Sub(v.began).Seconds() / travelTime.Seconds()
	if v.moves = v.moves && !still && passed < 1; v.moves {
		v.Share = float64(passed*passed) * (3 - float64(2*passed)) // slow at the start and at the end
	}
}
