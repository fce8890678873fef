package problem

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// HyperCleaningConfig configures a hyper-cleaning problem. The sizes apply to each of the two data sets.
type HyperCleaningConfig struct {
	Classes    int     // C ≥ 2
	Train      int     // N ≥ 1, number of training samples, some with wrong labels
	Validation int     // number of clean samples for the upper level, at least 1
	Selection  int     // number of clean samples for choosing an iterate, at least 1
	Test       int     // number of clean samples for assessing the chosen iterate, at least 1
	Corruption float64 // share of wrong training labels, in [0, 1]
	Spread     float64 // > 0, spread of the points around the middle of their class
	Hidden     int     // ≥ 0, number of units in the shared layer; 0 means no shared layer
	Ridge      float64 // r ≥ 0, curvature added to the lower objective
	Seed       uint64  // determines the data, the wrong labels and, with a shared layer, the initial weights
}

// HyperCleaningSets is the number of data sets, m.
const HyperCleaningSets = 2

// DefaultHyperCleaningRidge is the default ridge. It is small compared with the curvature of the losses, but large
// enough for gradient steps to approach the minimiser within a few thousand steps.
const DefaultHyperCleaningRidge = 0.003

// HyperCleaning is a small data hyper-cleaning problem: two data sets of points in the plane, some with wrong
// training labels, and one model for both. The upper level gives every training sample a weight such that the model,
// trained with these weights, has small losses on clean samples:
//
//	F_i(α, ω) = mean of ℓ(ω; x, y) over the validation samples of data set i
//	f(α, ω)   = Σ_i (1/N) Σ_j σ(α_ij) ℓ(ω; x_ij, y_ij) + (r/2)‖ω‖²
//
// where ℓ is the cross-entropy of a softmax and σ(a) = 1/(1+e^−a). α has one entry for each training sample, first
// for the first and then for the second data set, so n = 2N.
//
// The model has a head for each data set: C rows of weights, each with a bias. Their products with the features of a
// point are the scores of the classes. The features are the point itself or, with H hidden units, tanh(Vx + c), which
// both data sets share. ω consists of V and c, as H rows (v_1, v_2, c), and then of the heads, each as C rows with
// the bias last. Its length p is 2·3C, or 3H + 2C(H+1).
//
// The paper has no ridge term (r = 0). The lower level may then have no minimiser: if ω separates the classes, losses
// keep falling as ω grows, and adding the same number to all scores of a head changes nothing. With r > 0 and no
// hidden layer, f is strongly convex in ω.
//
// The classes are on a circle in the first data set, and along the arms of a spiral in the second. A hidden layer can
// separate the arms better than straight lines.
//
// A HyperCleaning caches the model's results on the training samples for the last ω, and their derivatives along the
// last vector. Gradients and products at the same point share the cached numbers.
//
// References:
//   - Ye, Lin, Cao, Zhang & Tsang (2024), A first-order multi-gradient algorithm for
//     multi-objective bi-level optimization (FORUM), arXiv:2401.09257, section 5.1.
//   - Franceschi, Donini, Frasconi & Pontil (2017), ICML, section 5.1.
//   - Pearlmutter (1994), Fast exact multiplication by the Hessian: the products.
type HyperCleaning struct {
	config HyperCleaningConfig
	n, p   int
	// features is the number of inputs of a head, H or 2. head is the index in ω at which the heads start.
	features, head int

	data [HyperCleaningSets][Splits]Samples

	// The following fields hold results on the training samples, at the last ω and the last α.
	omega, alpha []float64
	known        bool      // whether omega is set
	probability  []float64 // n×C
	active       []float64 // n×H, outputs of the hidden layer
	peak         []float64 // Σ_c exp(s_c − max s)
	margin       []float64 // s_y − max s
	weight       []float64 // σ(α)

	// The following fields hold derivatives, along the last v and at the last ω, of the results on the training
	// samples.
	along      []float64
	tracked    bool      // whether along is set
	activeRate []float64 // n×H
	scoreRate  []float64 // n×C, derivatives of the scores minus their mean under the probabilities

	// Scratch space.
	scores         []float64    // length C
	back, backRate []float64    // length H
	output         []float64    // length H
	confusion      []int        // C×C
	ranked         [2][]float64 // sorted weights of clean and of corrupted samples
}

