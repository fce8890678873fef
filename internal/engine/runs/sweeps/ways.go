package sweeps

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
)

// Ways measures how runs approach a goal, at the end of each outer iteration. Its results refer to a timeline's marker.
type Ways struct {
	timeline *timeline.Timeline
	problem  *problem.Quadratics
	goal     *Goal
	of       map[*timeline.Run]*way
}

// way holds the measurements of one run.
type way struct {
	meter *blocks.Meter
	turns []Turn // measurements after t = 0, 1, … outer iterations
	f     []float64
	round brush.Memo[roundKey, Round]
}

// Turn describes a run after some outer iterations: the height of F_m above its minimum at the last iterate, at the
// average iterate and, on average, at the random iterate. It also holds the measured constants of the theorems' bounds.
// Numbers that need an outer iteration are NaN before the first one.
type Turn struct {
	Last, Average, Random float64
	Measured              blocks.Measured
}

// NewWays starts to measure runs of the timeline, which must be at k = 0. p is their problem, and g the goal.
func NewWays(t *timeline.Timeline, runs []*timeline.Run, p *problem.Quadratics, g *Goal) *Ways {
	w := &Ways{timeline: t, problem: p, goal: g, of: map[*timeline.Run]*way{}}
	for _, r := range runs {
		a := r.Stepper.(*blocks.Alternation)
		own := &way{meter: blocks.NewMeter(p, g.Weights, g.Minimiser), f: make([]float64, len(g.F))}
		w.of[r] = own
		r.Observe = func(algo.View) { w.hear(own, a) }
	}
	return w
}

// hear measures a run at its current point.
func (w *Ways) hear(own *way, a *blocks.Alternation) {
	m := own.meter.Hear(a)
	k := a.View().K
	if k%a.OuterSteps() != 0 {
		return
	}
	if k == 0 {
		own.turns = own.turns[:0]
	}
	value := func(x []float64) float64 {
		if x == nil {
			return math.NaN()
		}
		w.problem.Values(own.f, x)
		return w.goal.Above(own.f)
	}
	t := Turn{Last: value(a.Last()), Average: value(a.Average()), Random: math.NaN(), Measured: m}
	if m.T > 0 {
		t.Random = max(0, m.Loss-w.goal.Least)
	}
	own.turns = append(own.turns, t)
}

// Turns returns all turns of a run, from its start.
func (w *Ways) Turns(r *timeline.Run) []Turn { return w.of[r].turns }

// Done returns the turns of a run up to the marker.
func (w *Ways) Done(r *timeline.Run) []Turn {
	turns := w.Turns(r)
	return turns[:min(w.at(r)/Steps(r)+1, len(turns))]
}

// Now returns a run's turn after its last complete outer iteration before the marker.
func (w *Ways) Now(r *timeline.Run) Turn {
	turns := w.Done(r)
	return turns[len(turns)-1]
}

// at returns a run's iteration at the marker.
func (w *Ways) at(r *timeline.Run) int { return min(w.timeline.Marker(), r.Last()) }

// Round describes the cycle in which a run ends: the distance of the mean of x^{t,0,0} from the minimiser of F_m, and
// the largest distance between two points of an outer iteration. Both are NaN if the run has no cycle.
type Round struct{ Bias, Width float64 }

// NoRound is the Round of a run without a cycle.
var NoRound = Round{math.NaN(), math.NaN()}

type roundKey struct {
	version uint64
	k       int
}

// Round returns a run's cycle, computed from the second half of the run's outer iterations before the marker.
func (w *Ways) Round(r *timeline.Run) Round {
	key := roundKey{w.timeline.Version(), w.at(r)}
	return w.of[r].round.Of(key, func() Round { return w.readRound(r, key.k) })
}

// readRound computes a run's cycle before iteration k from the kept rows.
func (w *Ways) readRound(r *timeline.Run, k int) Round {
	const (
		least  = 4  // minimum number of outer iterations for a cycle
		widest = 50 // number of outer iterations from which the width is computed
		points = 64 // number of points used in each outer iteration
	)
	steps := Steps(r)
	done := k / steps
	if done < least {
		return NoRound
	}
	track := timeline.Track{Run: r}
	mean, number := make([]float64, len(w.goal.Minimiser)), 0
	var width, widths float64
	var lap [][]float64
	for i := r.Index(done / 2 * steps); i < r.Len() && r.Kept(i).K <= done*steps; i++ {
		row := track.Kept(i)
		if row.K%steps == 0 {
			number++
			for j, v := range row.X {
				mean[j] += (v - mean[j]) / float64(number)
			}
			if len(lap) > 0 {
				width += diameter(lap)
				widths++
			}
			lap = lap[:0]
		}
		if row.K >= (done-widest)*steps && row.K%max(1, steps/points) == 0 {
			lap = append(lap, row.X)
		}
	}
	if widths > 0 {
		width /= widths
	}
	return Round{w.goal.Away(mean), width}
}

// Outputs holds the points that a run would return at an iteration.
type Outputs struct {
	Last    []float64 `json:"last"`
	Average []float64 `json:"average"` // null before the first complete outer iteration
	Uniform []float64 `json:"uniform"` // null before the first complete outer iteration
	T       *int      `json:"t"`       // outer iteration of Uniform; null before the first complete one
}

// OutputsOf returns the points that a run would return at the marker. They are empty if the run cannot be read now.
func OutputsOf(t *timeline.Timeline, r *timeline.Run) *Outputs {
	out := new(Outputs)
	read := func(a *blocks.Alternation) {
		x, at := a.Uniform()
		out.Last, out.Average, out.Uniform = slices.Clone(a.Last()), slices.Clone(a.Average()), slices.Clone(x)
		if out.T = nil; out.Average != nil {
			out.T = &at
		}
	}
	k := min(t.Marker(), r.Last())
	if k == r.Last() && r.Stepper.View().K == k {
		read(r.Stepper.(*blocks.Alternation))
		return out
	}
	err := t.Visit(r, k, func(stepper algo.Stepper) { read(stepper.(*blocks.Alternation)) })
	if err != nil && !timeline.NotNow(err) {
		panic(err) // cannot fail, because the run's own steps succeeded
	}
	return out
}
