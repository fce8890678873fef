// Package problem holds test problems with exact gradients. Each one states
// where it comes from and which optima of it are known.
//
// A noise level σ adds N(0, σ²I) to the gradient of every objective, drawn from
// Sample.Noise in the order of the objectives: the same Sample gives the same
// noise to JacobianAt, WeightedGradientAt and GradientAt, whatever was asked before.
// Objective values carry no noise, so ValuesAt equals Values.
//
// LeastSquares, DiagonalSum, Logistic and ReducedRank are means over examples, without such
// noise: a Sample's Batch says which examples values and gradients are the means of.
package problem
