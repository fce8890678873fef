package blocksteps

import (
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	*sweeps.Roster
	Walk runs.Walk

	Problem   string
	Q         int // number of objectives
	Partition string
	Sigma     float64

	View, Field, Zoom string
	Moment            float64 // the share of the last step that is shown, from 0 to moments
}

// Problems.
const (
	quadratics = "quadratics"
	yours      = "yours"
)

// Partitions of the variables.
const (
	coordinates = "coordinates"
	one         = "one"
	given       = "given"
)

// Views of the panel of curves.
const (
	viewGap     = "gap"
	viewOutputs = "outputs"
	viewBias    = "bias"
	viewBounds  = "bounds"
)

// Level sets behind the paths.
const (
	fieldSum  = "sum"
	fieldEach = "each"
	fieldNone = "none"
)

// Parts of the plane that can be shown.
const (
	zoomAll = "all"
	zoomEnd = "end"
)

// defaults returns settings whose single steps are long enough to see, and whose runs circle near the minimiser of F_m after about
// a hundred steps.
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

// bowls are the built-in objectives; the first q are used. They are not aligned with the axes, so that no block knows where the
// others move, and their minimisers for all weights form a curve.
var bowls = []problem.QuadraticObjective{
	{A: []float64{2, 0.6, 0.6, 0.8}, Center: []float64{-1, 0.5}},
	{A: []float64{0.7, -0.3, -0.3, 1.6}, Center: []float64{1, -0.5}},
	{A: []float64{1.2, 0.5, 0.5, 0.9}, Center: []float64{0.8, 1.2}},
	{A: []float64{0.8, -0.4, -0.4, 1.4}, Center: []float64{-0.9, -1}},
	{A: []float64{1.6, 0.3, 0.3, 0.6}, Center: []float64{1.4, 0.4}},
	{A: []float64{0.6, 0.2, 0.2, 1.8}, Center: []float64{-0.2, 1.4}},
}

// bowlStart is the start of runs on the bowls.
var bowlStart = []float64{1.5, 1.5}

// bind lists the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)
	l.Choice(&p.Partition, param.Descriptor{Name: "partition", Label: "Blocks", Effect: param.Rerun,
		Help: "Which variables move together, of the methods that part them.",
		Options: []param.Option{
			{Value: coordinates, Label: "one variable each"},
			{Value: one, Label: "one block of all", Help: "Then nothing is parted: Block-SMOO is Function-Alternate."},
			{Value: given, Label: "as your file has them", Only: &param.Only{Name: "problem", Values: []string{yours}}},
		}})
	p.BindFrequencies(l, maxObjectives)

	l.Section("Step")
	p.BindStepSettings(l)
	p.BindOrder(l)
	l.Number(&p.Sigma, param.Descriptor{Name: "sigma", Symbol: "σ", Label: "Noise of the gradients", Max: 2, Step: 0.01, Effect: param.Rerun,
		Help: "The standard deviation of what is added to every coordinate of every gradient."})

	l.Section("Problem")
	l.Choice(&p.Problem, param.Descriptor{Name: "problem", Label: "Problem", Help: "Whose objectives have their turns.",
		Options: []param.Option{
			{Value: quadratics, Label: "bowls in the plane", Help: "½(x − c)ᵀQ(x − c), each with a lowest point c of its own and a shape Q that " +
				"is not along the axes."},
			{Value: yours, Label: "your own", Help: "Quadratic objectives from a file."},
		}})
	l.Integer(&p.Q, param.Descriptor{Name: "q", Symbol: "q", Label: "Objectives", Min: 2, Max: maxObjectives, Step: 1, Unit: "objectives",
		Help: "How many objectives there are."})
	p.BindSeed(l, "Decides the orders, the noise and the random output. The same seed gives the same runs.")
	p.BindSeeds(l, maxSeeds)
	p.BindMoved(l, maxStart, 1, "Where all runs start; coordinates that are not given stay.")

	l.Section("Run")
	p.BindBudget(l, "", maxBudget, "Every run ends after this many steps: partial ones, of the weighted sum whole ones.")
	p.BindSpeed(l, runs.SlowOption("Every step moment by moment: the block, the objective, its gradient and the part of it that belongs "+
		"to the block, and the way."))

	l.Section("Show")
	l.Choice(&p.Field, param.Descriptor{Name: "field", Label: "Level sets", Effect: param.Display, Help: "What is drawn behind the paths.",
		Options: []param.Option{
			{Value: fieldSum, Label: "of the weighted sum", Help: "F_m, which the runs go down."},
			{Value: fieldEach, Label: "of each objective"},
			{Value: fieldNone, Label: "none"},
		}})
	l.Choice(&p.Zoom, param.Descriptor{Name: "zoom", Label: "The plane shows", Effect: param.Display,
		Help: "The whole way, or where the selected run is.",
		Options: []param.Option{
			{Value: zoomAll, Label: "the whole way"},
			{Value: zoomEnd, Label: "where the run is", Help: "The last outer iteration of the selected run, and the minimiser of F_m."},
		}})
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "Curves", Effect: param.Display, Help: "What is drawn beside the plane.",
		Options: []param.Option{
			{Value: viewGap, Label: "weighted sum", Help: "How far F_m is above its least value."},
			{Value: viewOutputs, Label: "outputs", Help: "That of the selected run’s last, average and random iterate."},
			{Value: viewBias, Label: "bias", Help: "How far from the minimiser of F_m runs stay, and how wide they go round, by step size."},
			{Value: viewBounds, Label: "bounds", Help: "What the theorems bound, and their bounds."},
		}})
	p.BindAxis(l)
	p.Walk.Bind(l, 3)
	l.Number(&p.Moment, param.Descriptor{Name: "moment", Label: "Moment of the step", Max: moments, Step: 0.02, Effect: param.Display,
		Help: "How much of the step that led to the time marker is shown: up to 1 the block, to 2 the objective, to 3 its gradient, to 4 the " +
			"way. Slow motion moves it by itself."})
}
