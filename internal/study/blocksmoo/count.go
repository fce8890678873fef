package blocksmoo

import (
	"fmt"
	"io"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/portable"
)

// A cost row says how many million multiplications and thousand gradient coordinates a run needs to reach each level.
// It also contains the run's loss at each checkpoint.
func workTo(level int) int                    { return level }
func (c *Config) coordinatesTo(level int) int { return len(c.Levels) + level }
func (c *Config) lossAt(checkpoint int) int   { return 2*len(c.Levels) + checkpoint }

// counting counts the costs of every method. Each row is a step size.
func (s *Tables) counting() []experiment.Line {
	c := &s.config
	p := part[attempt]{
		name: "count", say: attempt.say, compute: s.count,
		given: func(attempt) map[string]any {
			return map[string]any{"alphas": c.Alphas, "levels": c.Levels,
				"checkpoints": c.Checkpoints}
		},
		effort:  func(attempt) float64 { return float64(len(c.Alphas)) * c.Checkpoints[len(c.Checkpoints)-1] / 1000 },
		rows:    func(attempt) int { return len(c.Alphas) },
		numbers: c.lossAt(len(c.Checkpoints)),
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

// count counts the costs of a setting with every step size.
func (s *Tables) count(k attempt) (rows experiment.Rows, err error) {
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
		rows.Add(row)
	}
	return rows, nil
}

// looks is the maximum number of loss measurements in a counted run.
const looks = 200

// costs advances a run to the last checkpoint and returns its cost row. It interpolates the logarithm of the loss
// linearly between two measurements.
func (s *Tables) costs(r *run) ([]float64, error) {
	c := &s.config
	levels, checkpoints := c.Levels, c.Checkpoints
	last := checkpoints[len(checkpoints)-1]
	row := slices.Repeat([]float64{math.Inf(1)}, c.lossAt(len(checkpoints))) // infinite costs, in case the run reaches no level
	type place struct{ work, coordinates, loss float64 }
	at := place{loss: portable.Log(r.loss())}
	between := func(from, to place, share float64) place {
		return place{from.work + float64(share*(to.work-from.work)), from.coordinates + float64(share*(to.coordinates-from.coordinates)),
			from.loss + float64(share*(to.loss-from.loss))}
	}
	for level := range levels {
		if at.loss <= portable.Log(levels[level]) {
			row[workTo(level)], row[c.coordinatesTo(level)] = 0, 0
		}
	}
	for at.work < last {
		status, err := r.forward(int(last * million / looks))
		if err != nil || status == algo.Diverged {
			return row, err
		}
		now := place{float64(r.work) / million, float64(r.stepper.View().Cost.GradientCoordinates) / thousand, portable.Log(r.loss())}
		for i, level := range levels {
			if target := portable.Log(level); math.IsInf(row[workTo(i)], 1) && now.loss <= target {
				there := between(at, now, (at.loss-target)/(at.loss-now.loss))
				row[workTo(i)], row[c.coordinatesTo(i)] = there.work, there.coordinates
			}
		}
		for i, checkpoint := range checkpoints {
			if at.work < checkpoint && now.work >= checkpoint {
				row[c.lossAt(i)] = portable.Exp(between(at, now, (checkpoint-at.work)/(now.work-at.work)).loss)
			}
		}
		at = now
	}
	return row, nil
}

// countedValues returns one column of a trial's costs, with one value per seed. The seeds are either those for choosing
// or the additional ones. It returns nil until the costs for all these seeds are computed.
func (s *Tables) countedValues(t trial, number int, choosing bool) []float64 {
	return gathered(s, slices.Index(s.config.Alphas, t.Alpha), number, func(k attempt) bool {
		return k.Setting == t.Setting && k.Seed < s.config.further(0) == choosing
	})
}

// never is the cost of a run that does not reach a level, in units of the last checkpoint. It is used for choosing
// step sizes.
const never = 2

// cheapest returns the trial of a setting that reaches a level at the smallest mean cost over the seeds for choosing.
// It returns ok = false until these runs are computed, and if no run reaches the level.
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

// recordedCosts returns the costs for the JSON file by setting, with the step size that reaches the last level at the
// smallest cost.
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
				return experiment.Median(s.countedValues(t, s.config.coordinatesTo(i), choosing))
			})
			out = append(out, entry)
		}
	}
	return out
}

// costPanel shows the costs of reaching levels, by step size. It includes step sizes with which at least half of the
// runs reach the level.
func (s *Tables) costPanel() *axes.Plane {
	c := &s.config
	last := len(c.Levels) - 1
	p := curves{name: "block-smoo-cost", title: fmt.Sprintf("Million multiplications to a test loss of %g, by step size", c.Levels[last]),
		x: "step size α", y: "million multiplications", at: c.Alphas}
	p.value = func(m Method, i int) float64 {
		return experiment.Median(s.countedValues(trial{c.plain(m), c.Alphas[i]}, workTo(last), false))
	}
	p.shown = func(m Method, i int) bool { v := p.value(m, i); return v-v == 0 && v > 0 }
	p.words = func(m Method, known []int) (out []string) {
		for _, i := range known {
			out = append(out, fmt.Sprintf("%s %s with α = %g", m.title(), experiment.Significant(p.value(m, i), 3), c.Alphas[i]))
		}
		return out
	}
	return s.curvesPanel(&p)
}

