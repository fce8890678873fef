package regression

import (
	"paretoplay/algo/param"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/sweeps"
)

// Params holds the scene's parameters. Use defaults, since the zero value is not usable.
type Params struct {
	*sweeps.Roster

	Problem    string
	D, Q, R, N int // features, responses, rank, learning examples
	Batch      int
	Sigma      float64
	Responses  []string // responses chosen from a visitor's table
	Partition  string
	Share      bool    // all steps of a visit to V use the same batch
	Work       float64 // millions of multiplications that a run may spend
	View       string
}

// These are the available problems.
const (
	synthetic = "synthetic"
	yours     = "yours"
)

// These are the partitions of the variables.
const (
	twoBlocks = "uv"
	rowBlocks = "rows"
)

// These are the views of the panel of matrices.
const (
	viewFactors = "factors"
	viewProduct = "product"
)

// secondsAxis selects a horizontal axis in seconds, which the scene offers in addition to the axes of its family.
const secondsAxis = "seconds"

// defaults returns the paper's comparison, scaled down. U and V are one block each, and every objective has two turns.
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

// bind adds the parameters to l in the page's order.
func (p *Params) bind(l *param.List) {
	l.Section("Methods")
	p.BindMethods(l)

	l.Section("Step")
	p.BindStepSizes(l)
	p.BindFrequencies(l, maxResponses)
	l.Choice(&p.Partition, param.Descriptor{Name: "partition", Label: "Blocks", Effect: param.Rerun,
		Help: "How Block-SMOO and Block-Alternate divide the variables into blocks.",
		Options: []param.Option{
			{Value: twoBlocks, Label: "U and V"},
			{Value: rowBlocks, Label: "U and each row of V"},
		}})
	l.Bool(&p.Share, param.Descriptor{Name: "share", Label: "One batch for a visit to V", Effect: param.Rerun,
		Help: "If on, all steps of a visit to a block of V use one batch, so X·U is computed only once; the steps’ noise then does not average " +
			"out. If off, every step draws a new batch, as in the paper."})
	l.Integer(&p.Batch, param.Descriptor{Name: "batch", Label: "Batch", Min: 1, Max: maxBatch, Step: 1, Scale: param.Log, Unit: "examples",
		Help: "How many examples a step’s gradient is averaged over. Small batches are cheap but noisy."})

	l.Section("Problem")
	l.Choice(&p.Problem, param.Descriptor{Name: "problem", Label: "Data", Help: "Where the data come from.",
		Options: []param.Option{
			{Value: synthetic, Label: "drawn", Help: "The responses are x·U*V* plus noise, as in the paper, so the truth is known."},
			{Value: yours, Label: "your own", Help: "The data come from a CSV file."},
		}})
	drawn := &param.Only{Name: "problem", Values: []string{synthetic}}
	l.OpenSet(&p.Responses, param.Descriptor{Name: "responses", Label: "Responses", AtMost: maxResponses,
		Only: &param.Only{Name: "problem", Values: []string{yours}},
		Help: "The names of the columns to predict. The other columns are features."})
	l.Integer(&p.D, param.Descriptor{Name: "d", Symbol: "d", Label: "Features", Min: 1, Max: maxFeatures, Step: 1, Scale: param.Log,
		Only: drawn, Unit: "features", Help: "The number of features in x: the rows of U."})
	l.Integer(&p.Q, param.Descriptor{Name: "q", Symbol: "q", Label: "Responses", Min: 1, Max: maxResponses, Step: 1, Only: drawn,
		Unit: "responses", Help: "The number of responses, each of which is an objective: the columns of V."})
	l.Integer(&p.R, param.Descriptor{Name: "r", Symbol: "r", Label: "Rank", Min: 1, Max: maxRank, Step: 1,
		Help: "How many mixtures of the features predict all responses: the columns of U and the rows of V. It cannot exceed min(q, d); for " +
			"your table it is lowered if necessary."})
	l.Integer(&p.N, param.Descriptor{Name: "N", Symbol: "N", Label: "Examples", Min: testShare, Max: maxExamples, Step: 1, Scale: param.Log,
		Unit: "examples",
		Help: "The number of examples for learning; a quarter as many are for tests. If a part of your table has more rows, only its " +
			"first rows are used."})
	l.Number(&p.Sigma, param.Descriptor{Name: "sigma", Symbol: "σ", Label: "Noise", Max: maxNoise, Step: 0.01, Only: drawn,
		Help: "The standard deviation of the noise in the responses. No prediction has a test loss far below σ²."})
	p.BindSeed(l, "The seed of the data, the start, batches and orders. The same seed gives the same runs.")
	p.BindSeeds(l, maxSeeds)

	l.Section("Run")
	l.Number(&p.Work, param.Descriptor{Name: "work", Label: "Multiply-adds of a run", Min: 0.1, Max: maxWork, Scale: param.Log,
		Effect: param.Rerun, Unit: "million",
		Help: "A run ends when its gradients have taken this many multiplications, so that all methods end at the same cost."})
	p.BindBudget(l, "", maxBudget, "Every run ends after this many steps at the latest.")
	p.BindSpeed(l)

	l.Section("Show")
	l.Choice(&p.Axis, param.Descriptor{Name: "axis", Label: "Horizontal axis of charts over time", Effect: param.Display,
		Help: "The cost by which methods are compared.",
		Options: []param.Option{
			{Value: sweeps.WorkName, Label: "multiply-adds", Help: "Counts the gradients’ multiply-adds by formula. Losses, which only the page " +
				"needs, are left out."},
			{Value: sweeps.CoordinatesName, Label: "gradient coordinates"},
			{Value: kinds.Iterations, Label: "steps"},
			{Value: secondsAxis, Label: "seconds", Help: "Converts multiply-adds to seconds, at the speed measured here for each method."},
		}})
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "Matrices", Effect: param.Display,
		Help: "Which of the selected run’s matrices are shown next to the true ones.",
		Options: []param.Option{
			{Value: viewFactors, Label: "U and V", Help: "Factors are determined only up to an invertible r×r matrix. The picture shows the U·A " +
				"and B·V nearest to the true factors."},
			{Value: viewProduct, Label: "U·V", Help: "Shows the product, which makes the predictions."},
		}})
}
