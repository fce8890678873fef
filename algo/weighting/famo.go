package weighting

import (
	"fmt"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/portable"
)

const (
	defaultFAMOLearningRate = 0.025
	defaultFAMODecay        = 0.001
	defaultFAMOEpsilon      = 1e-8
)

// FAMOConfig contains the parameters of NewFAMO.
type FAMOConfig struct {
	LearningRate float64 // learning rate of the logits, above 0
	Decay        float64 // γ ≥ 0, decay of the logits
	Epsilon      float64 // ε > 0, added to f − b in the logarithm
	// LowerBounds holds the bounds b_s. Each b_s is strictly below every value of f_s. nil means 0.
	LowerBounds []float64
	// Plain selects the update ξ ← ξ − lr(δ + γξ) of the logits instead of Adam's.
	Plain bool
}

// FAMO weights the gradients by
//
//	λ_s = c·z_s/D_s,   c = 1/Σ_t (z_t/D_t)
//
// with logits ξ, z = softmax(ξ) and D_s = f_s − b_s + ε, so λ is on the simplex. FAMO stands for fast adaptive
// multitask optimization. It makes the logarithms of all losses fall at equal rates. It needs only the losses before
// and after a step, both on the same sample. After the step it updates
//
//	δ = J_softmax(ξ)ᵀ (log D(x_t) − log D(x_{t+1})),
//	ξ ← ξ − lr·Adam(δ + γξ)   or plainly   ξ ← ξ − lr·(δ + γξ)
//
// starting from ξ = 0. Every loss must be above b_s − ε.
//
// References:
//   - Liu, Feng, Stone & Liu (2023), FAMO: Fast adaptive multitask optimization,
//     NeurIPS 36, Algorithm 1.
type FAMO struct {
	config FAMOConfig
	adam   *Adam

	logits []float64 // ξ, empty before the first decision
	// fallen is the objective, counted from 1, whose loss reached its bound after a step, or 0 if there is none. The
	// next decision reports the objective and that loss.
	fallen   int
	fallenTo float64

	z, delta []float64
}

var (
	_ algo.Weighting = (*FAMO)(nil)
	_ algo.Observer  = (*FAMO)(nil)
)

// NewFAMO returns the rule with the given configuration, before its first decision. It copies LowerBounds.
func NewFAMO(c FAMOConfig) (*FAMO, error) {
	if err := positive("lr", c.LearningRate); err != nil {
		return nil, err
	}
	if err := notNegative("gamma", c.Decay); err != nil {
		return nil, err
	}
	if err := positive("epsilon", c.Epsilon); err != nil {
		return nil, err
	}
	if !algo.Finite(c.LowerBounds) {
		return nil, &algo.RangeError{
			Name: "b", Value: c.LowerBounds, Allowed: "finite numbers", Text: fmt.Sprintf("b = %v: use finite numbers", c.LowerBounds),
		}
	}
	c.LowerBounds = slices.Clone(c.LowerBounds)
	adam, err := NewAdam(DefaultAdamBeta1, DefaultAdamBeta2, DefaultAdamEpsilon)
	if err != nil {
		return nil, err
	}
	return &FAMO{config: c, adam: adam}, nil
}

// Needs reports that the rule requires the losses before and after the step.
func (f *FAMO) Needs() algo.Needs { return algo.Needs{Losses: true, After: true, Blind: true} }

// excess returns D_s for a loss of objective s, which is counted from 0.
func (f *FAMO) excess(s int, loss float64) float64 {
	if f.config.LowerBounds != nil {
		loss -= f.config.LowerBounds[s]
	}
	return loss + f.config.Epsilon
}

// Weigh stores λ and the direction Gᵀλ. It returns an error if a loss is not above its bound, or was not above it in
// the last Observe. The gap is NaN, because there is no inner problem.
func (f *FAMO) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, f.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	if b := f.config.LowerBounds; b != nil && len(b) != m {
		return refused("b", b, fmt.Sprintf("one for each of %d objectives", m))
	}
	if f.fallen > 0 {
		return f.belowBound(f.fallen-1, f.fallenTo)
	}
	if len(f.logits) == 0 {
		f.logits = resize(f.logits, m)
		clear(f.logits)
	}
	if len(f.logits) != m {
		return inputErrorf("famo: %d objectives; earlier decisions had %d", m, len(f.logits))
	}
	// c·z_s/D_s is the softmax of ξ − log D, which cannot overflow.
	for i, loss := range in.Losses {
		d := f.excess(i, loss)
		if !(d > 0) {
			return f.belowBound(i, loss)
		}
		r.Weights[i] = f.logits[i] - portable.Log(d)
	}
	softmax(r.Weights, r.Weights, 1)
	combine(r, in)
	conclude(r)
	return nil
}

func (f *FAMO) belowBound(s int, loss float64) error {
	var bound float64
	if f.config.LowerBounds != nil {
		bound = f.config.LowerBounds[s]
	}
	return refusedLoss("famo", s, loss, fmt.Sprintf("above its lower bound b = %g", bound))
}

