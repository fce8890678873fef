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
	N, M    int         // rows and columns of the plan
	A, B    []float64   // masses of rows and columns, with sum 1; empty for equal masses
	Kind    string      // of costs
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

// Bounds of ε and β on the page: beyond them a run shows nothing new.
const (
	leastRegularization = 1e-3
	maxRegularization   = 100
)

func defaults() Params {
	const n = 12
	p := Params{
		On: methodNames(), N: n, M: n, Kind: costsSquared, Epsilon: 0.02, Beta: 0.3,
		// Two hills, and one between them.
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

// bind lists the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	options := make([]param.Option, len(ot.Methods))
	for i, m := range ot.Methods {
		options[i] = param.Option{Value: m.ID, Label: m.Title, Help: m.Help}
	}
	l.Set(&p.On, param.Descriptor{Name: "solver", Label: "Methods", Options: options, AtLeast: 1, Effect: param.Rerun,
		Help: "Which solvers work on the problem, one iteration at a time. An iteration of Exact is a pivot, one of the others scales all " +
			"rows and all columns once."})
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
		Help: "How many masses are carried: the rows of the plan. In MosT they are the objectives."})
	l.Integer(&p.M, param.Descriptor{Name: "m", Symbol: "m", Label: "Columns", Min: 1, Max: maxMasses, Step: 1,
		Help: "To how many masses: the columns of the plan. In MosT they are the solutions."})
	l.Simplex(&p.A, param.Descriptor{Name: "a", Symbol: "a", Label: "Masses of the rows", Count: "n", AtMost: maxMasses, Effect: param.Rerun,
		Help: "What the rows of the plan sum to. Drag the bars of the picture."})
	l.Simplex(&p.B, param.Descriptor{Name: "b", Symbol: "b", Label: "Masses of the columns", Count: "m", AtMost: maxMasses,
		Effect: param.Rerun, Help: "What the columns of the plan sum to. Drag the bars of the picture."})

	l.Section("Costs")
	l.Choice(&p.Kind, param.Descriptor{Name: "costs", Label: "Costs", Help: "What it costs to carry a unit of mass from a row to a column.",
		Options: []param.Option{
			{Value: costsSquared, Label: "squared distance", Help: "Rows and columns stand in line, from 0 to 1, and the cost is (x − y)²."},
			{Value: costsDistance, Label: "distance", Help: "The same line, and the cost is |x − y|."},
			{Value: costsRandom, Label: "random", Help: "Drawn from 0 to 1, by the seed."},
			{Value: costsGiven, Label: "painted", Help: "The matrix below, which cells that are dragged in the picture change."},
			{Value: costsData, Label: "your own", Help: "Costs from a file, and masses where it has any."},
		}})
	l.Matrix(&p.Given, param.Descriptor{Name: "cost", Symbol: "C", Label: "Cost of each cell", Min: -maxCost, Max: maxCost, AtLeast: 1,
		AtMost: maxMasses, Effect: param.Rerun, Only: &param.Only{Name: "costs", Values: []string{costsGiven}},
		Help: "A row of costs for each row of the plan. What is missing is squared distance, what is too much is left out."})
	l.Number(&p.Tau, param.Descriptor{Name: "tau", Symbol: "τ", Label: "Reward for whole rows", Min: 0, Max: 10, Step: 0.01,
		Effect: param.Rerun, Unit: "mean cost",
		Help: "How much of the mean cost a unit of mass earns where it is the largest entry of its row: the plan minimises cost + τR, with R " +
			"= −Σ_i max_j Γ_ij. The problem is then not convex, and a solver linearises it again whenever it has solved one."})

	l.Section("Run")
	p.BindBudget(l, "T", maxBudget, "Every solver ends after this many iterations, or when its own criterion is met.")
	p.BindSpeed(l)
	p.BindSeed(l, "Of random costs, and of the random plans from which the search for τ > 0 starts to find the optimum.")
}

// place returns the position of row or column i of n on the line.
func place(i, n int) float64 {
	if n == 1 {
		return 0.5
	}
	return float64(i) / float64(n-1)
}

func squared(x, y float64) float64 { return (x - y) * (x - y) }

// rounded keeps as many digits of a cost as a painted one needs, so that links stay short.
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
