package bilevelcost

import (
	"slices"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/study/forumcost"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
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

// Modes of differentiation.
const (
	modeBoth    = "both"
	modeReverse = "reverse"
	modeForward = "forward"
)

// Axes of the pictures.
const (
	axisLog    = "log"
	axisLinear = "linear"
)

// Quantities that the middle pictures can count.
const (
	countProducts  = "products"
	countGradients = "gradients"
	countBoth      = "both"
)

var counts = map[string]forumcost.Count{countProducts: forumcost.Products, countGradients: forumcost.Gradients, countBoth: forumcost.Both}

// Maximum sizes. They keep the preparation of a measurement within a few frames.
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

// measured are the methods of the paper's Figure 1.
var measured = []string{twolevel.FORUM, twolevel.MOML, twolevel.MoCo}

// bind lists the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	var options []param.Option
	for _, m := range Methods {
		options = append(options, param.Option{Value: m.ID, Label: m.Title, Help: m.Help})
	}
	l.Set(&p.Methods, param.Descriptor{Name: "method", Label: "Methods", Options: options, AtLeast: 1,
		Help: "Which methods’ upper steps are measured."})
	l.Choice(&p.Mode, param.Descriptor{Name: "mode", Label: "Differentiation",
		Help: "How MOML and MoCo differentiate through the lower level’s loop. The hypergradients are the same; costs differ.",
		Options: []param.Option{
			{Value: modeBoth, Label: "both", Help: "MOML in both modes, each a line of its own, and MoCo in reverse mode."},
			{Value: modeReverse, Label: "reverse", Help: "Keeps the T points of the loop and goes back through them once for each objective, as " +
				"in the paper."},
			{Value: modeForward, Label: "forward", Help: "Carries the derivative by each of the n upper variables along with the loop."},
		}})

	l.Section("Problem")
	l.Integer(&p.N, param.Descriptor{Name: "n", Symbol: "n", Label: "Upper variables", Min: 1, Max: maxN, Step: 1, Scale: param.Log,
		Help: "How many variables the upper level has. Forward mode makes nT products and holds np floats."})
	l.Integer(&p.M, param.Descriptor{Name: "m", Symbol: "m", Label: "Upper objectives", Min: 1, Max: maxM, Step: 1,
		Help: "How many goals the upper level has. Reverse mode goes back through the loop once for each of them: mT products."})
	l.Integer(&p.P, param.Descriptor{Name: "p", Symbol: "p", Label: "Lower variables", Min: 1, Max: maxP, Step: 1, Scale: param.Log,
		Help: "How many variables the lower level has, where T varies."})
	l.Integer(&p.T, param.Descriptor{Name: "T", Symbol: "T", Label: "Lower steps", Min: 1, Max: maxT, Step: 1, Scale: param.Log,
		Help: "How many steps the lower level’s loop makes where p varies. The paper has 64."})

	l.Section("Measurement")
	l.Integer(&p.LargestT, param.Descriptor{Name: "largestT", Label: "Largest T", Min: 1, Max: maxT, Step: 1, Scale: param.Log,
		Help: "The longest loop: T goes up to it from a sixteenth of it, each twice the one before."})
	l.Integer(&p.LargestP, param.Descriptor{Name: "largestp", Label: "Largest p", Min: 1, Max: maxP, Step: 1, Scale: param.Log,
		Help: "The most lower variables: p goes up to it from a sixteenth of it, each twice the one before."})
	l.Integer(&p.Repetitions, param.Descriptor{Name: "repetitions", Label: "Repetitions", Min: 1, Max: 200, Step: 1, Scale: param.Log,
		Help: "Each point is the median of so many batches of steps, each of half a millisecond or more; the whisker goes from quartile to " +
			"quartile."})
	l.Integer(&p.Measurement, param.Descriptor{Name: "measurement", Label: "Measurement", Min: 1, Max: 1000, Step: 1,
		Help: "Raise it by one to measure everything again: counts stay as they are, times change a little."})
	l.Seed(&p.Seed, param.Descriptor{Name: "seed", Label: "Seed",
		Help: "Decides the random problems. Neither counts nor, but for chance, times depend on it."})

	l.Section("Show")
	l.Choice(&p.Count, param.Descriptor{Name: "count", Label: "What is counted", Effect: param.Display,
		Help: "What the pictures in the middle count.",
		Options: []param.Option{
			{Value: countProducts, Label: "Hessian-vector products"}, {Value: countGradients, Label: "gradients"},
			{Value: countBoth, Label: "both together"},
		}})
	l.Number(&p.HVPPrice, param.Descriptor{Name: "hvpprice", Label: "Price of a product", Min: 1, Max: forumcost.MostPrice, Step: 0.5,
		Effect: param.Display, Unit: "gradients", Only: &param.Only{Name: "count", Values: []string{countProducts, countBoth}},
		Help: "What a Hessian-vector product costs in gradients where products are counted: 1 as measured here, with a dense Hessian; by " +
			"automatic differentiation 2 to 4. Times stay as measured."})
	l.Choice(&p.Axis, param.Descriptor{Name: "axis", Label: "Axes", Effect: param.Display,
		Help: "Logarithmic axes turn powers into straight lines; linear ones start at 0.",
		Options: []param.Option{
			{Value: axisLog, Label: "logarithmic"}, {Value: axisLinear, Label: "linear"},
		}})
}
