package pareto

import (
	"math"
	"math/bits"
	"slices"
	"sync"
)

const (
	// fewPairs is the maximum number of pairs of points that filter compares one by one. Dividing so few points further
	// would take longer.
	fewPairs = 1 << 14
	// fewPoints is the maximum number of points in a list for which dividing the list costs more time than it saves.
	fewPoints = 128
	// maxLanes is the maximum number of objectives whose ranks fit into one word per point.
	maxLanes = 12
)

// NonDominated returns the indices of the points that no other point dominates, in ascending order. Equal points do
// not dominate each other, so duplicates of a non-dominated point are all included. Coordinates may be infinite.
// NonDominated returns an error for NaN and for points of different lengths.
//
// It takes O(n log n) time for up to three objectives, and O(n (log n)^(m−2)) for m > 3. Large sets are never
// compared pair by pair.
//
// References:
//   - Kung, Luccio & Preparata (1975), On finding the maxima of a set of vectors, Journal of the ACM 22, for the
//     sweep with three objectives, and, with more objectives, for dividing points and coordinates into halves.
func NonDominated(points [][]float64) ([]int, error) {
	if err := check(points); err != nil {
		return nil, err
	}
	if len(points) == 0 || len(points[0]) == 0 {
		return nil, nil
	}
	s := sieves.Get().(*sieve)
	defer sieves.Put(s)
	s.read(points)
	switch s.m {
	case 1, 2:
		s.sweep2()
	case 3:
		s.sweep3()
	default:
		s.rankAll()
		s.number = slices.Grow(s.number[:0], len(s.first))[:len(s.first)]
		for p := range s.number {
			s.number[p] = int32(p)
		}
		for _, p := range s.front(s.number) {
			s.keep(p)
		}
	}
	s.points = nil
	return s.result(), nil
}

// sieves recycles the storage of computations.
var sieves = sync.Pool{New: func() any { return new(sieve) }}

// sieve finds the non-dominated points. It numbers distinct points in lexicographic order, so that only points with
// smaller numbers can dominate a point.
type sieve struct {
	m       int
	points  [][]float64
	columns []float64 // coordinate k of point i is at k·n+i
	sorter  sorter
	order   []int32 // points in lexicographic order
	first   []int32 // for each distinct point, where in the slice order the points equal to it begin
	kept    []bool  // whether each given point is kept
	count   int     // number of points kept

	staircase staircase
	heights   []float64 // third objectives of the staircase

	rank   []int32  // rank of each point in one objective
	ranks  []int32  // ranks of each point in all objectives except the first
	words  []uint64 // the same ranks, packed for comparisons
	guard  uint64   // bit above each rank in a word
	exact  bool     // whether words hold complete ranks of all objectives
	number []int32
	spare  []int32 // temporary storage for merging and dividing
}

// read stores the points and sorts them.
func (s *sieve) read(points [][]float64) {
	n := len(points)
	s.m, s.points = len(points[0]), points
	s.columns = slices.Grow(s.columns[:0], n*s.m)[:n*s.m]
	for k := range s.m {
		column := s.column(k)
		for i, p := range points {
			column[i] = p[k]
		}
	}
	s.kept = slices.Grow(s.kept[:0], n)[:n]
	clear(s.kept)
	s.count = 0
	s.order = slices.Grow(s.order[:0], n)[:n]
	first := s.column(0)
	s.sorter.sort(s.order, first)
	s.first = s.first[:0]
	for i := 0; i < n; {
		from, x := i, first[s.order[i]]
		for i++; i < n && first[s.order[i]] == x; i++ {
		}
		s.first = append(s.first, int32(from))
		if i-from == 1 {
			continue
		}
		ties := s.order[from:i]
		slices.SortFunc(ties, func(a, b int32) int { return slices.Compare(points[a], points[b]) })
		for j := 1; j < len(ties); j++ {
			if !slices.Equal(points[ties[j]], points[ties[j-1]]) {
				s.first = append(s.first, int32(from+j))
			}
		}
	}
}

// column returns coordinate k of every point.
func (s *sieve) column(k int) []float64 {
	n := len(s.points)
	return s.columns[k*n : (k+1)*n]
}

