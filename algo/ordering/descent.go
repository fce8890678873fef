package ordering

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/internal/choice"
	"paretoplay/algo/internal/schedule"
)

// Config configures a run. Problem, Start and StepSize must be given; with these alone the
// run is MGDA on single samples in random orders.
type Config struct {
	Problem Problem
	Start   []float64 // w_0, copied; length d, with finite values
	Batch   int       // samples in an example, a divisor of their number; 0 means 1

	Kind     Kind
	Own      bool     // one order for each objective, of kinds that do not balance; the others decide themselves
	First    First    // the order of the first epoch
	Centring Centring // of JoGBa only
	Signs    SignRule // of kinds that balance

	// Weighting decides λ at a refresh, nil for MGDA; FixedWeights, where not nil, are
	// never refreshed. Period is PSMGD's R, 0 for 1.
	Weighting    algo.Weighting
	FixedWeights []float64
	Period       int
	// EveryGradient computes the gradients of all objectives in every step, also where
	// neither order nor weights need them.
	EveryGradient bool

	StepSize  float64 // α > 0, also where the schedule has no constant
	Schedule  Schedule
	Horizon   int               // T ≥ 1, the planned number of epochs, of schedules of theorems only
	Constants *Constants        // of schedules of theorems only
	Optimizer descent.Optimizer // the theorems are about the zero value

	// Orders are drawn with algo.Shuffle, signs of the self-balancing walk with algo.Sign,
	// and a weighting's further samples with algo.Noise.
	Seed       uint64
	StartIndex int
}

// Descent visits the K examples of a finite sum epoch by epoch, at step k of an epoch
// example π^m(k) for objective m, and goes
//
//	w ← w − α Σ_m λ_m ∇ℓ_m(w; ξ_{π^m(k)})
//
// with the weights λ of any weighting on these M gradients; an optimizer may turn the sum
// into another update. One iteration is one such step.
//
// Orders come from a Balancer, which says how each kind finds them.
//
// GraBShared balances the direction that the weighting decides: it is 0 in a step without
// a solution, and no weighted sum if the weighting has no weights. In a box all gradients
// are reduced ones.
//
// A step costs M backpropagations where the weights are new, where objectives have orders
// of their own, and where the kind balances; otherwise one.
type Descent struct {
	inner  *descent.PSMGD
	view   *view
	orders *Balancer

	stepSize  float64
	schedule  Schedule
	horizon   int
	constants *Constants

	stepped bool
}

var _ algo.Stepper = (*Descent)(nil)

