package blocksmoo

import (
	"encoding/json"
	"maps"
	"strings"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
)

// digits of what files hold, so that they stay short.
const digits = 5

// head has the columns of the CSV file.
var head = strings.Fields("part data rows d q r batch method shared partition m alphas records levels checkpoints " +
	"p alpha passes pass seed each")

// row has named numbers ≥ 0, which files hold. Losses are infinite once a run has diverged,
// costs if a run did not get there.
type row interface{ numbers() []*float64 }

// cell is computed at one go; it has no rows before that. Its key says what it is computed for.
type cell[K any, R row] struct {
	Key  K
	Rows []R
	said map[string]any // what tells it from other cells, by the names in files
	keys map[string]any // the same and what all cells are computed for, by column
}

// part answers one question: a list of cells of one type, and how they are computed and written.
type part[K any, R row] struct {
	name    string
	cells   []K
	say     func(k K) map[string]any // what tells a cell from others, by the names in files
	given   func(k K) map[string]any // by column, what else tells its cells from other parts' cells
	clock   bool                     // times are measured
	effort  func(k K) float64        // about the seconds that a cell takes
	rows    func(k K) int            // how many a cell has
	row     func() R                 // one that is yet to be read
	compute func(k K) ([]R, error)
	check   func(k K, rows []R) error // refuses rows that are read; nil for none
}

// lines are the cells of a part.
func lines[K any, R row](s *Tables, p part[K, R]) []experiment.Line {
	type C = cell[K, R]
	plan := experiment.Plan[C]{
		Parts: func(c *C) (done, wanted int) {
			if c.Rows != nil {
				done = 1
			}
			return done, 1
		},
		Work: func(c *C, _ func() bool) (complete bool, err error) {
			rows, err := p.compute(c.Key)
			if err != nil {
				return false, err
			}
			round(rows)
			c.Rows = rows
			return true, nil
		},
		Alone:  func(*C) bool { return p.clock },
		Effort: func(c *C) float64 { return p.effort(c.Key) },
	}
	for _, k := range p.cells {
		c := C{Key: k, said: p.say(k), keys: s.given(&s.config.Race, s.config.Rank)}
		c.said["part"] = p.name
		maps.Copy(c.keys, p.given(k))
		maps.Copy(c.keys, c.said)
		plan.Cells = append(plan.Cells, c)
	}
	for _, name := range head[:len(head)-1] {
		plan.Columns = append(plan.Columns, experiment.Key(name, func(c *C) any {
			if v, ok := c.keys[name]; ok {
				return v
			}
			return ""
		}))
	}
	each := func(c *C) any { return experiment.JoinRows(values(c.Rows)) }
	plan.Columns = append(plan.Columns, experiment.Value("each", each, func(c *C, text string) error {
		rows := make([]R, p.rows(c.Key))
		for i := range rows {
			rows[i] = p.row()
		}
		read, err := experiment.SplitRows(text, len(rows), len(rows[0].numbers()), digits, "number ≥ 0", func(v float64) bool { return v >= 0 })
		if err != nil {
			return err
		}
		for i, r := range rows {
			for j, v := range r.numbers() {
				*v = read[i][j]
			}
		}
		if p.check != nil {
			if err := p.check(c.Key, rows); err != nil {
				return err
			}
		}
		c.Rows = rows
		return nil
	}))
	return experiment.Lines(plan)
}

// given returns the common settings of all cells, by column.
func (s *Tables) given(d *Data, rank int) map[string]any {
	rows, features, responses := d.shape()
	return map[string]any{"data": s.mark, "rows": rows, "d": features, "q": responses, "r": rank, "batch": s.config.Batch,
		"seed": float64(s.config.Seed)}
}

// MarshalJSON writes null for numbers that are infinite.
func (c *cell[K, R]) MarshalJSON() ([]byte, error) {
	record := maps.Clone(c.said)
	each := make([][]*float64, len(c.Rows))
	for i, row := range values(c.Rows) {
		each[i] = known(len(row), func(j int) float64 { return row[j] })
	}
	record["each"] = each
	return json.Marshal(record)
}

// known are so many numbers for JSON, nil for those that are infinite or not known.
func known(count int, of func(i int) float64) []*float64 {
	out := make([]*float64, count)
	for i := range out {
		out[i] = data.Known(of(i))
	}
	return out
}

// values are the numbers of rows.
func values[R row](rows []R) [][]float64 {
	out := make([][]float64, len(rows))
	for i, r := range rows {
		for _, v := range r.numbers() {
			out[i] = append(out[i], *v)
		}
	}
	return out
}

// pointers to all numbers of lists.
func pointers(lists ...[]float64) (out []*float64) {
	for _, list := range lists {
		for i := range list {
			out = append(out, &list[i])
		}
	}
	return out
}

// round keeps what files hold.
func round[R row](rows []R) {
	for _, r := range rows {
		for _, v := range r.numbers() {
			*v = experiment.Rounded(*v, digits)
		}
	}
}

// gathered are a number of a row of the cells that are asked for, in their order; nil until all
// are computed.
func gathered[K any, R row](s *Tables, row int, of func(r R) float64, asked func(k K) bool) (out []float64) {
	for c := range experiment.Of[cell[K, R]](s.Grid) {
		if !asked(c.Key) {
			continue
		}
		if c.Rows == nil {
			return nil
		}
		out = append(out, of(c.Rows[row]))
	}
	return out
}
