package syn

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"paretoplay/scenes/experiment"
)

// plusMinus writes a mean with its deviation, or a dash.
func plusMinus(value, spread float64, decimals int) string {
	if math.IsNaN(value) {
		return "–"
	}
	text := strconv.FormatFloat(value, 'f', decimals, 64)
	if !math.IsNaN(spread) {
		text += " ± " + strconv.FormatFloat(spread, 'f', decimals, 64)
	}
	return text
}

// signed is plusMinus of a difference.
func signed(value, spread float64, decimals int) string {
	text := plusMinus(value, spread, decimals)
	if value >= 0 {
		text = "+" + text
	}
	return text
}

// with writes a measure of a cell, or a dash.
func (c *Cell) with(measure, decimals int) string {
	if !c.Done {
		return "–"
	}
	return plusMinus(c.Mean[measure], c.Deviation[measure], decimals)
}

// alone writes the mean of a measure, or a dash.
func (c *Cell) alone(measure, decimals int) string {
	if !c.Done {
		return "–"
	}
	return plusMinus(c.Mean[measure], math.NaN(), decimals)
}

// WriteText writes the tables for people, two for each ρ.
func (s *Tables) WriteText(w io.Writer) error {
	c := &s.config
	var b strings.Builder
	cut := ""
	if c.Most > 0 {
		cut = fmt.Sprintf(" of at most %d samples", c.Most)
	}
	fmt.Fprintf(&b, "Syn(ρ, ρ): %d clients%s, %d solutions, %d epochs, batches of %d; every client takes the solution that is best on its "+
		"validation samples.\n", c.Clients, cut, c.Solutions, c.Epochs, batch)
	fmt.Fprintf(&b, "Mean ± deviation of %d runs, each with other data, starts and batches. A gain is the mean of the differences between "+
		"runs with the same data, ± its standard error.\n", c.Runs)
	fmt.Fprintf(&b, "The step size η is that of {%s} with the best accuracy on validation at the end of the first run; nothing stops early.\n",
		strings.ReplaceAll(experiment.JoinNumbers(c.Rates), " ", ", "))
	fmt.Fprintf(&b, "One local epoch a round; Γ acts on the local updates, scaled by column and count. FedProx μ = %d, "+
		"FedMGDA+ ε = %g with η "+
		"as its global step.\n", proximal, near)
	fmt.Fprint(&b, "FedAvg, FedProx and FedMGDA+ weigh clients by their samples; \"clients alike\" gives all the same weight.\n")
	for _, rho := range c.Rho {
		for _, table := range []struct {
			head, columns string
			row           func(out io.Writer, c *Cell)
		}{
			{"mean accuracy over the clients in %, the paper's (Tables 1 and E), gains, and the accuracy of the worst clients by their share",
				"method\taccuracy\tpaper\tover MGDA\tover linearization\tworst 20 %\t40 %\t60 %\t80 %", s.writeAccuracy},
			{"the step size, and what validation said of each in the first run; the accuracy at the epoch that is best on validation; the " +
				"divergence of predictions; the share of the clients that chose the same solution most often, and how many solutions any chose; " +
				"the training loss of the best solution; seconds of a run, the shares of transport and of MGDA's weights in them, and the paper's " +
				"(Table 8)",
				"method\tη\ttried\tbest epoch\t\tdivergence\tlargest\tchosen\tloss\tseconds\ttransport\tMGDA\tpaper: s\ttransport\tMGDA",
				s.writeFurther},
		} {
			fmt.Fprintf(&b, "\nρ = %g: %s\n\n", rho, table.head)
			out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
			fmt.Fprintln(out, table.columns)
			for i := range methods {
				fmt.Fprintf(out, "%s\t", methods[i].title)
				table.row(out, s.cell(methods[i].name, rho))
			}
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *Tables) writeAccuracy(out io.Writer, c *Cell) {
	paper := c.paper()
	d, e := c.over(s.cell("mgda", c.Rho))
	d2, e2 := c.over(s.cell("linearization", c.Rho))
	fmt.Fprintf(out, "%s\t%s\t%s\t%s", c.with(accuracy, 2), plusMinus(paper.mean, paper.deviation, 2), signed(d, e, 1), signed(d2, e2, 1))
	for i := range worst {
		fmt.Fprintf(out, "\t%s", c.with(worst20+i, 1))
	}
	fmt.Fprintln(out)
}

func (s *Tables) writeFurther(out io.Writer, c *Cell) {
	rate, tried := "–", "–"
	if c.Done {
		rate = experiment.Number(c.Rate)
		var texts []string
		for _, v := range c.Tried {
			texts = append(texts, strconv.FormatFloat(v, 'f', 1, 64))
		}
		tried = strings.Join(texts, " ")
	}
	fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", rate, tried, c.with(earlyAccuracy, 2),
		c.alone(earlyEpoch, 0), c.alone(divergence, 2),
		percent(c.alone(largest, 0)), c.alone(winners, 1), c.alone(oracle, 3), c.alone(seconds, 1))
	paper := [3]float64{math.NaN(), math.NaN(), math.NaN()}
	if row, known := paperSeconds[c.Method]; known && paperRho(c.Rho) >= 0 {
		i := paperRho(c.Rho)
		paper[0] = row[i]
		if c.Method == "most" {
			paper[1], paper[2] = 100*paperTransport[i]/row[i], 100*paperMGDA[i]/row[i]
		}
	}
	fmt.Fprintf(out, "\t%s\t%s\t%s\t%s\t%s\n", percent(c.alone(transported, 2)), percent(c.alone(weighed, 2)),
		plusMinus(paper[0], math.NaN(), 0), percent(plusMinus(paper[1], math.NaN(), 2)), percent(plusMinus(paper[2], math.NaN(), 2)))
}

// percent adds the sign to a number.
func percent(text string) string {
	if text == "–" {
		return text
	}
	return text + " %"
}
