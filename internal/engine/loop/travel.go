package loop

import (
	"time"

	"paretoplay/internal/draw/axes"
)

// travelTime is how long axes take to their new ranges: long enough to follow a tick with the eye.
const travelTime = 400 * time.Millisecond

// travels moves the axes of planes whose ranges change while they are on the screen.
type travels struct {
	of map[*axes.Plane]*trip
}

// trip is what a plane shows, and where that goes.
type trip struct {
	axes.Travel
	began time.Time
	moves bool
}

// under reports whether any axes are on their way.
func (t *travels) under() bool {
	for _, v := range t.of {
		if v.moves {
			return true
		}
	}
	return false
}

// show brings the axes of the placed planes to a time. With still they have their new ranges at once.
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

// follow sets out for the plane's ranges where they have changed, and goes on.
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
		v.Share = float64(passed*passed) * (3 - float64(2*passed)) // sets out and arrives gently
	}
}
