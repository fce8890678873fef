package pareto

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"

	"paretoplay/algo"
)

// Hypervolume returns the exact volume of the region between the points and the reference. A vector is in this region
// if at least one of the points weakly dominates it, and if it weakly dominates the reference. Points that are not below
// the reference in every objective, duplicates and dominated points contribute nothing. Without points the volume is 0.
//
// Hypervolume returns an error for NaN, points of different lengths, infinite references and coordinates of −∞. A
// volume that overflows is +Inf.
//
// The algorithm depends on the number m of objectives. Two objectives use a sweep, and three use a sweep with a
// staircase; both take O(n log n). For four or more, Hypervolume sweeps along the last objective and divides the
// region in the others into boxes. This takes O(n²) for four objectives, and at worst O(n^(⌊(m−1)/2⌋+1)) for m. If
// there are few points in many objectives, or the boxes would take more than 64 MB, it uses the WFG recursion, with
// boxes for the smallest parts. WFG is at worst exponential in m.
//
// References:
//   - Zitzler & Thiele (1998), Multiobjective optimization using evolutionary
//     algorithms, PPSN V, for the measure.
//   - Beume, Fonseca, López-Ibáñez, Paquete & Vahrenhold (2009), On the complexity
//     of computing the hypervolume indicator, IEEE Transactions on Evolutionary
//     Computation 13, section III.B for three objectives.
//   - While, Bradstreet & Barone (2012), A fast way of calculating exact
//     hypervolumes, IEEE Transactions on Evolutionary Computation 16, for WFG.
//   - Lacour, Klamroth & Fonseca (2017), A box decomposition algorithm to compute the hypervolume
//     indicator, Computers & Operations Research 79, for the boxes.
func Hypervolume(points [][]float64, reference []float64) (float64, error) {
	if err := checkVolume(points, reference); err != nil {
		return 0, err
	}
	g := pool.Get().(*gains)
	defer pool.Put(g)
	if err := g.read(points, reference); err != nil {
		return 0, err
	}
	if g.m > 3 && !worthBoxes(g.n, g.m) {
		g.sift()
	}
	volume := g.volume()
	if math.IsNaN(volume) {
		return math.Inf(1), nil // 0·∞ or ∞ − ∞, where volumes overflow
	}
	return volume, nil
}

// checkVolume returns an error if the volume is undefined: for NaN, different lengths, or an empty or infinite reference.
func checkVolume(points [][]float64, reference []float64) error {
	if len(reference) == 0 {
		return &algo.RangeError{Name: "reference", Value: reference, Allowed: "at least one objective", Text: "reference has no objectives"}
	}
	for k, v := range reference {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &algo.RangeError{
				Name: "reference", Value: reference, Allowed: "finite numbers",
				Text: fmt.Sprintf("objective %d of the reference is %g, it must be finite", k, v),
			}
		}
	}
	if err := check(points); err != nil {
		return err
	}
	if m := len(reference); len(points) > 0 && len(points[0]) != m {
		return refusedPoint(0, points[0], fmt.Sprintf("%d objectives, like the reference", m),
			fmt.Sprintf("points have %d objectives, the reference has %d", len(points[0]), m))
	}
	return nil
}

// checkNear returns an error if the distance of point i from the reference overflows.
func checkNear(i int, p, reference []float64) error {
	for k, v := range p {
		if math.IsInf(v-reference[k], -1) {
			return refusedPoint(i, p, "a finite distance from the reference",
				fmt.Sprintf("objective %d of point %d is %g, too far from the reference's %g", k, i, v, reference[k]))
		}
	}
	return nil
}

// pool recycles the storage of computations.
var pool = sync.Pool{New: func() any { return new(gains) }}

// gains computes the volume dominated by points that are below the origin in all of m objectives.
type gains struct {
	n, m    int
	rows    []float64 // coordinates, all negative; point i begins at i·m
	columns []float64 // coordinates after transpose; objective k begins at k·n

	order     []int32
	sorter    sorter
	boxes     boxes
	words     []uint64 // ranks of the points, in the format of boxes
	staircase staircase
	rank      []int32
	x, y      []float64 // coordinates of the staircase's points
	limited   *gains    // points limited to the region that another point dominates, without their last objective
}

