package problem

import (
	"fmt"
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// RegressionSolvable is the maximum number of features for which a Regression solves its least squares problem. At
// this maximum, the Regression stores 8 MB of numbers and the solution takes N·d²/2 multiplications and additions.
const RegressionSolvable = 1024

// Regression holds data for regression with several responses: N examples of d features x and q responses y. It never
// changes, so any number of problems may share it.
//
// With at most RegressionSolvable features, a few numbers represent all examples, whatever N is. The mean of (x·w −
// y_k)² over all examples is
//
//	least_k + g_k·(w − c_k) + ‖Rᵀ(w − c_k)‖²   with R·Rᵀ = (1/N) Σ x xᵀ
//
// around the computed minimiser c_k. The gradient g_k there is not exactly 0 because of rounding errors.
type Regression struct {
	features, responses int
	x, y                []float64 // N×d and N×q

	truth [2][]float64 // U* and V*; nil if unknown

	rank      int         // rank of R
	roots     [][]float64 // the d rows of R, of length at most rank; nil if R is not computed
	solutions [][]float64 // c_k
	targets   [][]float64 // Rᵀc_k, of length rank
	remainder [][]float64 // g_k
	offsets   []float64   // g_k·c_k
	least     []float64   // least_k
}

// RegressionConfig configures a random Regression.
type RegressionConfig struct {
	Train, Test         int     // numbers of training and test examples, ≥ 1
	Features, Responses int     // d and q, ≥ 1; all numbers together are at most 2³¹
	TrueRank            int     // rank of the true U*V*, from 1 to min(d, q)
	Noise               float64 // standard deviation of the responses around x·U*V*, from 0 to 1e75
	// UnitResponses divides each response, and its column of V*, by the root mean square of the response over the
	// training examples. All responses then have the same scale, and a step size has the same effect for any d.
	UnitResponses bool
	Seed          uint64
	// Yielder, unless nil, lets RandomRegression pause. The data do not depend on it.
	Yielder *algo.Yielder
}

// RandomRegression draws training and test examples of the same kind: x from N(0, I), and y = x·U*V* + Noise·N(0, I).
// The d×TrueRank matrix U* and the TrueRank×q matrix V* have entries from N(0, 1). With the same seed and without
// UnitResponses, a smaller set contains the first examples of a larger one, and a different noise level changes nothing
// else. RandomRegression returns an *algo.RangeError that names an invalid field.
//
// References:
//   - Block-SMOO, section 4.2, equation (4.2), with 2¹⁴ and 2¹⁰ examples, d = 400, q = 5, rank 3 and
//     noise 0.05.
func RandomRegression(c RegressionConfig) (train, test *Regression, err error) {
	for _, n := range []struct {
		name  string
		value int
	}{{"train", c.Train}, {"test", c.Test}, {"features", c.Features}, {"responses", c.Responses}} {
		if n.value < 1 {
			return nil, nil, &algo.RangeError{Name: n.name, Value: n.value, Allowed: "at least 1"}
		}
	}
	if numbers := (float64(c.Train) + float64(c.Test)) * (float64(c.Features) + float64(c.Responses)); numbers > maxNumbers {
		return nil, nil, &algo.RangeError{
			Name: "examples × (features + responses)", Value: numbers, Allowed: fmt.Sprintf("at most %d numbers", maxNumbers),
		}
	}
	if most := min(c.Features, c.Responses); c.TrueRank < 1 || c.TrueRank > most {
		return nil, nil, &algo.RangeError{Name: "true rank", Value: c.TrueRank, Allowed: fmt.Sprintf("from 1 to %d", most)}
	}
	if !(c.Noise >= 0 && c.Noise <= largestEntry) {
		return nil, nil, &algo.RangeError{
			Name: "noise", Value: c.Noise, Allowed: fmt.Sprintf("not negative and at most %v", largestEntry),
		}
	}
	truth := [2][]float64{
		drawNormal(algo.Stream(c.Seed, 0, targetStream, algo.Data), c.Features*c.TrueRank),
		drawNormal(algo.Stream(c.Seed, 1, targetStream, algo.Data), c.TrueRank*c.Responses),
	}
	train, test = c.draw(0, c.Train, truth), c.draw(1, c.Test, truth)
	if c.UnitResponses {
		for k, size := range train.sizes() {
			if size > 0 {
				train.divide(k, size)
				test.divide(k, size)
				for b := range c.TrueRank {
					truth[1][b*c.Responses+k] /= size
				}
			}
		}
	}
	train.solve(c.Yielder)
	test.solve(c.Yielder)
	return train, test, nil
}

// sizes returns the root mean squares of the responses.
func (r *Regression) sizes() []float64 {
	sizes := make([]float64, r.responses)
	n := math.Sqrt(float64(r.Examples()))
	column := make([]float64, r.Examples())
	for k := range sizes {
		for i := range column {
			column[i] = r.response(i)[k]
		}
		sizes[k] = portable.Norm(column) / n
	}
	return sizes
}

// divide divides response k of every example by size.
func (r *Regression) divide(k int, size float64) {
	for i := range r.Examples() {
		r.response(i)[k] /= size
	}
}

// draw returns random examples. use selects the random streams.
func (c *RegressionConfig) draw(use, examples int, truth [2][]float64) *Regression {
	r := &Regression{features: c.Features, responses: c.Responses, truth: truth}
	r.x = make([]float64, 0, examples*c.Features)
	for source, row := algo.Stream(c.Seed, use, inputStream, algo.Data), 0; row < examples; row++ {
		c.Yielder.Yield(drawn * c.Features)
		r.x = appendNormal(r.x, &source, c.Features)
	}
	r.y = make([]float64, examples*c.Responses)
	noise := algo.Stream(c.Seed, use, labelStream, algo.Data)
	columns, inner := make([]float64, c.Features*c.TrueRank), make([]float64, c.TrueRank)
	transpose(columns, truth[0], c.Features, c.TrueRank)
	for i := range examples {
		c.Yielder.Yield(c.Features*c.TrueRank + drawn*c.Responses)
		x, y := r.Example(i)
		for b := range inner {
			inner[b] = portable.Dot(x, columns[b*c.Features:(b+1)*c.Features])
		}
		for k := range y {
			y[k] = float64(c.Noise * portable.Normal(&noise))
			for b, v := range inner {
				y[k] += float64(v * truth[1][b*c.Responses+k])
			}
		}
	}
	return r
}

// drawn is the approximate cost of drawing a normal number, in multiplications.
const drawn = 16

func drawNormal(source rand.PCG, n int) []float64 {
	return appendNormal(make([]float64, 0, n), &source, n)
}

// appendNormal appends n random numbers from N(0, 1) to v.
func appendNormal(v []float64, source *rand.PCG, n int) []float64 {
	for range n {
		v = append(v, portable.Normal(source))
	}
	return v
}

// transpose stores the transpose of the rows×columns matrix a in dst.
func transpose(dst, a []float64, rows, columns int) {
	for i := range rows {
		for j, v := range a[i*columns : (i+1)*columns] {
			dst[j*rows+i] = v
		}
	}
}

// NewRegression returns a Regression with N ≥ 1 examples. x is N×d and y is N×q, both row-major, with numbers of
// magnitude at most 1e75. NewRegression keeps x and y; the caller must not modify them afterwards. It returns an
// *algo.RangeError for an invalid argument, and panics if x and y have different numbers of examples.
func NewRegression(features, responses int, x, y []float64) (*Regression, error) {
	for _, n := range []struct {
		name  string
		value int
	}{{"features", features}, {"responses", responses}, {"examples", len(x)}} {
		if n.value < 1 {
			return nil, &algo.RangeError{Name: n.name, Value: n.value, Allowed: "at least 1"}
		}
	}
	n := len(x) / features
	if len(x) != n*features || len(y) != n*responses {
		panic("problem: wrong lengths of features and responses")
	}
	r := &Regression{features: features, responses: responses, x: x, y: y}
	for i := range n {
		a, b := r.Example(i)
		if err := checkEntries(fmt.Sprintf("x[%d]", i), a); err != nil {
			return nil, err
		}
		if err := checkEntries(fmt.Sprintf("y[%d]", i), b); err != nil {
			return nil, err
		}
	}
	r.solve(nil)
	return r, nil
}

// Examples returns N.
func (r *Regression) Examples() int { return len(r.x) / r.features }

// Features returns d.
func (r *Regression) Features() int { return r.features }

// Responses returns q.
func (r *Regression) Responses() int { return r.responses }

// Example returns the features, of length d, and the responses, of length q, of example i, for 0
// ≤ i < N. The caller must not modify them.
func (r *Regression) Example(i int) (x, y []float64) { return r.input(i), r.response(i) }

func (r *Regression) input(i int) []float64 {
	return r.x[i*r.features : (i+1)*r.features : (i+1)*r.features]
}

func (r *Regression) response(i int) []float64 {
	return r.y[i*r.responses : (i+1)*r.responses : (i+1)*r.responses]
}

// Truth returns the true U* (d×rank) and V* (rank×q) of random responses, row-major, or nil if they are unknown. The
// caller must not modify them.
func (r *Regression) Truth() (u, v []float64) { return r.truth[0], r.truth[1] }

// solve computes R, and the minimisers and minima over all examples.
func (r *Regression) solve(yielder *algo.Yielder) {
	n, d := r.Examples(), r.features
	if d > RegressionSolvable {
		return
	}
	h := make([]float64, d*d)
	share := 1 / float64(n)
	for i := range n {
		yielder.Yield(d * d / 2)
		x := r.input(i)
		for a, v := range x {
			addScaled(h[a*d:a*d+a+1], share*v, x[:a+1])
		}
	}
	factor := factorize(h, d, yielder)
	r.rank, r.roots = factor.rank, factor.roots()
	r.solutions, r.remainder = matrix(r.responses, d), matrix(r.responses, d)
	for range newtonSteps {
		r.slopes(r.remainder, r.solutions, yielder)
		for k, g := range r.remainder {
			factor.solve(g)
			addScaled(r.solutions[k], -0.5, g)
		}
	}
	r.least = r.slopes(r.remainder, r.solutions, yielder)
	r.targets = matrix(r.responses, r.rank)
	for k, c := range r.solutions {
		for a, v := range c {
			addScaled(r.targets[k][:len(r.roots[a])], v, r.roots[a])
		}
		r.offsets = append(r.offsets, portable.Dot(r.remainder[k], c))
	}
}

func matrix(rows, columns int) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = make([]float64, columns)
	}
	return m
}

// slopes stores the gradient of the mean of (x·w_k − y_k)² in g_k for each response k. It returns the means.
func (r *Regression) slopes(g, w [][]float64, yielder *algo.Yielder) []float64 {
	n := r.Examples()
	means := make([]float64, r.responses)
	for k := range g {
		clear(g[k])
	}
	for i := range n {
		yielder.Yield(2 * r.features * r.responses)
		x, y := r.Example(i)
		for k, target := range y {
			e := portable.Dot(x, w[k]) - target
			means[k] += float64(e * e)
			addScaled(g[k], 2/float64(n)*e, x)
		}
	}
	for k := range means {
		means[k] /= float64(n)
	}
	return means
}
