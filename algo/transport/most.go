package transport

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"cmp"
	"paretoplay/algo"
	"paretoplay/algo/internal/box"
	"paretoplay/algo/internal/choice"
	"paretoplay/algo/internal/ledger"
	"paretoplay/algo/internal/schedule"
	"paretoplay/algo/weighting"
	"paretoplay/internal/portable"
)

// quantity identifies the quantity that was not finite. Snapshots store values of this type.
type quantity int

const (
	nothing quantity = iota
	badCost
	badGradient
	badLosses
	badWeights
	badDirection
	badUpdate
	badIterate
	badObjective
)

var quantityNames = [...]string{"", "cost", "gradient", "losses", "weights", "direction", "update", "iterate", "objective"}

// String returns the quantity's name in an algo.Divergence.
func (q quantity) String() string { return quantityNames[q] }

// tiny is the fraction of a column's largest mass up to which an entry counts as zero. A solution does not serve an
// objective whose entry counts as zero.
const tiny = 1e-12

// MosT moves m solutions so that together they serve n objectives. Each round computes
//
//	Γ = argmin Σ_ij Γ_ij L_i(θ_j) − τ Σ_i max_j Γ_ij   subject to Γ1 = a, Γᵀ1 = b
//	for each solution j, K times:
//	    λ = argmin_{λ∈Δ} ‖Σ_i λ_i Γ_ij ∇L_i(θ_j)‖²      over the i that j serves
//	    θ_j ← θ_j − η·c_j Σ_i λ_i Γ_ij ∇L_i(θ_j)
//
// where j serves i if Γ_ij is above 1e-12 of the largest mass of column j, and Scale determines c_j. A solution
// does not move if it serves no objective, if the weighting finds no weights, or if the weighting cannot handle its
// losses. Its direction and weights are then 0.
//
// Let d_j be the direction that a step subtracts, before the factor η. With MGDA and without a box, c_j Γ_ij
// ∇L_i(θ_j)·d_j ≥ ‖d_j‖² for all i that j serves, with equality where λ_i > 0.
//
// On an algo.Bounded problem, MosT reduces the gradients and the direction of each solution (see algo.Jacobian.Reduce),
// and projects the solutions onto the box.
//
// In each of the K steps, a solution costs one backpropagation for each objective that it serves. With mixtures, it
// costs one for each objective that is part of a mixture it serves.
//
// References:
//   - Many-Objective Multi-Solution Transport, Algorithm 1; section 3.2 (MosT-E),
//     section 3.3 and appendix E (curriculum and ablations).
type MosT struct {
	problem    algo.Partial
	d, n, m    int // numbers of variables, objectives and solutions
	rows       int // number of matched objectives: the number of mixtures, or n
	mixtures   []float64
	box        *box.Box
	rules      []algo.Weighting // one per solution; nil if the plan gives the weights
	needLosses bool
	searcher   *Concave
	seed       uint64
	startIndex int

	matching      Matching
	planAsWeights bool
	curriculum    Curriculum
	temperature   float64
	horizon       int
	scale         Scale
	inner         int
	step          StepKind
	weightDecay   float64
	adams         []*weighting.Adam // one per solution, for AdamStep
	draws         []float64         // rows×m, for RandomPlan

	// SetStepSize, SetTau and SetMarginals change these settings during a run.
	stepSize       float64
	tau            float64
	givenA, givenB []float64

	// These fields are the state of the run.
	ledger  ledger.Ledger[quantity]
	x, f    []float64 // one row per solution, with d and n numbers
	plan    Plan      // of the last round; the next plan is compared with it
	planned bool      // whether at least one round has run
	bd2Sum  float64   // sum of BD2[0] over all rounds

	yielder            *algo.Yielder
	labour, lossLabour int // units of work for one gradient and for all losses

	// These fields hold the details of the last round.
	a, b         []float64
	roundTau     float64
	task         Task
	previous     []float64 // the previous round's masses, if hasPrevious
	hasPrevious  bool
	lastStepSize float64
	columnSums   []float64 // m
	columnMaxima []float64 // m
	active       []int     // m
	lambda       []float64 // m rows of rows
	weights      []float64 // m rows of n
	directions   []float64 // m rows of d
	bd2          []float64 // K

	// These fields are scratch space.
	candidate, candidateF []float64
	served                []int  // rows that the current solution serves
	parts                 []bool // n; whether each objective is part of the served mixtures
	partList              []int  // objectives that are part of the served mixtures
	partWeights           []float64
	gradients, base       []float64 // gradients of the served rows, and of the objectives in partList
	jacobian, baseRows    algo.Jacobian
	gram                  []float64
	here                  []float64 // n; losses at the current point of a solution
	rowLosses, rowWeights []float64 // losses and weights of the rows that it serves
	laterDirection, moved []float64 // d
	byRow, byColumn       []float64 // lengths rows and m; the masses that a curriculum blends in
	sorted                []float64 // rows
	sample                algo.Sample
	input                 algo.Input
	result                algo.Result
}

