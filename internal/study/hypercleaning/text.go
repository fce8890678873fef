package hypercleaning

import (
	"fmt"
	"io"
	"strconv"

	"paretoplay/internal/engine/experiment"
)

// titles maps methods to their titles in tables and legends.
var titles = map[string]string{noCleaning: "no cleaning", validationOnly: "validation only", moml: "MOML", moco: "MoCo", forum: "FORUM"}

// compared lists the methods in the first table.
var compared = []string{noCleaning, validationOnly, moml, moco, forum}

// size formats a step size, or returns a dash if it is 0.
func size(v float64) string {
	if v == 0 {
		return "–"
	}
	return experiment.Number(v)
}

// WriteText writes the tables as text for readers.
func (s *Tables) WriteText(w io.Writer) error {
	c, p := &s.config, &s.config.Problem
	var t experiment.Text
	t.Printf("Toy hyper-cleaning: %d training samples for each of two data sets in the plane, %.0f %% of the labels wrong, "+
		"%d validation samples, %d hidden units.\n",
		p.Train, 100*p.Corruption, p.Validation, p.Hidden)
	t.Printf("Test accuracy and F1 in %%, means of both data sets, and detection, the weights' AUC, all at the iteration (of %d) that "+
		"is best on validation 2.\n", c.Steps)
	t.Printf("Mean ± deviation of %d runs, each with different data. A gain is the mean difference in accuracy between runs with "+
		"the same data, ± its standard error.\n", c.Runs)
	t.Printf("The paper's columns are for another problem, MNIST and FashionMNIST with a network: " +
		"compare the order of the methods, not the numbers.\n")
	t.Printf("\nMethods, FORUM with ρ = %g (the paper's Table 1)\n\n", c.Compared)
	experiment.WriteRows(&t, s.comparedCells(), s.methodColumns()...)
	t.Printf("\nFORUM by ρ: accuracy, gain over ρ = 0 at the best and at the last iteration, q̃ at the last iteration, and the paper's " +
		"accuracy (its Table 5)\n\n")
	experiment.WriteRows(&t, c.Rho, s.rhoColumns()...)
	if beside := s.beside(); len(beside) > 0 {
		t.Printf("\nLonger loops, and FORUM with other η (the paper's Tables 1 and 5)\n\n")
		experiment.WriteRows(&t, beside, s.besideColumns()...)
	}
	if head := s.tuningHead(); head != "" {
		t.Printf("\n%s\n\n", head)
		experiment.WriteRows(&t, s.tuned(), s.tuningColumns()...)
	}
	return t.Show(w)
}

// comparedCells returns the complete cells of the first table.
func (s *Tables) comparedCells() (out []*Cell) {
	for _, t := range s.config.T {
		for _, method := range compared {
			if c := s.cell(method, t, s.config.Compared); c.Done {
				out = append(out, c)
			}
		}
	}
	return out
}

// methodTitle, muText and muOmegaText return entries of the two tables that have one line per cell.
func methodTitle(c *Cell) string { return titles[c.Method] }
func muText(c *Cell) string      { return size(c.Mu) }
func muOmegaText(c *Cell) string { return size(c.MuOmega) }

func (s *Tables) methodColumns() []experiment.TextColumn[*Cell] {
	over := func(name string) func(c *Cell) string {
		return func(c *Cell) string { return s.difference(c, name, accuracyBoth).Signed(1) }
	}
	paper := func(i int) func(c *Cell) string {
		return func(c *Cell) string { return experiment.Fixed(c.reported()[i], 2) }
	}
	return []experiment.TextColumn[*Cell]{
		{Head: "T", Entry: func(c *Cell) string { return strconv.Itoa(c.T) }},
		{Head: "method", Entry: methodTitle},
		{Head: "μ", Entry: muText},
		{Head: "μ_ω", Entry: muOmegaText},
		{Head: "accuracy", Entry: func(c *Cell) string { return c.Estimate(accuracyBoth).Text(1) }},
		{Head: "F1", Entry: func(c *Cell) string { return c.Estimate(f1Both).Text(1) }},
		{Head: "detection", Entry: func(c *Cell) string { return c.Estimate(detection).Text(3) }},
		{Head: "over none", Entry: over(overNone)},
		{Head: "over validation only", Entry: over(overValidation)},
		{Head: "over FORUM", Entry: over(overFORUM)},
		{Head: "paper: MNIST", Entry: paper(0)},
		{Head: "Fashion", Entry: paper(2)},
	}
}

