package bilevel_test

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
)

// follower shows how to write a custom problem. Its lower objective f = (ω − α)² makes ω follow α. The upper
// objectives F = ((ω−1)², (ω−3)²) pull ω towards 1 and towards 3. A point z is (α, ω).
type follower struct{}

func (follower) Dims() (n, p, m int) { return 1, 1, 2 }

func (follower) Values(f, z []float64) {
	f[0], f[1] = (z[1]-1)*(z[1]-1), (z[1]-3)*(z[1]-3)
}

func (follower) Jacobian(jac *algo.Jacobian, z []float64) {
	copy(jac.Row(0), []float64{0, 2 * (z[1] - 1)})
	copy(jac.Row(1), []float64{0, 2 * (z[1] - 3)})
}

func (follower) Lower(z []float64) float64 { return (z[1] - z[0]) * (z[1] - z[0]) }

func (follower) LowerGradient(dst, z []float64) {
	dst[0], dst[1] = 2*(z[0]-z[1]), 2*(z[1]-z[0])
}

func (follower) LowerGradientOmega(dst, z []float64) { dst[0] = 2 * (z[1] - z[0]) }

// Run FORUM on a custom problem, from α = 6 and ω = 0. It ends at a point where no objective can be lowered without
// raising the other.
func Example() {
	forum, err := bilevel.NewFORUM(bilevel.FORUMConfig{
		Problem: follower{},
		Start:   []float64{6, 0},
		Loop:    bilevel.Loop{Steps: 20, StepSize: 0.1},
		Upper:   bilevel.Upper{StepSize: 0.05},
		Rho:     0.5,
	})
	if err != nil {
		panic(err)
	}
	v, status, err := algo.Run(forum, 2000, nil)
	if err != nil || status != algo.Budget {
		panic(fmt.Sprint(status, err))
	}
	fmt.Printf("α = %.3f, ω = %.3f, F = %.3f\n", v.X[0], v.X[1], v.F)
	fmt.Printf("λ = %.3f, %d gradients\n", v.Weights, v.Cost.Backpropagations)
	// Output:
	// α = 1.943, ω = 1.943, F = [0.889 1.117]
	// λ = [0.529 0.471], 46000 gradients
}
