package survey

import (
	"cmp"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/internal/portable"
)

// mender finds the parts of a front of two objectives that walks miss. Walks need smooth objectives: they end where
// the front continues along a kink, and descents stop at kinks before they reach the front. mender examines the ends
// of the front, points that are not critical, and gaps. It halves a gap between the points a and b as long as there
// is a point in it that is better than both sides: a local minimum of
//
//	max_k (f_k − r_k)/s_k,   r = (a + b)/2,   s_k = |a_k − b_k|
//
// (Pascoletti & Serafini 1984). If there is none, as between the parts of a disconnected front, the gap remains.
type mender struct {
	problem algo.Problem
	search  *kinked
	points  []pareto.Point // of the front so far
	changed bool           // since it began
	extreme []pareto.Point // the ends
	drawn   []pareto.Point // random points, for searches that do not begin at the front
	scale   []float64      // the ranges of the front

	ends     int            // number of ends examined
	kinks    bool           // there is one at an end, or at a point that is not critical
	rays     int            // number of rays searched
	checked  []pareto.Point // points still to be examined, nil before
	gaps     []gap          // remaining gaps, the widest first; nil before
	searches int
	task     task
	busy     bool // a search is under way

	jacobian       *algo.Jacobian
	x, f, gradient []float64
}

// gap is a part of the front between two points, the first of which has the smaller first objective.
type gap struct {
	left, right pareto.Point
	half        bool // half of a gap in which a point was found
}

// task is the purpose of a series of searches.
type task struct {
	starts    [][]float64 // of searches still to be made
	weights   [][]float64
	offsets   []float64
	tolerance float64
	// better is called with a search's end, and whether it is a local minimum; over is called after the last search.
	better func(p pareto.Point, proven bool)
	over   func()
}

const (
	apart       = 2.5 * spacing // distance from which neighbours have a gap between them
	keptApart   = spacing / 4   // between a new point and others
	thinGap     = 2e-6          // relative to the ranges: a gap that is this narrow in one objective does not count
	exactly     = 1e-7          // relative to the ranges: counts as better
	rounded     = 1e-9          // relative to the ranges: does not count as better
	proper      = 1e-3          // weight of one objective relative to the other, so that improvements of neither are lost
	nearMinimum = 1e-10         // relative to the ranges: how far a search may end above a minimum
	maxSearches = 3000          // for a front, times the number of variables
	rays        = 10            // number of rays searched from random points if there are kinks
	searchSteps = 8             // steps of a search at a time, times the number of variables
	checksOnce  = 20            // points examined at a time
)

func newMender(p algo.Problem, from, to []float64, points, drawn []pareto.Point) *mender {
	n, m := p.Dims()
	return &mender{problem: p, search: newKinked(p, from, to), points: slices.Clone(points), drawn: drawn,
		jacobian: algo.NewJacobian(m, n), x: make([]float64, n), f: make([]float64, m), gradient: make([]float64, n)}
}

// advance does the next piece of work and reports whether everything is done.
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
	case s.kinks && s.ends < 4: // rays may have led beyond them
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

// pointAt returns a point with its objectives; ok is false if they are not finite.
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

// end examines the end of the front where objective least has its minimum. The other objective must have its minimum
// there among all points with that value. It minimises the objective plus smaller and smaller parts of the other.
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
	parts := []float64{1e-3, 1e-5, 1e-7, 1e-9} // of the other objective
	const begun = 8                            // random points for the first search
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

// replaceEnd sets the end to the point that a search has reached, if it is better.
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

// smoothEnd reports whether objectives are smooth around a point where one of them has its minimum, and whether the
// other cannot fall there without cost.
func (s *mender) smoothEnd(e pareto.Point, least int) bool {
	const flat = 1e-7 // of the longest gradient: limit for one at a minimum
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
	for _, far := range []float64{1e-2, 1e-4, 1e-6} { // down the other objective
		for c, v := range here[other] {
			s.x[c] = s.search.within(c, e.X[c]-float64(far*v/max(longest, math.SmallestNonzeroFloat64)*s.search.width[c]))
		}
		if s.problem.Values(s.f, s.x); s.f[least] <= e.F[least] && s.f[other] < e.F[other] {
			return false
		}
	}
	return true
}

