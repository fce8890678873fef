package pareto

import (
	"math/bits"
	"slices"
)

// maxBoxWords limits the storage of boxes, in words of 8 bytes. Tests lower this limit.
var maxBoxWords = 8 << 20

// boxes adds points of m ≥ 3 coordinates one by one. It computes how much each point adds to the volume between all
// points and a corner that is worse in every coordinate.
//
// It keeps the local upper bounds: the worst corners of the largest boxes without a point. A new point cuts the
// boxes that contain it, and each cut box leaves up to m smaller ones. Seen along the first coordinate, the bounds
// divide the space into rectangles, so the volume that a point adds is a sum of boxes.
//
// Coordinates are replaced by ranks, which differ between points. All ranks of a point are packed into one word, so
// that one subtraction compares them. If two coordinates are equal, either may have the lower rank, because boxes
// between the two have no volume.
//
// References:
//   - Klamroth, Lacour & Vanderpooten (2015), On the representation of the search region in
//     multi-objective optimization, European Journal of Operational Research 245, for the bounds.
//   - Lacour, Klamroth & Fonseca (2017), A box decomposition algorithm to compute the hypervolume
//     indicator, Computers & Operations Research 79, for the rectangles.
type boxes struct {
	m     int
	width int       // bits per coordinate: its rank, and a guard bit above it
	guard uint64    // all guard bits
	ones  uint64    // the rank 1 in every coordinate
	lane  [64]uint8 // the coordinate of each guard bit
	// values holds the coordinates by rank. The values of coordinate k begin at k·stride.
	values []float64
	stride int

	bounds []uint64 // ranks of the bounds, including guard bits
	// makers holds m points for each bound. Point k determines coordinate k of the bound, and has rank 0 in that coordinate.
	makers []uint64
}

// fits reports whether the ranks of m coordinates, up to the corner's rank, fit into a word.
func fits(m, corner int) bool { return m <= 32 && uint64(corner) < 1<<(64/m-1) }

// reset removes all points and sets the corner's rank in each of m coordinates to the given number. Points must have
// lower ranks, and fits(m, corner) must hold.
func (b *boxes) reset(m, corner int) {
	b.m, b.width = m, 64/m
	b.ones = 0
	for k := range m {
		b.ones |= 1 << (k * b.width)
		b.lane[(k+1)*b.width-1] = uint8(k)
	}
	b.guard = b.ones << (b.width - 1)
	b.bounds = append(b.bounds[:0], b.ones*uint64(corner)|b.guard)
	b.makers = slices.Grow(b.makers[:0], m)[:m]
	clear(b.makers)
	b.stride = corner + 1
	b.values = slices.Grow(b.values[:0], m*b.stride)[:m*b.stride]
}

// full reports whether the boxes take more storage than allowed.
func (b *boxes) full() bool { return len(b.makers) > maxBoxWords }

// add adds the point with the ranks p, and returns the volume that it adds.
func (b *boxes) add(p uint64) (added float64) {
	// Visit the bounds from last to first, so that bounds which replace others are not visited again.
	n := len(b.bounds)
	for first := (n - 1) &^ 63; first >= 0; first -= 64 {
		bounds := b.bounds[first:min(first+64, n)]
		found := reaching(bounds, p+b.ones, b.guard)
		if found == 0 {
			continue
		}
		// A cut bound leaves up to m new bounds, one of which takes its place.
		if room := 64 * b.m; cap(b.bounds)-len(b.bounds) < room || cap(b.makers)-len(b.makers) < room*b.m {
			b.bounds, b.makers = slices.Grow(b.bounds, room), slices.Grow(b.makers, room*b.m)
		}
		last := first + len(bounds) - 1
		switch b.m {
		case 3:
			added += b.cut3(p, found, last)
		case 4:
			added += b.cut4(p, found, last)
		default:
			added += b.cut(p, found, last)
		}
	}
	return added
}

// reaching returns which of at most 64 bounds are at or above p in every coordinate. The result has one bit for each
// bound; the last bound has the lowest bit. The loop avoids branches, because a processor would predict them badly.
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

// cut3 replaces the bounds marked in found by the bounds that remain after adding p, for three coordinates. It
// returns the volume that p adds below the marked bounds. The lowest bit of found represents the bound at index last,
// and higher bits represent the bounds before it.
//
// It appends all boxes that may remain, without branching, and overwrites those that do not remain. The last bound
// then takes the place of the cut bound.
func (b *boxes) cut3(p, found uint64, last int) (added float64) {
	const (
		width = 64 / 3
		rank  = 1<<(width-1) - 1
		guard = 1<<(width-1) | 1<<(2*width-1) | 1<<(3*width-1)
		lane  = 1<<width - 1
	)
	n := len(b.bounds)
	bounds, makers := b.bounds[:cap(b.bounds)], b.makers[:cap(b.makers)]
	x, y, z := b.values[:b.stride], b.values[b.stride:2*b.stride], b.values[2*b.stride:3*b.stride]
	px, q := x[p&rank], p|guard
	for ; found != 0; found &= found - 1 {
		i := last - bits.TrailingZeros64(found)
		at := (*[3]uint64)(makers[3*i:])
		u, z0, z1, z2 := bounds[i], at[0], at[1], at[2]
		low1 := larger(p, z0, guard, width)
		low2 := larger(low1, z1, guard, width)
		left := q - larger(low2, z2, guard, width)
		area := (x[u&rank] - px) * (y[u>>width&rank] - y[low1>>width&rank])
		added += float64(area * (z[u>>(2*width)&rank] - z[low2>>(2*width)&rank]))

		bounds[n] = u&^lane | q&lane
		to := (*[3]uint64)(makers[3*n:])
		to[0], to[1], to[2] = p&^lane, z1, z2
		n += int(left >> (width - 1) & 1)
		bounds[n] = u&^(lane<<width) | q&(lane<<width)
		to = (*[3]uint64)(makers[3*n:])
		to[0], to[1], to[2] = z0, p&^(lane<<width), z2
		n += int(left >> (2*width - 1) & 1)
		bounds[n] = u&^(lane<<(2*width)) | q&(lane<<(2*width))
		to = (*[3]uint64)(makers[3*n:])
		to[0], to[1], to[2] = z0, z1, p&^(lane<<(2*width))
		n += int(left>>(3*width-1)&1) - 1

		bounds[i] = bounds[n]
		to = (*[3]uint64)(makers[3*n:])
		at[0], at[1], at[2] = to[0], to[1], to[2]
	}
	b.bounds, b.makers = bounds[:n], makers[:3*n]
	return added
}

