package sweep

import (
	"paretoplay/algo/blocks"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
)

// Params are the scene's parameters. The zero value is not usable; see defaults.
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

// Definitions of a pass.
const (
	passSteps = "steps"
	passOuter = "outer"
)

// Partitions of the variables.
const (
	partitionFactors = "uv"
	partitionRows    = "rows"
)

// Examples whose losses can be shown.
const (
	lossTest  = "test"
	lossTrain = "train"
)

// Views of the panel over the vectors.
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
	leastNumber = 32     // of examples
	maxBudget   = 30_000 // more than any sweep takes
)

// defaults returns a sweep in which every weighting has its own optimum.
func defaults() Params {
	p := Params{P: 10, D: 20, R: 1, N: 1024, Sigma: 0.05, Alpha: 0.05, Batch: 32, Passes: 20, Pass: passSteps,
		Order: string(blocks.RandomOrder), Partition: partitionFactors, Loss: lossTest, View: viewPurity, Camera: [3]float64{52, 24, 1}}
	p.Seed, p.Speed, p.Budget = 1, "500", maxVectors*maxPasses
	return p
}

// bind lists the parameters in the page's order.
func (p *Params) bind(l *param.List) {
	p.Roster = runs.New(family(p), nil, sweeps.BlockSMOO, sweeps.WeightedSum)
	l.Section("Sweep")
	p.BindMethods(l, 0, "What moves, and down which gradient: each sweeps over the same vectors, from the same start, on the same batches.")
	p.BindOwn(l)
	l.Integer(&p.P, param.Descriptor{Name: "p", Symbol: "p", Label: "Turns", Min: 1, Max: maxSum, Step: 1, Unit: "turns",
		Help: "How many turns the three objectives have together: every way to share them out is a vector of frequencies m, (p+1)(p+2)/2 " +
			"in all."})
	l.Integer(&p.Passes, param.Descriptor{Name: "passes", Label: "Passes", Min: 1, Max: maxPasses, Step: 1, Scale: param.Log, Unit: "passes",
		Help: "How often the run of each vector goes over the data."})
	l.Choice(&p.Pass, param.Descriptor{Name: "pass", Label: "A pass is", Effect: param.Rerun,
		Help: "What goes over the data once. The paper does not say.",
		Options: []param.Option{
			{Value: passSteps, Label: "a batch for every step", Help: "As many steps as there are batches, whatever the method."},
			{Value: passOuter, Label: "a batch for every outer iteration", Help: "As many outer iterations as there are batches: " +
				"Block-SMOO makes two times p steps in each, the weighted sum one."},
		}})

	l.Section("Step")
	l.Number(&p.Alpha, param.Descriptor{Name: "alpha", Symbol: "α", Label: "Step size", Effect: param.Rerun,
		Min: 0.001, Max: 1, Scale: param.Log,
		Help: "How far one step goes: x ← x − α·gradient, on the block that is due. A vector whose run diverges is marked by a cross, and " +
			"the sweep goes on."})
	l.Integer(&p.Batch, param.Descriptor{Name: "batch", Label: "Batch", Effect: param.Rerun,
		Min: 1, Max: 256, Step: 1, Scale: param.Log, Unit: "examples",
		Help: "How many examples the gradient of a step is the mean over."})
	l.Choice(&p.Order, param.Descriptor{Name: "order", Symbol: "π", Label: "Order of the objectives", Effect: param.Rerun,
		Help: "In which order the objectives have their turns on a block.",
		Options: []param.Option{
			{Value: string(blocks.RandomOrder), Label: "random", Help: "Drawn anew for every block."},
			{Value: string(blocks.Contiguous), Label: "contiguous", Help: "The first objective m₁ times, then the second m₂ times, and " +
				"so on."},
			{Value: string(blocks.Cyclic), Label: "cyclic", Help: "In turns, without those whose turns are used up."},
		}})
	l.Choice(&p.Partition, param.Descriptor{Name: "partition", Label: "Blocks", Effect: param.Rerun, Help: "Which variables a block has.",
		Options: []param.Option{
			{Value: partitionFactors, Label: "U and V"},
			{Value: partitionRows, Label: "U and each row of V", Help: "The same where there is one direction."},
		}})

	l.Section("Regression")
	l.Integer(&p.R, param.Descriptor{Name: "r", Symbol: "r", Label: "Rank", Effect: param.Rerun,
		Min: 1, Max: objectives, Step: 1, Unit: "directions",
		Help: "How many directions of the features predict the three responses. Fewer than three are too few for all, and the responses " +
			"compete for them."})
	l.Integer(&p.D, param.Descriptor{Name: "d", Symbol: "d", Label: "Features", Min: objectives, Max: maxFeatures, Step: 1, Scale: param.Log,
		Unit: "features", Help: "How many numbers an example has."})
	l.Integer(&p.N, param.Descriptor{Name: "N", Symbol: "N", Label: "Examples", Min: leastNumber, Max: maxExamples, Step: 1, Scale: param.Log,
		Unit: "examples", Help: "How many examples there are to learn from; a quarter as many are kept to be tested on."})
	l.Number(&p.Sigma, param.Descriptor{Name: "sigma", Symbol: "σ", Label: "Noise", Effect: param.Rerun, Max: 2, Step: 0.01,
		Help: "The standard deviation of what is in the responses beside what the features say, before all three are brought to size 1."})
	p.BindSeed(l, "Decides data, start, batches and orders. The same seed gives the same sweep.")

	l.Section("Run")
	p.BindBudget(l, "", maxBudget, "The sweep ends after this many passes in all, and when every vector had its own.")
	p.BindSpeed(l)

	l.Section("Show")
	l.Choice(&p.Loss, param.Descriptor{Name: "loss", Label: "Losses of", Effect: param.Display, Help: "Whose losses make the front.",
		Options: []param.Option{
			{Value: lossTest, Label: "examples to be tested on"}, {Value: lossTrain, Label: "examples to learn from"},
		}})
	l.Choice(&p.View, param.Descriptor{Name: "view", Label: "Curves", Effect: param.Display, Help: "What is drawn over the vectors.",
		Options: []param.Option{
			{Value: viewPurity, Label: "purity", Help: "The share of a method’s front that no point of another dominates."},
			{Value: viewGamma, Label: "spread Γ", Help: "The largest gap in a front."},
			{Value: viewDelta, Label: "spread Δ", Help: "How uneven the gaps are."},
			{Value: viewMean, Label: "mean loss", Help: "Of all points, and of the three losses."},
		}})
	l.Camera(&p.Camera, param.Descriptor{Name: "camera", Label: "Camera", Effect: param.Display,
		Help: "Where the front is seen from: azimuth, elevation and distance. Drag the background to turn it."})
}

// shown returns the examples whose losses make the front.
func (p *Params) shown() int {
	if p.Loss == lossTrain {
		return train
	}
	return test
}
