package algo

// Bilevel is a multi-objective problem on two levels: minimise m upper objectives F(α, ω) over α in R^n and ω in R^p,
// subject to ω minimising the lower objective f(α, ·). A point is z = (α, ω), of length n+p.
//
// Methods must not modify z, keep their arguments or allocate. A problem may contain scratch space, so it is not safe
// for concurrent use.
type Bilevel interface {
	// Dims returns the numbers of upper variables n, lower variables p and upper objectives m.
	Dims() (n, p, m int)
	// Values stores the m upper objectives at z in f (length m).
	Values(f, z []float64)
	// Jacobian stores the exact m×(n+p) Jacobian of the upper objectives in jac.
	Jacobian(jac *Jacobian, z []float64)
	// Lower returns the lower objective f(z).
	Lower(z []float64) float64
	// LowerGradient stores ∇f(z) = (∇_α f, ∇_ω f) in dst (length n+p).
	LowerGradient(dst, z []float64)
	// LowerGradientOmega stores ∇_ω f(z) alone in dst (length p).
	LowerGradientOmega(dst, z []float64)
}

// LowerHessian is a Bilevel problem that can multiply the second derivatives of its lower objective by vectors.
type LowerHessian interface {
	Bilevel
	// HessianOmegaOmega stores ∇²_ωω f(z)·v in dst; both have length p.
	HessianOmegaOmega(dst, z, v []float64)
	// HessianAlphaOmega stores ∇²_αω f(z)·v in dst (length n); v has length p.
	HessianAlphaOmega(dst, z, v []float64)
	// HessianOmegaAlpha stores ∇²_ωα f(z)·u in dst (length p); u has length n.
	HessianOmegaAlpha(dst, z, u []float64)
}

// LowerSolved is a Bilevel problem whose lower objective has a unique, known minimiser ω*(α).
type LowerSolved interface {
	Bilevel
	// LowerSolution stores ω*(α) in omega (length p); alpha has length n.
	LowerSolution(omega, alpha []float64)
	// LowerMinimum returns f*(α) = f(α, ω*(α)).
	LowerMinimum(alpha []float64) float64
}

// SolutionSet is a Bilevel problem whose Pareto set is known.
type SolutionSet interface {
	Bilevel
	// Distance returns the Euclidean distance from z to the Pareto set.
	Distance(z []float64) float64
}
