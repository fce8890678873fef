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

// defaults returns the settings of the paper's experiment on data sets of 40 samples. T = 16 is one of the experiment's
// four values of T.
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

// problem returns the configuration of the problem that the parameters choose.
func (p *Params) problem() problem.HyperCleaningConfig {
	return problem.HyperCleaningConfig{
		Classes: p.Classes, Train: p.Train, Validation: p.Validation, Selection: selectionSize, Test: testSize,
		Corruption: p.Corruption, Spread: p.Spread, Hidden: p.Hidden, Ridge: p.Ridge, Seed: p.Seed,
	}
}

// Views that the scene can show: the runs, or the table of the experiment.
const (
	viewRuns  = "runs"
	viewTable = "table"
)

// Views of the third panel of curves, which is next to the panels of accuracy and detection.
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

// bind adds the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)

	l.Section("Data")
	l.Number(&p.Corruption, param.Descriptor{Name: "corruption", Label: "Wrong labels", Min: 0, Max: 1, Step: 0.05,
		Help: "The share of the training labels that are wrong. Each wrong label is changed to another random class. The paper corrupts " +
			"half of them."})
	l.Integer(&p.Train, param.Descriptor{Name: "train", Symbol: "N", Label: "Training samples", Min: 10, Max: maxTrain, Step: 1,
		Help: "The number of training samples in each data set. Each sample has a weight, so there are n = 2N upper variables."})
	l.Integer(&p.Validation, param.Descriptor{Name: "validation", Label: "Clean validation samples", Min: 5, Max: 200, Step: 1,
		Help: "The number of the upper level’s samples in each data set. Their mean losses are F₁ and F₂. A second validation set of 100 " +
			"samples selects the reported iteration, and 400 samples are for testing."})
	l.Integer(&p.Classes, param.Descriptor{Name: "classes", Symbol: "C", Label: "Classes", Min: 2, Max: maxClasses, Step: 1,
		Help: "The number of classes in each data set."})
	l.Number(&p.Spread, param.Descriptor{Name: "spread", Label: "Overlap of the classes", Min: 0.1, Max: 0.8, Step: 0.05,
		Help: "How far points scatter around the middle of their class. Larger values make the classes overlap more."})
	p.BindSeed(l, "Determines the points, the wrong labels and the initial weights of a hidden layer.")

	l.Section("Model")
	l.Integer(&p.Hidden, param.Descriptor{Name: "hidden", Symbol: "H", Label: "Shared hidden units", Min: 0, Max: maxHidden, Step: 1,
		Help: "The number of tanh units in the layer that both data sets share, below a separate head for each. With 0, the heads use the " +
			"raw points, and borders are straight."})
	l.Number(&p.Ridge, param.Descriptor{Name: "ridge", Symbol: "r", Label: "Ridge", Min: 0, Max: 0.1, Step: 0.001,
		Help: "The lower objective includes (r/2)‖ω‖², which the paper does not use. Without this term, the lower level may have no " +
			"minimiser once the weights separate the classes."})

	l.Section("Lower level")
	p.BindLoop(l)
	l.Section("Upper level")
	p.BindUpper(l)
	l.Section("Of one method")
	p.BindOwn(l)

	l.Section("Run")
	p.BindBudget(l, "K", maxBudget, "The number of upper-level steps after which every run ends. The paper’s runs take 1200 steps.")
	p.BindSpeed(l)

	l.Section("Show")
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "View", Effect: param.Display,
		Help: "Shows the runs, or the paper’s tables for this toy problem.",
		Options: []param.Option{
			{Value: viewRuns, Label: "the runs"},
			{Value: viewTable, Label: "table by T and ρ", Help: "Accuracy and detection of every method by T, and of FORUM by ρ: means of five " +
				"runs with different data, and gains on the same data. The page computes the table while you watch, with separate data and step " +
				"sizes; no other parameter affects it."},
		}})
	l.Choice(&p.Curve, param.Descriptor{Name: "curve", Label: "Further curve", Effect: param.Display, Panel: curvePanel,
		Help: "The curve in the panel beside accuracy and detection.",
		Options: []param.Option{
			{Value: curveF1, Label: "test F1, mean of both data sets"},
			{Value: curveSelection, Label: "accuracy on validation 2", Help: "The accuracy that selects the reported iteration."},
			{Value: curveLoss, Label: "mean of the upper losses F₁ and F₂"},
			{Value: curveWeights, Label: "mean weight of wrong labels"},
			{Value: curveBalance, Label: "λ₁, the first data set’s share", Help: "Available for methods that weigh the data sets."},
			{Value: curveQ, Label: "q̃, excess of the lower level", Help: "Available for FORUM and BOME, on a logarithmic axis."},
			{Value: curveNu, Label: "ν, the multiplier", Help: "Available for FORUM and BOME, on a logarithmic axis."},
			{Value: curveCost, Label: "gradients and Hessian-vector products so far"},
		}})
	l.Choice(&p.Samples, param.Descriptor{Name: "samples", Label: "Samples shown", Effect: param.Display,
		Help: "The samples that the pictures of the data sets show. Only training samples have weights.",
		Options: []param.Option{{Value: samplesTraining, Label: "training"}, {Value: samplesValidation, Label: "validation 1"},
			{Value: samplesTest, Label: "test"}}})
	l.Bool(&p.Truth, param.Descriptor{Name: "truth", Label: "Ring wrong labels", Effect: param.Display,
		Help: "Puts rings around the training samples with wrong labels. No method knows which they are."})
	l.Bool(&p.Reference, param.Descriptor{Name: "reference", Label: "Compare with clean labels", Effect: param.Display,
		Help: "Adds thin grey lines: the borders and the accuracy of the same model trained on the same points with all labels right."})
}
