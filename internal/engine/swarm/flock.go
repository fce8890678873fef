// Package swarm runs a method from thousands of points in the plane of two variables. It shows where on the front each
// point ends: in the plane, in the objectives' plane, and in a histogram along the front.
package swarm

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Course describes the runs of a flock's points.
type Course struct {
	Starts [][]float64 // each point's start, with the values of two variables
	// New returns a stepper at k = 0 for start i. All steppers for the same i must produce the same iterates.
	New func(i int) (algo.Stepper, error)
	// Budget is the maximum number of iterations of a run, at least 1.
	Budget int
	// A run ends earlier if Omega at its point is at most Stop. With Stop = 0, no run ends earlier.
	Stop  float64
	Omega func(x []float64) float64
	// Sides are the side lengths of the plane on screen, which are the units of distance.
	Sides [2]float64
}

// Point is the state of a point in a flock.
type Point struct {
	K    int        // iteration that the point moves to, or the run's last iteration
	X, F [2]float64 // variables and objectives at iteration K
	From [2]float64 // variables at the previous iteration
	Was  [2]float64 // objectives at the previous iteration
	// Share is the fraction, from 0 to 1, of the distance between From and X that the point has covered. It is 1 after
	// the end.
	Share float64
	Ended bool
}

// End is the final state of a run.
type End struct {
	K      int
	X, F   [2]float64
	Status algo.Status // Running if the run was ended because the point almost stopped moving
}

// Flock holds many runs of one method, without recording them. Each point is at an iterate of its run, or on the straight
// line to the next iterate. Points advance in rounds, and every point moves the same distance in the plane in a round.
// Interruptions of a round do not change the results. A point that has ended rests for a while and then starts again,
// until the ends of all runs are known.
type Flock struct {
	course Course
	points []bird
	at     int // index of the next point in the round
	member func(i int) bool
	// reached is the iteration passed to the last call of Reach.
	reached int
}

type bird struct {
	Point
	stepper algo.Stepper // nil before the first step
	begin   algo.Snapshot
	way     float64 // distance from From to X, in side lengths of the plane
	rest    int     // number of rounds since the end
	end     End
	known   bool // whether end is known
	// moved is the position at iteration mark, and reach is the largest distance from moved since then. They show whether
	// the point still moves.
	moved [2]float64
	mark  int
	reach float64
}

const (
	// pace is the distance that a point moves in a round, in side lengths of the plane.
	pace = 1. / 200
	// leastSteps is the minimum of maxSteps, which limits a point's iterations in a round. The limit prevents a point that
	// hardly moves from delaying the others.
	leastSteps = 8
	// resting is the number of rounds that a point rests at its end before it starts again.
	resting = 50
	// near is the distance that counts as no motion. A run ends if it is expected to move less than near in all its
	// remaining iterations.
	near = 1. / 500
	// leastLook is the minimum number of iterations over which motion is measured.
	leastLook = 32
)

// NewFlock returns a flock with every point at its start. Points that are not members never move and have no end.
func NewFlock(c Course, member func(i int) bool) *Flock {
	f := &Flock{course: c, points: make([]bird, len(c.Starts)), member: member}
	for i, x := range c.Starts {
		p := &f.points[i]
		p.X = [2]float64{x[0], x[1]}
		p.From, p.moved, p.Share = p.X, p.X, 1
	}
	return f
}

// maxSteps returns the maximum number of iterations per point in a round.
func (f *Flock) maxSteps() int { return max(leastSteps, f.course.Budget/2000) }

// look returns the number of iterations between checks of whether a point still moves.
func (f *Flock) look() int { return max(leastLook, f.course.Budget/50) }

// Len returns the number of points, including those that are not members.
func (f *Flock) Len() int { return len(f.points) }

// Member reports whether a point belongs to the flock.
func (f *Flock) Member(i int) bool { return f.member(i) }

// Point returns the state of a point.
func (f *Flock) Point(i int) Point { return f.points[i].Point }

// Arrived reports whether a point's run has ended and its drawing has reached that end.
func (f *Flock) Arrived(i int) bool {
	p := &f.points[i]
	return p.Ended && p.Share == 1
}

// Place returns a point's position for drawing, in variables and in objectives. The position is on the straight line
// between two iterates. ok is false before the first step, when the objectives are still unknown.
func (f *Flock) Place(i int) (x, y [2]float64, ok bool) {
	p := &f.points[i]
	for c := range 2 {
		x[c] = p.From[c] + float64(p.Share*(p.X[c]-p.From[c]))
		y[c] = p.Was[c] + float64(p.Share*(p.F[c]-p.Was[c]))
	}
	return x, y, p.stepper != nil
}

// End returns the end of a point's run. ok is false while the end is unknown.
func (f *Flock) End(i int) (end End, ok bool) { return f.points[i].end, f.points[i].known }

// Known returns the number of members whose end is known, and the number of members.
func (f *Flock) Known() (known, members int) {
	for i := range f.points {
		if f.member(i) {
			members++
			if f.points[i].known {
				known++
			}
		}
	}
	return known, members
}

// Pour moves every point back to its start. It keeps known ends.
func (f *Flock) Pour() {
	f.at = 0
	for i := range f.points {
		f.seed(&f.points[i], i)
	}
}

// seed moves a point back to its start.
func (f *Flock) seed(p *bird, i int) {
	p.K, p.Ended, p.rest, p.way, p.Share, p.mark, p.reach = 0, false, 0, 0, 1, 0, 0
	x := f.course.Starts[i]
	p.X = [2]float64{x[0], x[1]}
	p.From, p.moved = p.X, p.X
	if p.stepper != nil {
		p.begin.Rewind()
		p.stepper.Load(&p.begin)
		p.readF()
		p.Was = p.F
	}
}

