package bilevelpaths

import (
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/twolevel"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	*twolevel.Roster // a Count of 0 means every point of the set
	StartSet         string

	F1, F2, Lower, Define string // formulas of the problem

	View   string
	Curve  string
	Zoom   string
	Moment float64
	Camera [3]float64
}

// offered are the methods of the scene.
var offered = []string{twolevel.FORUM, twolevel.MOML, twolevel.MoCo, twolevel.BOME, twolevel.BVFIM}

func defaults() Params {
	p := Params{
		Roster:   twolevel.New(offered, twolevel.FORUM, twolevel.MOML, twolevel.MoCo),
		StartSet: setPaper, F1: paperF1, F2: paperF2, Lower: paperLower,
		View: viewAll, Curve: curveE, Zoom: zoomWhole, Moment: moments, Camera: [3]float64{-28, 20, 1},
	}
	p.Region, p.Seed, p.Budget, p.Speed = 1.5, 1, 200, "200"
	return p
}

// Sets of start points.
const (
	setPaper  = "paper"
	setRandom = "random"
)

const randomStarts = 4 // for setRandom, unless a number is given

// Views of the scene.
const (
	viewAll  = "all"
	viewStep = "step"
)

// Measures that the panel can show.
const (
	curveE   = "E"
	curveK   = "K"
	curveQ   = "q"
	curveNu  = "nu"
	curveAll = "all"
)

// How much of the plane of ω is shown.
const (
	zoomWhole = "whole"
	zoomClose = "close"
)

// middle is every coordinate of the centre of the cube that random start points come from.
const middle = 1.5

const (
	maxStarts = 20
	maxBudget = 20_000
)

// bind lists the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)
	l.Section("Lower level")
	p.BindLoop(l)
	l.Section("Upper level")
	p.BindUpper(l)
	l.Section("Of one method")
	p.BindOwn(l)

	l.Section("Run")
	p.BindBudget(l, "K", maxBudget, "Every run ends after this many steps of the upper level.")
	p.BindSpeed(l, runs.SlowOption("Every step moment by moment: the lower level’s loop, ∇q̃, the small quadratic program, the step."))
	p.BindSeed(l, "Decides random start points, and what a weighting of MOML draws; the methods themselves draw nothing at random.")
	p.BindStop(l, "√KKT", "A run ends as soon as the shortest combination of the upper gradients and ∇q is at most this long; 0 never stops "+
		"one.")

	l.Section("Start points")
	l.Choice(&p.StartSet, param.Descriptor{Name: "startset", Label: "Start points",
		Help: "From where the methods run; every method runs once from each point (α, ω₁, ω₂).",
		Options: []param.Option{
			{Value: setPaper, Label: "the paper’s three", Help: "(0, 0, 3), (2, 0, 3) and (2, 3, 3)."},
			{Value: setRandom, Label: "random", Help: "Uniform in a cube about (1.5, 1.5, 1.5)."},
		}})
	l.Integer(&p.Count, param.Descriptor{Name: "starts", Label: "How many", Min: 0, Max: maxStarts, Step: 1,
		Help: "How many of the set’s points are used; those beyond the set are random. 0 takes the whole set, and four random points."})
	l.Number(&p.Region, param.Descriptor{Name: "region", Label: "Start region", Min: 0.1, Max: 5, Step: 0.1,
		Help: "Random start points lie within this of 1.5 in every coordinate."})
	p.BindMoved(l, 10, maxStarts, "Start points (α, ω₁, ω₂) that were dragged or given; the set gives the others.")

	l.Section("Problem")
	const how = " Of the upper variable a1 and the lower ones w1 and w2; numbers and parts that have names stand below."
	l.FreeText(&p.F1, param.Descriptor{Name: textF1, Symbol: "F₁", Label: "First upper objective",
		Help: "What should be small, the lower level being at the bottom of its valley." + how})
	l.FreeText(&p.F2, param.Descriptor{Name: textF2, Symbol: "F₂", Label: "Second upper objective", Help: "What should be small, too." + how})
	l.FreeText(&p.Lower, param.Descriptor{Name: textLower, Symbol: "f", Label: "Lower objective",
		Help: "What w1 and w2 should make small for whatever a1 is given. Without one lowest point no method knows where to go." + how})
	l.FreeText(&p.Define, param.Descriptor{Name: textDefine, Label: "Named numbers and parts", Lines: true,
		Help: "One a line: a number such as c = 2, which becomes a slider, or a part such as g = w1 - sin(a1), for use in the formulas."})

	l.Section("Show")
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "View", Effect: param.Display,
		Options: []param.Option{{Value: viewAll, Label: "all panels"}, {Value: viewStep, Label: "one step, large"}},
		Help:    "All panels, or space and the plane of ω alone, in which a step is taken apart."})
	overTime := &param.Only{Name: "view", Values: []string{viewAll}}
	l.Choice(&p.Curve, param.Descriptor{Name: "curve", Label: "Measure over time", Effect: param.Display, Only: overTime,
		Help: "What the panel of measures shows, on a logarithmic axis as in the paper’s Figure 2.",
		Options: []param.Option{
			{Value: curveE, Label: "E, distance from the solutions"},
			{Value: curveK, Label: "K(z), stationarity with the multipliers used", Help: "Of the methods that have multipliers."},
			{Value: curveQ, Label: "q̃, excess of the lower level", Help: "Of the methods that have a value function."},
			{Value: curveNu, Label: "ν, the multiplier", Help: "Of the methods that have one."},
			{Value: curveAll, Label: "all four, selected run"},
		}})
	l.Choice(&p.Axis, param.Descriptor{Name: "axis", Label: "Horizontal axis over time", Effect: param.Display, Only: overTime,
		Options: []param.Option{{Value: kinds.Iterations, Label: "iterations"}, {Value: twolevel.Evaluations, Label: "gradients and HVP"}},
		Help:    "Iterations, or what they cost: gradients and Hessian-vector products together, one each."})
	l.Number(&p.Moment, param.Descriptor{Name: "moment", Label: "Moment of the step", Min: 0, Max: moments, Step: 0.02, Effect: param.Display,
		Help: "How much of the step away from the time marker is shown: up to 1 the lower level’s loop, to 2 ∇q̃ or the way back through the " +
			"loop, to 3 the weights, to 4 the step. Slow motion moves it by itself."})
	l.Choice(&p.Zoom, param.Descriptor{Name: "zoom", Label: "Plane of ω", Effect: param.Display,
		Options: []param.Option{{Value: zoomWhole, Label: "whole"}, {Value: zoomClose, Label: "close to the selected run"}},
		Help:    "The whole plane, or as much of it as the step of the selected run needs."})
	l.Camera(&p.Camera, param.Descriptor{Name: "camera", Label: "Camera", Effect: param.Display,
		Help: "Where the picture of space is seen from: azimuth, elevation and distance. Drag the background to turn it."})
}

// startPoints returns the points of the set, then random ones; moved points replace them.
func (p *Params) startPoints() [][]float64 {
	var set [][]float64
	if p.StartSet == setPaper {
		set = problem.QuadraticBilevelStarts()
	}
	count := p.Count
	if count == 0 {
		if count = len(set); count == 0 {
			count = randomStarts
		}
	}
	return p.Points(p.Seed, set, count, p.Uniform(3, middle))
}
