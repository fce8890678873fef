package ordering

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"paretoplay/algo/weighting"
	"paretoplay/scenes/experiment"
	"paretoplay/scenes/race/orders"
)

// problemTitles are those of the problems.
var problemTitles = map[string]string{
	leastSquares: "Least squares", diagonal: "Diagonal quadratics", logistic: "Logistic regression", regression: "Regression on shared inputs",
}

// variantTitles are what variants add to the title of a method.
var variantTitles = map[string]string{perObjective: ", v/M", selfBalancing: ", self-balancing"}

func (o Order) title() string {
	methods := orders.Methods()
	for i := range methods {
		if methods[i].ID == o.Method {
			return methods[i].Title + variantTitles[o.Variant]
		}
	}
	return o.Method
}

func (t *Task) title() string {
	return fmt.Sprintf("%s, M = %d, K = %d, d = %d", problemTitles[t.Problem], t.M, t.K, t.D)
}

func (c *Cell) title() string {
	return fmt.Sprintf("%s, %s, %s", c.Task.title(), weightingTitle(c.Weighting), c.Order.title())
}

func weightingTitle(name string) string {
	if name == "ls" {
		return "equal weights"
	}
	rule, _ := weighting.Lookup(name)
	return rule.Title
}

// significant writes a number with so many digits, without an exponent where that is
// short.
func significant(v float64, digits int) string {
	if v == 0 || v-v != 0 {
		return "–"
	}
	if size := math.Floor(math.Log10(math.Abs(v))); size >= -4 && size < 4 {
		return strconv.FormatFloat(v, 'f', max(0, digits-1-int(size)), 64)
	}
	return strconv.FormatFloat(v, 'e', digits-1, 64)
}

// ratio writes powers of ten of an estimate: the mean with its interval.
func (e Estimate) ratio() string {
	if math.IsNaN(e.Mean) {
		return "–"
	}
	text := "×" + ratioNumber(e.Mean)
	if !math.IsNaN(e.Half) {
		text += fmt.Sprintf(" [%s, %s]", ratioNumber(e.Mean-e.Half), ratioNumber(e.Mean+e.Half))
	}
	return text
}

