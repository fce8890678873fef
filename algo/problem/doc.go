// Package problem provides test problems with exact gradients. The documentation of each problem gives its source and
// its known optima.
//
// A problem with noise level σ adds N(0, σ²I) to the gradient of every objective, drawn from Sample.Noise in the
// order of the objectives. For the same Sample, JacobianAt, WeightedGradientAt and GradientAt use the same noise,
// independent of earlier calls. Objective values have no noise, so ValuesAt equals Values.
//
// The objectives of LeastSquares, DiagonalSum, Logistic and ReducedRank are means over examples, without such noise.
// On a Sample, they are means over the examples in its Batch.
package problem
