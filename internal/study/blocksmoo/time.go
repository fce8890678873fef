package blocksmoo

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"paretoplay/algo"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/experiment"
)

// Columns of a timed run.
const (
	steps      = iota
	work       // million multiplications, with a share of an unfinished outer iteration
	lossesFrom // index of the loss at the first record time
)

// race advances a run to each of the given times, in seconds, and measures its loss at these times. The clock stops
// during measurements. The run itself does not depend on the step at which a time is reached.
func (r *run) race(times []float64) ([]float64, error) {
	out := append([]float64{steps: 0, work: 0}, slices.Repeat([]float64{math.Inf(1)}, len(times))...)
	elapsed, made := time.Nanosecond, 0
	for i, t := range times {
		until := time.Duration(t * float64(time.Second))
		for elapsed < until {
			// Steps have different costs, so the first steps' times are a poor estimate for the others.
			count := max(1, min(made, int(float64(until-elapsed)/float64(elapsed)*float64(made))))
			before := experiment.ProcessorTime()
			status, err := r.stepper.Advance(count)
			elapsed += max(time.Nanosecond, experiment.ProcessorTime()-before)
			if err != nil {
				return nil, err
			}
			made = r.stepper.View().K
			out[steps], out[work] = float64(made), r.share(made)
			if status == algo.Diverged {
				return out, nil
			}
		}
		out[lossesFrom+i] = r.loss()
	}
	return out, nil
}

// share returns the approximate number of multiplications, in millions, that the given number of steps takes.
func (r *run) share(steps int) float64 {
	return float64(steps) / float64(r.stepper.OuterSteps()) * float64(r.outer) / million
}

// clocked runs a trial with a clock and returns its row.
func (s *Tables) clocked(t trial, seed uint64, times []float64) ([]float64, error) {
	e, err := s.store.take(&s.config.Race, seed)
	if err != nil {
		return nil, err
	}
	r, err := s.begin(e, s.config.Rank, t, seed)
	if err != nil {
		return nil, err
	}
	return r.race(times)
}

// contender is a method in the comparison by time, with its chosen trial or with the common step size.
type contender struct {
	Method
	tuned bool
}

// contenders lists the contenders in the order of a timed cell's rows.
func contenders() (out []contender) {
	for _, tuned := range []bool{true, false} {
		for _, m := range methods() {
			out = append(out, contender{m, tuned})
		}
	}
	return out
}

// entered returns the trial that a contender runs. It returns ok = false until the trial is chosen.
func (s *Tables) entered(c contender) (t trial, ok bool) {
	if c.tuned {
		return s.chosen(c.Method)
	}
	return trial{s.config.plain(c.Method), s.config.EqualAlpha}, true
}

// racing is the seed of timed runs that are not used for choosing settings.
type racing struct{ Seed uint64 }

// timing computes the timed runs. Each row is a contender.
func (s *Tables) timing() []experiment.Line {
	c := &s.config
	p := part[racing]{
		name: "time", clock: true, given: raced[racing](c), compute: s.race,
		say:     func(k racing) map[string]any { return map[string]any{"seed": k.Seed} },
		effort:  func(racing) float64 { return c.Budget * float64(len(contenders())) },
		rows:    func(racing) int { return len(contenders()) },
		numbers: lossesFrom + len(c.Records),
	}
	for run := range c.Runs {
		p.cells = append(p.cells, racing{c.further(run)})
	}
	return lines(s, p)
}

