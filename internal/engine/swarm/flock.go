// Package swarm carries thousands of points by a method over the plane of two variables, and shows where on the front each of them
// ends: in the plane, among the objectives, and in a histogram along the front.
package swarm

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Course says how the points of a flock move.
type Course struct {
	Starts [][]float64 // of all points, two variables each
	// New returns the stepper of a run from start i, at k = 0. Every call with the same i returns one that makes the same iterates.
	New func(i int) (algo.Stepper, error)
	// Budget is the iteration at which a run ends, at least 1.
	Budget int
	// A run ends earlier where Omega of its point is at most Stop; 0 for never.
	Stop  float64
	Omega func(x []float64) float64
	// Sides are the lengths of the plane that is shown, in which ways are measured.
	Sides [2]float64
}

// Point is where a point of a flock is.
type Point struct {
	K    int        // the iteration that it is on its way to, or has ended at
	X, F [2]float64 // of that iteration
	From [2]float64 // the variables of the iteration before
	Was  [2]float64 // its objectives
	// Share is how much of the way between the two iterations is done, from 0 to 1; 1 once it has ended.
	Share float64
	Ended bool
}

// End is where a run from a start ends.
type End struct {
	K      int
	X, F   [2]float64
	Status algo.Status // Running if the run would hardly move any more
}

// Flock is many runs of one method, of which none is recorded: each point is at an iterate of the run from its start, or on the
// straight way to the next one. Points advance in rounds, in each of which every point goes the same distance in the plane; a
// round may rest anywhere and goes on there, so that points do not depend on how rounds are parted. A point that has ended rests a
// while and is then seeded again at its start, until the end of every start is known.
type Flock struct {
	course Course
	points []bird
	at     int // the next point of the round
	member func(i int) bool
	// reached is the iteration of the last Reach.
	reached int
}

// bird is a point with what moves it.
type bird struct {
	Point
	stepper algo.Stepper // nil before its first step
	begin   algo.Snapshot
	way     float64 // from From to X, in sides of the plane
	rest    int     // rounds since it ended
	end     End
	known   bool // end is
	// moved is where it was at iteration mark, and reach how far it has been from there since, to see whether it still moves.
	moved [2]float64
	mark  int
	reach float64
}

const (
	// pace is the way of a round, in sides of the plane.
	pace = 1. / 200
	// leastSteps is how many iterations a point may make in a round, at least: one that hardly moves does not hold the others up.
	leastSteps = 8
	// resting is how many rounds a point rests at its end before it is seeded again.
	resting = 50
	// near is the way that counts as none: a run that would go less, at its pace, in all iterations left has ended.
	near = 1. / 500
	// leastLook is how many iterations a pace is measured over, at least.
	leastLook = 32
)

// NewFlock returns a flock with every point at its start. The points for which member returns false are left out: they do not
// move, and have no end.
func NewFlock(c Course, member func(i int) bool) *Flock {
	f := &Flock{course: c, points: make([]bird, len(c.Starts)), member: member}
	for i, x := range c.Starts {
		p := &f.points[i]
		p.X = [2]float64{x[0], x[1]}
		p.From, p.moved, p.Share = p.X, p.X, 1
	}
	return f
}

// maxSteps is how many iterations a point may make in a round.
func (f *Flock) maxSteps() int { return max(leastSteps, f.course.Budget/2000) }

// look is how many iterations apart it is seen whether a point still moves.
func (f *Flock) look() int { return max(leastLook, f.course.Budget/50) }

// Len returns how many points there are, members or not.
func (f *Flock) Len() int { return len(f.points) }

// Member reports whether a point belongs to the flock.
func (f *Flock) Member(i int) bool { return f.member(i) }

// Point returns where a point is.
func (f *Flock) Point(i int) Point { return f.points[i].Point }

// Place returns the variables and objectives of a point where it is drawn: on the straight way between two iterates. The
// objectives are of no use before the first step is begun, which ok says.
func (f *Flock) Place(i int) (x, y [2]float64, ok bool) {
	p := &f.points[i]
	for c := range 2 {
		x[c] = p.From[c] + float64(p.Share*(p.X[c]-p.From[c]))
		y[c] = p.Was[c] + float64(p.Share*(p.F[c]-p.Was[c]))
	}
	return x, y, p.stepper != nil
}

// End returns where the run from a start ends; ok is false while that is not known.
func (f *Flock) End(i int) (end End, ok bool) { return f.points[i].end, f.points[i].known }

// Known returns how many of the members' ends are known, and how many members there are.
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

// Pour puts every point back at its start. Ends that are known stay known.
func (f *Flock) Pour() {
	f.at = 0
	for i := range f.points {
		f.seed(&f.points[i], i)
	}
}

// seed puts a point back at its start.
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

// readF takes the objectives over from the stepper.
func (p *bird) readF() { copy(p.F[:], p.stepper.View().F) }

// start makes a point's stepper.
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

// step makes an iteration of a point that has not ended.
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

// advance lets a point go the way of a round, and returns in how many iterations.
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

// A round asks whether it may go on after so much work: a point counts 1, and each of its iterations 16 more.
const (
	parted    = 512
	iteration = 16
)

// Round goes on with a round while more() holds, and for some points at least. It reports whether the round is complete. Points
// that have ended are seeded again while again holds.
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

// Reach brings members that are not as far yet to iteration k, or to their ends.
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

// Finish brings members to their ends while more() holds, without the ways between. It reports whether all are there.
func (f *Flock) Finish(more func() bool) (done bool, err error) {
	const stretch = 64 // iterations between two looks at the clock
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
		e := &p.end // where it has been once it need not go again
		p.Ended, p.K, p.X, p.F, p.From, p.Was, p.Share = true, e.K, e.X, e.F, e.X, e.F, 1
		if !more() {
			return f.Rests(), nil
		}
	}
	return true, nil
}

// Pour returns count points that fill the rectangle between two corners evenly, each prefix too: the additive recurrence of the
// plastic number (Roberts 2018). They depend on nothing else.
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
