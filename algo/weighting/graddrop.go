package weighting

import (
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

// GradDrop keeps, in every coordinate, the entries g_i of one sign. It uses
//
//	P = ½(1 + Σg_i/Σ|g_i|)
//
// which is the purity of the positive sign. GradDrop stands for gradient sign dropout. For each coordinate it draws U
// uniformly from [0, 1). If P > U, it keeps the positive entries; otherwise it keeps the negative entries. It
// multiplies the entries of the other sign by leak. The direction is the sum of the resulting entries. It is not a
// linear combination of the gradients, so there are no weights.
//
// References:
//   - Chen, Ngiam, Huang, Luong, Kretzschmar, Chai & Anguelov (2020), Just pick a
//     sign: optimizing deep multitask models with gradient sign dropout, NeurIPS
//     33, Algorithm 1.
type GradDrop struct {
	memoryless
	leak   float64
	seed   uint64
	start  int
	state  rand.PCG
	random *rand.Rand // draws its numbers from state
	unused []float64  // replaces r.Weights while begin checks the length; the rule computes no weights
}

var _ algo.Weighting = (*GradDrop)(nil)

// NewGradDrop returns the rule. leak, in [0, 1], is the same for all objectives. seed and start determine the random
// draws.
func NewGradDrop(leak float64, seed uint64, start int) (*GradDrop, error) {
	if !(leak >= 0 && leak <= 1) {
		return nil, refused("leak", leak, "a number from 0 to 1")
	}
	g := &GradDrop{leak: leak, seed: seed, start: start}
	g.random = rand.New(&g.state)
	return g, nil
}

// Needs reports that the rule requires the rows.
func (g *GradDrop) Needs() algo.Needs { return algo.Needs{Jacobian: true} }

// Weigh stores the direction, and sets the weights and effective coefficients to nil. The gap is NaN, because there
// is no inner problem.
func (g *GradDrop) Weigh(r *algo.Result, in *algo.Input) error {
	if r.Weights == nil && in.Jacobian != nil { // set to nil by an earlier call
		g.unused = resize(g.unused, in.Jacobian.Rows)
		r.Weights = g.unused
	}
	if ok, err := begin(r, in, g.Needs()); !ok {
		r.Weights, r.Effective = nil, nil
		return err
	}
	r.Weights, r.Effective = nil, nil
	r.Gap, r.Status = math.NaN(), algo.Converged
	if r.Direction == nil {
		return nil
	}
	g.state = algo.Stream(g.seed, g.start, in.K, algo.Decision)
	jac := in.Jacobian
	for c := range r.Direction {
		var positive, negative float64
		for i := c; i < len(jac.Data); i += jac.Cols {
			if v := jac.Data[i]; v > 0 {
				positive += v
			} else {
				negative += v
			}
		}
		// Test whether P > U for P = positive/(positive − negative), without a division.
		if g.random.Float64()*(positive-negative) < positive {
			r.Direction[c] = positive + float64(g.leak*negative)
		} else {
			r.Direction[c] = negative + float64(g.leak*positive)
		}
	}
	multiply(r.Direction, in.Exponent)
	if !algo.Finite(r.Direction) {
		diverged(r)
	}
	return nil
}

func (*GradDrop) readsCoordinates() {}

var ruleGradDrop = Method{
	Name: "graddrop", Title: "GradDrop", Paper: "Chen et al. 2020, Algorithm 1",
	Help:        "Keeps only the entries of one sign in each coordinate. The sign is random; the sign with the larger sum is more likely.",
	Needs:       algo.Needs{Jacobian: true},
	Promises:    Promises{Permutation: true, Homogeneous: true},
	Coordinates: true,
	configure:   configureGradDrop,
}

func configureGradDrop(s *scope) Constructor {
	leak := 0.0
	s.list.Number(&leak, s.describe(param.Descriptor{
		Name: "leak", Symbol: "ℓ", Label: "Leak",
		Min: 0, Max: 1, Step: 0.01,
		Effect: param.Restart,
		Help:   "Multiplies the entries whose sign was not drawn (Chen et al. 2020, Algorithm 1). 0 drops them; 1 keeps them.",
	}))
	return func(c Context) (algo.Weighting, error) { return NewGradDrop(leak, c.Seed, c.Start) }
}
