package blocks

import (
	"fmt"

	"cmp"
	"paretoplay/algo"
	"paretoplay/algo/internal/box"
	"paretoplay/algo/internal/choice"
	"paretoplay/algo/internal/ledger"
	"paretoplay/algo/internal/schedule"
)

// maxSteps limits the steps per block in an outer iteration.
const maxSteps = 1 << 20

// Together is the value of Move.Objective for a step that follows the gradient of F_m, which combines all objectives.
const Together = -1

// Config configures a run. Problem, Start, Frequencies and StepSize are required. If all other fields are zero, the
// run is Block-SMOO with one block.
type Config struct {
	// Problem computes parts of single gradients. Use algo.Exact to convert an algo.Problem without samples. If the
	// problem has a method
	//
	// 	WeightedGradientPartAt(dst, w []float64, lo, hi int, x []float64, s *algo.Sample)
	//
	// which stores elements lo to hi−1 of WeightedGradientAt in dst, runs use this method to compute parts of the
	// gradient of F_m. Otherwise they sum parts of the objectives' gradients.
	Problem algo.Partial
	Start   []float64 // x^{0,0,0}, copied; length n, inside the problem's box, with finite values

	// Blocks lists the variables of each block, counted from 0. Every variable must be in exactly one block. Nil
	// means one block with all variables.
	Blocks [][]int
	// Frequencies contains m_k for each objective: numbers ≥ 0, not all of them 0. An objective with frequency 0 never
	// has a turn.
	Frequencies []int
	// Together selects the gradient of F_m for every step, instead of the gradient of one objective.
	Together bool
	// Steps is the number of steps per block in an outer iteration if Together is true; 0 means p. If Together is
	// false, Steps must be 0, and each block takes p steps.
	Steps int

	Order      Order      // order of the objectives; the zero value means RandomOrder
	BlockOrder BlockOrder // the zero value means RandomBlocks
	Update     Update     // the zero value means GaussSeidel

	StepSize float64 // α > 0, the constant of the schedule; must be positive even if the schedule does not use it
	Schedule Schedule
	Horizon  int // T ≥ 1, the planned number of outer iterations; only for InverseSqrt
	// StrongConvexity is the constant μ > 0 of F_m's strong convexity. Only Printed and Safe use it. 0 means the value
	// that the problem's method WeightedConvexity(w []float64) (float64, error) or StrongConvexity() float64 returns.
	// New returns an error if the problem has neither method.
	StrongConvexity float64
	// Lipschitz is a Lipschitz constant L > 0 of the gradients of all objectives. Only Safe uses it. 0 means the value
	// that the problem's method Lipschitz() float64 returns.
	Lipschitz float64

	// Batch is the number of examples in each sample of an algo.FiniteSum, from 1 to all; 0 means no batches. Batches
	// are consecutive parts of a random order of the examples. If too few examples for a batch are left, the pass ends
	// and a new order is drawn.
	Batch int
	// Shared tells, for each block, whether all its steps in an outer iteration use the same sample. Nil means that no
	// block shares samples, as in Algorithm 1. With a shared sample, results that do not depend on the block are
	// computed only once, but the noise does not average out. The paper does not describe shared samples.
	Shared []bool

	// Seed and StartIndex determine all random numbers. Orders are drawn with algo.Shuffle, the random output with
	// algo.Decision, and sample i with algo.Noise, like the noise of iteration i.
	Seed       uint64
	StartIndex int
}

// WeightedSum returns c configured as stochastic gradient descent on F_m. An outer iteration is one step of all
// variables.
func WeightedSum(c Config) Config {
	c.Blocks, c.Shared = nil, nil
	c.Together, c.Steps = true, 1
	return c
}

// FunctionAlternate returns c configured for function alternation, with all variables in one block (Liu & Vicente 2023,
// for two objectives).
func FunctionAlternate(c Config) Config {
	c.Blocks, c.Shared = nil, nil
	c.Together, c.Steps = false, 0
	return c
}

// BlockAlternate returns c configured as stochastic block coordinate descent on F_m (Xu & Yin 2015), with p steps
// of each block in an outer iteration.
func BlockAlternate(c Config) Config {
	c.Together, c.Steps = true, 0
	return c
}

