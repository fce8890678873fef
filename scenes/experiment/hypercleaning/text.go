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
var titles = map[string]string{noCleaning: "no cleaning", moml: "MOML", moco: "MoCo", forum: "FORUM"}

// compared are the methods of the first table.
var compared = []string{noCleaning, moml, moco, forum}

// with writes a mean with its deviation.
func (c *Cell) with(measure, decimals int) string {
	text := strconv.FormatFloat(c.Mean[measure], 'f', decimals, 64)
	if d := c.Deviation[measure]; !math.IsNaN(d) {
		text += " ± " + strconv.FormatFloat(d, 'f', decimals, 64)
	}
	return text
}

func orDash(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// WriteText writes the two tables for people.
func (s *Tables) WriteText(w io.Writer) error {
	c, p := &s.config, &s.config.Problem
	var b strings.Builder
	fmt.Fprintf(&b, "Toy hyper-cleaning: %d training samples for each of two data sets in the plane, %.0f %% of the labels wrong, "+
		"%d validation samples, %d hidden units.\n",
		p.Train, 100*p.Corruption, p.Validation, p.Hidden)
	fmt.Fprintf(&b, "Test accuracy and F1 in %%, at the iteration of %d that is best on validation 2; "+
		"detection is the weights' AUC at the last one. Mean ± deviation of %d runs.\n", c.Steps, c.Runs)
	fmt.Fprint(&b, "The paper's columns are of another problem, MNIST and FashionMNIST with a network: "+
		"compare who leads, not the numbers.\n\n")
	fmt.Fprintf(&b, "Methods, FORUM with ρ = %g (the paper's Table 1)\n\n", c.Compared)
	out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "T\tmethod\taccuracy 1\tF1 1\taccuracy 2\tF1 2\tdetection\tpaper: MNIST\tF1\tFashion\tF1")
	for _, t := range c.T {
		for _, method := range compared {
			cell := s.cell(method, t, c.Compared)
			if !cell.Done {
				continue
			}
			each, _ := cell.paper()
			fmt.Fprintf(out, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", t, titles[method],
				cell.with(accuracy1, 1), cell.with(f11, 1), cell.with(accuracy2, 1), cell.with(f12, 1), cell.with(lastDetection, 3),
				orDash(each[0]), orDash(each[1]), orDash(each[2]), orDash(each[3]))
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprint(&b, "\nFORUM by ρ: mean accuracy of both data sets, q̃ at the last iteration, and the paper's accuracy (its Table 5)\n\n")
	out = tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(out, "ρ")
	for _, t := range c.T {
		fmt.Fprintf(out, "\tT = %d\tq̃\tpaper", t)
	}
	fmt.Fprintln(out)
	for _, rho := range c.Rho {
		fmt.Fprint(out, experiment.Number(rho))
		for _, t := range c.T {
			cell := s.cell(forum, t, rho)
			if !cell.Done {
				fmt.Fprint(out, "\t–\t–\t–")
				continue
			}
			_, mean := cell.paper()
			fmt.Fprintf(out, "\t%s\t%.1e\t%s", cell.with(accuracyBoth, 1), cell.Mean[lastQ], orDash(mean))
		}
		fmt.Fprintln(out)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}
