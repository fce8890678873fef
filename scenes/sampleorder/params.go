package sampleorder

import (
	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/orders"
)

// Params holds the scene's parameters. Use defaults, since the zero value is not usable.
type Params struct {
	*orders.Roster
	orders.Samples

	View   string
	Walk   string
	Moment float64 // how much of the step to the marker is shown, from 0 to moments
}

// These are the views of the panel of curves.
const (
	viewOmega   = "omega"
	viewLosses  = "losses"
	viewHerding = "herding"
	viewDrift   = "drift"
	viewRates   = "rates"
	viewCost    = "cost"
)

// These are the ways to draw the walk.
const (
	walkPlane = "plane"
	walkNorm  = "norm"
)

// defaults returns settings with equal weights. With these settings, ω falls fast and then stays at the level of an
// epoch's wobble. With random orders, that level is several times higher.
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
	// maxPaths is the maximum number of values that runs keep for the points of an epoch. At 8 bytes each, these values
	// take 128 MB.
	maxPaths = 16_000_000
)

// bind adds the parameters to l in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Orders")
	p.BindMethods(l)
	p.BindOrder(l)

	l.Section("Step")
	p.BindStepSettings(l)

	l.Section("Problem")
	p.BindSamples(&p.Samples, l)
	p.BindSeed(l, "The seed of samples, orders and all other random draws. The same seed gives the same runs.")
	p.BindMoved(l, maxStart, 1, "The point where all runs start. Coordinates that are not given are 0; without a point, all runs "+
		"start at 0.")

	l.Section("Run")
	p.BindBudget(l, "", maxBudget, "Every run ends after this many steps. An epoch has K steps.")
	p.BindSpeed(l, runs.SlowOption("Shows every step moment by moment: the sample, its gradients, centring, the sign, the place in the "+
		"next order, the weights, and the move of w."))

	l.Section("Show")
	l.Choice(&p.Walk, param.Descriptor{Name: "walk", Label: "The walk", Effect: param.Display,
		Help: "How to draw the sums of an epoch’s gradients minus their mean.",
		Options: []param.Option{
			{Value: walkPlane, Label: "in the plane", Help: "Draws the first two coordinates of the sums."},
			{Value: walkNorm, Label: "max norm", Help: "Draws the sums’ largest absolute coordinate over the steps of the epoch."},
		}})
	l.Number(&p.Moment, param.Descriptor{Name: "moment", Label: "Moment of the step", Min: 0, Max: moments, Step: 0.02,
		Effect: param.Display,
		Help: "How much of the marked step is shown: up to 1 the sample, up to 2 its gradients, up to 3 the gradients minus the " +
			"mean, up to 4 the sign, up to 5 the place in the next order, up to 6 the weights, up to 7 the move of w. Slow motion advances the " +
			"moment by itself."})
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "Curves", Effect: param.Display, Panel: curvePanel,
		Help: "The measure plotted against the epochs.",
		Options: []param.Option{
			{Value: viewOmega, Label: "ω", Help: "Shows the length of the shortest mixture of the exact gradients at the epochs’ first points."},
			{Value: viewLosses, Label: "losses", Help: "Shows the mean loss of each objective over all samples."},
			{Value: viewHerding, Label: "H", Help: "Shows how far an epoch’s order strays: the largest max norm of the walk, divided by " +
				"the length of the longest gradient minus its mean."},
			{Value: viewDrift, Label: "drift", Help: "Shows how far the point moves from the epoch’s start, in units of α, and how much of " +
				"this distance is off the straight path."},
			{Value: viewRates, Label: "rates", Help: "Shows the running mean of ω² over the number of steps, and the theorems’ bounds."},
			{Value: viewCost, Label: "time of a step", Help: "Shows how long the ordering and the update take, measured in this browser."},
		}})
	p.BindAxis(l)

	l.Section("Of one weighting")
	p.BindOwn(l)
}
