package session

import (
	"math"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/portable"
)

// Play goes by what moves in the panel in front, not by the number of iterations: slow where things move, quick where
// nothing does. Which iterations there are does not depend on it.
const (
	// pace is how far things move in a second of play, in lengths of the panel's frame.
	pace = 0.036
	// steady is for how many seconds play keeps to the pace; then the pace doubles every hurried seconds, so that long ways end too.
	steady, hurried = 2.0, 1.2
	// whole is the number of seconds after which only the speed counts.
	whole = 8.0
	// maxRest is the longest time, in seconds, for which play rests after an iteration in which things move far.
	maxRest = 0.45
	// even is how far a run goes where the panel in front does not say what moves, or nothing of it is in sight, in the frame's lengths.
	even = 0.4
	// beyond is how far outside the frame things are drawn to be, at most, in its lengths.
	beyond = 0.05
	// away is the longest frame, in seconds: a tab that was away does not owe its visitors more.
	away = 0.25
	// mostPlaces is how many things are looked at for the pace, and mostSettled for whether all is at rest.
	mostPlaces, mostSettled = 256, 4096
)

// pacer plays iterations by what they move.
type pacer struct {
	played      float64 // seconds since play began
	left        float64 // how far things may still move now, in frame lengths; below 0 they have moved too far
	moved       bool    // something has been seen to move
	goesOn      bool    // play began where the runs had settled, and goes on until they end
	before, now []float64
	look        [len(lookBack)][]float64 // places at the iterations of lookBack
}

// begin begins to play.
func (p *pacer) begin(settled bool) { p.played, p.left, p.moved, p.goesOn = 0, 0, false, settled }

// pass lets time pass, and reports whether things may move.
func (p *pacer) pass(dt float64) bool {
	rate := pace * portable.Exp2(max(0, p.played-steady)/hurried)
	if p.played >= whole {
		rate = math.MaxFloat32
	}
	p.played += dt
	p.left = min(max(p.left, -maxRest*rate)+float64(rate*dt), float64(rate*dt))
	return p.left > 0
}

// inFront returns the scene's panel in front, without a cover. It returns nil if the scene has no panels.
func (s *Session) inFront() axes.Panel {
	front := s.front()
	for _, p := range s.scene.Panels() {
		if p.ID() == front {
			return p
		}
	}
	return nil
}

// places appends where the things of a panel are at iteration k. If the panel does not say, a single thing moves evenly while k goes
// from 0 to the budget.
func (s *Session) places(panel axes.Panel, v []float64, k, most int) []float64 {
	if mover, is := panel.(axes.Mover); is {
		v = mover.Places(v, k, most)
	}
	if len(v) == 0 {
		v = append(v, s.evenly(k), 0)
	}
	return v
}

// evenly is how far k iterations are where play goes evenly.
func (s *Session) evenly(k int) float64 {
	return float64(even*float64(k)) / float64(max(1, s.timeline().Budget()))
}

// inSight changes v so that a thing far outside the frame is just outside: the visitor cannot see how far it goes.
func inSight(v []float64) []float64 {
	for i, f := range v {
		v[i] = min(max(f, -beyond), 1+beyond) // NaN stays
	}
	return v
}

// outside reports whether a thing is outside the frame, of places that inSight has changed.
func outside(x, y float64) bool { return min(x, y) <= -beyond || max(x, y) >= 1+beyond }

// inFrame reports whether something is in the frame, of places that inSight has changed.
func inFrame(v []float64) bool {
	for i := 0; i+1 < len(v); i += 2 {
		if !math.IsNaN(v[i]+v[i+1]) && !outside(v[i], v[i+1]) {
			return true
		}
	}
	return false
}

// distances returns how far things are apart: their mean, and the farthest. A thing that is outside the frame in both pictures has
// not moved: nobody sees it there.
func distances(a, b []float64) (mean, most float64) {
	n := 0
	for i := 0; i+1 < min(len(a), len(b)); i += 2 {
		d := portable.Hypot(a[i]-b[i], a[i+1]-b[i+1])
		if math.IsNaN(d) {
			continue
		}
		if n++; outside(a[i], a[i+1]) && outside(b[i], b[i+1]) {
			continue
		}
		mean += d
		most = max(most, d)
	}
	return mean / float64(max(1, n)), most
}

// motion is how far a picture has moved: the mean of its things, or a part of the farthest, so that one of many is not too quick
// to be followed.
func motion(a, b []float64) float64 {
	const one = 0.25
	mean, most := distances(a, b)
	return max(mean, one*most)
}

