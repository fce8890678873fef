package weighting

import (
	"paretoplay/algo"
	"paretoplay/algo/param"
)

// Reduction selects how a rule combines the gradients that it has changed.
type Reduction int

const (
	Sum  Reduction = iota // Σ_i
	Mean                  // (1/m)·Σ_i
)

var reductions = [...]string{
	Sum:  "sum",
	Mean: "mean",
}

// String returns the value's name on the command line.
func (r Reduction) String() string {
	return choiceName(reductions[:], "reduction", r)
}

// parseReduction returns the Reduction with the given name. Its error names the parameter.
func parseReduction(parameter, name string) (Reduction, error) {
	return parseChoice[Reduction](reductions[:], parameter, name)
}

// of returns the factor by which each of m terms is multiplied.
func (r Reduction) of(m int) float64 {
	if r == Mean {
		return 1 / float64(m)
	}
	return 1
}

// PCGrad changes every g_i. Starting from g = g_i, it applies for every j ≠ i, in the given order,
//
//	if g·g_j < 0:   g ← g − (g·g_j/‖g_j‖²) g_j
//
// where g_j is the original gradient. PCGrad stands for projecting conflicting gradients. The direction is the sum of
// the results, or their mean. The weights are the coefficients of the original gradients in the direction: at least 1
// for the sum, at least 1/m for the mean. With more than two objectives, the order matters.
//
// References:
//   - Yu, Kumar, Gupta, Levine, Hausman & Finn (2020), Gradient surgery for
//     multi-task learning, NeurIPS 33, Algorithm 1.
type PCGrad struct {
	memoryless
	reduction Reduction
	orderer   *orderer
	a         []float64 // coefficients of the current g
}

var _ algo.Weighting = (*PCGrad)(nil)

// NewPCGrad returns the rule. It panics if r is not Sum or Mean. It does not check the order, because the number of
// objectives is not known yet. Weigh checks it.
func NewPCGrad(r Reduction, o Order) *PCGrad {
	if !isChoice(reductions[:], r) {
		panic("weighting: " + r.String())
	}
	return &PCGrad{reduction: r, orderer: newOrderer(o)}
}

// Needs reports that the rule requires only the Gramian.
func (p *PCGrad) Needs() algo.Needs { return algo.Needs{} }

// Weigh stores the coefficients and the direction. The gap is NaN, because there is no
// inner problem.
func (p *PCGrad) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, p.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	if err := p.orderer.begin(m, in.K); err != nil {
		return err
	}
	if settleZero(r, in) {
		return nil
	}
	p.a = resize(p.a, m)
	clear(r.Weights)
	share := p.reduction.of(m)
	for i := range m {
		clear(p.a)
		p.a[i] = 1
		for _, j := range p.orderer.next(i) {
			if j == i {
				continue
			}
			if product := dot(in.Gram[j*m:(j+1)*m], p.a); product < 0 && in.Gram[j*m+j] > 0 {
				p.a[j] -= product / in.Gram[j*m+j]
			}
		}
		for j, a := range p.a {
			r.Weights[j] += float64(share * a)
		}
	}
	combine(r, in)
	conclude(r)
	return nil
}

var rulePCGrad = Method{
	Name: "pcgrad", Title: "PCGrad", Paper: "Yu et al. 2020, Algorithm 1",
	Help:      "Removes from each gradient, one by one, the components that conflict with other gradients, and adds the results.",
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Homogeneous: true},
	Order:     orderName,
	configure: configurePCGrad,
}

func configurePCGrad(s *scope) Constructor {
	reduction := Sum.String()
	order := bindOrder(s)
	s.list.Choice(&reduction, s.describe(param.Descriptor{
		Name: "reduction", Label: "Reduction",
		Options: []param.Option{
			{Value: "sum", Label: "sum", Help: "Adds the projected gradients."},
			{Value: "mean", Label: "mean", Help: "Averages the projected gradients."},
		},
		Effect: param.Restart,
		Help:   "Selects how the projected gradients are combined (Yu et al. 2020, Algorithm 1: the sum).",
	}))
	return func(c Context) (algo.Weighting, error) {
		r, err := parseReduction("reduction", reduction)
		if err != nil {
			return nil, err
		}
		o, err := order(c)
		if err != nil {
			return nil, err
		}
		return NewPCGrad(r, o), nil
	}
}
