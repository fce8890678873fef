package network

import (
	"math/bits"

	"paretoplay/algo"
)

// block holds a number for each of eight tasks. Loops over a block are unrolled, without a counter or bounds checks.
type block [8]float64

// sweep is scratch space for a backward pass through the network for all tasks at once. A row is a list of blocks
// with one number per task, padded with zeros to the end of the last block.
type sweep struct {
	blocks int // number of blocks in a row

	heads  []block // a row for each unit of the second layer, with its weights in the heads
	errors []block // a row for each example, with the gradients of the losses with respect to the outputs

	// back1 and back2 are the gradients with respect to the sums of units, with atOnce rows per unit. Only the first
	// rows are filled, for the examples for which the unit is active. seen1 and seen2 are the numbers of filled rows.
	back1, back2 []block
	seen1, seen2 []int
	units        []block // rows of back2 for one example

	sums, bias []block // a row for each weight of one unit, and one for its bias

	// The following fields hold a set of bits for each example. bits marks the nonzero pixels, and bits1 and bits2 mark
	// the active units of the two layers.
	bits, bits1, bits2 []uint64
}

// words returns the number of 64-bit words needed for count bits.
func words(count int) int { return (count + 63) / 64 }

func newSweep(n *Network) *sweep {
	h1, h2 := n.hidden[0], n.hidden[1]
	s := &sweep{blocks: (len(n.tasks) + len(block{}) - 1) / len(block{})}
	rows := func(count int) []block { return make([]block, count*s.blocks) }
	sets := func(width int) []uint64 { return make([]uint64, atOnce*words(width)) }
	s.heads, s.errors, s.back2, s.back1 = rows(h2), rows(atOnce), rows(atOnce*h2), rows(atOnce*h1)
	s.units, s.sums, s.bias = rows(h2), rows(max(Pixels, h1, h2)), rows(1)
	s.seen1, s.seen2 = make([]int, h1), make([]int, h2)
	s.bits, s.bits1, s.bits2 = sets(Pixels), sets(h1), sets(h2)
	return s
}

// row returns row i of from.
func (s *sweep) row(from []block, i int) []block { return from[i*s.blocks:][:s.blocks] }

// fill copies rows with one number per task into rows of blocks.
func (s *sweep) fill(dst []block, numbers []float64, tasks int) {
	for i, v := range numbers {
		dst[i/tasks*s.blocks+i%tasks/8][i%tasks%8] = v
	}
}

// fill stores the indices in the first count lists as sets of bits.
func (l *lists) fill(sets []uint64, count int) {
	clear(sets)
	for b := range count {
		set := sets[b*words(l.width):]
		for _, i := range l.row(b) {
			set[i/64] |= 1 << (i % 64)
		}
	}
}

// fetch copies columns of a matrix, starting with the given one, into rows of blocks. The matrix has one row per task.
func (s *sweep) fetch(dst []block, matrix *algo.Jacobian, from int) {
	for i := range matrix.Rows {
		row := matrix.Row(i)[from:]
		for k := 0; k*s.blocks < len(dst); k++ {
			dst[k*s.blocks+i/8][i%8] = row[k]
		}
	}
}

// store is the inverse of fetch. The number of tasks must be a multiple of four.
func (s *sweep) store(matrix *algo.Jacobian, from int, src []block) {
	row := func(i int) []float64 { return matrix.Row(i)[from:][:len(src)/s.blocks] }
	for i := 0; i < matrix.Rows; i += 4 {
		a, b, c, d := row(i), row(i+1), row(i+2), row(i+3)
		b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
		for k, at := 0, i/8; k < len(a); k, at = k+1, at+s.blocks {
			v := (*[4]float64)(src[at][i%8:])
			a[k], b[k], c[k], d[k] = v[0], v[1], v[2], v[3]
		}
	}
}

