package cleaning

import (
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/runs/twolevel"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	*twolevel.Roster

	Corruption                         float64
	Classes, Train, Validation, Hidden int
	Spread, Ridge                      float64

	View      string
	Curve     string
	Samples   string
	Truth     bool
	Reference bool
}

// offered are the methods of the scene.
var offered = []string{twolevel.FORUM, twolevel.MOML, twolevel.MoCo, twolevel.BOME, twolevel.BVFIM, twolevel.NoCleaning,
	twolevel.ValidationOnly}

// defaults returns the settings of the paper's experiment, with T = 16 from its four values, on data sets of 40 samples.
func defaults() Params {
	p := Params{
		Roster:     twolevel.New(offered, twolevel.FORUM, twolevel.MOML, twolevel.MoCo, twolevel.NoCleaning),
		Corruption: 0.5, Classes: 3, Train: 40, Validation: 30, Spread: 0.4, Ridge: problem.DefaultHyperCleaningRidge,
		View: viewRuns, Curve: curveF1, Samples: samplesTraining, Truth: true, Reference: true,
	}
	p.T, p.Eta, p.Mu, p.MuOmega, p.Rho = 16, 0.3, 10, 0.3, 0.5
	p.Seed, p.Budget, p.Speed = 1, 200, "60"
	return p
}

// Sizes of the validation and test parts, for each data set.
const (
	selectionSize = 100
	testSize      = 400
)

// problem returns the chosen configuration.
func (p *Params) problem() problem.HyperCleaningConfig {
	return problem.HyperCleaningConfig{
		Classes: p.Classes, Train: p.Train, Validation: p.Validation, Selection: selectionSize, Test: testSize,
		Corruption: p.Corruption, Spread: p.Spread, Hidden: p.Hidden, Ridge: p.Ridge, Seed: p.Seed,
	}
}

// Views of the panels.
const (
	viewRuns  = "runs"
	viewTable = "table"
)

// Views of the panel beside accuracy and detection.
const (
	curveF1        = "f1"
	curveSelection = "selection"
	curveLoss      = "loss"
	curveWeights   = "weights"
	curveBalance   = "balance"
	curveQ         = "q"
	curveNu        = "nu"
	curveCost      = "cost"
)

// Samples that the data sets' panels can show.
const (
	samplesTraining   = "training"
	samplesValidation = "validation"
	samplesTest       = "test"
)

const (
	maxClasses = 5
	maxTrain   = 200
	maxHidden  = 16
	maxBudget  = 2000
)

// bind lists the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)

	l.Section("Data")
	l.Number(&p.Corruption, param.Descriptor{Name: "corruption", Label: "Wrong labels", Min: 0, Max: 1, Step: 0.05,
		Help: "The share of the training labels that are moved, each to one of the other classes by chance. The paper corrupts half."})
	l.Integer(&p.Train, param.Descriptor{Name: "train", Symbol: "N", Label: "Training samples", Min: 10, Max: maxTrain, Step: 1,
		Help: "In each data set. Each of them has a weight, so there are n = 2N upper variables."})
	l.Integer(&p.Validation, param.Descriptor{Name: "validation", Label: "Clean validation samples", Min: 5, Max: 200, Step: 1,
		Help: "The upper level’s samples in each data set: their mean losses are F₁ and F₂. A second validation set, of 100, chooses the " +
			"iteration that is reported, and 400 samples test."})
	l.Integer(&p.Classes, param.Descriptor{Name: "classes", Symbol: "C", Label: "Classes", Min: 2, Max: maxClasses, Step: 1,
		Help: "How many classes each data set has."})
	l.Number(&p.Spread, param.Descriptor{Name: "spread", Label: "Overlap of the classes", Min: 0.1, Max: 0.8, Step: 0.05,
		Help: "How far points scatter about the middle of their class."})
	p.BindSeed(l, "Decides the points, which labels are wrong, and the first weights of a hidden layer.")

	l.Section("Model")
	l.Integer(&p.Hidden, param.Descriptor{Name: "hidden", Symbol: "H", Label: "Shared hidden units", Min: 0, Max: maxHidden, Step: 1,
		Help: "Both data sets share a layer of this many tanh units below a head of their own; without any, heads see the points themselves " +
			"and borders are straight."})
	l.Number(&p.Ridge, param.Descriptor{Name: "ridge", Symbol: "r", Label: "Ridge", Min: 0, Max: 0.1, Step: 0.001,
		Help: "The lower level adds (r/2)‖ω‖², which the paper does not have: without it the lower level need have no minimiser where weights " +
			"have parted the classes."})

	l.Section("Lower level")
	p.BindLoop(l)
	l.Section("Upper level")
	p.BindUpper(l)
	l.Section("Of one method")
	p.BindOwn(l)

	l.Section("Run")
	p.BindBudget(l, "K", maxBudget, "Every run ends after this many steps of the upper level. The paper makes 1200.")
	p.BindSpeed(l)

	l.Section("Show")
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "View", Effect: param.Display,
		Help: "The runs, or the tables of the paper for this toy.",
		Options: []param.Option{
			{Value: viewRuns, Label: "the runs"},
			{Value: viewTable, Label: "table by T and ρ", Help: "Computed here while it is shown: accuracy and detection of every method by T, " +
				"and of FORUM by ρ, means of five runs with other data, and what they gain on the same data. It has data and step sizes of its own " +
				"and depends on no other parameter."},
		}})
	l.Choice(&p.Curve, param.Descriptor{Name: "curve", Label: "Further curve", Effect: param.Display, Panel: curvePanel,
		Help: "What the panel beside accuracy and detection shows over time.",
		Options: []param.Option{
			{Value: curveF1, Label: "test F1, mean of both data sets"},
			{Value: curveSelection, Label: "accuracy on validation 2", Help: "What chooses the iteration that is reported."},
			{Value: curveLoss, Label: "upper losses F₁ and F₂, mean"},
			{Value: curveWeights, Label: "mean weight of wrong labels"},
			{Value: curveBalance, Label: "λ₁, the first data set’s share", Help: "Of the methods that weigh the data sets."},
			{Value: curveQ, Label: "q̃, excess of the lower level", Help: "Of FORUM and BOME, on a logarithmic axis."},
			{Value: curveNu, Label: "ν, the multiplier", Help: "Of FORUM and BOME, on a logarithmic axis."},
			{Value: curveCost, Label: "gradients and Hessian-vector products spent"},
		}})
	l.Choice(&p.Samples, param.Descriptor{Name: "samples", Label: "Samples shown", Effect: param.Display,
		Help: "Which samples the pictures of the data sets show. Only training samples have weights.",
		Options: []param.Option{{Value: samplesTraining, Label: "training"}, {Value: samplesValidation, Label: "validation 1"},
			{Value: samplesTest, Label: "test"}}})
	l.Bool(&p.Truth, param.Descriptor{Name: "truth", Label: "Ring wrong labels", Effect: param.Display,
		Help: "Rings around the training samples whose labels are wrong. No method knows them."})
	l.Bool(&p.Reference, param.Descriptor{Name: "reference", Label: "Compare with clean labels", Effect: param.Display,
		Help: "Thin grey lines: the borders and the accuracy of the same model, trained on the same points with all labels right."})
}