// keep marks all points equal to p as kept.
func (s *sieve) keep(p int32) {
	end := int32(len(s.order))
	if int(p)+1 < len(s.first) {
		end = s.first[p+1]
	}
	for _, i := range s.order[s.first[p]:end] {
		s.kept[i] = true
		s.count++
	}
}

// result returns the indices of the kept points.
func (s *sieve) result() []int {
	list := make([]int, 0, s.count)
	for i, kept := range s.kept {
		if kept {
			list = append(list, i)
		}
	}
	return list
}

// sweep2 keeps the non-dominated points of one or two objectives.
func (s *sieve) sweep2() {
	last := s.column(s.m - 1)
	s.keep(0)
	least := last[s.order[0]]
	for p, from := range s.first {
		if y := last[s.order[from]]; y < least {
			s.keep(int32(p))
			least = y
		}
	}
}

// sweep3 keeps the non-dominated points of three objectives. The earlier points form a staircase in the second and
// third objective. A point is kept if it is below this staircase.
func (s *sieve) sweep3() {
	n := len(s.points)
	y, z := s.column(1), s.column(2)
	s.rankColumn(y)
	s.heights = slices.Grow(s.heights[:0], n)[:n]
	s.staircase.reset(n + 1)
	for p, from := range s.first {
		at := s.order[from]
		height, place := z[at], int(s.rank[at])
		if below := s.staircase.before(place + 1); below >= 0 && s.heights[below] <= height {
			continue
		}
		s.keep(int32(p))
		for above := s.staircase.after(place); above >= 0 && s.heights[above] >= height; above = s.staircase.after(place) {
			s.staircase.remove(above)
		}
		s.heights[place] = height
		s.staircase.insert(place)
	}
}

// rankColumn ranks all points in one objective. Equal numbers have equal ranks.
func (s *sieve) rankColumn(column []float64) {
	n := len(column)
	s.rank = slices.Grow(s.rank[:0], n)[:n]
	s.number = slices.Grow(s.number[:0], n)[:n]
	s.sorter.sort(s.number, column)
	rank, former := 0, column[s.number[0]]
	for i, at := range s.number {
		if v := column[at]; v != former {
			rank, former = i, v
		}
		s.rank[at] = int32(rank)
	}
}

// rankAll ranks the distinct points in each objective except the first.
func (s *sieve) rankAll() {
	n, m := len(s.first), s.m-1
	s.ranks = slices.Grow(s.ranks[:0], n*m)[:n*m]
	s.words = slices.Grow(s.words[:0], n)[:n]
	s.spare = slices.Grow(s.spare[:0], n)[:n]
	clear(s.words)
	lanes := min(m, maxLanes)
	width := 64 / lanes
	// If the ranks need more bits than a lane of the word has, their lowest bits are dropped.
	lost := max(bits.Len(uint(len(s.points)-1))-(width-1), 0)
	s.exact = lost == 0 && lanes == m
	s.guard = 0
	for k := range m {
		s.rankColumn(s.column(k + 1))
		for p, from := range s.first {
			rank := s.rank[s.order[from]]
			s.ranks[p*m+k] = rank
			if k < lanes {
				s.words[p] |= uint64(rank>>lost) << (k * width)
			}
		}
		if k < lanes {
			s.guard |= 1 << ((k+1)*width - 1)
		}
	}
}

// at returns the rank of a point in objective k, counted from 0.
func (s *sieve) at(p int32, k int) int32 { return s.ranks[int(p)*(s.m-1)+k-1] }

// front returns the points of list that no other point of list dominates. The list must be in lexicographic order.
// The result is sorted by the second objective and overwrites the list.
func (s *sieve) front(list []int32) []int32 {
	if len(list) <= fewPoints {
		n := 0
		for _, p := range list {
			if !s.dominated(p, list[:n]) {
				list[n] = p
				n++
			}
		}
		kept := list[:n]
		for i, p := range kept {
			rank := s.at(p, 1)
			j := i
			for ; j > 0 && s.at(kept[j-1], 1) > rank; j-- {
				kept[j] = kept[j-1]
			}
			kept[j] = p
		}
		return kept
	}
	half := len(list) / 2
	// In the first objective, no point of the earlier half exceeds any point of the later half.
	earlier, later := s.front(list[:half]), s.front(list[half:])
	later = s.filter(earlier, later, s.m-1)
	return s.merge(list, len(earlier), half, len(later))
}

