package weighting_test

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/algo/weighting"
)

// Two gradients that conflict, and what three rules make of them.
func Example() {
	var in algo.Input
	in.SetGradients(&algo.Jacobian{Rows: 2, Cols: 2, Data: []float64{1, 0, -2, 1}})
	for _, name := range []string{"mgda", "pcgrad", "upgrad"} {
		method, _ := weighting.Lookup(name)
		rule, err := method.Bind(new(param.List), "")(weighting.Context{Objectives: 2})
		if err != nil {
			fmt.Println(err)
			return
		}
		out := algo.Result{Weights: make([]float64, 2), Direction: make([]float64, 2)}
		if err := rule.Weigh(&out, &in); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-6s weights %.2f, direction %.2f\n", method.Title, out.Weights, out.Direction)
	}
	// Output:
	// MGDA   weights [0.70 0.30], direction [0.10 0.30]
	// PCGrad weights [3.00 1.40], direction [0.20 1.40]
	// UPGrad weights [1.50 0.70], direction [0.10 0.70]
}

// A rule made by its constructor, whose error says what was refused.
func ExampleNewCAGrad() {
	_, err := weighting.NewCAGrad(-1, weighting.RescaleNone)
	fmt.Println(err)
	// Output:
	// c = -1, allowed is a finite number of at least 0
}
