package descent_test

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/pareto"
)

// tradeoff is an example of a custom problem. Its objectives are the squared distances of a point in the plane from
// (1, 0) and from (0, 1). Its Pareto set is the segment between the two points.
type tradeoff struct{}

func (tradeoff) Dims() (n, m int) { return 2, 2 }

func (tradeoff) Values(f, x []float64) {
	f[0] = (x[0]-1)*(x[0]-1) + x[1]*x[1]
	f[1] = x[0]*x[0] + (x[1]-1)*(x[1]-1)
}

func (tradeoff) Jacobian(jac *algo.Jacobian, x []float64) {
	first, second := jac.Row(0), jac.Row(1)
	first[0], first[1] = 2*(x[0]-1), 2*x[1]
	second[0], second[1] = 2*x[0], 2*(x[1]-1)
}

// PSMGD runs on a custom problem until the point is Pareto-stationary.
func Example() {
	stepper, err := descent.NewPSMGD(descent.Config{
		Problem: algo.Exact(tradeoff{}), Start: []float64{-1, -0.5}, Period: 4, StepSize: 0.1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	omega := pareto.StationarityOf(tradeoff{})
	view, status, err := algo.Run(stepper, 1000, func(v algo.View) bool { return omega(v.X) < 1e-6 })
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v after %d steps and %d backpropagations\n", status, view.K, view.Cost.Backpropagations)
	fmt.Printf("x = %.3f, f = %.3f, weights %.3f\n", view.X, view.F, view.Weights)
	// Output:
	// converged after 68 steps and 85 backpropagations
	// x = [0.250 0.750], f = [1.125 0.125], weights [0.250 0.750]
}

// MOO-SVGD moves three points at once. It spreads them along the Pareto set and, because of the repulsion, a little
// beyond its ends. The view has a row for each point.
func ExampleNewMOOSVGD() {
	stepper, err := descent.NewMOOSVGD(descent.MOOSVGDConfig{
		Problem: algo.Exact(tradeoff{}), Starts: [][]float64{{0, 0}, {0.1, 0}, {0, 0.1}}, StepSize: 0.02, Repulsion: 0.02,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	view, _, err := algo.Run(stepper, 1000, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range view.Solutions {
		fmt.Printf("%.2f\n", view.X[2*i:2*i+2])
	}
	// Output:
	// [0.50 0.50]
	// [1.01 -0.01]
	// [-0.01 1.01]
}
