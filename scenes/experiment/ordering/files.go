package ordering

import (
	"encoding/json"
	"math"
	"slices"

	"paretoplay/scenes/exchange"
	"paretoplay/scenes/experiment"
)

// key is a column that only some parts have.
func key(name string, value func(c *Cell) any, parts ...string) experiment.Column[Cell] {
	return experiment.Key(name, func(c *Cell) any {
		if !slices.Contains(parts, c.Part) {
			return ""
		}
		return value(c)
	})
}

// columns of the CSV file.
func (s *Tables) columns() []experiment.Column[Cell] {
	config := &s.config
	runs := func(c *Cell) int { return config.Runs }
	out := []experiment.Column[Cell]{
		experiment.Key("part", func(c *Cell) any { return c.Part }),
		key("problem", func(c *Cell) any { return c.Problem }, contests, rates),
		key("M", func(c *Cell) any { return c.M }, contests, rates),
		key("K", func(c *Cell) any { return c.K }, contests, rates),
		experiment.Key("d", func(c *Cell) any {
			if c.Part == costs {
				return c.Size.D
			}
			return c.D
		}),
		key("batch", func(c *Cell) any { return c.Size.Batch }, costs),
		key("epochs", func(c *Cell) any { return c.Epochs }, contests, rates),
		key("near", func(c *Cell) any { return c.Near }, contests, rates),
		experiment.Key("weighting", func(c *Cell) any { return c.Weighting }),
		experiment.Key("optimizer", func(c *Cell) any { return c.Optimizer }),
		experiment.Key("order", func(c *Cell) any { return c.Method }),
		experiment.Key("variant", func(c *Cell) any { return c.Variant }),
		key("alphas", func(c *Cell) any { return experiment.JoinNumbers(c.Alphas) }, contests, rates),
		key("horizons", func(c *Cell) any { return experiment.JoinNumbers(whole(c.Horizons)) }, rates),
		key("tuning", func(c *Cell) any { return config.Tuning }, contests, rates),
		key("runs", func(c *Cell) any { return config.Runs }, contests, rates),
		key("seed", func(c *Cell) any { return experiment.Number(float64(config.Seed)) }, contests, rates),
		experiment.Value("tried", func(c *Cell) any { return experiment.JoinRows(c.Tried) }, func(c *Cell, text string) (err error) {
			if !c.tuned() {
				return nil
			}
			c.Tried, err = splitRows(text, len(c.Alphas), c.criteria(), math.Inf(1))
			return err
		}),
		experiment.Shown("alpha", func(c *Cell) any { return experiment.JoinNumbers(c.chosenAlphas()) }),
		experiment.Shown("omega", func(c *Cell) any { return math.Pow(10, s.late(c).Mean) }),
	}
	for _, ratio := range []struct {
		name string
		of   func(e experiment.Estimate) float64
	}{
		{"ratio", func(e experiment.Estimate) float64 { return e.Mean }},
		{"ratio_low", func(e experiment.Estimate) float64 { return e.Mean - e.Spread }},
		{"ratio_high", func(e experiment.Estimate) float64 { return e.Mean + e.Spread }},
	} {
		out = append(out, experiment.Shown(ratio.name, func(c *Cell) any {
			return experiment.Rounded(math.Pow(10, ratio.of(s.againstRandom(c))), digits)
		}))
	}
	// Each comes before the summary, which reads as complete whatever it says.
	each := func(c *Cell) any { return experiment.JoinRows(c.Each) }
	out = append(out, experiment.Value("each", each, func(c *Cell, text string) (err error) {
		rows, columns := runs(c), c.criteria()
		switch c.Part {
		case rates:
			columns++
		case costs:
			rows, columns = measurements, 2
		}
		c.Each, err = splitRows(text, rows, columns, math.MaxFloat64)
		return err
	}))
	return append(out, experiment.SummaryColumns(names[:], runs, func(c *Cell) *experiment.Summary { return &c.Summary }, (*Cell).lacks)...)
}

// lacks reports whether the cell's runs have no such measure.
func (c *Cell) lacks(measure int) bool {
	if c.Part != contests {
		return true
	}
	kind, _ := c.Order.kind()
	switch measure {
	case signBound:
		return !kind.Balances()
	case clippedPart:
		return c.Variant != selfBalancing
	}
	return false
}

// chosenAlphas are the step sizes of the further runs, by criterion.
func (c *Cell) chosenAlphas() []float64 {
	var out []float64
	if c.Part != costs {
		for i := range c.criteria() {
			out = append(out, c.Alphas[c.chosen(i)])
		}
	}
	return out
}

func whole(list []int) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = float64(v)
	}
	return out
}

// splitRows reads rows of numbers up to most in size.
func splitRows(text string, rows, columns int, most float64) ([][]float64, error) {
	return experiment.SplitRows(text, rows, columns, digits, "number", func(v float64) bool { return math.Abs(v) <= most })
}

// MarshalJSON writes null for numbers that are not known.
func (c *Cell) MarshalJSON() ([]byte, error) {
	record := map[string]any{"part": c.Part, "weighting": c.Weighting, "optimizer": c.Optimizer, "order": c.Method, "variant": c.Variant,
		"each": c.Each}
	if c.Part == costs {
		record["d"], record["batch"], record["steps"] = c.Size.D, c.Size.Batch, c.Size.Steps
		return json.Marshal(record)
	}
	tried := make([][]*float64, len(c.Tried))
	for i, row := range c.Tried {
		for _, v := range row {
			tried[i] = append(tried[i], exchange.Known(v))
		}
	}
	record["problem"], record["M"], record["K"], record["d"] = c.Problem, c.M, c.K, c.D
	record["epochs"], record["near"], record["alphas"], record["tried"] = c.Epochs, c.Near, c.Alphas, tried
	if c.Part == rates {
		record["horizons"] = c.Horizons
	} else {
		c.Record(record, names[:])
	}
	return json.Marshal(record)
}

// record is what the JSON file holds beside the cells: ratios to random orders with 95 %
// intervals, exponents, and times.
func (s *Tables) record() map[string]any {
	compared, exponents, times := []map[string]any{}, []map[string]any{}, []map[string]any{}
	for c := range s.Each {
		switch c.Part {
		case contests:
			if r := s.againstRandom(c); r.Known() {
				compared = append(compared, map[string]any{"problem": c.Problem, "M": c.M, "K": c.K, "d": c.D, "weighting": c.Weighting,
					"optimizer": c.Optimizer, "order": c.Method, "variant": c.Variant, "alphas": c.Alphas, "alpha": c.chosenAlphas()[0],
					"omega": math.Pow(10, s.late(c).Mean), "ratio": math.Pow(10, r.Mean),
					"low": exchange.Known(math.Pow(10, r.Mean-r.Spread)), "high": exchange.Known(math.Pow(10, r.Mean+r.Spread))})
			}
		case rates:
			if e := s.overT(c); e.Known() {
				exponents = append(exponents, map[string]any{"K": c.K, "weighting": c.Weighting, "order": c.Method, "overT": e.Mean,
					"half": exchange.Known(e.Spread), "first": exchange.Known(s.firstShare(c))})
			}
		case costs:
			if update, share := s.times(c); !math.IsNaN(update) {
				times = append(times, map[string]any{"d": c.Size.D, "batch": c.Size.Batch, "update": update, "ordering": share * update})
			}
		}
	}
	return map[string]any{"tuning": s.config.Tuning, "runs": s.config.Runs, "seed": s.config.Seed, "condition": condition,
		"heterogeneity": heterogeneity, "noise": noise, "compared": compared, "exponents": exponents, "times": times}
}
