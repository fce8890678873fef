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

// WriteText writes the tables for people.
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
		strings.ReplaceAll(joined(c.Rates), " ", ", "))
	fmt.Fprintf(&b, "One local epoch a round; Γ acts on the local updates, scaled by column and count. FedProx μ = %d, FedMGDA+ ε = %g "+
		"with η as its global step.\n", proximal, near)
	fmt.Fprint(&b, "FedAvg, FedProx and FedMGDA+ weigh clients by their samples; \"clients alike\" gives all the same weight.\n")
	for _, table := range []struct {
		head, columns string
		row           func(out io.Writer, m *method)
	}{
		{"Mean accuracy over the clients in %, the paper's (Tables 1 and E), and the gains over MGDA and over linearization", s.head(
			"ρ = %g", "paper", "over MGDA", "over linearization"), s.writeAccuracy},
		{"Accuracy of the worst 20, 40, 60 and 80 % of the clients in %", s.head("ρ = %g: 20 %%", "40 %%", "60 %%", "80 %%"), s.writeWorst},
		{"Accuracy at the epoch that is best on validation, and that epoch; divergence of predictions between solutions; share of the " +
			"clients in % that the solution has which most choose, and solutions that any client chooses; training loss of the best solution",
			s.head("ρ = %g: accuracy", "epoch", "divergence", "largest share", "chosen", "loss"), s.writeSolutions},
		{"Step size, and the accuracy on validation of the first run with each of those that are tried", s.head("ρ = %g: η", "validation"),
			s.writeRates},
		{"Seconds of a run, and the shares in % of transport and of MGDA's weights in them; the paper's (Table 8) are another machine's",
			s.head("ρ = %g: s", "transport", "MGDA", "paper: s", "transport", "MGDA"), s.writeTimes},
	} {
		fmt.Fprintf(&b, "\n%s\n\n", table.head)
		out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(out, table.columns)
		for i := range methods {
			fmt.Fprint(out, methods[i].title)
			table.row(out, &methods[i])
			fmt.Fprintln(out)
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// head is the first line of a table: the columns for each ρ, which the first names.
func (s *Tables) head(columns ...string) string {
	out := "method"
	for _, rho := range s.config.Rho {
		out += "\t" + fmt.Sprintf(columns[0], rho)
		for _, c := range columns[1:] {
			out += "\t" + strings.ReplaceAll(c, "%%", "%")
		}
	}
	return out
}

func (s *Tables) writeAccuracy(out io.Writer, m *method) {
	for _, rho := range s.config.Rho {
		c := s.cell(m.name, rho)
		paper := c.paper()
		d, e := c.over(s.cell("mgda", rho))
		d2, e2 := c.over(s.cell("linearization", rho))
		fmt.Fprintf(out, "\t%s\t%s\t%s\t%s", c.with(accuracy, 2), plusMinus(paper.mean, paper.deviation, 2), signed(d, e, 1), signed(d2, e2, 1))
	}
}

func (s *Tables) writeWorst(out io.Writer, m *method) {
	for _, rho := range s.config.Rho {
		for i := range worst {
			fmt.Fprintf(out, "\t%s", s.cell(m.name, rho).with(worst20+i, 1))
		}
	}
}

func (s *Tables) writeSolutions(out io.Writer, m *method) {
	for _, rho := range s.config.Rho {
		c := s.cell(m.name, rho)
		fmt.Fprintf(out, "\t%s\t%s\t%s\t%s\t%s\t%s", c.with(earlyAccuracy, 2), c.alone(earlyEpoch, 0), c.alone(divergence, 2),
			c.alone(largest, 0), c.alone(winners, 1), c.alone(oracle, 3))
	}
}

func (s *Tables) writeRates(out io.Writer, m *method) {
	for _, rho := range s.config.Rho {
		c := s.cell(m.name, rho)
		rate, tried := "–", "–"
		if c.Done {
			rate = experiment.Number(c.Rate)
			var texts []string
			for _, v := range c.Tried {
				texts = append(texts, strconv.FormatFloat(v, 'f', 1, 64))
			}
			tried = strings.Join(texts, " ")
		}
		fmt.Fprintf(out, "\t%s\t%s", rate, tried)
	}
}

func (s *Tables) writeTimes(out io.Writer, m *method) {
	for _, rho := range s.config.Rho {
		c := s.cell(m.name, rho)
		paper := [3]float64{math.NaN(), math.NaN(), math.NaN()}
		if row, known := paperSeconds[m.name]; known && paperRho(rho) >= 0 {
			i := paperRho(rho)
			paper[0] = row[i]
			if m.name == "most" {
				paper[1], paper[2] = 100*paperTransport[i]/row[i], 100*paperMGDA[i]/row[i]
			}
		}
		fmt.Fprintf(out, "\t%s\t%s\t%s\t%s\t%s\t%s", c.alone(seconds, 1), c.alone(transported, 2), c.alone(weighed, 2),
			plusMinus(paper[0], math.NaN(), 0), plusMinus(paper[1], math.NaN(), 2), plusMinus(paper[2], math.NaN(), 2))
	}
}
