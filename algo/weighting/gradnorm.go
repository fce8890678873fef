package weighting

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/portable"
)

const (
	defaultGradNormAlpha        = 1.5
	defaultGradNormLearningRate = 0.025
)

// GradNorm uses the weights λ = m·softmax(s). After each decision it takes a gradient step of s on
//
//	Σ_i |n_i − N·r_i^α|,   r_i = (f_i/f_i⁰)/mean_j(f_j/f_j⁰)
//
// where n_i = λ_i‖g_i‖, N is the mean of the n_i, and f⁰ are the losses at the first decision. The gradient step treats
// N and r as constants. s starts at 0. The lengths of the weighted gradients thus adapt to how fast each loss falls: if
// a loss has fallen less than the others, its weighted gradient gets longer. The weights have sum m. Every loss must be
// positive. The steps of s are proportional to the lengths of the gradients.
//
// References:
//   - Chen, Badrinarayanan, Lee & Rabinovich (2018), GradNorm: Gradient normalization for
//     adaptive loss balancing in deep multitask networks, ICML, equation (2) and
//     Algorithm 1, with a softmax for λ instead of the division at the end of its step.
type GradNorm struct {
	alpha, rate float64

	s, initial []float64 // s and f⁰, empty before the first decision

	norms, slopes, rates []float64 // m
}

var _ algo.Weighting = (*GradNorm)(nil)

// NewGradNorm returns the rule. α ≥ 0 determines how strongly it favours objectives whose losses fall slowly. lr > 0
// is the learning rate of s.
func NewGradNorm(alpha, lr float64) (*GradNorm, error) {
	if err := notNegative("alpha", alpha); err != nil {
		return nil, err
	}
	if err := positive("lr", lr); err != nil {
		return nil, err
	}
	return &GradNorm{alpha: alpha, rate: lr}, nil
}

// Needs reports that the rule requires the losses.
func (g *GradNorm) Needs() algo.Needs { return algo.Needs{Losses: true} }

// Weigh stores the weights and the direction Gᵀλ, and updates s. It returns an error if a loss is not positive. The
// status is Diverged if s is not finite. The gap is NaN, because there is no inner problem.
func (g *GradNorm) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, g.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	for i, f := range in.Losses {
		if !(f > 0) {
			return refusedLoss("gradnorm", i, f, "above 0")
		}
	}
	if len(g.s) == 0 {
		g.s, g.initial = resize(g.s, m), append(g.initial[:0], in.Losses...)
		clear(g.s)
	}
	if len(g.s) != m {
		return inputErrorf("gradnorm: %d objectives; earlier decisions had %d", m, len(g.s))
	}
	softmax(r.Weights, g.s, 1)
	for i := range r.Weights {
		r.Weights[i] *= float64(m)
	}
	if !g.learn(r.Weights, in) {
		diverged(r)
		return nil
	}
	combine(r, in)
	conclude(r)
	return nil
}

// learn updates s and reports whether the result is finite. If not, it leaves s unchanged.
func (g *GradNorm) learn(weights []float64, in *algo.Input) bool {
	m := len(weights)
	g.norms, g.slopes, g.rates = resize(g.norms, m), resize(g.slopes, m), resize(g.rates, m)
	var length, rate float64 // means
	for i, w := range weights {
		g.norms[i] = math.Ldexp(math.Sqrt(in.Gram[i*m+i]), in.Exponent)
		g.rates[i] = in.Losses[i] / g.initial[i]
		length += w * g.norms[i] / float64(m)
		rate += g.rates[i] / float64(m)
	}
	// The derivative with respect to λ_i is ±‖g_i‖, and for the softmax ∂λ_i/∂s_j = λ_i(δ_ij − λ_j/m).
	var mean float64
	for i, w := range weights {
		target := float64(length * portable.Pow(g.rates[i]/rate, g.alpha))
		switch n := float64(w * g.norms[i]); {
		case n > target:
			g.slopes[i] = g.norms[i]
		case n < target:
			g.slopes[i] = -g.norms[i]
		default: // also when the target is NaN
			g.slopes[i] = target - n
		}
		mean += w * g.slopes[i] / float64(m)
	}
	for i, w := range weights {
		g.slopes[i] = g.s[i] - float64(g.rate*w*(g.slopes[i]-mean))
	}
	if !algo.Finite(g.slopes) {
		return false
	}
	copy(g.s, g.slopes)
	return true
}

// Logits returns s, which is empty before the first decision. The slice belongs to the rule
// and is valid until the next decision.
func (g *GradNorm) Logits() []float64 { return g.s }

// Save appends s and the losses at the first decision.
func (g *GradNorm) Save(s *algo.Snapshot) {
	s.PutInt(len(g.s))
	s.PutFloats(g.s...)
	s.PutFloats(g.initial...)
}

// Load restores the state that Save appended.
func (g *GradNorm) Load(s *algo.Snapshot) {
	m := s.GetInt()
	g.s, g.initial = resize(g.s, m), resize(g.initial, m)
	s.GetFloats(g.s)
	s.GetFloats(g.initial)
}

var ruleGradNorm = Method{
	Name: "gradnorm", Title: "GradNorm", Paper: "Chen et al. 2018, equation (2) and Algorithm 1",
	Help:      "Learns weights that lengthen the gradients of objectives whose losses fall slowly. Losses must be positive.",
	Needs:     algo.Needs{Losses: true},
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true},
	Positive:  "inverts the ratio of two losses, its measure of how fast they fall",
	configure: configureGradNorm,
}

func configureGradNorm(s *scope) Constructor {
	alpha, rate := float64(defaultGradNormAlpha), float64(defaultGradNormLearningRate)
	s.list.Number(&alpha, s.describe(param.Descriptor{
		Name: "alpha", Symbol: "α", Label: "Pull towards equal rates",
		Max: 5, Step: 0.1,
		Effect: param.Restart,
		Help: "Controls how much a slowly falling loss lengthens its gradient. 0 makes all gradients equally long (Chen et al. 2018, " +
			"equation (2)).",
	}))
	s.list.Number(&rate, s.describe(param.Descriptor{
		Name: "lr", Label: "Learning rate of the weights",
		Min: 1e-4, Max: 1, Scale: param.Log,
		Effect: param.Restart,
		Help:   "Sets how fast the weights are learned, for gradients of about length 1.",
	}))
	return func(Context) (algo.Weighting, error) { return NewGradNorm(alpha, rate) }
}
