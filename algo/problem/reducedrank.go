package problem

import (
	"fmt"
	"slices"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// startDeviation is the standard deviation of the initial entries of U and V.
const startDeviation = 0.1

// ReducedRank is the problem of reduced-rank regression: all q responses are predicted from the same r ≤ min(d, q)
// directions in the space of d features. Objective k is the error of response k,
//
//	f_k(U, V) = mean over the examples of (y_k − x·U V_k)²,
//	∂f_k/∂U = g V_kᵀ,   ∂f_k/∂V_k = Uᵀg,   with g = (2/N) Σ (x·U V_k − y_k) x,
//
// where V_k is column k of V; f_k does not depend on the other columns. The variables are the entries of U (d×r,
// row-major), followed by the entries of V (r×q, row-major): V_bk is variable d·r + b·q + k.
//
// On a batch, values and gradients are means over the batch. Part of a gradient costs only the multiplications that
// it needs: see Work. With at most RegressionSolvable features, evaluating all examples costs as much as d/2
// examples, whatever N is. With more features, it costs as much as a batch of all examples.
//
// Every product of length d is one vectorised product or sum, both in the gradient of one objective and in the
// gradient of a weighted sum. A multiplication therefore takes the same time in both. (Matrix products in blas64
// would sum in a different order on other machines, and the page does not include them.)
//
// The objectives are not convex, but all local minima of a weighted sum are global (Baldi & Hornik); see Minimum.
//
// References:
//   - Block-SMOO, section 4.1; the paper prints the sum over the examples, but its step sizes fit the mean.
//   - Izenman (1975), Reduced-rank regression for the multivariate linear model, Journal of
//     Multivariate Analysis 5.
//   - Baldi & Hornik (1989), Neural networks and principal component analysis: learning from examples
//     without local minima, Neural Networks 2.
type ReducedRank struct {
	data *Regression
	rank int
	keep bool

	// Scratch space.
	columns []float64 // columns of U, r of length d
	pulls   []float64 // gradient with respect to the columns of U
	inner   []float64 // U V_k, of length d
	outer   []float64 // g
	z       []float64 // x·U, of length r
	pull    []float64 // gradient with respect to z
	errors  []float64 // errors of the q responses
	v       []float64 // r×q, gradient with respect to V
	rootsU  []float64 // Rᵀ U, r columns whose length is the rank of R
	rooted  []float64 // scratch column of the same length

	// product is the last computed X U, with r numbers for each example of its batch. It is empty at first.
	product []float64
	batch   []int
	u       []float64
}

var _ interface {
	algo.Partial
	algo.FiniteSum
} = (*ReducedRank)(nil)

// ReducedRankConfig configures a ReducedRank.
type ReducedRankConfig struct {
	Rank int // r, from 1 to min(d, q)
	// KeepProduct reuses X·U in the next gradient if the batch and U are the same. Gradients with respect to V alone
	// then cost almost nothing. This is useful if several steps on V share a batch, unlike the steps of the paper.
	// Gradients with respect to V then use X·U, and differ by rounding errors from gradients computed without X·U.
	KeepProduct bool
}

// NewReducedRank returns the problem for the given data. Several problems may use the same data concurrently.
// NewReducedRank returns an *algo.RangeError for invalid arguments.
func NewReducedRank(data *Regression, c ReducedRankConfig) (*ReducedRank, error) {
	if data == nil {
		return nil, &algo.RangeError{Name: "data", Value: nil, Allowed: "a Regression, as returned by NewRegression"}
	}
	d, q := data.features, data.responses
	if most := min(d, q); c.Rank < 1 || c.Rank > most {
		return nil, &algo.RangeError{
			Name: "rank", Value: c.Rank, Allowed: fmt.Sprintf("from 1 to %d, the lesser of features and responses", most),
		}
	}
	r := c.Rank
	return &ReducedRank{
		data: data, rank: r, keep: c.KeepProduct,
		columns: make([]float64, d*r), pulls: make([]float64, d*r), inner: make([]float64, d), outer: make([]float64, d),
		z: make([]float64, r), pull: make([]float64, r), errors: make([]float64, q), v: make([]float64, r*q),
		rootsU: make([]float64, r*data.rank), rooted: make([]float64, data.rank),
	}, nil
}

// Dims returns the numbers of variables and objectives: (d+q)·r and q.
func (p *ReducedRank) Dims() (n, m int) {
	return (p.data.features + p.data.responses) * p.rank, p.data.responses
}

// Labour returns the work for the forward and backward passes of one response on all examples. If R is known, its
// columns replace the examples.
func (p *ReducedRank) Labour() int { return 2 * p.length() * p.data.features * p.rank }

// LossLabour returns the work for the errors of all responses, which share the product with U.
func (p *ReducedRank) LossLabour() int {
	return p.length() * p.rank * (p.data.features + p.data.responses)
}

// length returns the number of rows that represent all examples.
func (p *ReducedRank) length() int {
	if p.data.roots != nil {
		return p.data.rank
	}
	return p.Examples()
}

// Examples returns N.
func (p *ReducedRank) Examples() int { return p.data.Examples() }

// Data returns the examples.
func (p *ReducedRank) Data() *Regression { return p.data }

// Rank returns r.
func (p *ReducedRank) Rank() int { return p.rank }

// Start returns a random initial point with entries from N(0, 0.01).
//
// References:
//   - Block-SMOO, section 4.3.
func (p *ReducedRank) Start(seed uint64, start int) []float64 {
	n, _ := p.Dims()
	source := algo.Stream(seed, start, 0, algo.StartPoints)
	x := make([]float64, n)
	for i := range x {
		x[i] = startDeviation * portable.Normal(&source)
	}
	return x
}

// factors returns U and V, which share the storage of x.
func (p *ReducedRank) factors(x []float64) (u, v []float64) {
	border := p.data.features * p.rank
	return x[:border], x[border:]
}

// wholly reports whether s requests all examples and the result can be computed from R, without the examples.
func (p *ReducedRank) wholly(s *algo.Sample) bool { return s.Batch == nil && p.data.roots != nil }

// column returns column b of U, which p.columns must already contain.
func (p *ReducedRank) column(b int) []float64 {
	d := p.data.features
	return p.columns[b*d : (b+1)*d]
}

// project stores x·U in z, using the columns of U.
func (p *ReducedRank) project(z, x []float64) {
	for b := range z {
		z[b] = portable.Dot(p.column(b), x)
	}
}

// miss stores the residuals z·V − y in errors.
func (p *ReducedRank) miss(z, v, y []float64) {
	q := len(y)
	for k, target := range y {
		e := -target
		for b, w := range z {
			e += float64(w * v[b*q+k])
		}
		p.errors[k] = e
	}
}

// Values stores the q errors at x in f.
func (p *ReducedRank) Values(f, x []float64) { p.ValuesAt(f, x, &algo.Sample{}) }

// Jacobian stores in jac the gradients of the q errors at x.
func (p *ReducedRank) Jacobian(jac *algo.Jacobian, x []float64) { p.JacobianAt(jac, x, &algo.Sample{}) }

// ValuesAt stores in f the objectives' means over the batch of s.
func (p *ReducedRank) ValuesAt(f, x []float64, s *algo.Sample) {
	u, v := p.factors(x)
	transpose(p.columns, u, p.data.features, p.rank)
	if p.wholly(s) {
		p.root(u)
		for k := range f {
			f[k] = p.wholeValue(k, v)
		}
		return
	}
	clear(f)
	count := batchSize(s.Batch, p.Examples())
	for j := range count {
		input, target := p.data.Example(example(s.Batch, j))
		p.project(p.z, input)
		p.miss(p.z, v, target)
		for k, e := range p.errors {
			f[k] += float64(e * e)
		}
	}
	for k := range f {
		f[k] /= float64(count)
	}
}

// JacobianAt stores in jac the gradients of the objectives' means over the batch of s.
func (p *ReducedRank) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	n, m := p.Dims()
	for k := range m {
		p.GradientAt(jac.Row(k), k, 0, n, x, s)
	}
}