// Observe updates the logits from the losses before and after the step that followed a decision. Both must be evaluated
// on the sample of that step.
func (f *FAMO) Observe(before, after []float64) {
	m := len(f.logits)
	if len(before) != m || len(after) != m {
		panic("weighting: FAMO.Observe needs an earlier decision and one loss for each objective")
	}
	f.z, f.delta = resize(f.z, m), resize(f.delta, m)
	softmax(f.z, f.logits, 1)
	var mean float64
	for i, loss := range after {
		was, is := f.excess(i, before[i]), f.excess(i, loss)
		if !(is > 0) || !(was > 0) {
			f.fallen, f.fallenTo = i+1, min(loss, before[i])
			return
		}
		f.delta[i] = portable.Log(was) - portable.Log(is)
		mean += float64(f.z[i] * f.delta[i])
	}
	// J_softmaxᵀv = z ⊙ (v − zᵀv)
	for i, z := range f.z {
		f.delta[i] = float64(z*(f.delta[i]-mean)) + float64(f.config.Decay*f.logits[i])
	}
	if !f.config.Plain {
		f.adam.Update(f.delta, f.delta)
	}
	for i, d := range f.delta {
		f.logits[i] -= float64(f.config.LearningRate * d)
	}
}

// Logits returns ξ, which is empty before the first decision. The slice belongs to the
// rule and is valid until the next Observe.
func (f *FAMO) Logits() []float64 { return f.logits }

// Save appends the logits, Adam's moments and, if a loss has reached its bound, that loss and its objective.
func (f *FAMO) Save(s *algo.Snapshot) {
	s.PutInt(len(f.logits))
	s.PutFloats(f.logits...)
	s.PutInt(f.fallen)
	s.PutFloats(f.fallenTo)
	if !f.config.Plain {
		f.adam.Save(s)
	}
}

// Load restores the state that Save appended.
func (f *FAMO) Load(s *algo.Snapshot) {
	f.logits = resize(f.logits, s.GetInt())
	s.GetFloats(f.logits)
	f.fallen, f.fallenTo = s.GetInt(), s.GetFloat()
	if !f.config.Plain {
		f.adam.Load(s)
	}
}

var ruleFAMO = Method{
	Name: "famo", Title: "FAMO", Paper: "Liu et al. 2023, Algorithm 1",
	Help:      "Makes the logarithms of all losses fall at equal rates, using only the losses before and after each step.",
	Needs:     algo.Needs{Losses: true, After: true, Blind: true},
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true, Homogeneous: true},
	Bounds:    "b",
	configure: configureFAMO,
}

func configureFAMO(s *scope) Constructor {
	c := FAMOConfig{LearningRate: defaultFAMOLearningRate, Decay: defaultFAMODecay, Epsilon: defaultFAMOEpsilon}
	s.list.Number(&c.LearningRate, s.describe(param.Descriptor{
		Name: "lr", Label: "Learning rate of the logits",
		Min: 1e-4, Max: 10, Scale: param.Log,
		Effect: param.Restart,
		Help:   "Sets how fast the logits of the weights are learned (Liu et al. 2023).",
	}))
	s.list.Number(&c.Decay, s.describe(param.Descriptor{
		Name: "gamma", Symbol: "γ", Label: "Decay of the logits",
		Max:    1,
		Effect: param.Restart,
		Help:   "Pulls the weights back towards equal weights; 0 turns this off (Liu et al. 2023).",
	}))
	s.list.Number(&c.Epsilon, s.describe(param.Descriptor{
		Name: "epsilon", Symbol: "ε", Label: "Offset in the logarithm",
		Min: 1e-12, Max: 1, Scale: param.Log,
		Effect: param.Restart,
		Help:   "Keeps the logarithm finite by adding ε to f − b.",
	}))
	var bounds [][]float64
	s.list.Points(&bounds, s.describe(param.Descriptor{
		Name: "b", Symbol: "b", Label: "Lower bounds of the losses",
		Min: -1e9, Max: 1e9, AtMost: 1,
		Effect: param.Restart,
		Help: "Enter one number for each objective, strictly below all its values. If empty, the rule uses the bounds of the problem, " +
			"or 0.",
	}))
	optimizer := famoAdam
	s.list.Choice(&optimizer, s.describe(param.Descriptor{
		Name: "optimizer", Label: "Optimizer of the logits",
		Options: []param.Option{
			{Value: "adam", Label: "Adam", Help: "Uses Adam with β1 = 0.9, β2 = 0.999 and ε = 1e-8, as in the published code."},
			{Value: "plain", Label: "plain", Help: "Takes a plain gradient step, as in the paper."},
		},
		Effect: param.Restart,
		Help:   "Selects how the logits are updated.",
	}))
	return func(context Context) (algo.Weighting, error) {
		c := c
		c.LowerBounds = context.LowerBounds
		if len(bounds) > 0 && len(bounds[0]) > 0 {
			c.LowerBounds = bounds[0]
		}
		c.Plain = optimizer == famoPlain
		return NewFAMO(c)
	}
}

// These are the values of the parameter optimizer.
const (
	famoAdam  = "adam"
	famoPlain = "plain"
)
