package blocksmoo

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"paretoplay/internal/engine/experiment"
)

// attempt is a setting with one seed and every step size.
type attempt struct {
	Setting
	Seed uint64
}

func (k attempt) say() map[string]any {
	return map[string]any{"method": k.ID, "shared": k.Shared, "partition": k.partition(), "m": k.M, "seed": k.Seed}
}

// screened is an attempt in the first stage of choosing settings for timed runs. All settings share its seed.
type screened struct{ attempt }

// screening tries every setting and step size with one seed. Each row contains the loss at the end of the budget for
// one step size.
func (s *Tables) screening() []experiment.Line {
	c := &s.config
	p := part[screened]{
		name: "screen", clock: true, say: func(k screened) map[string]any { return k.say() }, given: raced[screened](c),
		effort:  func(screened) float64 { return c.Budget * float64(len(c.Alphas)) },
		rows:    func(screened) int { return len(c.Alphas) },
		numbers: 1,
		compute: func(k screened) (rows experiment.Rows, err error) {
			for _, alpha := range c.Alphas {
				loss, err := s.final(trial{k.Setting, alpha}, k.Seed)
				if err != nil {
					return nil, err
				}
				rows.Add([]float64{loss})
			}
			return rows, nil
		},
	}
	for _, m := range methods() {
		for _, setting := range c.settings(m) {
			p.cells = append(p.cells, screened{attempt{setting, c.Seed}})
		}
	}
	return lines(s, p)
}

// raced returns a function that returns the settings to record in the cell of a timed run.
func raced[K any](c *Config) func(K) map[string]any {
	return func(K) map[string]any {
		return map[string]any{"alphas": c.Alphas, "records": c.Records}
	}
}

// final returns a trial's loss at the end of its budget.
func (s *Tables) final(t trial, seed uint64) (float64, error) {
	o, err := s.clocked(t, seed, []float64{s.config.Budget})
	if err != nil {
		return 0, err
	}
	return o[lossesFrom], nil
}

// Columns of a finalist's row. A finalist is one of a method's trials with the smallest losses for the first seed.
const (
	trialNumber = iota
	trialLosses // losses with the other seeds for choosing
)

// tuning tries the best trials of every method again. Each row is a finalist.
func (s *Tables) tuning() []experiment.Line {
	c := &s.config
	return lines(s, part[Method]{
		name: "tune", clock: true, cells: methods(), given: raced[Method](c), compute: s.tune,
		say:     func(m Method) map[string]any { return map[string]any{"method": m.ID, "shared": m.Shared} },
		effort:  func(Method) float64 { return c.Budget * float64(c.Finalists*(c.Tuning-1)) },
		rows:    func(m Method) int { return min(c.Finalists, len(c.trials(m))) },
		numbers: trialLosses + c.Tuning - 1,
		check: func(m Method, rows experiment.Rows) error {
			for i, v := range rows.Number(trialNumber) {
				if v != math.Trunc(v) || v >= float64(len(c.trials(m))) {
					return fmt.Errorf("row %d begins with %g, which is not the index of a setting", i+1, v)
				}
			}
			return nil
		},
	})
}

// tune tries a method's best trials with the other seeds for choosing.
func (s *Tables) tune(m Method) (rows experiment.Rows, err error) {
	var losses []float64
	for c := range experiment.Of[cell[screened]](s.Grid) {
		if c.Key.Method == m {
			losses = append(losses, c.Rows.Number(0)...)
		}
	}
	trials := s.config.trials(m)
	if len(losses) != len(trials) {
		return nil, fmt.Errorf("%s: only %d of %d settings were tried before choosing the best", m.title(), len(losses), len(trials))
	}
	order := make([]int, len(trials))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(losses[a], losses[b]) })
	for _, i := range order[:min(s.config.Finalists, len(order))] {
		row := []float64{float64(i)}
		for seed := 1; seed < s.config.Tuning; seed++ {
			loss, err := s.final(trials[i], s.config.Seed+uint64(seed))
			if err != nil {
				return nil, err
			}
			row = append(row, loss)
		}
		rows.Add(row)
	}
	return rows, nil
}

// chosen returns a method's finalist with the smallest mean loss. It returns ok = false until the finalists are
// computed.
func (s *Tables) chosen(m Method) (best trial, ok bool) {
	least := math.Inf(1)
	for c := range experiment.Of[cell[Method]](s.Grid) {
		if c.Key != m {
			continue
		}
		for _, row := range c.Rows {
			var sum float64
			for _, loss := range row[trialLosses:] {
				sum += loss
			}
			if !ok || sum < least {
				best, least, ok = s.config.trials(m)[int(row[trialNumber])], sum, true
			}
		}
	}
	return best, ok
}
