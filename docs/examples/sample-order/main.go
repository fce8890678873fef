// This program has its own training loop, in which JoGBa decides the order of the samples.
package main

import (
	"fmt"
	"log"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
)

func main() {
	// Objective m at sample i is ½(w − target[m][i])².
	target := [][]float64{{-1, 4, 0, 3, 2, -2}, {5, 1, 2, 6, 4, 0}}
	for _, kind := range []ordering.Kind{ordering.Random, ordering.JoGBa} {
		orders, err := ordering.NewBalancer(ordering.BalancerConfig{Objectives: 2, Examples: 6, Variables: 1, Kind: kind, Seed: 1})
		if err != nil {
			log.Fatal(err)
		}
		w, strays := 2.0, 0.0
		gradients := algo.NewJacobian(2, 1)
		for range 6 * 200 {
			for m := range target {
				gradients.Row(m)[0] = w - target[m][orders.Due(m)]
			}
			w -= 0.02 * (gradients.Data[0] + gradients.Data[1]) / 2
			strays = max(strays, w-2, 2-w) // the mean of all targets is 2
			orders.Put(gradients, nil)
		}
		fmt.Printf("%v: at most %.2f from where it began\n", kind, strays)
	}
}
