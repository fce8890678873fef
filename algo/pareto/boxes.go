package pareto

import (
	"math/bits"
	"slices"
)

// maxBoxWords bounds the storage of boxes, in words of 8 bytes. Tests lower it.
var maxBoxWords = 8 << 20

// boxes adds points of m ≥ 3 coordinates one by one, and finds how much each adds to the volume
// between all points and a corner that is worse than all in every coordinate.
//
// It keeps the local upper bounds: the worst corners of the largest boxes without a point. A new
// point cuts the boxes that it lies in, and each leaves up to m smaller ones. Seen along the first
// coordinate, the bounds divide the space into rectangles: what a point adds is a sum of boxes.
//
// Coordinates are ranks, packed into words: one subtraction compares all that are in a word. Of
// equal ranks, that of a point added later counts as larger.
//
// References:
//   - Klamroth, Lacour & Vanderpooten (2015), On the representation of the search region in
//     multi-objective optimization, European Journal of Operational Research 245, for the bounds.
//   - Lacour, Klamroth & Fonseca (2017), A box decomposition algorithm to compute the hypervolume
//     indicator, Computers & Operations Research 79, for the rectangles.
type boxes struct {
	m     int
	words int    // of a point
	lanes int    // coordinates in a word; the last word may have fewer
	width int    // bits of a coordinate: its rank, and a guard bit above it
	guard uint64 // all guard bits of a word
	ones  uint64 // the ranks 1 of a word
	// values has the coordinates by their ranks, those of coordinate k from k·stride on.
	values []float64
	stride int
	lane   [64]uint8 // the coordinates of guard bits

	bounds []uint64 // with their guard bits
	// makers has m points for each bound. Point k gives the bound its coordinate k, and has rank 0
	// there instead of its own.
	makers []uint64

	cut    []int32  // the bounds that the new point cuts
	left   []uint64 // guard bits of the coordinates in which it leaves a box of one of them
	beyond []uint64 // the least ranks of bounds that it cuts
	pieces []piece  // what add3 leaves
	flat   []uint64 // what addWord leaves: m makers and a bound each
}

// reset removes all points. Every coordinate of the corner has the rank corner; points have lower
// ones.
func (b *boxes) reset(m, corner int) {
	b.m = m
	for b.words = (m + 31) / 32; ; b.words++ {
		b.lanes = (m + b.words - 1) / b.words
		if b.width = 64 / b.lanes; uint64(corner) < 1<<(b.width-1) {
			break
		}
	}
	b.ones = 0
	for k := range b.lanes {
		b.ones |= 1 << (k * b.width)
		b.lane[(k+1)*b.width-1] = uint8(k)
	}
	b.guard = b.ones << (b.width - 1)
	b.bounds = b.bounds[:0]
	for range b.words {
		b.bounds = append(b.bounds, b.ones*uint64(corner)|b.guard)
	}
	b.makers = append(b.makers[:0], make([]uint64, m*b.words)...)
	b.left, b.beyond = slices.Grow(b.left[:0], b.words)[:b.words], slices.Grow(b.beyond[:0], b.words)[:b.words]
	b.stride = corner + 1
	b.values = slices.Grow(b.values[:0], m*b.stride)[:m*b.stride]
}

// place returns where coordinate k is: its word, and its lowest bit there.
func (b *boxes) place(k int) (word, bit int) { return k / b.lanes, k % b.lanes * b.width }

// full reports whether the boxes take more storage than they may.
func (b *boxes) full() bool { return len(b.makers) > maxBoxWords }

// add adds the point with the ranks p, and returns the volume that it adds.
func (b *boxes) add(p []uint64) float64 {
	switch {
	case b.words > 1:
		b.findWide(p)
		return b.addWide(p)
	case b.m > 3:
		b.find(p[0])
		return b.addWord(p[0])
	}
	b.find(p[0])
	return b.add3(p[0])
}

// find lists the bounds that are above p in every coordinate, by their numbers in ascending order.
// It is for points of one word.
func (b *boxes) find(p uint64) {
	cut := b.cut[:0]
	for first := 0; first < len(b.bounds); first += 64 {
		bounds := b.bounds[first:min(first+64, len(b.bounds))]
		last := first + len(bounds) - 1
		for found := reaching(bounds, p+b.ones, b.guard); found != 0; {
			top := bits.Len64(found) - 1
			cut = append(cut, int32(last-top))
			found &^= 1 << top
		}
	}
	b.cut = cut
}

