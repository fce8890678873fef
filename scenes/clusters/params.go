package clusters

import (
	"fmt"

	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/algo/transport"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs/plans"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	*plans.Roster

	Layout       string
	From         string // where solutions start
	N, M         int    // goals and solutions
	Groups       int    // clusters of goals
	Spread       float64
	CentreSpread float64 // 0 selects the layout's default, as in Spread
	Basin        string
	Centres      [][]float64 // places of moved goals, in the order of the goals; an empty entry leaves the goal where it was

	View string
}

// Layouts of goals.
const (
	layoutRandom = "random"
	layoutRing   = "ring"
	layoutData   = "data"
)

// Where solutions start.
const (
	startsScattered = "scattered"
	startsCorner    = "corner"
)

// Shapes of objectives.
const (
	basinQuadratic = "quadratic"
	basinWell      = "well"
)

// Views of the last panel.
const (
	viewLosses  = "losses"
	viewZeros   = "zeros"
	viewChange  = "change"
	viewTheorem = "theorem"
)

// offered are the methods that make sense here. MosT-E is left out because it is for fewer objectives than solutions,
// and MOO-SVGD and EPO are left out because they are not ablations.
var offered = []string{
	plans.MosT, plans.WithoutR, plans.WithoutCL, plans.Objectives, plans.Models, plans.Weights, plans.RandomPlan, plans.Linearization,
	plans.MGDA,
}

// Methods are the scene's methods in the order of lists and legends.
var Methods = plans.Methods(offered...)

func defaults() Params {
	p := Params{
		Roster: plans.New(offered, plans.MosT), Layout: layoutRandom, From: startsScattered, N: 30, M: 5, Groups: 5,
		Basin: basinQuadratic, View: viewLosses,
	}
	p.Seed, p.Budget = 1, 40
	return p
}

const (
	maxGoals     = data.MaxCentres
	maxSolutions = data.MaxSolutions
	maxClusters  = 20
	maxBudget    = 5000
	maxPlace     = 1e6 // maximum of either coordinate of a goal or start
)