// part is a range of variables, with the part of U that it contains.
type part struct {
	lo, hi   int
	from, to int // rows of U with entries in the range
	u        int // number of entries of U in the range
}

// part returns the range from variable lo to variable hi−1.
func (p *ReducedRank) part(lo, hi int) part {
	border := p.data.features * p.rank
	a := part{lo: lo, hi: hi, u: max(0, min(hi, border)-lo)}
	if a.u > 0 {
		a.from, a.to = lo/p.rank, (lo+a.u-1)/p.rank+1
	}
	return a
}

// rows returns the range of those rows of V whose entry in column k belongs to the given part.
func (p *ReducedRank) rows(a part, k int) (from, to int) {
	border, q := p.data.features*p.rank, p.data.responses
	first := func(bound int) int { return (max(0, bound-border-k) + q - 1) / q } // first row with an entry at or after bound
	return first(a.lo), first(a.hi)
}

// GradientAt stores in dst the coordinates lo to hi−1 of the gradient of objective k over the batch of s. Entries of
// V outside column k cost nothing.
func (p *ReducedRank) GradientAt(dst []float64, k, lo, hi int, x []float64, s *algo.Sample) {
	u, v := p.factors(x)
	d, q, r := p.data.features, p.data.responses, p.rank
	a := p.part(lo, hi)
	from, to := p.rows(a, k)
	kept := p.keep && s.Batch != nil && from < to
	if from < to && !kept {
		p.slope(k, 0, d, u, v, s)
	} else if a.u > 0 {
		p.slope(k, a.from, a.to, u, v, s)
	}
	clear(dst)
	for row := a.from; row < a.to; row++ {
		for b := range r {
			if i := row*r + b; i >= lo && i < hi {
				dst[i-lo] = p.outer[row] * v[b*q+k]
			}
		}
	}
	if kept {
		p.keptPull(k, from, to, u, v, s.Batch)
	} else {
		p.pullBack(from, to, u)
	}
	for b := from; b < to; b++ {
		dst[d*r+b*q+k-lo] = p.pull[b]
	}
}

