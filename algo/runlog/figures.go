package runlog

import (
	"math"
	"slices"

	"paretoplay/algo/minnorm"
	"paretoplay/internal/portable"
)

const (
	hurtBelow = -1e-9 // an objective with a lower rate is hurt

	// negligible is a limit on the squared length of a direction, relative to the square of the sum of its terms'
	// lengths. A direction below the limit counts as zero, because double precision cannot distinguish it from zero.
	negligible = 1e-14
)

// meter measures directions at one record.
type meter struct {
	s        int
	c        []float64 // Gramian, S×S, scaled so that nothing overflows
	exponent int       // the gradients are 2^exponent times vectors with these products
	cross    []float64 // D_ij = g_i·g'_j, S×S, with the same scale; nil if the log has no cross
	lengths  []float64 // √C_ii

	image []float64 // C·w or Dᵀw
}

func newMeter(l *Log) *meter {
	s := l.objectives
	m := &meter{s: s, c: make([]float64, s*s), lengths: make([]float64, s), image: make([]float64, s)}
	if l.HasCross() {
		m.cross = make([]float64, s*s)
	}
	return m
}

// look loads record k.
func (m *meter) look(l *Log, k int) {
	m.exponent = l.Products(m.c, k)
	if m.cross != nil {
		l.Cross(m.cross, k, m.exponent)
	}
	for i := range m.lengths {
		m.lengths[i] = math.Sqrt(max(m.c[i*m.s+i], 0))
	}
}

// cosine returns the cosine of the angle between two gradients, or 0 if one of them is zero.
func (m *meter) cosine(i, j int) float64 {
	if m.lengths[i] == 0 || m.lengths[j] == 0 {
		return 0
	}
	return max(-1, min(m.c[i*m.s+j]/m.lengths[i]/m.lengths[j], 1))
}

// ratio returns the ratio of the longest to the shortest gradient. The ratio is infinite if only some gradients are
// zero, and 1 if all gradients are zero.
func (m *meter) ratio() float64 {
	most, least := 0.0, math.Inf(1)
	for _, v := range m.lengths {
		most, least = max(most, v), min(least, v)
	}
	if most == 0 {
		return 1
	}
	return most / least
}

// along stores C·w in image, and returns the length of d = Gᵀw at the meter's scale. It returns 0 if d is only a
// rounding error. All weights must be from −1 to 1.
func (m *meter) along(w []float64) float64 {
	square, terms := 0.0, 0.0
	for i, wi := range w {
		m.image[i] = portable.Dot(m.c[i*m.s:(i+1)*m.s], w)
		square += float64(wi * m.image[i])
		terms += float64(math.Abs(wi) * m.lengths[i])
	}
	if !(square > negligible*terms*terms) {
		return 0
	}
	return math.Sqrt(square)
}

// rate returns the cosine of the angle between gradient i and a direction, given their product and the length of the
// direction. It returns 0 if the gradient or the direction is zero.
func (m *meter) rate(i int, product, length float64) float64 {
	if m.lengths[i] == 0 || length == 0 {
		return 0
	}
	return max(-1, min(product/m.lengths[i]/length, 1))
}

// least returns the least rate of w. A rate is the cosine between a gradient and the direction Gᵀw.
func (m *meter) least(w []float64) float64 {
	length, least := m.along(w), math.Inf(1)
	for i, v := range m.image {
		least = min(least, m.rate(i, v, length))
	}
	return least
}

// other returns the least rate of w on the other batch, and reports whether the direction hurts an objective there,
// that is, whether an entry of Dᵀw is negative. It assumes that gradients are as long on the other batch as on this
// one. The meter must have cross.
func (m *meter) other(w []float64) (least float64, hurt bool) {
	length := m.along(w)
	if length == 0 {
		return 0, false
	}
	m.crossed(w)
	least = math.Inf(1)
	for i, v := range m.image {
		least = min(least, m.rate(i, v, length))
		hurt = hurt || v < 0
	}
	return least, hurt
}

// crossed stores Dᵀw in image.
func (m *meter) crossed(w []float64) {
	clear(m.image)
	for i, wi := range w {
		for j, v := range m.cross[i*m.s : (i+1)*m.s] {
			m.image[j] += float64(wi * v)
		}
	}
}

