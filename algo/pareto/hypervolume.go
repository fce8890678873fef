package pareto

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"paretoplay/algo"
)

// Hypervolume returns the exact volume of the points that at least one of points
// weakly dominates and that weakly dominate reference. Points that are not below the
// reference in every objective contribute nothing, nor do duplicates and dominated
// points. The volume of no points is 0.
//
// NaN, points of different lengths, infinite references and points at −∞ in a
// coordinate are errors.
//
// Two objectives take a sweep and three a sweep with a staircase, both O(n log n);
// more take the recursion of WFG down to three, which is exponential in the
// number of objectives at worst.
//
// References:
//   - Zitzler & Thiele (1998), Multiobjective optimization using evolutionary
//     algorithms, PPSN V, for the measure.
//   - Beume, Fonseca, López-Ibáñez, Paquete & Vahrenhold (2009), On the complexity
//     of computing the hypervolume indicator, IEEE Transactions on Evolutionary
//     Computation 13, section III.B for three objectives.
//   - While, Bradstreet & Barone (2012), A fast way of calculating exact
//     hypervolumes, IEEE Transactions on Evolutionary Computation 16, for WFG.
func Hypervolume(points [][]float64, reference []float64) (float64, error) {
	if len(reference) == 0 {
		return 0, &algo.RangeError{Name: "reference", Value: reference, Allowed: "at least one objective", Text: "reference has no objectives"}
	}
	for k, v := range reference {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, &algo.RangeError{
				Name: "reference", Value: reference, Allowed: "finite numbers",
				Text: fmt.Sprintf("objective %d of the reference is %g, it must be finite", k, v),
			}
		}
	}
	if err := check(points); err != nil {
		return 0, err
	}
	m := len(reference)
	if len(points) > 0 && len(points[0]) != m {
		return 0, refusedPoint(0, points[0], fmt.Sprintf("%d objectives, as the reference has", m),
			fmt.Sprintf("points have %d objectives, the reference has %d", len(points[0]), m))
	}
	// The sweeps below measure down from the reference: all coordinates are positive
	// and larger is better.
	inside := make([][]float64, 0, len(points))
	for i, p := range points {
		if !StrictlyDominates(p, reference) {
			continue
		}
		q := make([]float64, m)
		for k, v := range p {
			if q[k] = reference[k] - v; math.IsInf(q[k], 1) {
				return 0, refusedPoint(i, p, "a finite distance from the reference",
					fmt.Sprintf("objective %d of point %d is %g, too far from the reference's %g", k, i, v, reference[k]))
			}
		}
		inside = append(inside, q)
	}
	w := wfg{levels: make([]level, m+1)}
	return w.volume(w.filter(inside, m), m), nil
}

// wfg holds the scratch space of one computation. Points are in gains: the
// distance below the reference, larger is better.
type wfg struct {
	levels    []level // by number of objectives
	staircase staircase
	order     []int
	rank      []int
}

// level stores the limited sets of one depth of the recursion.
type level struct {
	data []float64
	rows [][]float64
}

// volume is the hypervolume of set in its first m coordinates. It reorders set.
func (w *wfg) volume(set [][]float64, m int) float64 {
	switch {
	case len(set) == 0:
		return 0
	case len(set) == 1:
		return product(set[0][:m])
	case m == 1:
		best := set[0][0]
		for _, p := range set[1:] {
			best = max(best, p[0])
		}
		return best
	case m == 2:
		return sweep2(set)
	case m == 3:
		return w.sweep3(set)
	}
	// With the last coordinate ascending, all points after p reach beyond it there:
	// what p adds to them is a slab as thick as p's last coordinate.
	last := m - 1
	slices.SortFunc(set, func(p, q []float64) int { return cmp.Compare(p[last], q[last]) })
	var total float64
	for i, p := range set {
		added := product(p[:last])
		if i+1 < len(set) {
			limited := w.limit(p, set[i+1:], last)
			added -= w.volume(limited, last)
		}
		total += float64(p[last] * added)
	}
	return total
}

// limit returns the non-dominated points among min(p, q), q in set, in the first m
// coordinates. They live in the level of m until it is used again.
func (w *wfg) limit(p []float64, set [][]float64, m int) [][]float64 {
	l := &w.levels[m]
	if cap(l.data) < len(set)*m {
		l.data = make([]float64, len(set)*m)
		l.rows = make([][]float64, 0, len(set))
	}
	rows := l.rows[:0]
	for i, q := range set {
		row := l.data[i*m : (i+1)*m : (i+1)*m]
		for k := range row {
			row[k] = min(p[k], q[k])
		}
		rows = append(rows, row)
	}
	l.rows = rows
	return w.filter(rows, m)
}

