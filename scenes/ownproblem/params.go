package ownproblem

import (
	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/swarm"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	*smooth.Roster
	Walk  runs.Walk
	Swarm swarm.Swarm

	F      [maxObjectives]string
	Define string
	Box    string

	Field  string
	Camera [3]float64
}

// Names of the text parameters that define the problem.
var textObjectives = [maxObjectives]string{"f1", "f2", "f3", "f4"}

const (
	textDefine = "define"
	textBox    = "box"
)

const (
	maxObjectives = 4
	maxStarts     = 50
	maxBudget     = 100_000
)

// Values of Field, which selects what is drawn behind the runs in the decision space.
const (
	fieldCritical = "critical"
	fieldF1       = "f1"
	fieldF2       = "f2"
	fieldBasins   = "basins"
	fieldNone     = "none"
)

// absent maps each method that makes no sense in this scene to the reason for leaving it out.
var absent = map[string]string{
	"smg": "SMG uses growing batches of data. Formulas have no data, so the method would equal MGDA.",
}

func defaults() Params {
	p := Params{Roster: smooth.New(2, absent, nil, "mgda", "ls"), Field: fieldCritical, Camera: [3]float64{-35, 25, 1}}
	p.F[0], p.F[1] = "(x-1)^2 + (y+0.5)^2 + 0.3*(1 + sin(3*y))", "(x+1)^2 + (y-0.5)^2"
	p.Count, p.Region, p.Seed, p.Budget, p.Speed, p.Eta = 8, 2, 1, 200, "200", 0.05
	return p
}

// bind adds the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Objectives")
	const how = " Use the variables x1 to x30, or x and y, with numbers, + - * / ^, brackets, pi, e, exp, log, sqrt, sin, cos, tanh, " +
		"min, max and other functions, and sum(i, 1, n, x[i]^2). Define named numbers and parts below."
	for i, name := range textObjectives {
		help := "The objective " + name + ", to be minimised." + how
		if i > 1 {
			help += " Leave the field empty if there is no such objective."
		}
		l.FreeText(&p.F[i], param.Descriptor{Name: name, Symbol: "f" + runs.Subscript(i), Label: ordinals[i] + " objective", Help: help})
	}
	l.FreeText(&p.Define, param.Descriptor{Name: textDefine, Label: "Named numbers, parts and bounds", Lines: true,
		Help: "One definition per line: a number such as a = 2, which becomes a slider; a part such as g = 1 + x2^2 for use in the " +
			"formulas; the bounds of a variable such as x1 in [0, 1]; or n = 5 for five variables."})
	l.FreeText(&p.Box, param.Descriptor{Name: textBox, Label: "Bounds of all variables",
		Help: "The lower and upper bound of every variable, such as −2, 2. Leave the field empty if there are no bounds."})

	l.Section("Methods")
	p.BindMethods(l)
	l.Section("Step")
	p.BindStepSettings(l)

	l.Section("Run")
	p.BindBudget(l, "T", maxBudget, "The number of iterations after which every run ends.")
	p.BindSpeed(l)
	p.BindSeed(l, "Determines the random start points, and random weights and orders. The same seed gives the same runs.")
	l.Integer(&p.Count, param.Descriptor{Name: "starts", Label: "Start points", Min: 1, Max: maxStarts, Step: 1,
		Help: "The number of start points. Every method runs once from each."})
	l.Number(&p.Region, param.Descriptor{Name: "region", Label: "Start region", Min: 0.01, Max: 1000, Scale: param.Log,
		Help: "The maximum distance of random start points from 0 in each variable without bounds, and the extent of the picture."})
	p.BindMoved(l, 1e6, maxStarts, "Start points that you dragged or entered; the others are random.")

	l.Section("Of one method")
	p.BindOwn(l)
	l.Section("More")
	p.BindSchedules(l)
	p.BindOptimizer(l)
	p.BindStop(l)

	l.Section("Show")
	l.Choice(&p.Field, param.Descriptor{Name: "field", Label: "Field in the decision space", Effect: param.Display,
		Help: "The field drawn behind the runs if there are two variables.",
		Options: []param.Option{
			{Value: fieldCritical, Label: "critical sets", Help: "The length of the shortest mixture of the gradients, each scaled to length " +
				"1. It is small where no step helps all objectives. Such points are pale if another point is better in all objectives."},
			{Value: fieldF1, Label: "f₁", Help: "The first objective."}, {Value: fieldF2, Label: "f₂", Help: "The second objective."},
			{Value: fieldBasins, Label: "basins", Help: "Each point’s colour is f₁ where the first method in the list ends if it starts there."},
			{Value: fieldNone, Label: "none", Help: "Shows only the runs and the front."},
		}})
	p.BindAxis(l)
	p.Walk.Bind(l, maxObjectives)
	p.BindSwarm(&p.Swarm, l)
	l.Camera(&p.Camera, param.Descriptor{Name: "camera", Label: "Camera", Effect: param.Display,
		Help: "The viewpoint of the picture of three objectives. Drag the picture to turn it."})
}

var ordinals = [maxObjectives]string{"First", "Second", "Third", "Fourth"}
