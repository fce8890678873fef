package transport

import (
	"paretoplay/algo"
)

// Matching says who decides which solution serves which objective.
type Matching string

const (
	// Transported is MosT: the plan carries the masses a of the objectives to the masses b of
	// the solutions at the least cost.
	Transported Matching = "transported"
	// ObjectiveSelects is MosT(O): b is dropped, and every objective puts its a_i on the
	// solution that is best for it, the first of several.
	ObjectiveSelects Matching = "objective selects"
	// ModelSelects is MosT(M): a is dropped, and every solution puts its b_j on its best
	// objective, the first of several.
	ModelSelects Matching = "model selects"
	// RandomPlan is w-MGDA: independent uniform numbers, drawn once a run and scaled to
	// the marginals (Sinkhorn).
	RandomPlan Matching = "random plan"
	// Unmatched has no plan: every solution follows all n objectives, whose gradients are
	// not scaled. With MGDA these are m runs of it, with fixed weights linearization.
	Unmatched Matching = "unmatched"
	// Paired has no plan: there are as many objectives as solutions, and solution j follows
	// the gradient of objective j. With Mixtures this is linearization, each step
	// of a solution at the cost of one gradient, or what algo.SumGradientsOf says; its StepKind acts on the gradient of the
	// weighted sum.
	Paired Matching = "paired"
)

// planless reports whether the matching has no plan.
func (m Matching) planless() bool { return m == Unmatched || m == Paired }

// Curriculum is how the marginals change over a run of T rounds, with
// s = max(0, 1 − k/T) in round k, from 0.
type Curriculum string

const (
	// ConstantMarginals leaves a and b as they are given.
	ConstantMarginals Curriculum = "none"
	// PaperCurriculum is our reading of section 3.3 and appendix E.2 of the paper, which
	// does not define the marginals that follow the performance:
	//
	//	a_k = s·a' + (1−s)·a,   a'_i = 0.9·exp(−l_i/τ_a)/Σ + 0.1/n
	//	b_k = s·b + (1−s)·b',   b'_j = 0.9·(share of objectives whose best is j) + 0.1/m
	//
	// where l_i = min_j L_i(θ_j) and τ_a is Temperature times the mean of |l_i| in this
	// round.
	PaperCurriculum Curriculum = "paper"
	// PublishedCurriculum follows the authors' public code, which does the reverse, but with a
	// linear s in place of powers of 0.995:
	//
	//	a_k = (1−s)·a' + s·a,   a'_i ∝ l_i
	//	b_k = s·b' + (1−s)·b,   b'_j ∝ the sum of the smallest tenth of L_1(θ_j), …, L_n(θ_j)
	//
	// A tenth is at least one. If such numbers are negative, the least of them is subtracted
	// from all; if all are 0, the shares are equal.
	PublishedCurriculum Curriculum = "published"
)

// Scale is the factor c_j of a solution's direction, c_j·Σ_i λ_i Γ_ij ∇L_i(θ_j), whose
// sum is of the order of 1/(nm) to 1/n without one.
type Scale string

const (
	// Column divides by the column's sum: c_j = 1/Σ_i Γ_ij.
	Column Scale = "column"
	// Raw is the direction as printed in the paper: c_j = 1.
	Raw Scale = "raw"
	// ColumnCount is Column times the number of objectives that the solution serves.
	ColumnCount Scale = "columncount"
)

// StepKind is a way to turn a direction into a step.
type StepKind string

const (
	// PlainStep follows the direction: θ ← θ − η·d.
	PlainStep StepKind = "plain"
	// SignStep replaces each gradient by the signs of its entries: the first step of Adam,
	// which the authors' public code restarts for every objective in every round. Weights are
	// computed from the signs.
	SignStep StepKind = "sign"
	// AdamStep turns each solution's direction into an Adam step, with the usual constants and
	// a separate history.
	AdamStep StepKind = "adam"
)

const (
	// DefaultTau is the usual factor of the mean loss in τ, the weight of the regularizer R(Γ).
	DefaultTau = 0.1
	// DefaultRestarts is the usual number of random assignments from which a regularized plan
	// is sought.
	DefaultRestarts = 20
	// DefaultWeightDecay is the weight decay of the authors' public code on ZDT.
	DefaultWeightDecay = 5e-4
)

// Config configures a run of MosT. Problem, Starts and StepSize must be given; with these
// alone the run is MosT without R(Γ) and without a curriculum.
type Config struct {
	// Problem has n objectives on R^d; algo.Exact makes one of an algo.Problem. Plans use its
	// noise-free values. At a solution only the gradients that it serves are computed, whole
	// rows by GradientAt, or all by JacobianAt if it serves every objective.
	Problem algo.Partial
	// Starts are the m ≥ 1 solutions at the start, copied, each of length d and inside the
	// problem's box.
	Starts [][]float64

	// A and B are the masses of the objectives and of the solutions, of lengths n (with
	// Mixtures, their number) and m, finite, not negative and not all 0. They are divided by
	// their sums; nil stands for equal masses.
	A, B []float64

	Matching Matching
	// PlanAsWeights is MosT(L): Γ_ij/Σ_i Γ_ij are the weights, under every Scale, and no
	// weighting is used.
	PlanAsWeights bool
	// Weighting makes the rule that weighs the rows Γ_ij ∇L_i(θ_j) of one solution j, from 0;
	// nil makes MGDA. It must have weights and no history: a solution serves other objectives
	// from round to round.
	Weighting func(solution int) (algo.Weighting, error)

	// Tau ≥ 0 times the mean of all |L_i(θ_j)| is τ, computed anew in each round; 0 leaves out
	// R(Γ). Only Transported plans depend on it.
	Tau float64
	// Restarts ≥ 0 is the number of random assignments, drawn from Seed, from which a plan is
	// sought if τ > 0, besides the plan of τ = 0.
	Restarts int

	Curriculum Curriculum
	// Temperature ≥ 0 is for PaperCurriculum; 0 means 1.
	Temperature float64
	// Horizon is T ≥ 1, the number of rounds of a curriculum; ignored without one.
	Horizon int

	Scale Scale
	// Inner is K ≥ 1, the steps that each solution makes with one plan; 0 means 1.
	Inner int
	// StepSize is η > 0.
	StepSize float64
	Step     StepKind
	// WeightDecay ≥ 0 times θ_j is added to each gradient at θ_j.
	WeightDecay float64

	// Solver finds Transported plans; nil is the exact one. It belongs to the run.
	Solver Solver

	// Mixtures, where not nil, make MosT-E: n' rows of n numbers ≥ 0, not all 0, and the
	// objectives that are matched are L'_r = Σ_l Mixtures[r][l]·L_l. See DirichletMixtures. F
	// and Weights of the View still refer to the n objectives themselves.
	Mixtures [][]float64

	// Solution j draws the sample of its first step in round k from
	// algo.Stream(Seed, StartIndex+j, k, algo.Noise), as a run from its start would.
	Seed       uint64
	StartIndex int
}
