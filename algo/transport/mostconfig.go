package transport

import (
	"paretoplay/algo"
)

// Matching determines how solutions are assigned to objectives.
type Matching string

const (
	// Transported is MosT: the plan carries the masses a of the objectives to the masses b of
	// the solutions at the least cost.
	Transported Matching = "transported"
	// ObjectiveSelects is MosT(O): b is ignored, and every objective puts its a_i on the
	// solution that is best for it, or the first of several.
	ObjectiveSelects Matching = "objective selects"
	// ModelSelects is MosT(M): a is ignored, and every solution puts its b_j on its best
	// objective, or the first of several.
	ModelSelects Matching = "model selects"
	// RandomPlan is w-MGDA: independent uniform numbers, drawn once per run and scaled to
	// the marginals (Sinkhorn).
	RandomPlan Matching = "random plan"
	// Unmatched has no plan: every solution follows all n objectives, with unscaled gradients.
	// With MGDA this is m separate runs of MGDA; with fixed weights it is linearization.
	Unmatched Matching = "unmatched"
	// Paired has no plan: there are as many objectives as solutions, and solution j follows
	// the gradient of objective j. With Mixtures this is linearization. Each step of a solution
	// then costs as many gradients as algo.SumGradientsOf says, usually one. StepKind applies
	// to the gradient of the weighted sum.
	Paired Matching = "paired"
)

// planless reports whether the matching has no plan.
func (m Matching) planless() bool { return m == Unmatched || m == Paired }

// Curriculum determines how the marginals change over a run of T rounds. In round k, counted
// from 0, s = max(0, 1 − k/T).
type Curriculum string

const (
	// ConstantMarginals does not change a and b.
	ConstantMarginals Curriculum = "none"
	// PaperCurriculum is our reading of section 3.3 and appendix E.2 of the paper. The paper
	// does not define the marginals that follow the performance:
	//
	//	a_k = s·a' + (1−s)·a,   a'_i = 0.9·exp(−l_i/τ_a)/Σ + 0.1/n
	//	b_k = s·b + (1−s)·b',   b'_j = 0.9·(share of objectives whose best is j) + 0.1/m
	//
	// where l_i = min_j L_i(θ_j) and τ_a is Temperature times the mean of |l_i| in this
	// round.
	PaperCurriculum Curriculum = "paper"
	// PublishedCurriculum follows the authors' public code, which does the opposite. Unlike the
	// code, it uses a linear s instead of powers of 0.995:
	//
	//	a_k = (1−s)·a' + s·a,   a'_i ∝ l_i
	//	b_k = s·b' + (1−s)·b,   b'_j ∝ the sum of the smallest tenth of L_1(θ_j), …, L_n(θ_j)
	//
	// A tenth is at least one loss. If some of the numbers are negative, the least of them is
	// subtracted from all; if all are 0, the shares are equal.
	PublishedCurriculum Curriculum = "published"
)

// Scale determines the factor c_j of a solution's direction, c_j·Σ_i λ_i Γ_ij ∇L_i(θ_j).
// Without it, the sum is of the order of 1/(nm) to 1/n.
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
	// SignStep replaces each gradient by the signs of its entries. This is the first step of
	// Adam, which the authors' public code restarts for every objective in every round. The
	// weights are computed from the signs.
	SignStep StepKind = "sign"
	// AdamStep turns each solution's direction into an Adam step, with the usual constants and
	// a separate history per solution.
	AdamStep StepKind = "adam"
)

const (
	// DefaultTau is the usual factor of the mean loss in τ. τ is the weight of the regularizer
	// R(Γ).
	DefaultTau = 0.1
	// DefaultRestarts is the usual number of random assignments from which the search for a
	// regularized plan starts.
	DefaultRestarts = 20
	// DefaultWeightDecay is the weight decay of the authors' public code on ZDT.
	DefaultWeightDecay = 5e-4
)

// Config configures a run of MosT. Problem, Starts and StepSize are required. With these
// alone the run is MosT without R(Γ) and without a curriculum.
type Config struct {
	// Problem has n objectives on R^d; algo.Exact converts an algo.Problem. Plans use its
	// noise-free values. A solution computes only the gradients of the objectives it serves, by
	// GradientAt; it uses JacobianAt if it serves every objective.
	Problem algo.Partial
	// Starts are the m ≥ 1 initial solutions, each of length d and inside the problem's box.
	// They are copied.
	Starts [][]float64

	// A and B are the masses of the objectives and of the solutions. A has length n, or the
	// number of Mixtures; B has length m. Masses are finite, not negative and not all 0. They
	// are divided by their sums; nil means equal masses.
	A, B []float64

	Matching Matching
	// PlanAsWeights is MosT(L): the weights are Γ_ij/Σ_i Γ_ij, under every Scale, and no
	// weighting is used.
	PlanAsWeights bool
	// Weighting returns the weighting of the rows Γ_ij ∇L_i(θ_j) for solution j, counted from
	// 0; nil means MGDA. A weighting must return weights and must not keep a history, because
	// a solution serves other objectives in every round.
	Weighting func(solution int) (algo.Weighting, error)

	// Tau ≥ 0 times the mean of all |L_i(θ_j)| is τ, recomputed in each round; 0 means no
	// R(Γ). Only Transported plans depend on it.
	Tau float64
	// Restarts ≥ 0 is the number of random assignments, drawn from Seed, from which the search
	// for a plan starts if τ > 0, in addition to the plan of τ = 0.
	Restarts int

	Curriculum Curriculum
	// Temperature ≥ 0 is for PaperCurriculum; 0 means 1.
	Temperature float64
	// Horizon is T ≥ 1, the number of rounds of a curriculum; ignored without one.
	Horizon int

	Scale Scale
	// Inner is K ≥ 1, the number of steps of each solution per plan; 0 means 1.
	Inner int
	// StepSize is η > 0.
	StepSize float64
	Step     StepKind
	// WeightDecay ≥ 0 times θ_j is added to each gradient at θ_j.
	WeightDecay float64

	// Solver finds Transported plans; nil means the exact solver. The run owns it.
	Solver Solver

	// Mixtures turn MosT into MosT-E if not nil: n' rows of n numbers ≥ 0, not all 0. The
	// matched objectives are then L'_r = Σ_l Mixtures[r][l]·L_l. See DirichletMixtures. F and
	// Weights of the View still refer to the n original objectives.
	Mixtures [][]float64

	// Solution j draws the sample of its first step in round k from
	// algo.Stream(Seed, StartIndex+j, k, algo.Noise), like a separate run from its start.
	Seed       uint64
	StartIndex int
}
