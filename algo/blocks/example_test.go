package blocks_test

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
)

// tradeoff shows how to write a custom problem. Its objectives are the squared distances of a point in the plane
// from (1, 0) and from (0, 1). Its Pareto set is the segment between these points.
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

// Move one coordinate along one objective at a time. The second objective has three turns for each turn of the
// first, so the run ends three quarters of the way to the second objective's minimum.
func Example() {
	stepper, err := blocks.New(blocks.Config{
		Problem: algo.Exact(tradeoff{}), Start: []float64{-1, -0.5}, Blocks: [][]int{{0}, {1}}, Frequencies: []int{1, 3},
		Schedule: blocks.Safe, StrongConvexity: 2, Lipschitz: 2, StepSize: 1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	view, status, err := algo.Run(stepper, 1000*stepper.OuterSteps(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v after %d outer iterations and %d coordinates of gradients\n",
		status, stepper.OuterIterations(), view.Cost.GradientCoordinates)
	fmt.Printf("x = %.2f\n", stepper.Last())
	move, _ := stepper.Move()
	fmt.Printf("the last step moved x%v along objective %d\n", move.Coordinates, move.Objective)
	// Output:
	// budget after 1000 outer iterations and 8000 coordinates of gradients
	// x = [0.25 0.75]
	// the last step moved x[0] along objective 1
}
