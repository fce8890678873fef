package bilevelpaths

import (
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/twolevel"
)

// Params holds the scene's parameters. Use defaults, since the zero value is not usable.
type Params struct {
	*twolevel.Roster // Count = 0 means all points of the set
	StartSet         string

	F1, F2, Lower, Define string // the problem's formulas

	View   string
	Curve  string
	Zoom   string
	Moment float64
	Camera [3]float64
}

// offered lists the methods of the scene.
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

// These are the sets of start points.
const (
	setPaper  = "paper"
	setRandom = "random"
)

const randomStarts = 4 // default number of start points for setRandom

// These are the views of the scene.
const (
	viewAll  = "all"
	viewStep = "step"
)

// These are the measures that the panel can show.
const (
	curveE   = "E"
	curveK   = "K"
	curveQ   = "q"
	curveNu  = "nu"
	curveAll = "all"
)

// These constants select how much of the plane of ω is shown.
const (
	zoomWhole = "whole"
	zoomClose = "close"
)

// middle is the value of each coordinate at the centre of the cube of random start points.
const middle = 1.5

const (
	maxStarts = 20
	maxBudget = 20_000
)

// bind adds the parameters to l in the page's order.
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
	p.BindSpeed(l, runs.SlowOption("Shows every step moment by moment: the lower level’s loop, ∇q̃, the small quadratic program and the "+
		"step."))
	p.BindSeed(l, "The seed of random start points and of random choices in MOML’s weighting. The methods themselves choose nothing at "+
		"random.")
	p.BindStop(l, "√KKT", "A run ends as soon as the shortest combination of the upper gradients and ∇q is at most this long. At 0, no run "+
		"ends early.")

	l.Section("Start points")
	l.Choice(&p.StartSet, param.Descriptor{Name: "startset", Label: "Start points",
		Help: "The points (α, ω₁, ω₂) from which the methods start. Every method runs once from each point.",
		Options: []param.Option{
			{Value: setPaper, Label: "the paper’s three", Help: "(0, 0, 3), (2, 0, 3) and (2, 3, 3)."},
			{Value: setRandom, Label: "random", Help: "Uniform in a cube around (1.5, 1.5, 1.5)."},
		}})
	l.Integer(&p.Count, param.Descriptor{Name: "starts", Label: "How many", Min: 0, Max: maxStarts, Step: 1,
		Help: "The number of start points. If the set has fewer, the rest are random. 0 uses the whole set, or four points if the set is " +
			"random."})
	l.Number(&p.Region, param.Descriptor{Name: "region", Label: "Start region", Min: 0.1, Max: 5, Step: 0.1,
		Help: "How far random start points may be from 1.5 in every coordinate."})
	p.BindMoved(l, 10, maxStarts, "Start points (α, ω₁, ω₂) that were dragged or given. The other points come from the set.")

	l.Section("Problem")
	const how = " It depends on the upper variable a1 and the lower variables w1 and w2. Define named numbers and parts below."
	l.FreeText(&p.F1, param.Descriptor{Name: textF1, Symbol: "F₁", Label: "First upper objective",
		Help: "The first formula to minimise while the lower level is at the bottom of its valley." + how})
	l.FreeText(&p.F2, param.Descriptor{Name: textF2, Symbol: "F₂", Label: "Second upper objective", Help: "The second formula to " +
		"minimise." + how})
	l.FreeText(&p.Lower, param.Descriptor{Name: textLower, Symbol: "f", Label: "Lower objective",
		Help: "The formula that w1 and w2 minimise for any given a1. Methods need it to have a single lowest point." + how})
	l.FreeText(&p.Define, param.Descriptor{Name: textDefine, Label: "Named numbers and parts", Lines: true,
		Help: "Write one definition per line, for use in the formulas: a number such as c = 2, which becomes a slider, or a part such as g = " +
			"w1 - sin(a1)."})

	l.Section("Show")
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "View", Effect: param.Display,
		Options: []param.Option{{Value: viewAll, Label: "all panels"}, {Value: viewStep, Label: "one step, large"}},
		Help:    "Shows all panels, or only the picture in space and the plane of ω, which show a step part by part."})
	overTime := &param.Only{Name: "view", Values: []string{viewAll}}
	l.Choice(&p.Curve, param.Descriptor{Name: "curve", Label: "Measure over time", Effect: param.Display, Only: overTime,
		Help: "The measure that the panel shows over time, on a logarithmic axis as in the paper’s Figure 2.",
		Options: []param.Option{
			{Value: curveE, Label: "E, distance from the solutions"},
			{Value: curveK, Label: "K(z), stationarity with the multipliers used", Help: "Shown for the methods that have multipliers."},
			{Value: curveQ, Label: "q̃, excess of the lower level", Help: "Shown for the methods that have a value function."},
			{Value: curveNu, Label: "ν, the multiplier", Help: "Shown for the methods that have a multiplier."},
			{Value: curveAll, Label: "all four for the selected run"},
		}})
	l.Choice(&p.Axis, param.Descriptor{Name: "axis", Label: "Horizontal axis of charts over time", Effect: param.Display, Only: overTime,
		Options: []param.Option{{Value: kinds.Iterations, Label: "iterations"}, {Value: twolevel.Evaluations, Label: "gradients and HVP"}},
		Help:    "Counts iterations, or gradients and Hessian-vector products together."})
	l.Number(&p.Moment, param.Descriptor{Name: "moment", Label: "Moment of the step", Min: 0, Max: moments, Step: 0.02, Effect: param.Display,
		Help: "How much of the step that begins at the time marker is shown: up to 1 the lower level’s loop, up to 2 ∇q̃ or the way back " +
			"through the loop, up to 3 the weights, up to 4 the step. Slow motion advances the moment by itself."})
	l.Choice(&p.Zoom, param.Descriptor{Name: "zoom", Label: "Plane of ω", Effect: param.Display,
		Options: []param.Option{{Value: zoomWhole, Label: "whole"}, {Value: zoomClose, Label: "close to the selected run"}},
		Help:    "Shows the whole plane, or only the part around the selected run’s step."})
	l.Camera(&p.Camera, param.Descriptor{Name: "camera", Label: "Camera", Effect: param.Display,
		Help: "The azimuth, elevation and distance from which the picture in space is viewed. Drag the background to turn the view."})
}

// startPoints returns the set's points followed by random points. Moved points replace those with the same index.
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
