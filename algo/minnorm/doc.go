// Package minnorm solves the small problems behind the weightings: projection
// onto the probability simplex, the point of least norm in the convex hull of m
// gradients, and dense convex quadratic programs.
//
// The min-norm point is found on the m×m Gramian, so that after one J·Jᵀ the cost
// does not depend on the number of variables. Every threshold is relative to the
// data: multiplying all gradients by a constant changes nothing, and rows of norm
// 1e-8 and 1e8 may stand in one matrix.
//
// Values hold scratch space that grows on first use and is then reused; one
// value serves one goroutine at a time.
package minnorm