// quantity identifies what was not finite in a step. Snapshots store it as a number.
type quantity int

const (
	nothing quantity = iota
	gradient
	iterate
	objective
)

var quantityNames = [...]string{"", "gradient", "iterate", "objective"}

// String returns the quantity's name in an algo.Divergence.
func (q quantity) String() string { return quantityNames[q] }

// weightedPart is a problem that can compute part of a weighted sum's gradient at a lower cost than the gradients
// of all objectives.
type weightedPart interface {
	WeightedGradientPartAt(dst, w []float64, lo, hi int, x []float64, s *algo.Sample)
}

// Alternation is Block-SMOO, Algorithm 1 of the paper. An outer iteration t visits every block b in the order σ.
// Each visit goes through an order π in which objective k appears m_k times, and takes the step
//
//	x_b ← x_b − α_t ∇_b g_k(x, ξ)
//
// with a new sample ξ. One iteration is one such step, and an outer iteration consists of s·p of them. With
// Together, every step follows ∇_b F_m instead. With one block, this is stochastic gradient descent on F_m.
//
// A step costs one backpropagation. For one objective, it costs one gradient coordinate per variable of the block. For
// F_m, it costs q times as many, where q counts all objectives, even those of frequency 0. If the variables of a block
// are not consecutive, the stepper evaluates the shortest range of the gradient that contains them. Only the block's
// coordinates count towards the cost.
//
// On an algo.Bounded problem, Alternation reduces gradients (algo.Jacobian.Reduce), and moves the point to the
// nearest point of the box after every step.
type Alternation struct {
	problem     algo.Partial
	part        weightedPart // nil if the problem does not implement it
	counted     counted      // nil if the problem does not implement it
	box         *box.Box
	q           int
	blocks      []block
	frequencies []int
	weights     []float64 // m_k/p
	together    bool
	steps       int // per block in an outer iteration
	order       Order
	blockOrder  BlockOrder
	update      Update
	stepSizes   stepSizes
	shared      []bool // for each block
	perOuter    int    // samples per outer iteration
	seed        uint64
	startIndex  int
	labour      int // units of work per gradient
	yielder     *algo.Yielder

	// These fields are the state.
	ledger    ledger.Ledger[quantity]
	x, f      []float64
	outer     []float64 // x^{t,0,0}
	average   []float64 // mean over the complete outer iterations
	uniform   []float64
	uniformAt int // the t of uniform, which is x^{t,0,0}
	work      int // multiplications in all steps

	// These fields are drawn from the seed, with the same result each time.
	drawn    int   // outer iteration that sequence belongs to; −1 if there is none yet
	sequence []int // order of the blocks
	before   []int // number of samples that the outer iteration uses before each visit
	batches  batches
	// These fields describe the visit to a block. They are computed when the visit begins, and after Load.
	visited int       // number of earlier visits in all outer iterations; −1 if no visit is prepared
	turns   []int     // order of the objectives
	apart   []float64 // for Jacobi updates, the point at which gradients are evaluated

	// These fields describe the last step, for View and Move.
	move         Move
	moved        []float64 // weights of the step's objectives
	lastStepSize float64

	// These fields are scratch space.
	direction, candidateF []float64
	stretch, term         []float64
	undo                  []float64
	sample                algo.Sample
	kept                  algo.Snapshot
}

var _ algo.Stepper = (*Alternation)(nil)

// settle replaces empty choices by their defaults, and returns an error for unknown choices.
func (c *Config) settle() error {
	return cmp.Or(
		choice.Settle(&c.Order, "order", RandomOrder, Contiguous, Cyclic),
		choice.Settle(&c.BlockOrder, "blockorder", RandomBlocks, ListedBlocks),
		choice.Settle(&c.Update, "update", GaussSeidel, Jacobi),
		choice.Settle(&c.Schedule, "schedule", Constant, InverseSqrt, Printed, Safe),
	)
}

