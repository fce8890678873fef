package survey

import (
	"math"
	"math/rand/v2"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
)

// Front approximates a Pareto front: it goes down from many points of a box and, of two objectives, walks from
// there along the set of critical points to both of its ends.
type Front struct {
	problem  algo.Problem
	from, to []float64
	random   *rand.Rand
	x, f     []float64

	begun   [][]float64 // random points
	sampled [][]float64 // their objectives
	walker  *pareto.Walker
	at      int // of begun
	found   []pareto.Point
	scale   []float64 // in which the walker walks; nil until something is found to walk from
	rounds  int       // of walks
	done    bool
}

const (
	// frontStarts is from how many points Front goes down.
	frontStarts = 120
	// spacing is the distance between neighbours on the front, of its range.
	spacing = 0.01
	// mostSteps is the most steps of a walk to one side.
	mostSteps = 400
)

// NewFront returns a front of which nothing is known. from and to are opposite corners of where it begins, and
// seed decides which points it begins with.
func NewFront(p algo.Problem, from, to []float64, seed uint64) *Front {
	n, m := p.Dims()
	source := algo.Stream(seed, 0, 0, algo.StartPoints)
	return &Front{problem: p, from: from, to: to, random: rand.New(&source), x: make([]float64, n), f: make([]float64, m)}
}

// Done reports whether nothing is left to do.
func (s *Front) Done() bool { return s.done }

// Points are those found so far that no other one dominates, by rising first objective. They are not modified.
func (s *Front) Points() []pareto.Point {
	values := make([][]float64, len(s.found))
	for i, p := range s.found {
		values[i] = p.F
	}
	best, err := pareto.NonDominated(values)
	if err != nil {
		return nil // nothing is found yet
	}
	out := make([]pareto.Point, len(best))
	for i, b := range best {
		out[i] = s.found[b]
	}
	slices.SortFunc(out, func(a, b pareto.Point) int { return slices.Compare(a.F, b.F) })
	return out
}

// Advance does the next piece of work: it takes a random point, goes down from one, or walks from one.
func (s *Front) Advance() {
	switch {
	case s.done:
	case s.scale == nil && len(s.begun) < frontStarts:
		s.sample()
	case s.at == len(s.begun):
		s.turn()
	default:
		s.descend(s.begun[s.at])
		s.at++
	}
}

// sample takes a random point where the objectives are finite.
func (s *Front) sample() {
	const most = 100 // draws in vain
	for range most {
		for c := range s.x {
			s.x[c] = s.from[c] + (s.to[c]-s.from[c])*s.random.Float64()
		}
		if s.problem.Values(s.f, s.x); algo.Finite(s.f) {
			s.begun, s.sampled = append(s.begun, slices.Clone(s.x)), append(s.sampled, slices.Clone(s.f))
			return
		}
	}
	s.done = len(s.begun) == 0
	if !s.done { // few of the points have values: those that are there must do
		for len(s.begun) < frontStarts {
			s.begun, s.sampled = append(s.begun, s.begun[0]), append(s.sampled, s.sampled[0])
		}
	}
}

// descend goes down from a point, and walks from where that leads unless the front is known there.
func (s *Front) descend(x []float64) {
	if s.walker == nil {
		var err error
		if s.walker, err = pareto.NewWalker(s.problem, ranges(s.sampled)); err != nil {
			s.done = true
			return
		}
	}
	if s.walker.Start(x) != nil {
		return
	}
	s.note()
	if _, m := s.problem.Dims(); m != 2 || s.scale == nil {
		return
	}
	begin := slices.Clone(s.found[len(s.found)-1].X)
	for lower := range 2 {
		if s.walker.Start(begin) != nil {
			return
		}
		for range mostSteps {
			_, end := s.walker.Trade(lower, 1-lower, spacing)
			if end != pareto.Stuck {
				s.note()
			}
			if end != pareto.Walked {
				break
			}
		}
	}
}

// note keeps the point where the walker is.
func (s *Front) note() {
	x, f := s.walker.Point()
	s.found = append(s.found, pareto.Point{X: slices.Clone(x), F: slices.Clone(f), Start: s.at})
}

// turn ends the descents. Of two objectives, walks begin at the best of their points, one for each stretch of the
// front between them that is longer than some steps; and once more, with longer steps, where they have led far
// beyond those points.
func (s *Front) turn() {
	const (
		mostRounds = 4
		farther    = 1.5
	)
	best := s.Points()
	if _, m := s.problem.Dims(); m != 2 || len(best) == 0 || s.rounds == mostRounds {
		s.done = true
		return
	}
	values := make([][]float64, len(best))
	for i, p := range best {
		values[i] = p.F
	}
	scale := ranges(values)
	if s.scale != nil && scale[0] <= farther*s.scale[0] && scale[1] <= farther*s.scale[1] {
		s.done = true
		return
	}
	walker, err := pareto.NewWalker(s.problem, scale)
	if err != nil {
		s.done = true
		return
	}
	s.walker, s.scale, s.at = walker, scale, 0
	s.rounds++
	s.begun, s.found = s.begun[:0], best
	var last []float64
	for _, p := range best {
		if last == nil || math.Hypot((p.F[0]-last[0])/scale[0], (p.F[1]-last[1])/scale[1]) > 5*spacing {
			s.begun = append(s.begun, p.X)
			last = p.F
		}
	}
}

// ranges are how far values spread in each objective; a positive number also where they do not.
func ranges(values [][]float64) []float64 {
	out := make([]float64, len(values[0]))
	for i := range out {
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range values {
			low, high = min(low, v[i]), max(high, v[i])
		}
		out[i] = high - low
		if !(out[i] > 1e-12*max(math.Abs(low), math.Abs(high))) {
			out[i] = max(math.Abs(high), math.Abs(low))
		}
		if !(out[i] > 0) || math.IsInf(out[i], 1) {
			out[i] = 1
		}
	}
	return out
}
