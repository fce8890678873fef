package ordering

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/internal/choice"
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
// Kinds that balance look at the gradients of the step before the next one is made:
//
//	GraBShared:   g = Σ_m λ_m ∇ℓ_m − v_t, one sum s and one order
//	GraBSeparate: g_m = ∇ℓ_m − v_{m,t}, a sum s_m for every objective
//	JoGBa:        g_m = ∇ℓ_m − v_t (or v_t/M), one sum s, objective by objective
//
// and for the sign ε of g: s ← s + εg, and the example goes to the next free place of the
// next epoch's order from the left if ε = +1, from the right if ε = −1. v_{t+1} is the
// mean over the epoch of the vectors to balance, before v_t is subtracted; v_0 = 0; s
// begins every epoch at 0. Algorithm 4 as printed updates s for every m; here it is
// updated once per step.
//
// GraBShared balances the direction that the weighting decides: it is 0 in a step without
// a solution, and no weighted sum if the weighting has no weights. In a box all gradients
// are reduced ones.
//
// A step costs M backpropagations where the weights are new, where objectives have orders
// of their own, and where the kind balances; otherwise one.
//
// Besides the stepper's own storage, kinds that balance hold the orders of this epoch and
// the next, 2·M·K numbers (2·K if shared), and vectors of length d: 3 for every sum, and
// one more. The others hold the orders of this epoch. No kind holds gradients of several
// examples, which would be O(K·d).
type Descent struct {
	inner *descent.PSMGD
	view  *view
	kind  Kind
	m, k  int
	first First
	share float64   // of v_t that is subtracted
	sign  *balancer // nil where signs decide nothing

	stepSize  float64
	schedule  Schedule
	horizon   int
	constants *Constants

	seed       uint64
	startIndex int

	// The state.
	epoch       int
	order       [][]int // one, or one of each objective
	next        [][]int // of kinds that balance; filled from both ends
	left, right []int   // how many places are filled from either end
	walks       []*walk

	stepped bool
	signs   []float64 // of the last step
	sided   []float64 // scratch: the sign of every example
}

var _ algo.Stepper = (*Descent)(nil)

