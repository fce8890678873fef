package networktasks

import (
	model "paretoplay/algo/problem/network"

	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/internal/draw/kinds"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	*Roster

	Activation       string // a model.Activation
	Hidden1, Hidden2 int
	Measure          string
	Picture          int // on show, from 1
}

// Measures of the tests that curves can show.
const (
	measureMean     = "mean"
	measureBalanced = "balanced"
	measureWorst    = "worst"
	measureLoss     = "loss"
)

// Clocks besides iterations and backpropagations.
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

// bind lists the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l, 3, "Which methods train a network each, all from the same parameters and on the same batches.")
	l.Section("Step")
	l.Integer(&p.R, param.Descriptor{Name: "R", Symbol: "R", Label: "Period", Min: 1, Max: maxPeriod, Step: 1, Scale: param.Log,
		Effect: param.Live, Method: psmgd, Unit: "steps",
		Help: "PSMGD computes new weights every R steps and keeps them in between. R = 1 without momentum is MGDA. (PSMGD, Algorithm 1.)"})
	l.Number(&p.Momentum, param.Descriptor{Name: "momentum", Symbol: "α", Label: "Weight momentum", Min: 0, Max: 0.99, Step: 0.01,
		Effect: param.Live, Method: psmgd,
		Help: "The share of the former weights at a refresh: λ ← α λ + (1 − α) λ̂. The experiments of the paper state 0.9. (PSMGD, " +
			"Algorithm 1, line 5.)"})
	l.Choice(&p.Optimizer, param.Descriptor{Name: "optimizer", Label: "Optimizer",
		Help: "What is made of a direction before it is multiplied with η and subtracted, for trunk and heads alike.",
		Options: []param.Option{
			{Value: string(descent.Plain), Label: "plain", Help: "The direction itself. Short directions of the trunk then make short steps."},
			{Value: string(descent.Adam), Label: "Adam", Help: "Steps of about equal length in every variable, whatever the gradients’: Adam " +
				"with β₁ = 0.9, β₂ = 0.999 and ε = 1e-8 (Kingma & Ba 2015), as in the paper’s experiments."},
		}})
	l.Choice(&p.StepSizes, param.Descriptor{Name: "stepsizes", Label: "Step sizes", Effect: param.Rerun,
		Help: "Whether each method has the step size that suits it, or all have the same.",
		Options: []param.Option{
			{Value: tunedSteps, Label: "each its own", Help: "For each method and number of tasks the one with the least validation loss."},
			{Value: equalSteps, Label: "the same for all"},
		}})
	l.Number(&p.Eta, param.Descriptor{Name: "eta", Symbol: "η", Label: "Step size", Min: 0.0001, Max: 10, Scale: param.Log,
		Effect: param.Live, Only: &param.Only{Name: "stepsizes", Values: []string{equalSteps}},
		Help: "How far one step goes: θ ← θ − η·direction, or what the optimizer makes of it."})

	l.Section("Problem")
	l.Choice(&p.Tasks, param.Descriptor{Name: "S", Symbol: "S", Label: "Tasks",
		Help: "What one network is asked about a picture of two digits.",
		Options: []param.Option{
			{Value: "2", Label: "2", Help: "Which digit is left, and which is right: ten classes each."},
			{Value: "8", Label: "8", Help: "Eight yes-or-no questions, such as: is the left digit even?"},
			{Value: "20", Label: "20", Help: "Twenty yes-or-no questions."},
			{Value: "40", Label: "40", Help: "Forty yes-or-no questions."},
		}})
	l.Choice(&p.Activation, param.Descriptor{Name: "activation", Label: "Activation",
		Help: "The function between the layers of the trunk.",
		Options: []param.Option{{Value: string(model.ReLU), Label: "ReLU", Help: "max(0, z)."},
			{Value: string(model.Tanh), Label: "tanh"}}})
	l.Integer(&p.Hidden1, param.Descriptor{Name: "hidden1", Label: "Units, first layer", Min: 1, Max: maxHidden, Step: 1, Scale: param.Log,
		Unit: "units", Help: "How many features of the picture the trunk’s first layer looks for."})
	l.Integer(&p.Hidden2, param.Descriptor{Name: "hidden2", Label: "Units, second layer", Min: 1, Max: maxHidden, Step: 1, Scale: param.Log,
		Unit: "units", Help: "How many numbers the trunk hands to the heads of all tasks."})
	p.BindSeed(l, "Decides the pairs of digits, the first parameters, the batches and all other draws. The same seed gives the same runs.")

	l.Section("Run")
	p.BindBudget(l, "", maxBudget, "Every run ends after this many steps.")
	p.BindSpeed(l)

	l.Section("Show")
	l.Choice(&p.Axis, param.Descriptor{Name: "axis", Label: "Horizontal axis over time", Effect: param.Display,
		Help: "What methods are compared by.",
		Options: []param.Option{
			{Value: kinds.Backpropagations, Label: "backpropagations", Help: "A backpropagation is the gradient of one scalar function."},
			{Value: kinds.Iterations, Label: "steps"},
			{Value: gradientSeconds, Label: "gradients’ seconds", Help: "Backpropagations, at the time that one takes here: what frameworks pay " +
				"that make one after the other."},
			{Value: measuredSeconds, Label: "measured seconds", Help: "Steps, at the time that a step of the method takes here, where all " +
				"gradients share what they can; PSMGD’s are a step of MGDA and R − 1 of equal weights."},
		}})
	l.Choice(&p.Measure, param.Descriptor{Name: "measure", Label: "Of the tests", Effect: param.Display,
		Help: "What curves show of the answers to pictures that nobody was trained on.",
		Options: []param.Option{
			{Value: measureMean, Label: "accuracy", Help: "The share of right answers, in the mean over the tasks."},
			{Value: measureBalanced, Label: "balanced accuracy", Help: "The share of right answers where the answer is yes and where it is no, in " +
				"the mean over both and over the tasks: always saying no does not pay."},
			{Value: measureWorst, Label: "worst task", Help: "The balanced accuracy of the task that fares worst."},
			{Value: measureLoss, Label: "loss", Help: "The mean cross-entropy."},
		}})
	l.Integer(&p.Picture, param.Descriptor{Name: "picture", Label: "Picture", Min: 1, Max: onShow, Step: 1, Effect: param.Display,
		Help: "Which of some test pictures is being read. No network is trained on any of them."})

	l.Section("Of one weighting")
	p.BindOwn(l)
}