// sweepBack does for all tasks at once what headsBack, fromHeads and backward do task by task. Every task must have
// one output. For the first part of a batch, sweepBack stores the gradients for the trunk in jac and the gradients
// for the heads in own. For later parts it adds them.
//
// All sums have the same bits as for a single task: they add the same terms in the same order, and skip only products
// with zero. The zeros, from zero pixels and inactive units, are the same for all tasks. If a factor is infinite or
// NaN, it still appears in the gradient of a bias.
func (n *Network) sweepBack(jac *algo.Jacobian, own, x []float64, count int, first bool) {
	h1, h2 := n.hidden[0], n.hidden[1]
	if n.sweep == nil {
		n.sweep = newSweep(n)
	}
	s := n.sweep
	n.pixels.fill(s.bits, count)
	n.active1.fill(s.bits1, count)
	n.active2.fill(s.bits2, count)
	s.fill(s.heads, n.headWeights, n.outputs)
	s.fill(s.errors, n.errors[:count*n.outputs], n.outputs)

	n.sweepHeads(&algo.Jacobian{Rows: len(n.tasks), Cols: h2 + 1, Data: own}, count, first)
	clear(s.seen1)
	clear(s.seen2)
	for b := range count {
		n.yielder.Yield(len(n.tasks) * h1 * h2)
		active2, errors := n.active2.row(b), s.row(s.errors, b)
		back2 := s.units[:len(active2)*s.blocks]
		for k, j := range active2 {
			row := s.row(back2, k)
			multiply(row, errors, s.row(s.heads, int(j)))
			n.pass(row, n.layer2[b*h2+int(j)])
			copy(s.row(s.back2, int(j)*atOnce+s.seen2[j]), row)
			s.seen2[j]++
		}
		back1 := s.sums[:h1*s.blocks]
		clear(back1)
		s.addProducts(back1, back2, x[n.start2:n.bias2], h1, active2, s.bits1[b*words(h1):], 0)
		for _, h := range n.active1.row(b) {
			row := s.row(back1, int(h))
			n.pass(row, n.layer1[b*h1+int(h)])
			copy(s.row(s.back1, int(h)*atOnce+s.seen1[h]), row)
			s.seen1[h]++
		}
	}
	n.sweepLayer(jac, n.start2, n.bias2, s.back2, n.layer1, h1, s.bits1, &n.for2, first)
	n.sweepLayer(jac, 0, n.bias1, s.back1, n.input, Pixels, s.bits, &n.for1, first)
}

// sweepHeads stores, or adds, the gradients for the heads. Row s of own belongs to task s.
func (n *Network) sweepHeads(own *algo.Jacobian, count int, first bool) {
	s, h2 := n.sweep, n.hidden[1]
	sums := s.begin(own, 0, h2, h2, first)
	for b := range count {
		errors := s.row(s.errors, b)
		add(s.bias, errors)
		for w, set := range s.bits2[b*words(h2):][:words(h2)] {
			add1(sums, errors, n.layer2[b*h2:][:h2], set, w*64)
		}
	}
	s.end(own, 0, h2, sums)
}

// sweepLayer does for all tasks what addLayer does for one task. It stores or adds the results in the columns of jac
// that start at weights and biases. sets contains the bits of the nonzero inputs.
func (n *Network) sweepLayer(jac *algo.Jacobian, weights, biases int, back []block, inputs []float64, width int, sets []uint64,
	examples *lists, first bool) {
	s, units := n.sweep, len(examples.length)
	for u := range units {
		list := examples.row(u)
		n.yielder.Yield(len(n.tasks) * len(list) * width)
		sums := s.begin(jac, weights+u*width, biases+u, width, first)
		listed := back[u*atOnce*s.blocks:][:len(list)*s.blocks]
		for k := range list {
			add(s.bias, s.row(listed, k))
		}
		s.addProducts(sums, listed, inputs, width, list, sets, words(width))
		s.end(jac, weights+u*width, biases+u, sums)
	}
}

// begin initialises the sums of one unit and returns the sums for the weights. For the first part of a batch, the
// sums are zero. For later parts they are the values that the method end stored in the columns of a matrix.
func (s *sweep) begin(from *algo.Jacobian, weights, bias, width int, first bool) []block {
	sums := s.sums[:width*s.blocks]
	if first {
		clear(sums)
		clear(s.bias)
	} else {
		s.fetch(sums, from, weights)
		s.fetch(s.bias, from, bias)
	}
	return sums
}

// end stores the sums of one unit. The sums for the weights go to the columns that start at weights, and the sum for
// the bias goes to column bias.
func (s *sweep) end(dst *algo.Jacobian, weights, bias int, sums []block) {
	s.store(dst, weights, sums)
	s.store(dst, bias, s.bias)
}

