package minnorm

import (
	"fmt"
	"math"

	"paretoplay/algo"
)

// Rule says towards what a Frank–Wolfe step moves weight.
type Rule int

const (
	// Classical moves all weights towards the best vertex. It converges like
	// 1/iterations when the minimum lies on a face.
	Classical Rule = iota
	// Pairwise moves weight from the worst vertex in use to the best one. It
	// converges linearly.
	Pairwise
)

// FrankWolfe approaches the same minimum as Solver by conditional gradients with
// exact line search. It is here to be watched and to check Solver against;
// methods use Solver.
//
// References:
//   - Jaggi (2013), Revisiting Frank-Wolfe, ICML.
//   - Lacoste-Julien & Jaggi (2015), On the global linear convergence of
//     Frank-Wolfe optimization variants, NeurIPS, Algorithm 2.
type FrankWolfe struct {
	rule       Rule
	iterations int
	tolerance  float64
	y          []float64 // gram·λ
}

// NewFrankWolfe returns a method that stops after iterations ≥ 1 steps, or when
// the relative duality gap is at most tolerance ≥ 0.
func NewFrankWolfe(rule Rule, iterations int, tolerance float64) (*FrankWolfe, error) {
	if rule != Classical && rule != Pairwise {
		return nil, fmt.Errorf("minnorm: rule = %d, allowed is Classical (0) or Pairwise (1)", rule)
	}
	if iterations < 1 {
		return nil, fmt.Errorf("minnorm: iterations = %d, allowed is at least 1", iterations)
	}
	if !(tolerance >= 0) || math.IsInf(tolerance, 1) {
		return nil, fmt.Errorf("minnorm: tolerance = %g, allowed is a finite number of at least 0", tolerance)
	}
	return &FrankWolfe{rule: rule, iterations: iterations, tolerance: tolerance}, nil
}

// Solve starts at the smallest row and stores the weights it reaches. Arguments,
// gap and Diverged mean what they mean for Solver.Solve. The status is Converged when the
// gap met the tolerance and Budget when the steps ran out; iterations is the
// number of steps taken.
func (f *FrankWolfe) Solve(weights, gram []float64) (gap float64, iterations int, status algo.Status) {
	m := len(weights)
	if m == 0 || len(gram) != m*m {
		panic("minnorm: length of Gramian")
	}
	clear(weights)
	if !algo.Finite(gram) {
		return math.NaN(), 0, algo.Diverged
	}
	if cap(f.y) < m {
		f.y = make([]float64, m)
	}
	f.y = f.y[:m]
	start, largest := 0, 0.0
	for i := range m {
		if gram[i*m+i] < gram[start*m+start] {
			start = i
		}
		largest = max(largest, gram[i*m+i])
	}
	weights[start] = 1
	if largest == 0 {
		return 0, 0, algo.Converged
	}
	for ; ; iterations++ {
		// From scratch in every step: updating y would let errors of large rows stay.
		clear(f.y)
		for j, w := range weights {
			if w != 0 {
				for i, g := range gram[j*m : (j+1)*m] {
					f.y[i] += w * (g / largest)
				}
			}
		}
		best, worst, square := 0, start, 0.0
		for i, y := range f.y {
			square += weights[i] * y
			if y < f.y[best] {
				best = i
			}
			if weights[i] > 0 && (weights[worst] == 0 || y > f.y[worst]) {
				worst = i
			}
		}
		gap = max(square-f.y[best], 0)
		if gap <= f.tolerance {
			return gap, iterations, algo.Converged
		}
		if iterations == f.iterations {
			return gap, iterations, algo.Budget
		}
		moved := false
		if f.rule == Pairwise {
			moved = f.pairwise(weights, gram, best, worst, largest)
		} else {
			moved = f.classical(weights, gram, best, square, largest)
		}
		if !moved {
			return gap, iterations, algo.Budget
		}
	}
}

// pairwise moves weight from row worst to row best. It reports false when
// rounding leaves nothing to gain.
func (f *FrankWolfe) pairwise(weights, gram []float64, best, worst int, largest float64) bool {
	m := len(weights)
	gain := f.y[worst] - f.y[best]
	if best == worst || gain <= 0 {
		return false
	}
	curvature := (gram[best*m+best] + gram[worst*m+worst] - 2*gram[best*m+worst]) / largest
	step := weights[worst]
	if curvature*step > gain {
		step = gain / curvature
	}
	if step == weights[worst] {
		weights[worst] = 0
	} else {
		weights[worst] -= step
	}
	weights[best] += step
	return step > 0
}

// classical moves towards row best. It reports false when rounding leaves
// nothing to gain.
func (f *FrankWolfe) classical(weights, gram []float64, best int, square, largest float64) bool {
	curvature := square - 2*f.y[best] + gram[best*len(weights)+best]/largest
	gain := square - f.y[best]
	step := 1.0
	if curvature > gain {
		step = gain / curvature
	}
	for i := range weights {
		weights[i] *= 1 - step
	}
	weights[best] += step
	return step > 0
}
