package blocks

import "paretoplay/algo"

// counted is a problem with formulas for its cost. They give the number of multiplications, each with its addition, in
// the computation of a range of a gradient on a batch. The gradient belongs to one objective or to a weighted sum. If
// kept is true, intermediate results that depend only on other blocks are still available from the previous gradient.
type counted interface {
	algo.FiniteSum
	Work(batch, k, lo, hi int, kept bool) int
	WeightedWork(batch, lo, hi int, kept bool) int
}

// workOf returns the number of multiplications in a step, or 0 if the problem has no formulas.
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

// Work returns the number of multiplications, each with its addition, in the gradients of all steps, by the
// problem's formulas (see problem.ReducedRank). It returns 0 if the problem has no formulas. All examples together
// count as one batch.
func (s *Alternation) Work() int { return s.work }

// StepsFor returns the number of steps after which a run's Work reaches the given number work, limited to the number
// most. It also returns the Work after these steps. If the problem has no formulas, it returns most and 0. StepsFor
// does not take these steps.
func (s *Alternation) StepsFor(work, most int) (steps, spent int) {
	if s.counted == nil {
		return most, 0
	}
	for ; steps < most && spent < work; steps++ {
		m := s.due(steps)
		spent += s.workOf(&m)
	}
	s.visited = -1 // the next step may belong to another visit
	return steps, spent
}