var _ algo.LowerHessian = (*HyperCleaning)(nil)

// NewHyperCleaning returns the problem that c describes. The error names the invalid field, the value and the allowed
// values.
func NewHyperCleaning(c HyperCleaningConfig) (*HyperCleaning, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	n, h := HyperCleaningSets*c.Train, c.Hidden
	b := &HyperCleaning{config: c, n: n, features: h, head: 3 * h}
	if h == 0 {
		b.features = dimensions
	}
	b.p = b.head + HyperCleaningSets*b.headSize()
	for set := range b.data {
		for split := range Splits {
			b.data[set][split] = c.draw(set, split)
		}
		b.data[set][Training].corrupt(c, set)
	}
	b.omega, b.alpha = make([]float64, b.p), make([]float64, n)
	b.probability, b.active = make([]float64, n*c.Classes), make([]float64, n*h)
	b.peak, b.margin, b.weight = make([]float64, n), make([]float64, n), make([]float64, n)
	for j := range b.weight {
		b.weight[j] = portable.Sigmoid(0) // the first α is 0
	}
	b.along, b.activeRate, b.scoreRate = make([]float64, b.p), make([]float64, n*h), make([]float64, n*c.Classes)
	b.scores, b.back, b.backRate, b.output = make([]float64, c.Classes), make([]float64, h), make([]float64, h), make([]float64, h)
	b.confusion = make([]int, c.Classes*c.Classes)
	for i := range b.ranked {
		b.ranked[i] = make([]float64, 0, n)
	}
	return b, nil
}

// check returns an error for values out of range.
func (c *HyperCleaningConfig) check() error {
	for _, size := range []struct {
		name         string
		value, least int
	}{{"classes", c.Classes, 2}, {"train", c.Train, 1}, {"validation", c.Validation, 1}, {"selection", c.Selection, 1},
		{"test", c.Test, 1}, {"hidden", c.Hidden, 0}} {
		if size.value < size.least {
			return &algo.RangeError{Name: size.name, Value: size.value, Allowed: fmt.Sprintf("it must be at least %d", size.least)}
		}
	}
	if !(c.Corruption >= 0 && c.Corruption <= 1) {
		return &algo.RangeError{Name: "corruption", Value: c.Corruption, Allowed: "the share must be between 0 and 1"}
	}
	if !(c.Spread > 0) || math.IsInf(c.Spread, 1) {
		return &algo.RangeError{Name: "spread", Value: c.Spread, Allowed: "it must be finite and positive"}
	}
	if !(c.Ridge >= 0) || math.IsInf(c.Ridge, 1) {
		return &algo.RangeError{Name: "ridge", Value: c.Ridge, Allowed: "it must be finite and not negative"}
	}
	return nil
}

// Config returns the problem's configuration.
func (b *HyperCleaning) Config() HyperCleaningConfig { return b.config }

// Dims returns n = 2N, p and m = 2.
func (b *HyperCleaning) Dims() (n, p, m int) { return b.n, b.p, HyperCleaningSets }

// Labour returns the work for the larger of the training and validation sets: a few multiplications per sample and
// entry of ω.
func (b *HyperCleaning) Labour() int { return 4 * max(b.config.Train, b.config.Validation) * b.p }

// headSize returns the number of weights of one head.
func (b *HyperCleaning) headSize() int { return b.config.Classes * (b.features + 1) }

// headOf returns the head of a data set: the part of ω, or of a vector of the same shape, that belongs to the data
// set.
func (b *HyperCleaning) headOf(omega []float64, set int) []float64 {
	from := b.head + set*b.headSize()
	return omega[from : from+b.headSize()]
}

// Start returns a new copy of the initial point: α = 0, so that all weights are ½, and ω = 0. With a shared layer, ω
// must not be 0: V is normal with standard deviation 1, and the heads' weights are normal with standard deviation
// 1/√H.
func (b *HyperCleaning) Start() []float64 {
	z := make([]float64, b.n+b.p)
	if b.config.Hidden == 0 {
		return z
	}
	source := algo.Stream(b.config.Seed, 0, 0, algo.StartPoints)
	omega := z[b.n:]
	for i := range b.config.Hidden {
		omega[3*i], omega[3*i+1] = portable.Normal(&source), portable.Normal(&source)
	}
	deviation := 1 / math.Sqrt(float64(b.features))
	for set := range HyperCleaningSets {
		head := b.headOf(omega, set)
		for i := range head {
			if (i+1)%(b.features+1) != 0 {
				head[i] = deviation * portable.Normal(&source)
			}
		}
	}
	return z
}

