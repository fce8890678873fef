package networktasks

import (
	model "paretoplay/algo/problem/network"

	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/internal/draw/kinds"
)

// Params holds the scene's parameters. Use defaults, since the zero value is not usable.
type Params struct {
	*Roster

	Activation       string // a model.Activation
	Hidden1, Hidden2 int
	Measure          string
	Picture          int // displayed picture, counted from 1
}

// These are the test measures that curves can show.
const (
	measureMean     = "mean"
	measureBalanced = "balanced"
	measureWorst    = "worst"
	measureLoss     = "loss"
)

// These choices of the horizontal axis complement iterations and backpropagations.
const (
	gradientSeconds = "gradients"
	measuredSeconds = "seconds"
)

func defaults() Params {
	p := Params{Roster: newRoster(psmgd, mgda, ls), Activation: string(model.ReLU), Hidden1: model.DefaultHidden1,
		Hidden2: model.DefaultHidden2, Measure: measureMean, Picture: 1}
	p.Seed, p.Budget, p.Speed, p.Axis = 1, 200, "60", kinds.Backpropagations
	return p
}

const (
	maxBudget = 5000
	maxHidden = 256
	maxPeriod = 64
)

// bind adds the parameters to l in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l, 3, "The methods to compare. Each trains its own network, from the same parameters and on the same batches.")
	l.Section("Step")
	l.Integer(&p.R, param.Descriptor{Name: "R", Symbol: "R", Label: "Period", Min: 1, Max: maxPeriod, Step: 1, Scale: param.Log,
		Effect: param.Live, Method: psmgd, Unit: "steps",
		Help: "How often PSMGD computes new weights: every R steps. In between it keeps them. R = 1 without momentum is MGDA. (PSMGD, " +
			"Algorithm 1.)"})
	l.Number(&p.Momentum, param.Descriptor{Name: "momentum", Symbol: "α", Label: "Weight momentum", Min: 0, Max: 0.99, Step: 0.01,
		Effect: param.Live, Method: psmgd,
		Help: "The share of the old weights at a refresh: λ ← α λ + (1 − α) λ̂. At 0 the weights are new; near 1 they hardly change. The " +
			"paper’s experiments use 0.9. (PSMGD, Algorithm 1, line 5.)"})
	l.Choice(&p.Optimizer, param.Descriptor{Name: "optimizer", Label: "Optimizer",
		Help: "How the directions of trunk and heads are transformed before they are scaled by η and subtracted.",
		Options: []param.Option{
			{Value: string(descent.Plain), Label: "plain", Help: "The direction is used as it is. Short directions of the trunk give " +
				"short steps."},
			{Value: string(descent.Adam), Label: "Adam", Help: "Steps have about equal length in every variable, however long the gradients " +
				"are. Adam uses β₁ = 0.9, β₂ = 0.999 and ε = 1e-8 (Kingma & Ba 2015), as in the paper’s experiments."},
		}})
	l.Choice(&p.StepSizes, param.Descriptor{Name: "stepsizes", Label: "Step sizes", Effect: param.Rerun,
		Help: "Whether each method uses the step size that suits it, or all use the same one.",
		Options: []param.Option{
			{Value: tunedSteps, Label: "each its own", Help: "Uses the step size with the lowest validation loss for each method and number of " +
				"tasks."},
			{Value: equalSteps, Label: "the same for all"},
		}})
	l.Number(&p.Eta, param.Descriptor{Name: "eta", Symbol: "η", Label: "Step size", Min: 0.0001, Max: 10, Scale: param.Log,
		Effect: param.Live, Only: &param.Only{Name: "stepsizes", Values: []string{equalSteps}},
		Help: "How far one step goes: θ ← θ − η·direction, after the optimizer has transformed the direction."})

	l.Section("Problem")
	l.Choice(&p.Tasks, param.Descriptor{Name: "S", Symbol: "S", Label: "Tasks",
		Help: "The number of questions that a network answers about a picture of two digits.",
		Options: []param.Option{
			{Value: "2", Label: "2", Help: "The questions are which digit is on the left and which is on the right, with ten classes each."},
			{Value: "8", Label: "8", Help: "The network answers eight yes-or-no questions, such as: is the left digit even?"},
			{Value: "20", Label: "20", Help: "The network answers twenty yes-or-no questions."},
			{Value: "40", Label: "40", Help: "The network answers forty yes-or-no questions."},
		}})
	l.Choice(&p.Activation, param.Descriptor{Name: "activation", Label: "Activation",
		Help: "The activation function between the layers of the trunk.",
		Options: []param.Option{{Value: string(model.ReLU), Label: "ReLU", Help: "max(0, z)."},
			{Value: string(model.Tanh), Label: "tanh"}}})
	l.Integer(&p.Hidden1, param.Descriptor{Name: "hidden1", Label: "Units, first layer", Min: 1, Max: maxHidden, Step: 1, Scale: param.Log,
		Unit: "units", Help: "How many features of the picture the trunk’s first layer looks for. More units learn more, but take longer."})
	l.Integer(&p.Hidden2, param.Descriptor{Name: "hidden2", Label: "Units, second layer", Min: 1, Max: maxHidden, Step: 1, Scale: param.Log,
		Unit: "units", Help: "How many numbers the trunk passes to the heads of all tasks. More units learn more, but take longer."})
	p.BindSeed(l, "The seed of the pairs of digits, the initial parameters, the batches and all other random draws. The same seed gives "+
		"the same runs.")

	l.Section("Run")
	p.BindBudget(l, "", maxBudget, "Every run ends after this many steps.")
	p.BindSpeed(l)

	l.Section("Show")
	l.Choice(&p.Axis, param.Descriptor{Name: "axis", Label: "Horizontal axis of charts over time", Effect: param.Display,
		Help: "The cost by which methods are compared.",
		Options: []param.Option{
			{Value: kinds.Backpropagations, Label: "backpropagations", Help: "Counts backpropagations: gradients of one scalar function."},
			{Value: kinds.Iterations, Label: "steps"},
			{Value: gradientSeconds, Label: "gradients’ seconds",
				Help: "Multiplies the number of backpropagations by the time that one takes here. " +
					"This is the cost in frameworks that run backpropagations one by one."},
			{Value: measuredSeconds, Label: "measured seconds",
				Help: "Multiplies the number of steps by the time that a step of the method takes here, " +
					"where gradients share computations. R steps of PSMGD count as one step of MGDA and R − 1 steps of equal weights."},
		}})
	l.Choice(&p.Measure, param.Descriptor{Name: "measure", Label: "Test measure", Effect: param.Display,
		Help: "How the answers to test pictures are scored. No network was trained on these pictures.",
		Options: []param.Option{
			{Value: measureMean, Label: "accuracy", Help: "The share of right answers; mean over the tasks."},
			{Value: measureBalanced, Label: "balanced accuracy", Help: "The share of right answers where yes is right and the share where " +
				"no is right; mean over both and over the tasks. Always answering no does not raise this mean."},
			{Value: measureWorst, Label: "worst task", Help: "The balanced accuracy of the worst task."},
			{Value: measureLoss, Label: "loss", Help: "The mean cross-entropy over the tasks."},
		}})
	l.Integer(&p.Picture, param.Descriptor{Name: "picture", Label: "Picture", Min: 1, Max: onShow, Step: 1, Effect: param.Display,
		Help: "The number of the test picture that the networks read. No network was trained on it."})

	l.Section("Of one weighting")
	p.BindOwn(l)
}
