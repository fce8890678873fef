// This program shows what each rule decides, given gradients or only their Gramian.
package main

import (
	"fmt"
	"log"

	"paretoplay/algo"
	"paretoplay/algo/weighting"
)

func main() {
	gradients := &algo.Jacobian{Rows: 2, Cols: 2, Data: []float64{1, 0, -2, 1}}
	gramian := make([]float64, 4)
	gradients.Gram(gramian)
	for _, name := range []string{"mgda", "cagrad", "upgrad"} {
		rule, err := weighting.New(name, 2)
		if err != nil {
			log.Fatal(err)
		}
		step, err := weighting.Direction(rule, gradients, nil)
		if err != nil {
			log.Fatal(err)
		}
		same, err := weighting.FromGramian(rule, gramian, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: subtract %.2f, coefficients %.2f, from the Gramian %.2f\n", name, step.Direction, step.Effective, same.Effective)
	}
}
