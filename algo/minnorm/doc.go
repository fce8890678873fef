// Package minnorm solves the small problems that weightings depend on. It projects onto the probability simplex,
// finds the point of least norm in the convex hull of m gradients, and solves dense convex quadratic programs.
//
// The min-norm point is computed from the m×m Gramian J·Jᵀ. Once the Gramian is known, the remaining cost does not
// depend on the number of variables. Every threshold is relative to the data. Therefore multiplying all gradients by a
// constant does not change the weights, and one matrix may have rows of norm 1e-8 and 1e8.
//
// Values of the package's types contain scratch space that grows on first use and is then reused. Two goroutines must
// not use one such value at the same time.
package minnorm
