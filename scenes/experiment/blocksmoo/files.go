package blocksmoo

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"paretoplay/scenes/experiment"
)

// The names of the partitions.
const (
	whole    = ""
	twoParts = "U V"
	byRows   = "U rows"
)

func (s Setting) partition() string {
	switch {
	case !s.parted():
		return whole
	case s.ByRows:
		return byRows
	}
	return twoParts
}

// columns of the CSV file.
func (s *Tables) columns() []experiment.Column[Cell] {
	config := &s.config
	// A key that only some parts have.
	key := func(name string, value func(c *Cell) any, parts ...string) experiment.Column[Cell] {
		return experiment.Key(name, func(c *Cell) any {
			if !slices.Contains(parts, c.Part) {
				return ""
			}
			return value(c)
		})
	}
	data := func(c *Cell) *Data {
		if c.Part == sweeping {
			return &c.Front.Data
		}
		return &config.Race
	}
	mark := config.Race.mark()
	clock := []string{screening, finals, timed}
	racing := append(slices.Clone(clock), counting)
	return []experiment.Column[Cell]{
		experiment.Key("part", func(c *Cell) any { return c.Part }),
		experiment.Key("data", func(*Cell) any { return mark }),
		experiment.Key("rows", func(c *Cell) any { n, _, _ := data(c).shape(); return n }),
		experiment.Key("d", func(c *Cell) any { _, d, _ := data(c).shape(); return d }),
		experiment.Key("q", func(c *Cell) any { _, _, q := data(c).shape(); return q }),
		experiment.Key("r", func(c *Cell) any {
			if c.Part == sweeping {
				return c.Rank
			}
			return config.Rank
		}),
		experiment.Key("batch", func(*Cell) any { return config.Batch }),
		key("method", func(c *Cell) any { return c.ID }, screening, finals, counting),
		key("shared", func(c *Cell) any { return strconv.FormatBool(c.Shared) }, screening, finals, counting),
		key("partition", func(c *Cell) any { return c.partition() }, screening, counting),
		key("m", func(c *Cell) any { return c.M }, screening, counting),
		key("alphas", func(*Cell) any { return experiment.JoinNumbers(config.Alphas) }, racing...),
		key("records", func(*Cell) any { return experiment.JoinNumbers(config.Records) }, clock...),
		key("levels", func(*Cell) any { return experiment.JoinNumbers(config.Levels) }, counting),
		key("checkpoints", func(*Cell) any { return experiment.JoinNumbers(config.Checkpoints) }, counting),
		key("p", func(c *Cell) any { return c.Sum }, sweeping),
		key("alpha", func(c *Cell) any { return c.Alpha }, sweeping),
		key("passes", func(c *Cell) any { return c.Passes }, sweeping),
		key("pass", func(c *Cell) any { return c.Reading }, sweeping),
		experiment.Key("seed", func(c *Cell) any {
			if c.Part == finals {
				return experiment.Number(float64(config.Seed))
			}
			return experiment.Number(float64(c.Seed))
		}),
		experiment.Value("each", func(c *Cell) any { return experiment.JoinRows(c.Rows) }, s.read),
	}
}

// read takes over what experiment.JoinRows wrote of a cell: numbers ≥ 0 with the digits of files, or
// infinite.
func (s *Tables) read(c *Cell, text string) error {
	count, columns := s.shape(c)
	rows, err := experiment.SplitRows(text, count, columns, digits, "number ≥ 0", func(v float64) bool { return v >= 0 })
	if err != nil {
		return err
	}
	for i, row := range rows {
		if at := row[0]; c.Part == finals && (at != math.Trunc(at) || at >= float64(len(s.config.trials(c.Method)))) {
			return fmt.Errorf("row %d begins with %g, which is no setting’s number", i+1, at)
		}
	}
	c.Rows = rows
	return nil
}

// number is one for JSON, nil for what is infinite or not known.
func number(v float64) *float64 {
	if v-v != 0 {
		return nil
	}
	return &v
}

func numbers(list []float64) []*float64 {
	out := make([]*float64, len(list))
	for i, v := range list {
		out[i] = number(v)
	}
	return out
}

// MarshalJSON writes null for numbers that are infinite.
func (c *Cell) MarshalJSON() ([]byte, error) {
	record := map[string]any{"part": c.Part}
	switch c.Part {
	case sweeping:
		record["rank"], record["p"], record["alpha"], record["passes"], record["pass"] = c.Rank, c.Sum, c.Alpha, c.Passes, c.Reading
	case screening, counting:
		record["partition"], record["m"] = c.partition(), c.M
		fallthrough
	case finals:
		record["method"], record["shared"] = c.ID, c.Shared
	}
	if c.Part != finals {
		record["seed"] = c.Seed
	}
	rows := make([][]*float64, len(c.Rows))
	for i, row := range c.Rows {
		rows[i] = numbers(row)
	}
	record["each"] = rows
	return json.Marshal(record)
}

// record is what the JSON file holds beside the cells: what was chosen, losses over time, and
// costs.
func (s *Tables) record() map[string]any {
	config := &s.config
	overTime, costs, fronts := []map[string]any{}, []map[string]any{}, []map[string]any{}
	say := func(m Method, t trial) map[string]any {
		return map[string]any{"method": m.ID, "shared": m.Shared, "partition": t.partition(), "m": t.M, "alpha": t.Alpha}
	}
	for _, c := range contenders() {
		t, ok := s.entered(c)
		if !ok || s.timedValues(c, 0) == nil {
			continue
		}
		entry := say(c.Method, t)
		entry["tuned"], entry["steps"], entry["million"] = c.tuned, s.timedMean(c, 0), s.timedMean(c, 1)
		var losses []*float64
		for i := range config.Records {
			losses = append(losses, number(s.timedMean(c, 2+i)))
		}
		entry["losses"] = losses
		overTime = append(overTime, entry)
	}
	for _, m := range methods() {
		for _, setting := range config.counted(m) {
			t, ok := s.cheapest(setting, len(config.Levels)-1)
			choosing := setting != config.plain(m)
			if !ok || s.countedValues(t, 0, choosing) == nil {
				continue
			}
			entry := say(m, t)
			entry["choosing"] = choosing
			var work, coordinates []*float64
			for level := range config.Levels {
				work = append(work, number(experiment.Median(s.countedValues(t, s.workTo(level), choosing))))
				coordinates = append(coordinates, number(experiment.Median(s.countedValues(t, s.coordinatesTo(level), choosing))))
			}
			entry["million"], entry["thousandCoordinates"] = work, coordinates
			costs = append(costs, entry)
		}
	}
	for i := range config.Fronts {
		f := &config.Fronts[i]
		for j, m := range swept {
			if s.frontValues(f, j, purity) != nil {
				fronts = append(fronts, map[string]any{"method": m.ID, "rank": f.Rank, "pass": f.Reading,
					"purity": number(s.frontValue(f, j, purity).Mean),
					"gamma":  number(s.frontValue(f, j, gamma).Mean), "delta": number(s.frontValue(f, j, delta).Mean)})
			}
		}
	}
	record := map[string]any{"alphas": config.Alphas, "records": config.Records, "levels": config.Levels, "checkpoints": config.Checkpoints,
		"rank": config.Rank, "batch": config.Batch, "tuning": config.Tuning, "runs": config.Runs, "seed": config.Seed,
		"time": overTime, "costs": costs, "fronts": fronts}
	if table := config.Race.Table; table != nil {
		record["responses"], record["features"], record["leftOut"] = table.Responses, table.Features, table.LeftOut
	}
	return record
}
