package bilevelcost

import (
	"slices"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/study/forumcost"
)

// Params holds the scene's parameters. Use defaults, since the zero value is not usable.
type Params struct {
	Methods            []string
	Mode               string
	N, P, M, T         int
	LargestT, LargestP int
	Repetitions        int
	Measurement        int
	Seed               uint64
	Axis               string
	Count              string
	HVPPrice           float64
}

// These are the modes of differentiation.
const (
	modeBoth    = "both"
	modeReverse = "reverse"
	modeForward = "forward"
)

// These are the scales of the pictures' axes.
const (
	axisLog    = "log"
	axisLinear = "linear"
)

// These are the quantities that the middle pictures can count.
const (
	countProducts  = "products"
	countGradients = "gradients"
	countBoth      = "both"
)

var counts = map[string]forumcost.Count{countProducts: forumcost.Products, countGradients: forumcost.Gradients, countBoth: forumcost.Both}

// These are the maximum sizes. They keep the preparation of a measurement within a few frames.
const (
	maxN = 64
	maxP = 256
	maxM = 8
	maxT = 1024
)

func defaults() Params {
	return Params{
		Methods: slices.Clone(measured), Mode: modeBoth, N: 6, P: 20, M: 2, T: 16, LargestT: 256, LargestP: 80,
		Repetitions: 25, Measurement: 1, Seed: 1, Axis: axisLinear, Count: countProducts, HVPPrice: 1,
	}
}

// measured lists the methods of the paper's Figure 1.
var measured = []string{twolevel.FORUM, twolevel.MOML, twolevel.MoCo}

// bind adds the parameters to l in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	var options []param.Option
	for _, m := range Methods {
		options = append(options, param.Option{Value: m.ID, Label: m.Title, Help: m.Help})
	}
	l.Set(&p.Methods, param.Descriptor{Name: "method", Label: "Methods", Options: options, AtLeast: 1,
		Help: "The methods whose upper steps are measured."})
	l.Choice(&p.Mode, param.Descriptor{Name: "mode", Label: "Differentiation",
		Help: "How MOML and MoCo differentiate through the lower level’s loop. The hypergradients are the same, but the costs differ.",
		Options: []param.Option{
			{Value: modeBoth, Label: "both", Help: "Measures MOML in both modes, each with its own line, and MoCo in reverse mode."},
			{Value: modeReverse, Label: "reverse", Help: "Stores the T points of the loop and goes back through them once for each objective, " +
				"as in the paper."},
			{Value: modeForward, Label: "forward", Help: "Computes the derivative with respect to all n upper variables along with the loop."},
		}})

	l.Section("Problem")
	l.Integer(&p.N, param.Descriptor{Name: "n", Symbol: "n", Label: "Upper variables", Min: 1, Max: maxN, Step: 1, Scale: param.Log,
		Help: "The number of upper variables. Forward mode computes nT products and holds np floats."})
	l.Integer(&p.M, param.Descriptor{Name: "m", Symbol: "m", Label: "Upper objectives", Min: 1, Max: maxM, Step: 1,
		Help: "The number of upper objectives. Reverse mode goes back through the loop once for each objective, so it computes mT products."})
	l.Integer(&p.P, param.Descriptor{Name: "p", Symbol: "p", Label: "Lower variables", Min: 1, Max: maxP, Step: 1, Scale: param.Log,
		Help: "The number of lower variables in the pictures where T varies."})
	l.Integer(&p.T, param.Descriptor{Name: "T", Symbol: "T", Label: "Lower steps", Min: 1, Max: maxT, Step: 1, Scale: param.Log,
		Help: "The number of steps of the lower level’s loop in the pictures where p varies. The paper uses 64."})

	l.Section("Measurement")
	l.Integer(&p.LargestT, param.Descriptor{Name: "largestT", Label: "Largest T", Min: 1, Max: maxT, Step: 1, Scale: param.Log,
		Help: "The length of the longest loop. T doubles from a sixteenth of this length up to the full length."})
	l.Integer(&p.LargestP, param.Descriptor{Name: "largestp", Label: "Largest p", Min: 1, Max: maxP, Step: 1, Scale: param.Log,
		Help: "The maximum number of lower variables. p doubles from a sixteenth of this maximum up to the maximum."})
	l.Integer(&p.Repetitions, param.Descriptor{Name: "repetitions", Label: "Repetitions", Min: 1, Max: 200, Step: 1, Scale: param.Log,
		Help: "How many batches of steps, each lasting at least half a millisecond, are measured for each point. A point shows their " +
			"median; its whisker spans the quartiles."})
	l.Integer(&p.Measurement, param.Descriptor{Name: "measurement", Label: "Measurement", Min: 1, Max: 1000, Step: 1,
		Help: "Raise this number by one to measure everything again. Counts stay the same; times change a little."})
	l.Seed(&p.Seed, param.Descriptor{Name: "seed", Label: "Seed",
		Help: "The seed of the random problems. Counts do not depend on it, and times differ only by chance."})

	l.Section("Show")
	l.Choice(&p.Count, param.Descriptor{Name: "count", Label: "What is counted", Effect: param.Display,
		Help: "The quantity that the middle pictures show.",
		Options: []param.Option{
			{Value: countProducts, Label: "Hessian-vector products"}, {Value: countGradients, Label: "gradients"},
			{Value: countBoth, Label: "both together"},
		}})
	l.Number(&p.HVPPrice, param.Descriptor{Name: "hvpprice", Label: "Price of a product", Min: 1, Max: forumcost.MostPrice, Step: 0.5,
		Effect: param.Display, Unit: "gradients", Only: &param.Only{Name: "count", Values: []string{countProducts, countBoth}},
		Help: "The cost of a Hessian-vector product, counted in gradients: 1 as measured here, with a dense Hessian, or 2 to 4 with " +
			"automatic differentiation. It does not change the measured times."})
	l.Choice(&p.Axis, param.Descriptor{Name: "axis", Label: "Axes", Effect: param.Display,
		Help: "Logarithmic axes show power laws as straight lines; linear axes start at 0.",
		Options: []param.Option{
			{Value: axisLog, Label: "logarithmic"}, {Value: axisLinear, Label: "linear"},
		}})
}