// addProducts adds Σ_k matrix[list[k]][i]·listed[k] to row i of dst, where the matrix has the given width and
// listed[k] is a row. It skips numbers of the matrix whose bits are not set; the bits for row r of the matrix start
// at sets[r·step]. It adds four terms at a time in the order of addRows.
func (s *sweep) addProducts(dst, listed []block, matrix []float64, width int, list []int32, sets []uint64, step int) {
	row := func(i int32) []float64 { return matrix[int(i)*width:][:width] }
	var parts [16]uint64
	for w := range words(width) {
		offset, set := w*64, func(i int32) uint64 { return sets[int(i)*step+w] }
		k := 0
		for ; k+4 <= len(list); k += 4 {
			i, j, l, m := list[k], list[k+1], list[k+2], list[k+3]
			from := [4][]block{s.row(listed, k), s.row(listed, k+1), s.row(listed, k+2), s.row(listed, k+3)}
			by := [4][]float64{row(i), row(j), row(l), row(m)}
			split(&parts, set(i), set(j), set(l), set(m))
			for which, part := range parts[:] {
				if part == 0 {
					continue
				}
				o := &orders[which]
				p, q, r := o.terms[0]&3, o.terms[1]&3, o.terms[2]&3
				switch o.count {
				case 1:
					add1(dst, from[p], by[p], part, offset)
				case 2:
					add2(dst, from[p], from[q], by[p], by[q], part, offset)
				case 3:
					add3(dst, from[p], from[q], from[r], by[p], by[q], by[r], part, offset)
				case 4:
					add4(dst, &from, &by, part, offset)
				}
			}
		}
		for ; k < len(list); k++ {
			add1(dst, s.row(listed, k), row(list[k]), set(list[k]), offset)
		}
	}
}

// split classifies bits by the words among a, b, c and d in which they are set. parts[i] gets the bits that are set
// in exactly the words given by the bits of i: bit 0 represents a, and bit 3 represents d.
func split(parts *[16]uint64, a, b, c, d uint64) {
	low := [4]uint64{^a &^ b, a &^ b, b &^ a, a & b}
	for i, high := range [4]uint64{^c &^ d, c &^ d, d &^ c, c & d} {
		for j, low := range low {
			parts[4*i+j] = high & low
		}
	}
}

// orders lists, for each part of split, the number of remaining terms of (a + b) + (c + d) and these terms in the
// order of addition.
var orders = [16]struct {
	count uint8
	terms [3]uint8 // unused if there are four terms
}{
	1: {1, [3]uint8{0}}, 2: {1, [3]uint8{1}}, 4: {1, [3]uint8{2}}, 8: {1, [3]uint8{3}},
	3: {2, [3]uint8{0, 1}}, 5: {2, [3]uint8{0, 2}}, 6: {2, [3]uint8{1, 2}},
	9: {2, [3]uint8{0, 3}}, 10: {2, [3]uint8{1, 3}}, 12: {2, [3]uint8{2, 3}},
	7: {3, [3]uint8{0, 1, 2}}, 11: {3, [3]uint8{0, 1, 3}}, 13: {3, [3]uint8{2, 3, 0}}, 14: {3, [3]uint8{2, 3, 1}},
	15: {count: 4},
}

// add1 adds a·byA[i] to row i of dst for all i whose bit i-offset is set.
func add1(dst, a []block, byA []float64, set uint64, offset int) {
	for ; set != 0; set &= set - 1 {
		i := offset + bits.TrailingZeros64(set)
		u := byA[i]
		to := dst[i*len(a):][:len(a)]
		for k := range to {
			to, a := &to[k], &a[k]
			to[0] += float64(u * a[0])
			to[1] += float64(u * a[1])
			to[2] += float64(u * a[2])
			to[3] += float64(u * a[3])
			to[4] += float64(u * a[4])
			to[5] += float64(u * a[5])
			to[6] += float64(u * a[6])
			to[7] += float64(u * a[7])
		}
	}
}

