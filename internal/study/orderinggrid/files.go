package orderinggrid

import (
	"encoding/json"
	"math"
	"strings"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
)

// head has the columns of the CSV file.
func head() []string {
	out := strings.Fields("part problem M K d batch epochs near weighting optimizer order variant alphas horizons tuning runs seed " +
		"tried alpha omega ratio ratio_low ratio_high each")
	for _, name := range names {
		out = append(out, name, name+"_sd")
	}
	return out
}

// columns of both parts, whose runs have rows of so many numbers.
func (s *Tables) columns(numbers func(c *Cell) int) []experiment.Column[Cell] {
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
		experiment.Key("alphas", func(c *Cell) any { return experiment.JoinNumbers(c.Alphas) }),
		experiment.Key("tuning", func(c *Cell) any { return config.Tuning }),
		experiment.Key("runs", func(c *Cell) any { return config.Runs }),
		experiment.Key("seed", func(c *Cell) any { return experiment.Number(float64(config.Seed)) }),
		experiment.Value("tried", func(c *Cell) any { return experiment.JoinRows(c.Tried) }, func(c *Cell, text string) (err error) {
			if !c.tuned() {
				return nil
			}
			c.Tried, err = splitRows(text, len(c.Alphas), c.criteria(), math.Inf(1))
			return err
		}),
		experiment.Shown("alpha", func(c *Cell) any { return experiment.JoinNumbers(c.chosenAlphas()) }),
		experiment.Value("each", func(c *Cell) any { return experiment.JoinRows(c.Each) }, func(c *Cell, text string) (err error) {
			c.Each, err = splitRows(text, config.Runs, numbers(c), math.MaxFloat64)
			return err
		}),
	}
}

// chosenAlphas are the step sizes of the further runs, by criterion.
func (c *Cell) chosenAlphas() (out []float64) {
	for i := range c.criteria() {
		out = append(out, c.Alphas[c.chosen(i)])
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
	tried := make([][]*float64, len(c.Tried))
	for i, row := range c.Tried {
		for _, v := range row {
			tried[i] = append(tried[i], data.Known(v))
		}
	}
	record := map[string]any{"part": c.Part, "problem": c.Problem, "M": c.M, "K": c.K, "d": c.D, "epochs": c.Epochs, "near": c.Near,
		"weighting": c.Weighting, "optimizer": c.Optimizer, "order": c.Method, "variant": c.Variant, "alphas": c.Alphas, "tried": tried,
		"each": c.Each}
	if c.Part == rates {
		record["horizons"] = c.Horizons
	} else {
		c.Record(record, names[:])
	}
	return json.Marshal(record)
}

// record returns the contents of the JSON file besides the cells: ratios to random
// orders with 95 % intervals, exponents, and times.
func (s *Tables) record() map[string]any {
	compared, exponents := []map[string]any{}, []map[string]any{}
	for c := range experiment.Of[Cell](s.Grid) {
		if r := s.againstRandom(c); r.Known() {
			compared = append(compared, map[string]any{"problem": c.Problem, "M": c.M, "K": c.K, "d": c.D, "weighting": c.Weighting,
				"optimizer": c.Optimizer, "order": c.Method, "variant": c.Variant, "alphas": c.Alphas, "alpha": c.chosenAlphas()[0],
				"omega": math.Pow(10, s.late(c).Mean), "ratio": math.Pow(10, r.Mean),
				"low": data.Known(math.Pow(10, r.Mean-r.Spread)), "high": data.Known(math.Pow(10, r.Mean+r.Spread))})
		}
		if e := s.overT(c); e.Known() {
			exponents = append(exponents, map[string]any{"K": c.K, "weighting": c.Weighting, "order": c.Method, "overT": e.Mean,
				"half": data.Known(e.Spread), "first": data.Known(s.firstShare(c))})
		}
	}
	return map[string]any{"tuning": s.config.Tuning, "runs": s.config.Runs, "seed": s.config.Seed, "condition": condition,
		"heterogeneity": heterogeneity, "noise": noise, "compared": compared, "exponents": exponents, "times": s.recordedTimes()}
}
