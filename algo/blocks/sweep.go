package blocks

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/internal/ledger"
)

// maxIterations limits the number of passes in a sweep.
const maxIterations = 1 << 30

// SweepConfig configures a sweep.
type SweepConfig struct {
	// Run configures all runs. Its Frequencies and Shared must be empty.
	Run     Config
	Vectors [][]int // frequencies of each run, at least one vector
	Passes  int     // passes over the data in each run, ≥ 1
	// Outer makes a pass count one batch per outer iteration instead of one batch per step. A pass then has more steps,
	// by a factor equal to the number of steps in an outer iteration.
	Outer bool
}

// Sweep runs Alternation once for each frequency vector, one run after another. All runs have the same start,
// samples and orders, so their end points differ only because of the vector. In section 4.5 of the paper, such runs
// approximate the front.
//
// One iteration is a pass over the data: one step for each whole batch of the examples, or one step if there are no
// batches. The paper does not say whether a pass counts steps or outer iterations; see Outer. A run ends after
// Passes passes, and the next iteration begins the next run. When all runs have ended, Step returns Budget. If a
// run diverges, it stays at the end of the previous pass. Its remaining passes add no cost, and the sweep then
// continues; see Diverged.
type Sweep struct {
	run     *Alternation
	start   []float64
	vectors []vector
	passes  int
	perPass int  // batches per pass
	outer   bool // whether a pass has perPass outer iterations, not perPass steps

	// These fields extend the run's state.
	ledger ledger.Ledger[quantity]

	kept algo.Snapshot // snapshot of the run before the current pass
}

// vector is a frequency vector with the values derived from it.
type vector struct {
	frequencies []int
	weights     []float64
	steps       int // per block in an outer iteration
	stepSizes   stepSizes
}

var _ algo.Stepper = (*Sweep)(nil)

// NewSweep returns a sweep at the start of its first run. An error names the field of the configuration, its value
// and the allowed values.
func NewSweep(c SweepConfig) (*Sweep, error) {
	if len(c.Vectors) == 0 {
		return nil, &algo.RangeError{Name: "vectors", Value: c.Vectors, Allowed: "there must be at least one"}
	}
	if most := maxIterations / len(c.Vectors); c.Passes < 1 || c.Passes > most {
		return nil, &algo.RangeError{Name: "passes", Value: c.Passes, Allowed: fmt.Sprintf("from 1 to %d", most)}
	}
	if c.Run.Shared != nil {
		return nil, &algo.RangeError{Name: "shared", Value: c.Run.Shared, Allowed: "nil: a sweep counts passes in steps"}
	}
	if c.Run.Frequencies != nil {
		return nil, &algo.RangeError{Name: "m", Value: c.Run.Frequencies, Allowed: "nil: a sweep takes its frequencies from Vectors"}
	}
	c.Run.Frequencies = c.Vectors[0]
	run, err := New(c.Run)
	if err != nil {
		return nil, err
	}
	s := &Sweep{run: run, start: append([]float64(nil), c.Run.Start...), passes: c.Passes, perPass: 1, outer: c.Outer}
	if b := &run.batches; b.size > 0 {
		s.perPass = len(b.order) / b.size
	}
	for i, m := range c.Vectors {
		v := vector{steps: c.Run.Steps}
		var p int
		if v.frequencies, p, v.weights, err = frequencies(m, run.q); err != nil {
			return nil, fmt.Errorf("vector %d: %w", i+1, err)
		}
		if v.steps == 0 {
			v.steps = p
		}
		v.stepSizes = c.Run.stepSizes(v.steps)
		if err := v.stepSizes.check(run.problem, v.weights); err != nil {
			return nil, fmt.Errorf("vector %d: %w", i+1, err)
		}
		s.vectors = append(s.vectors, v)
		if !run.together && v.steps > len(run.turns) {
			run.turns = make([]int, v.steps)
		}
	}
	s.take(0)
	return s, nil
}

// take sets the run's frequencies to vector i.
func (s *Sweep) take(i int) {
	r, v := s.run, &s.vectors[i]
	r.frequencies, r.weights, r.steps, r.stepSizes = v.frequencies, v.weights, v.steps, v.stepSizes
	if !r.together {
		r.turns = r.turns[:v.steps]
	}
	r.perOuter = len(r.blocks) * v.steps
	r.drawn, r.visited = -1, -1
}

// begin moves the run to its start.
func (s *Sweep) begin() {
	r := s.run
	r.ledger = ledger.Ledger[quantity]{}
	copy(r.x, s.start)
	copy(r.outer, s.start)
	clear(r.average)
	clear(r.uniform)
	r.uniformAt = 0
	r.problem.Values(r.f, r.x)
}