// race computes the timed runs for a seed.
func (s *Tables) race(k racing) (rows experiment.Rows, err error) {
	all := contenders()
	rows = make(experiment.Rows, len(all))
	for place := range all {
		i := place
		if k.Seed%2 == 1 { // alternate the order, to cancel slow changes of the machine's speed
			i = len(all) - 1 - place
		}
		t, ok := s.entered(all[i])
		if !ok {
			return nil, fmt.Errorf("%s: the timed run starts before its setting is chosen", all[i].title())
		}
		if rows[i], err = s.clocked(t, k.Seed, s.config.Records); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// timedValues returns one column of a contender's timed runs, with one value per seed. It returns nil until all runs
// are computed.
func (s *Tables) timedValues(c contender, number int) []float64 {
	return gathered(s, slices.Index(contenders(), c), number, func(racing) bool { return true })
}

// timedMean returns the mean of the values of timedValues.
func (s *Tables) timedMean(c contender, number int) float64 {
	return experiment.WithInterval(s.timedValues(c, number)).Mean
}

// lossOverTime returns a contender's losses at record i, one per seed.
func (s *Tables) lossOverTime(c contender, i int) []float64 { return s.timedValues(c, lossesFrom+i) }

// Raced returns the test losses of a method's timed runs after the given share of the budget, from 0 to 1, one loss per
// additional seed. The runs use the method's chosen settings if tuned is true, and otherwise the common step size. A
// diverged run has an infinite loss. Raced returns nil if there is no record at that time, or until all runs are
// computed.
func (s *Tables) Raced(method string, tuned bool, budgetShare float64) []float64 {
	for i, t := range s.config.Records {
		if math.Abs(t/s.config.Budget-budgetShare) < 1e-9 {
			return s.lossOverTime(contender{Method{ID: method}, tuned}, i)
		}
	}
	return nil
}

// recordedTimes returns the timed runs for the JSON file, by contender.
func (s *Tables) recordedTimes() []map[string]any {
	out := []map[string]any{}
	for _, c := range contenders() {
		t, ok := s.entered(c)
		if !ok || s.timedValues(c, steps) == nil {
			continue
		}
		entry := t.record()
		entry["tuned"], entry["steps"], entry["million"] = c.tuned, s.timedMean(c, steps), s.timedMean(c, work)
		entry["losses"] = known(len(s.config.Records), func(i int) float64 { return s.timedMean(c, lossesFrom+i) })
		out = append(out, entry)
	}
	return out
}

// timePanel shows the losses over time of the methods that never diverge.
func (s *Tables) timePanel(tuned bool) *axes.Plane {
	c := &s.config
	p := curves{name: "block-smoo-time", title: "Test loss over time, each with the settings that are best at the end",
		x: "seconds", y: "test loss", at: c.Records}
	if !tuned {
		p.name, p.title = "block-smoo-time-equal", fmt.Sprintf("Test loss over time, all with the step size %g", c.EqualAlpha)
	}
	p.value = func(m Method, i int) float64 {
		if losses := s.lossOverTime(contender{m, tuned}, i); losses != nil && finite(losses) == len(losses) {
			return experiment.GeometricMean(losses)
		}
		return math.NaN()
	}
	last := len(c.Records) - 1
	p.shown = func(m Method, _ int) bool { return !math.IsNaN(p.value(m, last)) }
	p.words = func(m Method, known []int) []string {
		if known == nil {
			return nil
		}
		return []string{fmt.Sprintf("%s %s after %g s and %s at the end", m.title(), experiment.Significant(p.value(m, 0), 2), c.Records[0],
			experiment.Significant(p.value(m, last), 3))}
	}
	return s.curvesPanel(&p)
}

// shownRecords returns the indices of the records that tables show.
func (c *Config) shownRecords() (out []int) {
	last := len(c.Records) - 1
	for i, t := range c.Records {
		if share := t / c.Budget; i == last || share <= 0.1+1e-9 || math.Abs(share-0.2) < 1e-9 || math.Abs(share-0.5) < 1e-9 {
			out = append(out, i)
		}
	}
	return out
}

func (s *Tables) writeTimed(b *experiment.Text) {
	c := &s.config
	b.Printf("\nBy time: the test loss, geometric mean, after the given seconds of processor time, with a budget of %g, one run at "+
		"a time; the time of measurements is excluded.\n", c.Budget)
	for _, tuned := range []bool{true, false} {
		if tuned {
			b.Printf("\nEach with the partition, m_k and step size with the smallest final loss: all step sizes of {%s}, m_k of {%s} and both "+
				"partitions with one seed, then the best %d with %d other seeds\n\n", experiment.List(c.Alphas),
				strings.Trim(strings.ReplaceAll(fmt.Sprint(c.Ms), " ", ", "), "[]"), c.Finalists, c.Tuning-1)
		} else {
			b.Printf("\nAll with the step size %g and m_k = %d, blocks U and V\n\n", c.EqualAlpha, c.EqualM)
		}
		b.Table(func(out io.Writer) {
			fmt.Fprint(out, "method\tblocks\tm_k\tα")
			for _, i := range c.shownRecords() {
				fmt.Fprintf(out, "\t%g s", c.Records[i])
			}
			fmt.Fprintln(out, "\tfinal, to the weighted sum’s\tsteps\tmillion multiplications per second")
			for _, contender := range contenders() {
				if contender.tuned == tuned {
					s.writeContender(out, contender)
				}
			}
		})
	}
}

func (s *Tables) writeContender(out io.Writer, c contender) {
	config := &s.config
	fmt.Fprint(out, c.Method.title())
	t, ok := s.entered(c)
	if !ok || s.timedValues(c, steps) == nil {
		fmt.Fprintln(out, "\t–")
		return
	}
	fmt.Fprintf(out, "\t%s", t.words())
	for _, i := range config.shownRecords() {
		fmt.Fprintf(out, "\t%s", lossText(s.lossOverTime(c, i)))
	}
	last := len(config.Records) - 1
	to := ""
	if c.Method != baseline {
		ratios := experiment.LogRatios(s.lossOverTime(c, last), s.lossOverTime(contender{baseline, c.tuned}, last))
		to = experiment.WithInterval(ratios).Ratio(math.E)
	}
	fmt.Fprintf(out, "\t%s\t%.0f\t%s\n", to, s.timedMean(c, steps),
		experiment.Significant(s.timedMean(c, work)/config.Budget, 2))
}
