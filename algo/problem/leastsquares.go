package problem

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

const (
	// keptVariables is the maximum number of variables for which LeastSquares stores Hessians: 2 MB per objective.
	keptVariables = 512
	// LeastSquaresSolvable is the maximum number of variables for which LeastSquares computes minimisers.
	LeastSquaresSolvable = 1024
	// newtonSteps is the number of Newton steps to the minimiser. The first step solves for the minimiser; the others
	// remove the effect of rounding errors in the Hessian.
	newtonSteps = 3
)

// LeastSquares is a problem with M ≥ 1 objectives in d variables. Each objective is the mean over K examples of
//
//	f_mk(w) = ½(a_mk·w − y_mk)²,   ∇f_mk(w) = (a_mk·w − y_mk)·a_mk.
//
// On a batch, values and gradients are means over the batch. If d ≤ 512 and d ≤ 2K, their cost over all examples is
// M·d², whatever K is, because LeastSquares computes them as
//
//	L_m(w) = L_m(c) + g·(w−c) + ½(w−c)ᵀH(w−c)   with H = (1/K) Σ_k a_mk a_mkᵀ
//
// around the computed minimiser c of L_m. The gradient g = ∇L_m(c) is not exactly 0 because of rounding errors.
// Otherwise the cost is M·K·d.
//
// All objectives are convex, so minimisers of weighted sums are Pareto optimal.
type LeastSquares struct {
	d, examples int
	shared      bool        // whether all objectives have the same inputs
	inputs      [][]float64 // for each objective, K rows a of length d
	labels      [][]float64 // for each objective, K numbers y
	smoothness  float64

	hessians  [][]float64 // a d×d matrix for each objective, nil if they are not stored
	centres   [][]float64 // c, if Hessians are stored
	remainder [][]float64 // g
	least     []float64   // L_m(c), nil until computed
	offset    []float64   // scratch space: w − c
}

var _ interface {
	algo.Partial
	algo.FiniteSum
} = (*LeastSquares)(nil)

// LeastSquaresConfig configures random examples of LeastSquares.
type LeastSquaresConfig struct {
	Objectives, Examples, Variables int // M, K and d, ≥ 1, with M·K·d ≤ 2³¹
	// Condition is the condition number of the mean Hessian's expectation, finite and at least 1.
	Condition float64
	// Heterogeneity, from 0 to 1, determines how much the objectives disagree. With 0, all objectives have the same
	// w*. With 1, the w* are independent.
	Heterogeneity float64
	// Noise is the standard deviation of the labels around a·w*, from 0 to 1e75.
	Noise float64
	// SharedInputs uses the same inputs for all objectives, as in regression with several targets.
	SharedInputs bool
	Seed         uint64
}

// RandomLeastSquares draws inputs a from N(0, diag(s)²), where s goes from 1 to 1/√Condition in equal steps, and
// labels y = a·w*_m + Noise·N(0, 1). With h = Heterogeneity, w*_m = √(1−h²)·z_0 + h·z_m, where z_0 and z_m are drawn
// from N(0, I). With the same seed, a problem with fewer examples or objectives consists of the first examples and
// objectives of a larger problem. RandomLeastSquares returns an *algo.RangeError that names an invalid field.
func RandomLeastSquares(c LeastSquaresConfig) (*LeastSquares, error) {
	if err := checkSum(c.Objectives, c.Examples, c.Variables); err != nil {
		return nil, err
	}
	if err := checkDrawn(c.Condition, c.Heterogeneity, c.Noise); err != nil {
		return nil, err
	}
	d := c.Variables
	p := &LeastSquares{d: d, examples: c.Examples, shared: c.SharedInputs}
	scale := deviations(d, c.Condition)
	for m := range c.Objectives {
		if m > 0 && p.shared {
			p.inputs = append(p.inputs, p.inputs[0])
		} else {
			p.inputs = append(p.inputs, drawInputs(c.Seed, m, c.Examples, scale))
		}
		target := drawTarget(c.Seed, m, d, c.Heterogeneity)
		source := algo.Stream(c.Seed, m, labelStream, algo.Data)
		labels := make([]float64, c.Examples)
		for k := range labels {
			labels[k] = portable.Dot(p.input(m, k), target) + float64(c.Noise*portable.Normal(&source))
		}
		p.labels = append(p.labels, labels)
	}
	p.prepare()
	return p, nil
}