// activate stores in dst the outputs of the hidden layer at a point.
func (b *HyperCleaning) activate(dst, omega, x []float64) {
	for i := range dst {
		row := omega[3*i : 3*i+3]
		dst[i] = portable.Tanh(float64(row[0]*x[0]) + float64(row[1]*x[1]) + row[2])
	}
}

// seen returns the features of a point. They are the point itself, or the outputs of the hidden layer, which seen
// stores in output.
func (b *HyperCleaning) seen(output, omega, x []float64) []float64 {
	if len(output) == 0 {
		return x
	}
	b.activate(output, omega, x)
	return output
}

// score stores the scores of the classes in dst and returns the largest score.
func score(dst, head, features []float64) float64 {
	top := math.Inf(-1)
	if len(features) == dimensions { // the usual case: the features are the point itself
		x1, x2 := features[0], features[1]
		for c := range dst {
			row := head[3*c : 3*c+3]
			s := float64(row[0]*x1) + float64(row[1]*x2) + row[2]
			dst[c] = s
			if s > top {
				top = s
			}
		}
		return top
	}
	width := len(features) + 1
	for c := range dst {
		row := head[c*width : (c+1)*width]
		s := row[width-1]
		for k, v := range features {
			s += float64(row[k] * v)
		}
		dst[c] = s
		if s > top {
			top = s
		}
	}
	return top
}

// soften replaces scores by probabilities and returns Σ exp(s − top).
func soften(scores []float64, top float64) float64 {
	var sum float64
	for c, s := range scores {
		e := 1.0
		if s != top {
			e = portable.Exp(s - top)
		}
		scores[c] = e
		sum += e
	}
	scale := 1 / sum
	for c := range scores {
		scores[c] *= scale
	}
	return sum
}

// update computes the cached results on the training samples unless they already belong to ω.
func (b *HyperCleaning) update(omega []float64) {
	if b.known && slices.Equal(b.omega, omega) {
		return
	}
	copy(b.omega, omega)
	b.known, b.tracked = true, false
	classes, h := b.config.Classes, b.config.Hidden
	for set := range HyperCleaningSets {
		s, head := &b.data[set][Training], b.headOf(omega, set)
		for j, y := range s.Given {
			row := set*b.config.Train + j
			probability := b.probability[row*classes : (row+1)*classes]
			top := score(probability, head, b.seen(b.active[row*h:(row+1)*h], omega, s.Point(j)))
			b.margin[row] = probability[y] - top
			b.peak[row] = soften(probability, top)
		}
	}
}

// weigh computes the cached weights unless they already belong to α.
func (b *HyperCleaning) weigh(alpha []float64) {
	if slices.Equal(b.alpha, alpha) {
		return
	}
	copy(b.alpha, alpha)
	for j, a := range alpha {
		b.weight[j] = portable.Sigmoid(a)
	}
}

// loss returns the cross-entropy of a training sample at the ω of the last update.
func (b *HyperCleaning) loss(row int) float64 { return portable.Log(b.peak[row]) - b.margin[row] }

// slope returns σ'(α)/N for a training sample. Multiplied by the loss of the sample, it is the derivative of f with
// respect to the sample's entry of α.
func (b *HyperCleaning) slope(row int) float64 {
	w := b.weight[row]
	return w * (1 - w) / float64(b.config.Train)
}

// kept returns the row number, the cached probabilities and the features of a training sample.
func (b *HyperCleaning) kept(set, j int) (row int, probability, features []float64) {
	row = set*b.config.Train + j
	classes, h := b.config.Classes, b.config.Hidden
	features = b.active[row*h : (row+1)*h]
	if h == 0 {
		features = b.data[set][Training].Point(j)
	}
	return row, b.probability[row*classes : (row+1)*classes], features
}

