package blocksmoo

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"paretoplay/scenes/experiment"
	"paretoplay/scenes/experiment/statistics"
	"paretoplay/scenes/race/sweeps"
)

func (m Method) title() string {
	for _, method := range sweeps.Methods() {
		if method.ID == m.ID {
			if m.Shared {
				return method.Title + ", shared V batch"
			}
			return method.Title
		}
	}
	return m.ID
}

func (c contender) title() string {
	if c.tuned {
		return c.Method.title()
	}
	return c.Method.title() + ", the same step size"
}

// partitionTitles are the partitions' titles.
var partitionTitles = map[string]string{whole: "–", twoParts: "U, V", byRows: "U, rows of V"}

// readingTitles say what a pass is.
var readingTitles = map[string]string{
	byStep: "every inner step a batch", byVisit: "every visit to a block a batch", byOuter: "every outer iteration counts as a batch",
	byCost: "as many multiplications for both",
}

// lossText writes the geometric mean of losses, or that some diverged.
func lossText(losses []float64) string {
	if diverged := len(losses) - finite(losses); diverged > 0 {
		return fmt.Sprintf("%d diverged", diverged)
	}
	return experiment.Significant(geometric(losses), 3)
}

// geometric mean of numbers above 0, NaN of none.
func geometric(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}

// finite is how many of the values are.
func finite(values []float64) (n int) {
	for _, v := range values {
		if v-v == 0 {
			n++
		}
	}
	return n
}

// costText writes the median of costs, and of how many runs they are known where not of all.
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

func (t trial) words() string {
	return fmt.Sprintf("%s\t%s\t%g", partitionTitles[t.partition()], mText(t.Setting), t.Alpha)
}

func mText(s Setting) string {
	if s.Method == baseline {
		return "–"
	}
	return strconv.Itoa(s.M)
}

// title says what is learned.
func (d *Data) title() string {
	examples, features, q := d.shape()
	if d.Table != nil {
		return fmt.Sprintf("%d rows to learn from, %d for tests, d = %d, q = %d (%s)", examples, d.Table.Test.Examples(), features, q,
			strings.Join(d.Table.Responses, ", "))
	}
	return fmt.Sprintf("%d rows to learn from, %d for tests, d = %d, q = %d, true rank %d, noise %g", examples, d.Drawn.Test, features, q,
		d.Drawn.TrueRank, d.Drawn.Noise)
}

// WriteText writes the tables for people.
func (s *Tables) WriteText(w io.Writer) error {
	c := &s.config
	b := experiment.Text{Trimmed: true}
	b.Printf("Reduced-rank regression, %s, r = %d, batch %d; the loss is the mean of the responses’ squared errors on the rows "+
		"for tests.\n", c.Race.title(), c.Rank, c.Batch)
	b.Printf("%d runs of every method, whose seeds have their own start and batches%s; ± and [ ] are 95 %% intervals over them. "+
		"Settings are chosen with %d other seeds.\n", c.Runs, map[bool]string{true: " and data"}[c.Race.Table == nil], c.Tuning)
	s.writeTimed(&b)
	s.writeCosts(&b)
	s.writeVariants(&b)
	s.writeFronts(&b)
	return b.Show(w)
}