// reaching returns which of at most 64 bounds are nowhere below p: a bit for each, that of the last
// one lowest. It has no branches for them, which a processor would foresee badly.
//
//go:noinline
func reaching(bounds []uint64, p, guard uint64) (found uint64) {
	i := 0
	for ; i < len(bounds)-3; i += 4 {
		four := (*[4]uint64)(bounds[i:])
		_, carry := bits.Add64((four[0]-p)&guard, -guard, 0)
		found, _ = bits.Add64(found, found, carry)
		_, carry = bits.Add64((four[1]-p)&guard, -guard, 0)
		found, _ = bits.Add64(found, found, carry)
		_, carry = bits.Add64((four[2]-p)&guard, -guard, 0)
		found, _ = bits.Add64(found, found, carry)
		_, carry = bits.Add64((four[3]-p)&guard, -guard, 0)
		found, _ = bits.Add64(found, found, carry)
	}
	for ; i < len(bounds); i++ {
		_, carry := bits.Add64((bounds[i]-p)&guard, -guard, 0)
		found, _ = bits.Add64(found, found, carry)
	}
	return found
}

// piece is a bound of three coordinates and its makers.
type piece struct{ bound, a, b, c uint64 }

// add3 cuts the bounds that find has found for p, of three coordinates in one word, and returns the
// volume that p adds. It writes all boxes that may be left, and keeps those that are, without a
// branch for each.
func (b *boxes) add3(p uint64) (added float64) {
	const (
		width = 64 / 3
		rank  = 1<<(width-1) - 1
		guard = 1<<(width-1) | 1<<(2*width-1) | 1<<(3*width-1)
		one   = 1<<width - 1
		two   = one << width
		three = two << width
	)
	if need := 3 * len(b.cut); cap(b.pieces) < need {
		b.pieces = make([]piece, 2*need)
	}
	pieces := b.pieces[:3*len(b.cut)]
	x, y, z := b.values[:b.stride], b.values[b.stride:2*b.stride], b.values[2*b.stride:3*b.stride]
	px, q := x[p&rank], p|guard
	n := 0
	for _, i := range b.cut {
		u, makers := b.bounds[i], b.makers[3*i:3*i+3:3*i+3]
		z0, z1, z2 := makers[0], makers[1], makers[2]
		low1 := larger(p, z0, guard, width)
		low2 := larger(low1, z1, guard, width)
		left := q - larger(low2, z2, guard, width)
		area := (x[u&rank] - px) * (y[u>>width&rank] - y[low1>>width&rank])
		added += float64(area * (z[u>>(2*width)&rank] - z[low2>>(2*width)&rank]))
		// Field by field: a whole piece would be put together elsewhere, and copied.
		to := &pieces[n]
		to.bound, to.a, to.b, to.c = u&^one|q&one, p&^one, z1, z2
		n += int(left >> (width - 1) & 1)
		to = &pieces[n]
		to.bound, to.a, to.b, to.c = u&^two|q&two, z0, p&^two, z2
		n += int(left >> (2*width - 1) & 1)
		to = &pieces[n]
		to.bound, to.a, to.b, to.c = u&^three|q&three, z0, z1, p&^three
		n += int(left >> (3*width - 1) & 1)
	}
	pieces = pieces[:n]
	same := min(n, len(b.cut))
	for k, i := range b.cut[:same] {
		piece := &pieces[k]
		b.bounds[i] = piece.bound
		makers := b.makers[3*i : 3*i+3 : 3*i+3]
		makers[0], makers[1], makers[2] = piece.a, piece.b, piece.c
	}
	b.remove(b.cut[same:])
	for _, piece := range pieces[same:] {
		b.bounds = append(b.bounds, piece.bound)
		b.makers = append(b.makers, piece.a, piece.b, piece.c)
	}
	return added
}

// addWord is add3 for any number of coordinates. Boxes that are left are few beside those that may be.
func (b *boxes) addWord(p uint64) (added float64) {
	m, width, guard := b.m, b.width, b.guard
	rank := uint64(1)<<(width-1) - 1
	if need := (m + 1) * m * len(b.cut); cap(b.flat) < need {
		b.flat = make([]uint64, 2*need)
	}
	flat := b.flat[:(m+1)*m*len(b.cut)]
	q := p | guard
	n := 0
	for _, i := range b.cut {
		u, makers := b.bounds[i], b.makers[int(i)*m:(int(i)+1)*m]
		volume, low := 1.0, p
		values, to := b.values, 0
		for _, z := range makers {
			volume *= values[u>>(to&63)&rank] - values[low>>(to&63)&rank]
			low = larger(low, z, guard, width)
			values, to = values[b.stride:], to+width
		}
		added += volume
		for left := (q - low) & guard; left != 0; left &= left - 1 {
			bit := left & -left
			lane := bit<<1 - bit>>((width-1)&63)
			k := int(b.lane[bits.TrailingZeros64(bit)])
			piece := flat[n : n+m+1]
			for j, z := range makers {
				piece[j] = z
			}
			piece[k] = p &^ lane
			piece[m] = u&^lane | q&lane
			n += m + 1
		}
	}
	flat = flat[:n]
	gone := b.cut
	for ; len(gone) > 0 && len(flat) > 0; gone, flat = gone[1:], flat[m+1:] {
		i := int(gone[0])
		b.bounds[i] = flat[m]
		makers := b.makers[i*m : i*m+m]
		for j := range makers {
			makers[j] = flat[j]
		}
	}
	b.remove(gone)
	for ; len(flat) > 0; flat = flat[m+1:] {
		b.bounds = append(b.bounds, flat[m])
		b.makers = append(b.makers, flat[:m]...)
	}
	return added
}

