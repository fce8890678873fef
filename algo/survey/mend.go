package survey

import (
	"cmp"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/internal/portable"
)

// mender finds the parts of a front of two objectives that walks miss. Walks require smooth objectives. They end where
// the front continues along a kink, and descents stop at kinks before they reach the front. mender examines the ends of
// the front, points that are not critical, and gaps. It halves a gap between the points a and b as long as it finds a
// new point of the front inside. Such a point is a local minimum of
//
//	max_k (f_k − r_k)/s_k,   r = (a + b)/2,   s_k = |a_k − b_k|
//
// (Pascoletti & Serafini 1984). If the search finds none, as between the parts of a disconnected front, the gap
// remains.
type mender struct {
	problem algo.Problem
	search  *kinked
	points  []pareto.Point // points of the front so far
	changed bool           // whether points changed since the start
	extreme []pareto.Point // ends of the front
	drawn   []pareto.Point // random points, for searches that start away from the front
	scale   []float64      // ranges of the front

	ends     int            // number of ends examined
	kinks    bool           // whether a kink was found at an end, or at a point that is not critical
	rays     int            // number of searched rays
	checked  []pareto.Point // points left to examine; nil before this stage
	gaps     []gap          // remaining gaps; nil before this stage
	searches int
	task     task
	busy     bool // whether a search is in progress

	jacobian       *algo.Jacobian
	x, f, gradient []float64
}

// gap is a part of the front between two points. The left one has the smaller first objective.
type gap struct {
	left, right pareto.Point
	half        bool // whether it is half of a larger gap in which a point was found
}

// task describes a series of searches with one purpose.
type task struct {
	starts    [][]float64 // start points of the remaining searches
	weights   [][]float64
	offsets   []float64
	tolerance float64
	// better is called after each search, with its final point and with whether this point is a local minimum. over
	// is called after the last search.
	better func(p pareto.Point, proven bool)
	over   func()
}

const (
	apart       = 2.5 * spacing // minimum distance between neighbours that counts as a gap
	keptApart   = spacing / 4   // minimum distance between a new point and others
	thinGap     = 2e-6          // relative to the ranges: gaps narrower than this in one objective are ignored
	exactly     = 1e-7          // relative to the ranges: only a larger improvement counts
	rounded     = 1e-9          // relative to the ranges: a smaller increase counts as a rounding error
	proper      = 1e-3          // weight of one objective relative to the other, so that improvements of both count
	nearMinimum = 1e-10         // relative to the ranges: how far above a minimum a search may end
	maxSearches = 3000          // maximum number of searches per front, times the number of variables
	rays        = 10            // number of rays searched from random points if there are kinks
	searchSteps = 8             // steps of a search per call, times the number of variables
	checksOnce  = 20            // points examined per call
)

func newMender(p algo.Problem, from, to []float64, points, drawn []pareto.Point) *mender {
	n, m := p.Dims()
	return &mender{problem: p, search: newKinked(p, from, to), points: slices.Clone(points), drawn: drawn,
		jacobian: algo.NewJacobian(m, n), x: make([]float64, n), f: make([]float64, m), gradient: make([]float64, n)}
}

// advance does the next piece of work and reports whether everything is finished.
func (s *mender) advance() (done bool) {
	t := &s.task
	switch {
	case s.busy:
		for range max(1, searchSteps/len(s.x)) {
			if s.search.step() {
				s.busy = false
				s.search.point(s.x)
				if p, ok := s.pointAt(s.x); ok {
					t.better(p, s.search.proven)
				}
				break
			}
		}
	case len(t.starts) > 0:
		s.searches++
		s.busy = s.search.begin(t.starts[0], t.weights, t.offsets, t.tolerance)
		t.starts = t.starts[1:]
	case t.over != nil:
		over := t.over
		*t = task{}
		over()
	case s.ends < 2:
		s.scale = rangesOf(s.points)
		s.end(s.ends)
		s.ends++
	case s.checked == nil:
		s.scale = rangesOf(s.points)
		s.checked = slices.Clone(s.points)
	case len(s.checked) > 0:
		s.check()
	case s.kinks && s.rays < rays:
		s.ray(s.rays)
		s.rays++
	case s.kinks && s.ends < 4: // rays may have found points beyond the ends
		s.scale = rangesOf(s.points)
		s.end(s.ends - 2)
		s.ends++
	case s.gaps == nil:
		s.scale = rangesOf(s.points)
		s.gaps = []gap{}
		for i, all := 1, nonDominated(s.points); i < len(all); i++ {
			s.open(gap{left: all[len(all)-i-1], right: all[len(all)-i]})
		}
	case len(s.gaps) > 0 && s.searches < maxSearches/len(s.x):
		widest := 0
		for i, g := range s.gaps {
			if s.long(g) > s.long(s.gaps[widest]) {
				widest = i
			}
		}
		g := s.gaps[widest]
		s.gaps = slices.Delete(s.gaps, widest, widest+1)
		s.fill(g)
	default:
		return true
	}
	return false
}