// rhoColumns returns the columns of the table with one line per ρ.
func (s *Tables) rhoColumns() []experiment.TextColumn[float64] {
	out := []experiment.TextColumn[float64]{{Head: "ρ", Entry: experiment.Number}}
	for _, t := range s.config.T {
		column := func(head string, text func(c *Cell) string) {
			out = append(out, experiment.TextColumn[float64]{Head: head, Entry: func(rho float64) string {
				c := s.cell(forum, t, rho)
				if !c.Done {
					return experiment.Dash
				}
				return text(c)
			}})
		}
		column(fmt.Sprintf("T = %d", t), func(c *Cell) string { return c.Estimate(accuracyBoth).Text(1) })
		column("gain", func(c *Cell) string { return s.difference(c, overRhoZero, accuracyBoth).Signed(1) })
		column("last", func(c *Cell) string { return s.difference(c, overRhoZero, lastAccuracy).Signed(1) })
		column("q̃", func(c *Cell) string { return strconv.FormatFloat(c.Mean[lastQ], 'e', 1, 64) })
		column("paper", func(c *Cell) string {
			_, mean := c.paper()
			return experiment.Fixed(mean, 2)
		})
	}
	return out
}

// beside returns the complete cells outside the tables.
func (s *Tables) beside() []*Cell {
	return experiment.Where(s.Each, func(c *Cell) bool { return c.Part == inBeside && c.Done })
}

func (s *Tables) besideColumns() []experiment.TextColumn[*Cell] {
	return []experiment.TextColumn[*Cell]{
		{Head: "T", Entry: func(c *Cell) string { return strconv.Itoa(c.T) }},
		{Head: "method", Entry: methodTitle},
		{Head: "η", Entry: func(c *Cell) string { return experiment.Number(c.Eta) }},
		{Head: "accuracy", Entry: func(c *Cell) string { return c.Estimate(accuracyBoth).Text(1) }},
		{Head: "detection", Entry: func(c *Cell) string { return c.Estimate(detection).Text(3) }},
		{Head: "paper", Entry: func(c *Cell) string {
			_, mean := c.paper()
			return experiment.Fixed(mean, 2)
		}},
	}
}

// tuningHead returns a text about the tuning of step sizes, or "" if none were tried.
func (s *Tables) tuningHead() string {
	t := &s.config.Tuning
	if t.Runs == 0 {
		return ""
	}
	return fmt.Sprintf("Tuning: accuracy on validation 2 by step sizes, %d runs with separate data, T = %d; the best (*) is "+
		"used for every T. “No cleaning” and “validation only” use η = %g, like the loops of the tables", t.Runs, t.T, s.config.Eta)
}

// best returns a method's best tuning cell so far, or nil if there is none.
func (s *Tables) best(method string) *Cell {
	return experiment.Largest(experiment.Where(s.Each, func(c *Cell) bool { return c.Part == inTuning && c.Method == method }),
		func(c *Cell) float64 { return c.Estimate(selectionBoth).Mean })
}

// tuned returns the complete cells with which step sizes were tuned.
func (s *Tables) tuned() []*Cell {
	return experiment.Where(s.Each, func(c *Cell) bool { return c.Part == inTuning && c.Done })
}

func (s *Tables) tuningColumns() []experiment.TextColumn[*Cell] {
	return []experiment.TextColumn[*Cell]{
		{Head: "method", Entry: methodTitle},
		{Head: "μ", Entry: muText},
		{Head: "μ_ω", Entry: muOmegaText},
		{Head: "validation 2", Entry: func(c *Cell) string { return c.Estimate(selectionBoth).Text(1) }},
		{Head: "", Entry: func(c *Cell) string {
			if c == s.best(c.Method) {
				return "*"
			}
			return ""
		}},
	}
}
