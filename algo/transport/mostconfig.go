package transport

import (
	"paretoplay/algo"
)

// Matching determines how solutions are assigned to objectives.
type Matching string

const (
	// Transported is MosT: the plan transports the masses a of the objectives to the masses b of the solutions at
	// the least cost.
	Transported Matching = "transported"
	// ObjectiveSelects is MosT(O). It ignores b. Objective i puts its mass a_i on its best solution, or on the first of
	// several equally good solutions.
	ObjectiveSelects Matching = "objective selects"
	// ModelSelects is MosT(M). It ignores a. Solution j puts its mass b_j on its best objective, or on the first of
	// several equally good objectives.
	ModelSelects Matching = "model selects"
	// RandomPlan is w-MGDA. The plan consists of independent uniform numbers, which are drawn once per run and scaled
	// to the marginals by Sinkhorn's method.
	RandomPlan Matching = "random plan"
	// Unmatched uses no plan. Every solution follows all n objectives, with unscaled gradients. With MGDA, the run
	// equals m separate runs of MGDA. With fixed weights, the run is linearization.
	Unmatched Matching = "unmatched"
	// Paired uses no plan. There are as many objectives as solutions, and solution j follows the gradient of objective
	// j. With Mixtures, Paired is linearization. Each step of a solution then costs the number of gradients that
	// algo.SumGradientsOf returns, usually one. StepKind applies to the gradient of the weighted sum.
	Paired Matching = "paired"
)

// planless reports whether the matching uses no plan.
func (m Matching) planless() bool { return m == Unmatched || m == Paired }

// Curriculum determines how the marginals change over a run of T rounds. Its formulas use s = max(0, 1 − k/T) in
// round k, counted from 0.
type Curriculum string

const (
	// ConstantMarginals leaves a and b unchanged.
	ConstantMarginals Curriculum = "none"
	// PaperCurriculum is our interpretation of section 3.3 and appendix E.2 of the paper. The marginals a' and b'
	// follow the performance. The paper does not define them, so we use
	//
	// 	a_k = s·a' + (1−s)·a,   a'_i = 0.9·exp(−l_i/τ_a)/Σ + 0.1/n
	// 	b_k = s·b + (1−s)·b',   b'_j = 0.9·(share of objectives whose best is j) + 0.1/m
	//
	// where l_i = min_j L_i(θ_j) and τ_a is Temperature times the mean of |l_i| in this
	// round.
	PaperCurriculum Curriculum = "paper"
	// PublishedCurriculum follows the authors' public code, which moves the marginals in the direction opposite to
	// PaperCurriculum's. That code uses powers of 0.995 where PublishedCurriculum uses the linear s:
	//
	// 	a_k = (1−s)·a' + s·a,   a'_i ∝ l_i
	// 	b_k = s·b' + (1−s)·b,   b'_j ∝ the sum of the smallest tenth of L_1(θ_j), …, L_n(θ_j)
	//
	// A tenth contains at least one loss. If some of the numbers after ∝ are negative, the smallest of them is
	// subtracted from all. If all numbers are then 0, the shares are equal.
	PublishedCurriculum Curriculum = "published"
)

// Scale determines the factor c_j of a solution's direction, c_j·Σ_i λ_i Γ_ij ∇L_i(θ_j). The sum alone is of the
// order of 1/(nm) to 1/n.
type Scale string

const (
	// Column divides by the column's sum: c_j = 1/Σ_i Γ_ij.
	Column Scale = "column"
	// Raw keeps the direction as printed in the paper: c_j = 1.
	Raw Scale = "raw"
	// ColumnCount is Column's factor times the number of objectives that the solution serves.
	ColumnCount Scale = "columncount"
)

// StepKind determines how a direction becomes a step.
type StepKind string

const (
	// PlainStep follows the direction: θ ← θ − η·d.
	PlainStep StepKind = "plain"
	// SignStep replaces each gradient by the signs of its entries. The step equals the first step of Adam, which the
	// authors' public code restarts for every objective in every round. The weights are computed from the signs.
	SignStep StepKind = "sign"
	// AdamStep turns each solution's direction into an Adam step with the usual constants. Each solution has a
	// separate history.
	AdamStep StepKind = "adam"
)

const (
	// DefaultTau is the usual factor of the mean loss in τ, the weight of the regularizer R(Γ).
	DefaultTau = 0.1
	// DefaultRestarts is the usual number of random assignments from which the search for a
	// regularized plan starts.
	DefaultRestarts = 20
	// DefaultWeightDecay is the weight decay that the authors' public code uses on ZDT.
	DefaultWeightDecay = 5e-4
)

// Config configures a run of MosT. Problem, Starts and StepSize are required. If all other fields are zero, the run
// is MosT without R(Γ) and without a curriculum.
type Config struct {
	// Problem has n objectives on R^d. Use algo.Exact to convert an algo.Problem. Plans use the noise-free values
	// of the problem. A solution computes only the gradients of the objectives that it serves, with GradientAt. If
	// it serves every objective, it uses JacobianAt.
	Problem algo.Partial
	// Starts are the m ≥ 1 initial solutions, each of length d and inside the problem's box.
	// They are copied.
	Starts [][]float64

	// A and B are the masses of the objectives and of the solutions. The length of A is n, or the number of
	// Mixtures. The length of B is m. Masses are finite, not negative and not all 0. They are divided by their
	// sums; nil means equal masses.
	A, B []float64

	Matching Matching
	// PlanAsWeights selects MosT(L): the weights are Γ_ij/Σ_i Γ_ij, under every Scale, and no weighting is used.
	PlanAsWeights bool
	// Weighting returns the weighting of the rows Γ_ij ∇L_i(θ_j) for solution j, counted from 0; nil means MGDA. A
	// weighting must return weights. It must not keep a history, because a solution may serve different objectives in
	// each round.
	Weighting func(solution int) (algo.Weighting, error)

	// Tau ≥ 0 determines τ, which is Tau times the mean of all |L_i(θ_j)|, recomputed in each round. 0 turns R(Γ)
	// off. Only Transported plans depend on Tau.
	Tau float64
	// Restarts ≥ 0 is the number of random assignments, drawn from Seed, from which the search for a plan starts if
	// τ > 0. The plan for τ = 0 is an additional start.
	Restarts int

	Curriculum Curriculum
	// Temperature ≥ 0 is the temperature of PaperCurriculum; 0 means 1.
	Temperature float64
	// Horizon is T ≥ 1, the number of rounds of a curriculum. It is ignored without a curriculum.
	Horizon int

	Scale Scale
	// Inner is K ≥ 1, the number of steps of each solution per plan; 0 means 1.
	Inner int
	// StepSize is the step size η > 0.
	StepSize float64
	Step     StepKind
	// WeightDecay is at least 0. WeightDecay·θ_j is added to each gradient at θ_j.
	WeightDecay float64

	// Solver computes Transported plans; nil means the exact solver. The run owns the solver.
	Solver Solver

	// Mixtures selects MosT-E if not nil. It contains n' rows of n numbers ≥ 0; no row is all 0. The matched objectives
	// are then L'_r = Σ_l Mixtures[r][l]·L_l. See DirichletMixtures. F and Weights of the View still refer to the n
	// original objectives.
	Mixtures [][]float64

	// Seed and StartIndex determine the samples. Solution j draws the sample of its first step in round k from
	// algo.Stream(Seed, StartIndex+j, k, algo.Noise), like a separate run from the same start.
	Seed       uint64
	StartIndex int
}
