package problem

import (
	"fmt"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// DiagonalSum is a problem with M ≥ 1 objectives in d variables. Each objective is the mean over K examples of
//
//	f_mk(w) = ½ Σ_j D_mkj (w_j − C_mkj)²,   ∂f_mk/∂w_j = D_mkj (w_j − C_mkj),   D ≥ 0.
//
// On a batch, values and gradients are means over the batch. Over all examples, values and gradients cost M·d, for
// any K. If H_mj is the mean of D_mkj over the examples and c_mj is the mean of C_mkj weighted by D_mkj, the
// objective is L_m(c) + ½ Σ_j H_mj (w_j − c_mj)².
//
// All objectives are convex, so minimisers of weighted sums are Pareto optimal.
type DiagonalSum struct {
	d, examples int
	curvatures  [][]float64 // for each objective, K rows D of length d
	minima      [][]float64 // for each objective, K rows C
	smoothness  float64

	hessians [][]float64 // H of each objective, length d
	centres  [][]float64 // c of each objective; 0 where all curvatures are 0
	least    []float64   // L_m(c)
}

var _ interface {
	algo.Partial
	algo.FiniteSum
} = (*DiagonalSum)(nil)

// DiagonalSumConfig configures random examples of DiagonalSum. Its fields have the same meaning as in
// LeastSquaresConfig, except that Noise is the standard deviation of the minimisers C around w*.
type DiagonalSumConfig struct {
	Objectives, Examples, Variables int
	Condition, Heterogeneity, Noise float64
	Seed                            uint64
}

// RandomDiagonalSum draws curvatures D_mkj uniformly from ½s_j² to 3s_j²/2, where s goes from 1 to 1/√Condition in
// equal steps, and minimisers C_mk = w*_m + Noise·N(0, I), with the w* of RandomLeastSquares. With the same seed, a
// problem with fewer examples or objectives consists of the first examples and objectives of a larger problem.
// RandomDiagonalSum returns an *algo.RangeError that names an invalid field.
func RandomDiagonalSum(c DiagonalSumConfig) (*DiagonalSum, error) {
	if err := checkSum(c.Objectives, c.Examples, c.Variables); err != nil {
		return nil, err
	}
	if err := checkDrawn(c.Condition, c.Heterogeneity, c.Noise); err != nil {
		return nil, err
	}
	d := c.Variables
	p := &DiagonalSum{d: d, examples: c.Examples}
	scale := deviations(d, c.Condition)
	for m := range c.Objectives {
		target := drawTarget(c.Seed, m, d, c.Heterogeneity)
		inputs := algo.Stream(c.Seed, m, inputStream, algo.Data)
		labels := algo.Stream(c.Seed, m, labelStream, algo.Data)
		draw := rand.New(&inputs)
		curvatures, minima := make([]float64, c.Examples*d), make([]float64, c.Examples*d)
		for i := range curvatures {
			s := scale[i%d]
			curvatures[i] = float64(s*s) * (0.5 + float64(draw.Float64()))
			minima[i] = target[i%d] + float64(c.Noise*portable.Normal(&labels))
		}
		p.curvatures, p.minima = append(p.curvatures, curvatures), append(p.minima, minima)
	}
	p.prepare()
	return p, nil
}

// NewDiagonalSum returns the problem with curvatures d ≥ 0 and minimisers c, each M×K×d numbers of magnitude at most
// 1e75. It copies them. It returns an *algo.RangeError that names an invalid element of D or C.
func NewDiagonalSum(d, c [][][]float64) (*DiagonalSum, error) {
	curvatures, examples, variables, err := flatten("D", d)
	if err != nil {
		return nil, err
	}
	for m, piece := range curvatures {
		for i, v := range piece {
			if v < 0 {
				return nil, &algo.RangeError{
					Name: fmt.Sprintf("D[%d][%d][%d]", m, i/variables, i%variables), Value: v, Allowed: "not negative",
				}
			}
		}
	}
	minima, k, n, err := flatten("C", c)
	if err != nil {
		return nil, err
	}
	if len(minima) != len(curvatures) || k != examples || n != variables {
		return nil, &algo.RangeError{
			Name: "C", Value: []int{len(minima), k, n}, Allowed: "the shape of D",
			Text: fmt.Sprintf("C is %d×%d×%d, D is %d×%d×%d", len(minima), k, n, len(curvatures), examples, variables),
		}
	}
	p := &DiagonalSum{d: variables, examples: examples, curvatures: curvatures, minima: minima}
	p.prepare()
	return p, nil
}

// prepare computes the curvatures, minimisers and minima of the objectives over all examples.
func (p *DiagonalSum) prepare() {
	for m, curvatures := range p.curvatures {
		h, center := make([]float64, p.d), make([]float64, p.d)
		for i, v := range curvatures {
			p.smoothness = max(p.smoothness, v)
			h[i%p.d] += v
			center[i%p.d] += float64(v * p.minima[m][i])
		}
		for j, v := range h {
			if v > 0 {
				center[j] /= v
			}
			h[j] /= float64(p.examples)
		}
		p.hessians, p.centres = append(p.hessians, h), append(p.centres, center)
		p.least = append(p.least, p.value(m, center, nil))
	}
}

// Dims returns d and M.
func (p *DiagonalSum) Dims() (n, m int) { return p.d, len(p.curvatures) }

// Examples returns K.
func (p *DiagonalSum) Examples() int { return p.examples }

// Example returns the curvatures D and the minimiser C of example k of objective i, of length d, for
// 0 ≤ i < M and 0 ≤ k < K. The caller must not modify them.
func (p *DiagonalSum) Example(i, k int) (d, c []float64) {
	return p.curvatures[i][k*p.d : (k+1)*p.d : (k+1)*p.d], p.minima[i][k*p.d : (k+1)*p.d : (k+1)*p.d]
}

// SampleSmoothness returns the largest D_mkj. It is a Lipschitz constant of the gradients of all f_mk, of their means
// over batches and of all convex combinations of these functions.
func (p *DiagonalSum) SampleSmoothness() float64 { return p.smoothness }

// LowerBounds returns the minimum of each objective, in a slice of length M. The caller must not modify it.
func (p *DiagonalSum) LowerBounds() []float64 { return p.least }

// Minimum returns the minimiser of Σ λ_m L_m, of length d. Variables without effect are 0. The weights must be
// finite, not negative and not all zero; only their ratios matter. Minimum panics unless there are M weights.
func (p *DiagonalSum) Minimum(lambda []float64) ([]float64, error) {
	relative, err := relativeWeights(lambda, len(p.hessians))
	if err != nil {
		return nil, err
	}
	w := make([]float64, p.d)
	for j := range w {
		var curvature float64
		for m, l := range relative {
			h := float64(l * p.hessians[m][j])
			curvature += h
			w[j] += float64(h * p.centres[m][j])
		}
		if curvature > 0 {
			w[j] /= curvature
		}
	}
	return w, nil
}

// Values stores L_m(x) in f.
func (p *DiagonalSum) Values(f, x []float64) {
	for i := range f {
		var sum float64
		center := p.centres[i]
		for j, h := range p.hessians[i] {
			e := x[j] - center[j]
			sum += float64(float64(h*e) * e)
		}
		f[i] = p.least[i] + float64(sum/2)
	}
}

// value returns the mean of objective i over a batch, computed from the examples.
func (p *DiagonalSum) value(i int, x []float64, batch []int) float64 {
	count := batchSize(batch, p.examples)
	var sum float64
	for b := range count {
		curvature, minimum := p.Example(i, example(batch, b))
		for j, v := range curvature {
			e := x[j] - minimum[j]
			sum += float64(float64(v*e) * e)
		}
	}
	return sum / float64(2*count)
}

// Jacobian stores in jac the gradient of every L_m at x.
func (p *DiagonalSum) Jacobian(jac *algo.Jacobian, x []float64) {
	for i := range p.hessians {
		p.slope(jac.Row(i), i, 0, p.d, x)
	}
}

// slope stores in dst the coordinates lo to hi−1 of the gradient of L_i at x.
func (p *DiagonalSum) slope(dst []float64, i, lo, hi int, x []float64) {
	h, center := p.hessians[i][lo:hi], p.centres[i][lo:hi]
	for j, v := range x[lo:hi] {
		dst[j] = h[j] * (v - center[j])
	}
}

// ValuesAt stores in f the objectives' means over the batch of s.
func (p *DiagonalSum) ValuesAt(f, x []float64, s *algo.Sample) {
	if s.Batch == nil {
		p.Values(f, x)
		return
	}
	for i := range f {
		f[i] = p.value(i, x, s.Batch)
	}
}

// JacobianAt stores in jac the gradients of the objectives' means over the batch of s.
func (p *DiagonalSum) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	for i := range p.hessians {
		p.GradientAt(jac.Row(i), i, 0, p.d, x, s)
	}
}

