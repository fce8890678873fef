package session

import (
	"math"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/portable"
)

// Play adapts to the motion in the panel in front, not to the number of iterations: slow where things move, fast where nothing does.
// The iterations themselves do not depend on it.
const (
	// pace is the distance that things move per second of play, in lengths of the panel's frame.
	pace = 0.036
	// steady is the number of seconds at this pace. Then the pace doubles every hurried seconds, so that long runs end, too.
	steady, hurried = 2.0, 1.2
	// whole is the number of seconds after which only the speed limits play.
	whole = 8.0
	// maxRest is the longest pause, in seconds, after an iteration in which things move far.
	maxRest = 0.45
	// even is the distance of a whole run, in lengths of the frame, if the panel in front does not report motion or nothing of it is
	// visible.
	even = 0.4
	// beyond is the maximum distance of things outside the frame, in its lengths.
	beyond = 0.05
	// away is the longest frame, in seconds: a tab in the background does not catch up on more.
	away = 0.25
	// mostPlaces is the maximum number of things watched for the pace, mostSettled the maximum watched to see whether everything
	// rests.
	mostPlaces, mostSettled = 256, 4096
)

// pacer paces iterations by the motion that they cause.
type pacer struct {
	played      float64 // seconds since play started
	left        float64 // the distance that things may still move now, in lengths of the frame; negative if they have moved too far
	moved       bool    // visible motion has occurred
	goesOn      bool    // play started after the runs had settled, and continues until they end
	before, now []float64
	look        [len(lookBack)][]float64 // places at the iterations of lookBack
}

// begin starts play.
func (p *pacer) begin(settled bool) { p.played, p.left, p.moved, p.goesOn = 0, 0, false, settled }

// pass advances the time by dt seconds. It reports whether things may move.
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

// places appends the positions of a panel's things at iteration k. If the panel reports none, it appends a single thing that moves
// evenly while k goes from 0 to the budget.
func (s *Session) places(panel axes.Panel, v []float64, k, most int) []float64 {
	if mover, is := panel.(axes.Mover); is {
		v = mover.Places(v, k, most)
	}
	if len(v) == 0 {
		v = append(v, s.evenly(k), 0)
	}
	return v
}

// evenly returns the distance of k iterations for even play.
func (s *Session) evenly(k int) float64 {
	return float64(even*float64(k)) / float64(max(1, s.timeline().Budget()))
}

// inSight moves things far outside the frame to just outside, because the visitor cannot see how far they are.
func inSight(v []float64) []float64 {
	for i, f := range v {
		v[i] = min(max(f, -beyond), 1+beyond) // NaN stays NaN
	}
	return v
}

// outside reports whether a thing is outside the frame. Its place must come from inSight.
func outside(x, y float64) bool { return min(x, y) <= -beyond || max(x, y) >= 1+beyond }

// inFrame reports whether any thing is in the frame. The places must come from inSight.
func inFrame(v []float64) bool {
	for i := 0; i+1 < len(v); i += 2 {
		if !math.IsNaN(v[i]+v[i+1]) && !outside(v[i], v[i+1]) {
			return true
		}
	}
	return false
}

// distances returns the mean and the maximum distance between things. A thing that is outside the frame in both pictures has not
// moved, because nobody sees it.
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

// motion returns how far a picture has moved: the mean of its things, or a part of the maximum, so that the visitor can follow a
// single fast thing.
func motion(a, b []float64) float64 {
	const one = 0.25
	mean, most := distances(a, b)
	return max(mean, one*most)
}

// advance calls step for up to n steps until the picture has moved by its share. step takes a number of steps and returns how many it
// made; at returns the iteration shown. Between checks of the picture, the number of steps doubles.
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
		if next = made; moved > 0 { // about as many as are left at this rate
			next = max(1, int(min(float64(next), float64(made)*(p.left-moved)/moved)))
		}
	}
	p.left -= moved
	return made, nil
}

// lookBack are earlier iterations as shares of the latest.
var lookBack = [...]float64{1. / 2, 5. / 8, 3. / 4, 7. / 8}

// Indices of 1/2 and 3/4 in lookBack.
const half, threeQuarters = 0, 2

// settled reports whether nothing visible moves any more in the panel in front, and nothing will.
//
// First, in the second half of all iterations nothing was visibly far from its present place. A share of all iterations is used, not
// a fixed number or a time, because the motion of a slow thing then adds up.
//
// This alone would also stop on a plateau, which things leave faster and faster, and in a slow motion with a large budget. So the
// motion to come is estimated for each thing: from one quarter of the iterations to the next its motion grows or shrinks by a factor,
// and continues so until the budget is spent. Motion outside the frame counts, because it may come back or diverge. Before any
// visible motion, play has not shown anything yet and continues. A curve over time grows until its end.
func (s *Session) settled() bool {
	const (
		first   = 8     // iterations, at least
		visible = 0.005 // of the frame: two or three pixels
	)
	t, p := s.timeline(), &s.player.pacer
	k := t.Latest()
	if k < first || s.follow.Step != nil { // lessons need the iterations that follow
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

// ended reports whether the runs have ended, or play has stopped because they have settled. Moving a control then restarts the runs
// to show its effect.
func (s *Session) ended() bool {
	return !s.timeline().Running() || !s.player.playing && s.player.job == nil && s.settled()
}

// toCome returns how far a thing goes in that many quarters after moving by before and last in the two latest. It stops at enough.
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
