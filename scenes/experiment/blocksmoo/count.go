package blocksmoo

import (
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/scenes/experiment"
)

// cost is what a run takes: million multiplications and thousand coordinates to every level, and
// the loss at every checkpoint.
type cost struct{ work, coordinates, losses []float64 }

func (r *cost) numbers() []*float64 { return pointers(r.work, r.coordinates, r.losses) }

// Numbers of costs.
func workTo(level int) func(r *cost) float64 { return func(r *cost) float64 { return r.work[level] } }
func coordinatesTo(level int) func(r *cost) float64 {
	return func(r *cost) float64 { return r.coordinates[level] }
}
func lossAt(checkpoint int) func(r *cost) float64 {
	return func(r *cost) float64 { return r.losses[checkpoint] }
}

// newCost is of a run that gets nowhere.
func (c *Config) newCost() *cost {
	never := func(n int) []float64 { return slices.Repeat([]float64{math.Inf(1)}, n) }
	return &cost{never(len(c.Levels)), never(len(c.Levels)), never(len(c.Checkpoints))}
}

// counting takes the costs of every method; its rows are by step size.
func (s *Tables) counting() []experiment.Line {
	c := &s.config
	p := part[attempt, *cost]{
		name: "count", say: attempt.say, compute: s.count,
		given: func(attempt) map[string]any {
			return map[string]any{"alphas": experiment.JoinNumbers(c.Alphas), "levels": experiment.JoinNumbers(c.Levels),
				"checkpoints": experiment.JoinNumbers(c.Checkpoints)}
		},
		effort: func(attempt) float64 { return float64(len(c.Alphas)) * c.Checkpoints[len(c.Checkpoints)-1] / 1000 },
		rows:   func(attempt) int { return len(c.Alphas) },
		row:    c.newCost,
	}
	for seed := range c.Tuning + c.Runs {
		for _, m := range methods() {
			for _, setting := range c.counted(m) {
				if seed < c.Tuning || setting == c.plain(m) {
					p.cells = append(p.cells, attempt{setting, c.Seed + uint64(seed)})
				}
			}
		}
	}
	return lines(s, p)
}

// count takes the costs of a setting, with every step size.
func (s *Tables) count(k attempt) (rows []*cost, err error) {
	e, err := s.store.take(&s.config.Race, k.Seed)
	if err != nil {
		return nil, err
	}
	for _, alpha := range s.config.Alphas {
		r, err := s.begin(e, s.config.Rank, trial{k.Setting, alpha}, k.Seed)
		if err != nil {
			return nil, err
		}
		row, err := s.costs(r)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// looks is how often the loss is taken of a run whose cost is counted, at most.
const looks = 200

// costs follows a run up to the last checkpoint. Between two looks the logarithm of the loss
// is taken to be straight.
func (s *Tables) costs(r *run) (*cost, error) {
	levels, checkpoints := s.config.Levels, s.config.Checkpoints
	last := checkpoints[len(checkpoints)-1]
	row := s.config.newCost()
	type place struct{ work, coordinates, loss float64 }
	at := place{loss: math.Log(r.loss())}
	between := func(from, to place, share float64) place {
		return place{from.work + share*(to.work-from.work), from.coordinates + share*(to.coordinates-from.coordinates),
			from.loss + share*(to.loss-from.loss)}
	}
	for level := range levels {
		if at.loss <= math.Log(levels[level]) {
			row.work[level], row.coordinates[level] = 0, 0
		}
	}
	for at.work < last {
		status, err := r.forward(int(last * million / looks))
		if err != nil || status == algo.Diverged {
			return row, err
		}
		now := place{float64(r.work) / million, float64(r.stepper.View().Cost.GradientCoordinates) / thousand, math.Log(r.loss())}
		for i, level := range levels {
			if target := math.Log(level); math.IsInf(row.work[i], 1) && now.loss <= target {
				there := between(at, now, (at.loss-target)/(at.loss-now.loss))
				row.work[i], row.coordinates[i] = there.work, there.coordinates
			}
		}
		for i, checkpoint := range checkpoints {
			if at.work < checkpoint && now.work >= checkpoint {
				row.losses[i] = math.Exp(between(at, now, (checkpoint-at.work)/(now.work-at.work)).loss)
			}
		}
		at = now
	}
	return row, nil
}

// countedValues are a number of the costs of a trial, one of every seed: of those for choosing, or
// of the further ones; nil until all are computed.
func (s *Tables) countedValues(t trial, of func(r *cost) float64, choosing bool) []float64 {
	return gathered(s, slices.Index(s.config.Alphas, t.Alpha), of, func(k attempt) bool {
		return k.Setting == t.Setting && k.Seed < s.config.further(0) == choosing
	})
}

// never is what a run that does not get to a level counts where step sizes are chosen, as a
// multiple of the last checkpoint.
const never = 2

// cheapest is the trial with a setting that gets to a level at the least cost on average
// with the seeds for choosing; ok is false before these are computed, and where no run gets
// there.
func (s *Tables) cheapest(setting Setting, level int) (best trial, ok bool) {
	checkpoints := s.config.Checkpoints
	last := checkpoints[len(checkpoints)-1]
	least := never * last
	for _, alpha := range s.config.Alphas {
		t := trial{setting, alpha}
		values := s.countedValues(t, workTo(level), true)
		if values == nil {
			return t, false
		}
		var mean float64
		for _, v := range values {
			if math.IsInf(v, 1) {
				v = never * last
			}
			mean += v / float64(len(values))
		}
		if mean < least {
			best, least, ok = t, mean, true
		}
	}
	return best, ok
}

// recordedCosts are the costs for JSON, by setting, with the step size that gets to the last level
// at the least cost.
func (s *Tables) recordedCosts() []map[string]any {
	out, levels := []map[string]any{}, len(s.config.Levels)
	for _, m := range methods() {
		for _, setting := range s.config.counted(m) {
			t, ok := s.cheapest(setting, levels-1)
			choosing := setting != s.config.plain(m)
			if !ok || s.countedValues(t, workTo(0), choosing) == nil {
				continue
			}
			entry := t.record()
			entry["choosing"] = choosing
			entry["million"] = known(levels, func(i int) float64 { return experiment.Median(s.countedValues(t, workTo(i), choosing)) })
			entry["thousandCoordinates"] = known(levels, func(i int) float64 {
				return experiment.Median(s.countedValues(t, coordinatesTo(i), choosing))
			})
			out = append(out, entry)
		}
	}
	return out
}
