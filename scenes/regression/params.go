package regression

import (
	"paretoplay/algo/param"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/sweeps"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
type Params struct {
	*sweeps.Roster

	Problem    string
	D, Q, R, N int // features, responses, rank, learning examples
	Batch      int
	Sigma      float64
	Responses  []string // of a visitor's table
	Partition  string
	Share      bool    // the steps of a visit to V use the same batch
	Work       float64 // millions of multiplications that a run may spend
	View       string
}

// Problems.
const (
	synthetic = "synthetic"
	yours     = "yours"
)

// Partitions.
const (
	twoBlocks = "uv"
	rowBlocks = "rows"
)

// Views of the panel of matrices.
const (
	viewFactors = "factors"
	viewProduct = "product"
)

// Clocks besides the family's.
const secondsAxis = "seconds"

// defaults returns the paper's race, scaled down: U and V are a block each, and every objective has two turns.
func defaults() Params {
	p := Params{
		Roster:  sweeps.New(sweeps.BlockSMOO, sweeps.WeightedSum, sweeps.FunctionAlternate, sweeps.BlockAlternate),
		Problem: synthetic, D: 100, Q: 5, R: 3, N: 2048, Batch: 128, Sigma: 0.05, Partition: twoBlocks, Work: 20, View: viewFactors,
	}
	p.M = []int{2, 2, 2, 2, 2}
	p.Alpha, p.Seed, p.Budget, p.Speed, p.Axis = 0.01, 1, 20_000, "500", sweeps.WorkName
	p.OwnSteps(map[string]float64{sweeps.BlockSMOO: 0.01, sweeps.WeightedSum: 0.05, sweeps.FunctionAlternate: 0.01,
		sweeps.BlockAlternate: 0.02})
	return p
}

const (
	maxFeatures  = 400
	maxResponses = 12
	maxRank      = 8
	maxExamples  = 16_384
	maxBatch     = 1024
	maxSeeds     = 10
	maxBudget    = 100_000
	maxNoise     = 5
	maxWork      = 1000 // millions
	// maxFit bounds N·d², the cost of computing the whole problem: about a second in a page.
	maxFit = 400_000_000
	// testShare is the number of learning examples for each test example.
	testShare = 4
)

// bind lists the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)

	l.Section("Step")
	p.BindStepSizes(l)
	p.BindFrequencies(l, maxResponses)
	l.Choice(&p.Partition, param.Descriptor{Name: "partition", Label: "Blocks", Effect: param.Rerun,
		Help: "How Block-SMOO and Block-Alternate part the variables.",
		Options: []param.Option{
			{Value: twoBlocks, Label: "U and V"},
			{Value: rowBlocks, Label: "U and each row of V"},
		}})
	l.Bool(&p.Share, param.Descriptor{Name: "share", Label: "One batch for a visit to V", Effect: param.Rerun,
		Help: "Beyond the paper: all steps of a visit to a block of V see one batch, so that X·U is computed once and kept. Their noise does " +
			"not average out."})
	l.Integer(&p.Batch, param.Descriptor{Name: "batch", Label: "Batch", Min: 1, Max: maxBatch, Step: 1, Scale: param.Log, Unit: "examples",
		Help: "How many examples the gradient of a step is the mean of."})

	l.Section("Problem")
	l.Choice(&p.Problem, param.Descriptor{Name: "problem", Label: "Data", Help: "What is to be predicted.",
		Options: []param.Option{
			{Value: synthetic, Label: "drawn", Help: "Responses x·U*V* and noise, as in the paper: the truth is known."},
			{Value: yours, Label: "your own", Help: "The table of a CSV file."},
		}})
	drawn := &param.Only{Name: "problem", Values: []string{synthetic}}
	l.OpenSet(&p.Responses, param.Descriptor{Name: "responses", Label: "Responses", AtMost: maxResponses,
		Only: &param.Only{Name: "problem", Values: []string{yours}},
		Help: "The columns of your table that are to be predicted, by name; the others are features."})
	l.Integer(&p.D, param.Descriptor{Name: "d", Symbol: "d", Label: "Features", Min: 1, Max: maxFeatures, Step: 1, Scale: param.Log,
		Only: drawn, Unit: "features", Help: "How many numbers x has: the rows of U."})
	l.Integer(&p.Q, param.Descriptor{Name: "q", Symbol: "q", Label: "Responses", Min: 1, Max: maxResponses, Step: 1, Only: drawn,
		Unit: "responses", Help: "How many numbers are predicted, each an objective: the columns of V."})
	l.Integer(&p.R, param.Descriptor{Name: "r", Symbol: "r", Label: "Rank", Min: 1, Max: maxRank, Step: 1,
		Help: "How many columns U has, and rows V: all responses are predicted from so many mixtures of the features. It is at most q and d; " +
			"for your table it is lowered to them."})
	l.Integer(&p.N, param.Descriptor{Name: "N", Symbol: "N", Label: "Examples", Min: testShare, Max: maxExamples, Step: 1, Scale: param.Log,
		Unit: "examples",
		Help: "How many there are to learn from; a quarter as many are for tests. Of your table these are the first rows of each part, at most " +
			"so many."})
	l.Number(&p.Sigma, param.Descriptor{Name: "sigma", Symbol: "σ", Label: "Noise", Max: maxNoise, Step: 0.01, Only: drawn,
		Help: "The standard deviation of what is added to the responses: no prediction has a test loss far below σ²."})
	p.BindSeed(l, "Decides the data, where runs start, batches and orders. The same seed gives the same runs.")
	p.BindSeeds(l, maxSeeds)

	l.Section("Run")
	l.Number(&p.Work, param.Descriptor{Name: "work", Label: "Multiply-adds of a run", Min: 0.1, Max: maxWork, Scale: param.Log,
		Effect: param.Rerun, Unit: "million",
		Help: "A run ends when its gradients have taken so many multiplications: methods whose steps cost differently meet there."})
	p.BindBudget(l, "", maxBudget, "Every run ends after this many steps at the latest.")
	p.BindSpeed(l)

	l.Section("Show")
	l.Choice(&p.Axis, param.Descriptor{Name: "axis", Label: "Horizontal axis over time", Effect: param.Display,
		Help: "The cost by which methods are compared.",
		Options: []param.Option{
			{Value: sweeps.WorkName, Label: "multiply-adds", Help: "Of the gradients, by formula; losses, which only the page needs, are left out."},
			{Value: sweeps.CoordinatesName, Label: "gradient coordinates"},
			{Value: kinds.Iterations, Label: "steps"},
			{Value: secondsAxis, Label: "seconds", Help: "Multiply-adds, at the speed that is measured here, method by method."},
		}})
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "Matrices", Effect: param.Display,
		Help: "What is shown of the selected run beside the truth.",
		Options: []param.Option{
			{Value: viewFactors, Label: "U and V", Help: "The factors are only known up to an invertible r×r matrix: shown are the U·A and B·V " +
				"that are nearest to the truth."},
			{Value: viewProduct, Label: "U·V", Help: "Their product, which is what predicts."},
		}})
}
