package pareto

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

const (
	fewKeys  = 24   // up to this number of keys, an insertion sort alone is faster
	someKeys = 600  // up to this number, digits of 8 bits are faster than digits of 11
	manyKeys = 4000 // up to this number, two digits are enough
	maxMoves = 8    // maximum moves per key in the insertion sort that follows the digits

	smallDigit, largeDigit = 8, 11 // bits
)

// sorter sorts floating-point numbers digit by digit, by their bit patterns. It keeps its storage between calls. The
// zero value is ready to use.
type sorter struct {
	entries, spare []uint64
	counts         [3][1 << largeDigit]int32
}

// sort fills order with the indices of keys, in ascending order of the keys. Indices of equal keys are ascending.
// Both slices have the same length, and keys has no NaN.
//
// It sorts the leading digits by counting, and the rest by insertion. If the insertion would take too many moves,
// it uses a comparison sort instead.
func (s *sorter) sort(order []int32, keys []float64) {
	n := len(keys)
	if n <= fewKeys {
		for i, key := range keys {
			j := i
			for ; j > 0 && keys[order[j-1]] > key; j-- {
				order[j] = order[j-1]
			}
			order[j] = int32(i)
		}
		return
	}
	if cap(s.entries) < n {
		s.entries, s.spare = make([]uint64, n), make([]uint64, n)
	}
	entries := s.entries[:n]
	least, most := uint64(math.MaxUint64), uint64(0)
	for i, v := range keys {
		k := ascending(v)
		entries[i] = k
		least, most = min(least, k), max(most, k)
	}
	// An entry consists of a key's leading bits, followed by the key's index.
	width := bits.Len(uint(n - 1))
	shift := bits.LeadingZeros64(most - least)
	for i, k := range entries {
		entries[i] = (k-least)<<shift>>width<<width | uint64(i)
	}
	entries = s.byDigits(entries)
	sorted := settle(entries)
	index := uint64(1)<<width - 1
	for i, e := range entries {
		order[i] = int32(e & index)
	}
	if sorted && (shift >= width || settleTies(order, entries, keys, width)) {
		return
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(a, b)) })
}

// ascending converts the bits of v to an integer, so that the integers are in the same order as the numbers.
func ascending(v float64) uint64 {
	b := math.Float64bits(v + 0) // turns −0 into 0
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// byDigits sorts entries by their leading digits. The result uses the storage of either entries or s.spare.
func (s *sorter) byDigits(entries []uint64) []uint64 {
	digits, width := 2, smallDigit
	switch n := len(entries); {
	case n > manyKeys:
		digits, width = 3, largeDigit
	case n > someKeys:
		width = largeDigit
	}
	first := 64 - digits*width
	for d := range digits {
		clear(s.counts[d][:1<<width])
	}
	low, high := &s.counts[0], &s.counts[digits-1]
	for _, e := range entries {
		low[e>>(first&63)&(1<<width-1)&(1<<largeDigit-1)]++
		high[e>>((64-width)&63)&(1<<largeDigit-1)]++
	}
	if digits == 3 {
		middle := &s.counts[1]
		for _, e := range entries {
			middle[e>>(64-2*largeDigit)&(1<<largeDigit-1)]++
		}
	}
	spare := s.spare[:len(entries)]
	for d := range digits {
		counts := &s.counts[d]
		var sum int32
		for i, c := range counts[:1<<width] {
			counts[i] = sum
			sum += c
		}
		scatter(spare, entries, counts, first+d*width, 1<<width-1)
		entries, spare = spare, entries
	}
	return entries
}

// scatter moves entries to the positions that counts holds for their digits. The parameter at is the position of a
// digit's lowest bit in an entry.
func scatter(to, entries []uint64, counts *[1 << largeDigit]int32, at int, mask uint64) {
	mask &= 1<<largeDigit - 1
	for _, e := range entries {
		place := &counts[e>>(at&63)&mask&(1<<largeDigit-1)]
		to[*place] = e
		*place++
	}
}

// settle sorts entries by insertion. If that takes too many moves, it returns false and leaves entries partly sorted.
func settle(entries []uint64) bool {
	moves := maxMoves * len(entries)
	for i := 1; i < len(entries); i++ {
		e := entries[i]
		if entries[i-1] <= e {
			continue
		}
		j := i
		for ; j > 0 && entries[j-1] > e; j-- {
			entries[j] = entries[j-1]
		}
		entries[j] = e
		if moves -= i - j; moves < 0 {
			return false
		}
	}
	return true
}

// settleTies sorts ranges of order by insertion. Each range contains entries that agree above the lowest width
// bits. If that takes too many moves, it returns false and leaves order partly sorted.
func settleTies(order []int32, entries []uint64, keys []float64, width int) bool {
	moves := maxMoves * len(entries)
	for i := 1; i < len(entries); i++ {
		if entries[i]>>width != entries[i-1]>>width {
			continue
		}
		at := order[i]
		j := i
		for ; j > 0 && entries[j-1]>>width == entries[i]>>width && keys[order[j-1]] > keys[at]; j-- {
			order[j] = order[j-1]
		}
		order[j] = at
		if moves -= i - j; moves < 0 {
			return false
		}
	}
	return true
}
