// Package problem holds test problems with exact gradients. Each documents its source and its known optima.
//
// A noise level σ adds N(0, σ²I) to the gradient of every objective, drawn from Sample.Noise in
// the order of the objectives. The same Sample gives the same noise to JacobianAt,
// WeightedGradientAt and GradientAt, independent of earlier calls. Objective values have no
// noise, so ValuesAt equals Values.
//
// LeastSquares, DiagonalSum, Logistic and ReducedRank are means over examples, without such
// noise. Their values and gradients are means over the examples in a Sample's Batch.
package problem
