package bilevel_test

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/problem"
)

// randomProblem returns a random bilevel problem with closed-form solutions. A loop step with η = 1 multiplies the
// distance from the lower level's minimiser by at most ¾.
func randomProblem(t *testing.T, n, lower, m int, seed uint64) *problem.RandomBilevel {
	t.Helper()
	p, err := problem.NewRandomBilevel(problem.RandomBilevelConfig{N: n, P: lower, M: m, Condition: 4, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func solution(t *testing.T, p *problem.RandomBilevel, lambda []float64) []float64 {
	t.Helper()
	n, lower, _ := p.Dims()
	z := make([]float64, n+lower)
	if err := p.Solution(z, lambda); err != nil {
		t.Fatal(err)
	}
	return z
}

var randomShapes = [][3]int{{1, 1, 1}, {2, 3, 2}, {6, 2, 2}, {3, 12, 3}}

// precise configures a loop whose residual is smaller than rounding errors.
var precise = bilevel.Loop{Steps: 120, StepSize: 1}

// TestMOMLAndMoCoReachTheSolutions checks that both methods end at the solution of the weighted sum with their last
// weights.
func TestMOMLAndMoCoReachTheSolutions(t *testing.T) {
	for i, shape := range randomShapes {
		p := randomProblem(t, shape[0], shape[1], shape[2], uint64(i+1))
		start, upper := scattered(shape[0]+shape[1]), bilevel.Upper{StepSize: 0.1}
		for name, s := range map[string]bilevel.Stepper{
			"MOML": newMOML(t, bilevel.MOMLConfig{Problem: p, Start: start, Loop: precise, Upper: upper}),
			"MoCo": newMoCo(t, bilevel.MoCoConfig{Problem: p, Start: start, Loop: precise, Upper: upper, Beta: 0.5, Gamma: 0.01}),
		} {
			t.Run(fmt.Sprintf("%s, %v", name, shape), func(t *testing.T) {
				run(t, s, 3000)
				want := solution(t, p, s.View().Weights)
				if e := floats.Distance(want, s.Measured(), 2); !(e <= 1e-9) {
					t.Errorf("%v away from the solution of its weights %v", e, s.View().Weights)
				}
			})
		}
	}
}

// TestFORUMNearsTheSolutions checks that, with a constant μ, FORUM ends near the solutions, and closer to them for a
// smaller μ. Where Σλ_i∇F_i does not vanish, ν grows until μν reaches the limit that the curvature of q allows.
func TestFORUMNearsTheSolutions(t *testing.T) {
	p := randomProblem(t, 2, 3, 2, 2)
	distance := func(mu float64) float64 {
		s, err := bilevel.NewFORUM(bilevel.FORUMConfig{Problem: p, Start: scattered(5), Loop: precise,
			Upper: bilevel.Upper{StepSize: mu}, Rho: 0.3})
		if err != nil {
			t.Fatal(err)
		}
		run(t, s, int(100/mu))
		return floats.Distance(solution(t, p, s.View().Weights), s.Measured(), 2)
	}
	large, small := distance(0.03), distance(0.003)
	if !(small <= large/3 && small <= 0.03) {
		t.Errorf("%v away from the solution with μ = 0.03, %v with μ = 0.003", large, small)
	}
}

// TestSolutionsAreNotImproved checks that MOML does not move from a solution. No method may find a point that is
// better in every objective once the lower level is solved.
func TestSolutionsAreNotImproved(t *testing.T) {
	for i, shape := range randomShapes {
		p := randomProblem(t, shape[0], shape[1], shape[2], uint64(i+1))
		lambda := make([]float64, shape[2])
		for j := range lambda {
			lambda[j] = float64(j + 1)
		}
		start := solution(t, p, lambda)
		best, f := make([]float64, shape[2]), make([]float64, shape[2])
		p.Values(best, start)
		upper := bilevel.Upper{StepSize: 0.05}
		moml := newMOML(t, bilevel.MOMLConfig{Problem: p, Start: start, Loop: precise, Upper: upper})
		forum, err := bilevel.NewFORUM(bilevel.FORUMConfig{Problem: p, Start: start, Loop: precise, Upper: upper, Rho: 0.3})
		if err != nil {
			t.Fatal(err)
		}
		z := make([]float64, shape[0]+shape[1])
		for name, s := range map[string]bilevel.Stepper{"MOML": moml, "FORUM": forum} {
			t.Run(fmt.Sprintf("%s, %v", name, shape), func(t *testing.T) {
				for range 300 {
					run(t, s, 1)
					copy(z, s.View().X)
					p.LowerSolution(z[shape[0]:], z[:shape[0]])
					p.Values(f, z)
					improved := true
					for j := range f {
						improved = improved && f[j] < best[j]-1e-12
					}
					if improved {
						t.Fatalf("F = %v at step %d, at the solution it was %v", f, s.View().K, best)
					}
				}
				if s == moml {
					if e := floats.Distance(start, s.Measured(), 2); !(e <= 1e-10) {
						t.Errorf("it moved %v away from a solution", e)
					}
				}
			})
		}
	}
}

// TestKKTVanishesTowardsTheSolutions checks KKT near the solutions. On them ∇q vanishes, but Σλ_i∇F_i need not vanish,
// so no finite ν balances the two. At the displacement (0, −t·A⁻¹Σλ_i∇_ωF_i) from a solution, ∇q is −t times the
// solution's Σλ_i∇F_i. With ν = 1/t, only the change in Σλ_i∇F_i along the way remains. This change is of order t.
func TestKKTVanishesTowardsTheSolutions(t *testing.T) {
	for i, shape := range randomShapes {
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			n, lower, m := shape[0], shape[1], shape[2]
			p := randomProblem(t, n, lower, m, uint64(i+1))
			lambda := make([]float64, m)
			for j := range lambda {
				lambda[j] = 1 / float64(m)
			}
			z := solution(t, p, lambda)
			s := newMOML(t, bilevel.MOMLConfig{Problem: p, Start: z, Loop: precise, Upper: bilevel.Upper{StepSize: 0.1}})
			run(t, s, 1)
			combined := make([]float64, n)
			s.Trace().Hypergradients.Combine(combined, lambda)
			if e := floats.Norm(combined, 2); !(e <= 1e-12) {
				t.Errorf("the hypergradients of a solution combine to %v", combined)
			}

			step := mat.NewVecDense(lower, sumOfOmegaGradients(p, z, lambda))
			if err := step.SolveVec(lowerMatrix(p), step); err != nil {
				t.Fatal(err)
			}
			measures := bilevel.NewMeasures(p)
			at := measures.Stationarity(z)
			for _, scale := range []float64{1e-2, 1e-3, 1e-4} {
				near := slices.Clone(z)
				floats.AddScaled(near[n:], -scale, step.RawVector().Data)
				// The curvature of the F_i is at most 2 + ‖u_i‖².
				if got, allowed := measures.Stationarity(near), 10*scale*mat.Norm(step, 2); !(got <= allowed && got < at) {
					t.Errorf("√KKT is %v at %v·A⁻¹Σλ∇_ωF from a solution, allowed is %v; at the solution it is %v", got, scale, allowed, at)
				}
			}
		})
	}
}

// sumOfOmegaGradients returns Σλ_i∇_ωF_i at z.
func sumOfOmegaGradients(p *problem.RandomBilevel, z, lambda []float64) []float64 {
	n, lower, m := p.Dims()
	jacobian, sum := algo.NewJacobian(m, n+lower), make([]float64, n+lower)
	p.Jacobian(jacobian, z)
	jacobian.Combine(sum, lambda)
	return sum[n:]
}

// lowerMatrix returns A.
func lowerMatrix(p *problem.RandomBilevel) *mat.Dense {
	n, lower, _ := p.Dims()
	a := mat.NewDense(lower, lower, nil)
	unit, column := make([]float64, lower), make([]float64, lower)
	for c := range lower {
		unit[c] = 1
		p.HessianOmegaOmega(column, make([]float64, n+lower), unit)
		unit[c] = 0
		a.SetCol(c, column)
	}
	return a
}