// New returns a run at its start. An error names the field of the configuration, its value and the allowed values.
func New(c Config) (made *Alternation, err error) {
	defer func() { err = choice.Field(err, configFields) }()
	if algo.Missing(c.Problem) {
		return nil, algo.ErrNoProblem
	}
	n, q := c.Problem.Dims()
	if len(c.Start) != n {
		return nil, &algo.RangeError{
			Name: "start", Value: c.Start, Allowed: fmt.Sprintf("it must have the length %d of the problem's variables", n),
			Text: fmt.Sprintf("start has length %d: it must have the length %d of the problem's variables", len(c.Start), n),
		}
	}
	if err := c.settle(); err != nil {
		return nil, err
	}
	s := &Alternation{
		problem: c.Problem, q: q, together: c.Together, order: c.Order, blockOrder: c.BlockOrder, update: c.Update,
		seed: c.Seed, startIndex: c.StartIndex, drawn: -1, visited: -1,
		x: append([]float64(nil), c.Start...), f: make([]float64, q), outer: append([]float64(nil), c.Start...),
		average: make([]float64, n), uniform: make([]float64, n), apart: make([]float64, n),
		moved: make([]float64, q), direction: make([]float64, n), candidateF: make([]float64, q),
		stretch: make([]float64, n), term: make([]float64, n), undo: make([]float64, n),
	}
	s.part, _ = c.Problem.(weightedPart)
	s.counted, _ = c.Problem.(counted)
	s.labour = algo.LabourOf(c.Problem, n)

	if s.box, err = box.Of(c.Problem, n); err != nil {
		return nil, err
	}
	if err := s.box.Admit("start", c.Start); err != nil {
		return nil, err
	}
	if s.blocks, err = partition(c.Blocks, n); err != nil {
		return nil, err
	}
	if err := s.setTurns(&c); err != nil {
		return nil, err
	}
	if err := s.setSamples(&c); err != nil {
		return nil, err
	}
	s.stepSizes = c.stepSizes(s.steps)
	if err := s.stepSizes.check(c.Problem, s.weights); err != nil {
		return nil, err
	}
	if err := s.SetStepSize(c.StepSize); err != nil {
		return nil, err
	}
	s.problem.Values(s.f, s.x)
	if !algo.Finite(s.x) || !algo.Finite(s.f) {
		return nil, &algo.RangeError{
			Name: "start", Value: c.Start, Allowed: fmt.Sprintf("the point and its values %v must be finite", s.f),
			Text: fmt.Sprintf("start %v: the point and its values %v must be finite", c.Start, s.f),
		}
	}
	return s, nil
}

// setTurns sets the frequencies, and the number of steps per block.
func (s *Alternation) setTurns(c *Config) error {
	var err error
	if s.frequencies, s.steps, s.weights, err = frequencies(c.Frequencies, s.q); err != nil {
		return err
	}
	switch {
	case c.Steps != 0 && !c.Together:
		return &algo.RangeError{Name: "steps", Value: c.Steps, Allowed: "0: if objectives take turns, the number is the sum of m"}
	case c.Steps < 0 || c.Steps > maxSteps:
		return &algo.RangeError{Name: "steps", Value: c.Steps, Allowed: fmt.Sprintf("from 1 to %d, or 0 for the sum of m", maxSteps)}
	case c.Steps > 0:
		s.steps = c.Steps
	}
	s.sequence, s.before = make([]int, len(s.blocks)), make([]int, len(s.blocks))
	if !s.together {
		s.turns = make([]int, s.steps)
	}
	return nil
}

// setSamples sets the batch size, and which blocks share a sample.
func (s *Alternation) setSamples(c *Config) error {
	s.shared = make([]bool, len(s.blocks))
	if c.Shared != nil && len(c.Shared) != len(s.blocks) {
		return &algo.RangeError{Name: "shared", Value: c.Shared,
			Allowed: fmt.Sprintf("there must be one for each of the %d blocks", len(s.blocks))}
	}
	copy(s.shared, c.Shared)
	for b := range s.blocks {
		s.perOuter += s.samples(b)
	}
	return s.batches.prepare(c)
}

// samples returns the number of samples that a visit to block b uses.
func (s *Alternation) samples(b int) int {
	if s.shared[b] {
		return 1
	}
	return s.steps
}

