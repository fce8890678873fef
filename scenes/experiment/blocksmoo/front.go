package blocksmoo

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/scenes/race/sweeps"
)

// What is measured of a front, in the order of the rows of its cells.
const (
	purity   = iota
	gamma    // Γ
	delta    // Δ
	points   // of the front
	meanLoss // of the test losses of all vectors
	frontWork
	measures
)

// swept are the methods of which fronts are made, in that order.
var swept = []Method{{ID: sweeps.BlockSMOO}, baseline}

// vectorsOf lists the vectors of q whole numbers ≥ 0 with this sum, the first number rising.
func vectorsOf(sum, q int) [][]int {
	if q == 1 {
		return [][]int{{sum}}
	}
	var out [][]int
	for first := range sum + 1 {
		for _, rest := range vectorsOf(sum-first, q-1) {
			out = append(out, append([]int{first}, rest...))
		}
	}
	return out
}

// sweeper runs one vector after the other.
type sweeper struct {
	front    *Front
	examples examples
	trial    trial
	shared   []bool
	batch    int
	steps    int
	seed     uint64
}

// sweeper makes that of a method.
func (s *Tables) sweeper(f *Front, e examples, m Method, seed uint64) (*sweeper, error) {
	batch := min(s.config.Batch, e.train.Examples())
	w := &sweeper{front: f, examples: e, trial: trial{Setting{m, false, 1}, f.Alpha}, batch: batch,
		steps: f.Passes * (e.train.Examples() / batch), seed: seed}
	first := make([]int, e.train.Responses())
	first[0] = f.Sum
	if m != baseline {
		switch f.Reading {
		case byVisit:
			w.shared = []bool{true, true}
			w.steps *= f.Sum
		case byOuter:
			w.steps *= 2 * f.Sum // two blocks
		case byCost:
			dear, err := newRun(e, f.Rank, trial{Setting{baseline, false, 1}, f.Alpha}, first, nil, batch, seed)
			if err != nil {
				return nil, err
			}
			own, err := w.begin(first)
			if err != nil {
				return nil, err
			}
			w.steps = int(dear.share(w.steps) / own.share(1))
		}
	}
	_, err := w.begin(first)
	return w, err
}

func (w *sweeper) begin(frequencies []int) (*run, error) {
	return newRun(w.examples, w.front.Rank, w.trial, frequencies, w.shared, w.batch, w.seed)
}

// losses are the test losses of every vector whose run does not diverge, and the million
// multiplications of one.
func (w *sweeper) losses() (out [][]float64, work float64, err error) {
	for _, m := range vectorsOf(w.front.Sum, w.examples.train.Responses()) {
		r, err := w.begin(m)
		if err != nil {
			return nil, 0, err
		}
		work = r.share(w.steps)
		status, err := r.stepper.Advance(w.steps)
		if err != nil {
			return nil, 0, err
		}
		if status == algo.Diverged || math.IsInf(r.loss(), 1) {
			continue
		}
		out = append(out, slices.Clone(r.losses))
	}
	return out, work, nil
}

// sweep makes the fronts of both methods with a seed.
func (s *Tables) sweep(c *Cell) ([][]float64, error) {
	e, err := s.store.take(&c.Front.Data, c.Seed)
	if err != nil {
		return nil, err
	}
	rows, sets := make([][]float64, len(swept)), make([][][]float64, len(swept))
	for i, m := range swept {
		w, err := s.sweeper(&c.Front, e, m, c.Seed)
		if err != nil {
			return nil, err
		}
		rows[i] = make([]float64, measures)
		if sets[i], rows[i][frontWork], err = w.losses(); err != nil {
			return nil, err
		}
		for _, f := range sets[i] {
			for _, v := range f {
				rows[i][meanLoss] += v / float64(len(sets[i])*len(f))
			}
		}
	}
	qualities, _, err := pareto.Compare(sets...)
	if err != nil {
		return nil, err
	}
	for i, q := range qualities {
		rows[i][purity], rows[i][gamma], rows[i][delta], rows[i][points] = q.Purity, q.Gamma, q.Delta, float64(len(q.Front))
	}
	return rows, nil
}
