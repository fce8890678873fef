package blocksteps

import (
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
)

// Params holds the scene's parameters. Use defaults, since the zero value is not usable.
type Params struct {
	*sweeps.Roster
	Walk runs.Walk

	Problem   string
	Q         int // number of objectives
	Partition string
	Sigma     float64

	View, Field, Zoom string
	Moment            float64 // how many moments of the step to the marker are shown; may be a fraction
}

// These are the available problems.
const (
	quadratics = "quadratics"
	yours      = "yours"
)

// These are the partitions of the variables.
const (
	coordinates = "coordinates"
	one         = "one"
	given       = "given"
)

// These are the views of the panel of curves.
const (
	viewGap     = "gap"
	viewOutputs = "outputs"
	viewBias    = "bias"
	viewBounds  = "bounds"
)

// These are the level sets that can be drawn behind the paths.
const (
	fieldSum  = "sum"
	fieldEach = "each"
	fieldNone = "none"
)

// These are the parts of the plane that can be shown.
const (
	zoomAll = "all"
	zoomEnd = "end"
)

// defaults returns settings with which single steps are visible and runs circle near the minimiser of F_m after about a
// hundred steps.
func defaults() Params {
	p := Params{
		Roster: sweeps.New(sweeps.BlockSMOO, sweeps.WeightedSum), Problem: quadratics, Q: 2, Partition: coordinates,
		View: viewGap, Field: fieldSum, Zoom: zoomAll, Moment: moments,
	}
	p.M, p.Alpha, p.Seed, p.Budget, p.Speed = []int{1, 3}, 0.1, 1, 160, "60"
	return p
}

const (
	maxObjectives = data.MaxBowls
	maxSeeds      = 20
	maxBudget     = 20_000
	maxStart      = 1e6
)

// bowls lists the built-in objectives, of which the first q are used. They are not aligned with the axes, so blocks
// depend on each other, and the minimisers of their weighted sums form a curve.
var bowls = []problem.QuadraticObjective{
	{A: []float64{2, 0.6, 0.6, 0.8}, Center: []float64{-1, 0.5}},
	{A: []float64{0.7, -0.3, -0.3, 1.6}, Center: []float64{1, -0.5}},
	{A: []float64{1.2, 0.5, 0.5, 0.9}, Center: []float64{0.8, 1.2}},
	{A: []float64{0.8, -0.4, -0.4, 1.4}, Center: []float64{-0.9, -1}},
	{A: []float64{1.6, 0.3, 0.3, 0.6}, Center: []float64{1.4, 0.4}},
	{A: []float64{0.6, 0.2, 0.2, 1.8}, Center: []float64{-0.2, 1.4}},
}

// bowlStart is the start point of runs on the bowls.
var bowlStart = []float64{1.5, 1.5}

// bind adds the parameters to l in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)
	l.Choice(&p.Partition, param.Descriptor{Name: "partition", Label: "Blocks", Effect: param.Rerun,
		Help: "Which variables move together, in methods that divide the variables into blocks.",
		Options: []param.Option{
			{Value: coordinates, Label: "one variable each"},
			{Value: one, Label: "all in one block", Help: "All variables form a single block, so Block-SMOO equals Function-Alternate."},
			{Value: given, Label: "as in your file", Only: &param.Only{Name: "problem", Values: []string{yours}}},
		}})
	p.BindFrequencies(l, maxObjectives)

	l.Section("Step")
	p.BindStepSettings(l)
	p.BindOrder(l)
	l.Number(&p.Sigma, param.Descriptor{Name: "sigma", Symbol: "σ", Label: "Noise of the gradients", Max: 2, Step: 0.01, Effect: param.Rerun,
		Help: "The standard deviation of the noise added to every coordinate of every gradient. At 0, gradients are exact; large noise keeps " +
			"runs from settling."})

	l.Section("Problem")
	l.Choice(&p.Problem, param.Descriptor{Name: "problem", Label: "Problem", Help: "The objectives that take turns.",
		Options: []param.Option{
			{Value: quadratics, Label: "bowls in the plane", Help: "The objectives are ½(x − c)ᵀQ(x − c). Each has its own lowest point c and a " +
				"shape Q that is not aligned with the axes."},
			{Value: yours, Label: "your own", Help: "The objectives are quadratics from a file."},
		}})
	l.Integer(&p.Q, param.Descriptor{Name: "q", Symbol: "q", Label: "Objectives", Min: 2, Max: maxObjectives, Step: 1, Unit: "objectives",
		Help: "The number of objectives."})
	p.BindSeed(l, "The seed of the orders, the noise and the random output. The same seed gives the same runs.")
	p.BindSeeds(l, maxSeeds)
	p.BindMoved(l, maxStart, 1, "The point where all runs start. Coordinates that are not given keep their default values.")

	l.Section("Run")
	p.BindBudget(l, "", maxBudget, "Every run ends after this many steps. A step of the weighted sum moves all variables for all "+
		"objectives.")
	p.BindSpeed(l, runs.SlowOption("Shows every step moment by moment: the block, the objective, the gradient with the block’s part of "+
		"it, and the move."))

	l.Section("Show")
	l.Choice(&p.Field, param.Descriptor{Name: "field", Label: "Level sets", Effect: param.Display, Help: "The level sets drawn behind the " +
		"paths.",
		Options: []param.Option{
			{Value: fieldSum, Label: "of the weighted sum", Help: "The level sets of F_m, which the runs minimise."},
			{Value: fieldEach, Label: "of each objective"},
			{Value: fieldNone, Label: "none"},
		}})
	l.Choice(&p.Zoom, param.Descriptor{Name: "zoom", Label: "The plane shows", Effect: param.Display,
		Help: "Shows the whole paths, or only the part of the plane around the selected run.",
		Options: []param.Option{
			{Value: zoomAll, Label: "the whole path"},
			{Value: zoomEnd, Label: "where the run is", Help: "Shows the selected run’s last outer iteration and the minimiser of F_m."},
		}})
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "Curves", Effect: param.Display, Help: "The curves drawn beside the plane.",
		Options: []param.Option{
			{Value: viewGap, Label: "weighted sum", Help: "How far F_m is above its minimum."},
			{Value: viewOutputs, Label: "outputs", Help: "How far F_m is above its minimum at the selected run’s last, average and random " +
				"iterates."},
			{Value: viewBias, Label: "bias", Help: "How far runs stay from the minimiser of F_m, and how widely they circle, for each step size."},
			{Value: viewBounds, Label: "bounds", Help: "The theorems’ bounds and the quantities that they bound."},
		}})
	p.BindAxis(l)
	p.Walk.Bind(l, 3)
	l.Number(&p.Moment, param.Descriptor{Name: "moment", Label: "Moment of the step", Max: moments, Step: 0.02, Effect: param.Display,
		Help: "How much of the marked step is shown: the block (up to 1), then the objective (up to 2), its gradient (up to 3) and the " +
			"move (up to 4). Slow motion advances the moment automatically."})
}