// Step runs one pass of the current run. It returns Running, or Budget if all runs have ended. The error is always
// nil.
func (s *Sweep) Step() (algo.Status, error) {
	if s.ledger.K == len(s.vectors)*s.passes {
		return algo.Budget, nil
	}
	if s.ledger.K > 0 && s.ledger.K%s.passes == 0 {
		before, _ := s.Vector()
		s.take(before + 1)
		s.begin()
	}
	s.run.yielder.Yield(1) // even if the run has diverged and takes no step
	s.kept.Reset()
	s.run.Save(&s.kept)
	cost, steps := s.run.ledger.Cost, s.perPass
	if s.outer {
		steps *= s.run.OuterSteps()
	}
	status, err := s.run.Advance(steps)
	if err != nil {
		return status, err
	}
	s.ledger.Cost.Backpropagations += s.run.ledger.Cost.Backpropagations - cost.Backpropagations
	s.ledger.Cost.GradientCoordinates += s.run.ledger.Cost.GradientCoordinates - cost.GradientCoordinates
	s.ledger.Commit()
	if status == algo.Diverged {
		failed, spent := s.run.ledger.Failed, s.run.ledger.Cost
		s.run.Load(&s.kept)
		s.run.ledger.Fail(failed)
		s.run.ledger.Cost = spent
	}
	return algo.Running, nil
}

// SetYielder sets a yielder that every pass, and every step within it, calls.
func (s *Sweep) SetYielder(b *algo.Yielder) { s.run.SetYielder(b) }

// Diverged reports whether the run that View shows has diverged. View's point is then the end of the run's last whole
// pass, or its start. It does not change until the next run begins.
func (s *Sweep) Diverged() bool { return s.run.ledger.Diverged() }

// Vector returns the index, from 0, and the frequencies of the vector whose run View shows. After a run has ended, View
// shows it until the next run's first pass. The frequencies must not be modified.
func (s *Sweep) Vector() (index int, m []int) {
	index = max(s.ledger.K-1, 0) / s.passes
	return index, s.vectors[index].frequencies
}

// Pass returns the number of passes taken by the run that View shows. It is 0 at the start of the sweep. After that, it
// counts from 1 to the number of passes, where the run ends.
func (s *Sweep) Pass() int { return s.ledger.K - s.passes*(max(s.ledger.K-1, 0)/s.passes) }

// Finished returns the number of runs that have ended.
func (s *Sweep) Finished() int { return s.ledger.K / s.passes }

// View returns the current iterate and the last step: the run's point, its losses, m_k/p as weights, and in Refreshed
// whether the pass was the first of a run. Cost includes all runs. The view has no direction, because a pass consists
// of many steps. It has no step size once the run has diverged.
func (s *Sweep) View() algo.View {
	v := s.ledger.View()
	v.Solutions, v.X, v.F = 1, s.run.x, s.run.f
	if s.ledger.Stepped {
		v.Weights, v.Refreshed = s.run.weights, s.Pass() == 1
		if !s.Diverged() {
			v.StepSize = s.run.lastStepSize
		}
	}
	return v
}

// Save appends the number of passes, their cost, and the run.
func (s *Sweep) Save(to *algo.Snapshot) {
	s.ledger.Save(to)
	s.run.Save(to)
}

// Load restores what Save appended. The configuration of the sweep must be the same.
func (s *Sweep) Load(from *algo.Snapshot) {
	s.ledger.Load(from)
	i, _ := s.Vector()
	s.take(i)
	s.run.Load(from)
}

// Grid returns all (p+q−1 choose q−1) vectors of q ≥ 1 non-negative integers with sum p ≥ 1, from (p, 0, …, 0) to (0,
// …, 0, p). Neighbours differ by one turn that moves from one objective to another.
func Grid(p, q int) [][]int {
	if p < 1 || q < 1 {
		panic("blocks: a grid needs an objective and a turn")
	}
	return grid(p, q)
}

// grid does the same as Grid, and also allows p = 0. After the first number, the others run through a smaller grid:
// forwards if the first is even, backwards if it is odd. If neighbours differ in the first number, the positions of the
// others are therefore both at the beginning of a grid, or both at the end.
func grid(p, q int) (all [][]int) {
	if q == 1 {
		return [][]int{{p}}
	}
	for first := p; first >= 0; first-- {
		rest := grid(p-first, q-1)
		for i := range rest {
			if first%2 == 1 {
				i = len(rest) - 1 - i
			}
			all = append(all, append([]int{first}, rest[i]...))
		}
	}
	return all
}
