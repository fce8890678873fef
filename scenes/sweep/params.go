package sweep

import (
	"paretoplay/algo/blocks"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
)

// Params holds the scene's parameters. Use defaults, since the zero value is not usable.
type Params struct {
	*runs.Roster[*course]
	runs.Settings

	P         int // Σ m_k of every vector
	D, R, N   int // features, directions, learning examples
	Sigma     float64
	Alpha     float64
	Batch     int
	Passes    int
	Pass      string // the definition of a pass
	Order     string // a blocks.Order
	Partition string

	Loss   string
	View   string
	Camera [3]float64
}

// These are the definitions of a pass.
const (
	passSteps = "steps"
	passOuter = "outer"
)

// These are the partitions of the variables.
const (
	partitionFactors = "uv"
	partitionRows    = "rows"
)

// These are the sets of examples whose losses can be shown.
const (
	lossTest  = "test"
	lossTrain = "train"
)

// These are the views of the panel that plots values against the number of vectors.
const (
	viewPurity = "purity"
	viewGamma  = "gamma"
	viewDelta  = "delta"
	viewMean   = "mean"
)

const (
	maxSum      = 20 // 231 vectors, as in the paper
	maxPasses   = 100
	maxVectors  = (maxSum + 1) * (maxSum + 2) / 2
	maxFeatures = 100
	maxExamples = 4096
	leastNumber = 32     // minimum number of examples
	maxBudget   = 30_000 // more than any sweep takes
)

// defaults returns settings with which every weighting has a different optimum.
func defaults() Params {
	p := Params{P: 10, D: 20, R: 1, N: 1024, Sigma: 0.05, Alpha: 0.05, Batch: 32, Passes: 20, Pass: passSteps,
		Order: string(blocks.RandomOrder), Partition: partitionFactors, Loss: lossTest, View: viewPurity, Camera: [3]float64{52, 24, 1}}
	p.Seed, p.Speed, p.Budget = 1, "500", maxVectors*maxPasses
	return p
}

