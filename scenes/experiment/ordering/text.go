package ordering

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo/weighting"
	"paretoplay/scenes/experiment"
	"paretoplay/scenes/experiment/statistics"
	"paretoplay/scenes/race/orders"
)

// problemTitles are the problems' titles.
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

// measure is a measure of a complete cell of a contest, with half of its interval.
func (s *Tables) measure(c *Cell, measure int) experiment.Estimate {
	if !s.complete(c) || c.Part != contests {
		return experiment.Unknown()
	}
	return experiment.Estimate{Mean: c.Mean[measure], Spread: statistics.HalfInterval(c.Deviation[measure], s.config.Runs)}
}

// WriteText writes the tables for people.
func (s *Tables) WriteText(w io.Writer) error {
	c := &s.config
	var b experiment.Text
	b.Printf("ω at the first points of the epochs in the last third, as geometric mean of %d runs; × is its ratio to random orders, "+
		"run by run, with its 95 %% interval.\n", c.Runs)
	b.Printf("A run has its own data and orders, the same for all that are compared. Condition %d, heterogeneity %d, noise %g; runs "+
		"start at the origin.\n", condition, heterogeneity, noise)
	b.Printf("Where there are several step sizes, each order takes, for each weighting, the one with the least ω in %d other runs. "+
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
	return b.Show(w)
}

func (s *Tables) writeContest(b *experiment.Text, contest *Contest) {
	b.Printf("\n%s, %d epochs", contest.title(), contest.Epochs)
	if contest.Optimizer == adam {
		b.WriteString(", Adam")
	}
	if len(contest.Alphas) == 1 {
		b.Printf("; the same step size for all, %g\n\n", contest.Alphas[0])
	} else {
		b.Printf("; step sizes of {%s}\n\n", experiment.List(contest.Alphas))
	}
	b.Table(func(out io.Writer) {
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
				ratio := s.againstRandom(c).Ratio(10)
				if o == (Order{Method: orders.Random}) {
					ratio = ""
				}
				fmt.Fprintf(out, "\t%s\t%s", experiment.Significant(math.Pow(10, s.late(c).Mean), 3), ratio)
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
func (s *Tables) writeMeasures(b *experiment.Text, contest *Contest) {
	b.Printf("\nH at the first point of late epochs ± half of its 95 %% interval, A of the signs, drift and wobble in units of α; "+
		"epochs until ω was a twentieth of that at the start, %d where it never was; mean loss at the end\n\n", contest.Epochs)
	b.Table(func(out io.Writer) {
		fmt.Fprint(out, "order")
		for _, w := range contest.Weightings {
			fmt.Fprintf(out, "\t%s: H\tA\tdrift\twobble\tepochs\tloss", weightingTitle(w))
		}
		fmt.Fprintln(out)
		for _, o := range contest.Orders {
			fmt.Fprint(out, o.title())
			for _, w := range contest.Weightings {
				c := s.cell(contests, contest, w, o)
				fmt.Fprintf(out, "\t%s", s.measure(c, herding).Text(2))
				for _, m := range []struct{ measure, decimals int }{{signBound, 2}, {drift, 1}, {wobble, 1}, {arrival, 1}, {loss, 3}} {
					fmt.Fprintf(out, "\t%s", s.measure(c, m.measure).Alone().Text(m.decimals))
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
		b.Printf("\nSigns of the self-balancing walk whose probability had to be cut, in %% by order and weighting: %s.\n",
			strings.Join(parts, ", "))
	}
}

// writeRates writes how the mean of ω² falls, beside what the theorems say.
func (s *Tables) writeRates(b *experiment.Text) error {
	b.Printf("\nRates: the mean of ω² over the first points of T epochs, as geometric mean of the runs, each with the step size "+
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
			b.Printf("\n%s, M = %d, d = %d, %s; runs start %s; step sizes of {%s}\n\n", problemTitles[r.Problem], r.M, r.D,
				weightingTitle(w), from, experiment.List(r.Alphas))
			b.Table(func(out io.Writer) { s.writeRate(out, r, w) })
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
					fmt.Fprintf(out, "\t%s", experiment.Significant(math.Pow(10, statistics.WithInterval(s.values(c, number(i))).Mean), 3))
				}
				alphas := c.chosenAlphas()
				fmt.Fprintf(out, "\t%g %g\t%s\t%.0f %%", alphas[0], alphas[len(alphas)-1], s.overT(c).Text(2), 100*s.firstShare(c))
			}
			if i == len(r.Ks)-1 {
				fmt.Fprintf(out, "\t%s", s.overK(r, weighting, o).Text(2))
			}
			fmt.Fprintln(out)
		}
	}
}

// theorems are about random orders and JoGBa.
var theorems = []struct{ method, title string }{{orders.Random, "3.6, random"}, {orders.JoGBa, "3.9, JoGBa"}}

// writeBounds writes what the theorems promise where MGDA decides the weights, which is
// what they are about.
func (s *Tables) writeBounds(b *experiment.Text) error {
	var failed error
	b.Printf("\nWhat the theorems promise of the first of the runs with MGDA's weights, with constants as they are estimated for the " +
		"scene's schedules\n\n")
	b.Table(func(out io.Writer) {
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
						terms[i] = termNames[theorem.method][i] + " = " + experiment.Significant(term, 2)
					}
					last := len(c.Horizons) - 1
					fmt.Fprintf(out, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%g\n", theorem.title, k, r.last(), strings.Join(terms, ", "),
						experiment.Significant(bound.total(), 2), experiment.Significant(math.Pow(10, c.Each[0][last]), 2),
						experiment.Significant(bound.Alpha, 2), c.chosenAlphas()[last])
				}
			}
		}
	})
	return failed
}
