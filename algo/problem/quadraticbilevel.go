package problem

import (
	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// quadraticBilevelStarts holds the paper's starts.
var quadraticBilevelStarts = [...][3]float64{{0, 0, 3}, {2, 0, 3}, {2, 3, 3}}

// QuadraticBilevel is a bilevel problem with one upper variable α, two lower variables and two upper objectives
//
//	F_1 = ‖ω − (1, α)‖²     F_2 = ‖ω − (2, α)‖²     f = ‖ω − (α, α)‖²
//
// A point is (α, ω_1, ω_2). The minimiser of the lower level is ω*(α) = (α, α), with f* = 0. The Pareto-optimal
// points are α = ω_1 = ω_2 = c for c in [1, 2].
//
// References:
//   - Ye, Lin, Cao, Zhang & Tsang (2024), A first-order multi-gradient algorithm for
//     multi-objective bi-level optimization (FORUM), arXiv:2401.09257, appendix C,
//     equation (24) and Figure 2.
type QuadraticBilevel struct{}

var (
	_ algo.LowerHessian = (*QuadraticBilevel)(nil)
	_ algo.LowerSolved  = (*QuadraticBilevel)(nil)
	_ algo.SolutionSet  = (*QuadraticBilevel)(nil)
)

// NewQuadraticBilevel returns the problem.
func NewQuadraticBilevel() *QuadraticBilevel { return &QuadraticBilevel{} }

// QuadraticBilevelStarts returns the paper's three starts (α_0, ω_0).
func QuadraticBilevelStarts() [][]float64 {
	starts := rows(len(quadraticBilevelStarts), 3)
	for i, s := range quadraticBilevelStarts {
		copy(starts[i], s[:])
	}
	return starts
}

// Dims returns the numbers of upper variables, lower variables and upper objectives: 1, 2 and 2.
func (*QuadraticBilevel) Dims() (n, p, m int) { return 1, 2, 2 }

// Values stores F_1 and F_2 in f.
func (*QuadraticBilevel) Values(f, z []float64) {
	level := z[2] - z[0]
	for i := range f {
		d := z[1] - float64(i+1)
		f[i] = float64(d*d) + float64(level*level)
	}
}

// Jacobian stores the rows (−2(ω_2−α), 2(ω_1−i), 2(ω_2−α)) in jac.
func (*QuadraticBilevel) Jacobian(jac *algo.Jacobian, z []float64) {
	level := z[2] - z[0]
	for i := range jac.Rows {
		row := jac.Row(i)
		row[0], row[1], row[2] = -2*level, 2*(z[1]-float64(i+1)), 2*level
	}
}

// Lower returns f(z).
func (*QuadraticBilevel) Lower(z []float64) float64 {
	d1, d2 := z[1]-z[0], z[2]-z[0]
	return float64(d1*d1) + float64(d2*d2)
}

// LowerGradient stores ∇f(z) in dst.
func (*QuadraticBilevel) LowerGradient(dst, z []float64) {
	d1, d2 := z[1]-z[0], z[2]-z[0]
	dst[0], dst[1], dst[2] = -2*(d1+d2), 2*d1, 2*d2
}

// LowerGradientOmega stores ∇_ω f(z) in dst.
func (*QuadraticBilevel) LowerGradientOmega(dst, z []float64) {
	dst[0], dst[1] = 2*(z[1]-z[0]), 2*(z[2]-z[0])
}

// HessianOmegaOmega stores 2v in dst.
func (*QuadraticBilevel) HessianOmegaOmega(dst, _, v []float64) { dst[0], dst[1] = 2*v[0], 2*v[1] }

// HessianAlphaOmega stores −2(v_1+v_2) in dst.
func (*QuadraticBilevel) HessianAlphaOmega(dst, _, v []float64) { dst[0] = -2 * (v[0] + v[1]) }

// HessianOmegaAlpha stores −2u·(1, 1) in dst.
func (*QuadraticBilevel) HessianOmegaAlpha(dst, _, u []float64) { dst[0], dst[1] = -2*u[0], -2*u[0] }

// LowerSolution stores (α, α) in omega.
func (*QuadraticBilevel) LowerSolution(omega, alpha []float64) {
	omega[0], omega[1] = alpha[0], alpha[0]
}

// LowerMinimum returns 0, the value of f*.
func (*QuadraticBilevel) LowerMinimum([]float64) float64 { return 0 }

// Distance returns the distance from z to the segment c·(1, 1, 1), c in [1, 2].
func (*QuadraticBilevel) Distance(z []float64) float64 {
	// Computing the mean relative to α preserves the digits of points near the segment.
	c := min(max(z[0]+((z[1]-z[0])+(z[2]-z[0]))/3, 1), 2)
	return portable.Hypot(z[0]-c, portable.Hypot(z[1]-c, z[2]-c))
}
