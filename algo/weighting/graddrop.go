package weighting

import (
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

// GradDrop keeps in every coordinate the entries g_i of one sign, with
//
//	P = ½(1 + Σg_i/Σ|g_i|)
//
// the purity of the positive sign there: gradient sign dropout. With U uniform on [0,
// 1) the positive entries are kept where P > U and the negative ones elsewhere; the
// others are multiplied by leak. The direction is the sum of the resulting entries.
// It is no combination of the gradients, so there are no weights.
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
	random *rand.Rand // draws from state
	unused []float64  // stands for weights
}

var _ algo.Weighting = (*GradDrop)(nil)

// NewGradDrop returns the rule with leak in [0, 1], the same for all objectives,
// and the randomness of the given seed and start.
func NewGradDrop(leak float64, seed uint64, start int) (*GradDrop, error) {
	if !(leak >= 0 && leak <= 1) {
		return nil, refused("leak", leak, "0 to 1")
	}
	g := &GradDrop{leak: leak, seed: seed, start: start}
	g.random = rand.New(&g.state)
	return g, nil
}

// Needs asks for the rows.
func (g *GradDrop) Needs() algo.Needs { return algo.Needs{Jacobian: true} }

// Weigh stores the direction and sets weights and effective coefficients to nil. There is no inner
// problem: the gap is NaN.
func (g *GradDrop) Weigh(r *algo.Result, in *algo.Input) error {
	if r.Weights == nil && in.Jacobian != nil { // as an earlier call left it
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
		// P > U without the division: P = positive/(positive − negative).
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
	Help:        "Keeps in each coordinate only the entries of one sign, drawn by how much they outweigh the others.",
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
		Help:   "What part of the entries of the sign not chosen stays (Chen et al. 2020, Algorithm 1).",
	}))
	return func(c Context) (algo.Weighting, error) { return NewGradDrop(leak, c.Seed, c.Start) }
}
