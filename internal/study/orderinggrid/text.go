package orderinggrid

import (
	"fmt"
	"io"

	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs/orders"
)

// problemTitles maps problems to their titles.
var problemTitles = map[string]string{
	leastSquares: "Least squares", diagonal: "Diagonal quadratics", logistic: "Logistic regression", regression: "Regression on shared inputs",
}

// variantTitles maps variants to the suffixes of a method's title.
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

// WriteText writes the tables as text for readers.
func (s *Tables) WriteText(w io.Writer) error {
	c := &s.config
	var b experiment.Text
	b.Printf("ω at the first points of the epochs in the last third, as a geometric mean of %d runs; × is its ratio to random orders, "+
		"run by run, with its 95 %% interval.\n", c.Runs)
	b.Printf("Each run has different data and orders, shared by all compared methods. Condition %d, heterogeneity %d, noise %g; runs "+
		"start at the origin.\n", condition, heterogeneity, noise)
	b.Printf("If there are several step sizes, each order uses, for each weighting, the one with the smallest ω in %d other runs. "+
		"\"One each\" means a separate order for every objective.\n", c.Tuning)
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
