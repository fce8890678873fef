// This program uses MosT to share twelve goals, clustered in three places, among three solutions.
package main

import (
	"fmt"
	"log"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/algo/transport"
)

func main() {
	var goals [][]float64
	for _, c := range [][]float64{{0, 0}, {6, 0}, {0, 6}} {
		goals = append(goals, []float64{c[0], c[1]}, []float64{c[0] + 1, c[1]}, []float64{c[0], c[1] + 1}, []float64{c[0] + 1, c[1] + 1})
	}
	p, err := problem.NewClusters(goals, problem.Quadratic)
	if err != nil {
		log.Fatal(err)
	}
	most, err := transport.NewMosT(transport.Config{
		Problem: algo.Exact(p), Starts: [][]float64{{2, 2}, {2.1, 2}, {2, 2.1}}, StepSize: 0.1, Scale: transport.Column,
	})
	if err != nil {
		log.Fatal(err)
	}
	view, _, err := algo.Run(most, 200, nil)
	if err != nil {
		log.Fatal(err)
	}
	for j := range view.Solutions {
		fmt.Printf("solution %d at %.1f\n", j+1, view.X[2*j:2*j+2])
	}
}