// cut4 works like cut3, but for four coordinates.
func (b *boxes) cut4(p, found uint64, last int) (added float64) {
	const (
		width = 64 / 4
		rank  = 1<<(width-1) - 1
		guard = 1<<(width-1) | 1<<(2*width-1) | 1<<(3*width-1) | 1<<(4*width-1)
		lane0 = 1<<width - 1
		lane1 = lane0 << width
		lane2 = lane1 << width
		lane3 = lane2 << width
	)
	n, stride := len(b.bounds), b.stride
	bounds, makers := b.bounds[:cap(b.bounds)], b.makers[:cap(b.makers)]
	v0, v1, v2, v3 := b.values[:stride], b.values[stride:2*stride], b.values[2*stride:3*stride], b.values[3*stride:4*stride]
	p0, q := v0[p&rank], p|guard
	for ; found != 0; found &= found - 1 {
		i := last - bits.TrailingZeros64(found)
		at := (*[4]uint64)(makers[4*i:])
		u, z0, z1, z2, z3 := bounds[i], at[0], at[1], at[2], at[3]
		low1 := larger(p, z0, guard, width)
		low2 := larger(low1, z1, guard, width)
		low3 := larger(low2, z2, guard, width)
		left := q - larger(low3, z3, guard, width)
		area := (v0[u&rank] - p0) * (v1[u>>width&rank] - v1[low1>>width&rank])
		other := (v2[u>>(2*width)&rank] - v2[low2>>(2*width)&rank]) * (v3[u>>(3*width)&rank] - v3[low3>>(3*width)&rank])
		added += float64(area * other)

		bounds[n] = u&^lane0 | q&lane0
		to := (*[4]uint64)(makers[4*n:])
		to[0], to[1], to[2], to[3] = p&^lane0, z1, z2, z3
		n += int(left >> (width - 1) & 1)
		bounds[n] = u&^lane1 | q&lane1
		to = (*[4]uint64)(makers[4*n:])
		to[0], to[1], to[2], to[3] = z0, p&^lane1, z2, z3
		n += int(left >> (2*width - 1) & 1)
		bounds[n] = u&^lane2 | q&lane2
		to = (*[4]uint64)(makers[4*n:])
		to[0], to[1], to[2], to[3] = z0, z1, p&^lane2, z3
		n += int(left >> (3*width - 1) & 1)
		bounds[n] = u&^lane3 | q&lane3
		to = (*[4]uint64)(makers[4*n:])
		to[0], to[1], to[2], to[3] = z0, z1, z2, p&^lane3
		n += int(left>>(4*width-1)&1) - 1

		bounds[i] = bounds[n]
		to = (*[4]uint64)(makers[4*n:])
		at[0], at[1], at[2], at[3] = to[0], to[1], to[2], to[3]
	}
	b.bounds, b.makers = bounds[:n], makers[:4*n]
	return added
}

// cut works like cut3, but for any number of coordinates. It branches, because few of the possible boxes remain.
func (b *boxes) cut(p, found uint64, last int) (added float64) {
	m, width, guard, stride := b.m, b.width, b.guard, b.stride
	rank := uint64(1)<<(width-1) - 1
	n, q := len(b.bounds), p|guard
	bounds, makers := b.bounds[:cap(b.bounds)], b.makers[:cap(b.makers)]
	for ; found != 0; found &= found - 1 {
		i := last - bits.TrailingZeros64(found)
		u, at := bounds[i], makers[i*m:i*m+m]
		volume, low := 1.0, p
		values, bit := b.values, 0
		for _, z := range at {
			volume *= values[u>>(bit&63)&rank] - values[low>>(bit&63)&rank]
			low = larger(low, z, guard, width)
			values, bit = values[stride:], bit+width
		}
		added += volume
		for left := (q - low) & guard; left != 0; left &= left - 1 {
			top := left & -left
			lane := top<<1 - top>>((width-1)&63)
			bounds[n] = u&^lane | q&lane
			to, lowered := makers[n*m:n*m+m], int(b.lane[bits.TrailingZeros64(top)])
			for k, z := range at {
				if k == lowered {
					z = p &^ lane
				}
				to[k] = z
			}
			n++
		}
		n--
		bounds[i] = bounds[n]
		copy(at, makers[n*m:n*m+m])
	}
	b.bounds, b.makers = bounds[:n], makers[:n*m]
	return added
}

// larger returns the larger of the ranks of x and y in each coordinate.
func larger(x, y, guard uint64, width int) uint64 {
	t := ((x | guard) - y) & guard
	return y ^ (x^y)&(t-t>>((width-1)&63))
}