// drawInputs returns the inputs of objective m.
func drawInputs(seed uint64, m, examples int, scale []float64) []float64 {
	source := algo.Stream(seed, m, inputStream, algo.Data)
	inputs := make([]float64, examples*len(scale))
	for i := range inputs {
		inputs[i] = scale[i%len(scale)] * portable.Normal(&source)
	}
	return inputs
}

// NewLeastSquares returns the problem with inputs a, M×K×d, and labels y, M×K. Each number must be at most 1e75 in
// magnitude. It copies a and y. It returns an *algo.RangeError that names an invalid element of A or y.
func NewLeastSquares(a [][][]float64, y [][]float64) (*LeastSquares, error) {
	inputs, k, d, err := flatten("A", a)
	if err != nil {
		return nil, err
	}
	if len(y) != len(a) {
		return nil, &algo.RangeError{
			Name: "y", Value: len(y), Allowed: fmt.Sprintf("labels for %d objectives", len(a)),
			Text: fmt.Sprintf("y has labels for %d objectives, but A has inputs for %d", len(y), len(a)),
		}
	}
	p := &LeastSquares{d: d, examples: k, inputs: inputs}
	for m, labels := range y {
		name := fmt.Sprintf("y[%d]", m)
		if len(labels) != k {
			return nil, refusedLength(name, "labels", len(labels), k)
		}
		if err := checkEntries(name, labels); err != nil {
			return nil, err
		}
		p.labels = append(p.labels, append([]float64(nil), labels...))
	}
	p.prepare()
	return p, nil
}

// prepare computes the Hessians, minimisers and minima of the objectives over all examples.
func (p *LeastSquares) prepare() {
	for m := range p.inputs {
		if m > 0 && p.shared {
			break
		}
		for k := range p.examples {
			a := p.input(m, k)
			p.smoothness = max(p.smoothness, portable.Dot(a, a))
		}
	}
	if p.d > keptVariables || p.d > 2*p.examples {
		return
	}
	p.offset = make([]float64, p.d)
	var factor *semidefinite
	for m := range p.inputs {
		if m > 0 && p.shared {
			p.hessians = append(p.hessians, p.hessians[0])
		} else {
			h := make([]float64, p.d*p.d)
			p.addHessian(h, m, 1)
			mirror(h, p.d)
			p.hessians = append(p.hessians, h)
			factor = factorize(h, p.d, nil)
		}
		only := make([]float64, len(p.inputs))
		only[m] = 1
		center, g := p.minimum(factor, only), make([]float64, p.d)
		p.gradient(g, m, 0, p.d, center, nil)
		p.centres, p.remainder = append(p.centres, center), append(p.remainder, g)
		p.least = append(p.least, p.value(m, center, nil))
	}
}

// addHessian adds weight times the Hessian of objective m to the lower triangle of h, d×d.
func (p *LeastSquares) addHessian(h []float64, m int, weight float64) {
	weight /= float64(p.examples)
	for k := range p.examples {
		a := p.input(m, k)
		for r, v := range a {
			addScaled(h[r*p.d:r*p.d+r+1], weight*v, a[:r+1])
		}
	}
}

// mirror copies the lower triangle of the n×n matrix h to the upper one.
func mirror(h []float64, n int) {
	for r := range n {
		for c := range r {
			h[c*n+r] = h[r*n+c]
		}
	}
}

// minimum starts at 0, takes Newton steps on the weighted sum with the given factor of its Hessian, and returns the
// last point.
func (p *LeastSquares) minimum(factor *semidefinite, lambda []float64) []float64 {
	w, step := make([]float64, p.d), make([]float64, p.d)
	for range newtonSteps {
		p.combine(step, lambda, w, nil)
		factor.solve(step)
		addScaled(w, -1, step)
	}
	return w
}

