package survey

import (
	"math"
	"math/rand/v2"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/internal/portable"
)

// Front approximates a Pareto front. It descends from many points of a box, and then walks along the set of critical
// points. With two objectives it walks to both ends; with more, it walks a short way in every direction. With two
// objectives it finally searches the remaining gaps and the ends, also along kinks.
type Front struct {
	problem  algo.Problem
	from, to []float64
	random   *rand.Rand
	x, f     []float64

	begun    [][]float64 // start points of descents or walks
	sampled  [][]float64 // objectives of the random points
	sums     [][]float64 // weights of the sums still to minimise
	descent  *descender
	jacobian *algo.Jacobian
	walker   *pareto.Walker
	at       int // index in begun
	found    []pareto.Point
	scale    []float64      // scale of the walker; nil until walks start
	rounds   int            // number of rounds of walks
	origin   []float64      // start of the current walk along the front of two objectives
	side     int            // direction of the walk: 1 lowers the first objective, 2 the second; 0 means no walk
	walked   int            // steps taken in that direction
	drawn    []pareto.Point // random points
	mender   *mender        // searches after the walks, for two objectives
	ends     []pareto.Point // ends confirmed by the mender
	done     bool
}

const (
	// frontStarts is the number of points from which Front descends.
	frontStarts = 120
	// spacing is the distance between neighbours on the front, relative to its range.
	spacing = 0.01
	// maxSteps is the maximum number of steps of a walk to one side. Each call of Advance takes at most stride of
	// these steps.
	maxSteps = 400
	stride   = 10
)

// NewFront returns an empty front. The start points are drawn, with the given seed, from the box whose opposite corners
// are from and to.
func NewFront(p algo.Problem, from, to []float64, seed uint64) *Front {
	n, m := p.Dims()
	source := algo.Stream(seed, 0, 0, algo.StartPoints)
	return &Front{problem: p, from: from, to: to, random: rand.New(&source), x: make([]float64, n), f: make([]float64, m),
		sums: sums(m, rand.New(&source)), descent: newDescender(unitBox(p, from, to)), jacobian: algo.NewJacobian(m, n)}
}

// sums returns the weights of several weighted sums, for objectives divided by their ranges. For each objective, some
// sums emphasise only this objective. For more than two objectives, further sums have random weights.
func sums(m int, random *rand.Rand) (out [][]float64) {
	const (
		each   = 6
		rest   = 1e-4 // weight of the other objectives, so that the end is not just weakly critical
		mixed  = 80
		corner = 0.01
	)
	for i := range m {
		for range each {
			w := slices.Repeat([]float64{rest}, m)
			w[i] = 1
			out = append(out, w)
		}
	}
	for k := 0; m > 2 && k < mixed; k++ {
		w := make([]float64, m)
		for i := range w {
			w[i] = corner - portable.Log(1-float64(random.Float64()))
		}
		out = append(out, w)
	}
	return out
}

// unitBox returns the bounds of a problem in units of a rectangle.
func unitBox(p algo.Problem, from, to []float64) (lo, hi []float64) {
	n, _ := p.Dims()
	lo, hi = slices.Repeat([]float64{math.Inf(-1)}, n), slices.Repeat([]float64{math.Inf(1)}, n)
	if b, ok := p.(algo.Bounded); ok {
		low, high := b.Bounds()
		for c := range n {
			lo[c], hi[c] = (low[c]-from[c])/(to[c]-from[c]), (high[c]-from[c])/(to[c]-from[c])
		}
	}
	return lo, hi
}

// Done reports whether the front is complete.
func (s *Front) Done() bool { return s.done }

// Sketched reports whether the descents are finished. Points then returns a first sketch of the front, and walks
// continue from there.
func (s *Front) Sketched() bool { return s.rounds > 0 }

// Points returns the non-dominated points found so far, sorted by the first objective. Of several points that are much
// closer together than spacing, it returns only one. The caller must not modify the points.
func (s *Front) Points() []pareto.Point {
	best := nonDominated(s.found)
	if len(best) == 0 {
		return nil // no points found yet
	}
	return thinned(best, rangesOf(best), s.ends)
}