// New returns a run at its start. An error names the field of the configuration, its
// value and what is allowed.
func New(c Config) (*Descent, error) {
	if algo.Missing(c.Problem) {
		return nil, algo.ErrNoProblem
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	batch := max(c.Batch, 1)
	d, m := c.Problem.Dims()
	s := &Descent{
		view: newView(c.Problem, batch), kind: c.Kind, m: m, k: c.Problem.Examples() / batch, first: c.First, share: 1,
		stepSize: c.StepSize, schedule: c.Schedule, horizon: c.Horizon, constants: c.Constants, seed: c.Seed, startIndex: c.StartIndex,
		signs: make([]float64, m),
	}
	s.view.own = c.Own && !c.Kind.Balances() || c.Kind == GraBSeparate || c.Kind == JoGBa
	orders := 1
	if s.view.own {
		orders = m
	}
	s.view.due, s.order = make([]int, orders), newOrders(orders, s.k)
	draw(s.order, s.kind, s.first, s.seed, s.startIndex, 0)
	if c.Kind.Balances() {
		s.sign, s.sided = newBalancer(c.Signs, s.k, d), make([]float64, s.k)
		s.next, s.left, s.right = newOrders(orders, s.k), make([]int, orders), make([]int, orders)
		sums := 1
		if c.Kind == GraBSeparate {
			sums = m
		}
		for range sums {
			s.walks = append(s.walks, newWalk(d))
		}
		if c.Kind == JoGBa {
			s.share = c.Centring.share(m)
		}
	}
	if err := s.checkSchedule(); err != nil {
		return nil, err
	}
	var err error
	s.inner, err = descent.NewPSMGD(s.config(&c))
	return s, err
}

// check refuses settings that the stepper beneath does not check.
func (c *Config) check() error {
	for _, setting := range []struct {
		name  string
		value int
		names []string
	}{
		{"order", int(c.Kind), kindNames[:]}, {"first order", int(c.First), firstNames[:]},
		{"centring", int(c.Centring), centringNames[:]}, {"sign rule", int(c.Signs), signRuleNames[:]},
		{"schedule", int(c.Schedule), scheduleNames[:]},
	} {
		if setting.value < 0 || setting.value >= len(setting.names) {
			return choice.Refused(setting.name, setting.value, setting.names)
		}
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

func checkStepSize(alpha float64) error {
	if !(alpha > 0) || math.IsInf(alpha, 1) {
		return &algo.RangeError{Name: "alpha", Value: alpha, Allowed: "the step size must be finite and positive"}
	}
	return nil
}

// config configures the stepper beneath.
func (s *Descent) config(c *Config) descent.Config {
	out := descent.Config{
		Problem: s.view, Start: c.Start, Weighting: c.Weighting, FixedWeights: c.FixedWeights, Period: c.Period, StepSize: s.at(0),
		EveryGradient: s.view.own || s.kind.Balances() || c.EveryGradient, Optimizer: c.Optimizer, Seed: c.Seed, StartIndex: c.StartIndex,
	}
	if bounded, ok := c.Problem.(algo.Bounded); ok {
		out.Problem = boundedView{s.view, bounded}
	}
	return out
}

func newOrders(count, k int) [][]int {
	out := make([][]int, count)
	for i := range out {
		out[i] = make([]int, k)
	}
	return out
}

// checkSchedule refuses a theorem's schedule without its horizon or constants.
func (s *Descent) checkSchedule() error {
	if !s.schedule.ofTheorem() {
		return nil
	}
	if s.horizon < 1 {
		return &algo.RangeError{Name: "horizon", Value: s.horizon,
			Allowed: fmt.Sprintf("the schedule %v needs the planned number of epochs, at least 1", s.schedule)}
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
	return s.inner.SetStepSize(s.at(s.epoch))
}

// SetPeriod makes R ≥ 1 the period of the weights from the next step on.
func (s *Descent) SetPeriod(period int) error { return s.inner.SetPeriod(period) }

// at returns the step size of epoch t.
func (s *Descent) at(t int) float64 {
	switch s.schedule {
	case InverseSqrt:
		return s.stepSize / math.Sqrt(float64(t+1))
	case RandomTheorem:
		return s.constants.RandomStepSize(s.k, s.horizon)
	case JoGBaTheorem:
		return s.constants.JoGBaStepSize(s.k, s.horizon)
	default:
		return s.stepSize
	}
}

// Examples returns K, the number of examples and of the steps of an epoch.
func (s *Descent) Examples() int { return s.k }

// Step makes one step. It returns what descent.PSMGD.Step does, NoSolution excepted: where
// the weighting has no solution the point stays, and the next step is on other examples.
func (s *Descent) Step() (algo.Status, error) {
	s.stepped = false
	k := s.inner.View().K
	if epoch := k / s.k; epoch != s.epoch {
		if err := s.advance(epoch); err != nil {
			return algo.Running, fmt.Errorf("epoch %d: %w", epoch, err)
		}
	}
	for i, order := range s.order {
		s.view.due[i] = order[k%s.k]
	}
	s.view.step.Noise = algo.Stream(s.seed, s.startIndex, k, algo.Noise)
	status, err := s.inner.Step()
	if status == algo.NoSolution {
		status = algo.Running
	}
	if v := s.inner.View(); v.K > k {
		s.stepped = true
		if s.kind.Balances() {
			s.balance(&v)
		}
	}
	return status, err
}

// advance begins an epoch, which follows the current one.
func (s *Descent) advance(epoch int) error {
	s.epoch = epoch
	if s.kind.Balances() {
		s.order, s.next = s.next, s.order
		clear(s.left)
		clear(s.right)
		for _, w := range s.walks {
			w.begin(s.share / float64(s.k))
		}
	} else {
		draw(s.order, s.kind, s.first, s.seed, s.startIndex, epoch)
	}
	return s.inner.SetStepSize(s.at(epoch))
}

// balance decides the places of the step's examples in the next epoch.
func (s *Descent) balance(v *algo.View) {
	if s.sign.rule == SelfBalancing {
		s.sign.draws = algo.Stream(s.seed, s.startIndex, v.K-1, algo.Sign)
	}
	if s.kind == GraBShared {
		sign := s.sign.put(s.walks[0], v.Direction)
		for m := range s.signs {
			s.signs[m] = sign
		}
		s.place(0, sign)
		return
	}
	for m := range s.signs {
		s.signs[m] = s.sign.put(s.walk(m), v.Jacobian.Row(m))
		s.place(m, s.signs[m])
	}
}

// walk is the sum that balances objective m.
func (s *Descent) walk(m int) *walk { return s.walks[min(m, len(s.walks)-1)] }

// place gives the example of order i the next free place on the side of its sign.
func (s *Descent) place(i int, sign float64) {
	if sign > 0 {
		s.next[i][s.left[i]] = s.view.due[i]
		s.left[i]++
		return
	}
	s.right[i]++
	s.next[i][s.k-s.right[i]] = s.view.due[i]
}

// View describes the current iterate: see descent.PSMGD.View.
func (s *Descent) View() algo.View { return s.inner.View() }

// Update returns what the optimizer made of View().Direction, nil where there is none:
// see descent.PSMGD.Update.
func (s *Descent) Update() []float64 { return s.inner.Update() }

// Epoch returns the epoch, from 0, of the last step: at the start of the first step, and
// after divergence of the step that failed.
func (s *Descent) Epoch() int { return s.epoch }

// Position returns how many steps of Epoch have been made, 1 to K; 0 at the start, and
// where the first step of Epoch failed.
func (s *Descent) Position() int { return s.inner.View().K - s.epoch*s.k }

// Orders returns the orders of Epoch: one that all objectives share, or one for each, of
// K examples, from 0. They belong to the stepper and hold until the next Step or Load.
func (s *Descent) Orders() [][]int { return s.order }

// Next returns what is known of the orders after Epoch: in order i the first left[i] and
// the last right[i] places are taken. They are nil where signs decide nothing, belong to
// the stepper and hold until the next Step or Load.
func (s *Descent) Next() (orders [][]int, left, right []int) { return s.next, s.left, s.right }

// Signs returns +1 or −1 for every objective: the signs of the last step, all the same
// where one is shared. They are nil where there was no step and where signs decide
// nothing.
func (s *Descent) Signs() []float64 {
	if !s.stepped || !s.kind.Balances() {
		return nil
	}
	return s.signs
}

// EpochSigns stores the signs of the steps of Epoch in dst: K rows of M numbers, +1 or −1,
// and 0 for steps to come and where signs decide nothing.
func (s *Descent) EpochSigns(dst []float64) {
	clear(dst)
	if !s.kind.Balances() {
		return
	}
	for m := range s.m {
		i := min(m, len(s.next)-1)
		clear(s.sided)
		for _, example := range s.next[i][:s.left[i]] {
			s.sided[example] = 1
		}
		for _, example := range s.next[i][s.k-s.right[i]:] {
			s.sided[example] = -1
		}
		for k, example := range s.order[i] {
			dst[k*s.m+m] = s.sided[example]
		}
	}
}

// Sum returns the balanced sum s that objective m belongs to, after the last step. It is
// nil where signs decide nothing, belongs to the stepper and holds until the next Step or
// Load.
func (s *Descent) Sum(m int) []float64 {
	if !s.kind.Balances() {
		return nil
	}
	return s.walk(m).s
}

// Offer stores the vector g that objective m contributed in the last step in offered, and
// the sum that it met in before, up to rounding: the sum became before + ε·g. Both have
// length d. It reports false if there was no step or signs decide nothing.
func (s *Descent) Offer(before, offered []float64, m int) bool {
	if !s.stepped || !s.kind.Balances() {
		return false
	}
	v := s.inner.View()
	w := s.walk(m)
	copy(before, w.s)
	last := m
	if s.kind == JoGBa {
		last = s.m - 1
	}
	for ; last >= m; last-- {
		gradient := v.Direction
		if s.kind != GraBShared {
			gradient = v.Jacobian.Row(last)
		}
		for j, g := range gradient {
			offered[j] = g - w.centre[j]
			before[j] -= s.signs[last] * offered[j]
		}
	}
	return true
}

// SignBound returns max_k ‖Σ εg‖_∞ / max‖g‖₂ over the steps of Epoch so far, in the order
// of the visits: the A of Assumption 3.7 that its signs reach, the largest of several
// sums. It is NaN where signs decide nothing, and before the first of them.
func (s *Descent) SignBound() float64 {
	bound := math.NaN()
	for _, w := range s.walks {
		if w.longest > 0 && !(bound >= w.farthest/w.longest) {
			bound = w.farthest / w.longest
		}
	}
	return bound
}

// Clipped returns how many signs the self-balancing walk has drawn, and for how many of
// them the probability had to be cut to [0, 1].
func (s *Descent) Clipped() (clipped, drawn int) {
	if s.sign == nil {
		return 0, 0
	}
	return s.sign.cut, s.sign.drawn
}

// Save appends the state of the stepper beneath and the epoch; kinds that balance add
// their orders and sums. Load draws all other orders again.
func (s *Descent) Save(to *algo.Snapshot) {
	s.inner.Save(to)
	to.PutFloats(s.stepSize)
	to.PutInt(s.epoch)
	if !s.kind.Balances() {
		return
	}
	for i := range s.order {
		to.PutInt(s.left[i])
		to.PutInt(s.right[i])
		saveOrder(to, s.order[i])
		saveOrder(to, s.next[i])
	}
	for _, w := range s.walks {
		w.save(to)
	}
	to.PutInt(s.sign.drawn)
	to.PutInt(s.sign.cut)
}

// Load restores what Save appended. It is for runs of the same configuration, live
// settings apart.
func (s *Descent) Load(from *algo.Snapshot) {
	s.inner.Load(from)
	s.stepSize = from.GetFloat()
	s.epoch = from.GetInt()
	s.stepped = false
	if !s.kind.Balances() {
		draw(s.order, s.kind, s.first, s.seed, s.startIndex, s.epoch)
		return
	}
	for i := range s.order {
		s.left[i], s.right[i] = from.GetInt(), from.GetInt()
		loadOrder(from, s.order[i])
		loadOrder(from, s.next[i])
	}
	for _, w := range s.walks {
		w.load(from)
	}
	s.sign.drawn, s.sign.cut = from.GetInt(), from.GetInt()
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