// pointAt returns the point at x with its objectives, and whether they are finite.
func (s *mender) pointAt(x []float64) (p pareto.Point, ok bool) {
	s.problem.Values(s.f, x)
	if !algo.Finite(s.f) || !algo.Finite(x) {
		return p, false
	}
	return pareto.Point{X: slices.Clone(x), F: slices.Clone(s.f)}, true
}

// chebyshev sets the weights and offsets of a task that minimises the maximum of (f_k − r_k)/s_k.
func (t *task) chebyshev(r, s []float64) {
	m := len(r)
	t.weights, t.offsets = make([][]float64, m), make([]float64, m)
	for k := range m {
		t.weights[k] = make([]float64, m)
		for i := range m {
			if t.weights[k][i] = proper / s[i]; i == k {
				t.weights[k][i] = (1 + proper) / s[i]
			}
			t.offsets[k] += float64(t.weights[k][i] * r[i])
		}
	}
}

// end examines the end of the front at which the objective with index least is minimal. Among all points with that
// minimum, the other objective must be minimal too. end therefore minimises the first of these objectives plus smaller
// and smaller multiples of the other.
func (s *mender) end(least int) {
	other := 1 - least
	e := s.points[0]
	for _, p := range s.points {
		if p.F[least] < e.F[least] || p.F[least] == e.F[least] && p.F[other] < e.F[other] {
			e = p
		}
	}
	if s.smoothEnd(e, least) {
		s.setEnd(e, least)
		return
	}
	parts := []float64{1e-3, 1e-5, 1e-7, 1e-9} // weight of the other objective
	const begun = 8                            // number of random points for the first search
	best, low, round := e, 0.0, 0
	var try func()
	try = func() {
		if round == len(parts) {
			s.replaceEnd(e, best, least)
			return
		}
		w := make([]float64, 2)
		w[least], w[other] = 1/(s.scale[least]*parts[round]), 1/s.scale[other]
		value := func(f []float64) float64 { return float64(w[0]*f[0]) + float64(w[1]*f[1]) }
		starts := [][]float64{best.X}
		if round == 0 {
			starts = append(append(starts, s.elsewhere(e, value)...), s.lowest(begun, value)...)
		}
		round, low = round+1, math.Inf(1)
		s.task = task{starts: starts, weights: [][]float64{w}, tolerance: rounded, offsets: []float64{value(best.F)},
			better: func(p pareto.Point, _ bool) {
				if v := value(p.F); v < low {
					best, low = p, v
				}
			},
			over: try}
	}
	try()
}

// replaceEnd replaces the end e by the result of a search if the result is better.
func (s *mender) replaceEnd(e, best pareto.Point, least int) {
	gain := func(i int) float64 { return (e.F[i] - best.F[i]) / s.scale[i] }
	if gain(least) < -rounded || gain(least) <= exactly && math.Abs(gain(1-least)) <= exactly {
		best = e
	} else {
		s.add(best)
	}
	s.setEnd(best, least)
}

func (s *mender) setEnd(e pareto.Point, least int) {
	s.extreme = append(s.extreme[:min(least, len(s.extreme))], append([]pareto.Point{e}, s.extreme[min(least+1, len(s.extreme)):]...)...)
}

func (s *mender) add(p pareto.Point) {
	s.points = append(s.points, p)
	s.changed = true
}

// smoothEnd reports whether e is a confirmed end. The objectives must be smooth around e, the objective with index
// least must have its minimum there, and the other objective must not decrease unless the former rises.
func (s *mender) smoothEnd(e pareto.Point, least int) bool {
	const flat = 1e-7 // largest gradient entry at a minimum, relative to the largest entry of both gradients
	if !s.smooth(e.X) {
		s.kinks = true
		return false
	}
	other := 1 - least
	here, _ := s.gradients(e.X)
	longest := max(largest(here[0]), largest(here[1]))
	s.search.reduce(here[least], e.X)
	s.search.reduce(here[other], e.X)
	if largest(here[least]) > flat*longest {
		return false
	}
	for _, far := range []float64{1e-2, 1e-4, 1e-6} { // step sizes along the other objective's descent direction
		for c, v := range here[other] {
			s.x[c] = s.search.within(c, e.X[c]-float64(far*v/max(longest, math.SmallestNonzeroFloat64)*s.search.width[c]))
		}
		if s.problem.Values(s.f, s.x); s.f[least] <= e.F[least] && s.f[other] < e.F[other] {
			return false
		}
	}
	return true
}