// thinned removes points close to another point, and points that another one improves on by more than rounding errors.
// It keeps the ends, each of which has the lowest value of one objective.
func thinned(points []pareto.Point, scale []float64, ends []pareto.Point) (out []pareto.Point) {
	m := len(scale)
	cell := 0.4 * spacing
	if m > 2 {
		cell = 2 * spacing
	}
	seen := map[[4]int]bool{}
	extreme := map[int]bool{} // keep points with the minimum of an objective
	for i := range m {
		least := 0
		for k, p := range points {
			if p.F[i] < points[least].F[i] {
				least = k
			}
		}
		extreme[least] = true
	}
	for k, p := range points {
		var at [4]int
		for i := range min(m, len(at)) {
			at[i] = int(math.Floor((p.F[i] - points[0].F[i]) / scale[i] / cell))
		}
		if !seen[at] || extreme[k] {
			seen[at] = true
			out = append(out, p)
		}
	}
	const rounding, better = 1e-6, 1e-3 // relative to the ranges
	return slices.DeleteFunc(slices.Clone(out), func(p pareto.Point) bool {
		return !contains(ends, p) && slices.ContainsFunc(out, func(q pareto.Point) bool {
			gains := false
			for i, v := range q.F {
				d := (v - p.F[i]) / scale[i]
				if d > rounding {
					return false
				}
				gains = gains || d < -better
			}
			return gains
		})
	})
}

// contains reports whether p itself is in points. It compares identity, not objectives.
func contains(points []pareto.Point, p pareto.Point) bool {
	return slices.ContainsFunc(points, func(q pareto.Point) bool { return &q.X[0] == &p.X[0] })
}

// Advance does the next piece of work: for example, it draws a random point, descends, or walks a few steps.
func (s *Front) Advance() {
	switch {
	case s.done:
	case s.mender != nil:
		s.mend()
	case s.side > 0:
		s.walk()
	case s.scale == nil && len(s.begun) < frontStarts:
		s.sample()
	case s.scale == nil && s.at == len(s.begun) && len(s.sums) > 0:
		s.sum(s.sums[0])
		s.sums = s.sums[1:]
	case s.at == len(s.begun):
		s.turn()
	default:
		if s.descend(s.begun[s.at]); s.side == 0 {
			s.at++
		}
	}
}

// sample draws a random point with finite objectives.
func (s *Front) sample() {
	const limit = 100 // maximum number of failed draws
	for range limit {
		for c := range s.x {
			s.x[c] = s.from[c] + float64((s.to[c]-s.from[c])*s.random.Float64())
		}
		if s.problem.Values(s.f, s.x); algo.Finite(s.f) {
			s.begun, s.sampled = append(s.begun, slices.Clone(s.x)), append(s.sampled, slices.Clone(s.f))
			return
		}
	}
	s.done = len(s.begun) == 0
	if !s.done { // finite points are rare: repeat the first one
		for len(s.begun) < frontStarts {
			s.begun, s.sampled = append(s.begun, s.begun[0]), append(s.sampled, s.sampled[0])
		}
	}
}

// descend moves from x to a critical point and stores it. Once the rounds of walks have begun, it also walks from
// that point.
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
	_, m := s.problem.Dims()
	if s.scale == nil {
		return
	}
	begin := slices.Clone(s.found[len(s.found)-1].X)
	if m > 2 {
		s.spread(begin, m)
		return
	}
	s.origin, s.side, s.walked = begin, 1, 0
}

// walk takes the next steps along the front: first to one side, then from the origin to the other.
func (s *Front) walk() {
	ends := s.walked == 0 && s.walker.Start(s.origin) != nil
	if ends {
		s.side = 2
	}
	for i := 0; i < stride && !ends; i++ {
		_, end := s.walker.Trade(s.side-1, 2-s.side, spacing)
		if end != pareto.Stuck {
			s.note()
		}
		s.walked++
		ends = end != pareto.Walked || s.walked == maxSteps
	}
	if !ends {
		return
	}
	if s.side++; s.side > 2 {
		s.side = 0
		s.at++
	}
	s.walked = 0
}