// slope stores g[from:to] of objective k in outer[from:to].
func (p *ReducedRank) slope(k, from, to int, u, v []float64, s *algo.Sample) {
	q, r := p.data.responses, p.rank
	for a := range p.inner {
		var w float64
		for b, ub := range u[a*r : (a+1)*r] {
			w += float64(ub * v[b*q+k])
		}
		p.inner[a] = w
	}
	if p.wholly(s) {
		p.wholeSlope(k, from, to)
		return
	}
	outer := p.outer[from:to]
	clear(outer)
	count := batchSize(s.Batch, p.Examples())
	share := 2 / float64(count)
	for j := range count {
		input, target := p.data.Example(example(s.Batch, j))
		addScaled(outer, share*(portable.Dot(input, p.inner)-target[k]), input[from:to])
	}
}

// pullBack stores (Uᵀg)[from:to] in pull[from:to].
func (p *ReducedRank) pullBack(from, to int, u []float64) {
	for b := from; b < to; b++ {
		var sum float64
		for a, g := range p.outer {
			sum += float64(u[a*p.rank+b] * g)
		}
		p.pull[b] = sum
	}
}

// hold computes product, the X·U of a batch, unless it is already available.
func (p *ReducedRank) hold(u []float64, batch []int) {
	if slices.Equal(p.u, u) && slices.Equal(p.batch, batch) {
		return
	}
	transpose(p.columns, u, p.data.features, p.rank)
	p.product = slices.Grow(p.product[:0], len(batch)*p.rank)[:len(batch)*p.rank]
	for j, i := range batch {
		p.project(p.held(j), p.data.input(i))
	}
	p.u, p.batch = append(p.u[:0], u...), append(p.batch[:0], batch...)
}

