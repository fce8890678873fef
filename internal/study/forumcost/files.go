package forumcost

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"paretoplay/internal/engine/experiment"
)

// columns returns the columns of the CSV file. Medians, quartiles and the batches' times are in seconds. Evaluations
// count gradients and products together, in units of gradients.
func (s *Figure) columns() []experiment.Column[Cell] {
	return []experiment.Column[Cell]{
		experiment.Key("method", func(c *Cell) any { return c.Method }),
		experiment.Key("mode", func(c *Cell) any { return c.ModeName() }),
		experiment.Setting("n", func(*Cell) any { return s.config.N }),
		experiment.Key("p", func(c *Cell) any { return c.P }),
		experiment.Setting("m", func(*Cell) any { return s.config.M }),
		experiment.Key("T", func(c *Cell) any { return c.T }),
		experiment.Key("gradients", func(c *Cell) any { return c.counts().Gradients }),
		experiment.Key("hvp", func(c *Cell) any { return c.counts().Products }),
		experiment.Key("floats", func(c *Cell) any { return c.counts().Floats }),
		experiment.Shown("time", func(c *Cell) any { return c.Time }),
		experiment.Shown("low", func(c *Cell) any { return c.Low }),
		experiment.Shown("high", func(c *Cell) any { return c.High }),
		experiment.Value("batches", func(c *Cell) any { return c.Times }, s.takeOver),
		experiment.Shown("hvpprice", func(*Cell) any { return s.show.price() }),
		experiment.Shown("evaluations", func(c *Cell) any { return c.worth(s.show.price()) }),
	}
}

// counts returns the stepper's counts. Before the stepper's first step, it returns the expected counts.
func (c *Cell) counts() Counts {
	if c.Counted {
		return c.Counts
	}
	return c.expected()
}

// worth returns the cost of a step's gradients and products together, in units of gradients.
func (c *Cell) worth(price float64) float64 {
	counts := c.counts()
	return float64(counts.Gradients) + float64(price*float64(counts.Products))
}

// takeOver adds to a cell the batches that an earlier call measured.
func (s *Figure) takeOver(c *Cell, text string) error {
	batches := strings.Fields(text)
	if have := len(c.Times) + len(batches); have > s.config.Repeats {
		return fmt.Errorf("%d batches for a cell with at most %d", have, s.config.Repeats)
	}
	for _, text := range batches {
		t, err := strconv.ParseFloat(text, 64)
		if err != nil || !(t > 0) || math.IsInf(t, 1) {
			return fmt.Errorf("batch %q is not a time", text)
		}
		c.add(t)
	}
	c.Counts, c.Counted = c.counts(), true
	return nil
}

// cellJSON is a cell in files and in the page's state. Times are in seconds.
type cellJSON struct {
	Method    string   `json:"method"`
	Mode      *string  `json:"mode"` // null for FORUM
	T         int      `json:"T"`
	P         int      `json:"p"`
	Batches   int      `json:"batches"`
	Time      *float64 `json:"time"`
	Low       *float64 `json:"low"`
	High      *float64 `json:"high"`
	Gradients *int     `json:"gradients"`
	Products  *int     `json:"hvp"`
	Floats    *int     `json:"floats"`
	TooLarge  bool     `json:"tooLarge"`
}

// MarshalJSON writes null for unknown values.
func (c *Cell) MarshalJSON() ([]byte, error) {
	out := cellJSON{Method: c.Method, T: c.T, P: c.P, Batches: len(c.Times), TooLarge: c.TooLarge}
	if c.differentiates() {
		mode := c.ModeName()
		out.Mode = &mode
	}
	if len(c.Times) > 0 {
		out.Time, out.Low, out.High = &c.Time, &c.Low, &c.High
	}
	if c.Counted {
		out.Gradients, out.Products, out.Floats = &c.Gradients, &c.Products, &c.Floats
	}
	return json.Marshal(out)
}

// Factor is a line's fitted time per multiplication, as written to files.
type Factor struct {
	Method string  `json:"method"`
	Mode   string  `json:"mode"` // "" for FORUM
	Over   string  `json:"over"` // T or p
	Factor float64 `json:"secondsPerMultiplication"`
}

// Factors returns the factors of all lines with measurements.
func (s *Figure) Factors() []Factor {
	out := []Factor{}
	for _, l := range s.config.Lines {
		for _, over := range []string{"T", "p"} {
			if f, ok := s.Factor(l, over == "T"); ok {
				out = append(out, Factor{l.Method, l.ModeName(), over, f})
			}
		}
	}
	return out
}

// record returns the JSON file's entries other than the cells.
func (s *Figure) record() map[string]any {
	c := &s.config
	return map[string]any{"n": c.N, "m": c.M, "T": c.T, "p": c.P, "repetitions": c.Repeats, "seed": c.Seed, "hvpprice": s.show.price(),
		"factors": s.Factors()}
}

// Columns are the column heads for the texts of Figure.Row.
var Columns = []string{"T", "p", "time of a step", "gradients", "HVP", "in gradients", "floats"}

// Row returns the texts of a cell's row, with "–" for unknown numbers.
func (s *Figure) Row(c *Cell) []string {
	row := []string{strconv.Itoa(c.T), strconv.Itoa(c.P), "–", "–", "–", "–", "–"}
	if c.TooLarge {
		row[2] = "too long to measure here"
	}
	if len(c.Times) > 0 {
		row[2] = c.timeText()
	}
	if c.Counted {
		row[3], row[4], row[6] = strconv.Itoa(c.Gradients), strconv.Itoa(c.Products), strconv.Itoa(c.Floats)
		row[5] = experiment.Number(c.worth(s.show.price()))
	}
	return row
}

// timeText formats the median and the quartiles of the times.
func (c *Cell) timeText() string {
	return fmt.Sprintf("%s (%s to %s)", duration(c.Time), duration(c.Low), duration(c.High))
}

// duration formats a time in seconds with three digits and a unit.
func duration(seconds float64) string {
	v, unit := seconds*1e6, "µs"
	switch {
	case v >= 1e6:
		v, unit = v/1e6, "s"
	case v >= 1e3:
		v, unit = v/1e3, "ms"
	}
	decimals := 0
	for limit := 100.0; decimals < 2 && v < limit; limit /= 10 {
		decimals++
	}
	return strconv.FormatFloat(v, 'f', decimals, 64) + " " + unit
}

// WriteText writes a table as text for readers.
func (s *Figure) WriteText(w io.Writer) error {
	c := &s.config
	var b experiment.Text
	b.Printf("An upper step with n = %d and m = %d: median and quartiles of the times of %d batches. "+
		"A Hessian-vector product (HVP) counts as %g gradients.\n\n", c.N, c.M, c.Repeats, s.show.price())
	b.Table(func(out io.Writer) {
		fmt.Fprintln(out, "method\t"+strings.Join(Columns, "\t"))
		for cell := range s.Each {
			fmt.Fprintln(out, cell.Label()+"\t"+strings.Join(s.Row(cell), "\t"))
		}
	})
	return b.Show(w)
}
