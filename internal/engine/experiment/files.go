package experiment

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/data"
)

// Column is an entry of a cell in files: Key, Setting, Value, Shown or Member. Its values are
// strings, bools, ints, uint64s, float64s, lists of ints and float64s, and rows of float64s. An unknown
// number is NaN, which is "" in CSV and null in JSON; infinite ones are null too. CSV has reals with a
// point or an exponent, as data.Real writes them.
type Column[C any] struct {
	name           string
	value          func(c *C) any
	key, csv, json bool
	read           func(c *C, text string) error // nil unless it is a Value
}

// Key is a column that says, with the other keys and the settings, which cell a line is of.
func Key[C any](name string, value func(c *C) any) Column[C] {
	return Column[C]{name: name, value: value, key: true, csv: true, json: true}
}

// Setting is a Key that says for which configuration a line is. JSON does not repeat it in each cell.
func Setting[C any](name string, value func(c *C) any) Column[C] {
	return Column[C]{name: name, value: value, key: true, csv: true}
}

// Value is a column that is computed; read takes it over from the file of an earlier
// call, and lets the cell know that this much of it is done. Errors name no line.
func Value[C any](name string, value func(c *C) any, read func(c *C, text string) error) Column[C] {
	return Column[C]{name: name, value: value, read: read, csv: true, json: true}
}

// Shown is a column of CSV alone that follows from others, and is not read.
func Shown[C any](name string, value func(c *C) any) Column[C] {
	return Column[C]{name: name, value: value, csv: true}
}

// Member is only in JSON, where its value may be of any type.
func Member[C any](name string, value func(c *C) any) Column[C] {
	return Column[C]{name: name, value: value, json: true}
}

// InJSON returns the column, in JSON too or not there.
func (c Column[C]) InJSON(is bool) Column[C] {
	c.json = is
	return c
}

// field writes a value of a column to CSV.
func field(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case uint64:
		return strconv.FormatUint(v, 10)
	case []int:
		texts := make([]string, len(v))
		for i, n := range v {
			texts[i] = strconv.Itoa(n)
		}
		return strings.Join(texts, " ")
	case float64:
		return data.Real(v)
	case []float64:
		if !slices.ContainsFunc(v, func(v float64) bool { return !math.IsNaN(v) }) {
			return ""
		}
		return data.AsReals(JoinNumbers(v))
	case [][]float64:
		return data.AsReals(JoinRows(v))
	}
	panic(fmt.Sprintf("experiment: a column holds %T", value))
}

// member returns a value of a column for JSON.
func member(value any) any {
	switch v := value.(type) {
	case float64:
		return data.Known(v)
	case []float64:
		return members(v, data.Known)
	case [][]float64:
		return members(v, func(row []float64) []*float64 { return members(row, data.Known) })
	}
	return value
}

// members returns what becomes of each value of a list, nil for nil.
func members[V, M any](list []V, of func(v V) M) []M {
	if list == nil {
		return nil
	}
	out := make([]M, len(list))
	for i, v := range list {
		out[i] = of(v)
	}
	return out
}

// recorded returns a cell for JSON: its columns by name, or the cell itself where the plan says so.
func (p *Plan[C]) recorded(c *C) any {
	if p.Encoded {
		return c
	}
	out := map[string]any{}
	for _, column := range p.Columns {
		if column.json {
			out[column.name] = member(column.value(c))
		}
	}
	return out
}

// isField reports whether a cell of a file is what field writes, or what earlier versions wrote: reals without a point,
// and seeds with an exponent.
func isField(value any, cell string) bool {
	text := field(value)
	if text == cell || isReal(value) && text == data.AsReals(cell) {
		return true
	}
	seed, is := value.(uint64)
	v, err := strconv.ParseFloat(cell, 64)
	return is && err == nil && v == float64(seed)
}

// isReal reports whether field writes a value by data.Real.
func isReal(value any) bool {
	switch value.(type) {
	case float64, []float64, [][]float64:
		return true
	}
	return false
}