// ratioNumber writes a power of ten with two decimals, or two digits where that is more.
func ratioNumber(exponent float64) string {
	if v := math.Pow(10, exponent); v >= 0.1 {
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return significant(math.Pow(10, exponent), 2)
}

// plusMinus writes a mean with half of its interval.
func (e Estimate) plusMinus(decimals int) string {
	if math.IsNaN(e.Mean) {
		return "–"
	}
	text := strconv.FormatFloat(e.Mean, 'f', decimals, 64)
	if !math.IsNaN(e.Half) {
		text += " ± " + strconv.FormatFloat(e.Half, 'f', decimals, 64)
	}
	return text
}

// measure is a measure of a complete cell of a contest, with half of its interval.
func (s *Tables) measure(c *Cell, measure int) Estimate {
	if !s.complete(c) || c.Part != contests {
		return estimate(nil)
	}
	return Estimate{c.Mean[measure], half(c.Deviation[measure], s.config.Runs)}
}

// WriteText writes the tables for people.
func (s *Tables) WriteText(w io.Writer) error {
	c := &s.config
	var b strings.Builder
	fmt.Fprintf(&b, "ω at the first points of the epochs in the last third, as geometric mean of %d runs; × is its ratio to random orders, "+
		"run by run, with its 95 %% interval.\n", c.Runs)
	fmt.Fprintf(&b, "A run has its own data and orders, the same for all that are compared. Condition %d, heterogeneity %d, noise %g; runs "+
		"start at the origin.\n", condition, heterogeneity, noise)
	fmt.Fprintf(&b, "Where there are several step sizes, each order takes, for each weighting, the one with the least ω in %d other runs. "+
		"\"One each\" is an order for every objective.\n", c.Tuning)
	for i := range c.Contests {
		s.writeContest(&b, &c.Contests[i])
	}
	if len(c.Rates) > 0 {
		if err := s.writeRates(&b); err != nil {
			return err
		}
	}
	if len(c.Costs) > 0 {
		s.writeCosts(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// table writes rows whose entries are parted by tabs, so that they stand in columns.
func table(b *strings.Builder, write func(out io.Writer)) {
	out := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	write(out)
	if err := out.Flush(); err != nil {
		panic("ordering: " + err.Error()) // of a strings.Builder
	}
}

func (s *Tables) writeContest(b *strings.Builder, contest *Contest) {
	fmt.Fprintf(b, "\n%s, %d epochs", contest.title(), contest.Epochs)
	if contest.Optimizer == adam {
		b.WriteString(", Adam")
	}
	if len(contest.Alphas) == 1 {
		fmt.Fprintf(b, "; the same step size for all, %g\n\n", contest.Alphas[0])
	} else {
		fmt.Fprintf(b, "; step sizes of {%s}\n\n", strings.ReplaceAll(experiment.JoinNumbers(contest.Alphas), " ", ", "))
	}
	table(b, func(out io.Writer) {
		fmt.Fprint(out, "order")
		for _, w := range contest.Weightings {
			fmt.Fprintf(out, "\t%s\t\t", weightingTitle(w))
		}
		fmt.Fprintln(out)
		for _, o := range contest.Orders {
			fmt.Fprint(out, o.title())
			for _, w := range contest.Weightings {
				c := s.cell(contests, contest, w, o)
				if !s.complete(c) {
					fmt.Fprint(out, "\t–\t\t")
					continue
				}
				ratio := s.againstRandom(c).ratio()
				if o == (Order{Method: orders.Random}) {
					ratio = ""
				}
				fmt.Fprintf(out, "\t%s\t%s", significant(math.Pow(10, s.late(c).Mean), 3), ratio)
				if c.tuned() {
					fmt.Fprintf(out, "\tα %g", c.chosenAlphas()[0])
				} else {
					fmt.Fprint(out, "\t")
				}
			}
			fmt.Fprintln(out)
		}
	})
	if len(contest.Alphas) == 1 {
		s.writeMeasures(b, contest)
	}
}

// writeMeasures writes what the same step size makes comparable.
func (s *Tables) writeMeasures(b *strings.Builder, contest *Contest) {
	fmt.Fprintf(b, "\nH at the first point of late epochs ± half of its 95 %% interval, A of the signs, drift and wobble in units of α; "+
		"epochs until ω was a twentieth of that at the start, %d where it never was; mean loss at the end\n\n", contest.Epochs)
	table(b, func(out io.Writer) {
		fmt.Fprint(out, "order")
		for _, w := range contest.Weightings {
			fmt.Fprintf(out, "\t%s: H\tA\tdrift\twobble\tepochs\tloss", weightingTitle(w))
		}
		fmt.Fprintln(out)
		for _, o := range contest.Orders {
			fmt.Fprint(out, o.title())
			for _, w := range contest.Weightings {
				c := s.cell(contests, contest, w, o)
				fmt.Fprintf(out, "\t%s", s.measure(c, herding).plusMinus(2))
				for _, m := range []struct{ measure, decimals int }{{signBound, 2}, {drift, 1}, {wobble, 1}, {arrival, 1}, {loss, 3}} {
					fmt.Fprintf(out, "\t%s", Estimate{s.measure(c, m.measure).Mean, math.NaN()}.plusMinus(m.decimals))
				}
			}
			fmt.Fprintln(out)
		}
	})
	var parts []string
	for _, o := range contest.Orders {
		if o.Variant != selfBalancing {
			continue
		}
		for _, w := range contest.Weightings {
			if c := s.cell(contests, contest, w, o); s.complete(c) {
				parts = append(parts, strconv.FormatFloat(100*c.Mean[clippedPart], 'f', 1, 64))
			}
		}
	}
	if parts != nil {
		fmt.Fprintf(b, "\nSigns of the self-balancing walk whose probability had to be cut, in %% by order and weighting: %s.\n",
			strings.Join(parts, ", "))
	}
}

// writeRates writes how the mean of ω² falls, beside what the theorems say.
func (s *Tables) writeRates(b *strings.Builder) error {
	fmt.Fprintf(b, "\nRates: the mean of ω² over the first points of T epochs, as geometric mean of the runs, each with the step size "+
		"that was best for that T. The exponent over T is fitted from T = %d on, that over K at the last T and relative to ω² at the "+
		"start, both ± half of a 95 %% interval. \"The start\" is what ω² at the start alone, a term 1/T that no order changes, makes of "+
		"the mean at the last T. The theorems' terms are (KT)^(-1/2) for random orders and (KT)^(-2/3) for JoGBa.\n", settled)
	for i := range s.config.Rates {
		r := &s.config.Rates[i]
		from := "at the origin"
		if r.Near > 0 {
			from = fmt.Sprintf("at %g of the way from the origin to the minimum of the mean of the objectives", r.Near)
		}
		for _, w := range r.Weightings {
			fmt.Fprintf(b, "\n%s, M = %d, d = %d, %s; runs start %s; step sizes of {%s}\n\n", problemTitles[r.Problem], r.M, r.D,
				weightingTitle(w), from, strings.ReplaceAll(experiment.JoinNumbers(r.Alphas), " ", ", "))
			table(b, func(out io.Writer) { s.writeRate(out, r, w) })
		}
	}
	return s.writeBounds(b)
}

func (s *Tables) writeRate(out io.Writer, r *Rate, weighting string) {
	fmt.Fprint(out, "order\tK")
	for _, t := range r.Horizons {
		fmt.Fprintf(out, "\tT = %d", t)
	}
	fmt.Fprintln(out, "\tα, first and last T\texponent over T\tthe start\texponent over K")
	for _, o := range r.Orders {
		for i, k := range r.Ks {
			c := s.cell(rates, r.at(k), weighting, o)
			fmt.Fprintf(out, "%s\t%d", o.title(), k)
			if s.complete(c) {
				for i := range c.Horizons {
					fmt.Fprintf(out, "\t%s", significant(math.Pow(10, estimate(s.values(c, number(i))).Mean), 3))
				}
				alphas := c.chosenAlphas()
				fmt.Fprintf(out, "\t%g %g\t%s\t%.0f %%", alphas[0], alphas[len(alphas)-1], s.overT(c).plusMinus(2), 100*s.firstShare(c))
			}
			if i == len(r.Ks)-1 {
				fmt.Fprintf(out, "\t%s", s.overK(r, weighting, o).plusMinus(2))
			}
			fmt.Fprintln(out)
		}
	}
}

// theorems are those of random orders and of JoGBa.
var theorems = []struct{ method, title string }{{orders.Random, "3.6, random"}, {orders.JoGBa, "3.9, JoGBa"}}

// writeBounds writes what the theorems promise where MGDA decides the weights, which is
// what they are about.
func (s *Tables) writeBounds(b *strings.Builder) error {
	var failed error
	fmt.Fprint(b, "\nWhat the theorems promise of the first of the runs with MGDA's weights, with constants as they are estimated for the "+
		"scene's schedules\n\n")
	table(b, func(out io.Writer) {
		fmt.Fprintln(out, "theorem\tK\tT\tterms\tbound\tmeasured\tits α\tbest α")
		for _, theorem := range theorems {
			for i := range s.config.Rates {
				r := &s.config.Rates[i]
				if !slices.Contains(r.Weightings, "mgda") {
					continue
				}
				for _, k := range r.Ks {
					c := s.cell(rates, r.at(k), "mgda", Order{Method: theorem.method})
					if !s.complete(c) {
						continue
					}
					bound, err := s.bounds(c)
					if err != nil {
						failed = err
						return
					}
					terms := make([]string, len(bound.Terms))
					for i, term := range bound.Terms {
						terms[i] = termNames[theorem.method][i] + " = " + significant(term, 2)
					}
					last := len(c.Horizons) - 1
					fmt.Fprintf(out, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%g\n", theorem.title, k, r.last(), strings.Join(terms, ", "),
						significant(bound.total(), 2), significant(math.Pow(10, c.Each[0][last]), 2), significant(bound.Alpha, 2), c.chosenAlphas()[last])
				}
			}
		}
	})
	return failed
}

// writeCosts writes times, which are of one machine.
func (s *Tables) writeCosts(b *strings.Builder) {
	fmt.Fprintf(b, "\nTime of a step of MGDA on least squares with shared inputs, M = %d, on the machine where this was computed: medians of "+
		"%d measurements. The update is gradients, weights and move, with random orders of its own for each objective; ordering is what JoGBa "+
		"adds.\n\n", costTasks, measurements)
	table(b, func(out io.Writer) {
		fmt.Fprintln(out, "d\tsamples of an example\tupdate\tordering\tas a share of the update")
		for c := range s.Each {
			if c.Part != costs {
				continue
			}
			update, share := s.times(c)
			if math.IsNaN(update) {
				fmt.Fprintf(out, "%d\t%d\t–\n", c.Size.D, c.Size.Batch)
				continue
			}
			fmt.Fprintf(out, "%d\t%d\t%s\t%s\t%.0f %%\n", c.Size.D, c.Size.Batch, duration(update), duration(share*update), 100*share)
		}
	})
}

// duration writes seconds with two digits, in units in which they are short.
func duration(seconds float64) string {
	if math.Abs(seconds) >= 1e-3 {
		return significant(1e3*seconds, 2) + " ms"
	}
	return significant(1e6*seconds, 2) + " µs"
}