// SetStepSize sets the schedule's constant α > 0 from the next step on. Only Constant uses it.
func (s *Alternation) SetStepSize(alpha float64) error {
	if err := schedule.Positive("alpha", "the step size", alpha); err != nil {
		return err
	}
	s.stepSizes.constant = alpha
	return nil
}

// Weights returns m_k/p, of length q. F_m is the sum of the objectives with these weights. The slice must not be
// modified.
func (s *Alternation) Weights() []float64 { return s.weights }

// OuterSteps returns the number of steps in an outer iteration: s·p, or 1 for WeightedSum.
func (s *Alternation) OuterSteps() int { return len(s.blocks) * s.steps }

// OuterIterations returns the number T of complete outer iterations.
func (s *Alternation) OuterIterations() int { return s.ledger.K / s.OuterSteps() }

// Samples returns the number of samples drawn so far. With batches of b out of N examples, a pass uses ⌊N/b⌋
// samples.
func (s *Alternation) Samples() int {
	if s.ledger.K == 0 {
		return 0
	}
	at := s.at(s.ledger.K - 1)
	s.draw(at.T)
	return s.sampleNumber(at) + 1
}

// Move describes one step: its position in the outer iteration, and the variables that it moved.
type Move struct {
	T         int // outer iteration, from 0
	Visit     int // number of the visit in the outer iteration: i, from 0
	Turn      int // number of the step in the visit: j, from 0
	Block     int // index of the block, in the configured order
	Objective int // index of the objective, or Together
	// Coordinates lists the variables of the block. It must not be modified.
	Coordinates []int
}

// Move returns the step K−1 → K. It returns false if there is no last step: at the start, after Load, and once the
// run has diverged.
func (s *Alternation) Move() (Move, bool) {
	if !s.ledger.Stepped {
		return Move{}, false
	}
	return s.move, true
}

// at returns the position of the step from iteration k, without its block and objective.
func (s *Alternation) at(k int) Move {
	visit := k / s.steps
	return Move{T: visit / len(s.blocks), Visit: visit % len(s.blocks), Turn: k % s.steps}
}

// draw stores in s.sequence the order of the blocks in outer iteration t.
func (s *Alternation) draw(t int) {
	if s.drawn == t {
		return
	}
	s.drawn = t
	schedule.Count(s.sequence)
	if s.blockOrder == RandomBlocks {
		source := algo.Stream(s.seed, s.startIndex, t, shuffleBlocks)
		schedule.Shuffle(s.sequence, &source)
	}
	samples := 0
	for i, b := range s.sequence {
		s.before[i] = samples
		samples += s.samples(b)
	}
}

// sampleNumber returns the number, from 0, of the sample that the step at the given position uses. sequence must
// belong to the step's outer iteration.
func (s *Alternation) sampleNumber(at Move) int {
	number := at.T*s.perOuter + s.before[at.Visit]
	if s.shared[s.sequence[at.Visit]] {
		return number
	}
	return number + at.Turn
}

// due returns the position, block and objective of the step from iteration k.
func (s *Alternation) due(k int) Move {
	m := s.at(k)
	s.draw(m.T)
	m.Block, m.Objective = s.sequence[m.Visit], Together
	m.Coordinates = s.blocks[m.Block].coordinates
	if visit := m.T*len(s.blocks) + m.Visit; s.visited != visit {
		s.visited = visit
		if !s.together {
			arrange(s.turns, s.order, s.frequencies, algo.Stream(s.seed, s.startIndex, m.T, shuffleObjectives(m.Block)))
		}
		if s.update == Jacobi {
			copy(s.apart, s.outer)
			for _, c := range m.Coordinates {
				s.apart[c] = s.x[c]
			}
		}
	}
	if !s.together {
		m.Objective = s.turns[m.Turn]
	}
	return m
}

// begin returns the next step, and prepares its sample.
func (s *Alternation) begin() Move {
	m := s.due(s.ledger.K)
	number := s.sampleNumber(m)
	s.sample.Noise = algo.Stream(s.seed, s.startIndex, number, algo.Noise)
	s.sample.Batch = s.batches.at(number, s.seed, s.startIndex)
	return m
}

// Step takes one step. It returns Running, or Diverged once the run has diverged. The error is always nil.
func (s *Alternation) Step() (algo.Status, error) { return s.step(true), nil }