// Dims returns d and M.
func (p *LeastSquares) Dims() (n, m int) { return p.d, len(p.inputs) }

// Examples returns K.
func (p *LeastSquares) Examples() int { return p.examples }

// Example returns the input a, of length d, and the label y of example k of objective i, for 0 ≤
// i < M and 0 ≤ k < K. The caller must not modify the input.
func (p *LeastSquares) Example(i, k int) (a []float64, y float64) {
	return p.input(i, k), p.labels[i][k]
}

func (p *LeastSquares) input(i, k int) []float64 { return p.inputs[i][k*p.d : (k+1)*p.d : (k+1)*p.d] }

// SampleSmoothness returns the largest ‖a_mk‖². It is a Lipschitz constant of the gradients of all f_mk, of their
// means over batches and of all convex combinations of these functions.
func (p *LeastSquares) SampleSmoothness() float64 { return p.smoothness }

// LowerBounds returns the minimum of each objective, computed like Minimum, in a slice of length M. It returns nil
// for more than LeastSquaresSolvable variables. The caller must not modify the slice. Without stored Hessians, the
// first call may take long.
func (p *LeastSquares) LowerBounds() []float64 {
	if p.least == nil && p.d <= LeastSquaresSolvable {
		p.least = make([]float64, len(p.inputs))
		for m := range p.least {
			only := make([]float64, len(p.inputs))
			only[m] = 1
			p.least[m] = p.value(m, p.minimum(p.factor(only), only), nil)
		}
	}
	return p.least
}

// Minimum returns a minimiser of Σ λ_m L_m, of length d. If the vector of a variable's inputs differs from a
// combination of other variables' vectors by less than about √d·3e-8 of its length, Minimum treats the two as equal and
// sets the variable to 0. The weights must be finite, not negative and not all zero; only their ratios matter. Minimum
// panics unless there are M weights. It returns an error for more than LeastSquaresSolvable variables.
func (p *LeastSquares) Minimum(lambda []float64) ([]float64, error) {
	relative, err := relativeWeights(lambda, len(p.inputs))
	if err != nil {
		return nil, err
	}
	if p.d > LeastSquaresSolvable {
		return nil, &algo.RangeError{
			Name: "variables", Value: p.d, Allowed: fmt.Sprintf("minimisers are computed for at most %d", LeastSquaresSolvable),
		}
	}
	return p.minimum(p.factor(relative), relative), nil
}

// factor returns a factor of the Hessian of Σ λ_m L_m, for solving linear systems.
func (p *LeastSquares) factor(lambda []float64) *semidefinite {
	h := make([]float64, p.d*p.d)
	for m, l := range lambda {
		switch {
		case l == 0:
		case p.hessians != nil:
			addScaled(h, l, p.hessians[m])
		default:
			p.addHessian(h, m, l)
		}
	}
	return factorize(h, p.d, nil)
}

// Values stores L_m(x) in f.
func (p *LeastSquares) Values(f, x []float64) {
	for i := range f {
		f[i] = p.objective(i, x)
	}
}

// objective returns L_i(x). It returns at least 0, because rounding errors might make the value negative far away,
// where L_i hardly curves.
func (p *LeastSquares) objective(i int, x []float64) float64 {
	if p.hessians == nil {
		return p.value(i, x, nil)
	}
	p.leave(i, x)
	var curved float64
	for j, v := range p.offset {
		curved += float64(v * portable.Dot(p.hessianRow(i, j), p.offset))
	}
	return max(0, p.least[i]+portable.Dot(p.remainder[i], p.offset)+float64(curved/2))
}

// leave stores x − c in offset, where c is the minimiser of objective i.
func (p *LeastSquares) leave(i int, x []float64) {
	for j, c := range p.centres[i] {
		p.offset[j] = x[j] - c
	}
}

func (p *LeastSquares) hessianRow(i, j int) []float64 { return p.hessians[i][j*p.d : (j+1)*p.d] }

