package ordering

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/internal/choice"
	"paretoplay/algo/internal/schedule"
)

// Config configures a run. Problem, Start and StepSize are required. If only these are set, the run is MGDA on single
// samples in random orders.
type Config struct {
	Problem Problem
	Start   []float64 // w_0: d finite numbers; the run copies them
	Batch   int       // samples per example; must divide the number of samples; 0 means 1

	Kind     Kind
	Own      bool     // one order per objective; kinds that balance ignore it
	First    First    // how to choose the order of the first epoch
	Centring Centring // for JoGBa only
	Signs    SignRule // for kinds that balance

	// Weighting computes λ at every refresh; nil means MGDA. FixedWeights, unless nil, are used in every step
	// instead. Period is PSMGD's R; 0 means 1.
	Weighting    algo.Weighting
	FixedWeights []float64
	Period       int
	// EveryGradient, if true, makes every step compute the gradients of all objectives, even if neither the order nor
	// the weights need them.
	EveryGradient bool

	StepSize  float64 // α > 0, required even if the schedule does not use it
	Schedule  Schedule
	Horizon   int               // T ≥ 1, the planned number of epochs; only for schedules from theorems
	Constants *Constants        // only for schedules from theorems
	Optimizer descent.Optimizer // the theorems assume the zero value

	// Orders are drawn from the stream algo.Shuffle, signs of the self-balancing walk from algo.Sign, and additional
	// samples of a weighting from algo.Noise.
	Seed       uint64
	StartIndex int
}

// Descent takes stochastic gradient steps through the K examples of a finite sum, epoch by epoch. Step k of an epoch
// uses example π^m(k) for objective m:
//
//	w ← w − α Σ_m λ_m ∇ℓ_m(w; ξ_{π^m(k)})
//
// where a weighting of any kind computes the weights λ from these M gradients. An optimizer may transform the sum into
// another update. One iteration is one such step.
//
// A Balancer chooses the orders; its documentation explains each kind.
//
// GraBShared balances the direction that the weighting returns. The direction is 0 in a step without a solution. It is
// not a weighted sum if the weighting has no weights. In a box, all gradients are reduced as in descent.PSMGD.
//
// A step costs M backpropagations if the weights are refreshed, if objectives have separate orders, or if the kind
// balances. Otherwise it costs one.
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

// New returns a run at its start. Its error names the invalid field, its value and the allowed values.
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

// check validates the settings that the underlying stepper does not check.
func (c *Config) check() error {
	if err := choice.Settle(&c.Schedule, "schedule", Constant, InverseSqrt, RandomTheorem, JoGBaTheorem); err != nil {
		return err
	}
	if err := checkBatch(c.Problem, c.Batch); err != nil {
		return err
	}
	return checkStepSize(c.StepSize)
}

// checkBatch returns an error if the batch size does not divide the number of samples.
func checkBatch(p Problem, batch int) error {
	if n := p.Examples(); batch < 0 || n%max(batch, 1) != 0 {
		return &algo.RangeError{Name: "batch", Value: batch,
			Allowed: fmt.Sprintf("it must divide the number of samples, %d: examples are batches that do not change", n)}
	}
	return nil
}

func checkStepSize(alpha float64) error { return schedule.Positive("alpha", "the step size", alpha) }

// config returns the configuration of the underlying stepper.
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

// checkSchedule returns an error if a theorem's schedule has no horizon or no valid constants.
func (s *Descent) checkSchedule() error {
	if !s.schedule.ofTheorem() {
		return nil
	}
	if err := schedule.Horizon(s.horizon, fmt.Sprintf("the schedule %v requires the planned number of epochs", s.schedule)); err != nil {
		return err
	}
	if s.constants == nil {
		return &algo.RangeError{Name: "constants", Value: s.constants, Allowed: fmt.Sprintf("the schedule %v requires them", s.schedule),
			Text: fmt.Sprintf("constants are missing; the schedule %v requires them", s.schedule)}
	}
	if err := s.constants.check(s.schedule); err != nil {
		return err
	}
	if alpha := s.at(0); checkStepSize(alpha) != nil {
		const allowed = "it must be finite and positive"
		return &algo.RangeError{Name: "constants", Value: *s.constants, Allowed: allowed,
			Text: fmt.Sprintf("constants: the step size of the schedule %v would be %v; %s", s.schedule, alpha, allowed)}
	}
	return nil
}