// Values stores the mean validation losses in f.
func (b *HyperCleaning) Values(f, z []float64) {
	omega := z[b.n:]
	for set := range f {
		s, head := &b.data[set][Validation], b.headOf(omega, set)
		var sum float64
		for j, y := range s.Given {
			top := score(b.scores, head, b.seen(b.output, omega, s.Point(j)))
			margin := b.scores[y] - top
			sum += portable.Log(soften(b.scores, top)) - margin
		}
		f[set] = sum / float64(len(s.Given))
	}
}

// Jacobian stores the gradients of the mean validation losses in jac. They do not
// depend on α.
func (b *HyperCleaning) Jacobian(jac *algo.Jacobian, z []float64) {
	omega := z[b.n:]
	clear(jac.Data)
	for set := range HyperCleaningSets {
		s, head, gradient := &b.data[set][Validation], b.headOf(omega, set), jac.Row(set)[b.n:]
		for j, y := range s.Given {
			x := s.Point(j)
			features := b.seen(b.output, omega, x)
			soften(b.scores, score(b.scores, head, features))
			b.addGradient(gradient, set, head, x, features, b.scores, y, 1/float64(len(s.Given)))
		}
	}
}

// addGradient adds scale·∇_ω ℓ of a sample to dst. It uses the features of the sample and the probabilities of the
// classes.
func (b *HyperCleaning) addGradient(dst []float64, set int, head, x, features, probability []float64, y int, scale float64) {
	to, h, width := b.headOf(dst, set), b.config.Hidden, b.features+1
	if h == 0 {
		for c, p := range probability {
			if c == y {
				p--
			}
			addTo(to[3*c:3*c+3], float64(scale*p), x)
		}
		return
	}
	clear(b.back)
	for c, p := range probability {
		if c == y {
			p--
		}
		p = float64(p * scale)
		dst, weights := to[c*width:(c+1)*width], head[c*width:(c+1)*width]
		dst[h] += p
		for k, f := range features {
			dst[k] += float64(p * f)
			b.back[k] += float64(p * weights[k])
		}
	}
	for k, g := range b.back {
		addTo(dst[3*k:3*k+3], float64(g*(1-float64(features[k]*features[k]))), x)
	}
}

// Lower returns f(z).
func (b *HyperCleaning) Lower(z []float64) float64 {
	omega := z[b.n:]
	b.weigh(z[:b.n])
	b.update(omega)
	var sum, squares float64
	for row, w := range b.weight {
		sum += float64(w * b.loss(row))
	}
	for _, v := range omega {
		squares += float64(v * v)
	}
	return sum/float64(b.config.Train) + float64(b.config.Ridge/2*squares)
}

// LowerGradient stores ∇f(z) in dst.
func (b *HyperCleaning) LowerGradient(dst, z []float64) {
	b.LowerGradientOmega(dst[b.n:], z)
	for row := range b.weight {
		dst[row] = b.slope(row) * b.loss(row)
	}
}

// LowerGradientOmega stores ∇_ω f(z) in dst.
func (b *HyperCleaning) LowerGradientOmega(dst, z []float64) {
	omega := z[b.n:]
	b.weigh(z[:b.n])
	b.update(omega)
	for k, v := range omega {
		dst[k] = b.config.Ridge * v
	}
	for set := range HyperCleaningSets {
		s, head := &b.data[set][Training], b.headOf(omega, set)
		for j, y := range s.Given {
			row, probability, features := b.kept(set, j)
			b.addGradient(dst, set, head, s.Point(j), features, probability, y, b.weight[row]/float64(b.config.Train))
		}
	}
}

// HessianOmegaAlpha stores ∇²_ωα f(z)·u = Σ σ'(α_j)/N u_j ∇_ω ℓ_j in dst.
func (b *HyperCleaning) HessianOmegaAlpha(dst, z, u []float64) {
	omega := z[b.n:]
	b.weigh(z[:b.n])
	b.update(omega)
	clear(dst)
	for set := range HyperCleaningSets {
		s, head := &b.data[set][Training], b.headOf(omega, set)
		for j, y := range s.Given {
			row, probability, features := b.kept(set, j)
			if scale := b.slope(row) * u[row]; scale != 0 {
				b.addGradient(dst, set, head, s.Point(j), features, probability, y, scale)
			}
		}
	}
}