// remove removes bounds, listed in ascending order: the last ones move to where these were.
func (b *boxes) remove(list []int32) {
	for _, i := range slices.Backward(list) {
		last := len(b.bounds)/b.words - 1
		copy(b.bounds[int(i)*b.words:], b.bounds[last*b.words:])
		b.bounds = b.bounds[:last*b.words]
		copy(b.makers[int(i)*b.m*b.words:], b.makers[last*b.m*b.words:])
		b.makers = b.makers[:last*b.m*b.words]
	}
}

// findWide is find for points of any number of words.
func (b *boxes) findWide(p []uint64) {
	for w, v := range p {
		b.beyond[w] = v + b.ones
	}
	b.cut = b.cut[:0]
	for i := 0; i < len(b.bounds); i += b.words {
		reaches := b.guard
		for w, u := range b.bounds[i : i+b.words] {
			reaches &= u - b.beyond[w]
		}
		if reaches == b.guard {
			b.cut = append(b.cut, int32(i/b.words))
		}
	}
}

// addWide cuts the bounds that findWide has found for p, and returns the volume that p adds.
func (b *boxes) addWide(p []uint64) (added float64) {
	gone := 0
	for _, i := range b.cut {
		added += b.measure(int(i), p)
		if !b.split(int(i), p) {
			b.cut[gone] = i
			gone++
		}
	}
	b.remove(b.cut[:gone])
	return added
}

// measure returns the volume that p adds below bound i, and sets the guard bits of b.left.
func (b *boxes) measure(i int, p []uint64) float64 {
	rank := uint64(1)<<(b.width-1) - 1
	makers := b.makers[i*b.m*b.words : (i+1)*b.m*b.words]
	volume := 1.0
	for w, low := range p {
		u := b.bounds[i*b.words+w]
		for k := range b.m {
			if word, bit := b.place(k); word == w {
				values := b.values[k*b.stride:]
				volume *= values[u>>(bit&63)&rank] - values[low>>(bit&63)&rank]
			}
			low = larger(low, makers[k*b.words+w], b.guard, b.width)
		}
		b.left[w] = ((p[w] | b.guard) - low) & b.guard
	}
	return volume
}

// split replaces bound i by those that p leaves in the coordinates with the guard bits of b.left. It
// returns false if there is none.
func (b *boxes) split(i int, p []uint64) bool {
	size := b.m * b.words
	last := -1
	for k := range b.m {
		word, bit := b.place(k)
		if b.left[word]>>bit>>(b.width-1)&1 == 0 {
			continue
		}
		if last >= 0 {
			b.bounds = append(b.bounds, b.bounds[i*b.words:(i+1)*b.words]...)
			b.makers = append(b.makers, b.makers[i*size:(i+1)*size]...)
			b.cutAt(len(b.bounds)/b.words-1, last, p)
		}
		last = k
	}
	if last >= 0 {
		b.cutAt(i, last, p)
	}
	return last >= 0
}

// cutAt lowers coordinate k of bound i to that of p.
func (b *boxes) cutAt(i, k int, p []uint64) {
	word, bit := b.place(k)
	lane := (uint64(1)<<b.width - 1) << bit
	u := &b.bounds[i*b.words+word]
	*u = *u&^lane | (p[word]|b.guard)&lane
	maker := b.makers[(i*b.m+k)*b.words : (i*b.m+k+1)*b.words]
	copy(maker, p)
	maker[word] &^= lane
}

// larger returns the larger ranks of x and y, by coordinate.
func larger(x, y, guard uint64, width int) uint64 {
	t := ((x | guard) - y) & guard
	return y ^ (x^y)&(t-t>>((width-1)&63))
}