// read stores the differences p − reference for all points p that are below the reference in every objective.
func (g *gains) read(points [][]float64, reference []float64) error {
	g.m = len(reference)
	g.rows = slices.Grow(g.rows[:0], len(points)*g.m)
	for i, p := range points {
		if !StrictlyDominates(p, reference) {
			continue
		}
		if err := checkNear(i, p, reference); err != nil {
			return err
		}
		for k, v := range p {
			g.rows = append(g.rows, v-reference[k])
		}
	}
	g.n = len(g.rows) / g.m
	return nil
}

// row returns the coordinates of a point.
func (g *gains) row(i int) []float64 { return g.rows[i*g.m : (i+1)*g.m] }

// transpose copies the coordinates in rows to columns, where each objective is contiguous.
func (g *gains) transpose() {
	g.columns = slices.Grow(g.columns[:0], len(g.rows))[:len(g.rows)]
	for k := range g.m {
		g.take(g.column(k), k)
	}
}

// take copies coordinate k of every point to column.
func (g *gains) take(column []float64, k int) {
	for i := range column {
		column[i] = g.rows[k]
		k += g.m
	}
}

// column returns coordinate k of every point. It requires transpose.
func (g *gains) column(k int) []float64 { return g.columns[k*g.n : (k+1)*g.n] }

// sort returns the indices of the points in ascending order of a coordinate. The result is valid until the next call.
func (g *gains) sort(column []float64) []int32 {
	g.order = slices.Grow(g.order[:0], g.n)[:g.n]
	g.sorter.sort(g.order, column)
	return g.order
}

// volume returns the volume of the region between the points and the origin.
func (g *gains) volume() float64 {
	switch {
	case g.n == 0:
		return 0
	case g.m == 1:
		return -slices.Min(g.rows)
	case g.n == 1:
		return product(g.rows)
	case g.m == 2:
		g.transpose()
		return g.sweep2()
	case g.m == 3:
		g.transpose()
		return g.sweep3()
	case g.n == 2:
		return g.pair()
	}
	if worthBoxes(g.n, g.m) {
		g.transpose()
		if v, ok := g.inBoxes(); ok {
			return v
		}
	}
	return g.slices()
}

// worthBoxes reports whether boxes are at least about as fast as slices for n points in m objectives. Boxes are
// more accurate, because they subtract no volumes. Few points in many objectives leave too many boxes.
func worthBoxes(n, m int) bool { return fits(m-1, n) && (m < 8 || n >= 1<<(m-5)) }

// product returns the volume of the box between a point and the origin.
func product(point []float64) float64 {
	v := 1.0
	for _, x := range point {
		v *= math.Abs(x)
	}
	return v
}

// pair returns the volume of the region between two points and the origin.
func (g *gains) pair() float64 {
	p, q := g.row(0), g.row(1)
	shared := 1.0
	for k, v := range p {
		shared *= -max(v, q[k])
	}
	return product(p) + (product(q) - shared)
}

// inBoxes computes the volume with boxes. It adds the points in the order of their last coordinate, best first, and
// multiplies the volume that a point adds in the other coordinates by the point's last coordinate. It returns false
// if there are too many boxes.
func (g *gains) inBoxes() (volume float64, ok bool) {
	last, b := g.m-1, &g.boxes
	b.reset(last, g.n)
	g.words = slices.Grow(g.words[:0], g.n)[:g.n]
	clear(g.words)
	for k := range last {
		column := g.column(k)
		values := b.values[k*b.stride : (k+1)*b.stride]
		for rank, at := range g.sort(column) {
			values[rank] = column[at]
			g.words[at] |= uint64(rank) << (k * b.width)
		}
		values[g.n] = 0
	}
	column := g.column(last)
	var lost float64 // what rounding has removed from the sum
	for _, i := range g.sort(column) {
		slab := -float64(b.add(g.words[i]) * column[i])
		sum := volume + slab
		lost += slab - (sum - volume) // exact if slab is smaller than the sum, as it usually is
		volume = sum
		if b.full() {
			return 0, false
		}
	}
	return volume + lost, true
}

// slices computes the volume with the WFG recursion. It adds the points in the same order as inBoxes. In all
// objectives except the last, each point adds its volume minus the part that earlier points cover.
func (g *gains) slices() float64 {
	if g.limited == nil {
		g.limited = new(gains)
	}
	last := g.m - 1
	column := slices.Grow(g.columns[:0], g.n)[:g.n]
	g.columns = column
	g.take(column, last)
	var volume float64
	order := g.sort(column)
	for j, i := range order {
		point := g.row(int(i))[:last]
		added := product(point)
		if j > 0 {
			g.limited.limit(g, order[:j], point)
			added -= g.limited.volume()
		}
		volume -= float64(added * column[i])
	}
	return volume
}

