package weighting

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

// GradVac changes every g_i. Starting from g = g_i, it applies for every j ≠ i, in the given order,
//
//	if c < φ_ij:   g ← g + ‖g‖(φ√(1−c²) − c√(1−φ²))/(‖g_j‖√(1−φ²)) g_j
//	φ_ij ← (1−β)φ_ij + βc,   φ_ij = 0 at first
//
// where c is the cosine between g and the original g_j, and φ_ij is a target for this cosine. GradVac stands for
// gradient vaccine. The first line raises the cosine to φ_ij; for φ_ij = 0 it is the projection of PCGrad. The
// direction is the sum of the results. The weights are the coefficients of the original gradients in this sum. Targets
// are at most 1 − 1e-6, because a cosine of 1 would require an infinite coefficient.
//
// References:
//   - Wang, Tsvetkov, Firat & Cao (2021), Gradient vaccine: investigating and
//     improving multi-task optimization in massively multilingual models, ICLR,
//     equations (2) and (3) and Algorithm 1.
type GradVac struct {
	beta    float64
	orderer *orderer
	targets []float64 // m×m, φ; empty before the first decision
	a       []float64 // coefficients of the current g
	p       []float64 // g·g_j
}

const highestTarget = 1 - 1e-6

var _ algo.Weighting = (*GradVac)(nil)

// NewGradVac returns the rule with beta in [0, 1]. It does not check the order, because the number of objectives is not
// known yet. Weigh checks it.
func NewGradVac(beta float64, o Order) (*GradVac, error) {
	if !(beta >= 0 && beta <= 1) {
		return nil, refused("beta", beta, "a number from 0 to 1")
	}
	return &GradVac{beta: beta, orderer: newOrderer(o)}, nil
}

// Needs reports that the rule requires only the Gramian.
func (g *GradVac) Needs() algo.Needs { return algo.Needs{} }

// Weigh stores the coefficients and the direction, and updates the targets. Pairs with a zero gradient have no cosine,
// so their targets do not change. The gap is NaN, because there is no inner problem.
func (g *GradVac) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, g.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	if err := g.orderer.begin(m, in.K); err != nil {
		return err
	}
	if settleZero(r, in) {
		return nil
	}
	if len(g.targets) != m*m {
		g.targets = make([]float64, m*m)
	}
	g.a, g.p = resize(g.a, m), resize(g.p, m)
	clear(r.Weights)
	for i := range m {
		clear(g.a)
		g.a[i] = 1
		copy(g.p, in.Gram[i*m:(i+1)*m])
		for _, j := range g.orderer.next(i) {
			if j != i {
				g.raise(in.Gram, i, j)
			}
		}
		for j, a := range g.a {
			r.Weights[j] += a
		}
	}
	combine(r, in)
	conclude(r)
	return nil
}

// raise changes the current g of row i so that its cosine with g_j reaches the target.
func (g *GradVac) raise(gram []float64, i, j int) {
	m := len(g.a)
	var square, terms float64
	for k, a := range g.a {
		if a != 0 {
			square += float64(a * g.p[k])
			terms += float64(math.Abs(a) * math.Sqrt(gram[k*m+k]))
		}
	}
	other := math.Sqrt(gram[j*m+j])
	// A sum that is only a rounding error of its terms counts as zero.
	if other == 0 || square <= 8*float64(m)*eps*terms*terms {
		return
	}
	size := math.Sqrt(square)
	cosine := min(max(g.p[j]/size/other, -1), 1)
	target := &g.targets[i*m+j]
	if phi := min(*target, highestTarget); cosine < phi {
		sine := math.Sqrt((1 - phi) * (1 + phi))
		change := size / other * (float64(phi*math.Sqrt((1-cosine)*(1+cosine))) - float64(cosine*sine)) / sine
		g.a[j] += change
		for k, v := range gram[j*m : (j+1)*m] {
			g.p[k] += float64(change * v)
		}
	}
	*target = float64((1-g.beta)**target) + float64(g.beta*cosine)
}

// Save appends the targets.
func (g *GradVac) Save(s *algo.Snapshot) {
	s.PutInt(len(g.targets))
	s.PutFloats(g.targets...)
}

// Load restores the targets.
func (g *GradVac) Load(s *algo.Snapshot) {
	g.targets = resize(g.targets, s.GetInt())
	s.GetFloats(g.targets)
}

var ruleGradVac = Method{
	Name: "gradvac", Title: "GradVac", Paper: "Wang et al. 2021, equations (2) and (3)",
	Help:      "Raises the cosine between each pair of gradients to its usual value.",
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Homogeneous: true},
	Order:     orderName,
	configure: configureGradVac,
}

func configureGradVac(s *scope) Constructor {
	beta := 0.5
	s.list.Number(&beta, s.describe(param.Descriptor{
		Name: "beta", Symbol: "β", Label: "Rate of the cosine targets",
		Min: 0, Max: 1, Step: 0.01,
		Effect: param.Restart,
		Help: "Sets how far each target moves towards the latest cosine (Wang et al. 2021, equation (3): 0.01; published code usually " +
			"uses 0.5).",
	}))
	order := bindOrder(s)
	return func(c Context) (algo.Weighting, error) {
		o, err := order(c)
		if err != nil {
			return nil, err
		}
		return NewGradVac(beta, o)
	}
}
