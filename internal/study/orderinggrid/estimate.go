package orderinggrid

import (
	"slices"

	"paretoplay/internal/engine/experiment"
)

// complete reports whether the cell exists and has all its runs.
func (s *Tables) complete(c *Cell) bool {
	if c == nil {
		return false
	}
	done, wanted := s.parts(c)
	return done == wanted
}

// each returns the rows of a cell's runs, or nil until all runs are complete.
func (s *Tables) each(c *Cell) experiment.Rows {
	if !s.complete(c) {
		return nil
	}
	return c.Each
}

// cell returns the cell in the given part for a contest, a weighting and an order. It returns nil if there is none.
func (s *Tables) cell(part string, contest *Contest, weighting string, o Order) *Cell {
	return experiment.Find(experiment.Of[Cell](s.Grid), func(c *Cell) bool {
		return c.Part == part && c.Task == contest.Task && c.Weighting == weighting && c.Optimizer == contest.Optimizer && c.Order == o &&
			slices.Equal(c.Alphas, contest.Alphas)
	})
}
