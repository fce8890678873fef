package ordering

import (
	"math"
	"slices"

	"paretoplay/scenes/experiment"
	"paretoplay/scenes/experiment/statistics"
	"paretoplay/scenes/race/orders"
)

// complete reports whether the cell is there and has all its runs.
func (s *Tables) complete(c *Cell) bool {
	if c == nil {
		return false
	}
	done, wanted := s.parts(c)
	return done == wanted
}

// values are one number of every run, nil until all are complete.
func (s *Tables) values(c *Cell, of func(each []float64) float64) []float64 {
	if !s.complete(c) {
		return nil
	}
	out := make([]float64, len(c.Each))
	for i, each := range c.Each {
		out[i] = of(each)
	}
	return out
}

func number(i int) func(each []float64) float64 {
	return func(each []float64) float64 { return each[i] }
}

// late is log10 of ω in the last third of the epochs; not known but of contests.
func (s *Tables) late(c *Cell) experiment.Estimate {
	if c.Part != contests {
		return experiment.Unknown()
	}
	return statistics.WithInterval(s.values(c, number(0)))
}

// cell returns that of an order in a contest of a part, with a weighting; nil for none.
func (s *Tables) cell(part string, contest *Contest, weighting string, o Order) *Cell {
	for c := range experiment.Of[Cell](s.Grid) {
		if c.Part == part && c.Task == contest.Task && c.Weighting == weighting && c.Optimizer == contest.Optimizer && c.Order == o &&
			slices.Equal(c.Alphas, contest.Alphas) {
			return c
		}
	}
	return nil
}

// against is log10 of the ratio of ω to that of another order, of runs with the same seeds.
func (s *Tables) against(c *Cell, o Order) experiment.Estimate {
	if c.Part != contests {
		return experiment.Unknown()
	}
	other := s.cell(c.Part, &Contest{Task: c.Task, Optimizer: c.Optimizer, Alphas: c.Alphas}, c.Weighting, o)
	if !s.complete(c) || !s.complete(other) {
		return experiment.Unknown()
	}
	return statistics.WithInterval(experiment.Differences(s.values(c, number(0)), s.values(other, number(0))))
}

func (s *Tables) againstRandom(c *Cell) experiment.Estimate {
	return s.against(c, Order{Method: orders.Random})
}

// settled is the horizon from which on exponents are fitted.
const settled = 30

// overT is the exponent of the mean of ω² over T, at horizons from settled on.
func (s *Tables) overT(c *Cell) experiment.Estimate {
	var x []float64
	from := len(c.Horizons)
	for i, t := range c.Horizons {
		if t >= settled {
			from = min(from, i)
			x = append(x, math.Log10(float64(t)))
		}
	}
	if len(x) < 2 {
		return experiment.Unknown()
	}
	return statistics.WithInterval(s.values(c, func(each []float64) float64 { return statistics.Exponent(x, each[from:len(c.Horizons)]) }))
}

// overK is the exponent over K of the mean of ω² over the longest horizon, relative to ω²
// at the start, since other K have other data.
func (s *Tables) overK(r *Rate, weighting string, o Order) experiment.Estimate {
	var x []float64
	var y [][]float64 // by K, of every run
	for _, k := range r.Ks {
		c := s.cell(rates, r.at(k), weighting, o)
		if !s.complete(c) {
			return experiment.Unknown()
		}
		last := len(r.Horizons) - 1
		x = append(x, math.Log10(float64(k)))
		y = append(y, s.values(c, func(each []float64) float64 { return each[last] - each[last+1] }))
	}
	if len(x) < 2 {
		return experiment.Unknown()
	}
	slopes := make([]float64, s.config.Runs)
	for run := range slopes {
		line := make([]float64, len(x))
		for i := range x {
			line[i] = y[i][run]
		}
		slopes[run] = statistics.Exponent(x, line)
	}
	return statistics.WithInterval(slopes)
}

// firstShare is the share of the start alone in the mean of ω² over the longest horizon:
// what an order has no part in.
func (s *Tables) firstShare(c *Cell) float64 {
	last := len(c.Horizons) - 1
	of := s.values(c, func(each []float64) float64 { return each[last+1] - each[last] })
	return math.Pow(10, statistics.WithInterval(of).Mean) / float64(c.Horizons[last])
}
