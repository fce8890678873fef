package blocksmoo

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/scenes/exchange"
	"paretoplay/scenes/experiment"
	"paretoplay/scenes/experiment/statistics"
	"paretoplay/scenes/race/sweeps"
)

// quality is what is measured of a front.
type quality struct {
	purity, gamma, delta float64
	points               float64 // of the front
	loss                 float64 // mean of the test losses of all vectors
	work                 float64 // million multiplications of a vector
}

func (r *quality) numbers() []*float64 {
	return []*float64{&r.purity, &r.gamma, &r.delta, &r.points, &r.loss, &r.work}
}

// Numbers of qualities.
func purity(r *quality) float64    { return r.purity }
func gamma(r *quality) float64     { return r.gamma }
func delta(r *quality) float64     { return r.delta }
func points(r *quality) float64    { return r.points }
func meanLoss(r *quality) float64  { return r.loss }
func frontWork(r *quality) float64 { return r.work }

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

// sweep is a front with a seed.
type sweep struct {
	Front
	Seed uint64
}

// sweeping makes the fronts; its rows are by method that is swept.
func (s *Tables) sweeping() []experiment.Line {
	p := part[sweep, *quality]{
		name: "front", compute: s.sweep, effort: sweep.effort,
		given: func(k sweep) map[string]any { return s.given(&k.Data, k.Rank) },
		say: func(k sweep) map[string]any {
			return map[string]any{"rank": k.Rank, "p": k.Sum, "alpha": k.Alpha, "passes": k.Passes, "pass": k.Reading, "seed": float64(k.Seed)}
		},
		rows: func(sweep) int { return len(swept) },
		row:  func() *quality { return &quality{} },
	}
	for _, f := range s.config.Fronts {
		for seed := range f.Seeds {
			p.cells = append(p.cells, sweep{f, s.config.Seed + uint64(seed)})
		}
	}
	return lines(s, p)
}

func (k sweep) effort() float64 {
	steps := k.Passes * 32
	switch k.Reading {
	case byVisit:
		steps *= k.Sum
	case byOuter:
		steps *= 2 * k.Sum
	case byCost:
		steps *= 2
	}
	return float64(steps) * 5e-3
}

// sweep makes the fronts of both methods with a seed.
func (s *Tables) sweep(k sweep) ([]*quality, error) {
	e, err := s.store.take(&k.Data, k.Seed)
	if err != nil {
		return nil, err
	}
	rows, sets := make([]*quality, len(swept)), make([][][]float64, len(swept))
	for i, m := range swept {
		rows[i] = &quality{}
		w, err := s.sweeper(&k.Front, e, m, k.Seed)
		if err != nil {
			return nil, err
		}
		if sets[i], rows[i].work, err = w.losses(); err != nil {
			return nil, err
		}
		for _, f := range sets[i] {
			for _, v := range f {
				rows[i].loss += v / float64(len(sets[i])*len(f))
			}
		}
	}
	qualities, _, err := pareto.Compare(sets...)
	if err != nil {
		return nil, err
	}
	for i, q := range qualities {
		r := rows[i]
		r.purity, r.gamma, r.delta, r.points = q.Purity, q.Gamma, q.Delta, float64(len(q.Front))
	}
	return rows, nil
}

// frontValues are a number of the fronts of a method, of those that are swept, one of every seed;
// nil until all are computed.
func (s *Tables) frontValues(f *Front, method int, of func(r *quality) float64) []float64 {
	return gathered(s, method, of, func(k sweep) bool { return k.Rank == f.Rank && k.Reading == f.Reading && k.Passes == f.Passes })
}

// frontValue is the mean of a number with its interval.
func (s *Tables) frontValue(f *Front, method int, of func(r *quality) float64) experiment.Estimate {
	return statistics.WithInterval(s.frontValues(f, method, of))
}

// recordedFronts are the qualities for JSON, by front and method.
func (s *Tables) recordedFronts() []map[string]any {
	out := []map[string]any{}
	for i := range s.config.Fronts {
		f := &s.config.Fronts[i]
		for j, m := range swept {
			if s.frontValues(f, j, purity) != nil {
				mean := func(of func(r *quality) float64) *float64 { return exchange.Known(s.frontValue(f, j, of).Mean) }
				out = append(out, map[string]any{"method": m.ID, "rank": f.Rank, "pass": f.Reading,
					"purity": mean(purity), "gamma": mean(gamma), "delta": mean(delta)})
			}
		}
	}
	return out
}
