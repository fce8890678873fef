package minnorm_test

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
)

// Find the shortest vector in the convex hull of three gradients.
func ExampleSolver() {
	gradients := &algo.Jacobian{Rows: 3, Cols: 2, Data: []float64{3, 1, 1, 3, 4, 4}}
	weights, shortest := make([]float64, 3), make([]float64, 2)
	var solver minnorm.Solver
	gap, status := solver.SolveJacobian(weights, gradients)
	gradients.Combine(shortest, weights)
	fmt.Printf("%v: weights %.2f of the gradients make %.2f\n", status, weights, shortest)
	fmt.Println("optimal to rounding:", gap < 1e-12)
	// Output:
	// converged: weights [0.50 0.50 0.00] of the gradients make [2.00 2.00]
	// optimal to rounding: true
}

// Find the nearest point of the probability simplex.
func ExampleProjector() {
	var projector minnorm.Projector
	x := []float64{0.9, 0.7, -0.4}
	projector.Project(x, x)
	fmt.Printf("%.2f\n", x)
	// Output:
	// [0.60 0.40 0.00]
}

// Find the shortest x whose sum is 1 and whose first element is at most 0.2.
func ExampleQP() {
	var solver minnorm.QP
	x := make([]float64, 2)
	_, status := solver.Solve(x,
		[]float64{1, 0, 0, 1}, []float64{0, 0}, // ½xᵀx
		[]float64{1, 1, -1, 0}, []float64{1, -0.2}, 1) // x_1 + x_2 = 1 and −x_1 ≥ −0.2
	fmt.Printf("%v: %.2f with multipliers %.2f\n", status, x, solver.Multipliers())
	// Output:
	// converged: [0.20 0.80] with multipliers [0.80 0.60]
}
