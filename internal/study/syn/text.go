package syn

import (
	"fmt"
	"io"
	"strings"

	"paretoplay/internal/engine/experiment"
)

// WriteText writes the tables as text for readers, two for each ρ.
func (s *Tables) WriteText(w io.Writer) error {
	c := &s.config
	var t experiment.Text
	cut := ""
	if c.Most > 0 {
		cut = fmt.Sprintf(" with at most %d samples", c.Most)
	}
	t.Printf("Syn(ρ, ρ): %d clients%s, %d solutions, %d epochs, batches of %d; every client uses the solution that is best on its "+
		"validation samples.\n", c.Clients, cut, c.Solutions, c.Epochs, batch)
	t.Printf("Mean ± deviation of %d runs, each with different data, starts and batches. A gain is the mean difference between "+
		"runs with the same data, ± its standard error.\n", c.Runs)
	t.Printf("The step size η is the one of {%s} with the best accuracy on validation at the end of the first run; no run stops early.\n",
		experiment.List(c.Rates))
	t.Printf("One local epoch per round; Γ acts on the local updates, scaled by column and count. FedProx μ = %d, "+
		"FedMGDA+ ε = %g with η as its global step.\n", proximal, near)
	t.Printf("FedAvg, FedProx and FedMGDA+ weigh clients by their samples; \"clients alike\" gives all the same weight.\n")
	for _, rho := range c.Rho {
		var rows []*Cell
		for i := range methods {
			rows = append(rows, s.cell(methods[i].name, rho))
		}
		t.Printf("\nρ = %g: mean accuracy over the clients in %%, the paper's (Tables 1 and E), gains, and the accuracy of the worst clients "+
			"by their share\n\n", rho)
		experiment.WriteRows(&t, rows, s.accuracyColumns()...)
		t.Printf("\nρ = %g: the step size, and the validation accuracy of each in the first run; the accuracy at the epoch that is best on "+
			"validation; the divergence of predictions; the share of the clients that chose the most popular solution, and the number of "+
			"chosen solutions; the training loss of the best solution; seconds per run, the shares of transport and of MGDA's weights in "+
			"them, and the paper's (Table 8)\n\n", rho)
		experiment.WriteRows(&t, rows, furtherColumns()...)
	}
	return t.Show(w)
}

// methodColumn is the first column of both tables.
var methodColumn = experiment.TextColumn[*Cell]{Head: "method", Entry: func(c *Cell) string { return find(c.Method).title }}

func (s *Tables) accuracyColumns() []experiment.TextColumn[*Cell] {
	over := func(method string) func(c *Cell) string {
		return func(c *Cell) string { return c.over(s.cell(method, c.Rho)).Signed(1) }
	}
	out := []experiment.TextColumn[*Cell]{
		methodColumn,
		{Head: "accuracy", Entry: func(c *Cell) string { return c.Estimate(accuracy).Text(2) }},
		{Head: "paper", Entry: func(c *Cell) string { return c.paper().Text(2) }},
		{Head: "over MGDA", Entry: over("mgda")},
		{Head: "over linearization", Entry: over("linearization")},
	}
	for i, head := range [...]string{"worst 20 %", "40 %", "60 %", "80 %"} {
		out = append(out, experiment.TextColumn[*Cell]{Head: head, Entry: func(c *Cell) string { return c.Estimate(worst20 + i).Text(1) }})
	}
	return out
}

func furtherColumns() []experiment.TextColumn[*Cell] {
	alone := func(measure, decimals int) func(c *Cell) string {
		return func(c *Cell) string { return c.Estimate(measure).Alone().Text(decimals) }
	}
	share := func(measure, decimals int) func(c *Cell) string {
		return func(c *Cell) string { return percent(c.Estimate(measure).Alone().Text(decimals)) }
	}
	return []experiment.TextColumn[*Cell]{
		methodColumn,
		{Head: "η", Entry: func(c *Cell) string {
			if !c.Done {
				return experiment.Dash
			}
			return experiment.Number(c.Rate)
		}},
		{Head: "tried", Entry: (*Cell).triedText},
		{Head: "best epoch", Entry: func(c *Cell) string { return c.Estimate(earlyAccuracy).Text(2) }},
		{Head: "", Entry: alone(earlyEpoch, 0)},
		{Head: "divergence", Entry: alone(divergence, 2)},
		{Head: "largest", Entry: share(largest, 0)},
		{Head: "chosen", Entry: alone(winners, 1)},
		{Head: "loss", Entry: alone(oracle, 3)},
		{Head: "seconds", Entry: alone(seconds, 1)},
		{Head: "transport", Entry: share(transported, 2)},
		{Head: "MGDA", Entry: share(weighed, 2)},
		{Head: "paper: s", Entry: func(c *Cell) string { return experiment.Fixed(c.paperTimes().seconds, 0) }},
		{Head: "transport", Entry: func(c *Cell) string { return percent(experiment.Fixed(c.paperTimes().transport, 2)) }},
		{Head: "MGDA", Entry: func(c *Cell) string { return percent(experiment.Fixed(c.paperTimes().mgda, 2)) }},
	}
}

// triedText formats the accuracies that determined the rate.
func (c *Cell) triedText() string {
	if !c.Done {
		return experiment.Dash
	}
	var texts []string
	for _, v := range c.Tried {
		texts = append(texts, experiment.Fixed(v, 1))
	}
	return strings.Join(texts, " ")
}

// percent adds a percent sign to a number.
func percent(text string) string {
	if text == experiment.Dash {
		return text
	}
	return text + " %"
}
