package zdt

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/transport"
	"paretoplay/algo/weighting"
)

// The methods that are compared.
const (
	MGDA          = "mgda"
	Linearization = "linearization"
	MOOSVGD       = "moosvgd"
	EPO           = "epo"
	MosT          = "most"
	MosTE         = "most-e"
)

// shapeless are those without a shape, in the order of tables and legends.
var shapeless = []string{MGDA, Linearization, MOOSVGD, EPO, MosT}

// References are the reference points of ZDT1 to ZDT3 in the authors' public code.
var References = [...][]float64{{0.99022638, 6.39358545}, {0.99022638, 7.71577261}, {0.99022638, 6.54635266}}

// BestFive are the largest hypervolumes that five points of the fronts of ZDT1 to ZDT3
// have below References.
var BestFive = [...]float64{5.900, 6.895, 6.420}

// Usual is the reference point that the literature mostly takes.
var Usual = []float64{1.1, 1.1}

// apart is how far in one objective solutions of two kinds are apart.
const apart = 0.01

// Kinds is how many of some points in objective space can be chosen so that any two
// are further than 0.01 apart in some objective, as many as the first ones allow.
func Kinds(points [][]float64) int {
	var chosen [][]float64
	for _, p := range points {
		near := func(q []float64) bool {
			for i, v := range p {
				if math.Abs(v-q[i]) > apart {
					return false
				}
			}
			return true
		}
		if !slices.ContainsFunc(chosen, near) {
			chosen = append(chosen, p)
		}
	}
	return len(chosen)
}

// Course is what the methods run on: m solutions on a problem with two objectives.
type Course struct {
	Problem  algo.Problem
	Starts   [][]float64 // m rows
	Extended int         // how many mixtures MosT-E has
	Shape    float64     // of the Dirichlet distribution that they are drawn from
	Style    Style
	Seed     uint64 // decides mixtures and weights
}

// Stepper makes the stepper of a method, which holds all solutions.
func (c *Course) Stepper(method string) (algo.Stepper, error) {
	if method == MOOSVGD {
		return c.particles()
	}
	config := transport.Config{
		Problem: algo.Exact(c.Problem), Starts: c.Starts, StepSize: c.Style.Eta, Step: c.Style.Kind, WeightDecay: c.Style.Decay, Seed: c.Seed,
	}
	var err error
	switch method {
	case MGDA:
		config.Matching = transport.Unmatched
	case EPO:
		config.Weighting = func(solution int) (algo.Weighting, error) { return weighting.NewEPO(c.Preference(solution)) }
		config.Matching = transport.Unmatched
	case Linearization:
		config.Matching = transport.Paired
		fallthrough
	case MosTE:
		if config.Mixtures, err = c.Mixtures(method); err != nil {
			return nil, err
		}
	case MosT:
	default:
		return nil, fmt.Errorf("%q is no method on ZDT", method)
	}
	return transport.NewMosT(config)
}

// Mixtures returns the weighted sums of the objectives that a method descends on, each a
// row of weights: those that MosT-E matches with solutions, or linearization's own of
// each solution, which are uniform. It is nil for methods without.
func (c *Course) Mixtures(method string) ([][]float64, error) {
	switch method {
	case MosTE:
		return transport.DirichletMixtures(2, c.Extended, c.Shape, false, c.Seed)
	case Linearization:
		return transport.DirichletMixtures(2, len(c.Starts), 1, false, c.Seed)
	}
	return nil, nil
}

// Preference is EPO's of solution j, from 0: the rays of m solutions divide the right
// angle between the axes into equal parts, but for half of one at either end.
func (c *Course) Preference(j int) []float64 {
	sine, cosine := math.Sincos(math.Pi / 2 * (float64(j) + 0.5) / float64(len(c.Starts)))
	return []float64{cosine, sine}
}

// particles returns MOO-SVGD, which is no method of transport's: it sees gradients that
// are as those make them.
func (c *Course) particles() (algo.Stepper, error) {
	config := descent.MOOSVGDConfig{
		Problem: algo.Exact(c.Problem), Starts: c.Starts, StepSize: c.Style.Eta, Repulsion: descent.DefaultRepulsion, Seed: c.Seed,
	}
	if c.Style.Kind == transport.AdamStep {
		config.Optimizer = descent.DefaultAdam()
	}
	if c.Style.Kind == transport.SignStep || c.Style.Decay > 0 {
		seen := changed{c.Problem, c.Style}
		config.Problem = algo.Exact(seen)
		if bounded, ok := c.Problem.(algo.Bounded); ok {
			config.Problem = algo.Exact(struct {
				changed
				algo.Bounded
			}{seen, bounded})
		}
	}
	return descent.NewMOOSVGD(config)
}

// changed is a problem with what a style makes of its gradients.
type changed struct {
	algo.Problem
	style Style
}

// Jacobian stores the gradients with weight decay or, with sign steps, the signs of that
// in jac.
func (p changed) Jacobian(jac *algo.Jacobian, x []float64) {
	p.Problem.Jacobian(jac, x)
	for i := range jac.Rows {
		row := jac.Row(i)
		for k := range row {
			row[k] += p.style.Decay * x[k]
			if p.style.Kind != transport.SignStep {
				continue
			}
			switch v := row[k]; {
			case v > 0:
				row[k] = 1
			case v < 0:
				row[k] = -1
			}
		}
	}
}
