package pareto

import (
	"cmp"
	"math"
	"slices"
)

// fewPairs is the number of pairs up to which points are compared one by one: dividing them further
// would take longer.
const fewPairs = 256

// NonDominated returns the indices, ascending, of the points that no other point
// dominates. Equal points do not dominate each other: a non-dominated point that
// occurs twice is there twice. Points may have infinite coordinates; NaN and
// points of different lengths are errors.
//
// It takes O(n log n) for up to three objectives, and O(n (log n)^(m−2)) for m > 3: large sets are
// never compared pair by pair.
//
// References:
//   - Kung, Luccio & Preparata (1975), On finding the maxima of a set of vectors,
//     Journal of the ACM 22, section 3: halves of the points, and of their coordinates.
func NonDominated(points [][]float64) ([]int, error) {
	if err := check(points); err != nil {
		return nil, err
	}
	if len(points) == 0 || len(points[0]) == 0 {
		return nil, nil
	}
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	// In lexicographic order only earlier points can dominate later ones.
	slices.SortFunc(order, func(a, b int) int { return slices.Compare(points[a], points[b]) })
	s := newSieve(points, order)
	var kept []int
	for _, p := range s.survivors() {
		for i := s.first[p]; i < len(order) && (int(p)+1 == len(s.first) || i < s.first[p+1]); i++ {
			kept = append(kept, order[i])
		}
	}
	slices.Sort(kept)
	return kept, nil
}

// sieve finds the non-dominated ones of distinct points, numbered in lexicographic order. It knows
// only the ranks of coordinates: equal numbers have equal ranks.
type sieve struct {
	m     int
	first []int   // where the points that are equal to each begin in the order of all
	ranks []int32 // of each point, m of them
	spare []int32 // what is merged or divided passes through it
}

// newSieve returns the sieve of points, whose lexicographic order is order.
func newSieve(points [][]float64, order []int) *sieve {
	s := &sieve{m: len(points[0])}
	for i, p := range order {
		if i == 0 || !slices.Equal(points[p], points[order[i-1]]) {
			s.first = append(s.first, i)
		}
	}
	n := len(s.first)
	s.ranks, s.spare = make([]int32, n*s.m), make([]int32, n)
	at := func(p int32) []float64 { return points[order[s.first[p]]] }
	sorted := s.all()
	for k := range s.m {
		if k > 0 {
			slices.SortFunc(sorted, func(a, b int32) int { return cmp.Compare(at(a)[k], at(b)[k]) })
		}
		var rank int32
		for i, p := range sorted {
			if i > 0 && at(p)[k] != at(sorted[i-1])[k] {
				rank++
			}
			s.ranks[int(p)*s.m+k] = rank
		}
	}
	return s
}

// all lists the points in lexicographic order.
func (s *sieve) all() []int32 {
	list := make([]int32, len(s.first))
	for p := range list {
		list[p] = int32(p)
	}
	return list
}

// survivors returns the points that no other one dominates.
func (s *sieve) survivors() []int32 {
	list := s.all()
	if s.m > 2 {
		return s.front(list)
	}
	kept := list[:1]
	for _, p := range list[1:] {
		// The last point kept has the least second objective so far.
		if s.m == 2 && s.rank(p, 1) < s.rank(kept[len(kept)-1], 1) {
			kept = append(kept, p)
		}
	}
	return kept
}

func (s *sieve) rank(p int32, k int) int32 { return s.ranks[int(p)*s.m+k] }

// front returns the points of a list in lexicographic order that none of its others dominates,
// sorted by their second objective, in the storage of the list.
func (s *sieve) front(list []int32) []int32 {
	if len(list) == 1 {
		return list
	}
	half := len(list) / 2
	// In the first objective no point of the earlier half exceeds one of the later half.
	earlier, later := s.front(list[:half]), s.front(list[half:])
	later = s.filter(earlier, later, s.m-1)
	return s.merge(list, len(earlier), half, len(later))
}

// filter returns the points of others for which list has no point that is as good in all
// objectives from the second to the last, counted from 0. Both are sorted by their second
// objective, and so is the result, in the storage of others; list is left as it was.
func (s *sieve) filter(list, others []int32, last int) []int32 {
	switch {
	case len(list) == 0 || len(others) == 0:
		return others
	case len(list)*len(others) <= fewPairs:
		return s.compare(list, others, last)
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

// compare is filter, by pairs.
func (s *sieve) compare(list, others []int32, last int) []int32 {
	kept := others[:0]
	for _, p := range others {
		worse := s.ranks[int(p)*s.m+1 : int(p)*s.m+last+1]
		if !slices.ContainsFunc(list, func(q int32) bool {
			for k, r := range s.ranks[int(q)*s.m+1 : int(q)*s.m+last+1] {
				if r > worse[k] {
					return false
				}
			}
			return true
		}) {
			kept = append(kept, p)
		}
	}
	return kept
}

// sweep is filter for the second and third objective alone.
func (s *sieve) sweep(list, others []int32) []int32 {
	kept := others[:0]
	least := int32(math.MaxInt32) // third objective of the points of list passed
	for _, p := range others {
		for len(list) > 0 && s.rank(list[0], 1) <= s.rank(p, 1) {
			least = min(least, s.rank(list[0], 2))
			list = list[1:]
		}
		if s.rank(p, 2) < least {
			kept = append(kept, p)
		}
	}
	return kept
}

// spread returns the least and the largest rank in objective k.
func (s *sieve) spread(list []int32, k int) (best, worst int32) {
	best, worst = s.rank(list[0], k), s.rank(list[0], k)
	for _, p := range list[1:] {
		r := s.rank(p, k)
		best, worst = min(best, r), max(worst, r)
	}
	return best, worst
}

// divide moves the points of rank at most middle in objective k before the others, both in the order
// that they were in, and returns their number.
func (s *sieve) divide(list []int32, k int, middle int32) int {
	n, m := 0, 0
	for _, p := range list {
		if s.rank(p, k) <= middle {
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

// merge merges two stretches of list, each sorted by the second objective: the first n points and
// the m ≥ 0 points that begin at from. It returns them, sorted, at the beginning of list.
func (s *sieve) merge(list []int32, n, from, m int) []int32 {
	a, b := s.spare[:copy(s.spare, list[:n])], list[from:from+m]
	for i := range n + m {
		if len(b) == 0 || len(a) > 0 && s.rank(a[0], 1) <= s.rank(b[0], 1) {
			list[i], a = a[0], a[1:]
		} else {
			list[i], b = b[0], b[1:]
		}
	}
	return list[:n+m]
}
