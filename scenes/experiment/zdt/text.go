package zdt

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"paretoplay/scenes/experiment"
	"paretoplay/scenes/race/plans"
)

// entry is a method of the tables, MosT-E with one shape.
type entry struct {
	method string
	shape  float64
}

// entries are those that are compared, in the order of tables and legends.
func (c *Config) entries() []entry {
	var out []entry
	for _, method := range shapeless {
		out = append(out, entry{method, math.NaN()})
	}
	for _, shape := range c.Shape {
		out = append(out, entry{plans.Extended, shape})
	}
	return out
}

func (e entry) title() string {
	title := plans.Methods(e.method)[0].Title
	if e.method == plans.Extended {
		title += ", shape " + experiment.Number(e.shape)
	}
	return title
}

// baseline says that a method is none of the paper's own.
func (e entry) baseline() bool { return e.method != plans.MosT && e.method != plans.Extended }

// best is the entry with the largest mean hypervolume of those that are done and of a
// kind, nil for none.
func (s *Tables) best(number int, style Style, of func(e entry) bool) *Cell {
	cells := experiment.Where(s.Each, func(c *Cell) bool { return c.Problem == number && c.Style == style && of(entry{c.Method, c.Shape}) })
	return experiment.Largest(cells, func(c *Cell) float64 { return c.Estimate(hypervolume).Mean })
}

// leads reports on which problems MosT-E is above all baselines: with the shape that is
// best on each, and with each shape; known is false until all of a style is computed.
func (s *Tables) leads(style Style) (chosen []bool, with [][]bool, known bool) {
	c := &s.config
	with = make([][]bool, len(c.Shape))
	for _, number := range c.Problems {
		for _, e := range c.entries() {
			if !s.find(number, style, e.method, e.shape).Done {
				return nil, nil, false
			}
		}
		baseline := s.best(number, style, entry.baseline).Mean[hypervolume]
		any := false
		for i, shape := range c.Shape {
			// What differs by less is the same point found.
			above := s.find(number, style, plans.Extended, shape).Mean[hypervolume] > baseline+tie
			with[i] = append(with[i], above)
			any = any || above
		}
		chosen = append(chosen, any)
	}
	return chosen, with, true
}

// tie is the difference in hypervolume below which two methods are level: the paper and
// the tables have two decimals.
const tie = 0.005

func all(list []bool) bool { return !slices.Contains(list, false) }

// Verdict says in a sentence which styles give the paper's order, MosT-E above all
// baselines on every problem.
func (s *Tables) Verdict() string {
	c := &s.config
	var one, each []string
	for _, style := range c.Styles {
		chosen, with, known := s.leads(style)
		if !known {
			return ""
		}
		if all(chosen) {
			each = append(each, style.title())
		}
		if slices.ContainsFunc(with, all) {
			one = append(one, style.title())
		}
	}
	return fmt.Sprintf("MosT-E is above every baseline on every problem with one shape for all: %s; "+
		"with the shape chosen on each problem: %s.", orNone(one), orNone(each))
}

func orNone(list []string) string {
	if list == nil {
		return "with no style"
	}
	return strings.Join(list, "; ")
}

// WriteText writes the tables for people.
func (s *Tables) WriteText(w io.Writer) error {
	c := &s.config
	var t experiment.Text
	t.Printf("Hypervolume of %d solutions on ZDT in %d variables after %d rounds, below the reference points of the authors' public "+
		"code: mean ± deviation of %d runs.\n", c.M, c.D, c.Rounds, c.Runs)
	t.Printf("MosT has the two objectives themselves, MosT-E %d Dirichlet mixtures of them instead, drawn anew in every run; "+
		"plans are exact.\n", c.Extended)
	t.Printf("Sign steps follow the signs of each objective's gradient, which weight decay is added to before. * is the best of a " +
		"column.\n")
	if c.M == 5 {
		var most []string
		for _, number := range c.Problems {
			most = append(most, fmt.Sprintf("%.2f on ZDT%d", BestFive[number-1], number))
		}
		t.Printf("Five points of the front have at most %s.\n", strings.Join(most, ", "))
	}
	for _, style := range c.Styles {
		t.Printf("\nStep: %s\n\n", style.title())
		experiment.WriteRows(&t, c.entries(), s.textColumns(style)...)
	}
	if verdict := s.Verdict(); verdict != "" {
		t.Printf("\n%s\n", verdict)
	}
	return t.Show(w)
}

// textColumns are the columns of the table of a style, which has a line for each entry.
func (s *Tables) textColumns(style Style) []experiment.TextColumn[entry] {
	out := []experiment.TextColumn[entry]{{Head: "method", Entry: entry.title}}
	for _, number := range s.config.Problems {
		best := s.best(number, style, func(entry) bool { return true })
		column := func(head string, text func(c *Cell) string) {
			out = append(out, experiment.TextColumn[entry]{Head: head, Entry: func(e entry) string {
				return text(s.find(number, style, e.method, e.shape))
			}})
		}
		column(fmt.Sprintf("ZDT%d", number), func(c *Cell) string {
			text := c.Estimate(hypervolume).Text(2)
			if c == best {
				text += "*"
			}
			return text
		})
		column("paper", func(c *Cell) string { return experiment.Fixed(c.paper(), 2) })
		column("Σ x_i, i ≥ 2", func(c *Cell) string { return c.Estimate(remainder).Text(2) })
		column("kinds", func(c *Cell) string { return c.Estimate(kinds).Alone().Text(1) })
	}
	return out
}