// held returns x·U of example j of the batch to which product belongs.
func (p *ReducedRank) held(j int) []float64 { return p.product[j*p.rank : (j+1)*p.rank] }

// keptPull computes from X·U the gradient of objective k with respect to V_k, and stores its entries [from:to] in
// pull[from:to].
func (p *ReducedRank) keptPull(k, from, to int, u, v []float64, batch []int) {
	p.hold(u, batch)
	clear(p.pull)
	q := p.data.responses
	share := 2 / float64(batchSize(batch, p.Examples()))
	for j, i := range batch {
		z := p.held(j)
		e := -p.data.response(i)[k]
		for b, w := range z {
			e += float64(w * v[b*q+k])
		}
		e *= share
		for b := from; b < to; b++ {
			p.pull[b] += float64(e * z[b])
		}
	}
}

// WeightedGradientAt stores in dst the gradient of Σ w_k f_k over the batch of s.
func (p *ReducedRank) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	p.WeightedGradientPartAt(dst, w, 0, len(dst), x, s)
}

// WeightedGradientPartAt stores in dst the coordinates lo to hi−1 of the gradient of Σ w_k f_k over the batch of s.
// They equal the same coordinates of WeightedGradientAt, bit for bit.
func (p *ReducedRank) WeightedGradientPartAt(dst, w []float64, lo, hi int, x []float64, s *algo.Sample) {
	u, v := p.factors(x)
	d, r := p.data.features, p.rank
	a := p.part(lo, hi)
	clear(p.v)
	for b := range r {
		clear(p.pulls[b*d+a.from : b*d+a.to])
	}
	kept := p.keep && s.Batch != nil && a.u == 0
	if kept {
		p.hold(u, s.Batch)
	} else {
		transpose(p.columns, u, d, r)
	}
	if p.wholly(s) {
		p.wholeWeighted(a, w, u, v)
	} else {
		count := batchSize(s.Batch, p.Examples())
		share := 2 / float64(count)
		for j := range count {
			input, target := p.data.Example(example(s.Batch, j))
			z := p.z
			if kept {
				z = p.held(j)
			} else {
				p.project(z, input)
			}
			p.miss(z, v, target)
			for k, wk := range w {
				p.errors[k] *= float64(share * wk)
			}
			p.pullAll(a, input, v)
			p.pullV(a, z)
		}
	}
	for row := a.from; row < a.to; row++ {
		for b := range r {
			if i := row*r + b; i >= lo && i < hi {
				dst[i-lo] = p.pulls[b*d+row]
			}
		}
	}
	if a.u < len(dst) {
		copy(dst[a.u:], p.v[lo+a.u-d*r:])
	}
}

// pullAll adds the contribution of the errors of the example x to the gradient with respect to
// the columns of U.
func (p *ReducedRank) pullAll(a part, x, v []float64) {
	if a.u == 0 {
		return
	}
	d, q := p.data.features, p.data.responses
	for b := range p.rank {
		var pull float64
		for k, e := range p.errors {
			pull += float64(e * v[b*q+k])
		}
		addScaled(p.pulls[b*d+a.from:b*d+a.to], pull, x[a.from:a.to])
	}
}

// weightedRows returns the range of those rows of V that have an entry in the given part.
func (p *ReducedRank) weightedRows(a part) (from, to int) {
	border, q := p.data.features*p.rank, p.data.responses
	return max(0, a.lo-border) / q, max(0, a.hi-border+q-1) / q
}

// pullV adds the contribution of the errors of an example with x·U = z to the gradient with respect to V, in the rows
// of V that have an entry in the given part.
func (p *ReducedRank) pullV(a part, z []float64) {
	from, to := p.weightedRows(a)
	for b := from; b < to; b++ {
		for k, e := range p.errors {
			p.v[b*len(p.errors)+k] += float64(z[b] * e)
		}
	}
}
