package orderinggrid

import (
	"math"
	"strings"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/portable"
)

// head returns the columns of the CSV file.
func head() []string {
	out := strings.Fields("part problem M K d batch epochs near weighting optimizer order variant alphas horizons tuning runs seed " +
		"tried alpha omega ratio ratio_low ratio_high each")
	for _, name := range names {
		out = append(out, name, name+"_sd")
	}
	return out
}

// columns returns the columns that both parts share.
func (s *Tables) columns() []experiment.Column[Cell] {
	config := &s.config
	return []experiment.Column[Cell]{
		experiment.Key("part", func(c *Cell) any { return c.Part }),
		experiment.Key("problem", func(c *Cell) any { return c.Problem }),
		experiment.Key("M", func(c *Cell) any { return c.M }),
		experiment.Key("K", func(c *Cell) any { return c.K }),
		experiment.Key("d", func(c *Cell) any { return c.D }),
		experiment.Key("epochs", func(c *Cell) any { return c.Epochs }),
		experiment.Key("near", func(c *Cell) any { return c.Near }),
		experiment.Key("weighting", func(c *Cell) any { return c.Weighting }),
		experiment.Key("optimizer", func(c *Cell) any { return c.Optimizer }),
		experiment.Key("order", func(c *Cell) any { return c.Method }),
		experiment.Key("variant", func(c *Cell) any { return c.Variant }),
		experiment.Key("alphas", func(c *Cell) any { return c.Alphas }),
		experiment.Setting("tuning", func(c *Cell) any { return config.Tuning }),
		experiment.Setting("runs", func(c *Cell) any { return config.Runs }),
		experiment.Setting("seed", func(c *Cell) any { return config.Seed }),
		rowsColumn("tried", func(c *Cell) *experiment.Rows { return &c.Tried }, math.Inf(1), func(c *Cell) (rows, numbers int) {
			if c.tuned() {
				rows = len(c.Alphas)
			}
			return rows, c.criteria()
		}),
		experiment.Shown("alpha", func(c *Cell) any { return c.chosenAlphas() }),
		rowsColumn("each", func(c *Cell) *experiment.Rows { return &c.Each }, math.MaxFloat64, func(c *Cell) (rows, numbers int) {
			return config.Runs, c.numbers()
		}),
	}
}

// chosenAlphas returns the step sizes of the further runs, one per criterion.
func (c *Cell) chosenAlphas() (out []float64) {
	for i := range c.criteria() {
		out = append(out, c.Alphas[c.chosen(i)])
	}
	return out
}

// rowsColumn returns a column for rows of numbers whose absolute values are limited by most.
func rowsColumn[C any](name string, of func(c *C) *experiment.Rows, most float64,
	shape func(c *C) (rows, numbers int)) experiment.Column[C] {
	return experiment.RowsColumn(name, of, experiment.RowsForm[C]{Shape: shape, Digits: digits, Kind: "number",
		Allowed: func(v float64) bool { return math.Abs(v) <= most }})
}

// record returns the JSON file's entries other than the cells: ratios to random orders with 95 % intervals,
// exponents, and times.
func (s *Tables) record() map[string]any {
	compared, exponents := []map[string]any{}, []map[string]any{}
	for c := range experiment.Of[Cell](s.Grid) {
		if r := s.againstRandom(c); r.Known() {
			compared = append(compared, map[string]any{"problem": c.Problem, "M": c.M, "K": c.K, "d": c.D, "weighting": c.Weighting,
				"optimizer": c.Optimizer, "order": c.Method, "variant": c.Variant, "alphas": c.Alphas, "alpha": c.chosenAlphas()[0],
				"omega": portable.Pow(10, s.late(c).Mean), "ratio": portable.Pow(10, r.Mean),
				"low": data.Known(portable.Pow(10, r.Mean-r.Spread)), "high": data.Known(portable.Pow(10, r.Mean+r.Spread))})
		}
		if e := s.overT(c); e.Known() {
			exponents = append(exponents, map[string]any{"K": c.K, "weighting": c.Weighting, "order": c.Method, "overT": e.Mean,
				"half": data.Known(e.Spread), "first": data.Known(s.firstShare(c))})
		}
	}
	return map[string]any{"tuning": s.config.Tuning, "runs": s.config.Runs, "seed": s.config.Seed, "condition": condition,
		"heterogeneity": heterogeneity, "noise": noise, "compared": compared, "exponents": exponents, "times": s.recordedTimes()}
}
