package zdt

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs/plans"
)

// entry is a method in the tables. For MosT-E it includes the shape.
type entry struct {
	method string
	shape  float64
}

// entries lists the compared entries in the order of tables and legends.
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
	if e.method == even {
		return plans.Methods(plans.Linearization)[0].Title + ", even"
	}
	title := plans.Methods(e.method)[0].Title
	if e.method == plans.Extended {
		title += ", shape " + experiment.Number(e.shape)
	}
	return title
}

// baselines lists the paper's baselines.
var baselines = []string{plans.MGDA, plans.Linearization, plans.MOOSVGD, plans.EPO}

// best returns the finished cell with the largest mean hypervolume, or nil if there is none.
func (s *Tables) best(number int, style Style) *Cell {
	cells := experiment.Where(s.Each, func(c *Cell) bool { return c.Problem == number && c.Style == style })
	return experiment.Largest(cells, func(c *Cell) float64 { return c.Estimate(hypervolume).Mean })
}

// over returns MosT-E's hypervolume minus that of another method, as a mean over runs with the same seeds, with the
// half-width of its 95 % interval. It uses the shape that MosT-E's trials chose. The result is unknown until everything
// is computed.
func (s *Tables) over(number int, style Style, method string) experiment.Estimate {
	chosen := s.chosen(number, style)
	if chosen == nil {
		return experiment.Unknown()
	}
	return experiment.WithInterval(chosen.Differences(&s.find(number, style, method, math.NaN()).Summary, hypervolume))
}

// leads reports on which problems MosT-E has a larger hypervolume than all given methods, and on which the difference
// also exceeds the half-width of each interval. It returns known = false until the style is complete.
func (s *Tables) leads(style Style, methods []string) (above, surely []bool, known bool) {
	for _, number := range s.config.Problems {
		is, sure := true, true
		for _, method := range methods {
			over := s.over(number, style, method)
			if !over.Known() {
				return nil, nil, false
			}
			is = is && over.Mean > tie
			sure = sure && over.Mean > over.Spread
		}
		above, surely = append(above, is), append(surely, is && sure)
	}
	return above, surely, true
}

// tie is the difference in hypervolume below which two methods count as equal. The paper and the tables show two
// decimals.
const tie = 0.005

func all(list []bool) bool { return !slices.Contains(list, false) }

// Verdict returns a sentence with the styles that give the paper's order, in which MosT-E is above all baselines on
// every problem. It returns "" until everything is computed, or if no shape is chosen.
func (s *Tables) Verdict() string {
	var some, sure, more []string
	for _, style := range s.config.Styles {
		above, surely, known := s.leads(style, baselines)
		if !known {
			return ""
		}
		evenly, _, known := s.leads(style, []string{even})
		if !known {
			return ""
		}
		if all(above) {
			some = append(some, style.title())
		}
		if all(surely) {
			sure = append(sure, style.title())
		}
		if all(above) && all(evenly) {
			more = append(more, style.title())
		}
	}
	return fmt.Sprintf("MosT-E with the chosen shape is above each of the paper's baselines on every problem: %s;\n"+
		"by more than the half-width of each interval: %s; and above linearization with even weights as well: %s.",
		orNone(some), orNone(sure), orNone(more))
}

func orNone(list []string) string {
	if list == nil {
		return "with no style"
	}
	return strings.Join(list, "; ")
}

// WriteText writes the tables as text for readers.
func (s *Tables) WriteText(w io.Writer) error {
	c := &s.config
	var t experiment.Text
	t.Printf("Hypervolume of %d solutions on ZDT in %d variables after %d rounds, relative to the reference points of the authors' public "+
		"code: mean ± deviation of %d runs.\n", c.M, c.D, c.Rounds, c.Runs)
	t.Printf("MosT uses the two objectives, and MosT-E uses %d Dirichlet mixtures of them, drawn anew in every run; "+
		"plans are exact, and directions\nare divided by the mean of the masses that a solution serves (columncount), so steps are as "+
		"long as the steps of methods without a plan.\nLinearization draws the weights of each solution, “even” spreads them "+
		"evenly.\n", c.Extended)
	t.Printf("Sign steps follow the signs of each objective's gradient after weight decay is added. * marks the best in a " +
		"column.\n")
	if c.M == 5 {
		var most []string
		for _, number := range c.Problems {
			most = append(most, fmt.Sprintf("%.2f on ZDT%d", BestFive[number-1], number))
		}
		t.Printf("Five points on the front reach at most %s.\n", strings.Join(most, ", "))
	}
	if c.Trials > 0 {
		t.Printf("The shape of MosT-E's mixtures is chosen for each problem and step by the mean of %d trials, with seeds %d to %d; all "+
			"tables use the runs\nwith seeds %d to %d. Differences are computed run by run: mean ± half-width of the 95 %% interval.\n",
			c.Trials, c.TrialSeed, c.TrialSeed+uint64(c.Trials)-1, c.Seed, c.Seed+uint64(c.Runs)-1)
	}
	for _, style := range c.Styles {
		t.Printf("\nStep: %s\n\n", style.title())
		experiment.WriteRows(&t, c.entries(), s.textColumns(style)...)
		if c.Trials > 0 {
			t.Printf("\n")
			experiment.WriteRows(&t, shapeless, s.differenceColumns(style)...)
		}
	}
	if verdict := s.Verdict(); verdict != "" {
		t.Printf("\n%s\n", verdict)
	}
	return t.Show(w)
}

// textColumns returns the columns of a style's table. The table has one line per entry.
func (s *Tables) textColumns(style Style) []experiment.TextColumn[entry] {
	out := []experiment.TextColumn[entry]{{Head: "method", Entry: entry.title}}
	for _, number := range s.config.Problems {
		best := s.best(number, style)
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

// differenceColumns returns the columns of a style's table that compares MosT-E with each other method.
func (s *Tables) differenceColumns(style Style) []experiment.TextColumn[string] {
	out := []experiment.TextColumn[string]{{Head: "MosT-E less", Entry: func(method string) string {
		return entry{method, math.NaN()}.title()
	}}}
	for _, number := range s.config.Problems {
		head := fmt.Sprintf("ZDT%d", number)
		if chosen := s.chosen(number, style); chosen != nil {
			head += ", shape " + experiment.Number(chosen.Shape)
		}
		out = append(out, experiment.TextColumn[string]{Head: head, Entry: func(method string) string {
			return s.over(number, style, method).Signed(3)
		}})
	}
	return out
}
