// This program minimises three objectives without gradients, from each of four corners, and prints the best results.
package main

import (
	"fmt"
	"log"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/pareto"
)

func main() {
	p, err := algo.Funcs{Variables: 2, Objectives: 3, Values: func(f, x []float64) {
		f[0] = (x[0]-1)*(x[0]-1) + x[1]*x[1]
		f[1] = x[0]*x[0] + (x[1]-1)*(x[1]-1)
		f[2] = math.Hypot(x[0]+1, x[1]+1)
	}}.Problem()
	if err != nil {
		log.Fatal(err)
	}
	best, err := pareto.MultiStart([][]float64{{2, 2}, {2, -2}, {-2, 2}, {-2, -2}}, func(start []float64) (x, f []float64, err error) {
		out, err := descent.Minimize(p, start, "upgrad", descent.Settings{StepSize: 0.1, Steps: 500, Stationarity: 1e-6})
		if err != nil {
			return nil, nil, err
		}
		return out.X, out.F, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range best {
		fmt.Printf("from start %d: x = %.2f, f = %.2f\n", b.Start, b.X, b.F)
	}
}
