package algo

// Bilevel is a multi-objective problem on two levels: minimise m upper
// objectives F(α, ω) over α in R^n and ω in R^p, where ω minimises the lower
// objective f(α, ·). A point is z = (α, ω), of length n+p.
//
// Methods do not modify z, do not keep their arguments and do not allocate. A
// problem may hold scratch space, so a value must not be used by two goroutines at
// once.
type Bilevel interface {
	// Dims returns the number of upper variables n, of lower variables p and of
	// upper objectives m.
	Dims() (n, p, m int)
	// Values stores the m upper objectives at z in f (length m).
	Values(f, z []float64)
	// Jacobian stores the m×(n+p) exact Jacobian of the upper objectives in jac.
	Jacobian(jac *Jacobian, z []float64)
	// Lower returns the lower objective f(z).
	Lower(z []float64) float64
	// LowerGradient stores ∇f(z) = (∇_α f, ∇_ω f) in dst (length n+p).
	LowerGradient(dst, z []float64)
	// LowerGradientOmega stores ∇_ω f(z) alone in dst (length p).
	LowerGradientOmega(dst, z []float64)
}

// LowerHessian is a Bilevel that computes products of vectors with the second
// derivatives of its lower objective.
type LowerHessian interface {
	Bilevel
	// HessianOmegaOmega stores ∇²_ωω f(z)·v in dst; both have length p.
	HessianOmegaOmega(dst, z, v []float64)
	// HessianAlphaOmega stores ∇²_αω f(z)·v in dst (length n); v has length p.
	HessianAlphaOmega(dst, z, v []float64)
	// HessianOmegaAlpha stores ∇²_ωα f(z)·u in dst (length p); u has length n.
	HessianOmegaAlpha(dst, z, u []float64)
}

// LowerSolved is a Bilevel whose lower level has one known minimiser ω*(α).
type LowerSolved interface {
	Bilevel
	// LowerSolution stores ω*(α) in omega (length p); alpha has length n.
	LowerSolution(omega, alpha []float64)
	// LowerMinimum returns f*(α) = f(α, ω*(α)).
	LowerMinimum(alpha []float64) float64
}

// SolutionSet is a Bilevel whose Pareto-optimal points are known.
type SolutionSet interface {
	Bilevel
	// Distance returns the Euclidean distance of z from the Pareto-optimal points.
	Distance(z []float64) float64
}
