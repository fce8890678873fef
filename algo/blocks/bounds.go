package blocks

import "math"

// Constants contains the constants in the theorems' bounds, for runs on F_m from one start.
type Constants struct {
	Gap       float64 // F_m(x^{0,0,0}) − F*, where F* is the infimum of F_m
	Distance  float64 // ‖x^{0,0,0} − x*‖, where x* is the minimiser of F_m
	Lipschitz float64 // L, the Lipschitz constant of the gradients of all f_k (Assumption 3.1)
	Sigma     float64 // σ, with E‖∇g_k(x, ξ)‖² ≤ σ² everywhere (Assumption 3.2)
	Reach     float64 // Δ, with ‖x^{t,0,0} − x*‖ ≤ Δ (Assumption 3.3)
	Convexity float64 // μ, with ‖∇F_m‖² ≥ 2μ(F_m − F*) (Assumption 3.4)
	Blocks    int     // s, the number of blocks
	Steps     int     // p, the number of steps per block
}

// Theorem31 returns the bound on E‖∇F_m(x̄)‖², where x̄ is the random output after t outer iterations with the step
// size 1/√t:
//
//	(2/√t)·(F_m(x^0) − F* + Lσ²p²[s + Ls³/3])
func (c *Constants) Theorem31(t int) float64 {
	s, p := float64(c.Blocks), float64(c.Steps)
	return 2 / math.Sqrt(float64(t)) * (c.Gap + float64(c.Lipschitz*c.Sigma*c.Sigma*p*p*(s+c.Lipschitz*s*s*s/3)))
}

// Theorem31WithP returns the bound of Theorem31, with a factor p that (B.1) of its proof omits. Σ_j ∇f_π(j) is
// p·∇F_m, so an outer iteration lowers F_m by αp‖∇F_m‖²/2, not by α‖∇F_m‖²/2. This correction is not in the paper:
//
//	(2/√t)·((F_m(x^0) − F*)/p + Lσ²ps) + 2L²σ²p²s³/(3t)
func (c *Constants) Theorem31WithP(t int) float64 {
	s, p, turns := float64(c.Blocks), float64(c.Steps), float64(t)
	square := c.Lipschitz * c.Sigma * c.Sigma
	return float64(2/math.Sqrt(turns)*(c.Gap/p+float64(square*p*s))) + 2*c.Lipschitz*square*p*p*s*s*s/(3*turns)
}

// Theorem32 returns the bound on E[F_m(x̄) − F*] for convex objectives, where x̄ is the average output after t outer
// iterations with the step size 1/√t:
//
//	(‖x^0 − x*‖² + spσ[σ + (ΔL+σ)sp]) / (2p√t)
func (c *Constants) Theorem32(t int) float64 {
	s, p := float64(c.Blocks), float64(c.Steps)
	spread := c.Sigma + float64((float64(c.Reach*c.Lipschitz)+c.Sigma)*s*p)
	return (float64(c.Distance*c.Distance) + float64(s*p*c.Sigma*spread)) / (2 * p * math.Sqrt(float64(t)))
}

// Theorem33 returns the bound on E[F_m(x̄) − F*], where x̄ is the last iterate after t outer iterations with the step
// size of Printed:
//
//	4Lσ²p²(3μs + 2Ls³) / (3tμ³)
func (c *Constants) Theorem33(t int) float64 {
	p := float64(c.Steps)
	return p * p * c.Theorem33WithP(t)
}

// Theorem33WithP returns the bound of Theorem33 with the factor p of Theorem31WithP, for the step size 2/(pμ(t+1)),
// which cancels p. This bound is not in the paper:
//
//	4Lσ²(3μs + 2Ls³) / (3tμ³)
func (c *Constants) Theorem33WithP(t int) float64 {
	s, mu := float64(c.Blocks), c.Convexity
	return 4 * c.Lipschitz * c.Sigma * c.Sigma * (float64(3*mu*s) + float64(2*c.Lipschitz*s*s*s)) / (3 * float64(t) * mu * mu * mu)
}