// Number writes a number so that reading gives it back.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// WriteCSV writes one line a complete cell and, where the parts take turns, one a cell
// with any part done. A cell that is to get more runs than an earlier call's has its earlier line until
// it is complete.
func (g *grid) WriteCSV(w io.Writer) error {
	lines := [][]string{g.head}
	var before []int // the lines of earlier calls
	reals := make([]bool, len(g.head))
	for i := range g.count {
		done, wanted := g.parts(i)
		switch line := g.kept[i]; {
		case line != nil && done < wanted:
			before, lines = append(before, len(lines)), append(lines, slices.Clone(line))
		case done > 0 && (done == wanted || g.turns):
			line = make([]string, len(g.head))
			for j := range line {
				value := g.value(i, j)
				line[j], reals[j] = field(value), reals[j] || isReal(value)
			}
			lines = append(lines, line)
		}
	}
	for _, n := range before { // those of earlier versions have reals without a point
		for j, real := range reals {
			if real {
				lines[n][j] = data.AsReals(lines[n][j])
			}
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// Resume takes over the cells of a CSV file that an earlier call wrote, with decimal points or commas.
// Lines of another configuration, and two of one cell, are an error; lines of fewer runs are not.
func Resume[C any](g *Grid[C], r io.Reader) error {
	lines, err := data.ReadCSV(r)
	if err != nil {
		return err
	}
	if len(lines) == 0 || !slices.Equal(lines[0], g.head) {
		return fmt.Errorf("line 1: the columns are not %v", g.head)
	}
	seen := map[int]int{}
	for n, line := range lines[1:] {
		i, runs := find(g, line)
		if i < 0 {
			return fmt.Errorf("line %d: not a cell of this %s", n+2, g.plan.Kind)
		}
		if before, twice := seen[i]; twice {
			return fmt.Errorf("line %d: the same cell as line %d", n+2, before)
		}
		seen[i] = n + 2
		if err := g.take(i, line, runs); err != nil {
			return fmt.Errorf("line %d: %w", n+2, err)
		}
	}
	return nil
}

// take takes over a line of a cell; runs is how many it is of where these are fewer than the cell wants, else 0.
func (g *Grid[C]) take(i int, line []string, runs int) error {
	c := &g.plan.Cells[i]
	if runs > 0 {
		if g.kept == nil {
			g.kept = map[int][]string{}
		}
		g.kept[i] = line
		if g.plan.Wants == nil {
			g.grown[1]++
			return nil
		}
		g.grown[0]++
		wanted := g.plan.Wants(c)
		defer func(all int) { *wanted = all }(*wanted)
		*wanted = runs
	}
	for j, column := range g.plan.Columns {
		if column.read == nil {
			continue
		}
		if err := column.read(c, line[j]); err != nil {
			return err
		}
	}
	return nil
}

// runsColumn is the name of the key that says how many runs a cell wants.
const runsColumn = "runs"

// find is the number of the cell that a line is of, −1 for none; runs is that of the line where it is of fewer
// than the cell wants, else 0.
func find[C any](g *Grid[C], line []string) (i, runs int) {
	for i := range g.plan.Cells {
		_, wanted := g.parts(i)
		same, fewer := wanted > 0, 0
		for j, column := range g.plan.Columns {
			if !same || !column.key {
				continue
			}
			value := g.value(i, j)
			if same = isField(value, line[j]); same || column.name != runsColumn || g.turns {
				continue
			}
			now, errNow := strconv.Atoi(field(value))
			before, err := strconv.Atoi(line[j])
			if same = errNow == nil && err == nil && before > 0 && before < now; same {
				fewer = before
			}
		}
		if same {
			return i, fewer
		}
	}
	return -1, 0
}

// Records returns all cells for JSON.
func (g *grid) Records() any {
	out := make([]any, g.count)
	for i := range out {
		out[i] = g.recorded(i)
	}
	return out
}

// WriteJSON writes {"experiment", "cells"} and what the plan's Record adds.
func (g *grid) WriteJSON(w io.Writer) error {
	record := map[string]any{}
	if g.record != nil {
		record = g.record()
	}
	record["experiment"], record["cells"] = g.name, g.Records()
	if g.first > 0 {
		record["seed0"] = g.first
	}
	return json.NewEncoder(w).Encode(record)
}

// Picture returns the panels in one picture, of a width on paper or 0 for none, that does not say yet
// where it comes from.
func (g *grid) Picture(width axes.PrintWidth) *axes.Figure {
	if width != 0 {
		return axes.Printed(width, brush.Light, g.panels)
	}
	return &axes.Figure{Width: g.width, Height: g.height, Theme: brush.Light, Placed: axes.Arrange(g.width, g.height, g.panels, "")}
}

// JoinNumbers writes several numbers in one entry of a table, parted by spaces.
func JoinNumbers(each []float64) string {
	texts := make([]string, len(each))
	for i, v := range each {
		texts[i] = Number(v)
	}
	return strings.Join(texts, " ")
}

// JoinRows writes rows of numbers in one entry of a table, parted by semicolons.
func JoinRows(rows [][]float64) string {
	texts := make([]string, len(rows))
	for i, row := range rows {
		texts[i] = JoinNumbers(row)
	}
	return strings.Join(texts, ";")
}

// Rounded keeps so many digits of a number, for files that are to stay short.
func Rounded(v float64, digits int) float64 {
	if v-v != 0 {
		return v
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		panic("experiment: " + err.Error()) // of what was just written
	}
	return r
}

// SplitNumbers reads what JoinNumbers writes, so many finite numbers.
func SplitNumbers(text string, count int) ([]float64, error) {
	var out []float64
	for _, field := range strings.Fields(text) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil || v-v != 0 {
			return nil, fmt.Errorf("run %q is no number", field)
		}
		out = append(out, v)
	}
	if len(out) != count {
		return nil, fmt.Errorf("%d numbers of a cell with %d", len(out), count)
	}
	return out, nil
}

// SplitRows reads what JoinRows writes: so many rows and columns of numbers with the
// allowed digits of Rounded; errors call such a number kind.
func SplitRows(text string, rows, columns, digits int, kind string, allowed func(v float64) bool) ([][]float64, error) {
	if text == "" && rows == 0 {
		return [][]float64{}, nil
	}
	texts := strings.Split(text, ";")
	if len(texts) != rows {
		return nil, fmt.Errorf("%d rows of numbers, want %d", len(texts), rows)
	}
	out := make([][]float64, rows)
	for i, row := range texts {
		fields := strings.Split(row, " ")
		if len(fields) != columns {
			return nil, fmt.Errorf("row %d has %d numbers, want %d", i+1, len(fields), columns)
		}
		for _, field := range fields {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil || !allowed(v) || data.Real(Rounded(v, digits)) != data.AsReals(field) {
				return nil, fmt.Errorf("%.40q is no %s of %d digits", field, kind, digits)
			}
			out[i] = append(out[i], v)
		}
	}
	return out, nil
}
