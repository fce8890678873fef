package weighting

import (
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// RLW draws in every iteration
//
//	λ = softmax(z),   z ~ N(0, I_m)
//
// independently of the gradients. RLW stands for random loss weighting. The numbers of iteration k come from the
// generator for (seed, start, k). The rule therefore has no history: repeating an iteration gives the same weights.
//
// References:
//   - Lin, Ye, Zhang & Tsang (2022), Reasonable effectiveness of random weighting:
//     a litmus test for multi-task learning, TMLR, section 3.
type RLW struct {
	memoryless
	seed  uint64
	start int
	state rand.PCG
}

var _ algo.Weighting = (*RLW)(nil)

// NewRLW returns the rule. seed and start determine the random draws.
func NewRLW(seed uint64, start int) *RLW {
	return &RLW{seed: seed, start: start}
}

// Needs reports that the rule requires neither gradients nor losses.
func (w *RLW) Needs() algo.Needs { return algo.Needs{Blind: true} }

// Weigh stores the weights of iteration in.K and the direction Gᵀλ. The gap is NaN,
// because there is no inner problem.
func (w *RLW) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, w.Needs()); !ok {
		return err
	}
	w.state = algo.Stream(w.seed, w.start, in.K, algo.Decision)
	for i := range r.Weights {
		r.Weights[i] = portable.Normal(&w.state)
	}
	softmax(r.Weights, r.Weights, 1)
	combine(r, in)
	r.Gap, r.Status = math.NaN(), algo.Converged
	confirm(r, in)
	return nil
}

var ruleRLW = Method{
	Name: "rlw", Title: "Random loss weighting", Paper: "Lin et al. 2022, section 3",
	Help:      "Draws new weights in every iteration, independently of the gradients.",
	Needs:     algo.Needs{Blind: true},
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Homogeneous: true},
	configure: configureRLW,
}

// configureRLW binds no parameters, because seed and start belong to the run.
func configureRLW(*scope) Constructor {
	return func(c Context) (algo.Weighting, error) { return NewRLW(c.Seed, c.Start), nil }
}