// value returns the mean of objective i over a batch, computed from the examples.
func (p *LeastSquares) value(i int, x []float64, batch []int) float64 {
	count := batchSize(batch, p.examples)
	var sum float64
	for j := range count {
		r := p.residual(i, example(batch, j), x)
		sum += float64(r * r)
	}
	return sum / float64(2*count)
}

// residual returns a·x − y of example k of objective i.
func (p *LeastSquares) residual(i, k int, x []float64) float64 {
	return portable.Dot(p.input(i, k), x) - p.labels[i][k]
}

// Jacobian stores in jac the gradient of every L_m at x.
func (p *LeastSquares) Jacobian(jac *algo.Jacobian, x []float64) {
	for i := range p.inputs {
		p.slope(jac.Row(i), i, 0, p.d, x)
	}
}

// slope stores in dst the coordinates lo to hi−1 of the gradient of L_i at x.
func (p *LeastSquares) slope(dst []float64, i, lo, hi int, x []float64) {
	if p.hessians == nil {
		p.gradient(dst, i, lo, hi, x, nil)
		return
	}
	p.leave(i, x)
	for j := lo; j < hi; j++ {
		dst[j-lo] = p.remainder[i][j] + portable.Dot(p.hessianRow(i, j), p.offset)
	}
}

// gradient stores in dst coordinates lo to hi−1 of the mean gradient of objective i over a batch, computed from the
// examples.
func (p *LeastSquares) gradient(dst []float64, i, lo, hi int, x []float64, batch []int) {
	count := batchSize(batch, p.examples)
	share := 1 / float64(count)
	for j := range count {
		k := example(batch, j)
		r, a := share*p.residual(i, k, x), p.input(i, k)[lo:hi]
		if j == 0 {
			setScaled(dst, r, a)
		} else {
			addScaled(dst, r, a)
		}
	}
}

// combine stores in dst Σ w_m ∇L_m(x) over a batch, computed from the examples. It reads shared inputs only once.
func (p *LeastSquares) combine(dst, w, x []float64, batch []int) {
	count := batchSize(batch, p.examples)
	share := 1 / float64(count)
	clear(dst)
	for j := range count {
		k := example(batch, j)
		if p.shared {
			a := p.input(0, k)
			product, sum := portable.Dot(a, x), 0.0
			for m, wm := range w {
				sum += float64(wm * (product - p.labels[m][k]))
			}
			addScaled(dst, share*sum, a)
			continue
		}
		for m, wm := range w {
			if wm != 0 {
				addScaled(dst, float64(share*wm)*p.residual(m, k, x), p.input(m, k))
			}
		}
	}
}

// ValuesAt stores in f the objectives' means over the batch of s.
func (p *LeastSquares) ValuesAt(f, x []float64, s *algo.Sample) {
	if s.Batch == nil {
		p.Values(f, x)
		return
	}
	for i := range f {
		f[i] = p.value(i, x, s.Batch)
	}
}

// JacobianAt stores in jac the gradients of the objectives' means over the batch of s.
func (p *LeastSquares) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	for i := range p.inputs {
		p.GradientAt(jac.Row(i), i, 0, p.d, x, s)
	}
}

// WeightedGradientAt stores in dst the gradient of Σ w_m L_m over the batch of s.
func (p *LeastSquares) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	if s.Batch != nil || p.hessians == nil {
		p.combine(dst, w, x, s.Batch)
		return
	}
	clear(dst)
	for m, wm := range w {
		if wm == 0 {
			continue
		}
		p.leave(m, x)
		for j := range dst {
			dst[j] += float64(wm * (p.remainder[m][j] + portable.Dot(p.hessianRow(m, j), p.offset)))
		}
	}
}

// GradientAt stores in dst the coordinates lo to hi−1 of the gradient of objective i over the batch of s.
func (p *LeastSquares) GradientAt(dst []float64, i, lo, hi int, x []float64, s *algo.Sample) {
	if s.Batch == nil {
		p.slope(dst, i, lo, hi, x)
		return
	}
	p.gradient(dst, i, lo, hi, x, s.Batch)
}