// bind adds the parameters to l in the page's order.
func (p *Params) bind(l *param.List) {
	p.Roster = runs.New(family(p), nil, sweeps.BlockSMOO, sweeps.WeightedSum)
	l.Section("Sweep")
	p.BindMethods(l, 0, "The methods to compare. They differ in which variables move and down which gradient. Each sweeps over the same "+
		"vectors, from the same start and on the same batches.")
	p.BindOwn(l)
	l.Integer(&p.P, param.Descriptor{Name: "p", Symbol: "p", Label: "Turns", Min: 1, Max: maxSum, Step: 1, Unit: "turns",
		Help: "The total number of turns of the three objectives. Every way to share them is a vector of frequencies m; there are " +
			"(p+1)(p+2)/2 vectors."})
	l.Integer(&p.Passes, param.Descriptor{Name: "passes", Label: "Passes", Min: 1, Max: maxPasses, Step: 1, Scale: param.Log, Unit: "passes",
		Help: "How often each vector’s run goes through the data. Runs with few passes stop before they have converged."})
	l.Choice(&p.Pass, param.Descriptor{Name: "pass", Label: "A pass counts", Effect: param.Rerun,
		Help: "What counts as one pass through the data. The paper does not say.",
		Options: []param.Option{
			{Value: passSteps, Label: "steps", Help: "A pass has one step per batch, with every method."},
			{Value: passOuter, Label: "outer iterations", Help: "A pass has one outer iteration per batch: two times p steps " +
				"with Block-SMOO, one step with the weighted sum."},
		}})

	l.Section("Step")
	l.Number(&p.Alpha, param.Descriptor{Name: "alpha", Symbol: "α", Label: "Step size", Effect: param.Rerun,
		Min: 0.001, Max: 1, Scale: param.Log,
		Help: "How far one step goes: x ← x − α·gradient, on the current block. If a vector’s run diverges, a cross marks the vector, and " +
			"the sweep goes on."})
	l.Integer(&p.Batch, param.Descriptor{Name: "batch", Label: "Batch", Effect: param.Rerun,
		Min: 1, Max: 256, Step: 1, Scale: param.Log, Unit: "examples",
		Help: "How many examples a step’s gradient is averaged over. Small batches are cheap but noisy."})
	l.Choice(&p.Order, param.Descriptor{Name: "order", Symbol: "π", Label: "Order of the objectives", Effect: param.Rerun,
		Help: "The order in which objectives take turns on a block.",
		Options: []param.Option{
			{Value: string(blocks.RandomOrder), Label: "random", Help: "The order is drawn again for every block."},
			{Value: string(blocks.Contiguous), Label: "contiguous", Help: "The first objective has m₁ turns, then the second has m₂ turns, " +
				"and so on."},
			{Value: string(blocks.Cyclic), Label: "cyclic", Help: "Objectives take turns one by one; an objective drops out when its turns are " +
				"used up."},
		}})
	l.Choice(&p.Partition, param.Descriptor{Name: "partition", Label: "Blocks", Effect: param.Rerun, Help: "Which variables form a block.",
		Options: []param.Option{
			{Value: partitionFactors, Label: "U and V"},
			{Value: partitionRows, Label: "U and each row of V", Help: "With one direction these blocks are the same as U and V."},
		}})

	l.Section("Regression")
	l.Integer(&p.R, param.Descriptor{Name: "r", Symbol: "r", Label: "Rank", Effect: param.Rerun,
		Min: 1, Max: objectives, Step: 1, Unit: "directions",
		Help: "How many directions of the features predict the three responses. With fewer than three, the responses compete for them."})
	l.Integer(&p.D, param.Descriptor{Name: "d", Symbol: "d", Label: "Features", Min: objectives, Max: maxFeatures, Step: 1, Scale: param.Log,
		Unit: "features", Help: "The number of features of an example."})
	l.Integer(&p.N, param.Descriptor{Name: "N", Symbol: "N", Label: "Examples", Min: leastNumber, Max: maxExamples, Step: 1, Scale: param.Log,
		Unit: "examples", Help: "The number of training examples. There are a quarter as many test examples."})
	l.Number(&p.Sigma, param.Descriptor{Name: "sigma", Symbol: "σ", Label: "Noise", Effect: param.Rerun, Max: 2, Step: 0.01,
		Help: "The standard deviation of the noise in the responses, before all three are scaled to a mean square of 1."})
	p.BindSeed(l, "The seed of data, start, batches and orders. The same seed gives the same sweep.")

	l.Section("Run")
	p.BindBudget(l, "", maxBudget, "The sweep ends after this many passes in total, or when every vector has had its passes.")
	p.BindSpeed(l)

	l.Section("Show")
	l.Choice(&p.Loss, param.Descriptor{Name: "loss", Label: "Losses of", Effect: param.Display, Help: "The examples whose losses form the " +
		"front.",
		Options: []param.Option{
			{Value: lossTest, Label: "test examples"}, {Value: lossTrain, Label: "training examples"},
		}})
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "Curves", Effect: param.Display, Help: "The measure plotted against the vectors.",
		Options: []param.Option{
			{Value: viewPurity, Label: "purity", Help: "The share of a method’s front that no point of another method dominates."},
			{Value: viewGamma, Label: "spread Γ", Help: "The largest gap in a front."},
			{Value: viewDelta, Label: "spread Δ", Help: "How uneven the gaps in a front are."},
			{Value: viewMean, Label: "mean loss", Help: "The mean of the three losses over all points."},
		}})
	l.Camera(&p.Camera, param.Descriptor{Name: "camera", Label: "Camera", Effect: param.Display,
		Help: "The azimuth, elevation and distance from which the front is viewed. Drag the background to turn the view."})
}

// shown returns the set of examples whose losses form the front.
func (p *Params) shown() int {
	if p.Loss == lossTrain {
		return train
	}
	return test
}