// gradients returns the gradients at x, in units of the rectangle and the ranges. It also returns whether they are
// finite.
func (s *mender) gradients(x []float64) (g [2][]float64, ok bool) {
	s.problem.Jacobian(s.jacobian, x)
	for i := range g {
		g[i] = slices.Clone(s.jacobian.Row(i))
		for c := range g[i] {
			g[i][c] *= s.search.width[c] / s.scale[i]
		}
	}
	return g, algo.Finite(s.jacobian.Data)
}

// smooth reports whether the gradients around x are nearly equal.
func (s *mender) smooth(x []float64) bool {
	const (
		step  = 1e-6 // in units of the rectangle
		alike = 0.05 // relative to the longest gradient
	)
	here, ok := s.gradients(x)
	if !ok {
		return false
	}
	longest := max(largest(here[0]), largest(here[1]))
	copy(s.x, x)
	for c := range x {
		for _, sign := range []float64{-1, 1} {
			s.x[c] = s.search.within(c, x[c]+float64(sign*step*s.search.width[c]))
			beside, ok := s.gradients(s.x)
			if !ok {
				return false
			}
			for i := range beside {
				for r, v := range beside[i] {
					if math.Abs(v-here[i][r]) > alike*longest {
						return false
					}
				}
			}
			s.x[c] = x[c]
		}
	}
	return true
}

// check examines the next points until one is not critical, and searches for a better point in its place.
func (s *mender) check() {
	for range min(checksOnce, len(s.checked)) {
		p := s.checked[0]
		s.checked = s.checked[1:]
		if contains(s.extreme, p) || s.critical(p.X) {
			continue
		}
		s.kinks = s.kinks || !s.smooth(p.X)
		s.task = task{starts: [][]float64{p.X}, tolerance: nearMinimum, over: func() {},
			better: func(q pareto.Point, proven bool) {
				if height(q.F, p.F, s.scale) < -exactly || proven && s.search.value < -exactly {
					s.remove(p)
					s.add(q)
				}
			}}
		s.task.chebyshev(p.F, s.scale)
		return
	}
}

func (s *mender) remove(p pareto.Point) {
	s.points = slices.DeleteFunc(s.points, func(q pareto.Point) bool { return &q.X[0] == &p.X[0] })
}

// critical reports whether some convex combination of the gradients at x vanishes, ignoring entries that bounds
// block.
func (s *mender) critical(x []float64) bool {
	const rest = 1e-4 // relative to the longest gradient
	s.problem.Jacobian(s.jacobian, x)
	if !algo.Finite(s.jacobian.Data) {
		return false
	}
	var longest float64
	for i := range 2 {
		row := s.jacobian.Row(i)
		for c := range row {
			row[c] *= s.search.width[c] / s.scale[i]
			longest = max(longest, math.Abs(row[c]))
		}
	}
	length := func(part float64) float64 {
		for c := range s.gradient {
			s.gradient[c] = float64(part*s.jacobian.Row(0)[c]) + float64((1-part)*s.jacobian.Row(1)[c])
		}
		s.search.reduce(s.gradient, x)
		return portable.Norm(s.gradient)
	}
	// The length is a convex function of the first gradient's weight.
	low, high := 0.0, 1.0
	for range 60 {
		a, b := (float64(2*low)+high)/3, (low+float64(2*high))/3
		if length(a) <= length(b) {
			high = b
		} else {
			low = a
		}
	}
	return min(length(0), length((low+high)/2), length(1)) <= rest*longest
}

// ray searches for points of the front below the line between its ends, starting from the best random points. It
// finds valleys that descents missed because they stopped at kinks.
func (s *mender) ray(number int) {
	const begun = 4 // number of random points
	part, from := (float64(number)+0.5)/rays, make([]float64, 2)
	for k := range from {
		from[k] = float64((1-part)*s.extreme[0].F[k]) + float64(part*s.extreme[1].F[k])
	}
	starts := s.lowest(begun, func(f []float64) float64 { return height(f, from, s.scale) })
	s.task = task{starts: starts, tolerance: nearMinimum, over: func() {},
		better: func(p pareto.Point, proven bool) {
			if proven && !slices.ContainsFunc(s.points, func(q pareto.Point) bool { return height(q.F, p.F, s.scale) < exactly }) {
				s.add(p)
			}
		}}
	s.task.chebyshev(from, s.scale)
}

// open adds a part of the front to the gaps if it is wide enough.
func (s *mender) open(g gap) {
	a, b := (g.right.F[0]-g.left.F[0])/s.scale[0], (g.left.F[1]-g.right.F[1])/s.scale[1]
	if s.long(g) > apart && min(a, b) > thinGap {
		s.gaps = append(s.gaps, g)
	}
}

// long returns the distance between the two sides of a gap, relative to the ranges.
func (s *mender) long(g gap) float64 {
	return portable.Hypot((g.right.F[0]-g.left.F[0])/s.scale[0], (g.right.F[1]-g.left.F[1])/s.scale[1])
}

