// This program changes one variable for one objective at a time. The second objective gets three turns for each turn of
// the first.
package main

import (
	"fmt"
	"log"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
)

func main() {
	p, err := algo.Funcs{Variables: 2, Objectives: 2, Values: func(f, x []float64) {
		f[0] = (x[0]-1)*(x[0]-1) + x[1]*x[1]
		f[1] = x[0]*x[0] + (x[1]-1)*(x[1]-1)
	}}.Problem()
	if err != nil {
		log.Fatal(err)
	}
	alternation, err := blocks.New(blocks.Config{
		Problem: algo.Exact(p), Start: []float64{-1, -0.5}, Blocks: [][]int{{0}, {1}}, Frequencies: []int{1, 3}, StepSize: 0.01,
	})
	if err != nil {
		log.Fatal(err)
	}
	view, _, err := algo.Run(alternation, 1000*alternation.OuterSteps(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("x = %.2f, f = %.2f after %d coordinates of gradients\n", view.X, view.F, view.Cost.GradientCoordinates)
}
