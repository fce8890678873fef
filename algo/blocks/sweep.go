package blocks

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/internal/ledger"
)

// maxIterations limits the passes of a sweep.
const maxIterations = 1 << 30

// SweepConfig configures a sweep.
type SweepConfig struct {
	// Run configures all runs. Its Frequencies and Shared must be empty.
	Run     Config
	Vectors [][]int // the frequencies of each run, at least one vector
	Passes  int     // over the data, in each run, ≥ 1
	// Outer counts one batch per outer iteration instead of one per step. A pass then has more
	// steps, by a factor that is the number of steps in an outer iteration.
	Outer bool
}

// Sweep makes one run after another, one for each frequency vector. All have the same start, samples and
// orders, so their ends differ only because of the vector. (In section 4.5 of the paper such runs
// approximate the front.)
//
// One iteration is a pass over the data: one step for each whole batch of the examples, or one step if
// there are no batches. (The paper does not say whether a pass counts steps or outer iterations: see
// Outer.) After Passes passes a run has ended, and the next iteration begins the next run. When all have
// ended, Step returns Budget. A run that diverges stays at the end of the pass before for the rest of its
// passes, which cost nothing. The sweep then goes on: see Diverged.
type Sweep struct {
	run     *Alternation
	start   []float64
	vectors []vector
	passes  int
	perPass int  // batches
	outer   bool // a pass has as many outer iterations

	// State in addition to the run's.
	ledger ledger.Ledger[quantity]

	kept algo.Snapshot // the run before the current pass
}

// vector is a frequency vector with the numbers derived from it.
type vector struct {
	frequencies []int
	weights     []float64
	steps       int // of a block in an outer iteration
	stepSizes   stepSizes
}

var _ algo.Stepper = (*Sweep)(nil)

// NewSweep returns a sweep at the start of its first run. An error names the field of the
// configuration, its value and what is allowed.
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

// begin puts the run at its start.
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

// Step makes a pass of the current run. It returns Running, or Budget if all runs have ended. The
// error is always nil.
func (s *Sweep) Step() (algo.Status, error) {
	if s.ledger.K == len(s.vectors)*s.passes {
		return algo.Budget, nil
	}
	if s.ledger.K > 0 && s.ledger.K%s.passes == 0 {
		before, _ := s.Vector()
		s.take(before + 1)
		s.begin()
	}
	s.run.yielder.Yield(1) // also if the run has diverged and makes no step
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

// SetYielder makes passes yield, also within every step.
func (s *Sweep) SetYielder(b *algo.Yielder) { s.run.SetYielder(b) }

// Diverged reports whether the run that View's point belongs to has diverged. The point is then the end of
// the run's last whole pass, or its start, and does not change until the next run makes a pass.
func (s *Sweep) Diverged() bool { return s.run.ledger.Diverged() }

// Vector returns the index, from 0, and the frequencies of the vector that View's point belongs
// to. The point of a run that has ended stays until the next run makes a pass. The caller must
// not modify the frequencies.
func (s *Sweep) Vector() (index int, m []int) {
	index = max(s.ledger.K-1, 0) / s.passes
	return index, s.vectors[index].frequencies
}

// Pass returns how many passes that run has made: 0 at the start of the sweep, then from 1 to the
// number of passes, at which the run has ended.
func (s *Sweep) Pass() int { return s.ledger.K - s.passes*(max(s.ledger.K-1, 0)/s.passes) }

// Finished returns how many runs have ended.
func (s *Sweep) Finished() int { return s.ledger.K / s.passes }

// View describes the current iterate and the last step: the point of the run, its losses, m_k/p as weights,
// and in Refreshed whether the pass was the first of a run. Cost covers all runs. The step has no
// direction, because it consists of many, and no step size once the run diverged.
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

// Load restores what Save appended. The sweep must have the same configuration.
func (s *Sweep) Load(from *algo.Snapshot) {
	s.ledger.Load(from)
	i, _ := s.Vector()
	s.take(i)
	s.run.Load(from)
}

// Grid returns all (p+q−1 choose q−1) vectors of q ≥ 1 whole numbers ≥ 0 with the sum p ≥ 1, from
// (p, 0, …, 0) to (0, …, 0, p). Each differs from the one before by a turn moved from one objective
// to another.
func Grid(p, q int) [][]int {
	if p < 1 || q < 1 {
		panic("blocks: a grid needs an objective and a turn")
	}
	return grid(p, q)
}

// grid is Grid, also for p = 0. The rest of a vector goes through its own grid forwards if the
// first number is even, and backwards if it is odd. The rests of neighbours are then both at the
// beginning of a grid, or both at the end.
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
