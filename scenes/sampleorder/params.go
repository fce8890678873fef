package sampleorder

import (
	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/orders"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	*orders.Roster
	orders.Samples

	View   string
	Walk   string
	Moment float64 // the share of the last step that is shown, from 0 to moments
}

// Views of the panel of curves.
const (
	viewOmega   = "omega"
	viewLosses  = "losses"
	viewHerding = "herding"
	viewDrift   = "drift"
	viewRates   = "rates"
	viewCost    = "cost"
)

// Ways to draw the walk.
const (
	walkPlane = "plane"
	walkNorm  = "norm"
)

// defaults returns samples on which, with equal weights, ω falls fast and then stays at the level of an epoch's wobble. Random orders
// keep that level several times higher.
func defaults() Params {
	p := Params{
		Roster:  orders.New(orders.Random, orders.GraBShared, orders.JoGBa),
		Samples: orders.Samples{Problem: orders.LeastSquares, M: 2, K: 64, D: 2, Condition: 11, Heterogeneity: 0.3, Noise: 0.5},
		View:    viewOmega, Walk: walkPlane, Moment: moments,
	}
	p.Alpha, p.Seed, p.Budget, p.Speed = 0.1, 2, 30*p.K, "500"
	return p
}

const (
	maxBudget = 50_000
	maxStart  = 1e6
	// maxPaths bounds the numbers that runs keep of the points of an epoch: 128 MB.
	maxPaths = 16_000_000
)

// bind lists the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Orders")
	p.BindMethods(l)
	p.BindOrder(l)

	l.Section("Step")
	p.BindStepSettings(l)

	l.Section("Problem")
	p.BindSamples(&p.Samples, l)
	p.BindSeed(l, "Decides samples, orders and all other draws. The same seed gives the same runs.")
	p.BindMoved(l, maxStart, 1, "The point where all runs start. coordinates that are not given are 0, and so is the start where none is "+
		"given.")

	l.Section("Run")
	p.BindBudget(l, "", maxBudget, "Every run ends after this many steps. An epoch is K of them.")
	p.BindSpeed(l, runs.SlowOption("Shows every step moment by moment: the sample that is due, gradients, centring, the sign, the place "+
		"in the next order, the weights, and the way of w."))

	l.Section("Show")
	l.Choice(&p.Walk, param.Descriptor{Name: "walk", Label: "The walk", Effect: param.Display,
		Help: "How the sums of an epoch’s gradients, less their mean, are drawn.",
		Options: []param.Option{
			{Value: walkPlane, Label: "in the plane", Help: "Their first two coordinates."},
			{Value: walkNorm, Label: "max norm", Help: "Their largest coordinate by size, over the steps of the epoch."},
		}})
	l.Number(&p.Moment, param.Descriptor{Name: "moment", Label: "Moment of the step", Min: 0, Max: moments, Step: 0.02,
		Effect: param.Display,
		Help: "How much of the step to the time marker is shown: up to 1 the sample that is due, to 2 its gradients, to 3 what is left of " +
			"them less the mean, to 4 the sign, to 5 the place in the next order, to 6 the weights, to 7 the way of w. Slow motion changes it " +
			"by itself."})
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "Curves", Effect: param.Display, Panel: curvePanel,
		Help: "What is drawn over the epochs.",
		Options: []param.Option{
			{Value: viewOmega, Label: "ω", Help: "The length of the shortest mixture of the exact gradients, at the first points of the epochs."},
			{Value: viewLosses, Label: "losses", Help: "The means over all samples."},
			{Value: viewHerding, Label: "H", Help: "How far an epoch’s order strays: the largest max norm of the walk over the largest gradient " +
				"less its mean."},
			{Value: viewDrift, Label: "drift", Help: "How far the point goes from where the epoch began, in units of α; and what of it is off " +
				"the straight way."},
			{Value: viewRates, Label: "rates", Help: "The running mean of ω² against the number of steps, beside what the theorems bound it by."},
			{Value: viewCost, Label: "time of a step", Help: "Ordering and update, measured in this browser."},
		}})
	p.BindAxis(l)

	l.Section("Of one weighting")
	p.BindOwn(l)
}