// Advance takes up to count ≥ 0 steps, like Step, but evaluates the losses only after the last step. It is faster
// if losses cost more than a step. If the losses are not finite at the end, Advance repeats the steps one by one,
// so that the run ends at the same step as with Step. It does not notice losses that overflow and recover in
// between.
func (s *Alternation) Advance(count int) (algo.Status, error) {
	if count < 0 {
		return algo.Running, &algo.RangeError{Name: "count", Value: count, Allowed: "it must be at least 0"}
	}
	if s.ledger.Diverged() {
		return algo.Diverged, nil
	}
	s.kept.Reset()
	s.Save(&s.kept)
	status := s.several(count, false)
	s.problem.Values(s.f, s.x)
	if !algo.Finite(s.f) {
		s.Load(&s.kept)
		status = s.several(count, true)
	}
	return status, nil
}

// SetYielder sets a yielder that every step calls once. This matters if Advance takes many steps.
func (s *Alternation) SetYielder(b *algo.Yielder) { s.yielder = b }

// several takes up to count steps. If look is false, it does not evaluate the losses.
func (s *Alternation) several(count int, look bool) algo.Status {
	for range count {
		if status := s.step(look); status != algo.Running {
			return status
		}
	}
	return algo.Running
}

// step takes one step. If look is false, it does not evaluate the losses, and f belongs to an earlier point.
func (s *Alternation) step(look bool) algo.Status {
	if s.ledger.Diverged() {
		return algo.Diverged
	}
	m := s.begin()
	if s.yielder != nil {
		work := s.labour
		if s.counted != nil {
			work = s.workOf(&m)
		}
		s.yielder.Yield(work)
	}
	point := s.x
	if s.update == Jacobi {
		point = s.apart
	}
	s.evaluate(&s.blocks[m.Block], m.Objective, point)
	if !algo.Finite(s.direction) {
		if m.Objective != Together {
			s.ledger.Objective = m.Objective + 1
		}
		return s.ledger.Fail(gradient)
	}
	s.box.ReduceOne(s.direction, point)
	alpha := s.stepSizes.at(m.T)
	for i, c := range m.Coordinates {
		s.undo[i] = s.x[c]
		s.x[c] -= float64(alpha * s.direction[c])
	}
	s.box.Project(s.x)
	failed := nothing
	for _, c := range m.Coordinates {
		if v := s.x[c]; v-v != 0 {
			failed = iterate
		}
	}
	if look && failed == nothing {
		if s.problem.Values(s.candidateF, s.x); !algo.Finite(s.candidateF) {
			failed = objective
		}
	}
	if failed != nothing {
		for i, c := range m.Coordinates {
			s.x[c] = s.undo[i]
		}
		if failed == objective {
			return s.ledger.FailIn(failed, s.candidateF, s.q, 1)
		}
		return s.ledger.Fail(failed)
	}

	if look {
		s.f, s.candidateF = s.candidateF, s.f
	}
	coordinates := len(m.Coordinates)
	if m.Objective == Together {
		copy(s.moved, s.weights)
		coordinates *= s.q
	} else {
		clear(s.moved)
		s.moved[m.Objective] = 1
	}
	if s.update == Jacobi {
		for _, c := range m.Coordinates {
			s.apart[c] = s.x[c]
		}
	}
	s.move, s.lastStepSize = m, alpha
	s.ledger.Gradients(1, coordinates)
	s.work += s.workOf(&m)
	s.ledger.Commit()
	if s.ledger.K%s.OuterSteps() == 0 {
		s.complete(m.T)
	}
	return algo.Running
}

// evaluate stores in s.direction the sampled gradient of an objective, or of F_m, at x on block b. It sets the other
// elements to 0.
func (s *Alternation) evaluate(b *block, objective int, x []float64) {
	clear(s.direction)
	if b.stretch {
		s.gradient(s.direction[b.lo:b.hi], objective, b.lo, b.hi, x)
		return
	}
	dst := s.stretch[:b.hi-b.lo]
	s.gradient(dst, objective, b.lo, b.hi, x)
	for _, c := range b.coordinates {
		s.direction[c] = dst[c-b.lo]
	}
}