// gradients returns those at x, in units of the rectangle and the ranges; ok is false if one is not finite.
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

// smooth reports whether gradients around a point are nearly equal.
func (s *mender) smooth(x []float64) bool {
	const (
		step  = 1e-6 // of the rectangle
		alike = 0.05 // of the longest gradient
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

// check examines the next points, up to one that is not critical although objectives are smooth, and searches for a
// better one in its place.
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

// critical reports whether a convex combination of the gradients at x vanishes, except for
// entries that bounds hold.
func (s *mender) critical(x []float64) bool {
	const rest = 1e-4 // of the longest gradient
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
	// The length is a convex function of the first one's weight.
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

// ray searches for points of the front below the line between its ends, from the best random points. Descents to the
// start of walks stop at kinks, and may have missed a valley.
func (s *mender) ray(number int) {
	const begun = 4 // random points
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

// open keeps a part of the front to be filled, if it is wide enough.
func (s *mender) open(g gap) {
	a, b := (g.right.F[0]-g.left.F[0])/s.scale[0], (g.left.F[1]-g.right.F[1])/s.scale[1]
	if s.long(g) > apart && min(a, b) > thinGap {
		s.gaps = append(s.gaps, g)
	}
}

// long returns the distance between the sides of a gap.
func (s *mender) long(g gap) float64 {
	return portable.Hypot((g.right.F[0]-g.left.F[0])/s.scale[0], (g.right.F[1]-g.left.F[1])/s.scale[1])
}

// fill searches for a point in a gap: from both sides, and if these lead to none, from the middle between them and
// from the best random points.
func (s *mender) fill(g gap) {
	middle, sides := make([]float64, 2), make([]float64, 2)
	for k := range sides {
		middle[k], sides[k] = (g.left.F[k]+g.right.F[k])/2, math.Abs(g.right.F[k]-g.left.F[k])
	}
	const begun = 8 // random points
	value := func(f []float64) float64 { return height(f, middle, sides) }
	best, lowest := pareto.Point{}, math.Inf(1)
	better := func(p pareto.Point, proven bool) {
		margin := func(k int) float64 { return float64(exactly * s.scale[k]) }
		inside := p.F[0] > g.left.F[0]+margin(0) && p.F[0] < g.right.F[0]-margin(0) &&
			p.F[1] < g.left.F[1]-margin(1) && p.F[1] > g.right.F[1]+margin(1)
		if v := value(p.F); proven && inside && v < lowest {
			best, lowest = p, v
			if g.half { // both sides lead to the same part
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

// lowest returns the random points with the smallest values, at most most of them.
func (s *mender) lowest(most int, value func(f []float64) float64) (out [][]float64) {
	order := slices.Clone(s.drawn)
	slices.SortStableFunc(order, func(a, b pareto.Point) int { return cmp.Compare(value(a.F), value(b.F)) })
	for _, p := range order[:min(most, len(order))] {
		out = append(out, p.X)
	}
	return out
}

// elsewhere returns the point with the smallest value among those far from e, if there is one.
func (s *mender) elsewhere(e pareto.Point, value func(f []float64) float64) (out [][]float64) {
	const far = 0.05 // of the rectangle
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

// result returns the points that no other one is better than, up to rounding errors.
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

// nonDominated returns the points that no other one dominates, by rising first objective.
func nonDominated(points []pareto.Point) []pareto.Point {
	values := make([][]float64, len(points))
	for i, p := range points {
		values[i] = p.F
	}
	best, err := pareto.NonDominated(values)
	if err != nil {
		return nil // no points
	}
	out := make([]pareto.Point, len(best))
	for i, b := range best {
		out[i] = points[b]
	}
	slices.SortFunc(out, func(a, b pareto.Point) int { return slices.Compare(a.F, b.F) })
	return out
}

// rangesOf returns the range of points in each objective.
func rangesOf(points []pareto.Point) []float64 {
	values := make([][]float64, len(points))
	for i, p := range points {
		values[i] = p.F
	}
	return ranges(values)
}
