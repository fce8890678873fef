// This program has two levels: ω settles where f = (ω − α)² is least, and α has the objectives (ω − 1)² and (ω − 3)².
package main

import (
	"fmt"
	"log"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
)

type follower struct{} // a point z is (α, ω)

func (follower) Dims() (n, p, m int)                 { return 1, 1, 2 }
func (follower) Values(f, z []float64)               { f[0], f[1] = (z[1]-1)*(z[1]-1), (z[1]-3)*(z[1]-3) }
func (follower) Lower(z []float64) float64           { return (z[1] - z[0]) * (z[1] - z[0]) }
func (follower) LowerGradient(dst, z []float64)      { dst[0], dst[1] = 2*(z[0]-z[1]), 2*(z[1]-z[0]) }
func (follower) LowerGradientOmega(dst, z []float64) { dst[0] = 2 * (z[1] - z[0]) }
func (follower) Jacobian(jac *algo.Jacobian, z []float64) {
	copy(jac.Data, []float64{0, 2 * (z[1] - 1), 0, 2 * (z[1] - 3)})
}

func main() {
	forum, err := bilevel.NewFORUM(bilevel.FORUMConfig{
		Problem: follower{}, Start: []float64{6, 0}, Loop: bilevel.Loop{Steps: 20, StepSize: 0.1},
		Upper: bilevel.Upper{StepSize: 0.05}, Rho: 0.5,
	})
	if err != nil {
		log.Fatal(err)
	}
	view, status, err := algo.Run(forum, 2000, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v: α = %.2f, ω = %.2f, F = %.2f\n", status, view.X[0], view.X[1], view.F)
}
