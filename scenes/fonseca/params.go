package fonseca

import (
	"paretoplay/algo/param"
	"paretoplay/scenes/roster"
)

// Params are the scene's parameters; the zero value is of no use, see
// defaults.
type Params struct {
	roster.Roster
	D      int
	Sigma  float64
	Starts int
	Region float64
	Seed   uint64
	Start  [][]float64 // dragged or given start points; an empty one is random
	Budget int
	Stop   float64
	Speed  string

	View       string
	Field      string
	Axis       string
	Horizontal int
	Vertical   int
}

// absent are the methods that make no sense here.
var absent = map[string]string{
	"smg": "Its batches grow, and this problem has no data to draw batches from: it would be MGDA.",
}

func defaults() Params {
	return Params{
		Roster: roster.New(absent, nil, "psmgd"),
		D:      2, Starts: 10, Region: 1.2, Seed: 1, Budget: 200, Speed: "30",
		View: viewRuns, Field: "omega", Axis: axisIterations, Horizontal: 1, Vertical: 2,
	}
}

// Views of the scene.
const (
	viewRuns      = "runs"
	viewStaleness = "staleness"
)

const fieldNone = "none"

// fieldOptions are the functions that the decision space can show.
var fieldOptions = []param.Option{
	{Value: "omega", Label: "ω, distance from stationarity"}, {Value: "f1", Label: "f₁"}, {Value: "f2", Label: "f₂"}, {Value: fieldNone, Label: "none"},
}

// Horizontal axes of panels over time.
const (
	axisIterations = "iterations"
	axisBP         = "backpropagations"
)

const (
	maxStarts = 50
	maxBudget = 100_000
)

const (
	groupMethods = "Methods"
	groupStep    = "Step"
	groupProblem = "Problem"
	groupRun     = "Run"
	groupOwn     = "Of one method"
	groupShow    = "Show"
	groupMore    = "More"
)

// bind lists the parameters in the order of the page.
func (p *Params) bind(l *param.List) {
	l.Section(groupMethods)
	p.BindMethods(l)
	l.Section(groupStep)
	p.BindStep(l)
	l.Integer(&p.Budget, param.Descriptor{Name: "budget", Symbol: "T", Label: "Iterations", Min: 1, Max: maxBudget, Step: 1, Scale: param.Log, Effect: param.Rerun, Group: groupRun,
		Unit: "iterations", Help: "Every run ends after this many iterations."})
	l.Choice(&p.Speed, param.Descriptor{Name: "speed", Label: "Speed", Effect: param.Display, Group: groupRun, Unit: "iterations per second",
		Help:    "How often a step is made. It never changes what a step computes.",
		Options: roster.SpeedOptions()})
	l.Seed(&p.Seed, param.Descriptor{Name: "seed", Label: "Seed", Group: groupRun,
		Help: "Decides the random start points, the fixed weights of linear scalarization and the noise. The same seed gives the same runs."})

	l.Integer(&p.Starts, param.Descriptor{Name: "starts", Label: "Start points", Min: 1, Max: maxStarts, Step: 1, Group: groupProblem,
		Help: "How many start points there are; every method runs once from each."})
	l.Number(&p.Region, param.Descriptor{Name: "region", Label: "Start region", Min: 0.1, Max: 4, Step: 0.1, Group: groupProblem,
		Help: "Random start points are uniform in [−region, region] in every coordinate. Beyond about 2 both gradients vanish: a plateau."})
	l.Points(&p.Start, param.Descriptor{Name: "start", Label: "Moved start points", Min: -10, Max: 10, AtMost: maxStarts, Effect: param.Rerun, Group: groupProblem,
		Help: "Start points that were dragged or given; the others are random."})
	l.Integer(&p.D, param.Descriptor{Name: "d", Symbol: "d", Label: "Variables", Min: 1, Max: 30, Step: 1, Group: groupProblem,
		Help: "The number of variables of Fonseca's problem. With more than two, the decision space shows the chosen pair of coordinates."})
	l.Number(&p.Sigma, param.Descriptor{Name: "sigma", Symbol: "σ", Label: "Gradient noise", Min: 0, Max: 1, Step: 0.01, Group: groupProblem,
		Help: "Standard deviation of the normal noise added to every entry of every gradient. All methods see the same noise."})

	l.Section(groupOwn)
	p.BindOwn(l)
	l.Section(groupMore)
	p.BindSchedules(l)
	p.BindOptimizer(l)
	l.Number(&p.Stop, param.Descriptor{Name: "stop", Symbol: "ω", Label: "Stop at stationarity", Min: 0, Max: 1, Step: 0.0001, Effect: param.Rerun, Group: groupMore,
		Help: "A run ends as soon as ω(x), the length of the shortest convex combination of the exact gradients, is at most this; 0 never stops one."})

	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "View", Effect: param.Display, Group: groupShow,
		Options: []param.Option{{Value: viewRuns, Label: "the runs"}, {Value: viewStaleness, Label: "map of stale weights"}},
		Help:    "The runs, or the map of how many runs collapse to the ends of the front for each R, α and η. The map is computed while you watch; click a cell to run it."})
	l.Choice(&p.Field, param.Descriptor{Name: "field", Label: "Field in the decision space", Effect: param.Display, Group: groupShow,
		Options: fieldOptions,
		Help:    "The function drawn behind the trajectories, with its contours. With more than two variables the others are 0 in it."})
	l.Choice(&p.Axis, param.Descriptor{Name: "axis", Label: "Horizontal axis over time", Effect: param.Display, Group: groupShow,
		Options: []param.Option{{Value: axisIterations, Label: "iterations"}, {Value: axisBP, Label: "backpropagations"}},
		Help:    "A backpropagation is one gradient of one scalar function. Counting them shows what a run has paid."})
	l.Integer(&p.Horizontal, param.Descriptor{Name: "horizontal", Label: "Coordinate to the right", Min: 1, Max: 30, Step: 1, Effect: param.Display, Group: groupShow,
		Help: "The coordinate drawn to the right in the decision space."})
	l.Integer(&p.Vertical, param.Descriptor{Name: "vertical", Label: "Coordinate upwards", Min: 1, Max: 30, Step: 1, Effect: param.Display, Group: groupShow,
		Help: "The coordinate drawn upwards in the decision space."})
}

// pair is the two coordinates drawn, from 0; equal when there is one variable.
func (p *Params) pair() (i, j int) {
	i, j = min(p.Horizontal, p.D)-1, min(p.Vertical, p.D)-1
	if i == j && p.D > 1 {
		j = (i + 1) % p.D
	}
	return i, j
}