// costText formats the median of costs. If some are unknown, it adds the number of known ones.
func costText(costs []float64) string {
	if costs == nil {
		return "–"
	}
	text := "never"
	if m := experiment.Median(costs); m == 0 {
		text = "0"
	} else if !math.IsInf(m, 1) {
		text = experiment.Significant(m, 3)
	}
	if n := finite(costs); n < len(costs) {
		text += fmt.Sprintf(" (%d of %d runs)", n, len(costs))
	}
	return text
}

// entries is a comparison by cost. The function trial returns the trial of a method.
type entries struct {
	title string
	trial func(m Method) (t trial, ok bool)
}

// entriesByCost returns the comparisons by cost.
func (s *Tables) entriesByCost() []entries {
	c := &s.config
	out := []entries{{fmt.Sprintf("All with the step size %g", c.EqualAlpha),
		func(m Method) (trial, bool) { return trial{c.plain(m), c.EqualAlpha}, true }}}
	last := len(c.Levels) - 1
	for _, level := range []int{last, 0} {
		out = append(out, entries{fmt.Sprintf("Each with the step size that reaches %g at the smallest cost", c.Levels[level]),
			func(m Method) (trial, bool) { return s.cheapest(c.plain(m), level) }})
	}
	return out
}

// writeCosts writes the costs of reaching each level, and the losses at equal costs.
func (s *Tables) writeCosts(b *experiment.Text) {
	c := &s.config
	b.Printf("\nBy cost: million multiplications, each with its addition, by formula, to reach a test loss; medians of the runs, and "+
		"the number of known runs if some do not reach it within %g million; × is the ratio to the weighted sum’s if all do, run by run. "+
		"m_k = %d, blocks U and V.\n", c.Checkpoints[len(c.Checkpoints)-1], c.EqualM)
	all := s.entriesByCost()
	for _, e := range all {
		b.Printf("\n%s\n\n", e.title)
		b.Table(func(out io.Writer) {
			fmt.Fprint(out, "method\tα")
			across(out, "\tto %g\t", c.Levels)
			fmt.Fprintln(out)
			to, _ := e.trial(baseline)
			s.eachEntry(out, e, func(t trial) {
				for level := range c.Levels {
					fmt.Fprintf(out, "\t%s\t", costText(s.countedValues(t, workTo(level), false)))
					if t.Method != baseline {
						fmt.Fprint(out, s.against(t, to, workTo(level)).Ratio(math.E))
					}
				}
			})
		})
	}
	b.Printf("\nBy gradient coordinates: thousands of coordinates to reach a test loss; the gradient of a weighted sum counts its " +
		"coordinates once per objective; and the test loss, geometric mean, after the given million multiplications\n")
	for _, e := range all[:2] {
		b.Printf("\n%s\n\n", e.title)
		b.Table(func(out io.Writer) {
			fmt.Fprint(out, "method\tα")
			across(out, "\tto %g", c.Levels)
			across(out, "\tafter %g", c.Checkpoints)
			fmt.Fprintln(out)
			s.eachEntry(out, e, func(t trial) {
				for level := range c.Levels {
					fmt.Fprintf(out, "\t%s", costText(s.countedValues(t, c.coordinatesTo(level), false)))
				}
				for checkpoint := range c.Checkpoints {
					fmt.Fprintf(out, "\t%s", lossText(s.countedValues(t, c.lossAt(checkpoint), false)))
				}
			})
		})
	}
}

// across writes one table cell per number.
func across(out io.Writer, format string, numbers []float64) {
	for _, v := range numbers {
		fmt.Fprintf(out, format, v)
	}
}

// eachEntry writes one line for every method with a known trial.
func (s *Tables) eachEntry(out io.Writer, e entries, write func(t trial)) {
	for _, m := range methods() {
		fmt.Fprint(out, m.title())
		if t, ok := e.trial(m); ok {
			fmt.Fprintf(out, "\t%g", t.Alpha)
			write(t)
		}
		fmt.Fprintln(out)
	}
}

// against returns the ratio of two trials' costs, paired by run.
func (s *Tables) against(t, to trial, number int) experiment.Estimate {
	return experiment.WithInterval(experiment.LogRatios(s.countedValues(t, number, false), s.countedValues(to, number, false)))
}

// writeVariants writes the costs for each partition and m_k.
func (s *Tables) writeVariants(b *experiment.Text) {
	c := &s.config
	last := len(c.Levels) - 1
	b.Printf("\nPartition and m_k: million multiplications, each with the step size that reaches %g at the smallest cost; medians of the "+
		"%d seeds used to choose it\n\n", c.Levels[last], c.Tuning)
	b.Table(func(out io.Writer) {
		fmt.Fprint(out, "method\tblocks\tm_k\tα")
		across(out, "\tto %g", c.Levels)
		fmt.Fprintln(out)
		for _, m := range methods() {
			for _, setting := range c.counted(m) {
				t, ok := s.cheapest(setting, last)
				if !ok {
					fmt.Fprintf(out, "%s\t%s\t%s\t–\n", m.title(), partitionTitles[setting.partition()], mText(setting))
					continue
				}
				fmt.Fprintf(out, "%s\t%s", m.title(), t.words())
				for level := range c.Levels {
					fmt.Fprintf(out, "\t%s", costText(s.countedValues(t, workTo(level), true)))
				}
				fmt.Fprintln(out)
			}
		}
	})
}