// New returns a run at its start. An error names the field of the configuration, its
// value and what is allowed.
func New(c Config) (made *Descent, err error) {
	defer func() { err = choice.Field(err, configFields) }()
	if algo.Missing(c.Problem) {
		return nil, algo.ErrNoProblem
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	batch := max(c.Batch, 1)
	d, m := c.Problem.Dims()
	orders, err := NewBalancer(BalancerConfig{
		Objectives: m, Examples: c.Problem.Examples() / batch, Variables: d, Kind: c.Kind, Own: c.Own, First: c.First, Centring: c.Centring,
		Signs: c.Signs, Seed: c.Seed, StartIndex: c.StartIndex,
	})
	if err != nil {
		return nil, err
	}
	s := &Descent{
		orders: orders, view: newView(c.Problem, batch), stepSize: c.StepSize, schedule: c.Schedule, horizon: c.Horizon,
		constants: c.Constants,
	}
	s.view.own = c.Own && !c.Kind.Balances() || c.Kind == GraBSeparate || c.Kind == JoGBa
	s.view.due = make([]int, len(orders.order))
	if err := s.checkSchedule(); err != nil {
		return nil, err
	}
	s.inner, err = descent.NewPSMGD(s.config(&c))
	return s, err
}

// check refuses settings that the stepper beneath does not check.
func (c *Config) check() error {
	if err := choice.Settle(&c.Schedule, "schedule", Constant, InverseSqrt, RandomTheorem, JoGBaTheorem); err != nil {
		return err
	}
	if err := checkBatch(c.Problem, c.Batch); err != nil {
		return err
	}
	return checkStepSize(c.StepSize)
}

// checkBatch refuses batch sizes that do not divide the number of samples.
func checkBatch(p Problem, batch int) error {
	if n := p.Examples(); batch < 0 || n%max(batch, 1) != 0 {
		return &algo.RangeError{Name: "batch", Value: batch,
			Allowed: fmt.Sprintf("it must divide the number of samples, %d: examples are batches that do not change", n)}
	}
	return nil
}

func checkStepSize(alpha float64) error { return schedule.Positive("alpha", "the step size", alpha) }

// config configures the stepper beneath.
func (s *Descent) config(c *Config) descent.Config {
	out := descent.Config{
		Problem: s.view, Start: c.Start, Weighting: c.Weighting, FixedWeights: c.FixedWeights, Period: c.Period, StepSize: s.at(0),
		EveryGradient: s.view.own || s.orders.kind.Balances() || c.EveryGradient, Optimizer: c.Optimizer, Seed: c.Seed, StartIndex: c.StartIndex,
	}
	if bounded, ok := c.Problem.(algo.Bounded); ok {
		out.Problem = boundedView{s.view, bounded}
	}
	return out
}

// checkSchedule refuses a theorem's schedule without its horizon or constants.
func (s *Descent) checkSchedule() error {
	if !s.schedule.ofTheorem() {
		return nil
	}
	if err := schedule.Horizon(s.horizon, fmt.Sprintf("the schedule %v needs the planned number of epochs", s.schedule)); err != nil {
		return err
	}
	if s.constants == nil {
		return &algo.RangeError{Name: "constants", Value: s.constants, Allowed: fmt.Sprintf("the schedule %v needs them", s.schedule),
			Text: fmt.Sprintf("constants: the schedule %v needs them", s.schedule)}
	}
	if err := s.constants.check(s.schedule); err != nil {
		return err
	}
	if alpha := s.at(0); checkStepSize(alpha) != nil {
		const allowed = "it must be finite and positive"
		return &algo.RangeError{Name: "constants", Value: *s.constants, Allowed: allowed,
			Text: fmt.Sprintf("constants: the step size that the schedule %v makes of them is %v: %s", s.schedule, alpha, allowed)}
	}
	return nil
}

// SetStepSize makes α > 0 the constant of the schedule from the next step on. Schedules of
// theorems have none.
func (s *Descent) SetStepSize(alpha float64) error {
	if err := checkStepSize(alpha); err != nil {
		return err
	}
	s.stepSize = alpha
	return s.inner.SetStepSize(s.at(s.orders.epoch))
}

// SetPeriod makes R ≥ 1 the period of the weights from the next step on.
func (s *Descent) SetPeriod(period int) error { return s.inner.SetPeriod(period) }

// at returns the step size of epoch t.
func (s *Descent) at(t int) float64 {
	switch s.schedule {
	case InverseSqrt:
		return s.stepSize / math.Sqrt(float64(t+1))
	case RandomTheorem:
		return s.constants.RandomStepSize(s.orders.k, s.horizon)
	case JoGBaTheorem:
		return s.constants.JoGBaStepSize(s.orders.k, s.horizon)
	default:
		return s.stepSize
	}
}

// Examples returns K, the number of examples and of the steps of an epoch.
func (s *Descent) Examples() int { return s.orders.k }

// Step makes one step. It returns what descent.PSMGD.Step does, NoSolution excepted: where
// the weighting has no solution the point stays, and the next step is on other examples.
func (s *Descent) Step() (algo.Status, error) {
	s.stepped = false
	k := s.inner.View().K
	if epoch := k / s.orders.k; epoch != s.orders.epoch {
		s.orders.begin(epoch)
		if err := s.inner.SetStepSize(s.at(epoch)); err != nil {
			return algo.Running, fmt.Errorf("epoch %d: %w", epoch, err)
		}
	}
	for i, order := range s.orders.order {
		s.view.due[i] = order[k%s.orders.k]
	}
	s.view.step.Noise = algo.Stream(s.orders.seed, s.orders.startIndex, k, algo.Noise)
	status, err := s.inner.Step()
	if status == algo.NoSolution {
		status = algo.Running
	}
	if v := s.inner.View(); v.K > k {
		s.stepped = true
		s.orders.Put(v.Jacobian, v.Direction)
	}
	return status, err
}

// View describes the current iterate: see descent.PSMGD.View.
func (s *Descent) View() algo.View { return s.inner.View() }

// Update returns what the optimizer made of View().Direction, nil where there is none:
// see descent.PSMGD.Update.
func (s *Descent) Update() []float64 { return s.inner.Update() }

// Epoch returns the epoch, from 0, of the last step: at the start of the first step, and
// after divergence of the step that failed.
func (s *Descent) Epoch() int { return s.orders.epoch }

// Position returns how many steps of Epoch have been made, 1 to K; 0 at the start, and
// where the first step of Epoch failed.
func (s *Descent) Position() int { return s.inner.View().K - s.orders.epoch*s.orders.k }

// Orders returns the orders of Epoch: see Balancer.Orders. They hold until the next Step or Load.
func (s *Descent) Orders() [][]int { return s.orders.Orders() }

// Next returns what is known of the orders after Epoch: see Balancer.Next. They hold until the next Step or
// Load.
func (s *Descent) Next() (orders [][]int, left, right []int) { return s.orders.Next() }

// EpochSigns stores the signs of the steps of Epoch in dst: see Balancer.EpochSigns.
func (s *Descent) EpochSigns(dst []float64) { s.orders.EpochSigns(dst) }

// Sum returns the balanced sum s that objective m belongs to: see Balancer.Sum. It holds until the next Step
// or Load.
func (s *Descent) Sum(m int) []float64 { return s.orders.Sum(m) }

// SignBound returns the A of Assumption 3.7 that the signs of Epoch reach so far: see Balancer.SignBound.
func (s *Descent) SignBound() float64 { return s.orders.SignBound() }

// Clipped returns how many signs the self-balancing walk has drawn, and for how many of them the probability
// had to be cut to [0, 1].
func (s *Descent) Clipped() (clipped, drawn int) { return s.orders.Clipped() }

// Signs returns +1 or −1 for every objective: the signs of the last step, all the same
// where one is shared. They are nil where there was no step and where signs decide
// nothing.
func (s *Descent) Signs() []float64 {
	if !s.stepped || !s.orders.kind.Balances() {
		return nil
	}
	return s.orders.signs
}

// Offer stores the vector g that objective m contributed in the last step in offered, and
// the sum that it met in before, up to rounding: the sum became before + ε·g. Both have
// length d. It reports false if there was no step or signs decide nothing.
func (s *Descent) Offer(before, offered []float64, m int) bool {
	if !s.stepped || !s.orders.kind.Balances() {
		return false
	}
	v := s.inner.View()
	w := s.orders.walk(m)
	copy(before, w.s)
	last := m
	if s.orders.kind == JoGBa {
		last = s.orders.m - 1
	}
	for ; last >= m; last-- {
		gradient := v.Direction
		if s.orders.kind != GraBShared {
			gradient = v.Jacobian.Row(last)
		}
		for j, g := range gradient {
			offered[j] = g - w.centre[j]
			before[j] -= float64(s.orders.signs[last] * offered[j])
		}
	}
	return true
}

// Save appends the state of the stepper beneath and of the orders.
func (s *Descent) Save(to *algo.Snapshot) {
	s.inner.Save(to)
	to.PutFloats(s.stepSize)
	s.orders.Save(to)
}

// Load restores what Save appended. It is for runs of the same configuration, live
// settings apart.
func (s *Descent) Load(from *algo.Snapshot) {
	s.inner.Load(from)
	s.stepSize = from.GetFloat()
	s.orders.Load(from)
	s.stepped = false
}

// saveOrder appends an order, two examples to a word.
func saveOrder(to *algo.Snapshot, order []int) {
	for i := 0; i < len(order); i += 2 {
		word := uint64(order[i])
		if i+1 < len(order) {
			word |= uint64(order[i+1]) << 32
		}
		to.PutWord(word)
	}
}

func loadOrder(from *algo.Snapshot, order []int) {
	for i := 0; i < len(order); i += 2 {
		word := from.GetWord()
		order[i] = int(word & math.MaxUint32)
		if i+1 < len(order) {
			order[i+1] = int(word >> 32)
		}
	}
}
