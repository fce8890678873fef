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
	CentreSpread float64 // 0, as in Spread, means the layout's default
	Basin        string
	Centres      [][]float64 // moved goals, by their number; an empty entry keeps the goal's place

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

// offered are the methods that make sense here. MosT-E is for fewer objectives than solutions; MOO-SVGD and EPO are not ablations.
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

// bind lists the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)

	l.Section("Who counts how much")
	l.Integer(&p.M, param.Descriptor{Name: "m", Symbol: "m", Label: "Solutions", Min: 1, Max: maxSolutions, Step: 1,
		Help: "How many solutions share the goals. Every method moves as many, from the same starts."})
	p.BindMarginals(l, "n", "m", maxGoals, maxSolutions)
	l.Describe("a", "Mass of the goals",
		"How much of each goal the solutions must carry together: the sums of the plan’s rows. Equal for all in the paper, which calls "+
			"it α. A goal of mass 0 is nobody’s business. Drag the bars of the picture.")
	l.Describe("b", "Mass of the solutions",
		"How much each solution is given: the sums of the plan’s columns. Equal for all in the paper, which calls it β. A solution of "+
			"mass 0 is given nothing and stays where it is. Drag the bars of the picture.")

	l.Section("Goals")
	l.Choice(&p.Layout, param.Descriptor{Name: "layout", Label: "Layout",
		Help: "Where the goals lie. Each objective is ½ of the squared distance from its goal, unless the shape says otherwise.",
		Options: []param.Option{
			{Value: layoutRandom, Label: "random", Help: "Clusters with their middles anywhere in a square."},
			{Value: layoutRing, Label: "ring", Help: "Clusters at equal distances on a circle."},
			{Value: layoutData, Label: "your own", Help: "Goals from a file."},
		}})
	l.Integer(&p.N, param.Descriptor{Name: "n", Symbol: "n", Label: "Goals", Min: 1, Max: maxGoals, Step: 1,
		Help: "How many goals there are, each with an objective of its own."})
	drawn := &param.Only{Name: "layout", Values: []string{layoutRandom, layoutRing}}
	l.Integer(&p.Groups, param.Descriptor{Name: "k", Label: "Clusters", Min: 1, Max: maxClusters, Step: 1, Only: drawn,
		Help: "In how many clusters the goals lie; goal i is in cluster i modulo this number."})
	l.Number(&p.Spread, param.Descriptor{Name: "spread", Label: "Spread of a cluster", Min: 0, Max: 2, Step: 0.01, Only: drawn,
		Help: fmt.Sprintf("The standard deviation of goals about the middle of their cluster; 0 takes the layout’s own, %g, on the ring %g.",
			problem.ScatteredSpread, problem.RingSpread)})
	l.Number(&p.CentreSpread, param.Descriptor{Name: "centrespread", Label: "Spread of the clusters", Min: 0, Max: 6, Step: 0.1, Only: drawn,
		Help: fmt.Sprintf("How far from the origin clusters have their middles: in either coordinate, on the ring all at this distance; 0 "+
			"takes the layout’s own, %g, on the ring %g.", problem.ScatteredExtent, problem.RingExtent)})
	l.Choice(&p.Basin, param.Descriptor{Name: "basin", Label: "Shape of an objective",
		Help: "What becomes of an objective far from its goal.",
		Options: []param.Option{
			{Value: basinQuadratic, Label: "½r²", Help: "Half of the squared distance r: goals far away pull hardest."},
			{Value: basinWell, Label: "well", Help: "1 − exp(−r²/2): beyond a distance of 1 the pull fades."},
		}})
	l.Points(&p.Centres, param.Descriptor{Name: "centres", Label: "Moved goals", Min: -maxPlace, Max: maxPlace, AtMost: maxGoals,
		Effect: param.Rerun, Help: "Goals that were dragged; the layout places the others."})

	l.Section("Start")
	l.Choice(&p.From, param.Descriptor{Name: "starts", Label: "Solutions start",
		Help: "From where the solutions set out; every method from the same places.",
		Options: []param.Option{
			{Value: startsScattered, Label: "scattered", Help: "Uniform in [−1.5, 1.5]², on the ring in [−1, 1]²."},
			{Value: startsCorner, Label: "in a corner", Help: "All within 0.2 of (2.5, 2.5)."},
		}})
	p.BindMoved(l, maxPlace, maxSolutions, "Start points that you dragged or entered; the others are random.")
	p.BindSeed(l, "Decides goals, start points, random weights and restarts of the plan’s search. The same seed gives the same runs.")

	l.Section("Step")
	p.BindStepSettings(l)
	p.BindScale(l)
	l.Section("Plan")
	p.BindTransport(l)
	p.BindCurriculum(l)
	l.Section("Run")
	p.BindBudget(l, "T", maxBudget, "Every run ends after this many rounds. A curriculum goes from its one end to the other within them.")
	p.BindSpeed(l)
	p.BindOwn(l)

	l.Section("Show")
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "Curves", Effect: param.Display,
		Help: "What is drawn over the rounds.",
		Options: []param.Option{
			{Value: viewLosses, Label: "losses", Help: "The oracle loss, of the best solution for each goal, and the mean over all solutions."},
			{Value: viewZeros, Label: "zeros of Γ", Help: "The share of the plan’s entries that are zero."},
			{Value: viewChange, Label: "change of Γ", Help: "The symmetric Kullback–Leibler divergence between a plan and the one before."},
			{Value: viewTheorem, Label: "Theorem 1", Help: "The running mean of Σ b_j‖d_j‖², which falls at least as fast as 1/k."},
		}})
}

// descends reports whether each round of a method lowers the cost of its plan by the amount of Theorem 1. This requires MGDA’s
// directions, one step with every plan, cheapest plans and fixed marginals.
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