// WeightedGradientAt stores in dst the gradient of Σ w_m L_m over the batch of s.
func (p *DiagonalSum) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	clear(dst)
	for m, wm := range w {
		switch {
		case wm == 0:
		case s.Batch == nil:
			addPull(dst, wm, p.hessians[m], p.centres[m], x)
		default:
			share := wm / float64(batchSize(s.Batch, p.examples))
			for _, k := range s.Batch {
				curvature, minimum := p.Example(m, k)
				addPull(dst, share, curvature, minimum, x)
			}
		}
	}
}

// setPull stores scale·h_j·(x_j − c_j) in every dst_j.
func setPull(dst []float64, scale float64, h, c, x []float64) {
	h, c, x = h[:len(dst)], c[:len(dst)], x[:len(dst)]
	for j := range dst {
		dst[j] = float64(scale*h[j]) * (x[j] - c[j])
	}
}

// addPull adds scale·h_j·(x_j − c_j) to every dst_j.
func addPull(dst []float64, scale float64, h, c, x []float64) {
	h, c, x = h[:len(dst)], c[:len(dst)], x[:len(dst)]
	for j := range dst {
		dst[j] += float64(float64(scale*h[j]) * (x[j] - c[j]))
	}
}

// GradientAt stores in dst the coordinates lo to hi−1 of the gradient of objective i over the batch of s.
func (p *DiagonalSum) GradientAt(dst []float64, i, lo, hi int, x []float64, s *algo.Sample) {
	if s.Batch == nil {
		p.slope(dst, i, lo, hi, x)
		return
	}
	share := 1 / float64(batchSize(s.Batch, p.examples))
	for b, k := range s.Batch {
		curvature, minimum := p.Example(i, k)
		if b == 0 {
			setPull(dst, share, curvature[lo:hi], minimum[lo:hi], x[lo:hi])
		} else {
			addPull(dst, share, curvature[lo:hi], minimum[lo:hi], x[lo:hi])
		}
	}
}