// add2 is like add1, but adds a·byA[i] + b·byB[i].
func add2(dst, a, b []block, byA, byB []float64, set uint64, offset int) {
	b = b[:len(a)]
	for ; set != 0; set &= set - 1 {
		i := offset + bits.TrailingZeros64(set)
		u, v := byA[i], byB[i]
		to := dst[i*len(a):][:len(a)]
		for k := range to {
			to, a, b := &to[k], &a[k], &b[k]
			to[0] += float64(u*a[0]) + float64(v*b[0])
			to[1] += float64(u*a[1]) + float64(v*b[1])
			to[2] += float64(u*a[2]) + float64(v*b[2])
			to[3] += float64(u*a[3]) + float64(v*b[3])
			to[4] += float64(u*a[4]) + float64(v*b[4])
			to[5] += float64(u*a[5]) + float64(v*b[5])
			to[6] += float64(u*a[6]) + float64(v*b[6])
			to[7] += float64(u*a[7]) + float64(v*b[7])
		}
	}
}

// add3 is like add1, but adds (a·byA[i] + b·byB[i]) + c·byC[i].
func add3(dst, a, b, c []block, byA, byB, byC []float64, set uint64, offset int) {
	b, c = b[:len(a)], c[:len(a)]
	for ; set != 0; set &= set - 1 {
		i := offset + bits.TrailingZeros64(set)
		u, v, w := byA[i], byB[i], byC[i]
		to := dst[i*len(a):][:len(a)]
		for k := range to {
			to, a, b, c := &to[k], &a[k], &b[k], &c[k]
			to[0] += (float64(u*a[0]) + float64(v*b[0])) + float64(w*c[0])
			to[1] += (float64(u*a[1]) + float64(v*b[1])) + float64(w*c[1])
			to[2] += (float64(u*a[2]) + float64(v*b[2])) + float64(w*c[2])
			to[3] += (float64(u*a[3]) + float64(v*b[3])) + float64(w*c[3])
			to[4] += (float64(u*a[4]) + float64(v*b[4])) + float64(w*c[4])
			to[5] += (float64(u*a[5]) + float64(v*b[5])) + float64(w*c[5])
			to[6] += (float64(u*a[6]) + float64(v*b[6])) + float64(w*c[6])
			to[7] += (float64(u*a[7]) + float64(v*b[7])) + float64(w*c[7])
		}
	}
}

