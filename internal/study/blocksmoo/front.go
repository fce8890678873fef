package blocksmoo

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs/sweeps"
)

// Columns of a front.
const (
	purity = iota
	gamma
	delta
	points    // number of points on the front
	meanLoss  // mean test loss over all vectors
	frontWork // million multiplications per vector
	qualities
)

// swept lists the methods whose fronts are computed, in this order.
var swept = []Method{{ID: sweeps.BlockSMOO}, baseline}

// vectorsOf lists the vectors of q whole numbers ≥ 0 with the given sum, ascending by the first number.
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

// sweeper runs a method with one frequency vector after another.
type sweeper struct {
	front    *Front
	examples examples
	trial    trial
	shared   []bool
	batch    int
	steps    int
	seed     uint64
}

// sweeper returns the sweeper for a method.
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
			w.steps *= 2 * f.Sum // there are two blocks
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

// losses returns the test losses of every vector whose run does not diverge. It also returns how many million
// multiplications a vector takes.
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

// sweeping computes the fronts. Each row is a swept method.
func (s *Tables) sweeping() []experiment.Line {
	p := part[sweep]{
		name: "front", compute: s.sweep, effort: sweep.effort,
		given: func(k sweep) map[string]any { return s.given(&k.Data, k.Rank) },
		say: func(k sweep) map[string]any {
			return map[string]any{"rank": k.Rank, "p": k.Sum, "alpha": k.Alpha, "passes": k.Passes, "pass": k.Reading, "seed": k.Seed}
		},
		rows:    func(sweep) int { return len(swept) },
		numbers: qualities,
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

// sweep computes the fronts of both methods for a seed.
func (s *Tables) sweep(k sweep) (experiment.Rows, error) {
	e, err := s.store.take(&k.Data, k.Seed)
	if err != nil {
		return nil, err
	}
	rows, sets := make(experiment.Rows, len(swept)), make([][][]float64, len(swept))
	for i, m := range swept {
		rows[i] = make([]float64, qualities)
		w, err := s.sweeper(&k.Front, e, m, k.Seed)
		if err != nil {
			return nil, err
		}
		if sets[i], rows[i][frontWork], err = w.losses(); err != nil {
			return nil, err
		}
		for _, f := range sets[i] {
			for _, v := range f {
				rows[i][meanLoss] += v / float64(len(sets[i])*len(f))
			}
		}
	}
	compared, _, err := pareto.Compare(sets...)
	if err != nil {
		return nil, err
	}
	for i, q := range compared {
		r := rows[i]
		r[purity], r[gamma], r[delta], r[points] = q.Purity, q.Gamma, q.Delta, float64(len(q.Front))
	}
	return rows, nil
}

// frontValues returns one column of a method's fronts, with one value per seed. The argument method is an index in
// swept. It returns nil until all fronts are computed.
func (s *Tables) frontValues(f *Front, method, number int) []float64 {
	return gathered(s, method, number, func(k sweep) bool { return k.Rank == f.Rank && k.Reading == f.Reading && k.Passes == f.Passes })
}

// frontValue returns the mean of a column with its interval.
func (s *Tables) frontValue(f *Front, method, number int) experiment.Estimate {
	return experiment.WithInterval(s.frontValues(f, method, number))
}

// recordedFronts returns the quality of the fronts for the JSON file, by front and method.
func (s *Tables) recordedFronts() []map[string]any {
	out := []map[string]any{}
	for i := range s.config.Fronts {
		f := &s.config.Fronts[i]
		for j, m := range swept {
			if s.frontValues(f, j, purity) != nil {
				mean := func(number int) *float64 { return data.Known(s.frontValue(f, j, number).Mean) }
				out = append(out, map[string]any{"method": m.ID, "rank": f.Rank, "pass": f.Reading,
					"purity": mean(purity), "gamma": mean(gamma), "delta": mean(delta)})
			}
		}
	}
	return out
}

// frontPanel shows the purity of fronts with its interval.
func (s *Tables) frontPanel() *axes.Plane {
	c := &s.config
	const name = "block-smoo-fronts"
	const title = "Purity of fronts, by r, pass and passes"
	label := func(f *Front) string { return fmt.Sprintf("%d, %s, %d", f.Rank, f.Reading, f.Passes) }
	return &axes.Plane{
		Name: name, Heading: title,
		Text: func() string {
			var parts []string
			for i := range c.Fronts {
				for j, m := range swept {
					if e := s.frontValue(&c.Fronts[i], j, purity); e.Known() {
						parts = append(parts, fmt.Sprintf("%s %s with %s", m.title(), e.Text(2), label(&c.Fronts[i])))
					}
				}
			}
			return title + ". " + strings.Join(parts, ", ")
		},
		Axes: func() (axes.Axis, axes.Axis) {
			y := axes.Categories("", c.Fronts, func(f Front) string { return label(&f) })
			slices.Reverse(y.Categories) // the first front is at the top
			return axes.Axis{Label: "purity", Min: -0.05, Max: 1.05}, y
		},
		Legend: s.legend(swept),
		Sheets: func() []axes.Sheet {
			return experiment.Sheets(s.Grid, name, func(b *brush.Brush) {
				for i := range c.Fronts {
					for j, m := range swept {
						y := float64(len(c.Fronts)-1-i) + 0.15 - float64(0.3*float64(j))
						experiment.DrawAcross(b, y, s.frontValue(&c.Fronts[i], j, purity), 1.5, 4, m.look(b.Theme))
					}
				}
			})
		},
	}
}

// readingTitles describes the readings of a pass.
var readingTitles = map[string]string{
	byStep: "one batch per inner step", byVisit: "one batch per visit to a block", byOuter: "every outer iteration counts as one batch",
	byCost: "equal multiplications for both",
}

// writeFronts writes the quality of the fronts next to the paper's.
func (s *Tables) writeFronts(b *experiment.Text) {
	c := &s.config
	if len(c.Fronts) == 0 {
		return
	}
	f := &c.Fronts[0]
	_, _, q := f.shape()
	b.Printf("\nFronts: every m with Σm = %d, %d vectors, α = %g; %s. Purity, Γ and Δ of the test losses of both methods, which "+
		"share starts and batches; million multiplications are per vector.\n\n", f.Sum, vectors(f.Sum, q), f.Alpha, f.title())
	b.Table(func(out io.Writer) {
		fmt.Fprintln(out, "r\tpasses\ta pass\tseeds\tmethod\tpurity\tΓ\tΔ\tpoints on the front\tmean loss\tmillion multiplications")
		for i := range c.Fronts {
			f := &c.Fronts[i]
			for j, m := range swept {
				fmt.Fprintf(out, "%d\t%d\t%s\t%d\t%s", f.Rank, f.Passes, readingTitles[f.Reading], f.Seeds, m.title())
				value := func(number int) experiment.Estimate { return s.frontValue(f, j, number) }
				if s.frontValues(f, j, purity) != nil {
					fmt.Fprintf(out, "\t%s\t%s\t%s\t%.0f\t%s\t%s", value(purity).Text(2), value(gamma).Text(3), value(delta).Text(2),
						value(points).Mean, experiment.Significant(value(meanLoss).Mean, 3), experiment.Significant(value(frontWork).Mean, 3))
				}
				fmt.Fprintln(out)
			}
		}
		if c.Race.Table != nil {
			return
		}
		for j, m := range swept {
			paper := paperTable1[j]
			fmt.Fprintf(out, "?\t20\tthe paper’s Table 1, air-quality data\t\t%s\t%.4f\t%.4f\t%.4f\n", m.title(), paper[purity],
				paper[gamma], paper[delta])
		}
	})
}