// limit fills g with the points of another gains whose indices are in list, and replaces each by its coordinatewise
// maximum with point. It uses the first len(point) objectives, and leaves out points that others cover.
func (g *gains) limit(from *gains, list []int32, point []float64) {
	g.m = len(point)
	g.rows = slices.Grow(g.rows[:0], len(list)*g.m)
	for _, at := range list {
		n := len(g.rows)
		g.rows = g.rows[:n+g.m]
		row, other := g.rows[n:], from.row(int(at))
		for k, v := range point {
			row[k] = max(v, other[k])
		}
		g.settle(n)
	}
	g.n = len(g.rows) / g.m
}

// sift removes the points covered by other points.
func (g *gains) sift() {
	all := g.rows
	g.rows = g.rows[:0]
	for row := range slices.Chunk(all, g.m) {
		n := len(g.rows)
		g.rows = append(g.rows, row...)
		g.settle(n)
	}
	g.n = len(g.rows) / g.m
}

// settle compares the last row, which begins at n, with the earlier rows. It removes the last row if an earlier row
// covers it, and removes earlier rows that the last row covers.
func (g *gains) settle(n int) {
	row := g.rows[n:]
	for at := 0; at < n; at += g.m {
		if WeaklyDominates(g.rows[at:at+g.m], row) {
			g.rows = g.rows[:n]
			return
		}
	}
	kept := 0
	for at := 0; at < n; at += g.m {
		if former := g.rows[at : at+g.m]; !WeaklyDominates(row, former) {
			copy(g.rows[kept:], former)
			kept += g.m
		}
	}
	copy(g.rows[kept:], row)
	g.rows = g.rows[:kept+g.m]
}

// sweep2 computes the volume for two objectives. It visits the points by ascending first coordinate, and adds a
// strip for each point that is lower than all before it.
func (g *gains) sweep2() float64 {
	x, y := g.column(0), g.column(1)
	var area, height float64
	for _, i := range g.sort(x) {
		if h := -y[i]; h > height {
			area -= float64(x[i] * (h - height))
			height = h
		}
	}
	return area
}

// sweep3 computes the volume for three objectives. It moves a plane along the third coordinate, starting at the lowest
// point. The points below the plane cover an area in the first two coordinates. The staircase that bounds this area is
// indexed by the rank of the first coordinate, so that a neighbour is found in O(log n).
func (g *gains) sweep3() float64 {
	x, y, z := g.column(0), g.column(1), g.column(2)
	g.rank = slices.Grow(g.rank[:0], g.n)[:g.n]
	g.x, g.y = slices.Grow(g.x[:0], g.n)[:g.n], slices.Grow(g.y[:0], g.n)[:g.n]
	for i, at := range g.sort(x) {
		// The steps of the staircase go right and down. Steps with equal first coordinates have width 0.
		rank := g.n - 1 - i
		g.rank[at] = int32(rank)
		g.x[rank], g.y[rank] = -x[at], -y[at]
	}
	g.staircase.reset(g.n)
	var volume, area, former float64
	for _, at := range g.sort(z) {
		volume += float64(area * (z[at] - former))
		former = z[at]
		area += g.climb(int(g.rank[at]))
	}
	return volume - float64(area*former)
}

// climb adds the point with the given rank to the staircase and removes the steps that the point covers. It returns
// the area that the point adds.
func (g *gains) climb(at int) float64 {
	x, y := g.x[at], g.y[at]
	height := 0.0 // height of the stairs just left of the current edge
	if right := g.staircase.after(at); right >= 0 {
		if height = g.y[right]; height >= y {
			return 0
		}
	}
	var added float64
	edge := x
	left := g.staircase.before(at)
	for left >= 0 && g.y[left] <= y {
		added += float64((edge - g.x[left]) * (y - height))
		edge, height = g.x[left], g.y[left]
		g.staircase.remove(left)
		left = g.staircase.before(at)
	}
	floor := 0.0
	if left >= 0 {
		floor = g.x[left]
	}
	added += float64((edge - floor) * (y - height))
	g.staircase.insert(at)
	return added
}

// staircase is a set of numbers below n, with fast search for the nearest member on either side. It stores a bit
// for each number. Each higher level has one bit for every 64-bit word of the level below, up to a single word.
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
