package fairnessgrid

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo/problem"
	"paretoplay/internal/engine/experiment"
)

// titles maps methods to their titles in tables and legends.
var titles = map[string]string{mgda: "MGDA", linearization: "Linearization", epo: "EPO", most: "MosT", extended: "MosT-E"}

// parameters returns a text with a cell's step size and, for MosT-E, its other parameters.
func (c *Cell) parameters() string {
	text := "η " + experiment.Number(c.Eta)
	if c.Method == extended {
		text += fmt.Sprintf(", n' %d, shape %s", c.Extended, experiment.Number(c.Shape))
	}
	return text
}

// heading returns the heading of a table: its batch size and its number of rounds.
func (s *Tables) heading(batch int) string {
	rounds := s.rounds(&Cell{Batch: batch})
	if batch == 0 {
		return fmt.Sprintf("All training points in each step: %d rounds", rounds)
	}
	return fmt.Sprintf("Batches of %d: %d rounds", batch, rounds)
}

// order returns a text with the methods' titles, in descending order of the argument's values for the methods.
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

// WriteText writes the tables as text for readers.
func (s *Tables) WriteText(w io.Writer) error {
	c := &s.config
	train := s.problems[0].Sample(problem.Training).Len()
	kept := s.problems[0].Sample(splits[test]).Len()
	var t experiment.Text
	t.Printf("Hypervolume x 100 of %d solutions between the logistic loss and the squared covariance of decision and sensitive "+
		"attribute, on %d test points: mean ± deviation of %d runs.\n", c.M, kept, c.Runs)
	t.Printf("Each run has different data, with %d points for training and %d for choosing parameters, and different starts, within ±%.2f. "+
		"The methods share both.\n", train, kept, c.Region)
	t.Printf("The reference point of a run is the largest loss and covariance of any solution of any method with any parameters.\n")
	t.Printf("%d epochs. The paper does not state the batch size; an epoch takes one step per batch of the training "+
		"points, drawn with replacement.\n", c.Epochs)
	t.Printf("Steps of MosT are scaled by the number of objectives that a solution serves (columncount), without R(Γ) and " +
		"curriculum; n' includes the two original objectives.\n")
	for _, batch := range c.Batch {
		t.Printf("\n%s\n\n", s.heading(batch))
		if !s.complete(batch) {
			s.writeState(&t, batch)
			continue
		}
		experiment.WriteRows(&t, methods, s.methodColumns(batch)...)
		s.writeClaims(&t, batch)
		t.Printf("\nAll parameters of MosT-E: validation, with test below\n\n")
		experiment.WriteRows(&t, c.extendedRows(), s.extendedColumns(batch)...)
	}
	return t.Show(w)
}

// writeState writes the progress of an incomplete table.
func (s *Tables) writeState(t *experiment.Text, batch int) {
	done, wanted := 0, 0
	for c := range s.Grid.Each {
		if c.Batch == batch {
			done, wanted = done+len(c.Solutions), wanted+c.Wanted
		}
	}
	t.Printf("%d of %d runs are computed.\n", done, wanted)
}

// methodColumns returns the columns of the table with one line per method.
func (s *Tables) methodColumns(batch int) []experiment.TextColumn[string] {
	best := s.chosen(batch, extended)
	ours := func(method string) experiment.Estimate { return s.hypervolume(s.chosen(batch, method), test) }
	return []experiment.TextColumn[string]{
		{Head: "method", Entry: func(method string) string { return titles[method] }},
		{Head: "chosen on validation", Entry: func(method string) string { return s.chosen(batch, method).parameters() }},
		{Head: "hypervolume", Entry: func(method string) string { return ours(method).Text(2) }},
		{Head: "MosT-E is above, paired", Entry: func(method string) string {
			if method == extended {
				return experiment.Dash
			}
			return s.over(best, s.chosen(batch, method)).Signed(2)
		}},
		{Head: "paper", Entry: func(method string) string { return paperTable7[method].Text(2) }},
		{Head: "share of MosT-E's", Entry: func(method string) string {
			return experiment.Fixed(paperTable7[method].Mean/paperTable7[extended].Mean, 2)
		}},
		{Head: "ours", Entry: func(method string) string { return experiment.Fixed(ours(method).Mean/ours(extended).Mean, 2) }},
	}
}

// writeClaims compares two statements in the paper with the computed results.
func (s *Tables) writeClaims(t *experiment.Text, batch int) {
	e := s.config.Extended
	t.Printf("\nOrder: %s; the paper's: %s.\n",
		order(func(m string) float64 { return s.hypervolume(s.chosen(batch, m), test).Mean }),
		order(func(m string) float64 { return paperTable7[m].Mean }))
	var parts []string
	for _, shape := range s.config.Shape {
		parts = append(parts, fmt.Sprintf("%s with shape %s", s.fewer(batch, shape).Signed(2), experiment.Number(shape)))
	}
	t.Printf("n' = %d above n' = %d at η = %g, paired, ± standard error: %s.\n", slices.Min(e), slices.Max(e),
		s.chosen(batch, extended).Eta, strings.Join(parts, ", "))
}

// extendedRow is a line in the table of MosT-E's parameters.
type extendedRow struct {
	eta        float64
	objectives int
	part       int // part of the data
}

func (c *Config) extendedRows() (out []extendedRow) {
	for _, eta := range c.Eta {
		for _, objectives := range c.Extended {
			for part := range parts {
				out = append(out, extendedRow{eta, objectives, part})
			}
		}
	}
	return out
}

func (s *Tables) extendedColumns(batch int) []experiment.TextColumn[extendedRow] {
	best := s.chosen(batch, extended)
	// Of two lines with the same parameters, only the first one names them.
	once := func(text func(r extendedRow) string) func(r extendedRow) string {
		return func(r extendedRow) string {
			if r.part != validation {
				return ""
			}
			return text(r)
		}
	}
	out := []experiment.TextColumn[extendedRow]{
		{Head: "η", Entry: once(func(r extendedRow) string { return experiment.Number(r.eta) })},
		{Head: "n'", Entry: once(func(r extendedRow) string { return strconv.Itoa(r.objectives) })},
	}
	for _, shape := range s.config.Shape {
		out = append(out, experiment.TextColumn[extendedRow]{Head: "shape " + experiment.Number(shape), Entry: func(r extendedRow) string {
			c := s.find(batch, r.eta, r.objectives, shape)
			text := s.hypervolume(c, r.part).Text(2)
			if c == best {
				text += "*"
			}
			return text
		}})
	}
	return out
}