// advance makes up to n steps by step, which takes how many to make and returns how many it has made, until the picture has moved
// by its share. at is the iteration on show. It makes twice as many steps between two looks at the picture each time.
func (s *Session) advance(n int, at func() int, step func(n int) (made int, err error)) (made int, err error) {
	p, panel := &s.player.pacer, s.inFront()
	p.before = inSight(s.places(panel, p.before[:0], at(), mostPlaces))
	moved := 0.0
	for next := 1; made < n && moved < p.left; {
		next = min(next, n-made)
		more, err := step(next)
		made += more
		if err != nil {
			return made, err
		}
		p.now = inSight(s.places(panel, p.now[:0], at(), mostPlaces))
		if moved = motion(p.before, p.now); !inFrame(p.before) && !inFrame(p.now) {
			moved = s.evenly(made)
		}
		if more < next {
			break
		}
		if next = made; moved > 0 { // about as many as are left if it goes on like this
			next = max(1, int(min(float64(next), float64(made)*(p.left-moved)/moved)))
		}
	}
	p.left -= moved
	return made, nil
}

// lookBack are earlier iterations, as parts of the latest.
var lookBack = [...]float64{1. / 2, 5. / 8, 3. / 4, 7. / 8}

// The places of half and threeQuarters in lookBack.
const half, threeQuarters = 0, 2

// settled reports whether nothing that can be seen moves any more in the panel in front, and nothing will.
//
// In the latter half of all iterations nothing has been farther from where it is now than can be seen. Half of all, not so
// many iterations or seconds: what crawls has crawled as long before, and so its way shows over that time. That alone would stop
// on a plateau, which is left more and more quickly, and on a slow way that a great budget makes long. So each thing is asked for
// what is still to come: from one quarter of the iterations to the next its motion grows or shrinks by some factor, and goes on so
// until the budget is spent. What moves outside the frame moves, too: it may come back, or diverge. While nothing has been seen to
// move, play has not begun to show anything, and goes on. A curve over
// time grows until its end.
func (s *Session) settled() bool {
	const (
		first   = 8     // iterations, at least
		visible = 0.005 // of the frame: two or three pixels
	)
	t, p := s.timeline(), &s.player.pacer
	k := t.Latest()
	if k < first || s.follow.Step != nil { // lessons ask for what comes after the last iteration
		return false
	}
	panel := s.inFront()
	if curves, is := panel.(*axes.Plane); is && curves.Grows {
		return false
	}
	p.now = s.places(panel, p.now[:0], k, mostSettled)
	if !p.moved {
		p.before = inSight(s.places(panel, p.before[:0], 0, mostSettled))
		p.look[0] = inSight(append(p.look[0][:0], p.now...))
		_, most := distances(p.before, p.look[0])
		if p.moved = most > 2*visible; !p.moved {
			return false
		}
	}
	for i, part := range lookBack {
		p.look[i] = s.places(panel, p.look[i][:0], int(part*float64(k)), mostSettled)
		if _, most := distances(p.look[i], p.now); most > visible {
			return false
		}
	}
	quarters := 4 * (t.Budget() - k) / k
	for i := 0; i+1 < len(p.now); i += 2 {
		between := func(a, b []float64) float64 {
			if len(a) != len(p.now) || len(b) != len(p.now) {
				return math.NaN()
			}
			return portable.Hypot(a[i]-b[i], a[i+1]-b[i+1])
		}
		before, last := between(p.look[half], p.look[threeQuarters]), between(p.look[threeQuarters], p.now)
		if toCome(before, last, quarters, visible) > visible {
			return false
		}
	}
	return true
}

// ended reports whether the runs have ended, or play has stopped because they have settled: a control that is moved then shows what
// comes of it from the start.
func (s *Session) ended() bool {
	return !s.timeline().Running() || !s.player.playing && s.player.job == nil && s.settled()
}

// toCome returns how far a thing goes in so many quarters that has gone before and last in the two latest, or more than enough.
func toCome(before, last float64, quarters int, enough float64) (way float64) {
	const still = 1e-6 // of the frame: what moves less is at rest
	if !(last > still) {
		return 0
	}
	factor := last / max(before, still)
	for ; quarters > 0 && way <= enough && last > still; quarters-- {
		last = float64(last * factor)
		way += last
	}
	return way
}
