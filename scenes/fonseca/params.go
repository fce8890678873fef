package fonseca

import (
	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/swarm"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	*smooth.Roster
	Walk    runs.Walk
	Swarm   swarm.Swarm
	Problem string
	D       int

	View       string
	Field      string
	Horizontal int
	Vertical   int
}

// absent maps each method that makes no sense in this scene to the reason for leaving it out.
var absent = map[string]string{
	"smg": "SMG uses growing batches of data. This problem has no data, so the method would equal MGDA.",
}

func defaults() Params {
	p := Params{
		Roster: smooth.New(2, absent, nil, "psmgd"), Problem: problemFonseca, D: 2,
		View: viewRuns, Field: "omega", Horizontal: 1, Vertical: 2,
	}
	p.Limit = &smooth.Limit{Min: 0, Max: 1, Value: 0.5, Limited: "1"}
	p.Count, p.Region, p.Seed, p.Budget, p.Speed = 10, 1.2, 1, 200, "200"
	return p
}

// Values of the problem parameter: Fonseca's problem, and one whose objectives are squared distances.
const (
	problemFonseca   = "fonseca"
	problemQuadratic = "quadratic"
)

// Views of the scene.
const (
	viewRuns      = "runs"
	viewStaleness = "staleness"
	viewNoise     = "noise"
)

const fieldNone = "none"

// fieldOptions are the functions available as the field of the decision space.
var fieldOptions = []param.Option{
	{Value: "omega", Label: "ω, distance from stationarity", Help: "The length of the shortest mixture of the two gradients. Where it is " +
		"0, no step helps both objectives."},
	{Value: "f1", Label: "f₁", Help: "The first objective."}, {Value: "f2", Label: "f₂", Help: "The second objective."},
	{Value: fieldNone, Label: "none", Help: "Shows only the runs and the Pareto set."},
}

const (
	maxStarts = 50
	maxBudget = 100_000
)

// bind adds the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)
	l.Section("Step")
	p.BindStepSettings(l)

	l.Section("Run")
	p.BindBudget(l, "T", maxBudget, "The number of iterations after which every run ends.")
	p.BindSpeed(l)
	p.BindSeed(l, "Determines the random start points, random weights and orders, and the noise. The same seed gives the same runs.")

	l.Section("Problem")
	l.Choice(&p.Problem, param.Descriptor{Name: "problem", Label: "Problem",
		Help: "The two objectives that the runs minimise. Each has its minimum at a different end of the Pareto set.",
		Options: []param.Option{
			{Value: problemFonseca, Label: "Fonseca", Help: "Two dents that flatten out far away, 1 − exp(−‖x ∓ c‖²). The front bulges away " +
				"from the origin (Fonseca & Fleming 1996)."},
			{Value: problemQuadratic, Label: "two bowls",
				Help: "Squared distances, ‖x ∓ c‖²/4, with the same minima and the same Pareto set. The front bulges towards the origin."},
		}})
	l.Integer(&p.Count, param.Descriptor{Name: "starts", Label: "Start points", Min: 1, Max: maxStarts, Step: 1,
		Help: "The number of start points. Every method runs once from each."})
	l.Number(&p.Region, param.Descriptor{Name: "region", Label: "Start region", Min: 0.1, Max: 4, Step: 0.1,
		Help: "The maximum distance of random start points from 0 in each coordinate. Beyond 2 in every coordinate, both gradients " +
			"of Fonseca’s problem are short: a plateau."})
	p.BindMoved(l, 10, maxStarts, "Start points that you dragged or entered; the others are random.")
	l.Integer(&p.D, param.Descriptor{Name: "d", Symbol: "d", Label: "Variables", Min: 1, Max: 30, Step: 1,
		Help: "The number of variables of a point. With more than two, the decision space shows the two chosen coordinates."})
	p.BindNoise(l)

	l.Section("Of one method")
	p.BindOwn(l)
	l.Section("More")
	p.BindSchedules(l)
	p.BindOptimizer(l)
	p.BindStop(l)

	l.Section("Show")
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "View", Effect: param.Display,
		Options: []param.Option{{Value: viewRuns, Label: "the runs"}, {Value: viewStaleness, Label: "map of stale weights"},
			{Value: viewNoise, Label: "map of noise"}},
		Help: "Show the runs, or a map of how many runs collapse to the ends of the front. The first map varies period, momentum and step " +
			"size. The second map has 20 variables and varies noise, momentum, period and method. Maps are computed while you watch; click a cell " +
			"to run it."})
	l.Choice(&p.Field, param.Descriptor{Name: "field", Label: "Field in the decision space", Effect: param.Display,
		Options: fieldOptions,
		Help:    "The function drawn behind the trajectories, with contours. If there are more than two variables, the others are set to 0."})
	p.BindAxis(l)
	l.Integer(&p.Horizontal, param.Descriptor{Name: "horizontal", Label: "Horizontal coordinate", Min: 1, Max: 30, Step: 1,
		Effect: param.Display,
		Help:   "The coordinate on the horizontal axis of the decision space."})
	l.Integer(&p.Vertical, param.Descriptor{Name: "vertical", Label: "Vertical coordinate", Min: 1, Max: 30, Step: 1, Effect: param.Display,
		Help: "The coordinate on the vertical axis of the decision space."})
	p.Walk.Bind(l, 2)
	p.BindSwarm(&p.Swarm, l)
	// A map hides the runs. Only parameters that set a position in the map remain.
	l.Restrict(param.Only{Name: "view", Values: []string{viewRuns}}, "view", "R", "eta", "momentum")
}

// pair returns the indices, from 0, of the two displayed coordinates. They are equal if there is one variable.
func (p *Params) pair() (i, j int) {
	i, j = min(p.Horizontal, p.D)-1, min(p.Vertical, p.D)-1
	if i == j && p.D > 1 {
		j = (i + 1) % p.D
	}
	return i, j
}