// add4 is like add1, but adds (from[0]·by[0][i] + from[1]·by[1][i]) + (from[2]·by[2][i] + from[3]·by[3][i]). It
// processes two rows of dst at a time, so that it loads the four rows half as often.
func add4(dst []block, from *[4][]block, by *[4][]float64, set uint64, offset int) {
	a, b, c, d := from[0], from[1], from[2], from[3]
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	for ; set&(set-1) != 0; set &= set - 1 {
		i := offset + bits.TrailingZeros64(set)
		u, v, w, x := by[0][i], by[1][i], by[2][i], by[3][i]
		to := dst[i*len(a):][:len(a)]
		set &= set - 1
		i = offset + bits.TrailingZeros64(set)
		u2, v2, w2, x2 := by[0][i], by[1][i], by[2][i], by[3][i]
		to2 := dst[i*len(a):][:len(a)]
		for k := range to {
			to, to2, a, b, c, d := &to[k], &to2[k], &a[k], &b[k], &c[k], &d[k]
			p, q, r, s := a[0], b[0], c[0], d[0]
			to[0] += (float64(u*p) + float64(v*q)) + (float64(w*r) + float64(x*s))
			to2[0] += (float64(u2*p) + float64(v2*q)) + (float64(w2*r) + float64(x2*s))
			p, q, r, s = a[1], b[1], c[1], d[1]
			to[1] += (float64(u*p) + float64(v*q)) + (float64(w*r) + float64(x*s))
			to2[1] += (float64(u2*p) + float64(v2*q)) + (float64(w2*r) + float64(x2*s))
			p, q, r, s = a[2], b[2], c[2], d[2]
			to[2] += (float64(u*p) + float64(v*q)) + (float64(w*r) + float64(x*s))
			to2[2] += (float64(u2*p) + float64(v2*q)) + (float64(w2*r) + float64(x2*s))
			p, q, r, s = a[3], b[3], c[3], d[3]
			to[3] += (float64(u*p) + float64(v*q)) + (float64(w*r) + float64(x*s))
			to2[3] += (float64(u2*p) + float64(v2*q)) + (float64(w2*r) + float64(x2*s))
			p, q, r, s = a[4], b[4], c[4], d[4]
			to[4] += (float64(u*p) + float64(v*q)) + (float64(w*r) + float64(x*s))
			to2[4] += (float64(u2*p) + float64(v2*q)) + (float64(w2*r) + float64(x2*s))
			p, q, r, s = a[5], b[5], c[5], d[5]
			to[5] += (float64(u*p) + float64(v*q)) + (float64(w*r) + float64(x*s))
			to2[5] += (float64(u2*p) + float64(v2*q)) + (float64(w2*r) + float64(x2*s))
			p, q, r, s = a[6], b[6], c[6], d[6]
			to[6] += (float64(u*p) + float64(v*q)) + (float64(w*r) + float64(x*s))
			to2[6] += (float64(u2*p) + float64(v2*q)) + (float64(w2*r) + float64(x2*s))
			p, q, r, s = a[7], b[7], c[7], d[7]
			to[7] += (float64(u*p) + float64(v*q)) + (float64(w*r) + float64(x*s))
			to2[7] += (float64(u2*p) + float64(v2*q)) + (float64(w2*r) + float64(x2*s))
		}
	}
	if set != 0 {
		i := offset + bits.TrailingZeros64(set)
		u, v, w, x := by[0][i], by[1][i], by[2][i], by[3][i]
		to := dst[i*len(a):][:len(a)]
		for k := range to {
			to, a, b, c, d := &to[k], &a[k], &b[k], &c[k], &d[k]
			to[0] += (float64(u*a[0]) + float64(v*b[0])) + (float64(w*c[0]) + float64(x*d[0]))
			to[1] += (float64(u*a[1]) + float64(v*b[1])) + (float64(w*c[1]) + float64(x*d[1]))
			to[2] += (float64(u*a[2]) + float64(v*b[2])) + (float64(w*c[2]) + float64(x*d[2]))
			to[3] += (float64(u*a[3]) + float64(v*b[3])) + (float64(w*c[3]) + float64(x*d[3]))
			to[4] += (float64(u*a[4]) + float64(v*b[4])) + (float64(w*c[4]) + float64(x*d[4]))
			to[5] += (float64(u*a[5]) + float64(v*b[5])) + (float64(w*c[5]) + float64(x*d[5]))
			to[6] += (float64(u*a[6]) + float64(v*b[6])) + (float64(w*c[6]) + float64(x*d[6]))
			to[7] += (float64(u*a[7]) + float64(v*b[7])) + (float64(w*c[7]) + float64(x*d[7]))
		}
	}
}

// add adds row a to dst.
func add(dst, a []block) {
	a = a[:len(dst)]
	for k := range dst {
		to, a := &dst[k], &a[k]
		to[0] += a[0]
		to[1] += a[1]
		to[2] += a[2]
		to[3] += a[3]
		to[4] += a[4]
		to[5] += a[5]
		to[6] += a[6]
		to[7] += a[7]
	}
}

// multiply stores in dst the products of corresponding numbers of two rows. It adds them to zero, which makes zeros
// positive, as in fromHeads.
func multiply(dst, a, b []block) {
	a, b = a[:len(dst)], b[:len(dst)]
	for k := range dst {
		to, a, b := &dst[k], &a[k], &b[k]
		to[0] = 0 + float64(a[0]*b[0])
		to[1] = 0 + float64(a[1]*b[1])
		to[2] = 0 + float64(a[2]*b[2])
		to[3] = 0 + float64(a[3]*b[3])
		to[4] = 0 + float64(a[4]*b[4])
		to[5] = 0 + float64(a[5]*b[5])
		to[6] = 0 + float64(a[6]*b[6])
		to[7] = 0 + float64(a[7]*b[7])
	}
}

// pass multiplies the gradients with respect to the output y of an active unit by the slope of the activation.
func (n *Network) pass(row []block, y float64) {
	if n.tanh {
		scale(row, n.slope(y))
	}
}

// scale multiplies dst by a number.
func scale(dst []block, by float64) {
	for k := range dst {
		to := &dst[k]
		to[0] *= by
		to[1] *= by
		to[2] *= by
		to[3] *= by
		to[4] *= by
		to[5] *= by
		to[6] *= by
		to[7] *= by
	}
}
