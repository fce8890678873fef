package transport

import (
	"paretoplay/algo/param"
	"paretoplay/algo/transport"
	"paretoplay/scenes/exchange"
	"paretoplay/scenes/race"
)

// Params are the scene's parameters; the zero value is of no use, see defaults.
type Params struct {
	race.Settings

	Solvers        []string
	Eps, Beta, Tau float64

	N, M    int
	Cost    string
	Painted [][]float64
	Brush   float64
	A, B    []float64 // no shares are equal ones

	View string
}

// Names of the solvers.
const (
	exact    = "exact"
	ipot     = "ipot"
	sinkhorn = "sinkhorn"
)

// What the panels show.
const (
	viewMasses = "masses"
	viewCosts  = "costs"
)

const (
	most      = exchange.MaxPastedCosts // rows, and columns
	mostPaint = 30                      // rows, and columns, that can be painted: links hold every one of them
	maxBudget = 20_000
)

func defaults() Params {
	p := Params{
		Solvers: []string{ipot, sinkhorn},
		Eps:     0.01, Beta: 0.1, N: 16, M: 10, Cost: costSquared, Painted: [][]float64{{0, 0}, {0, 0}}, Brush: 1, View: viewMasses,
	}
	p.Seed, p.Budget, p.Speed = 1, 1000, "30"
	return p
}

// bind lists the parameters in the order of the page.
func (p *Params) bind(l *param.List) {
	l.Section("Solvers")
	var options []param.Option
	for _, m := range Methods {
		options = append(options, param.Option{Value: m.ID, Label: m.Title, Help: m.Help})
	}
	l.Set(&p.Solvers, param.Descriptor{Name: "solver", Label: "Solvers", Options: options, AtLeast: 1, Effect: param.Rerun,
		Help: "Which solvers are watched. The exact plan is always shown beside; as a solver it is reached pivot by pivot."})
	l.Number(&p.Eps, param.Descriptor{Name: "eps", Symbol: "ε", Label: "Sinkhorn’s blur", Method: sinkhorn,
		Min: 0.001, Max: 10, Scale: param.Log, Effect: param.Rerun,
		Help: "Sinkhorn minimises Σ Γ_ij C_ij + ε Σ Γ_ij (log Γ_ij − 1). Here ε is relative to the range of the costs."})
	l.Number(&p.Beta, param.Descriptor{Name: "beta", Symbol: "β", Label: "IPOT’s step", Method: ipot,
		Min: 0.001, Max: 10, Scale: param.Log, Effect: param.Rerun,
		Help: "Each iteration of IPOT minimises Σ Γ_ij C_ij + β KL(Γ‖Γ_before), with one scaling of rows and columns. Here β is relative to " +
			"the range of the costs; the paper’s code takes 0.01 of costs whose sum is 1."})

	l.Section("Problem")
	l.Choice(&p.Cost, param.Descriptor{Name: "cost", Symbol: "C", Label: "Costs", Effect: param.Rerun,
		Help: "What it costs to carry a unit of mass from a row to a column. Costs lie between 0 and 1, unless they come from a file.",
		Options: []param.Option{
			{Value: costSquared, Label: "squared distances", Help: "Rows and columns are points at equal steps from 0 to 1."},
			{Value: costDistance, Label: "distances", Help: "Of the same points. Where masses meet on the way many plans cost the same."},
			{Value: costRandom, Label: "random"},
			{Value: costTies, Label: "random, 0 or 1", Help: "Many plans cost the same."},
			{Value: costPainted, Label: "painted", Help: "As dragged over the picture of the costs; what is not painted there is a squared " +
				"distance."},
			{Value: costFile, Label: "from a file", Help: "Paste or choose costs of your own; what the file lacks is a squared distance."},
		}})
	l.Integer(&p.N, param.Descriptor{Name: "n", Symbol: "n", Label: "Rows", Min: 1, Max: most, Step: 1,
		Help: "How many rows the plan has. In MosT they are objectives."})
	l.Integer(&p.M, param.Descriptor{Name: "m", Symbol: "m", Label: "Columns", Min: 1, Max: most, Step: 1,
		Help: "How many columns the plan has. In MosT they are solutions."})
	l.Simplex(&p.A, param.Descriptor{Name: "a", Symbol: "a", Label: "Masses of the rows", Count: "n", AtMost: most, Effect: param.Rerun,
		Help: "What each row holds: the sums that the rows of the plan must have. Drag its bars."})
	l.Simplex(&p.B, param.Descriptor{Name: "b", Symbol: "b", Label: "Masses of the columns", Count: "m", AtMost: most, Effect: param.Rerun,
		Help: "What each column is to receive: the sums that the columns of the plan must have. Drag its bars."})
	l.Number(&p.Tau, param.Descriptor{Name: "tau", Symbol: "τ", Label: "Reward for whole rows", Min: 0, Max: 5, Step: 0.01,
		Effect: param.Rerun,
		Help: "MosT adds τ R(Γ), R(Γ) = −Σ_i max_j Γ_ij, which wants rows undivided. With τ > 0 the solvers are given the linear problem that " +
			"the search for the best plan ends with: costs less τ where each row has most. Relative to the range of the costs."})
	p.BindSeed(l, "Decides random costs, and the random starts of the search where τ > 0.")
	l.Matrix(&p.Painted, param.Descriptor{Name: "painted", Label: "Painted costs", Min: 0, Max: 1, AtLeast: 1, AtMost: mostPaint,
		Effect: param.Rerun, Only: &param.Only{Name: "cost", Values: []string{costPainted}},
		Help: "Drag over the picture of the costs, of up to 30 rows and columns, or write them here."})
	l.Number(&p.Brush, param.Descriptor{Name: "brush", Label: "Cost that is painted", Min: 0, Max: 1, Step: 0.05, Effect: param.Display,
		Help: "What a press on the picture of the costs sets."})

	l.Section("Run")
	p.BindBudget(l, "K", maxBudget, "Solvers that are not done after this many iterations end there.")
	p.BindSpeed(l)

	l.Section("Show")
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "View", Effect: param.Display,
		Help: "What is shown beside the plan and its errors.",
		Options: []param.Option{
			{Value: viewMasses, Label: "masses, to drag"},
			{Value: viewCosts, Label: "costs, to paint, and potentials"},
		}})
}

// newSolver makes a solver as the parameters say.
func (p *Params) newSolver(name string) (transport.Iterative, error) {
	switch name {
	case ipot:
		return transport.NewIPOT(transport.IPOTConfig{Beta: p.Beta})
	case sinkhorn:
		return transport.NewSinkhorn(transport.SinkhornConfig{Epsilon: p.Eps})
	}
	return transport.NewExact(), nil
}
