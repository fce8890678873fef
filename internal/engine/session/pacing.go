package session

import (
	"math"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/portable"
)

// Play adapts its speed to the motion in the front panel, not to the number of iterations: it is slow where things move, and
// fast where nothing moves. The iterations themselves do not depend on the speed.
const (
	// pace is the distance that things move per second of play, relative to the panel's frame.
	pace = 0.036
	// steady is how long play keeps this pace. hurried is the time in which the pace then doubles, again and again, so
	// that long runs also end. Both are in seconds.
	steady, hurried = 2.0, 1.2
	// whole is the number of seconds after which only the speed parameter limits play.
	whole = 8.0
	// maxRest is the longest pause, in seconds, after an iteration in which things move far.
	maxRest = 0.45
	// even is the distance, relative to the frame, that is assumed for a whole run if the front panel reports no motion
	// or none of it is visible.
	even = 0.4
	// beyond is the largest distance from the frame, relative to its size, that counts. Things farther outside are
	// clamped to it.
	beyond = 0.05
	// away is the maximum time, in seconds, that play makes up for in one display frame, such as the first frame after
	// the tab was in the background.
	away = 0.25
	// mostPlaces is the maximum number of things watched for the pace. mostSettled is the maximum number watched to see whether
	// everything is at rest.
	mostPlaces, mostSettled = 256, 4096
)

// pacer adapts the pace of iterations to the motion that they cause.
type pacer struct {
	played      float64 // seconds since play started
	left        float64 // the distance that things may still move now, relative to the frame; negative if they have moved too far
	moved       bool    // whether visible motion has occurred
	goesOn      bool    // whether play started after the runs had settled, so that it continues until they end
	before, now []float64
	look        [len(lookBack)][]float64 // positions at the iterations of lookBack
}

// begin resets the pacer when play starts.
func (p *pacer) begin(settled bool) { p.played, p.left, p.moved, p.goesOn = 0, 0, false, settled }

// pass advances the time by dt seconds and reports whether things may move.
func (p *pacer) pass(dt float64) bool {
	rate := pace * portable.Exp2(max(0, p.played-steady)/hurried)
	if p.played >= whole {
		rate = math.MaxFloat32
	}
	p.played += dt
	p.left = min(max(p.left, -maxRest*rate)+float64(rate*dt), float64(rate*dt))
	return p.left > 0
}

// inFront returns the scene's front panel itself, without a cover that hides it, or nil if the scene has no panels.
func (s *Session) inFront() axes.Panel {
	front := s.front()
	for _, p := range s.scene.Panels() {
		if p.ID() == front {
			return p
		}
	}
	return nil
}

// places appends the positions of a panel's moving things at iteration k. If the panel reports none, it appends a single thing that
// moves evenly while k goes from 0 to the budget.
func (s *Session) places(panel axes.Panel, v []float64, k, most int) []float64 {
	if mover, is := panel.(axes.Mover); is {
		v = mover.Places(v, k, most)
	}
	if len(v) == 0 {
		v = append(v, s.evenly(k), 0)
	}
	return v
}

// evenly returns the distance that k iterations cover if motion is spread evenly over the budget.
func (s *Session) evenly(k int) float64 {
	return float64(even*float64(k)) / float64(max(1, s.timeline().Budget()))
}

// inSight moves things far outside the frame to just outside it, because the visitor cannot see how far they are.
func inSight(v []float64) []float64 {
	for i, f := range v {
		v[i] = min(max(f, -beyond), 1+beyond) // NaN stays NaN
	}
	return v
}

// outside reports whether a thing is outside the frame. Its position must come from inSight.
func outside(x, y float64) bool { return min(x, y) <= -beyond || max(x, y) >= 1+beyond }

// inFrame reports whether at least one thing is in the frame. The positions must come from inSight.
func inFrame(v []float64) bool {
	for i := 0; i+1 < len(v); i += 2 {
		if !math.IsNaN(v[i]+v[i+1]) && !outside(v[i], v[i+1]) {
			return true
		}
	}
	return false
}

// distances returns the mean and the maximum distance that things move from a to b. A thing outside the frame in both pictures
// counts as unmoved, because it is not visible.
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

// motion returns how far a picture has moved: the mean over its things, or a fraction of the maximum, so that the visitor can
// follow a single fast thing.
func motion(a, b []float64) float64 {
	const one = 0.25
	mean, most := distances(a, b)
	return max(mean, one*most)
}

// advance calls step for up to n steps until the picture has moved as far as the pacer allows. step takes a number of steps and
// returns how many it took; at returns the shown iteration. The number of steps doubles between checks of the picture.
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
		if next = made; moved > 0 { // roughly the number of steps left at this rate
			next = max(1, int(min(float64(next), float64(made)*(p.left-moved)/moved)))
		}
	}
	p.left -= moved
	return made, nil
}

// lookBack holds earlier iterations as fractions of the latest.
var lookBack = [...]float64{1. / 2, 5. / 8, 3. / 4, 7. / 8}

// Indices of 1/2 and 3/4 in lookBack.
const half, threeQuarters = 0, 2

// settled reports whether nothing visible moves in the front panel and nothing is expected to move later.
//
// First, nothing may have been visibly far from its present position during the second half of the iterations so far.
// settled looks at a fraction of them, not at a fixed number or time, so that the motion of a slow thing adds up.
//
// This test alone would also stop play on a plateau, although things leave it faster and faster, and while things still move
// slowly with a large budget left. settled therefore estimates each thing's remaining motion. From one quarter of the
// iterations to the next, the motion grows or shrinks by a factor, and is assumed to do so until the budget is spent. Motion
// outside the frame counts, because it may come back or diverge. Nothing counts as settled before the first visible motion,
// because play has not shown anything yet. A curve over time never settles, because it grows until its end.
func (s *Session) settled() bool {
	const (
		first   = 8     // minimum number of iterations
		visible = 0.005 // relative to the frame: two or three pixels
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

// ended reports whether the runs have ended, or have settled so that play has stopped. Moving a control then restarts the runs to
// show its effect.
func (s *Session) ended() bool {
	return !s.timeline().Running() || !s.player.playing && s.player.job == nil && s.settled()
}

// toCome returns how far a thing will move in the given number of quarters; a quarter is a quarter of the iterations so far.
// before and last are the distances that the thing moved in the two latest quarters. It stops adding quarters once the
// distance exceeds enough.
func toCome(before, last float64, quarters int, enough float64) (way float64) {
	const still = 1e-6 // relative to the frame; a thing that moves less is at rest
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