func (p *bird) readF() { copy(p.F[:], p.stepper.View().F) }

func (f *Flock) start(p *bird, i int) (err error) {
	if p.stepper, err = f.course.New(i); err != nil {
		p.stepper = nil
		return err
	}
	p.stepper.Save(&p.begin)
	p.readF()
	p.Was = p.F
	return nil
}

// step computes one iteration for a point that has not ended.
func (f *Flock) step(p *bird, i int) error {
	if p.stepper == nil {
		if err := f.start(p, i); err != nil {
			return err
		}
	}
	status, err := p.stepper.Step()
	if err != nil {
		return err
	}
	v := p.stepper.View()
	if v.K != p.K {
		p.From, p.Was, p.K = p.X, p.F, v.K
		copy(p.X[:], v.X)
		copy(p.F[:], v.F)
		p.way, p.Share = f.distance(p.From, p.X), 0
		p.reach = max(p.reach, f.distance(p.moved, p.X))
	}
	switch {
	case status != algo.Running:
	case f.course.Stop > 0 && f.course.Omega(v.X) <= f.course.Stop:
		status = algo.Stationary
	case p.K >= f.course.Budget:
		status = algo.Budget
	case p.K-p.mark < f.look():
		return nil
	default:
		if p.reach/float64(p.K-p.mark)*float64(f.course.Budget-p.K) >= near {
			p.moved, p.mark, p.reach = p.X, p.K, 0
			return nil
		}
	}
	p.Ended = true
	if !p.known {
		p.known, p.end = true, End{K: p.K, X: p.X, F: p.F, Status: status}
	}
	return nil
}

func (f *Flock) distance(a, b [2]float64) float64 {
	return portable.Hypot((b[0]-a[0])/f.course.Sides[0], (b[1]-a[1])/f.course.Sides[1])
}

// advance moves a point by the distance of one round. It returns the number of iterations computed.
func (f *Flock) advance(p *bird, i int, again bool) (steps int, err error) {
	if p.Ended && p.Share == 1 {
		if p.rest++; again && p.rest > resting {
			f.seed(p, i)
		}
		return 0, nil
	}
	most := f.maxSteps()
	for left := pace; ; {
		if ahead := float64((1 - p.Share) * p.way); p.Share < 1 && ahead > left {
			p.Share += left / p.way
			break
		} else if p.Share < 1 {
			left, p.Share = left-ahead, 1
		}
		if p.Ended || steps >= most {
			break
		}
		steps++
		if err := f.step(p, i); err != nil {
			return steps, err
		}
	}
	return steps, nil
}

// parted is the work, in units, after which a round checks whether it may continue. A point counts as 1 unit, and each
// iteration as 16.
const (
	parted    = 512
	iteration = 16
)

// Round continues a round while more() is true, and always moves some points. It reports whether the round is complete.
// If again is true, points that have ended start again after a rest.
func (f *Flock) Round(again bool, more func() bool) (complete bool, err error) {
	for work := 0; f.at < len(f.points); {
		if work >= parted {
			if work = 0; !more() {
				return false, nil
			}
		}
		if f.member(f.at) {
			steps, err := f.advance(&f.points[f.at], f.at, again)
			if err != nil {
				return false, err
			}
			work += 1 + iteration*steps
		}
		f.at++
	}
	f.at = 0
	return true, nil
}

// Rests reports whether every member is at its end.
func (f *Flock) Rests() bool {
	for i := range f.points {
		if p := &f.points[i]; f.member(i) && !(p.Ended && p.Share == 1) {
			return false
		}
	}
	return true
}

// Reach moves members that have not reached iteration k to that iteration, or to their ends if these come earlier.
func (f *Flock) Reach(k int) error {
	for i := range f.points {
		p := &f.points[i]
		if !f.member(i) {
			continue
		}
		if p.stepper == nil {
			if err := f.start(p, i); err != nil {
				return err
			}
		}
		for !p.Ended && p.K < k {
			if err := f.step(p, i); err != nil {
				return err
			}
		}
		p.Share = 1
	}
	f.reached = k
	return nil
}

// Finish moves members to their ends while more() is true, without intermediate positions. It reports whether all members
// are at their ends.
func (f *Flock) Finish(more func() bool) (done bool, err error) {
	const stretch = 64 // number of iterations between calls of more
	for i := range f.points {
		p := &f.points[i]
		if !f.member(i) || p.Ended && p.Share == 1 {
			continue
		}
		for !p.Ended && !p.known {
			for n := 0; n < stretch && !p.Ended; n++ {
				if err := f.step(p, i); err != nil {
					return false, err
				}
			}
			if !p.Ended && !more() {
				return false, nil
			}
		}
		e := &p.end // a known end needs no second run
		p.Ended, p.K, p.X, p.F, p.From, p.Was, p.Share = true, e.K, e.X, e.F, e.X, e.F, 1
		if !more() {
			return f.Rests(), nil
		}
	}
	return true, nil
}

// Pour returns count points that fill the rectangle between two corners evenly. Each prefix of the points also fills it
// evenly. The points follow the additive recurrence of the plastic number (Roberts 2018), and are always the same.
func Pour(count int, lo, hi [2]float64) [][]float64 {
	const plastic = 1.32471795724474602596
	out := make([][]float64, count)
	for i := range out {
		x := make([]float64, 2)
		for c, step := range [2]float64{1 / plastic, 1 / (plastic * plastic)} {
			u := math.Mod(0.5+float64(float64(i+1)*step), 1)
			x[c] = lo[c] + float64(u*(hi[c]-lo[c]))
		}
		out[i] = x
	}
	return out
}