var _ algo.Stepper = (*MosT)(nil)

// NewMosT returns a run before its first round. An error names the field of the configuration, its value and the
// allowed values. It is usually an *algo.RangeError.
func NewMosT(c Config) (made *MosT, err error) {
	defer func() { err = choice.Field(err, configFields) }()
	if algo.Missing(c.Problem) {
		return nil, algo.ErrNoProblem
	}
	if len(c.Starts) == 0 {
		return nil, &algo.RangeError{Name: "starts", Value: c.Starts, Allowed: "there must be at least one solution"}
	}
	d, n := c.Problem.Dims()
	bounds, err := box.Of(c.Problem, d)
	if err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	s := &MosT{
		problem: c.Problem, d: d, n: n, rows: n, m: len(c.Starts), box: bounds, seed: c.Seed, startIndex: c.StartIndex,
		matching: c.Matching, planAsWeights: c.PlanAsWeights, curriculum: c.Curriculum, scale: c.Scale, step: c.Step,
		temperature: orOne(c.Temperature), horizon: c.Horizon, inner: max(c.Inner, 1), weightDecay: c.WeightDecay,
		labour: algo.LabourOf(c.Problem, d), lossLabour: algo.LossLabourOf(c.Problem, d, n),
	}
	if err := s.setMixtures(c.Mixtures); err != nil {
		return nil, err
	}
	if c.Matching == Paired && s.rows != s.m {
		allowed := fmt.Sprintf("there must be one for each of the %d objectives", s.rows)
		return nil, &algo.RangeError{Name: "starts", Value: c.Starts, Allowed: allowed}
	}
	solver := c.Solver
	if solver == nil {
		solver = NewExact()
	}
	if s.searcher, err = NewConcave(solver, c.Restarts, c.Seed); err != nil {
		return nil, err
	}
	s.allocate()
	for j, start := range c.Starts {
		name := fmt.Sprintf("start %d", j)
		if len(start) != d {
			return nil, &algo.RangeError{Name: name, Value: start, Allowed: fmt.Sprintf("it must have the length %d of the problem's variables", d)}
		}
		if err := bounds.Admit(name, start); err != nil {
			return nil, err
		}
		copy(row(s.x, j, d), start)
	}
	s.values(s.f, s.x)
	if !algo.Finite(s.x) || !algo.Finite(s.f) {
		return nil, &algo.RangeError{Name: "starts", Value: c.Starts, Allowed: fmt.Sprintf("the points and their values %v must be finite", s.f)}
	}
	if err := s.SetStepSize(c.StepSize); err != nil {
		return nil, err
	}
	if err := s.SetTau(c.Tau); err != nil {
		return nil, err
	}
	s.draw()
	if err := s.SetMarginals(c.A, c.B); err != nil {
		return nil, err
	}
	if c.Step == AdamStep {
		if err := s.setAdams(); err != nil {
			return nil, err
		}
	}
	if !c.PlanAsWeights {
		if err := s.setRules(c.Weighting); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// check validates the settings that do not depend on the problem.
func (c *Config) check() error {
	if err := cmp.Or(
		choice.Settle(&c.Matching, "matching", Transported, ObjectiveSelects, ModelSelects, RandomPlan, Unmatched, Paired),
		choice.Settle(&c.Curriculum, "curriculum", ConstantMarginals, PaperCurriculum, PublishedCurriculum),
		choice.Settle(&c.Scale, "scale", Column, Raw, ColumnCount),
		choice.Settle(&c.Step, "step", PlainStep, SignStep, AdamStep),
	); err != nil {
		return err
	}
	switch {
	case c.PlanAsWeights && c.Matching.planless():
		return &algo.RangeError{Name: "plan as weights", Value: true, Allowed: "there must be a plan"}
	case c.PlanAsWeights && c.Weighting != nil:
		return errors.New("weighting: it must be nil, because the plan gives the weights")
	case c.Inner < 0:
		return &algo.RangeError{Name: "K", Value: c.Inner, Allowed: "it must be at least 1"}
	case !finiteNotNegative(c.Temperature):
		return &algo.RangeError{Name: "temperature", Value: c.Temperature, Allowed: "it must be finite, and positive or 0 for 1"}
	case !finiteNotNegative(c.WeightDecay):
		return &algo.RangeError{Name: "weight decay", Value: c.WeightDecay, Allowed: "it must be finite and not negative"}
	case c.Curriculum != ConstantMarginals && c.Horizon < 1:
		return &algo.RangeError{Name: "horizon", Value: c.Horizon, Allowed: "a curriculum needs the planned number of rounds, at least 1"}
	}
	return nil
}

func finiteNotNegative(v float64) bool { return v >= 0 && !math.IsInf(v, 1) }

func orOne(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}

// setMixtures validates and copies the mixtures of the problem's objectives.
func (s *MosT) setMixtures(mixtures [][]float64) error {
	if mixtures == nil {
		return nil
	}
	s.rows = len(mixtures)
	if s.rows == 0 {
		return &algo.RangeError{Name: "mixtures", Value: mixtures, Allowed: "there must be at least one"}
	}
	for r, weights := range mixtures {
		name := fmt.Sprintf("mixtures[%d]", r)
		if len(weights) != s.n {
			return &algo.RangeError{Name: name, Value: weights, Allowed: fmt.Sprintf("one number for each of %d objectives", s.n)}
		}
		if _, err := total(name, weights); err != nil {
			return err
		}
		s.mixtures = append(s.mixtures, weights...)
	}
	return nil
}

// total returns the sum of masses. It returns an error if a mass is negative or not finite, or if the sum is 0 or infinite.
func total(name string, masses []float64) (float64, error) {
	var sum float64
	for i, v := range masses {
		if !finiteNotNegative(v) {
			return 0, &algo.RangeError{Name: fmt.Sprintf("%s[%d]", name, i), Value: v, Allowed: "finite and not negative"}
		}
		sum += v
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return 0, &algo.RangeError{Name: name, Value: masses, Allowed: "the sum must be positive and finite"}
	}
	return sum, nil
}

func (s *MosT) allocate() {
	floats := func(n int) []float64 { return make([]float64, n) }
	d, n, rows, m := s.d, s.n, s.rows, s.m
	s.x, s.f, s.candidate, s.candidateF = floats(m*d), floats(m*n), floats(m*d), floats(m*n)
	s.a, s.b, s.givenA, s.givenB = floats(rows), floats(m), floats(rows), floats(m)
	s.plan.Mass, s.previous, s.task.Cost = floats(rows*m), floats(rows*m), floats(rows*m)
	s.columnSums, s.columnMaxima, s.active, s.bd2 = floats(m), floats(m), make([]int, m), floats(s.inner)
	s.lambda, s.weights, s.directions = floats(m*rows), floats(m*n), floats(m*d)
	s.served, s.gradients, s.gram = make([]int, 0, rows), floats(rows*d), floats(rows*rows)
	s.here, s.rowLosses, s.rowWeights = floats(n), floats(rows), floats(rows)
	s.laterDirection, s.moved = floats(d), floats(d)
	s.byRow, s.byColumn, s.sorted = floats(rows), floats(m), floats(rows)
	if s.mixtures != nil {
		s.parts, s.partList, s.partWeights, s.base = make([]bool, n), make([]int, 0, n), floats(n), floats(n*d)
	}
}

// setAdams creates a separate Adam for each solution.
func (s *MosT) setAdams() error {
	for range s.m {
		adam, err := weighting.NewAdam(weighting.DefaultAdamBeta1, weighting.DefaultAdamBeta2, weighting.DefaultAdamEpsilon)
		if err != nil {
			return err
		}
		s.adams = append(s.adams, adam)
	}
	return nil
}

// setRules creates the weighting of each solution, and calls it once with artificial gradients of all objectives. It
// returns an error if the weighting returns no weights or keeps a history. In this call, the weighting also allocates
// storage for the gradients of all objectives.
func (s *MosT) setRules(construct func(solution int) (algo.Weighting, error)) error {
	if construct == nil {
		construct = func(int) (algo.Weighting, error) { return weighting.NewMGDA(weighting.NormalizeNone), nil }
	}
	s.jacobian = algo.Jacobian{Rows: s.rows, Cols: s.d, Data: s.gradients}
	// Gradients with positive entries do not conflict. Weightings that have no solution at Pareto-stationary points
	// therefore have a solution here.
	for i := range s.gradients {
		s.gradients[i] = 1 + float64(0.5*portable.Sin(float64(i)))
	}
	for i := range s.rowLosses {
		s.rowLosses[i] = 1 + float64(0.1*float64(i))
	}
	for j := range s.m {
		rule, err := construct(j)
		if err != nil {
			return fmt.Errorf("weighting of solution %d: %w", j, err)
		}
		needs := rule.Needs()
		if needs.After || needs.Extra > 0 {
			return errors.New("weighting: it must not need losses after a step or further samples, " +
				"because a solution serves other objectives in every round")
		}
		s.needLosses = s.needLosses || needs.Losses
		s.rules = append(s.rules, rule)
		s.input.Gram, s.input.Losses = s.gram, s.rowLosses
		s.input.SetGradients(&s.jacobian)
		s.result = algo.Result{Weights: s.rowWeights, Direction: s.laterDirection}
		if err := rule.Weigh(&s.result, &s.input); err != nil {
			return fmt.Errorf("weighting of solution %d: %w", j, err)
		}
		if s.result.Weights == nil {
			return errors.New("weighting: it must return weights, not only a direction")
		}
		var history algo.Snapshot
		rule.Save(&history)
		if len(history.Floats) > 0 || len(history.Words) > 0 {
			return errors.New("weighting: it must not keep a history, because a solution serves other objectives in every round")
		}
	}
	return nil
}

// draw draws the numbers of a random plan from (0, 1).
func (s *MosT) draw() {
	if s.matching != RandomPlan {
		return
	}
	s.draws = make([]float64, s.rows*s.m)
	source := algo.Stream(s.seed, s.startIndex, 0, algo.Decision)
	random := rand.New(&source)
	for i := range s.draws {
		for s.draws[i] == 0 {
			s.draws[i] = random.Float64()
		}
	}
}

// row returns row i of data, where each row has the given length.
func row(data []float64, i, length int) []float64 {
	return data[i*length : (i+1)*length : (i+1)*length]
}

// values computes the noise-free losses of the solutions x and stores them in f.
func (s *MosT) values(f, x []float64) {
	for j := range s.m {
		s.yielder.Yield(s.lossLabour)
		s.problem.Values(row(f, j, s.n), row(x, j, s.d))
	}
}

// SetYielder sets a yielder. Each round calls it in every iteration of the solver, and before every gradient of a
// solution's step.
func (s *MosT) SetYielder(b *algo.Yielder) {
	s.yielder = b
	s.searcher.SetYielder(b)
	for _, rule := range s.rules {
		algo.PassYielder(rule, b)
	}
}

// SetStepSize sets the step size η > 0 from the next round on.
func (s *MosT) SetStepSize(eta float64) error {
	if err := schedule.Positive("eta", "the step size", eta); err != nil {
		return err
	}
	s.stepSize = eta
	return nil
}

// SetTau sets tau ≥ 0, the factor of the mean loss in τ, from the next round on.
func (s *MosT) SetTau(tau float64) error {
	if !finiteNotNegative(tau) {
		return &algo.RangeError{Name: "tau", Value: tau, Allowed: "it must be finite and not negative"}
	}
	s.tau = tau
	return nil
}

// SetMarginals sets the masses a of the objectives and b of the solutions from the next round on. A curriculum may
// change them further. See Config.A. If SetMarginals returns an error, the masses stay unchanged.
func (s *MosT) SetMarginals(a, b []float64) error {
	if err := s.checkMasses("a", a, s.rows); err != nil {
		return err
	}
	if err := s.checkMasses("b", b, s.m); err != nil {
		return err
	}
	share(s.givenA, a)
	share(s.givenB, b)
	return nil
}

func (s *MosT) checkMasses(name string, masses []float64, length int) error {
	if masses == nil {
		return nil
	}
	if len(masses) != length {
		return &algo.RangeError{Name: name, Value: masses, Allowed: fmt.Sprintf("it must have length %d", length)}
	}
	_, err := total(name, masses)
	return err
}

// share stores in dst the masses divided by their sum, which must be positive. If masses is nil, all shares are equal.
func share(dst, masses []float64) {
	if masses == nil {
		for i := range dst {
			dst[i] = 1 / float64(len(dst))
		}
		return
	}
	var sum float64
	for _, v := range masses {
		sum += v
	}
	for i, v := range masses {
		dst[i] = v / sum
	}
}

// View returns the current iterates and a description of the last round. X, F, Weights and Direction have one row
// per solution. Weights and Direction come from the first of the K steps. Weights is λ, converted to the n
// objectives if mixtures are matched. The rows of solutions that do not move are 0. There is no Jacobian. The
// description of the last round is missing after Load and after divergence.
func (s *MosT) View() algo.View {
	v := s.ledger.View()
	v.Solutions, v.X, v.F = s.m, s.x, s.f
	if s.ledger.Stepped {
		v.Weights, v.Direction, v.StepSize, v.Refreshed = s.weights, s.directions, s.lastStepSize, true
	}
	return v
}

// Round contains those details of the last round that View lacks. Its slices belong to the stepper, and are valid until
// the next Step or Load.
type Round struct {
	// Plan is nil for Unmatched and Paired. If no solver computed the plan, it has no potentials.
	Plan *Plan
	// Cost contains L_i(θ_j) before the round, in n rows of m numbers. If mixtures are matched, it contains the
	// losses of the mixtures.
	Cost []float64
	A, B []float64 // marginals, after the curriculum
	Tau  float64   // τ, in units of the losses
	// Objective is Σ Γ_ij L_i(θ_j) − τ Σ_i max_j Γ_ij.
	Objective  float64
	ColumnSums []float64 // Σ_i Γ_ij; B if there is no plan
	Active     []int     // number of objectives that each solution serves
	Lambda     []float64 // m rows of λ over the matched objectives; 0 for solutions that do not move
	// BD2 contains Σ_j (column sum j)·‖d_j‖² for each of the K steps. Theorem 1 of the MosT paper bounds this sum.
	BD2 []float64
	// BD2Mean is the mean of BD2[0] over all rounds so far.
	BD2Mean float64
	// Change is the symmetric Kullback-Leibler divergence between the plans of this and the previous round (see
	// KL). It is NaN in the first round and without a plan.
	Change float64
}

// Round returns the last round. It returns false if the View has no direction.
func (s *MosT) Round() (Round, bool) {
	if !s.ledger.Stepped {
		return Round{}, false
	}
	r := Round{
		Cost: s.task.Cost, A: s.a, B: s.b, Tau: s.roundTau, ColumnSums: s.columnSums, Active: s.active, Lambda: s.lambda,
		BD2: s.bd2, BD2Mean: s.bd2Sum / float64(s.ledger.K), Change: math.NaN(),
	}
	if s.matching.planless() {
		return r, true
	}
	r.Plan = &s.plan
	r.Objective = s.plan.Cost - float64(s.roundTau*RowMaxima(s.plan.Mass, s.m))
	if s.hasPrevious {
		r.Change = KL(s.previous, s.plan.Mass)
	}
	return r, true
}

// Served returns the rows that solution j served in the last round, and their gradients at x, the solution's point
// before the round. These are the gradients of the first step on that step's sample. They are gradients of the mixtures
// if there are any, and include weight decay. In a box they are reduced, and with SignStep they are replaced by their
// signs. The stepper must have run the last round itself, not loaded it. Both results belong to the stepper, and are
// valid until its next use.
func (s *MosT) Served(j int, x []float64) (rows []int, gradients *algo.Jacobian) {
	s.serve(j)
	s.sample.Noise = algo.Stream(s.seed, s.startIndex+j, s.ledger.K-1, further(0))
	s.differentiate(x)
	return s.served, &s.jacobian
}

// Matched returns the number of matched objectives and the number of solutions.
func (s *MosT) Matched() (rows, solutions int) { return s.rows, s.m }

// StepSize returns η.
func (s *MosT) StepSize() float64 { return s.stepSize }

// Tau returns the factor of the mean loss in τ; see Config.Tau.
func (s *MosT) Tau() float64 { return s.tau }

// Marginals returns the masses of the next round, before a curriculum changes them. They belong to the stepper, and
// are valid until SetMarginals or Load.
func (s *MosT) Marginals() (a, b []float64) { return s.givenA, s.givenB }

// Save appends the solutions, the last plan, the states of the solver and of Adam, the cost,
// the changeable settings and the divergence.
func (s *MosT) Save(to *algo.Snapshot) {
	s.ledger.Save(to)
	to.PutFloats(s.stepSize, s.tau, s.bd2Sum)
	to.PutFloats(s.givenA...)
	to.PutFloats(s.givenB...)
	to.PutFloats(s.x...)
	to.PutBool(s.planned)
	to.PutFloats(s.plan.Mass...)
	if s.matching == Transported {
		s.searcher.Save(to)
	}
	for _, adam := range s.adams {
		adam.Save(to)
	}
}

// Load restores what Save appended. The configuration of the stepper must be the same, except for changeable
// settings.
func (s *MosT) Load(from *algo.Snapshot) {
	s.ledger.Load(from)
	s.stepSize, s.tau, s.bd2Sum = from.GetFloat(), from.GetFloat(), from.GetFloat()
	from.GetFloats(s.givenA)
	from.GetFloats(s.givenB)
	from.GetFloats(s.x)
	s.planned = from.GetBool()
	from.GetFloats(s.plan.Mass)
	if s.matching == Transported {
		s.searcher.Load(from)
	}
	for _, adam := range s.adams {
		adam.Load(from)
	}
	s.values(s.f, s.x)
}