// SetStepSize sets the constant α > 0 of the schedule from the next step on. It has no effect on schedules of
// theorems.
func (s *Descent) SetStepSize(alpha float64) error {
	if err := checkStepSize(alpha); err != nil {
		return err
	}
	s.stepSize = alpha
	return s.inner.SetStepSize(s.at(s.orders.epoch))
}

// SetPeriod sets the period R ≥ 1 of the weights from the next step on.
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

// Examples returns K, the number of examples and of steps in an epoch.
func (s *Descent) Examples() int { return s.orders.k }

// Step takes one step. It returns the same statuses as descent.PSMGD.Step, except NoSolution. If the weighting has no
// solution, the point does not move and the next step uses the next examples.
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

// Update returns the optimizer's update for View().Direction, or nil if there is none. See descent.PSMGD.Update.
func (s *Descent) Update() []float64 { return s.inner.Update() }

// Epoch returns the epoch of the last step, counted from 0. It is 0 at the start. After a divergence, it is the epoch
// of the failed step.
func (s *Descent) Epoch() int { return s.orders.epoch }

// Position returns the number of completed steps of Epoch, from 1 to K. It is 0 at the start, and also if the first
// step of Epoch failed.
func (s *Descent) Position() int { return s.inner.View().K - s.orders.epoch*s.orders.k }

// Orders returns the orders of Epoch; see Balancer.Orders. The slices are valid until the next Step or Load.
func (s *Descent) Orders() [][]int { return s.orders.Orders() }

// Next returns the known part of the orders after Epoch; see Balancer.Next. The slices are valid until the next Step or
// Load.
func (s *Descent) Next() (orders [][]int, left, right []int) { return s.orders.Next() }

// EpochSigns stores the signs of Epoch in dst; see Balancer.EpochSigns.
func (s *Descent) EpochSigns(dst []float64) { s.orders.EpochSigns(dst) }

// Sum returns the balanced sum s of objective m; see Balancer.Sum. It is valid until the next Step or Load.
func (s *Descent) Sum(m int) []float64 { return s.orders.Sum(m) }

// SignBound returns A of Assumption 3.7 for the signs of Epoch so far; see Balancer.SignBound.
func (s *Descent) SignBound() float64 { return s.orders.SignBound() }

// Clipped returns how many sign probabilities of the self-balancing walk were clipped to [0, 1], and how many signs
// were drawn.
func (s *Descent) Clipped() (clipped, drawn int) { return s.orders.Clipped() }

// Signs returns the sign, +1 or −1, of every objective in the last step. The signs are equal if all objectives share
// one sign. It returns nil before the first step, or if the kind does not balance.
func (s *Descent) Signs() []float64 {
	if !s.stepped || !s.orders.kind.Balances() {
		return nil
	}
	return s.orders.signs
}

// Offer describes the last step for objective m: offered receives the step's vector g, and before receives the sum to
// which ±g was then added. Up to rounding errors the new sum is before + ε·g. Both slices have length d.
// Offer returns false before the first step, or if the kind does not balance.
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

// Save appends the state of the underlying stepper and of the orders.
func (s *Descent) Save(to *algo.Snapshot) {
	s.inner.Save(to)
	to.PutFloats(s.stepSize)
	s.orders.Save(to)
}

// Load restores the state that Save appended. The run must have the same configuration, except for live settings.
func (s *Descent) Load(from *algo.Snapshot) {
	s.inner.Load(from)
	s.stepSize = from.GetFloat()
	s.orders.Load(from)
	s.stepped = false
}

// saveOrder appends an order, packing two examples into each word.
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