// bind adds the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)

	l.Section("Masses")
	l.Integer(&p.M, param.Descriptor{Name: "m", Symbol: "m", Label: "Solutions", Min: 1, Max: maxSolutions, Step: 1,
		Help: "The number of solutions that share the goals. Every method moves this many solutions from the same start points."})
	p.BindMarginals(l, "n", "m", maxGoals, maxSolutions)
	l.Describe("a", "Mass of the goals",
		"How much of each goal the solutions must serve together: the row sums of the plan. In the paper (symbol α) all masses are equal. No "+
			"solution serves a goal of mass 0. Drag the bars in the picture to edit the masses.")
	l.Describe("b", "Mass of the solutions",
		"How much each solution receives: the column sums of the plan. In the paper (symbol β) all masses are equal. A solution of mass "+
			"0 receives nothing and does not move. Drag the bars in the picture to edit the masses.")

	l.Section("Goals")
	l.Choice(&p.Layout, param.Descriptor{Name: "layout", Label: "Layout",
		Help: "How the goals are placed. By default, each objective is half the squared distance from its goal; the shape parameter can " +
			"change this.",
		Options: []param.Option{
			{Value: layoutRandom, Label: "random", Help: "Clusters with random centres in a square."},
			{Value: layoutRing, Label: "ring", Help: "Clusters evenly spaced on a circle."},
			{Value: layoutData, Label: "your own", Help: "Goals from a file that you load."},
		}})
	l.Integer(&p.N, param.Descriptor{Name: "n", Symbol: "n", Label: "Goals", Min: 1, Max: maxGoals, Step: 1,
		Help: "The number of goals. Each goal has its own objective."})
	drawn := &param.Only{Name: "layout", Values: []string{layoutRandom, layoutRing}}
	l.Integer(&p.Groups, param.Descriptor{Name: "k", Label: "Clusters", Min: 1, Max: maxClusters, Step: 1, Only: drawn,
		Help: "The number of clusters of goals. Goal i belongs to cluster i modulo this number."})
	l.Number(&p.Spread, param.Descriptor{Name: "spread", Label: "Spread of a cluster", Min: 0, Max: 2, Step: 0.01, Only: drawn,
		Help: fmt.Sprintf("The standard deviation of the goals around their cluster’s centre. 0 selects the layout’s default: %g, or %g on "+
			"the ring.",
			problem.ScatteredSpread, problem.RingSpread)})
	l.Number(&p.CentreSpread, param.Descriptor{Name: "centrespread", Label: "Spread of the clusters", Min: 0, Max: 6, Step: 0.1, Only: drawn,
		Help: fmt.Sprintf("The maximum absolute coordinate of the clusters’ centres or, on the ring, their distance from the origin. 0 "+
			"selects the layout’s default: %g, or %g on the ring.", problem.ScatteredExtent, problem.RingExtent)})
	l.Choice(&p.Basin, param.Descriptor{Name: "basin", Label: "Shape of an objective",
		Help: "How the objective grows with the distance r from its goal.",
		Options: []param.Option{
			{Value: basinQuadratic, Label: "½r²", Help: "Half the squared distance: distant goals pull hardest."},
			{Value: basinWell, Label: "well", Help: "1 − exp(−r²/2): beyond a distance of 1, the pull fades."},
		}})
	l.Points(&p.Centres, param.Descriptor{Name: "centres", Label: "Moved goals", Min: -maxPlace, Max: maxPlace, AtMost: maxGoals,
		Effect: param.Rerun, Help: "Goals that you dragged; the layout places the others."})

	l.Section("Start")
	l.Choice(&p.From, param.Descriptor{Name: "starts", Label: "Solutions start",
		Help: "Where the solutions start. All methods use the same start points.",
		Options: []param.Option{
			{Value: startsScattered, Label: "scattered", Help: "Uniform in [−1.5, 1.5]², or in [−1, 1]² on the ring."},
			{Value: startsCorner, Label: "in a corner", Help: "All within 0.2 of (2.5, 2.5)."},
		}})
	p.BindMoved(l, maxPlace, maxSolutions, "Start points that you dragged or entered; the others are random.")
	p.BindSeed(l, "Determines the goals, start points, random weights and restarts of the plan’s search. The same seed gives the same runs.")

	l.Section("Step")
	p.BindStepSettings(l)
	p.BindScale(l)
	l.Section("Plan")
	p.BindTransport(l)
	p.BindCurriculum(l)
	l.Section("Run")
	p.BindBudget(l, "T", maxBudget, "The number of rounds after which every run ends. A curriculum is spread over this many rounds.")
	p.BindSpeed(l)
	p.BindOwn(l)

	l.Section("Show")
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "Curves", Effect: param.Display,
		Help: "The curves drawn over the rounds.",
		Options: []param.Option{
			{Value: viewLosses, Label: "losses", Help: "The oracle loss (the best solution’s loss for each goal) and the mean over all solutions."},
			{Value: viewZeros, Label: "zeros of Γ", Help: "The share of the plan’s entries that are zero."},
			{Value: viewChange, Label: "change of Γ", Help: "The symmetric Kullback–Leibler divergence between consecutive plans."},
			{Value: viewTheorem, Label: "Theorem 1", Help: "The running mean of Σ b_j‖d_j‖², which falls at least as fast as 1/k."},
		}})
}

// descends reports whether each round of a method lowers the cost of its plan by at least the amount in Theorem 1. The
// theorem requires MGDA’s directions, one step per plan, cheapest plans and fixed marginals.
func (p *Params) descends(method string) bool {
	switch method {
	case plans.MosT, plans.WithoutCL:
		return p.K == 1 && p.Solver == plans.Exact && p.Tau == 0 && (p.Curriculum == none || method == plans.WithoutCL)
	case plans.WithoutR:
		return p.K == 1 && p.Solver == plans.Exact && p.Curriculum == none
	case plans.Objectives, plans.Models, plans.RandomPlan:
		return p.K == 1
	}
	return false
}

var none = string(transport.ConstantMarginals)
