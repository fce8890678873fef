package blocks

import "paretoplay/algo"

// counted is a problem that knows by formula how many multiplications, each with its
// addition, a stretch of a gradient takes on a batch: of one objective, or of a weighted sum.
// kept says that what depends on the other blocks alone is there from the gradient before.
type counted interface {
	algo.FiniteSum
	Work(batch, k, lo, hi int, kept bool) int
	WeightedWork(batch, lo, hi int, kept bool) int
}

// workOf is what a step takes, 0 where the problem does not know it.
func (s *Alternation) workOf(m *Move) int {
	if s.counted == nil {
		return 0
	}
	b, batch := &s.blocks[m.Block], s.batches.size
	if batch == 0 {
		batch = s.counted.Examples()
	}
	kept := s.shared[m.Block] && m.Turn > 0
	if m.Objective == Together {
		return s.counted.WeightedWork(batch, b.lo, b.hi, kept)
	}
	return s.counted.Work(batch, m.Objective, b.lo, b.hi, kept)
}

// Work returns how many multiplications, each with its addition, the gradients of all steps
// took, by the formulas of the problem (see problem.ReducedRank); 0 where it has none. All
// examples together count like a batch of them.
func (s *Alternation) Work() int { return s.work }

// StepsFor returns after how many steps from the start of a run its Work is at least so much, up
// to most steps, and what it is then; most and 0 where the problem has no formulas. It makes no
// step.
func (s *Alternation) StepsFor(work, most int) (steps, spent int) {
	if s.counted == nil {
		return most, 0
	}
	for ; steps < most && spent < work; steps++ {
		m := s.due(steps)
		spent += s.workOf(&m)
	}
	s.visited = -1 // the visit of the next step is another
	return steps, spent
}
