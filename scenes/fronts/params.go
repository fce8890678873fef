package fronts

import (
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/algo/transport"
	"paretoplay/internal/engine/runs/plans"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	*plans.Roster

	Problem   string
	Decay     float64 // weight decay of sign steps
	D         int
	View      string
	Reference [][]float64 // one point, or none for the problem's default
}

// offered are the methods of the scene.
var offered = []string{plans.Extended, plans.MosT, plans.MGDA, plans.Linearization, plans.MOOSVGD, plans.EPO}

// defaults returns settings with the paper's sizes, plain steps that reach the front within 600 rounds, and plans
// without R(Γ), as in the authors' public code.
func defaults() Params {
	p := Params{Roster: plans.New(offered, plans.Extended, plans.MGDA, plans.Linearization), Problem: zdt1, D: problem.ZDTDims, View: viewRuns}
	p.Eta, p.Tau, p.Decay = 0.05, 0, transport.DefaultWeightDecay
	p.Count, p.Seed, p.Budget, p.Speed = 5, 1, 1000, "500"
	return p
}

// Views of the panels.
const (
	viewRuns  = "runs"
	viewTable = "table"
)

const (
	maxSolutions = 20
	maxVariables = 60
	maxBudget    = 5000
	// maxStart bounds the coordinates of start points. ZDT's box and the start square of two quadratics are within it.
	maxStart = 1.5
	// maxReference bounds the coordinates of the reference point.
	maxReference = 20
)

// bind adds the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)

	l.Section("Problem")
	l.Choice(&p.Problem, param.Descriptor{Name: "problem", Label: "Problem", Help: "The two objectives that the methods minimise.",
		Options: []param.Option{
			{Value: zdt1, Label: "ZDT1", Help: "A convex front: every point on it minimises some weighted sum."},
			{Value: zdt2, Label: "ZDT2", Help: "A concave front: weighted sums are smallest at its ends."},
			{Value: zdt3, Label: "ZDT3", Help: "A front in five pieces."},
			{Value: quadratics, Label: "two quadratics", Help: "Half the squared distances from two points in the plane that are 2 apart."},
		}})
	l.Integer(&p.Count, param.Descriptor{Name: "m", Symbol: "m", Label: "Solutions", Min: 1, Max: maxSolutions, Step: 1,
		Unit: "solutions", Help: "The number of solutions that each method moves. The paper uses 5."})
	l.Integer(&p.D, param.Descriptor{Name: "d", Symbol: "d", Label: "Variables", Min: 2, Max: maxVariables, Step: 1,
		Only: &param.Only{Name: "problem", Values: []string{zdt1, zdt2, zdt3}}, Unit: "variables",
		Help: "The number of ZDT’s variables. On the front, all but the first are 0. The literature uses 30."})
	p.BindSeed(l, "Determines the start points, MosT-E’s mixtures and linearization’s weights. The same seed gives the same runs.")
	p.BindMoved(l, maxStart, maxSolutions, "Start points that you entered; the others are random.")

	l.Section("Step")
	p.BindStepSettings(l)
	p.BindStepKind(l)
	p.BindScale(l)
	l.Number(&p.Decay, param.Descriptor{Name: "decay", Label: "Weight decay", Min: 0, Max: 0.01, Step: 0.0001,
		Only: &param.Only{Name: "step", Values: []string{string(transport.SignStep)}},
		Help: "Sign steps add x times this value to every gradient before taking its signs. An entry that was 0 then gets the sign of " +
			"x. The published code uses 0.0005."})

	l.Section("Of one method")
	p.BindOwn(l)
	l.Section("Transport")
	p.BindTransport(l)

	l.Section("Run")
	p.BindBudget(l, "T", maxBudget, "The number of rounds after which every run ends. The paper runs 1000, with η = 0.005.")
	p.BindSpeed(l)

	l.Section("Show")
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "View", Effect: param.Display,
		Help: "Show the runs, or the paper’s table of hypervolumes for every step style.",
		Options: []param.Option{
			{Value: viewRuns, Label: "the runs"},
			{Value: viewTable, Label: "table by step style", Help: "The mean hypervolume over two runs of every method on ZDT1 to ZDT3 by step " +
				"style, beside the paper’s values. The page computes the table while you watch. No other parameter affects it."},
		}})
	l.Points(&p.Reference, param.Descriptor{Name: "reference", Label: "Reference point", Min: -1, Max: maxReference, AtMost: 1,
		Effect: param.Display,
		Help: "The corner from which the hypervolume is measured; you can drag it. The default is the point in the authors’ public code, or " +
			"(2.2, 2.2) for two quadratics. The literature mostly uses (1.1, 1.1)."})
}

// reference returns the chosen reference point.
func (p *Params) reference(f *front) []float64 {
	if len(p.Reference) > 0 && len(p.Reference[0]) == 2 {
		return p.Reference[0]
	}
	return f.reference
}

// startPoints returns random start points. Given points replace them.
func (p *Params) startPoints(f *front) [][]float64 {
	p.Region = f.region
	return p.Points(p.Seed, nil, p.Count, p.Uniform(f.d, f.middle))
}
