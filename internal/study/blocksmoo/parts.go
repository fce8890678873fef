package blocksmoo

import (
	"maps"
	"strings"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
)

// digits is the number of significant digits in files. Few digits keep the files short.
const digits = 5

// head lists the columns of the CSV file.
var head = strings.Fields("part data rows d q r batch method shared partition m alphas records levels checkpoints " +
	"p alpha passes pass seed each")

// cell holds rows that are computed in one piece. It has no rows until then. Its key describes what is computed.
type cell[K any] struct {
	Key  K
	Rows experiment.Rows
	said map[string]any // values that identify the cell, by their names in files
	keys map[string]any // the same values with the settings common to all cells, by column
}

// part is a list of cells of one type, with functions that compute and write them. Numbers in rows are ≥ 0. A loss is
// infinite after a run has diverged, and a cost is infinite if a run does not reach a level.
type part[K any] struct {
	name    string
	cells   []K
	say     func(k K) map[string]any // values that identify a cell, by their names in files
	given   func(k K) map[string]any // settings that distinguish this part's cells from other parts', by column
	clock   bool                     // whether the part measures times
	effort  func(k K) float64        // estimated seconds per cell
	rows    func(k K) int            // number of rows in a cell
	numbers int                      // number of values in a row
	compute func(k K) (experiment.Rows, error)
	check   func(k K, rows experiment.Rows) error // returns an error for invalid rows of a file; may be nil
}

// lines returns the cells of a part.
func lines[K any](s *Tables, p part[K]) []experiment.Line {
	type C = cell[K]
	if len(p.cells) == 0 {
		return nil
	}
	plan := experiment.Plan[C]{
		Parts: func(c *C) (done, wanted int) {
			if len(c.Rows) > 0 {
				done = 1
			}
			return done, 1
		},
		Work: func(c *C, _ func() bool) (complete bool, err error) {
			rows, err := p.compute(c.Key)
			if err != nil {
				return false, err
			}
			rows.Round(digits)
			c.Rows = rows
			return true, nil
		},
		Alone:  func(*C) bool { return p.clock },
		Effort: func(c *C) float64 { return p.effort(c.Key) },
	}
	for _, k := range p.cells {
		c := C{Key: k, Rows: experiment.Rows{}, said: p.say(k), keys: s.given(&s.config.Race, s.config.Rank)}
		c.said["part"] = p.name
		maps.Copy(c.keys, p.given(k))
		maps.Copy(c.keys, c.said)
		plan.Cells = append(plan.Cells, c)
	}
	for _, name := range head[:len(head)-1] {
		plan.Columns = append(plan.Columns, experiment.Setting(name, func(c *C) any {
			if v, ok := c.keys[name]; ok {
				return v
			}
			return ""
		}))
	}
	form := experiment.RowsForm[C]{Shape: func(c *C) (rows, numbers int) { return p.rows(c.Key), p.numbers }, Digits: digits,
		Kind: "number ≥ 0", Allowed: func(v float64) bool { return v >= 0 }}
	if p.check != nil {
		form.Check = func(c *C, rows experiment.Rows) error { return p.check(c.Key, rows) }
	}
	plan.Columns = append(plan.Columns, experiment.RowsColumn("each", func(c *C) *experiment.Rows { return &c.Rows }, form))
	for name := range plan.Cells[0].said {
		plan.Columns = append(plan.Columns, experiment.Member(name, func(c *C) any { return c.said[name] }))
	}
	return experiment.Lines(plan)
}

// given returns the common settings of all cells, by column.
func (s *Tables) given(d *Data, rank int) map[string]any {
	rows, features, responses := d.shape()
	return map[string]any{"data": s.mark, "rows": rows, "d": features, "q": responses, "r": rank, "batch": s.config.Batch,
		"seed": s.config.Seed}
}

// known returns of(0), …, of(count − 1) for the JSON file. Infinite and unknown numbers become nil.
func known(count int, of func(i int) float64) []*float64 {
	out := make([]*float64, count)
	for i := range out {
		out[i] = data.Known(of(i))
	}
	return out
}

// gathered returns one number per selected cell, from the given row, in the order of the cells. It returns nil until
// all selected cells are computed.
func gathered[K any](s *Tables, row, number int, wanted func(k K) bool) (out []float64) {
	for c := range experiment.Of[cell[K]](s.Grid) {
		if !wanted(c.Key) {
			continue
		}
		if len(c.Rows) == 0 {
			return nil
		}
		out = append(out, c.Rows[row][number])
	}
	return out
}