// filter moves the points that no other covers in the first m coordinates to the
// front of set and returns them, one of each group of equals.
func (w *wfg) filter(set [][]float64, m int) [][]float64 {
	if m <= 3 {
		return set // the sweeps skip covered points themselves
	}
	kept := set[:0]
	for _, p := range set {
		covered := false
		for _, q := range kept {
			if covers(q, p, m) {
				covered = true
				break
			}
		}
		if covered {
			continue
		}
		rest := kept[:0]
		for _, q := range kept {
			if !covers(p, q, m) {
				rest = append(rest, q)
			}
		}
		kept = append(rest, p)
	}
	return kept
}

func covers(p, q []float64, m int) bool {
	for k, v := range q[:m] {
		if p[k] < v {
			return false
		}
	}
	return true
}

func product(p []float64) float64 {
	v := 1.0
	for _, x := range p {
		v *= x
	}
	return v
}

// sweep2 walks through the points by descending first coordinate and adds a strip
// for each that reaches higher than all before.
func sweep2(set [][]float64) float64 {
	slices.SortFunc(set, func(p, q []float64) int { return cmp.Compare(q[0], p[0]) })
	var area, height float64
	for _, p := range set {
		if p[1] > height {
			area += float64(p[0] * (p[1] - height))
			height = p[1]
		}
	}
	return area
}

// sweep3 lowers a plane through the third coordinate from the top. The points
// above it cover an area of the first two; their staircase is kept by rank of the
// first coordinate, where a neighbour is found in O(log n).
func (w *wfg) sweep3(set [][]float64) float64 {
	n := len(set)
	w.order, w.rank = w.order[:0], w.rank[:0]
	for i := range n {
		w.order = append(w.order, i)
		w.rank = append(w.rank, 0)
	}
	// Steps go right and down; of equal first coordinates the higher one comes last.
	slices.SortFunc(set, func(p, q []float64) int {
		return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]))
	})
	slices.SortFunc(w.order, func(a, b int) int { return cmp.Compare(set[b][2], set[a][2]) })
	w.staircase.reset(n)
	var volume, area float64
	for i, at := range w.order {
		p := set[at]
		if i > 0 {
			volume += float64(area * (set[w.order[i-1]][2] - p[2]))
		}
		area += w.climb(set, at)
	}
	return volume + float64(area*set[w.order[n-1]][2])
}

// climb puts point at on the staircase, takes off the steps it covers and returns
// the area it adds.
func (w *wfg) climb(set [][]float64, at int) float64 {
	x, y := set[at][0], set[at][1]
	height := 0.0 // of the stairs just left of the current edge
	if right := w.staircase.after(at); right >= 0 {
		if height = set[right][1]; height >= y {
			return 0
		}
	}
	var added float64
	edge := x
	left := w.staircase.before(at)
	for left >= 0 && set[left][1] <= y {
		added += float64((edge - set[left][0]) * (y - height))
		edge, height = set[left][0], set[left][1]
		w.staircase.remove(left)
		left = w.staircase.before(at)
	}
	floor := 0.0
	if left >= 0 {
		floor = set[left][0]
	}
	added += float64((edge - floor) * (y - height))
	w.staircase.insert(at)
	return added
}

// staircase is a set of the numbers below n with the nearest member on either
// side: bits, and above every 64 words of them a bit each, up to one word.
type staircase struct {
	layers [][]uint64
}

func (s *staircase) reset(n int) {
	depth := 0
	for size := n; ; depth++ {
		words := (size + 63) / 64
		if depth == cap(s.layers) {
			s.layers = append(s.layers, nil)
		}
		s.layers = s.layers[:depth+1]
		if cap(s.layers[depth]) < words {
			s.layers[depth] = make([]uint64, words)
		}
		s.layers[depth] = s.layers[depth][:words]
		clear(s.layers[depth])
		if words <= 1 {
			return
		}
		size = words
	}
}

func (s *staircase) insert(i int) {
	for _, layer := range s.layers {
		layer[i>>6] |= 1 << (i & 63)
		i >>= 6
	}
}

func (s *staircase) remove(i int) {
	for _, layer := range s.layers {
		layer[i>>6] &^= 1 << (i & 63)
		if layer[i>>6] != 0 {
			return
		}
		i >>= 6
	}
}

// before returns the largest member below i, or −1.
func (s *staircase) before(i int) int {
	for depth, layer := range s.layers {
		if found := layer[i>>6] & (1<<(i&63) - 1); found != 0 {
			i = i&^63 | (63 - bits.LeadingZeros64(found))
			for depth--; depth >= 0; depth-- {
				i = i<<6 | (63 - bits.LeadingZeros64(s.layers[depth][i]))
			}
			return i
		}
		i >>= 6
	}
	return -1
}

// after returns the smallest member above i, or −1.
func (s *staircase) after(i int) int {
	for depth, layer := range s.layers {
		if found := layer[i>>6] &^ (2<<(i&63) - 1); found != 0 {
			i = i&^63 | bits.TrailingZeros64(found)
			for depth--; depth >= 0; depth-- {
				i = i<<6 | bits.TrailingZeros64(s.layers[depth][i])
			}
			return i
		}
		i >>= 6
	}
	return -1
}
