package federated

import (
	"fmt"
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/algo/internal/schedule"
	"paretoplay/internal/portable"
)

// Config configures the clients' data and their local training.
type Config struct {
	Data *Data
	// Epochs is the number of passes that a client makes through its samples in a round, ≥ 0. With 0, gradients are
	// exact.
	Epochs int
	Batch  int     // samples per local step, ≥ 1; ignored if Epochs is 0
	Rate   float64 // step size η > 0 of the local steps; ignored if Epochs is 0
	// Prox is μ ≥ 0. Local steps minimise the loss plus (μ/2)‖θ − θ_t‖², where θ_t is the model at the start of the
	// round. A positive μ gives FedProx; all other methods use 0.
	Prox float64
}

// Clients is the problem whose objectives are the clients' training losses,
//
//	L_i(θ) = mean over the training samples (x, y) of client i of −ln softmax(θ(x, 1))_y.
//
// Values and Jacobian compute these losses and their gradients. The gradient on a sample is a client's update. The
// client starts at θ and runs Epochs passes of steps θ' ← θ' − η (mean gradient of a batch + μ(θ' − θ)). Then
//
//	GradientAt = (θ − θ')/η,
//
// so that a step of size η along it is the local update θ' − θ itself. Every pass shuffles the client's samples; the
// order depends only on Sample.Noise and the client. The last batch of a pass contains the remaining samples.
//
// If Epochs is positive, such a gradient is the sum of the gradients of all local steps. A client with more samples
// therefore has a longer gradient, and its expectation is not the gradient of the loss. Losses have no noise, so
// ValuesAt equals Values.
//
// References:
//   - McMahan, Moore, Ramage, Hampson & Agüera y Arcas (2017), AISTATS, Algorithm 1.
//   - Li et al. (2020), FedProx, MLSys, Algorithm 2.
//   - MosT, section 6.2: local updates θ_j^i − θ_j, aggregated by Γ.
type Clients struct {
	data        *Data
	epochs      int
	batch       int
	rate, prox  float64
	n, width    int // number of variables in total, and per class
	classes     int
	scratch     []float64 // length n, part of a gradient
	local       []float64 // length n, θ'
	scores      []float64 // length C
	errors      []float64 // batch×C: class probabilities minus 1 at the label
	order       []int     // length of the largest training set
	source      rand.PCG
	draw        *rand.Rand // draws from source
	evaluations evaluations
}

var _ algo.Partial = (*Clients)(nil)

