// Package minnorm solves the small problems behind the weightings: projection onto the
// probability simplex, the point of least norm in the convex hull of m gradients, and dense
// convex quadratic programs.
//
// The min-norm point is computed from the m×m Gramian, so that after one J·Jᵀ the cost does not
// depend on the number of variables. Every threshold is relative to the data: multiplying all
// gradients by a constant changes nothing, and one matrix may have rows of norm 1e-8 and 1e8.
//
// Values hold scratch space that grows on first use and is then reused. A value must not be used
// by two goroutines at once.
package minnorm