// shownRecords are the times that tables show: few of the records.
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
	b.Printf("\nBy the clock: the test loss, geometric mean, after so many seconds of a processor, of a budget of %g, one run at "+
		"a time; the time of measuring is left out.\n", c.Budget)
	for _, tuned := range []bool{true, false} {
		if tuned {
			b.Printf("\nEach with the partition, m_k and step size with the least loss at the end: every one of {%s}, m_k of {%s} and both "+
				"partitions with one seed, the best %d with %d others\n\n", experiment.List(c.Alphas),
				strings.Trim(strings.ReplaceAll(fmt.Sprint(c.Ms), " ", ", "), "[]"), c.Finalists, c.Tuning-1)
		} else {
			b.Printf("\nAll with the step size %g and m_k = %d, blocks U and V\n\n", c.EqualAlpha, c.EqualM)
		}
		b.Table(func(out io.Writer) {
			fmt.Fprint(out, "method\tblocks\tm_k\tα")
			for _, i := range c.shownRecords() {
				fmt.Fprintf(out, "\t%g s", c.Records[i])
			}
			fmt.Fprintln(out, "\tat the end, to the weighted sum’s\tsteps\tmillion multiplications a second")
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
	if !ok || s.timedValues(c, stepsOf) == nil {
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
		to = statistics.WithInterval(ratios).Ratio(math.E)
	}
	fmt.Fprintf(out, "\t%s\t%.0f\t%s\n", to, s.timedMean(c, stepsOf),
		experiment.Significant(s.timedMean(c, workOf)/config.Budget, 2))
}

// entries are who takes part in a race by cost: every method with a trial.
type entries struct {
	title string
	trial func(m Method) (t trial, ok bool)
}

// entriesByCost are the entries of the tables.
func (s *Tables) entriesByCost() []entries {
	c := &s.config
	out := []entries{{fmt.Sprintf("All with the step size %g", c.EqualAlpha),
		func(m Method) (trial, bool) { return trial{c.plain(m), c.EqualAlpha}, true }}}
	last := len(c.Levels) - 1
	for _, level := range []int{last, 0} {
		out = append(out, entries{fmt.Sprintf("Each with the step size that gets to %g at the least cost", c.Levels[level]),
			func(m Method) (trial, bool) { return s.cheapest(c.plain(m), level) }})
	}
	return out
}

// writeCosts writes costs to levels, and losses at equal costs.
func (s *Tables) writeCosts(b *experiment.Text) {
	c := &s.config
	b.Printf("\nBy cost: million multiplications, each with its addition, by formula, up to a test loss; medians of the runs, and "+
		"of how many they are known where some do not get there with %g million; × is the ratio to the weighted sum’s where all do, run by run. "+
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
	b.Printf("\nBy gradient coordinates: thousands of them up to a test loss, of which the gradient of a weighted sum has as many " +
		"for each objective; and the test loss, geometric mean, after so many million multiplications\n")
	for _, e := range all[:2] {
		b.Printf("\n%s\n\n", e.title)
		b.Table(func(out io.Writer) {
			fmt.Fprint(out, "method\tα")
			across(out, "\tto %g", c.Levels)
			across(out, "\tafter %g", c.Checkpoints)
			fmt.Fprintln(out)
			s.eachEntry(out, e, func(t trial) {
				for level := range c.Levels {
					fmt.Fprintf(out, "\t%s", costText(s.countedValues(t, coordinatesTo(level), false)))
				}
				for checkpoint := range c.Checkpoints {
					fmt.Fprintf(out, "\t%s", lossText(s.countedValues(t, lossAt(checkpoint), false)))
				}
			})
		})
	}
}

// across writes an entry for each of the numbers.
func across(out io.Writer, format string, numbers []float64) {
	for _, v := range numbers {
		fmt.Fprintf(out, format, v)
	}
}

// eachEntry writes a line for every method, as far as its trial is known.
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

// against is the ratio of a cost of a trial to that of another, run by run.
func (s *Tables) against(t, to trial, of func(r *cost) float64) experiment.Estimate {
	return statistics.WithInterval(experiment.LogRatios(s.countedValues(t, of, false), s.countedValues(to, of, false)))
}

// writeVariants writes what partition and m_k cost.
func (s *Tables) writeVariants(b *experiment.Text) {
	c := &s.config
	last := len(c.Levels) - 1
	b.Printf("\nPartition and m_k: million multiplications, each with the step size that gets to %g at the least cost; medians of the "+
		"%d seeds with which that is chosen\n\n", c.Levels[last], c.Tuning)
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

// writeFronts writes the metrics of fronts beside the paper's.
func (s *Tables) writeFronts(b *experiment.Text) {
	c := &s.config
	if len(c.Fronts) == 0 {
		return
	}
	f := &c.Fronts[0]
	_, _, q := f.shape()
	b.Printf("\nFronts: every m with Σm = %d, %d vectors, α = %g; %s. Purity, Γ and Δ of the test losses of both methods, which "+
		"share starts and batches; million multiplications are those of a vector.\n\n", f.Sum, vectors(f.Sum, q), f.Alpha, f.title())
	b.Table(func(out io.Writer) {
		fmt.Fprintln(out, "r\tpasses\ta pass\tseeds\tmethod\tpurity\tΓ\tΔ\tpoints of the front\tmean loss\tmillion multiplications")
		for i := range c.Fronts {
			f := &c.Fronts[i]
			for j, m := range swept {
				fmt.Fprintf(out, "%d\t%d\t%s\t%d\t%s", f.Rank, f.Passes, readingTitles[f.Reading], f.Seeds, m.title())
				value := func(of func(r *quality) float64) experiment.Estimate { return s.frontValue(f, j, of) }
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
			fmt.Fprintf(out, "?\t20\tthe paper’s Table 1, air-quality data\t\t%s\t%.4f\t%.4f\t%.4f\n", m.title(), paper.purity,
				paper.gamma, paper.delta)
		}
	})
}
