package fairness

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"paretoplay/algo/problem"
	"paretoplay/scenes/experiment"
)

// titles of the methods in tables and legends.
var titles = map[string]string{mgda: "MGDA", linearization: "Linearization", epo: "EPO", most: "MosT", extended: "MosT-E"}

// text writes a mean with its spread, or a dash.
func (e Estimate) text(decimals int) string {
	if math.IsNaN(e.Mean) {
		return "–"
	}
	text := strconv.FormatFloat(e.Mean, 'f', decimals, 64)
	if !math.IsNaN(e.Spread) {
		text += " ± " + strconv.FormatFloat(e.Spread, 'f', decimals, 64)
	}
	return text
}

// signed is text with a sign.
func (e Estimate) signed(decimals int) string {
	if e.Mean >= 0 {
		return "+" + e.text(decimals)
	}
	return e.text(decimals)
}

// parameters of a cell.
func (c *Cell) parameters() string {
	text := "η " + experiment.Number(c.Eta)
	if c.Method == extended {
		text += fmt.Sprintf(", n' %d, shape %s", c.Extended, experiment.Number(c.Shape))
	}
	return text
}

// heading of a table.
func (s *Tables) heading(batch int) string {
	rounds := s.rounds(&Cell{Batch: batch})
	if batch == 0 {
		return fmt.Sprintf("All training points in each step: %d rounds", rounds)
	}
	return fmt.Sprintf("Batches of %d: %d rounds", batch, rounds)
}

// order lists methods by falling numbers.
func order(of func(method string) float64) string {
	sorted := slices.Clone(methods)
	slices.SortStableFunc(sorted, func(a, b string) int {
		switch x, y := of(a), of(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	for i, method := range sorted {
		sorted[i] = titles[method]
	}
	return strings.Join(sorted, ", ")
}

// WriteText writes the tables for people.
func (s *Tables) WriteText(w io.Writer) error {
	c := &s.config
	train := s.problems[0].Sample(problem.Training).Len()
	kept := s.problems[0].Sample(splits[test]).Len()
	var b strings.Builder
	fmt.Fprintf(&b, "Hypervolume x 100 of %d solutions between the logistic loss and the squared covariance of decision and sensitive "+
		"attribute, on %d test points: mean ± deviation of %d runs.\n", c.M, kept, c.Runs)
	fmt.Fprintf(&b, "A run has its own data, %d points to train with and %d to choose parameters with, and its own starts, within ±%.2f. The "+
		"methods share both.\n", train, kept, c.Region)
	fmt.Fprint(&b, "Its reference point is the largest loss and covariance that any solution of any method comes to with any parameters.\n")
	fmt.Fprintf(&b, "%d epochs. The paper does not say how large a batch is; an epoch has as many steps as there are batches of the training "+
		"points, drawn with replacement.\n", c.Epochs)
	fmt.Fprint(&b, "Steps of MosT are scaled by the number of objectives that a solution serves (columncount), without R(Γ) and "+
		"curriculum; n' counts the two objectives themselves.\n")
	for _, batch := range c.Batch {
		fmt.Fprintf(&b, "\n%s\n\n", s.heading(batch))
		out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		write := s.writeMethods
		if !s.complete(batch) {
			write = s.writeState
		}
		write(out, batch)
		if err := out.Flush(); err != nil {
			return err
		}
		if s.complete(batch) {
			s.writeClaims(&b, batch)
			fmt.Fprint(&b, "\nEach of MosT-E's parameters: validation, and test below\n\n")
			s.writeExtended(out, batch)
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeState says how much there is of a table that is not complete.
func (s *Tables) writeState(out io.Writer, batch int) {
	done, wanted := 0, 0
	for c := range s.Grid.Each {
		if c.Batch == batch {
			done, wanted = done+len(c.Solutions), wanted+c.Wanted
		}
	}
	fmt.Fprintf(out, "%d of %d runs are computed.\n", done, wanted)
}

func (s *Tables) writeMethods(out io.Writer, batch int) {
	best := s.chosen(batch, extended)
	fmt.Fprintln(out, "method\tchosen on validation\thypervolume\tMosT-E is above, paired\tpaper\tits share of MosT-E's\tours")
	most := s.hypervolume(best, test).Mean
	for _, method := range methods {
		cell, paper := s.chosen(batch, method), paperTable7[method]
		v := s.hypervolume(cell, test)
		above := "–"
		if method != extended {
			above = s.over(best, cell).signed(2)
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%.2f\t%.2f\n", titles[method], cell.parameters(), v.text(2), above, paper.text(2),
			paper.Mean/paperTable7[extended].Mean, v.Mean/most)
	}
}

// writeClaims holds the paper's two statements against what was computed.
func (s *Tables) writeClaims(b *strings.Builder, batch int) {
	e := s.config.Extended
	fmt.Fprintf(b, "\nOrder: %s; the paper's: %s.\n",
		order(func(m string) float64 { return s.hypervolume(s.chosen(batch, m), test).Mean }),
		order(func(m string) float64 { return paperTable7[m].Mean }))
	var parts []string
	for _, shape := range s.config.Shape {
		parts = append(parts, fmt.Sprintf("%s with shape %s", s.fewer(batch, shape).signed(2), experiment.Number(shape)))
	}
	fmt.Fprintf(b, "n' = %d above n' = %d at η = %g, paired, ± standard error: %s.\n", slices.Min(e), slices.Max(e),
		s.chosen(batch, extended).Eta, strings.Join(parts, ", "))
}

func (s *Tables) writeExtended(out io.Writer, batch int) {
	c := &s.config
	fmt.Fprint(out, "η\tn'")
	for _, shape := range c.Shape {
		fmt.Fprintf(out, "\tshape %s", experiment.Number(shape))
	}
	fmt.Fprintln(out)
	for _, eta := range c.Eta {
		for _, objectives := range c.Extended {
			for part := range parts {
				if part == validation {
					fmt.Fprintf(out, "%s\t%d", experiment.Number(eta), objectives)
				} else {
					fmt.Fprint(out, "\t")
				}
				for _, shape := range c.Shape {
					cell, mark := s.find(batch, eta, objectives, shape), ""
					if cell == s.chosen(batch, extended) {
						mark = "*"
					}
					fmt.Fprintf(out, "\t%s%s", s.hypervolume(cell, part).text(2), mark)
				}
				fmt.Fprintln(out)
			}
		}
	}
}
