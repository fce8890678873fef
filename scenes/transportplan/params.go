package transportplan

import (
	"math"
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/algo/param"
	ot "paretoplay/algo/transport"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/portable"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	runs.Settings
	On      []string    // solvers
	N, M    int         // numbers of rows and columns of the plan
	A, B    []float64   // masses of rows and columns, with sum 1; empty means equal masses
	Kind    string      // kind of costs
	Given   [][]float64 // given costs; may be nil
	Epsilon float64     // relative to the range of the costs, like β
	Beta    float64
	Tau     float64 // relative to the mean of the costs
}

// Kinds of costs.
const (
	costsSquared  = "squared"
	costsDistance = "distance"
	costsRandom   = "random"
	costsGiven    = "given"
	costsData     = "data"
)

const (
	maxMasses = data.MaxPastedMasses
	maxCost   = 1e6
	maxBudget = 20_000
)

// These are the bounds of ε and β on the page. Beyond them, runs show nothing new.
const (
	leastRegularization = 1e-3
	maxRegularization   = 100
)

func defaults() Params {
	const n = 12
	p := Params{
		On: methodNames(), N: n, M: n, Kind: costsSquared, Epsilon: 0.02, Beta: 0.3,
		// The masses of the rows form two hills. The masses of the columns form one hill between these two.
		A: []float64{0.0171, 0.097, 0.1984, 0.146, 0.0396, 0.011, 0.0356, 0.0969, 0.149, 0.1291, 0.063, 0.0173},
		B: []float64{0.008, 0.0225, 0.0515, 0.0956, 0.1446, 0.1778, 0.1778, 0.1446, 0.0956, 0.0515, 0.0225, 0.008},
	}
	p.Given = make([][]float64, n)
	for i := range p.Given {
		p.Given[i] = make([]float64, n)
		for j := range p.Given[i] {
			p.Given[i][j] = rounded(squared(place(i, n), place(j, n)), 1)
		}
	}
	p.Seed, p.Budget, p.Speed = 1, 300, "200"
	return p
}

func methodNames() []string {
	var names []string
	for _, m := range ot.Methods {
		names = append(names, m.ID)
	}
	return names
}

// bind adds the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	options := make([]param.Option, len(ot.Methods))
	for i, m := range ot.Methods {
		options[i] = param.Option{Value: m.ID, Label: m.Title, Help: m.Help}
	}
	l.Set(&p.On, param.Descriptor{Name: "solver", Label: "Methods", Options: options, AtLeast: 1, Effect: param.Rerun,
		Help: "The solvers to run. One iteration of Exact is a pivot; one iteration of the others scales all rows and all columns once."})
	for _, m := range ot.Methods {
		d := m.Regularization
		if d.Name == "" {
			continue
		}
		field := &p.Beta
		if d.Name == "eps" {
			field = &p.Epsilon
		}
		d.Min, d.Max, d.Method, d.Effect = leastRegularization, maxRegularization, m.ID, param.Rerun
		l.Number(field, d)
	}

	l.Section("Masses")
	l.Integer(&p.N, param.Descriptor{Name: "n", Symbol: "n", Label: "Rows", Min: 1, Max: maxMasses, Step: 1,
		Help: "The number of rows of the plan: one for each mass to carry. In MosT, rows are objectives."})
	l.Integer(&p.M, param.Descriptor{Name: "m", Symbol: "m", Label: "Columns", Min: 1, Max: maxMasses, Step: 1,
		Help: "The number of columns of the plan: one for each mass to receive. In MosT, columns are solutions."})
	l.Simplex(&p.A, param.Descriptor{Name: "a", Symbol: "a", Label: "Masses of the rows", Count: "n", AtMost: maxMasses, Effect: param.Rerun,
		Help: "The required row sums of the plan. Drag the bars in the picture to edit them."})
	l.Simplex(&p.B, param.Descriptor{Name: "b", Symbol: "b", Label: "Masses of the columns", Count: "m", AtMost: maxMasses,
		Effect: param.Rerun, Help: "The required column sums of the plan. Drag the bars in the picture to edit them."})

	l.Section("Costs")
	l.Choice(&p.Kind, param.Descriptor{Name: "costs", Label: "Costs", Help: "The cost of carrying a unit of mass from a row to a column.",
		Options: []param.Option{
			{Value: costsSquared, Label: "squared distance", Help: "Rows and columns are evenly spaced on a line from 0 to 1. The cost is (x − " +
				"y)²."},
			{Value: costsDistance, Label: "distance", Help: "Rows and columns are evenly spaced on a line from 0 to 1. The cost is |x − y|."},
			{Value: costsRandom, Label: "random", Help: "Random costs, uniform in [0, 1]."},
			{Value: costsGiven, Label: "painted", Help: "The matrix below. Drag a cell in the picture to edit it."},
			{Value: costsData, Label: "your own", Help: "Costs from a file that you load, and its masses if it has any."},
		}})
	l.Matrix(&p.Given, param.Descriptor{Name: "cost", Symbol: "C", Label: "Cost of each cell", Min: -maxCost, Max: maxCost, AtLeast: 1,
		AtMost: maxMasses, Effect: param.Rerun, Only: &param.Only{Name: "costs", Values: []string{costsGiven}},
		Help: "One row of costs for each row of the plan. Missing entries become squared distances; extra entries are ignored."})
	l.Number(&p.Tau, param.Descriptor{Name: "tau", Symbol: "τ", Label: "Reward for undivided rows", Min: 0, Max: 10, Step: 0.01,
		Effect: param.Rerun, Unit: "mean cost",
		Help: "The reward, in mean costs, for each unit of mass in the largest entry of its row: the plan minimises cost + τR, with R = " +
			"−Σ_i max_j Γ_ij. If τ > 0, the problem is not convex; a solver solves a series of linearised problems."})

	l.Section("Run")
	p.BindBudget(l, "T", maxBudget, "The number of iterations after which every solver ends, unless its stopping criterion is met earlier.")
	p.BindSpeed(l)
	p.BindSeed(l, "The seed of random costs. For τ > 0, it also seeds the random plans from which the search for the optimum starts.")
}

// place returns the position of row or column i of n on the line.
func place(i, n int) float64 {
	if n == 1 {
		return 0.5
	}
	return float64(i) / float64(n-1)
}

func squared(x, y float64) float64 { return (x - y) * (x - y) }

// rounded keeps as many digits of a cost as a painted cost needs, so that links stay short.
func rounded(v, scale float64) float64 {
	step := portable.Pow(10, math.Floor(portable.Log10(scale))-4)
	return math.Round(v/step) / math.Round(1/step)
}

// costs returns costs of the chosen kind, n×m in row-major order.
func (p *Params) costs() []float64 {
	source := algo.Stream(p.Seed, 0, 0, algo.Data)
	random := rand.New(&source)
	cost := make([]float64, p.N*p.M)
	for i := range p.N {
		for j := range p.M {
			x, y := place(i, p.N), place(j, p.M)
			c := &cost[i*p.M+j]
			switch {
			case p.Kind == costsDistance:
				*c = math.Abs(x - y)
			case p.Kind == costsRandom:
				*c = random.Float64()
			case p.Kind != costsSquared && i < len(p.Given) && j < len(p.Given[i]):
				*c = p.Given[i][j]
			default:
				*c = squared(x, y)
			}
		}
	}
	return cost
}