// sum minimises a weighted sum of the objectives, starting from one of the random points.
func (s *Front) sum(weights []float64) {
	const limit = 300 // maximum number of steps
	if len(s.begun) == 0 {
		return
	}
	scale := ranges(s.sampled)
	place := func(u []float64) []float64 {
		for c := range s.x {
			s.x[c] = s.from[c] + float64(u[c]*(s.to[c]-s.from[c]))
		}
		return s.x
	}
	begin := s.begun[len(s.sums)%len(s.begun)]
	for c := range s.descent.u {
		s.descent.u[c] = (begin[c] - s.from[c]) / (s.to[c] - s.from[c])
	}
	s.descent.run(func(u, g []float64) (value float64) {
		x := place(u)
		s.problem.Values(s.f, x)
		s.problem.Jacobian(s.jacobian, x)
		clear(g)
		for i, w := range weights {
			value += w * s.f[i] / scale[i]
			for c, v := range s.jacobian.Row(i) {
				g[c] += float64(w * v / scale[i] * (s.to[c] - s.from[c]))
			}
		}
		return value
	}, limit)
	x := slices.Clone(place(s.descent.u))
	s.problem.Values(s.f, x)
	if algo.Finite(x) && algo.Finite(s.f) {
		s.found = append(s.found, pareto.Point{X: x, F: slices.Clone(s.f), Start: s.at})
	}
}

// spread walks a short way from a point in every direction that trades one objective for another.
func (s *Front) spread(begin []float64, m int) {
	const (
		steps = 8
		apart = 4 * spacing
	)
	for lower := range m {
		for raise := range m {
			if lower == raise || s.walker.Start(begin) != nil {
				continue
			}
			for range steps {
				_, end := s.walker.Trade(lower, raise, apart)
				if end != pareto.Stuck {
					s.note()
				}
				if end != pareto.Walked {
					break
				}
			}
		}
	}
}

// note stores the walker's current point in found.
func (s *Front) note() {
	x, f := s.walker.Point()
	s.found = append(s.found, pareto.Point{X: slices.Clone(x), F: slices.Clone(f), Start: s.at})
}

// turn ends the descents and starts walks at the best points. With two objectives it chooses start points that are more
// than a few steps apart. With more objectives it chooses some of the best points. If walks go far beyond the range of
// the previous points, it starts another round with longer steps.
func (s *Front) turn() {
	const (
		maxRounds = 4
		spreads   = 2 // rounds of walks with more than two objectives; each starts from the previous result
		farther   = 1.5
		maxBegun  = 40 // maximum number of start points with more than two objectives
	)
	best := s.Points()
	_, m := s.problem.Dims()
	if s.scale == nil {
		for i, x := range s.begun {
			s.drawn = append(s.drawn, pareto.Point{X: x, F: s.sampled[i]})
		}
	}
	if len(best) == 0 || s.rounds == maxRounds {
		s.finish(best)
		return
	}
	scale := rangesOf(best)
	grown := s.scale == nil || m > 2 && s.rounds < spreads
	for i := range s.scale {
		grown = grown || scale[i] > farther*s.scale[i]
	}
	if !grown {
		s.finish(best)
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
	if m > 2 {
		for i := range min(maxBegun, len(best)) {
			s.begun = append(s.begun, best[i*len(best)/min(maxBegun, len(best))].X)
		}
		return
	}
	var last []float64
	for _, p := range best {
		if last == nil || portable.Hypot((p.F[0]-last[0])/scale[0], (p.F[1]-last[1])/scale[1]) > 5*spacing {
			s.begun = append(s.begun, p.X)
			last = p.F
		}
	}
}

// finish ends the walks and keeps their best points. With two objectives it starts the search for missed parts.
func (s *Front) finish(best []pareto.Point) {
	if _, m := s.problem.Dims(); m > 2 || len(best) == 0 {
		s.done = true
		return
	}
	s.mender = newMender(s.problem, s.from, s.to, best, s.drawn)
}

// mend does the next piece of work on the parts that the walks missed.
func (s *Front) mend() {
	if !s.mender.advance() {
		return
	}
	if s.mender.changed {
		s.found, s.ends = s.mender.result(), s.mender.extreme
	}
	s.done = true
}

// ranges returns the range of each objective's values. If the values are equal, it returns a positive number instead.
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
