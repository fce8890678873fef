package blocksmoo

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"paretoplay/internal/engine/experiment"
)

// attempt is a setting with every step size, with one seed.
type attempt struct {
	Setting
	Seed uint64
}

func (k attempt) say() map[string]any {
	return map[string]any{"method": k.ID, "shared": k.Shared, "partition": k.partition(), "m": k.M, "seed": float64(k.Seed)}
}

// final is the loss of a trial when its time is up.
type final struct{ loss float64 }

func (r *final) numbers() []*float64 { return []*float64{&r.loss} }

// screening tries every setting and step size with one seed; its rows are by step size.
func (s *Tables) screening() []experiment.Line {
	c := &s.config
	p := part[attempt, *final]{
		name: "screen", clock: true, say: attempt.say, given: raced[attempt](c),
		effort: func(attempt) float64 { return c.Budget * float64(len(c.Alphas)) },
		rows:   func(attempt) int { return len(c.Alphas) },
		row:    func() *final { return &final{} },
		compute: func(k attempt) (rows []*final, err error) {
			for _, alpha := range c.Alphas {
				loss, err := s.final(trial{k.Setting, alpha}, k.Seed)
				if err != nil {
					return nil, err
				}
				rows = append(rows, &final{loss})
			}
			return rows, nil
		},
	}
	for _, m := range methods() {
		for _, setting := range c.settings(m) {
			p.cells = append(p.cells, attempt{setting, c.Seed})
		}
	}
	return lines(s, p)
}

// raced returns the settings of timed runs.
func raced[K any](c *Config) func(K) map[string]any {
	return func(K) map[string]any {
		return map[string]any{"alphas": experiment.JoinNumbers(c.Alphas), "records": experiment.JoinNumbers(c.Records)}
	}
}

// final is the loss of a trial when its time is up.
func (s *Tables) final(t trial, seed uint64) (float64, error) {
	o, err := s.clocked(t, seed, []float64{s.config.Budget})
	if err != nil {
		return 0, err
	}
	return o.losses[0], nil
}

// finalist is one of a method's trials that are best with one seed, with the others for choosing.
type finalist struct {
	trial  float64   // its number
	losses []float64 // by seed
}

func (r *finalist) numbers() []*float64 { return append([]*float64{&r.trial}, pointers(r.losses)...) }

// tuning tries the best trials of every method again; its rows are by finalist.
func (s *Tables) tuning() []experiment.Line {
	c := &s.config
	return lines(s, part[Method, *finalist]{
		name: "tune", clock: true, cells: methods(), given: raced[Method](c), compute: s.tune,
		say:    func(m Method) map[string]any { return map[string]any{"method": m.ID, "shared": m.Shared} },
		effort: func(Method) float64 { return c.Budget * float64(c.Finalists*(c.Tuning-1)) },
		rows:   func(m Method) int { return min(c.Finalists, len(c.trials(m))) },
		row:    func() *finalist { return &finalist{losses: make([]float64, c.Tuning-1)} },
		check: func(m Method, rows []*finalist) error {
			for i, r := range rows {
				if r.trial != math.Trunc(r.trial) || r.trial >= float64(len(c.trials(m))) {
					return fmt.Errorf("row %d begins with %g, which is no setting’s number", i+1, r.trial)
				}
			}
			return nil
		},
	})
}

// tune tries the best of a method's trials with the other seeds for choosing.
func (s *Tables) tune(m Method) (rows []*finalist, err error) {
	var screened []float64
	for c := range experiment.Of[cell[attempt, *final]](s.Grid) {
		if c.Key.Method == m {
			for _, row := range c.Rows {
				screened = append(screened, row.loss)
			}
		}
	}
	trials := s.config.trials(m)
	if len(screened) != len(trials) {
		return nil, fmt.Errorf("%s: %d of %d settings are tried before the best are chosen", m.title(), len(screened), len(trials))
	}
	order := make([]int, len(trials))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(screened[a], screened[b]) })
	for _, i := range order[:min(s.config.Finalists, len(order))] {
		row := &finalist{trial: float64(i)}
		for seed := 1; seed < s.config.Tuning; seed++ {
			loss, err := s.final(trials[i], s.config.Seed+uint64(seed))
			if err != nil {
				return nil, err
			}
			row.losses = append(row.losses, loss)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// chosen is the trial of a method with the least mean loss among its finalists; ok is false
// before these are computed.
func (s *Tables) chosen(m Method) (best trial, ok bool) {
	least := math.Inf(1)
	for c := range experiment.Of[cell[Method, *finalist]](s.Grid) {
		if c.Key != m {
			continue
		}
		for _, row := range c.Rows {
			var sum float64
			for _, loss := range row.losses {
				sum += loss
			}
			if !ok || sum < least {
				best, least, ok = s.config.trials(m)[int(row.trial)], sum, true
			}
		}
	}
	return best, ok
}
