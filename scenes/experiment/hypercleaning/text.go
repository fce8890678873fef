package hypercleaning

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"paretoplay/scenes/experiment"
)

// titles of the methods in tables and legends.
var titles = map[string]string{noCleaning: "no cleaning", validationOnly: "validation only", moml: "MOML", moco: "MoCo", forum: "FORUM"}

// compared are the methods of the first table.
var compared = []string{noCleaning, validationOnly, moml, moco, forum}

// with writes a mean with its deviation.
func (c *Cell) with(measure, decimals int) string {
	return plusMinus(c.Mean[measure], c.Deviation[measure], decimals)
}

func plusMinus(value, spread float64, decimals int) string {
	text := strconv.FormatFloat(value, 'f', decimals, 64)
	if !math.IsNaN(spread) {
		text += " ± " + strconv.FormatFloat(spread, 'f', decimals, 64)
	}
	return text
}

// text writes a difference with its sign, or a dash.
func (d Difference) text() string {
	if math.IsNaN(d.Mean) {
		return "–"
	}
	text := plusMinus(d.Mean, d.Error, 1)
	if d.Mean >= 0 {
		text = "+" + text
	}
	return text
}

func orDash(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// size writes a step size, or a dash.
func size(v float64) string {
	if v == 0 {
		return "–"
	}
	return experiment.Number(v)
}

// WriteText writes the tables for people.
func (s *Tables) WriteText(w io.Writer) error {
	c, p := &s.config, &s.config.Problem
	var b strings.Builder
	fmt.Fprintf(&b, "Toy hyper-cleaning: %d training samples for each of two data sets in the plane, %.0f %% of the labels wrong, "+
		"%d validation samples, %d hidden units.\n",
		p.Train, 100*p.Corruption, p.Validation, p.Hidden)
	fmt.Fprintf(&b, "Test accuracy and F1 in %%, means of both data sets, and detection, the weights' AUC: all at the iteration of %d that "+
		"is best on validation 2.\n", c.Steps)
	fmt.Fprintf(&b, "Mean ± deviation of %d runs, each with other data. A gain is the mean of the differences in accuracy between runs with "+
		"the same data, ± its standard error.\n", c.Runs)
	fmt.Fprint(&b, "The paper's columns are of another problem, MNIST and FashionMNIST with a network: "+
		"compare who leads, not the numbers.\n")
	for _, table := range []struct {
		head  string
		write func(out io.Writer)
	}{
		{fmt.Sprintf("Methods, FORUM with ρ = %g (the paper's Table 1)", c.Compared), s.writeMethods},
		{"FORUM by ρ: accuracy, gain over ρ = 0 there and at the last iteration, q̃ at the last iteration, and the paper's accuracy " +
			"(its Table 5)", s.writeRho},
		{s.tuningHead(), s.writeTuning},
	} {
		if table.head == "" {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n\n", table.head)
		out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		table.write(out)
		if err := out.Flush(); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *Tables) writeMethods(out io.Writer) {
	c := &s.config
	fmt.Fprintln(out, "T\tmethod\tμ\tμ_ω\taccuracy\tF1\tdetection\tover none\tover validation only\tover FORUM\tpaper: MNIST\tFashion")
	for _, t := range c.T {
		for _, method := range compared {
			cell := s.cell(method, t, c.Compared)
			if !cell.Done {
				continue
			}
			each, _ := cell.paper()
			fmt.Fprintf(out, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", t, titles[method], size(cell.Mu), size(cell.MuOmega),
				cell.with(accuracyBoth, 1), cell.with(f1Both, 1), cell.with(detection, 3), s.difference(cell, overNone, 0).text(),
				s.difference(cell, overValidation, 0).text(), s.difference(cell, overFORUM, 0).text(), orDash(each[0]), orDash(each[2]))
		}
	}
}

func (s *Tables) writeRho(out io.Writer) {
	c := &s.config
	fmt.Fprint(out, "ρ")
	for _, t := range c.T {
		fmt.Fprintf(out, "\tT = %d\tgain\tlast\tq̃\tpaper", t)
	}
	fmt.Fprintln(out)
	for _, rho := range c.Rho {
		fmt.Fprint(out, experiment.Number(rho))
		for _, t := range c.T {
			cell := s.cell(forum, t, rho)
			if !cell.Done {
				fmt.Fprint(out, "\t–\t–\t–\t–\t–")
				continue
			}
			_, mean := cell.paper()
			fmt.Fprintf(out, "\t%s\t%s\t%s\t%.1e\t%s", cell.with(accuracyBoth, 1), s.difference(cell, overRhoZero, 0).text(),
				s.difference(cell, overRhoZero, 1).text(), cell.Mean[lastQ], orDash(mean))
		}
		fmt.Fprintln(out)
	}
}

// tuningHead says how step sizes were found, "" where none were tried.
func (s *Tables) tuningHead() string {
	t := &s.config.Tuning
	if t.Runs == 0 {
		return ""
	}
	return fmt.Sprintf("Tuning: accuracy on validation 2 by step sizes, %d runs with data that no other table has, T = %d; the best (*) is "+
		"taken for every T. No cleaning and validation only take η = %g, as all loops do", t.Runs, t.T, s.config.Eta)
}

// best is the cell of a method's tuning that did best so far, nil for none.
func (s *Tables) best(method string) *Cell {
	var best *Cell
	for c := range s.Grid.Each {
		if c.Part == inTuning && c.Method == method && c.Done && (best == nil || c.Mean[selectionBoth] > best.Mean[selectionBoth]) {
			best = c
		}
	}
	return best
}

func (s *Tables) writeTuning(out io.Writer) {
	fmt.Fprintln(out, "method\tμ\tμ_ω\tvalidation 2\t")
	for c := range s.Grid.Each {
		if c.Part != inTuning || !c.Done {
			continue
		}
		mark := ""
		if c == s.best(c.Method) {
			mark = "*"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", titles[c.Method], size(c.Mu), size(c.MuOmega), c.with(selectionBoth, 1), mark)
	}
}