// NewClients returns the problem that c describes. An error names the invalid field.
func NewClients(c Config) (*Clients, error) {
	if c.Data == nil {
		return nil, algo.ErrNoProblem
	}
	if err := c.Data.check(); err != nil {
		return nil, err
	}
	if c.Epochs < 0 {
		return nil, &algo.RangeError{Name: "epochs", Value: c.Epochs, Allowed: "it must not be negative"}
	}
	if c.Epochs > 0 && c.Batch < 1 {
		return nil, &algo.RangeError{Name: "batch", Value: c.Batch, Allowed: "it must be at least 1"}
	}
	if !(c.Prox >= 0) || math.IsInf(c.Prox, 1) {
		return nil, &algo.RangeError{Name: "mu", Value: c.Prox, Allowed: "it must be finite and not negative"}
	}
	width := c.Data.Features + 1
	p := &Clients{data: c.Data, epochs: c.Epochs, prox: c.Prox, n: c.Data.Classes * width, width: width, classes: c.Data.Classes}
	most := 0
	for i := range c.Data.Clients {
		most = max(most, c.Data.Clients[i][Training].Len())
	}
	p.batch = max(1, min(c.Batch, most))
	p.scratch, p.local = make([]float64, p.n), make([]float64, p.n)
	p.scores, p.errors = make([]float64, p.classes), make([]float64, p.batch*p.classes)
	p.order = make([]int, most)
	p.draw = rand.New(&p.source)
	if c.Epochs > 0 {
		if err := p.SetRate(c.Rate); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// SetRate changes the step size η of the local steps.
func (p *Clients) SetRate(rate float64) error {
	if err := schedule.Positive("eta", "it", rate); err != nil {
		return err
	}
	p.rate = rate
	return nil
}

// Data returns the clients' samples.
func (p *Clients) Data() *Data { return p.data }

// Dims returns the number of variables, C·(features+1), and the number of objectives, one per client.
func (p *Clients) Dims() (n, m int) { return p.n, len(p.data.Clients) }

// Labour returns the work of one client's training on the largest training set. It includes forward and backward
// passes.
func (p *Clients) Labour() int { return 2 * max(p.epochs, 1) * len(p.order) * p.n }

// LossLabour returns the work of computing all training losses, which involves no training.
func (p *Clients) LossLabour() int { return len(p.data.Clients) * len(p.order) * p.n }

// Starts returns start models for m solutions. All entries are uniform in ±1/√features, the usual initialisation of a
// linear layer.
func (p *Clients) Starts(m int, seed uint64) [][]float64 {
	bound := 1 / math.Sqrt(float64(p.data.Features))
	starts := make([][]float64, m)
	for j := range starts {
		source := algo.Stream(seed, j, 0, algo.StartPoints)
		draw := rand.New(&source)
		starts[j] = make([]float64, p.n)
		for i := range starts[j] {
			starts[j][i] = bound * (2*float64(draw.Float64()) - 1)
		}
	}
	return starts
}

// score stores the class scores θ(x, 1) in dst and returns the largest score.
func score(dst, theta, x []float64) float64 {
	top := math.Inf(-1)
	for c := range dst {
		s := portable.Dot(x, theta[c*len(x):(c+1)*len(x)])
		dst[c] = s
		if s > top {
			top = s
		}
	}
	return top
}

// largest stores the class scores in dst and returns the class with the largest score. If several classes have this
// score, it returns the first of them.
func largest(dst, theta, x []float64) int {
	score(dst, theta, x)
	best := 0
	for c, s := range dst {
		if s > dst[best] {
			best = c
		}
	}
	return best
}

// faint is a limit for a class's score minus the largest score. Below this limit, the class is negligible: since
// e^faint < 2^−54, its probability does not change a floating-point sum that contains the most probable class.
const faint = -37.5

// soften replaces scores by numbers proportional to the class probabilities and returns their sum. The argument top
// is the largest score. Negligible probabilities become 0.
func soften(scores []float64, top float64) float64 {
	var sum float64
	for c, s := range scores {
		e := 0.0
		switch s -= top; {
		case s == 0:
			e = 1
		case s >= faint:
			e = portable.Exp(s)
		case s != s: // NaN
			e = s
		}
		scores[c] = e
		sum += e
	}
	return sum
}

// loss returns −ln of the probability of a label, given the scores and their maximum top. It overwrites the scores.
func loss(scores []float64, top float64, label int) float64 {
	behind := top - scores[label]
	return portable.Log(soften(scores, top)) + behind
}

// meanLoss returns the mean loss over the samples.
func (p *Clients) meanLoss(theta []float64, s *Samples) float64 {
	var sum float64
	for j, y := range s.Label {
		top := score(p.scores, theta, s.row(j, p.width))
		sum += loss(p.scores, top, y)
	}
	return sum / float64(s.Len())
}

// Values stores the clients' training losses in f.
func (p *Clients) Values(f, x []float64) {
	for i := range f {
		f[i] = p.meanLoss(x, &p.data.Clients[i][Training])
	}
}

// ValuesAt equals Values, because losses have no noise.
func (p *Clients) ValuesAt(f, x []float64, _ *algo.Sample) { p.Values(f, x) }

// Jacobian stores the gradients of the training losses in jac.
func (p *Clients) Jacobian(jac *algo.Jacobian, x []float64) {
	for i := range jac.Rows {
		p.exact(jac.Row(i), i, x)
	}
}

// exact stores the gradient of a client's training loss in dst.
func (p *Clients) exact(dst []float64, client int, theta []float64) {
	s := &p.data.Clients[client][Training]
	clear(dst)
	weight := 1 / float64(s.Len())
	for j, y := range s.Label {
		x := s.row(j, p.width)
		p.residual(p.scores, theta, x, y)
		p.spread(dst, weight, p.scores, x)
	}
}

// residual stores in dst the gradient of a sample's loss with respect to the scores: the class probabilities minus 1 at
// the label.
func (p *Clients) residual(dst, theta, x []float64, label int) {
	top := score(dst, theta, x)
	scale := 1 / soften(dst, top)
	for c := range dst {
		dst[c] *= scale
	}
	dst[label]--
}

// spread adds weight times the gradient of a sample's loss to dst.
func (p *Clients) spread(dst []float64, weight float64, residual, x []float64) {
	for c, r := range residual {
		if r != 0 {
			portable.AddScaled(dst[c*p.width:(c+1)*p.width], weight*r, x)
		}
	}
}

// train runs a client's local training from θ and stores the result in p.local.
func (p *Clients) train(client int, theta []float64, sample *algo.Sample) {
	s := &p.data.Clients[client][Training]
	order := p.order[:s.Len()]
	for j := range order {
		order[j] = j
	}
	noise := sample.Noise
	p.source = algo.Stream(noise.Uint64(), client, 0, algo.Shuffle)
	copy(p.local, theta)
	for range p.epochs {
		for j := len(order) - 1; j > 0; j-- {
			k := p.draw.IntN(j + 1)
			order[j], order[k] = order[k], order[j]
		}
		for from := 0; from < len(order); from += p.batch {
			p.descend(order[from:min(from+p.batch, len(order))], s, theta)
		}
	}
}

// descend takes a local step on one batch.
func (p *Clients) descend(batch []int, s *Samples, theta []float64) {
	for b, j := range batch {
		p.residual(p.errors[b*p.classes:(b+1)*p.classes], p.local, s.row(j, p.width), s.Label[j])
	}
	if p.prox > 0 {
		back := p.rate * p.prox
		for i, v := range p.local {
			p.local[i] = v - float64(back*(v-theta[i]))
		}
	}
	weight := -p.rate / float64(len(batch))
	for b, j := range batch {
		p.spread(p.local, weight, p.errors[b*p.classes:(b+1)*p.classes], s.row(j, p.width))
	}
}

// GradientAt stores in dst coordinates lo to hi−1 of (θ − θ')/η for client i. It runs the client's complete training
// even if only some coordinates are requested.
func (p *Clients) GradientAt(dst []float64, i, lo, hi int, x []float64, s *algo.Sample) {
	if p.epochs == 0 {
		p.exact(p.scratch, i, x)
		copy(dst, p.scratch[lo:hi])
		return
	}
	p.train(i, x, s)
	for k := range dst {
		dst[k] = (x[lo+k] - p.local[lo+k]) / p.rate
	}
}

// JacobianAt stores the result of GradientAt for every client in jac.
func (p *Clients) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	for i := range jac.Rows {
		p.GradientAt(jac.Row(i), i, 0, p.n, x, s)
	}
}

// SumGradients returns the number of clients with a non-zero weight. Only these clients train for the weighted sum.
func (p *Clients) SumGradients(w []float64) (count int) {
	for _, wi := range w {
		if wi != 0 {
			count++
		}
	}
	return count
}

// WeightedGradientAt stores the weighted sum of the results of GradientAt for all clients in dst. Clients with weight 0
// do not train.
func (p *Clients) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	clear(dst)
	for i, wi := range w {
		if wi == 0 {
			continue
		}
		if p.epochs == 0 {
			p.exact(p.scratch, i, x)
		} else {
			p.GradientAt(p.scratch, i, 0, p.n, x, s)
		}
		portable.AddScaled(dst, wi, p.scratch)
	}
}

// checkModels returns the number of models in x. It panics if the length of x is not a multiple of a model's length.
func (p *Clients) checkModels(x []float64) int {
	if len(x) == 0 || len(x)%p.n != 0 {
		panic(fmt.Sprintf("federated: length %d is not a multiple of the model's length %d", len(x), p.n))
	}
	return len(x) / p.n
}
