package orders

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/data"
)

// Samples holds the settings of the samples, which are drawn or come from a visitor's file. Its fields are bound to a
// scene's parameters.
type Samples struct {
	Problem                         string // one of the names below
	M, K, D                         int    // numbers of objectives, of examples in an epoch, and of variables
	Condition, Heterogeneity, Noise float64
}

// Names of the problems.
const (
	LeastSquares = "leastsquares"
	Diagonal     = "diagonal"
	Regression   = "regression"
	Logistic     = "logistic"
	Yours        = "yours"
)

// BindSamples binds the settings of the samples and r.Batch, the number of samples in an example.
func (r *Roster) BindSamples(s *Samples, l *param.List) {
	const maxBatch, maxNoise = 64, 5
	l.Choice(&s.Problem, param.Descriptor{Name: "problem", Label: "Problem", Help: "The problem whose losses are summed.",
		Options: []param.Option{
			{Value: LeastSquares, Label: "least squares", Help: "The loss of a sample (a, y) is ½(a·w − y)². Each objective has its own samples."},
			{Value: Diagonal, Label: "bowls", Help: "The loss of a sample is ½ Σ D(w − C)², an axis-aligned bowl with its own bottom C."},
			{Value: Regression, Label: "multi-target regression", Help: "Least squares in which the objectives share the rows a but differ in " +
				"their targets y."},
			{Value: Logistic, Label: "two-task logistic regression", Help: "Two tasks on points in the plane, each with its own labels. A line " +
				"has to separate the labels of both tasks."},
			{Value: Yours, Label: "your own", Help: "The samples come from a file."},
		}})
	l.Integer(&s.K, param.Descriptor{Name: "K", Symbol: "K", Label: "Examples", Min: 1, Max: data.MaxSamples, Step: 1, Scale: param.Log,
		Unit: "examples",
		Help: "The number of examples. An epoch visits each once, so more examples make longer epochs. With batches, an example is a batch " +
			"that stays together."})
	l.Integer(&r.Batch, param.Descriptor{Name: "batch", Label: "Batch", Min: 1, Max: maxBatch, Step: 1, Scale: param.Log, Unit: "samples",
		Help: "The number of samples in an example; the total is K times this number."})
	l.Integer(&s.M, param.Descriptor{Name: "M", Symbol: "M", Label: "Objectives", Min: 1, Max: data.MaxObjectives, Step: 1,
		Only: &param.Only{Name: "problem", Values: []string{LeastSquares, Diagonal, Regression, Yours}}, Unit: "objectives",
		Help: "The number of objectives, that is, of losses per sample. Logistic regression has two."})
	l.Integer(&s.D, param.Descriptor{Name: "d", Symbol: "d", Label: "Variables", Min: 1, Max: data.MaxVariables, Step: 1, Scale: param.Log,
		Only: &param.Only{Name: "problem", Values: []string{LeastSquares, Diagonal, Regression, Yours}}, Unit: "variables",
		Help: "The number of variables in w. Logistic regression has three."})
	quadratic := &param.Only{Name: "problem", Values: []string{LeastSquares, Diagonal, Regression}}
	l.Number(&s.Condition, param.Descriptor{Name: "condition", Label: "Condition", Min: 1, Max: 1000, Scale: param.Log, Only: quadratic,
		Help: "How long the valleys of the losses are: the largest curvature divided by the smallest. 1 gives round bowls, large values give " +
			"long valleys."})
	l.Number(&s.Heterogeneity, param.Descriptor{Name: "heterogeneity", Label: "How objectives differ", Max: 1, Step: 0.01,
		Only: &param.Only{Name: "problem", Values: []string{LeastSquares, Diagonal, Regression, Logistic}},
		Help: "How far apart the objectives’ minima are. At 0 they coincide; at 1 they are drawn independently."})
	l.Number(&s.Noise, param.Descriptor{Name: "noise", Label: "How samples differ", Max: maxNoise, Step: 0.01, Only: quadratic,
		Help: "The standard deviation of each sample’s individual noise, in its target y or its bottom C. At 0, samples fit together exactly."})
}

// maxLogistic is the maximum number of samples for logistic regression. Minimising a weighted sum of its losses takes
// about ten passes over all samples.
const maxLogistic = 8192

// Draw draws samples with the current settings. The argument batch is the number of samples in an example.
func (s *Samples) Draw(batch int, seed uint64) (ordering.Problem, error) {
	const limit = data.MaxSampleNumbers
	if numbers := s.M * s.K * batch * s.D; s.Problem != Logistic && numbers > limit {
		return nil, &algo.RangeError{Name: "K", Value: s.K, Allowed: fmt.Sprintf("M·K·batch·d = %d numbers exceed the limit, %d", numbers, limit)}
	}
	if samples := s.K * batch; s.Problem == Logistic && samples > maxLogistic {
		return nil, &algo.RangeError{Name: "K", Value: s.K, Allowed: fmt.Sprintf("K·batch = %d samples exceed the limit, %d; more would make "+
			"the drawn minima too slow to compute", samples, maxLogistic)}
	}
	switch s.Problem {
	case LeastSquares, Regression:
		return problem.RandomLeastSquares(problem.LeastSquaresConfig{Objectives: s.M, Examples: s.K * batch, Variables: s.D,
			Condition: s.Condition, Heterogeneity: s.Heterogeneity, Noise: s.Noise, SharedInputs: s.Problem == Regression, Seed: seed})
	case Diagonal:
		return problem.RandomDiagonalSum(problem.DiagonalSumConfig{Objectives: s.M, Examples: s.K * batch, Variables: s.D,
			Condition: s.Condition, Heterogeneity: s.Heterogeneity, Noise: s.Noise, Seed: seed})
	case Logistic:
		return problem.RandomLogistic(problem.LogisticConfig{Examples: s.K * batch, Heterogeneity: s.Heterogeneity, Seed: seed})
	}
	return nil, &algo.RangeError{Name: "problem", Value: s.Problem,
		Allowed: fmt.Sprintf("must be one of %v", []string{LeastSquares, Diagonal, Regression, Logistic, Yours})}
}

// Pasted returns the problem with the samples from a file. The argument batch is the number of samples in an example;
// it must divide the number of samples in the file.
func Pasted(p *data.Pasted, batch int) (out ordering.Problem, err error) {
	if a := p.Stack(data.InputsName); a != nil {
		out, err = problem.NewLeastSquares(a, p.Rows(data.TargetsName))
	} else {
		out, err = problem.NewDiagonalSum(p.Stack(data.CurvaturesName), p.Stack(data.BottomsName))
	}
	if err != nil {
		return nil, err
	}
	return out, Divides(batch, out)
}

// Divides returns an error if batch does not divide the number of samples.
func Divides(batch int, p ordering.Problem) error {
	if p.Examples()%batch == 0 {
		return nil
	}
	return &algo.RangeError{Name: "batch", Value: batch, Allowed: fmt.Sprintf("it must divide the number of samples, %d", p.Examples())}
}

// Count sets the parameters for the numbers of objectives, examples and variables. The argument batch is the number of
// samples in an example.
func (s *Samples) Count(of ordering.Problem, batch int) {
	s.D, s.M = of.Dims()
	s.K = of.Examples() / batch
}