// differentiate computes the derivatives along v at the ω of the last update, unless they are already cached.
func (b *HyperCleaning) differentiate(v []float64) {
	if b.tracked && slices.Equal(b.along, v) {
		return
	}
	copy(b.along, v)
	b.tracked = true
	classes, h, width := b.config.Classes, b.config.Hidden, b.features+1
	for set := range HyperCleaningSets {
		s, head, rates := &b.data[set][Training], b.headOf(b.omega, set), b.headOf(v, set)
		for j := range s.Given {
			row, probability, features := b.kept(set, j)
			x, rate := s.Point(j), b.activeRate[row*h:(row+1)*h]
			for k := range rate {
				layer := v[3*k : 3*k+3]
				rate[k] = (1 - float64(features[k]*features[k])) * (float64(layer[0]*x[0]) + float64(layer[1]*x[1]) + layer[2])
			}
			var mean float64
			scores := b.scoreRate[row*classes : (row+1)*classes]
			score(scores, rates, features)
			for c, p := range probability {
				if len(rate) > 0 {
					weights := head[c*width : (c+1)*width]
					for k, r := range rate {
						scores[c] += float64(weights[k] * r)
					}
				}
				mean += float64(p * scores[c])
			}
			for c := range scores {
				scores[c] -= mean
			}
		}
	}
}

// HessianAlphaOmega stores ∇²_αω f(z)·v in dst. Entry j is σ'(α_j)/N times the derivative of ℓ_j along v.
func (b *HyperCleaning) HessianAlphaOmega(dst, z, v []float64) {
	b.weigh(z[:b.n])
	b.update(z[b.n:])
	b.differentiate(v)
	for set := range HyperCleaningSets {
		for j, y := range b.data[set][Training].Given {
			row := set*b.config.Train + j
			dst[row] = -b.slope(row) * b.scoreRate[row*b.config.Classes+y]
		}
	}
}

// HessianOmegaOmega stores ∇²_ωω f(z)·v in dst. It differentiates every step of addGradient along v.
func (b *HyperCleaning) HessianOmegaOmega(dst, z, v []float64) {
	omega := z[b.n:]
	b.weigh(z[:b.n])
	b.update(omega)
	b.differentiate(v)
	for k, x := range v {
		dst[k] = b.config.Ridge * x
	}
	classes, h, width := b.config.Classes, b.config.Hidden, b.features+1
	for set := range HyperCleaningSets {
		s, head, rates, to := &b.data[set][Training], b.headOf(omega, set), b.headOf(v, set), b.headOf(dst, set)
		for j, y := range s.Given {
			row, probability, features := b.kept(set, j)
			x, scale := s.Point(j), b.weight[row]/float64(b.config.Train)
			scores := b.scoreRate[row*classes : (row+1)*classes]
			if h == 0 {
				for c, p := range probability {
					addTo(to[3*c:3*c+3], float64(scale*p*scores[c]), x)
				}
				continue
			}
			rate := b.activeRate[row*h : (row+1)*h]
			clear(b.back)
			clear(b.backRate)
			for c, p := range probability {
				pull, pullRate := float64(scale*p), float64(scale*p*scores[c])
				if c == y {
					pull -= scale
				}
				dst, weights, weightRates := to[c*width:(c+1)*width], head[c*width:(c+1)*width], rates[c*width:(c+1)*width]
				dst[h] += pullRate
				for k, r := range rate {
					dst[k] += float64(pullRate*features[k]) + float64(pull*r)
					b.back[k] += float64(pull * weights[k])
					b.backRate[k] += float64(pullRate*weights[k]) + float64(pull*weightRates[k])
				}
			}
			for k, g := range b.back {
				f := features[k]
				addTo(dst[3*k:3*k+3], float64(b.backRate[k]*(1-float64(f*f)))-float64(2*f*rate[k]*g), x)
			}
		}
	}
}

// addTo adds scale·(x_1, x_2, 1) to a row of three numbers.
func addTo(row []float64, scale float64, x []float64) {
	_, _ = row[2], x[1]
	row[0] += float64(scale * x[0])
	row[1] += float64(scale * x[1])
	row[2] += scale
}
