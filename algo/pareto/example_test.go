package pareto_test

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
)

// Find the points worth keeping, and how much they dominate.
func Example() {
	points := [][]float64{{1, 4}, {2, 2}, {3, 3}, {4, 1}}
	kept, err := pareto.NonDominated(points)
	if err != nil {
		fmt.Println(err)
		return
	}
	volume, err := pareto.Hypervolume(points, []float64{5, 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("not dominated:", kept)
	fmt.Println("hypervolume:", volume)
	// Output:
	// not dominated: [0 1 3]
	// hypervolume: 11
}

// Compare the fronts of two methods.
func ExampleCompare() {
	qualities, reference, err := pareto.Compare(
		[][]float64{{0, 4}, {2, 1}, {5, 0}},
		[][]float64{{1, 2}, {3, 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("reference:", reference)
	for _, q := range qualities {
		fmt.Printf("purity %.2f, Γ = %g, Δ = %.2f\n", q.Purity, q.Gamma, q.Delta)
	}
	// Output:
	// reference: [[0 4] [1 2] [2 1] [5 0]]
	// purity 1.00, Γ = 3, Δ = 0.50
	// purity 0.50, Γ = 2, Δ = 0.75
}

// Measure, from the gradients at a point, how far the point is from being Pareto-stationary.
func ExampleStationarity() {
	var omega pareto.Stationarity
	conflicting := &algo.Jacobian{Rows: 2, Cols: 2, Data: []float64{1, 1, -1, 1}}
	opposite := &algo.Jacobian{Rows: 2, Cols: 2, Data: []float64{1, 0, -3, 0}}
	fmt.Printf("ω = %.2f, weights %.2f\n", omega.Measure(conflicting), omega.Weights())
	fmt.Printf("ω = %.2f, weights %.2f\n", omega.Measure(opposite), omega.Weights())
	// Output:
	// ω = 1.00, weights [0.50 0.50]
	// ω = 0.00, weights [0.75 0.25]
}
