package networkgrid

import (
	"fmt"
	"io"
	"strconv"

	"paretoplay/algo/descent"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/experiment"
)

// title returns a variant's name.
func (v Variant) title() string {
	out := "PSMGD"
	if v.Method == equal {
		out = "equal weights"
	} else if rule, known := weighting.Lookup(v.Method); known {
		out = rule.Title
	}
	if v.Method == psmgd {
		out += fmt.Sprintf(", R = %d", v.R)
	}
	if v.Momentum > 0 {
		out += fmt.Sprintf(", α = %g", v.Momentum)
	}
	if v.Normalize != weighting.NormalizeNone.String() {
		out += ", " + v.Normalize
	}
	return out
}

// WriteText writes the tables as text for readers.
func (s *Tables) WriteText(w io.Writer) error {
	c := &s.config
	var t experiment.Text
	t.Printf("A network on pictures of two digits: mean cross-entropy over the tasks on test pairs after %d steps on batches of %d, and the "+
		"share of correct answers in %%.\n", c.Steps, c.Batch)
	t.Printf("Balanced accuracy is the mean over the classes; the lowest one is the worst task's. Mean ± deviation of %d runs, each with "+
		"different pairs, initial parameters and batches.\n", c.Runs)
	t.Printf("Above equal weights: the mean difference in loss, paired by run, ± its standard error. The step size is the one of %v "+
		"(with plain descent, of %v) with the smallest loss on validation pairs, over %d runs with separate seeds.\n", c.Tuning.Eta,
		c.Tuning.PlainEta, Default().Tuning.Runs)
	for _, tasks := range c.Tasks {
		for _, part := range []struct {
			head string
			has  func(cell *Cell) bool
		}{
			{"Adam", func(cell *Cell) bool { return cell.Optimizer == descent.Adam }},
			{"plain descent", func(cell *Cell) bool { return cell.Optimizer == descent.Plain }},
		} {
			rows := experiment.Where(s.Each, func(cell *Cell) bool {
				return cell.Part == inTable && cell.Tasks == tasks && cell.Done && part.has(cell)
			})
			if len(rows) == 0 {
				continue
			}
			t.Printf("\n%d tasks, %s\n\n", tasks, part.head)
			experiment.WriteRows(&t, rows, s.textColumns()...)
		}
	}
	return t.Show(w)
}

func (s *Tables) textColumns() []experiment.TextColumn[*Cell] {
	share := func(measure, decimals int) func(c *Cell) string {
		return func(c *Cell) string {
			e := c.Estimate(measure)
			return experiment.Estimate{Mean: 100 * e.Mean, Spread: 100 * e.Spread}.Text(decimals)
		}
	}
	return []experiment.TextColumn[*Cell]{
		{Head: "method", Entry: func(c *Cell) string { return c.title() }},
		{Head: "η", Entry: func(c *Cell) string { return experiment.Number(c.Eta) }},
		{Head: "loss", Entry: func(c *Cell) string { return c.Estimate(loss).Text(3) }},
		{Head: "above equal weights", Entry: func(c *Cell) string { return s.over(c, loss).Signed(3) }},
		{Head: "right", Entry: share(accuracy, 1)},
		{Head: "balanced", Entry: share(balanced, 1)},
		{Head: "worst task", Entry: share(worst, 0)},
		{Head: "backpropagations", Entry: func(c *Cell) string { return strconv.FormatFloat(c.Mean[cost], 'f', 0, 64) }},
		{Head: "ms a step", Entry: func(c *Cell) string {
			timed := s.cell(inTime, c.Tasks, c.Variant)
			if timed == nil || !timed.Done {
				return experiment.Dash
			}
			return experiment.Significant(1000*timed.Mean[seconds], 2)
		}},
	}
}