// unit divides w by its largest magnitude, so that products with w cannot overflow. It returns this magnitude. If w
// is zero, it returns 0.
func unit(w []float64) float64 {
	largest := 0.0
	for _, v := range w {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 {
		return 0
	}
	for i := range w {
		w[i] /= largest
	}
	return largest
}

// sums accumulates numbers of any scale. The sums are v·4^exponent.
type sums struct {
	v        []float64
	exponent int
	empty    bool
}

func newSums(n int) *sums { return &sums{v: make([]float64, n), empty: true} }

func (s *sums) reset() {
	clear(s.v)
	s.empty = true
}

// add adds get(i)·4^exponent for each i.
func (s *sums) add(exponent int, get func(i int) float64) {
	zero, shift := true, 0
	for i := range s.v {
		zero = zero && get(i) == 0
	}
	if zero {
		return // zeros have no meaningful exponent
	}
	switch {
	case s.empty:
		s.exponent, s.empty = exponent, false
	case exponent > s.exponent:
		for i, v := range s.v {
			s.v[i] = math.Ldexp(v, 2*(s.exponent-exponent))
		}
		s.exponent = exponent
	default:
		shift = 2 * (exponent - s.exponent)
	}
	for i := range s.v {
		v := get(i)
		if shift != 0 {
			v = math.Ldexp(v, shift)
		}
		s.v[i] += v
	}
}

// omega returns the length of the shortest vector in the convex hull of the gradients.
func (m *meter) omega() float64 {
	var solver minnorm.Solver
	weights := make([]float64, m.s)
	solver.Solve(weights, m.c)
	m.along(weights)
	return math.Ldexp(math.Sqrt(max(portable.Dot(weights, m.image), 0)), m.exponent)
}

// Cosines stores in dst, S×S, the cosines between the gradients of record k. The cosine with a zero gradient is 0.
func (l *Log) Cosines(dst []float64, k int) {
	m := newMeter(&Log{objectives: l.objectives})
	m.look(l, k)
	for i := range m.s {
		for j := range m.s {
			dst[i*m.s+j] = m.cosine(i, j)
		}
	}
}

// Averaged stores in dst, S×S, the cosines without noise. It averages over records lo to hi−1. An entry is the mean
// of the symmetrised products on two batches, divided by the roots of both gradients' mean squared lengths. The entry
// has the sign of the averaged product. Entries of pure noise tend to 0, and entry (i, i) is the fraction of signal
// in objective i. If the log has no cross, Averaged returns false and stores nothing.
func (l *Log) Averaged(dst []float64, lo, hi int) bool {
	if !l.HasCross() {
		return false
	}
	s := l.objectives
	m, products, squares := newMeter(l), newSums(s*s), newSums(s)
	for k := lo; k < hi; k++ {
		m.look(l, k)
		products.add(m.exponent, func(e int) float64 { return (m.cross[e] + m.cross[e%s*s+e/s]) / 2 })
		squares.add(m.exponent, func(i int) float64 { return max(m.c[i*s+i], 0) })
	}
	for i := range s {
		for j := range s {
			dst[i*s+j] = 0
			if a, b := math.Sqrt(squares.v[i]), math.Sqrt(squares.v[j]); a > 0 && b > 0 {
				dst[i*s+j] = max(-1, min(products.v[i*s+j]/a/b, 1))
			}
		}
	}
	return true
}

// Lengths stores in dst, of length S, the lengths of the gradients of record k.
func (l *Log) Lengths(dst []float64, k int) {
	m := newMeter(&Log{objectives: l.objectives})
	m.look(l, k)
	for i, v := range m.lengths {
		dst[i] = math.Ldexp(v, m.exponent)
	}
}

// Rates stores in dst the cosines between the gradients of record k and the direction with coefficients w. w and dst
// have length S. An objective with a negative rate is hurt. If the direction is zero, all rates are 0.
func (l *Log) Rates(dst, w []float64, k int) {
	m := newMeter(&Log{objectives: l.objectives})
	m.look(l, k)
	c := slices.Clone(w)
	unit(c)
	length := m.along(c)
	for i, v := range m.image {
		dst[i] = m.rate(i, v, length)
	}
}

// OtherRates does the same as Rates for the gradients on the other batch, assuming that gradients are as long on that
// batch as on this one. If the log has no cross, it returns false and stores nothing.
func (l *Log) OtherRates(dst, w []float64, k int) bool {
	if !l.HasCross() {
		return false
	}
	m := newMeter(l)
	m.look(l, k)
	c := slices.Clone(w)
	unit(c)
	length := m.along(c)
	m.crossed(c)
	for i, v := range m.image {
		dst[i] = m.rate(i, v, length)
	}
	return true
}
