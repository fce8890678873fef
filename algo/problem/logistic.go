package problem

import (
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// LogisticRidge is the ridge r of Logistic. It is small compared with the curvature of the losses, but large enough
// for each objective to have a unique minimiser.
const LogisticRidge = 0.01

const (
	logisticTasks     = 2
	logisticVariables = dimensions + 1 // the last variable is the bias
	// logisticSteepness determines how fast labels become certain as the distance of a point from its task's line
	// grows.
	logisticSteepness = 3.0
	// leastTold is the smallest decrease of a mean of losses, relative to the mean, that rounding errors cannot hide.
	leastTold = 1e-10
	// leastShare is the smallest share of a step that halving tries.
	leastShare = 0x1p-50
)

// Logistic is a problem with two tasks of logistic regression that share one model. Each task has K points x in the
// plane with labels y = ±1. A line separates the labels, in a different direction for each task. With w = (w_1, w_2,
// bias), each objective is the mean over its points of
//
//	f_mk(w) = log(1 + exp(−y_mk·w·(x_mk, 1))) + (r/2)‖w‖²,   r = LogisticRidge.
//
// The ridge includes the bias. On a batch, values and gradients are means over the batch. Evaluating all examples
// costs as much as a batch of all examples. Both objectives are strongly convex, so the Pareto-optimal points are the
// minimisers of weighted sums.
//
// The points are drawn from N(0, I). A label of task m is +1 with probability σ(3 u_m·x), where σ(t) = 1/(1+e^−t).
// u_1 and u_2 are unit vectors at an angle of h·90°, where h is the heterogeneity: the diagonal (1, 1)/√2 rotated by
// −h·45° and h·45°.
type Logistic struct {
	examples int
	points   [logisticTasks][]float64 // K rows (x_1, x_2, 1)
	labels   [logisticTasks][]float64 // K numbers, +1 or −1

	smoothness float64
	least      []float64
}

var _ interface {
	algo.Partial
	algo.FiniteSum
} = (*Logistic)(nil)

// LogisticConfig configures random examples of Logistic.
type LogisticConfig struct {
	Examples      int     // K ≥ 1 per task, with 6K ≤ 2³¹
	Heterogeneity float64 // from 0 (same line for both tasks) to 1 (lines at right angles)
	Seed          uint64
}

// RandomLogistic returns the problem that c describes. With the same seed, a problem with fewer examples consists of
// the first examples of a larger problem. RandomLogistic returns an *algo.RangeError for an invalid field.
func RandomLogistic(c LogisticConfig) (*Logistic, error) {
	if err := checkSum(logisticTasks, c.Examples, logisticVariables); err != nil {
		return nil, err
	}
	if err := checkDrawn(1, c.Heterogeneity, 0); err != nil {
		return nil, err
	}
	p := &Logistic{examples: c.Examples}
	for m := range logisticTasks {
		sine, cosine := portable.Sincos(math.Pi / 4 * (1 + float64(c.Heterogeneity*float64(2*m-1))))
		inputs := algo.Stream(c.Seed, m, inputStream, algo.Data)
		labels := algo.Stream(c.Seed, m, labelStream, algo.Data)
		draw := rand.New(&labels)
		for range c.Examples {
			x1, x2 := portable.Normal(&inputs), portable.Normal(&inputs)
			y := -1.0
			if draw.Float64() < portable.Sigmoid(logisticSteepness*(float64(cosine*x1)+float64(sine*x2))) {
				y = 1
			}
			p.points[m], p.labels[m] = append(p.points[m], x1, x2, 1), append(p.labels[m], y)
			p.smoothness = max(p.smoothness, LogisticRidge+float64((float64(x1*x1)+float64(x2*x2)+1)/4))
		}
	}
	for m := range logisticTasks {
		only := make([]float64, logisticTasks)
		only[m] = 1
		p.least = append(p.least, p.value(m, p.minimum(only), nil))
	}
	return p, nil
}

// Dims returns the numbers of variables and objectives: 3 and 2.
func (p *Logistic) Dims() (n, m int) { return logisticVariables, logisticTasks }

// Labour returns the work for all examples of a task, in multiplications. Each example takes an exponential and a few
// multiplications.
func (p *Logistic) Labour() int { return 16 * p.examples }

// Examples returns K.
func (p *Logistic) Examples() int { return p.examples }

// Example returns the point (x_1, x_2, 1) and the label, +1 or −1, of example k of task i, for 0
// ≤ i < 2 and 0 ≤ k < K. The caller must not modify the point.
func (p *Logistic) Example(i, k int) (x []float64, y float64) {
	return p.point(i, k), p.labels[i][k]
}

func (p *Logistic) point(i, k int) []float64 {
	const n = logisticVariables
	return p.points[i][k*n : (k+1)*n : (k+1)*n]
}

// SampleSmoothness returns the largest ‖(x, 1)‖²/4 + r. It is a Lipschitz constant of the gradients of all f_mk, of
// their means over batches and of all convex combinations of these functions.
func (p *Logistic) SampleSmoothness() float64 { return p.smoothness }

// LowerBounds returns the minimum of each objective, in a slice of length 2. The caller must not modify it.
func (p *Logistic) LowerBounds() []float64 { return p.least }

// Minimum returns the minimiser of λ_1 L_1 + λ_2 L_2, of length 3. The weights must be finite, not negative and not
// all zero; only their ratios matter. Minimum panics unless there are two weights.
func (p *Logistic) Minimum(lambda []float64) ([]float64, error) {
	relative, err := relativeWeights(lambda, logisticTasks)
	if err != nil {
		return nil, err
	}
	return p.minimum(relative), nil
}

// minimum runs Newton's method from 0 and returns the last point. It halves steps until the sum falls by a tenth of
// the decrease predicted by the slope. When rounding errors hide the decrease, it takes full steps. Each full step
// doubles the number of correct digits, up to the accuracy of the gradient.
func (p *Logistic) minimum(lambda []float64) []float64 {
	const n = logisticVariables
	w, gradient, step, next := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	value := p.sum(lambda, w)
	for whole := 0; whole < newtonSteps; {
		p.combine(gradient, lambda, w, nil)
		copy(step, gradient)
		factorize(p.hessian(lambda, w), n, nil).solve(step)
		promised := portable.Dot(gradient, step)
		if promised <= leastTold*value || !p.descend(next, w, step, lambda, value, promised/10) {
			addScaled(w, -1, step)
			whole++
			continue
		}
		copy(w, next)
		value = p.sum(lambda, w)
	}
	return w
}

// descend tries w − step, w − step/2, w − step/4, … until the weighted sum has fallen from the given value by a
// sufficient share of the promised decrease. It stores this point in next and reports whether it has found one.
func (p *Logistic) descend(next, w, step, lambda []float64, value, promised float64) bool {
	for share := 1.0; share > leastShare; share /= 2 {
		copy(next, w)
		addScaled(next, -share, step)
		if p.sum(lambda, next) <= value-float64(share*promised) {
			return true
		}
	}
	return false
}

// sum returns Σ λ_m L_m(w).
func (p *Logistic) sum(lambda, w []float64) float64 {
	var sum float64
	for m, l := range lambda {
		sum += float64(l * p.value(m, w, nil))
	}
	return sum
}

// hessian returns the lower triangle of the Hessian of Σ λ_m L_m at w.
func (p *Logistic) hessian(lambda, w []float64) []float64 {
	const n = logisticVariables
	h := make([]float64, n*n)
	for m, l := range lambda {
		for k := range p.examples {
			x := p.point(m, k)
			s := portable.Sigmoid(portable.Dot(x, w))
			curvature := l / float64(p.examples) * s * (1 - s)
			for r, v := range x {
				addScaled(h[r*n:r*n+r+1], curvature*v, x[:r+1])
			}
		}
		for r := range n {
			h[r*n+r] += float64(l * LogisticRidge)
		}
	}
	return h
}

// value returns the mean of objective i over a batch.
func (p *Logistic) value(i int, w []float64, batch []int) float64 {
	count := batchSize(batch, p.examples)
	var sum float64
	for j := range count {
		k := example(batch, j)
		sum += softplus(-p.labels[i][k] * portable.Dot(p.point(i, k), w))
	}
	return sum/float64(count) + float64(LogisticRidge/2*portable.Dot(w, w))
}

// slope returns share times the derivative, with respect to w·(x, 1), of the logarithm in f_ik.
func (p *Logistic) slope(i, k int, w []float64, share float64) float64 {
	y := p.labels[i][k]
	return -y * share * portable.Sigmoid(-y*portable.Dot(p.point(i, k), w))
}

// combine stores in dst Σ λ_m ∇L_m(w) over a batch.
func (p *Logistic) combine(dst, lambda, w []float64, batch []int) {
	count := batchSize(batch, p.examples)
	clear(dst)
	for m, l := range lambda {
		if l == 0 {
			continue
		}
		share := l / float64(count)
		for j := range count {
			k := example(batch, j)
			addScaled(dst, p.slope(m, k, w, share), p.point(m, k))
		}
		addScaled(dst, l*LogisticRidge, w)
	}
}

// Values stores the two objectives at w in f.
func (p *Logistic) Values(f, w []float64) { p.ValuesAt(f, w, &algo.Sample{}) }

// Jacobian stores in jac the gradients of the two objectives at w.
func (p *Logistic) Jacobian(jac *algo.Jacobian, w []float64) { p.JacobianAt(jac, w, &algo.Sample{}) }

// ValuesAt stores in f the objectives' means over the batch of s.
func (p *Logistic) ValuesAt(f, w []float64, s *algo.Sample) {
	for i := range f {
		f[i] = p.value(i, w, s.Batch)
	}
}

// JacobianAt stores in jac the gradients of the objectives' means over the batch of s.
func (p *Logistic) JacobianAt(jac *algo.Jacobian, w []float64, s *algo.Sample) {
	for i := range logisticTasks {
		p.GradientAt(jac.Row(i), i, 0, logisticVariables, w, s)
	}
}

// WeightedGradientAt stores in dst the gradient of λ_1 L_1 + λ_2 L_2 over the batch of s.
func (p *Logistic) WeightedGradientAt(dst, lambda, w []float64, s *algo.Sample) {
	p.combine(dst, lambda, w, s.Batch)
}

// GradientAt stores in dst the coordinates lo to hi−1 of the gradient of objective i over the batch of s.
func (p *Logistic) GradientAt(dst []float64, i, lo, hi int, w []float64, s *algo.Sample) {
	count := batchSize(s.Batch, p.examples)
	share := 1 / float64(count)
	setScaled(dst, LogisticRidge, w[lo:hi])
	for j := range count {
		k := example(s.Batch, j)
		addScaled(dst, p.slope(i, k, w, share), p.point(i, k)[lo:hi])
	}
}