// gradient stores in dst elements lo to hi−1 of the sampled gradient at x.
func (s *Alternation) gradient(dst []float64, objective, lo, hi int, x []float64) {
	switch {
	case objective != Together:
		s.problem.GradientAt(dst, objective, lo, hi, x, &s.sample)
	case len(dst) == len(x):
		s.problem.WeightedGradientAt(dst, s.weights, x, &s.sample)
	case s.part != nil:
		s.part.WeightedGradientPartAt(dst, s.weights, lo, hi, x, &s.sample)
	default:
		term := s.term[:len(dst)]
		clear(dst)
		for k, w := range s.weights {
			if w == 0 {
				continue
			}
			s.problem.GradientAt(term, k, lo, hi, x, &s.sample)
			for i, v := range term {
				dst[i] += float64(w * v)
			}
		}
	}
}

// complete ends outer iteration t. It adds x^{t,0,0} to the points from which the outputs are computed.
func (s *Alternation) complete(t int) {
	// Computed in this form, the mean of finite numbers is finite.
	share := 1 / float64(t+1)
	for i, v := range s.outer {
		s.average[i] += float64(share*v) - float64(share*s.average[i])
	}
	source := algo.Stream(s.seed, s.startIndex, t, algo.Decision)
	if schedule.Below(&source, t+1) == 0 {
		copy(s.uniform, s.outer)
		s.uniformAt = t
	}
	copy(s.outer, s.x)
}

// Last returns x^{T,0,0}, the output of Theorem 3.3: the end of the last complete outer iteration, or the start.
// The slice belongs to the stepper, and is valid until the next Step, Advance or Load.
func (s *Alternation) Last() []float64 { return s.outer }

// Average returns the mean of x^{t,0,0} over the complete outer iterations t = 0 … T−1, the output of Theorem 3.2. The
// mean includes the start but not Last. Average returns nil for T = 0. The slice is valid until the next Step, Advance
// or Load.
func (s *Alternation) Average() []float64 {
	if s.OuterIterations() == 0 {
		return nil
	}
	return s.average
}

// Uniform returns x^{t,0,0} and t for a random t, uniform in 0 … T−1, the output of Theorem 3.1. It returns nil for T =
// 0. When T grows to T+1, the output becomes x^{T,0,0} with probability 1/(T+1), and otherwise does not change. The
// slice is valid until the next Step, Advance or Load.
func (s *Alternation) Uniform() (x []float64, t int) {
	if s.OuterIterations() == 0 {
		return nil, 0
	}
	return s.uniform, s.uniformAt
}

// View returns the current iterate and the last step. With Jacobi, X contains the new values of blocks as soon as they
// are computed, while gradients use the old values of the other blocks. Weights contains m_k/p for a step along F_m,
// and otherwise 1 for the step's objective and 0 for the others. There is no last step after Load, or once the run has
// diverged.
func (s *Alternation) View() algo.View {
	v := s.ledger.View()
	v.Solutions, v.X, v.F = 1, s.x, s.f
	if s.ledger.Stepped {
		v.Direction, v.StepSize, v.Weights = s.direction, s.lastStepSize, s.moved
	}
	return v
}

// Save appends the point, the start of the outer iteration, the outputs, the cost, the step size and the
// divergence. It does not save the orders, which Load draws again from the seed.
func (s *Alternation) Save(to *algo.Snapshot) {
	s.ledger.Save(to)
	to.PutInt(s.uniformAt)
	to.PutInt(s.work)
	to.PutFloats(s.stepSizes.constant)
	to.PutFloats(s.x...)
	to.PutFloats(s.outer...)
	to.PutFloats(s.average...)
	to.PutFloats(s.uniform...)
}

// Load restores what Save appended. The configuration of the stepper must be the same, except for the step size.
func (s *Alternation) Load(from *algo.Snapshot) {
	s.ledger.Load(from)
	s.uniformAt = from.GetInt()
	s.work = from.GetInt()
	s.stepSizes.constant = from.GetFloat()
	from.GetFloats(s.x)
	from.GetFloats(s.outer)
	from.GetFloats(s.average)
	from.GetFloats(s.uniform)
	s.visited = -1
	s.problem.Values(s.f, s.x)
}