// fill searches for a point in a gap. It starts from both sides. If these searches find no point, fill starts from
// the middle and from the best random points.
func (s *mender) fill(g gap) {
	middle, sides := make([]float64, 2), make([]float64, 2)
	for k := range sides {
		middle[k], sides[k] = (g.left.F[k]+g.right.F[k])/2, math.Abs(g.right.F[k]-g.left.F[k])
	}
	const begun = 8 // number of random points
	value := func(f []float64) float64 { return height(f, middle, sides) }
	best, lowest := pareto.Point{}, math.Inf(1)
	better := func(p pareto.Point, proven bool) {
		margin := func(k int) float64 { return float64(exactly * s.scale[k]) }
		inside := p.F[0] > g.left.F[0]+margin(0) && p.F[0] < g.right.F[0]-margin(0) &&
			p.F[1] < g.left.F[1]-margin(1) && p.F[1] > g.right.F[1]+margin(1)
		if v := value(p.F); proven && inside && v < lowest {
			best, lowest = p, v
			if g.half { // both sides lead to the same part, so one search is enough
				s.task.starts = nil
			}
		}
	}
	var over func()
	begin := func(starts ...[]float64) {
		s.task = task{starts: starts, better: better, over: over,
			tolerance: nearMinimum / max(sides[0]/s.scale[0], sides[1]/s.scale[1])}
		s.task.chebyshev(middle, sides)
	}
	tried := false
	over = func() {
		if best.X == nil {
			if !tried {
				tried = true
				between := make([]float64, len(g.left.X))
				for c := range between {
					between[c] = (g.left.X[c] + g.right.X[c]) / 2
				}
				begin(append(s.lowest(begun, value), between)...)
			}
			return
		}
		if !slices.ContainsFunc(s.points, func(p pareto.Point) bool {
			return portable.Hypot((p.F[0]-best.F[0])/s.scale[0], (p.F[1]-best.F[1])/s.scale[1]) < keptApart
		}) {
			s.add(best)
		}
		s.open(gap{best, g.right, true})
		s.open(gap{g.left, best, true})
	}
	begin(g.left.X, g.right.X)
}

// height returns the maximum of (f_k − r_k)/s_k.
func height(f, r, s []float64) float64 {
	most := math.Inf(-1)
	for k, v := range f {
		most = max(most, (v-r[k])/s[k])
	}
	return most
}

// lowest returns the random points with the smallest values. The argument most limits their number.
func (s *mender) lowest(most int, value func(f []float64) float64) (out [][]float64) {
	order := slices.Clone(s.drawn)
	slices.SortStableFunc(order, func(a, b pareto.Point) int { return cmp.Compare(value(a.F), value(b.F)) })
	for _, p := range order[:min(most, len(order))] {
		out = append(out, p.X)
	}
	return out
}

// elsewhere returns the point with the smallest value among the points far from e. The result is empty if there are no
// such points.
func (s *mender) elsewhere(e pareto.Point, value func(f []float64) float64) (out [][]float64) {
	const far = 0.05 // in units of the rectangle
	low := math.Inf(1)
	for _, p := range s.points {
		var away float64
		for c, v := range p.X {
			away = max(away, math.Abs(v-e.X[c])/s.search.width[c])
		}
		if v := value(p.F); away > far && v < low {
			low, out = v, append(out[:0], p.X)
		}
	}
	return out
}

// result returns the points that no other point improves on by more than rounding errors.
func (s *mender) result() []pareto.Point {
	all := nonDominated(s.points)
	scale := rangesOf(all)
	return slices.DeleteFunc(slices.Clone(all), func(p pareto.Point) bool {
		return !contains(s.extreme, p) && slices.ContainsFunc(all, func(q pareto.Point) bool {
			better := false
			for i := range q.F {
				d := (q.F[i] - p.F[i]) / scale[i]
				if d > rounded {
					return false
				}
				better = better || d < -exactly
			}
			return better
		})
	})
}

// nonDominated returns the non-dominated points, sorted by the first objective.
func nonDominated(points []pareto.Point) []pareto.Point {
	values := make([][]float64, len(points))
	for i, p := range points {
		values[i] = p.F
	}
	best, err := pareto.NonDominated(values)
	if err != nil {
		return nil // there are no points
	}
	out := make([]pareto.Point, len(best))
	for i, b := range best {
		out[i] = points[b]
	}
	slices.SortFunc(out, func(a, b pareto.Point) int { return slices.Compare(a.F, b.F) })
	return out
}

// rangesOf returns the range of the points in each objective.
func rangesOf(points []pareto.Point) []float64 {
	values := make([][]float64, len(points))
	for i, p := range points {
		values[i] = p.F
	}
	return ranges(values)
}