// dominated reports whether a point of list is at least as good as p in every objective. All points of list must come
// before p.
func (s *sieve) dominated(p int32, list []int32) bool {
	word, guard := s.words[p]|s.guard, s.guard
	for _, q := range list {
		if (word-s.words[q])&guard == guard && (s.exact || s.asGood(q, p)) {
			return true
		}
	}
	return false
}

// asGood reports whether q is at least as good as p in all objectives except the first.
func (s *sieve) asGood(q, p int32) bool {
	m := s.m - 1
	better := s.ranks[int(q)*m : int(q+1)*m]
	for k, r := range s.ranks[int(p)*m : int(p+1)*m] {
		if better[k] > r {
			return false
		}
	}
	return true
}

// filter removes a point of others if some point of list is at least as good in all of the objectives 1 to last,
// counted from 0. It returns the remaining points. Both lists must be sorted by the second objective. The result is
// sorted too, and overwrites others. list does not change.
func (s *sieve) filter(list, others []int32, last int) []int32 {
	switch {
	case len(list) == 0 || len(others) == 0:
		return others
	case len(list)*len(others) <= fewPairs:
		return s.compare(list, others)
	case last == 2:
		return s.sweep(list, others)
	}
	best, worst := s.spread(list, last)
	bestOther, worstOther := s.spread(others, last)
	switch {
	case worst <= bestOther:
		return s.filter(list, others, last-1)
	case best > worstOther:
		return others
	}
	middle := (min(best, bestOther) + max(worst, worstOther)) / 2
	n, m := s.divide(list, last, middle), s.divide(others, last, middle)
	good := s.filter(list[:n], others[:m], last)
	bad := s.filter(list[:n], others[m:], last-1)
	bad = s.filter(list[n:], bad, last)
	s.merge(list, n, n, len(list)-n)
	return s.merge(others, len(good), m, len(bad))
}

// compare does the same as filter, but compares the points pair by pair.
func (s *sieve) compare(list, others []int32) []int32 {
	kept := others[:0]
	for _, p := range others {
		if !s.dominated(p, list) {
			kept = append(kept, p)
		}
	}
	return kept
}

// sweep does the same as filter, but only for the second and third objectives.
func (s *sieve) sweep(list, others []int32) []int32 {
	kept := others[:0]
	least := int32(math.MaxInt32) // lowest third objective of the visited points of list
	for _, p := range others {
		for len(list) > 0 && s.at(list[0], 1) <= s.at(p, 1) {
			least = min(least, s.at(list[0], 2))
			list = list[1:]
		}
		if s.at(p, 2) < least {
			kept = append(kept, p)
		}
	}
	return kept
}

// spread returns the smallest and the largest rank of list in objective k.
func (s *sieve) spread(list []int32, k int) (best, worst int32) {
	best, worst = s.at(list[0], k), s.at(list[0], k)
	for _, p := range list[1:] {
		r := s.at(p, k)
		best, worst = min(best, r), max(worst, r)
	}
	return best, worst
}

// divide moves the points whose rank in objective k is at most middle to the front of list, and returns their number.
// Both parts keep their order.
func (s *sieve) divide(list []int32, k int, middle int32) int {
	n, m := 0, 0
	for _, p := range list {
		if s.at(p, k) <= middle {
			list[n] = p
			n++
		} else {
			s.spare[m] = p
			m++
		}
	}
	copy(list[n:], s.spare[:m])
	return n
}

// merge merges two ranges of list that are sorted by the second objective: the first n points and the m ≥ 0 points that
// begin at list[from]. It stores the sorted result at the beginning of list and returns it.
func (s *sieve) merge(list []int32, n, from, m int) []int32 {
	a, b := s.spare[:copy(s.spare, list[:n])], list[from:from+m]
	for i := range n + m {
		if len(b) == 0 || len(a) > 0 && s.at(a[0], 1) <= s.at(b[0], 1) {
			list[i], a = a[0], a[1:]
		} else {
			list[i], b = b[0], b[1:]
		}
	}
	return list[:n+m]
}
